"""Mosaix: what a network sees."""

from __future__ import annotations

import numpy as np

from smalti.engine.bits import EMPTY, ONE, whole
from smalti.engine.compiled import compiled
from smalti.engine.planes import Plane, Planes, choose, draw, fill, put_word, spread
from smalti.games.mosaix.rules import acting
from smalti.games.mosaix.tables import (
    BOXES,
    FORMATIONS,
    FORMING,
    ROLLS,
    SEQUENCES,
    SIDE,
    SYMBOLS,
    WRITING,
    Table,
    shape_cells,
)

SHAPE = (SIDE, SIDE)
ORDER = "Seats come in the order of play from one's own on, symbols in the order o, t, x."
SIZE = SIDE * SIDE
SYMBOL_COUNT = len(SYMBOLS)
BEFORE_BOTTOM = np.uint64(8 * (SIDE - 1) - 2)  # the last cell of the row above the bottom one
SHOWN = np.array([[roll.count(symbol) for symbol in SYMBOLS] for roll in ROLLS], np.int64)  # by roll and symbol


def formed_cells(formation: str, sequence: str, symbol: str) -> int:
    """Return the cells, in reading order, on which a formation in the corner of the grid shows a symbol."""
    places = zip(shape_cells(formation, 0), sequence, strict=True)
    return sum(1 << SIDE * row + column for (column, row), die in places if die == symbol)


# By formation, arrangement and symbol.
FORMED = np.array(
    [[[formed_cells(f, sequence, symbol) for symbol in SYMBOLS] for sequence in SEQUENCES] for f in FORMATIONS],
    np.uint64,
)


def planes(seats: int) -> list[Plane]:
    """Describe the planes."""
    return [
        Plane("grids", 3 * seats, 1, "cells with this symbol, seat by seat"),
        Plane("dice", 3, 4, "dice that show this symbol, 0 before the roll"),
        Plane("formation", 3, 1, "dice with this symbol of the formation to write, unturned, in the corner a1"),
        Plane("phase", 2, 1, "arranging the dice; writing"),
        Plane("roller", seats, 1, "who rolls in this round"),
        Plane("waiting", seats, 1, "who has yet to write"),
        Plane("turn", 1, 1, "I have to act"),
        Plane("passed", 1, 1, "somebody passed in this round"),
        Plane("boxes", 1, BOXES, "free boxes of the solo game's scale"),
        Plane("idle", 1, seats, "rounds in a row without anything written, this one included until somebody writes"),
    ]


@compiled
def draw_grid(planes: Planes, at: int, cells: np.uint64) -> int:
    """Write a plane row by row, each with a byte too many, which the next row overwrites."""
    for row in range(SIDE - 1):
        put_word(planes, at + SIDE * row, spread(cells, 8 * row))
    corner, bottom = (cells >> BEFORE_BOTTOM) & ONE, (cells >> (BEFORE_BOTTOM + ONE)) & ~ONE
    put_word(planes, at + SIZE - 8, spread(corner | bottom, 0))  # the last row, and one cell of the row above it
    return at + SIZE


@compiled
def observe(table: Table, seat: int, planes: Planes) -> None:
    """Write the grids, this seat's first, and the dice."""
    seats = whole(table.seats)
    forming, writing = table.phase == FORMING, table.phase == WRITING
    at = 0
    for place in range(seats):
        for symbol in range(SYMBOL_COUNT):
            at = draw_grid(planes, at, table.grids[(seat + place) % seats, symbol])
    for symbol in range(SYMBOL_COUNT):
        at = fill(planes, at, SIZE, SHOWN[table.dice, symbol] if forming or writing else 0)
    for symbol in range(SYMBOL_COUNT):
        at = draw(planes, at, SIZE, FORMED[table.formation, table.arrangement, symbol] if writing else EMPTY)
    at = fill(planes, at, SIZE, forming)
    at = fill(planes, at, SIZE, writing)
    at = choose(planes, at, SIZE, seats, (whole(table.roller) + seats - seat) % seats if forming or writing else -1)
    waiting = whole(table.waiting) if writing else 0
    for place in range(seats):
        at = fill(planes, at, SIZE, (waiting >> ((seat + place) % seats)) & 1)
    at = fill(planes, at, SIZE, (acting(table) >> seat) & 1)
    at = fill(planes, at, SIZE, writing and table.passed != 0)
    at = fill(planes, at, SIZE, whole(table.boxes) if seats == 1 else 0)
    fill(planes, at, SIZE, whole(table.idle))
