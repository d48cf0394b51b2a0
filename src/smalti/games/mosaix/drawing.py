"""Mosaix: grids as drawings, both ways.

oxt....     one character a cell, a dot where nothing is written
boxes: 3    free boxes of the scale; with this line it is a solo game
"""

from __future__ import annotations

from smalti.engine.bits import bit
from smalti.engine.drawing import Board, Tile, read_rows, split_notes
from smalti.engine.errors import BadInput, shown
from smalti.games.mosaix.tables import (
    BOXES,
    DEALING,
    FORMATIONS,
    FORMING,
    OVER,
    ROLLS,
    SEQUENCES,
    SHAPES,
    SIDE,
    SYMBOLS,
    WRITING,
    Table,
)

GLYPHS = "●▲✖"
LEGEND = "● o   ▲ t   ✖ x"
NOT_PRINTED = 255
COLOURS = ("teal", "orange", "plum")


def tile_at(table: Table, seat: int, cell: int) -> Tile:
    """Describe one cell of a grid."""
    printed = table.phase != DEALING and int(table.printed[seat]) == cell
    for symbol, letter in enumerate(SYMBOLS):
        if int(table.grids[seat, symbol]) >> cell & 1:
            return Tile(letter, GLYPHS[symbol], COLOURS[symbol], mark=printed)
    return Tile(".", "·", "", strong=False)


def grid(table: Table, seat: int) -> Board:
    """Describe one seat's grid."""
    rows = tuple(tuple(tile_at(table, seat, 8 * row + column) for column in range(SIDE)) for row in range(SIDE))
    notes = (f"boxes: {table.boxes}",) if table.seats == 1 else ()
    return Board(f"seat {seat}", seat, rows, notes, legend=LEGEND)


def dice(table: Table) -> list[Board]:
    """Describe the dice as they lie: in a row after the roll, as the formation once arranged."""
    if table.phase == FORMING:
        row = tuple(die(symbol) for symbol in ROLLS[table.dice])
        return [Board("the roll", None, (row,), named=False)]
    if table.phase == WRITING:
        name, symbols = FORMATIONS[table.formation], iter(SEQUENCES[table.arrangement])
        rows = tuple(tuple(die(next(symbols)) if mark == "#" else None for mark in line) for line in SHAPES[name])
        return [Board(f"formation {name}", None, rows, named=False)]
    return []


def die(symbol: str) -> Tile:
    """Describe one die."""
    number = SYMBOLS.index(symbol)
    return Tile(symbol, GLYPHS[number], COLOURS[number])


def boards(table: Table) -> list[Board]:
    """Describe the dice and every grid."""
    return [*dice(table), *(grid(table, seat) for seat in range(int(table.seats)))]


def read_board(text: str) -> tuple[Table, tuple[int, ...]]:
    """Read a grid; it lies before seat 0."""
    drawing, found = split_notes(text, ("boxes",))
    table = Table.blank()
    table.phase = OVER
    table.printed[:] = NOT_PRINTED
    table.seats = 1 if "boxes" in found else 2
    if "boxes" in found:
        table.boxes = box_count(found["boxes"])
    for row, tokens in enumerate(read_rows(drawing, [SIDE] * SIDE, joined=True)):
        for column, token in enumerate(tokens):
            if token in SYMBOLS:
                table.grids[0, SYMBOLS.index(token)] |= bit(8 * row + column)
            elif token != ".":
                raise BadInput(f"row {row + 1}: expected o, t, x or a dot, not {shown(token)}")
    return table, (0,)


def box_count(text: str) -> int:
    """Read the number of free boxes."""
    if not (text.isascii() and text.isdigit() and len(text) < 3 and int(text) <= BOXES):
        raise BadInput(f"boxes: expected a number from 0 to {BOXES}, not {shown(text)}")
    return int(text)
