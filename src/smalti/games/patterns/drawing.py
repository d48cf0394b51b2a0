"""Patterns: the mandala as a drawing, both ways.

k      a black tile, front up
K0     a black tile of seat 0's group, back up; K0* has the marker on it
river 0: K O      seat 0 opened black first and orange second
bowl 0: G         seat 0's exchange tile is green
"""

from __future__ import annotations

import numpy as np

from smalti.engine.bits import EMPTY, bit, count, neighbours, numbers
from smalti.engine.drawing import Board, Tile, read_rows, split_notes
from smalti.engine.errors import BadInput, shown
from smalti.engine.geometry import cell_name
from smalti.games.patterns.reasons import refusal
from smalti.games.patterns.scoring import is_one_piece
from smalti.games.patterns.tables import (
    CELLS,
    COLOUR_NAMES,
    COLOURS,
    OVER,
    PLAYING,
    ROW_WIDTHS,
    SEATS,
    TILES_OF_A_COLOUR,
    Table,
)
from smalti.games.patterns.words import colour_word

GLYPHS = "◆●▲■★▼"
FRONT_GLYPHS = "◇○△□☆▽"
LEGEND = "   ".join(f"{glyph} {letter} {colour_word(letter)}" for glyph, letter in zip(GLYPHS, COLOURS, strict=True))


def tile_at(table: Table, cell: int) -> Tile | None:
    """Describe one cell of the 8×8 board; None for the cut-off corners."""
    if cell not in CELLS:
        return None
    for colour, letter in enumerate(COLOURS):
        if int(table.front[colour]) >> cell & 1:
            return Tile(letter.lower(), FRONT_GLYPHS[colour], COLOUR_NAMES[colour], strong=False)
        for seat in range(SEATS):
            if int(table.groups[seat, colour]) >> cell & 1:
                return group_tile(table, seat, colour, cell)
    return Tile(".", "·", "", strong=False)


def group_tile(table: Table, seat: int, colour: int, cell: int) -> Tile:
    """Describe a tile of a group; the marked one shows its number."""
    marked = int(table.marked[seat, colour]) == cell
    mark = str(table.markers[seat, colour]) if marked else " "
    token = f"{COLOURS[colour]}{seat}" + "*" * marked
    return Tile(token, f"{GLYPHS[colour]}{mark}", COLOUR_NAMES[colour], owner=seat, mark=marked)


def river(table: Table, seat: int) -> list[int]:
    """List the colours a seat has opened, in order."""
    return [
        colour for _, colour in sorted((int(table.markers[seat, c]), c) for c in range(6) if table.markers[seat, c])
    ]


def notes(table: Table) -> tuple[str, ...]:
    """Write rivers and bowls."""
    lines = [
        f"river {seat}: {' '.join(COLOURS[colour] for colour in river(table, seat))}".rstrip() for seat in range(SEATS)
    ]
    if table.phase >= PLAYING:
        lines += [f"bowl {seat}: {COLOURS[table.bowls[seat]]}" for seat in range(SEATS)]
    return tuple(lines)


def boards(table: Table) -> list[Board]:
    """Describe the mandala."""
    rows = tuple(tuple(tile_at(table, 8 * row + column) for column in range(8)) for row in range(8))
    return [Board("mandala", None, rows, notes(table), legend=LEGEND)]


def read_board(text: str) -> tuple[Table, tuple[int, ...]]:
    """Read a finished mandala; the seats to score are both."""
    drawing, found = split_notes(text, ("river 0", "river 1", "bowl 0", "bowl 1"))
    table = Table.blank()
    table.phase = OVER
    tokens = [token for row in read_rows(drawing, ROW_WIDTHS) for token in row]
    for cell, token in zip(CELLS, tokens, strict=True):
        read_cell(table, cell, token)
    for seat in range(SEATS):
        read_river(table, seat, found.get(f"river {seat}", "").split())
        bowl = found.get(f"bowl {seat}", COLOURS[0])
        table.bowls[seat] = colour_of(bowl, f"bowl {seat}")
    check_tiles(table)
    for seat in range(SEATS):
        check_groups(table, seat)
    return table, (0, 1)


def read_cell(table: Table, cell: int, token: str) -> None:
    """Read the token of a cell, and put what it says on the table."""
    letter, owner = token[:1], token[1:2]
    if len(token) == 1 and letter.upper() in COLOURS and letter.islower():
        table.front[COLOURS.index(letter.upper())] |= bit(cell)
    elif token != "." and (letter not in COLOURS or owner not in ("0", "1") or token[2:] not in ("", "*")):
        raise BadInput(f"expected a front such as k, a back such as K0 or K0*, or a dot, not {shown(token)}")
    elif token != ".":
        seat, colour = int(owner), COLOURS.index(letter)
        if table.groups[seat, colour] == EMPTY or token.endswith("*"):
            table.marked[seat, colour] = cell
        table.groups[seat, colour] |= bit(cell)


def colour_of(letter: str, where: str) -> int:
    """Return a colour's number."""
    if len(letter) != 1 or letter not in COLOURS:
        raise BadInput(f"{where}: expected one of {' '.join(COLOURS)}, not {shown(letter)}")
    return COLOURS.index(letter)


def read_river(table: Table, seat: int, letters: list[str]) -> None:
    """Number a seat's groups by its river."""
    for number, letter in enumerate(letters, 1):
        colour = colour_of(letter, f"river {seat}")
        if table.markers[seat, colour]:
            raise BadInput(f"river {seat} has {letter} twice")
        if table.groups[seat, colour] == EMPTY:
            raise BadInput(f"river {seat} has {letter}, but no tile {letter}{seat} is on the mandala")
        table.markers[seat, colour] = number
    table.opened[seat] = len(letters)


def check_tiles(table: Table) -> None:
    """Refuse more tiles of a colour than there are."""
    for colour, letter in enumerate(COLOURS):
        tiles = count(table.front[colour]) + sum(count(table.groups[seat, colour]) for seat in range(SEATS))
        if tiles > TILES_OF_A_COLOUR:
            name = colour_word(letter)
            raise BadInput(f"there are {TILES_OF_A_COLOUR} tiles of each colour; the drawing has {tiles} {name} ones")


def check_groups(table: Table, seat: int) -> None:
    """Refuse groups that no game can have: without a place in the river, in two pieces, touching the opponent's."""
    for colour, letter in enumerate(COLOURS):
        group: np.uint64 = table.groups[seat, colour]
        if group == EMPTY:
            continue
        if not table.markers[seat, colour]:
            raise BadInput(f"group {letter}{seat} is not in its river: add a line such as 'river {seat}: {letter}'")
        if not is_one_piece(table, seat, colour):
            raise BadInput(f"group {letter}{seat} is in several pieces; a group hangs together (PT-5, PT-6)")
        touching = numbers(neighbours(group) & table.groups[1 - seat, colour])
        if touching:
            cell = cell_name(touching[0] % 8, touching[0] // 8)
            raise refusal("touches-opponent", colour=letter, cell=cell)
