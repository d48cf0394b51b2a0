"""Observations as planes: arrays of the board's shape, one behind the other in the caller's buffer of bytes.

A game's `observe` writes its planes in the order in which `planes` describes them. Each function here writes one
plane at a place of the buffer and returns the place behind it. A set of cells is given as bits in reading order,
without gaps, and goes down eight cells at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

from smalti.engine.compiled import compiled, when_compiled, wrapping

Planes = npt.NDArray[np.int8]

BYTE = np.uint64(0xFF)
REPEAT = np.uint64(0x0101010101010101)
# By eight bits: the same as eight bytes of 0 or 1.
SPREAD = np.array([sum((bits >> place & 1) << 8 * place for place in range(8)) for bits in range(256)], np.uint64)


@dataclass(frozen=True)
class Plane:
    """Some planes of the same kind: a name for programs, how many, their highest value, and what they mean."""

    name: str
    count: int
    top: int
    meaning: str


class Observer(Protocol):
    """What a game's `observe` module offers."""

    @property
    def SHAPE(self) -> tuple[int, int]: ...  # noqa: N802  # rows and columns of a plane
    @property
    def ORDER(self) -> str: ...  # noqa: N802  # in which things of one kind come, in words
    def planes(self, seats: int, /) -> list[Plane]: ...
    def observe(self, table: Any, seat: int, planes: Planes, /) -> None: ...


def put_word(planes: Planes, at: int, word: Any) -> None:
    """Write eight bytes, the lowest first, at any place of the buffer."""
    planes[at : at + 8] = np.frombuffer(int(word).to_bytes(8, "little"), np.int8)


@intrinsic
def _store(context: Any, planes: Any, at: Any, word: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        planes, at, word = arguments
        array = context.make_array(signature.args[0])(context, builder, planes)
        place = builder.gep(array.data, [at])
        builder.store(word, builder.bitcast(place, word.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(planes, types.intp, types.uint64), emit


@when_compiled(put_word)
def _put_word(planes: Any, at: Any, word: Any) -> Any:
    return lambda planes, at, word: _store(planes, at, word)  # type: ignore[call-arg]


@compiled
def spread(cells: np.uint64, place: int) -> np.uint64:
    """Return eight cells from a place on, as eight bytes of 0 or 1."""
    return SPREAD[(cells >> np.uint64(place)) & BYTE]


@compiled
def draw(planes: Planes, at: int, size: int, cells: np.uint64, value: int = 1) -> int:
    """Write a plane with a value, 0 to 127, on these cells and 0 elsewhere."""
    factor = np.uint64(value)
    for place in range(0, size - 7, 8):
        put_word(planes, at + place, spread(cells, place) * factor)
    if size % 8:  # the last eight cells overlap those before, so that nothing is written behind the plane
        put_word(planes, at + size - 8, spread(cells, size - 8) * factor)
    return at + size


@wrapping
def fill(planes: Planes, at: int, size: int, value: int) -> int:
    """Write a plane with the same value, 0 to 127, on every cell."""
    word = np.uint64(value) * REPEAT
    for place in range(0, size - 7, 8):
        put_word(planes, at + place, word)
    if size % 8:
        put_word(planes, at + size - 8, word)
    return at + size


@compiled
def choose(planes: Planes, at: int, size: int, count: int, chosen: int) -> int:
    """Write so many planes, the chosen one full of 1, the others of 0; with −1 none is chosen."""
    for number in range(count):
        at = fill(planes, at, size, number == chosen)
    return at


def plane_count(planes: list[Plane]) -> int:
    """Return how many planes there are in all."""
    return sum(plane.count for plane in planes)
