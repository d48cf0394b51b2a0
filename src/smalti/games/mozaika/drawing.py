"""Mozaika: boards as drawings, both ways.

    R1 B2* .    Y4     a tile is colour and symbol, * is a fly, a dot an empty cell
    coins: 17          coins left, for thrift

Reading also takes a, b, c, d for the symbols and G for the third colour, as other writers do.
"""

from __future__ import annotations

from smalti.engine.drawing import Board, Tile, read_rows, split_notes
from smalti.engine.errors import BadInput, shown
from smalti.games.mozaika.tables import (
    BIDDING,
    CELLS,
    COLOUR_NAMES,
    COLOUR_OF,
    COLOURS,
    DEALING,
    DRAWING,
    MOST_COINS,
    NO_SEAT,
    OVER,
    SIDE,
    SYMBOL_OF,
    SYMBOLS,
    TYPES,
    Table,
)

GLYPHS = "●▲■★"
LETTERS = "abcd"
THIRD_COLOUR = "G"


def type_at(table: Table, seat: int, cell: int) -> int | None:
    """Return the type of the tile on a cell."""
    colours = [int(cells) >> cell & 1 for cells in table.colours[seat]]
    symbols = [int(cells) >> cell & 1 for cells in table.symbols[seat]]
    return len(SYMBOLS) * colours.index(1) + symbols.index(1) if any(colours) else None


def tile(number: int, fly: bool = False) -> Tile:
    """Describe a tile."""
    name, colour = TYPES[number], COLOUR_NAMES[COLOUR_OF[number]]
    return Tile(name + "*" * fly, name + GLYPHS[SYMBOL_OF[number]] + ("*" if fly else ""), colour, mark=fly)


def tile_at(table: Table, seat: int, cell: int) -> Tile:
    """Describe one cell of a board."""
    number = type_at(table, seat, cell)
    if number is None:
        return Tile(".", "·", "", strong=False)
    return tile(number, bool(int(table.flies[seat]) >> cell & 1))


def board(table: Table, seat: int) -> Board:
    """Describe a seat's board, with coins, hand and, once it is known, the bid."""
    rows = tuple(tuple(tile_at(table, seat, SIDE * row + column) for column in range(SIDE)) for row in range(SIDE))
    hand = " ".join(tiles_of(table.hands[seat].tolist()))
    nothing = "hidden" if table.secret_hands else "-"
    notes = [f"coins: {table.coins[seat]}", f"hand: {hand or nothing}"]
    if table.phase > BIDDING and table.round_number > 1 and table.phase != OVER:
        notes.append(f"bid: {table.bids[seat]}")
    elif table.phase == BIDDING:
        notes.append("bid: ?" if table.waiting >> seat & 1 else "bid: sealed")
    return Board(f"seat {seat}" + (", start" if table.starter == seat else ""), seat, rows, tuple(notes))


def tiles_of(counts: list[int]) -> list[str]:
    """List the tiles of a hand or a display."""
    return [name for name, number in zip(TYPES, counts, strict=True) for _ in range(number)]


def display(table: Table) -> list[Board]:
    """Describe the open tiles."""
    tiles = tiles_of(table.display.tolist())
    title = f"round {table.round_number}, open tiles"
    row = tuple(tile(TYPES.index(name)) for name in tiles)
    return [Board(title, None, (row,), named=False)] if tiles else []


def boards(table: Table) -> list[Board]:
    """Describe the open tiles and every board."""
    shown_display = [] if table.phase in (DEALING, DRAWING) else display(table)
    return [*shown_display, *(board(table, seat) for seat in range(int(table.seats)))]


def read_board(text: str) -> tuple[Table, tuple[int, ...]]:
    """Read a board; it lies before seat 0."""
    drawing, found = split_notes(text, ("coins",))
    table = Table.blank()
    table.phase = OVER
    table.seats = 3
    table.starter = NO_SEAT
    table.coins[0] = coin_count(found.get("coins", "0"))
    tokens = [token for row in read_rows(drawing, [SIDE] * SIDE) for token in row]
    if {"Y", THIRD_COLOUR} <= {token[:1] for token in tokens}:
        raise BadInput("there are three colours: R, B and either Y or G")
    for cell in range(CELLS):
        read_cell(table, cell, tokens[cell])
    return table, (0,)


def read_cell(table: Table, cell: int, token: str) -> None:
    """Read the token of a cell, and put what it says on the table."""
    if token == ".":
        return
    colour = COLOURS.find(token[:1].replace(THIRD_COLOUR, "Y"))
    symbol = max(SYMBOLS.find(token[1:2]), LETTERS.find(token[1:2]))
    if len(token) < 2 or min(colour, symbol) < 0 or token[2:] not in ("", "*"):
        raise BadInput(f"expected a tile such as R1, R1* with a fly, or a dot, not {shown(token)}")
    table.colours[0, colour] |= 1 << cell
    table.symbols[0, symbol] |= 1 << cell
    table.flies[0] |= token.endswith("*") << cell


def coin_count(text: str) -> int:
    """Read a number of coins."""
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= MOST_COINS):
        raise BadInput(f"coins: expected a number from 0 to {MOST_COINS}, more nobody can have; not {shown(text)}")
    return int(text)
