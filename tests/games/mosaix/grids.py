"""Grids for the tests of Mosaix: matches that go on from a drawing."""

from __future__ import annotations

from smalti import Match
from smalti.games.mosaix import GAME
from smalti.games.mosaix.drawing import read_board
from smalti.games.mosaix.fitting import EVERY_FORMATION, fitting_formations
from smalti.games.mosaix.tables import FORMATIONS, ROLLING, Table
from tests.games.tables import match_at

EMPTY = "......./" * 6 + "......."
FULL = "oxoxoxo/" * 6 + "oxoxoxo"


def grid(drawing: str) -> Match:
    """Return a match before a roll, with seat 0's grid as drawn; it is solo if the drawing has a line of boxes."""
    table, _ = read_board(drawing)
    table.phase = ROLLING
    table.fitting = fitting_formations(table) if table.seats == 1 else EVERY_FORMATION
    return match_at(GAME, table)


def finished(drawing: str) -> Match:
    """Return a match that is over, with seat 0's grid as drawn."""
    return match_at(GAME, read_board(drawing)[0])


def formed(match: Match, formation: str) -> Match:
    """Let the dice show what this formation needs, and the roller arrange it; both as in `L xoot`."""
    match.play(None, f"roll {''.join(sorted(formation.split()[1]))}")
    match.play(min(match.acting), f"form {formation}")
    return match


def full_but(*cells: str) -> str:
    """Return the drawing of a grid in which only these cells are empty."""
    rows = [list(row) for row in FULL.split("/")]
    for cell in cells:
        rows[int(cell[1]) - 1]["abcdefg".index(cell[0])] = "."
    return "\n".join("".join(row) for row in rows)


def rows_of(match: Match, seat: int = 0) -> list[str]:
    """Return the rows of a seat's grid."""
    return list(match.view(None).grids[seat].rows)


def symbols_of(match: Match, seat: int = 0) -> dict[str, str]:
    """Return the symbols of a seat's grid by cell."""
    rows = rows_of(match, seat)
    return {f"{'abcdefg'[x]}{y + 1}": rows[y][x] for y in range(7) for x in range(7) if rows[y][x] != "."}


def accepted(drawing: str) -> str:
    """Return the formations that can be written somewhere on this grid."""
    return "".join(name for name in FORMATIONS if formed(grid(drawing), f"{name} oxtt").legal(0) != ["pass"])


def read(drawing: str) -> Table:
    """Return the table of a drawing."""
    return read_board(drawing)[0]
