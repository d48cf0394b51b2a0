"""Mosaix: what a screen draws."""

from __future__ import annotations

from dataclasses import dataclass

from smalti.engine.geometry import cell_name
from smalti.games.mosaix.drawing import tile_at
from smalti.games.mosaix.scoring import points
from smalti.games.mosaix.tables import DEALING, FORMATIONS, FORMING, ROLLS, SEQUENCES, SIDE, WRITING, Table

PHASES = ("dealing", "rolling", "forming", "writing", "over")


@dataclass(frozen=True)
class Grid:
    """A grid as it stands."""

    rows: tuple[str, ...]
    printed: str | None  # the cell of the printed symbol
    worth: int


@dataclass(frozen=True)
class View:
    """The whole table: nothing is hidden."""

    phase: str
    roller: int
    waiting: tuple[int, ...]  # seats that have yet to write
    dice: str | None
    formation: str | None
    arrangement: str | None
    boxes: int | None
    grids: tuple[Grid, ...]


def grid_view(table: Table, seat: int) -> Grid:
    """Describe one seat's grid."""
    rows = tuple("".join(tile_at(table, seat, 8 * row + column).token for column in range(SIDE)) for row in range(SIDE))
    cell = int(table.printed[seat])
    printed = None if table.phase == DEALING else cell_name(cell % 8, cell // 8)
    return Grid(rows, printed, int(points(table, seat)))


def view(table: Table, seat: int) -> View:
    """Describe the table for any seat."""
    writing = table.phase == WRITING
    return View(
        phase=PHASES[table.phase],
        roller=int(table.roller),
        waiting=tuple(s for s in range(int(table.seats)) if table.waiting >> s & 1) if writing else (),
        dice=ROLLS[table.dice] if table.phase in (FORMING, WRITING) else None,
        formation=FORMATIONS[table.formation] if writing else None,
        arrangement=SEQUENCES[table.arrangement] if writing else None,
        boxes=int(table.boxes) if table.seats == 1 else None,
        grids=tuple(grid_view(table, s) for s in range(int(table.seats))),
    )
