"""Tables as fixed-size records: an annotated class becomes an aligned NumPy record type.

    class Table(Record):
        turn: Byte
        groups: Annotated[Words, 2, 6]

mypy, Numba and plain Python all reject a misspelt field, a batch of tables is an array of them, a copy is an
assignment, and the bytes are the hash.
"""

from __future__ import annotations

import struct
from collections import namedtuple
from collections.abc import Callable
from functools import cache, lru_cache
from math import prod
from typing import Annotated, Any, Self, TypeVar, cast, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

Byte = Annotated[int, np.uint8]
Bytes = Annotated[npt.NDArray[np.uint8], np.uint8]
Halves = Annotated[npt.NDArray[np.uint16], np.uint16]
Words = Annotated[npt.NDArray[np.uint64], np.uint64]

# Attributes of np.record itself: a field of that name would be shadowed in un-compiled runs.
TAKEN_NAMES = frozenset(dir(np.record))

# `table.dtype` and `table.tobytes()`, without the search for a field of that name that np.record begins with.
DTYPE: Callable[[Any], Any] = np.void.dtype.__get__
BYTES: Callable[[Any], Any] = np.void.tobytes

R = TypeVar("R", bound="Record")


class Record:
    """Base of every game's Table; subclasses only annotate fields."""

    dtype: np.dtype[Any]

    def __init_subclass__(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
        hints.pop("dtype", None)
        cls.dtype = packed_type([field_type(name, hint) for name, hint in hints.items()])

    @classmethod
    def batch(cls, count: int) -> npt.NDArray[Any]:
        """Return an array of that many blank tables."""
        return np.zeros(count, cls.dtype)

    @classmethod
    def blank(cls) -> Self:
        """Return one blank table: a view of a batch of one."""
        return cast(Self, cls.batch(1)[0])


def field_type(name: str, hint: Any) -> tuple[str, Any, tuple[int, ...]]:
    """Turn `name: Annotated[Words, 2, 6]` into NumPy's (name, type, shape)."""
    if name in TAKEN_NAMES:
        raise TypeError(f"a field cannot be called {name!r}: np.record has an attribute of that name")
    _, scalar, *shape = get_args(hint)
    return name, scalar, tuple(shape)


def packed_type(fields: list[tuple[str, Any, tuple[int, ...]]]) -> np.dtype[Any]:
    """Lay the fields out widest first, with the padding as a field, so that equal tables have equal bytes."""
    fields = sorted(fields, key=lambda field: -np.dtype(field[1]).itemsize)
    used = sum(np.dtype((scalar, shape)).itemsize for _, scalar, shape in fields)
    if used % 8:
        fields.append(("padding", np.uint8, (8 - used % 8,)))
    plain = np.dtype([(name, scalar, shape) if shape else (name, scalar) for name, scalar, shape in fields], align=True)
    return np.dtype((np.record, plain))


def tables_of(data: bytes, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return the tables that have these bytes; many times faster than copying an array of records."""
    return np.frombuffer(bytearray(data), dtype)


def copy_of(table: R) -> R:
    """Return a table with the same contents that shares nothing."""
    return cast(R, tables_of(bytes_of(table), type_of(table))[0])


def values_of(table: Record) -> Any:
    """Return a table's fields as plain numbers and tuples, for code that reads many of them outside compiled code."""
    return plain_values(bytes_of(table), type_of(table))


@lru_cache(maxsize=64)
def plain_values(data: bytes, dtype: np.dtype[Any]) -> Any:
    """Return the fields of a table given by its bytes; remembered, because several look at it one after the other."""
    return reader_of(dtype)(data)


@cache
def reader_of(dtype: np.dtype[Any]) -> Callable[[bytes], Any]:
    """Return the function that reads the fields of a table from its bytes, without NumPy's detours."""
    names, letters, cuts = list[str](), "@", list[Any]()
    for name in dtype.names or ():
        scalar, shape = dtype[name].base, dtype[name].shape
        cuts.append(cut_of(len(letters) - 1, shape))
        letters += scalar.char * prod(shape)
        names.append(name)
    assert struct.calcsize(letters) == dtype.itemsize
    unpack, values = struct.Struct(letters).unpack, cast(Any, namedtuple("Values", names))
    return lambda data: values(*taken(unpack(data), cuts))


def cut_of(first: int, shape: tuple[int, ...]) -> Any:
    """Return where a field stands among all numbers of a table: a number, a slice, or a list of such."""
    if not shape:
        return first
    if len(shape) == 1:
        return slice(first, first + shape[0])
    step = prod(shape[1:])
    return [cut_of(first + step * row, shape[1:]) for row in range(shape[0])]


def taken(values: tuple[Any, ...], cuts: list[Any]) -> tuple[Any, ...]:
    """Return what stands where the cuts say."""
    return tuple([taken(values, cut) if type(cut) is list else values[cut] for cut in cuts])


def type_of(table: Record) -> np.dtype[Any]:
    """Return the record type of a table."""
    return cast(np.dtype[Any], DTYPE(table))


def bytes_of(table: Record) -> bytes:
    """Return the table's bytes: equal for equal tables, so a key for dictionaries."""
    return cast(bytes, BYTES(table))
