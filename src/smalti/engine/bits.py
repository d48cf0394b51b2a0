"""Sets of cells as bits of a 64-bit word, and all the bit tricks there are.

A board of up to 8×8 cells is one word: the cell in column c of row r is bit 8·r + c. Every constant here is a
typed uint64, because a plain 1 would turn the word into a signed number when compiled.

Each function is plain Python first and gets one machine instruction when compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from smalti.engine.compiled import compiled, when_compiled

EMPTY = np.uint64(0)
ONE = np.uint64(1)
NOT_LEFT_COLUMN = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_RIGHT_COLUMN = np.uint64(0x7F7F7F7F7F7F7F7F)
STEP = np.uint64(1)
ROW = np.uint64(8)


def lowest(bits: Any) -> int:
    """Return the number of the lowest bit that is set; the set must not be empty."""
    number = int(bits)
    return (number & -number).bit_length() - 1


def count(bits: Any) -> int:
    """Return how many bits are set."""
    return int(bits).bit_count()


def without_lowest(bits: Any) -> Any:
    """Return the set without its lowest bit; the empty set stays empty."""
    return np.uint64(int(bits) & int(bits) - 1)


@intrinsic
def _trailing_zeros(context: Any, bits: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.false_bit)

    return types.int64(types.uint64), emit


@intrinsic
def _population(context: Any, bits: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), emit


@when_compiled(lowest)
def _lowest(bits: Any) -> Any:
    return lambda bits: _trailing_zeros(np.uint64(bits))  # type: ignore[call-arg]


@when_compiled(count)
def _count(bits: Any) -> Any:
    return lambda bits: _population(np.uint64(bits))  # type: ignore[call-arg]


@when_compiled(without_lowest)
def _without_lowest(bits: Any) -> Any:
    return lambda bits: bits & (bits - ONE)


@compiled
def whole(number: Any) -> int:
    """Return a field as a number that mixes well: small types wrap, and unsigned with signed makes fractions."""
    return np.int64(number)  # type: ignore[return-value]


@compiled
def bit(number: int) -> np.uint64:
    """Return the set that holds one cell."""
    return ONE << np.uint64(number)


@compiled
def neighbours(cells: np.uint64) -> np.uint64:
    """Return all cells orthogonally next to one of these, on an 8-wide board; may include cells of the set."""
    return ((cells & NOT_RIGHT_COLUMN) << STEP) | ((cells & NOT_LEFT_COLUMN) >> STEP) | (cells << ROW) | (cells >> ROW)


@compiled
def connected(start: np.uint64, within: np.uint64) -> np.uint64:
    """Return the cells that can be reached from the start by orthogonal steps without leaving the set."""
    reached = start & within
    while True:
        grown = reached | (neighbours(reached) & within)
        if grown == reached:
            return reached
        reached = grown


@compiled
def list_bits(bits: np.uint64, first: int, moves: npt.NDArray[np.int32], found: int) -> int:
    """Append first + n for each bit n, and return how many moves there are then.

    Written in fours, up to three beyond the end: where a list ends cannot be foreseen, so the fewer tests the better.
    """
    end = found + count(bits)
    while found < end:
        for step in range(4):
            moves[found + step] = first + lowest(bits)
            bits = without_lowest(bits)
        found += 4
    return end


def numbers(bits: Any) -> list[int]:
    """List the numbers of all bits that are set, in ascending order."""
    left, found = int(bits), []
    while left:
        last = left & -left
        found.append(last.bit_length() - 1)
        left ^= last
    return found
