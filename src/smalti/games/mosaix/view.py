"""Mosaix: what a screen draws."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from smalti.engine.bits import numbers
from smalti.engine.geometry import cell_name
from smalti.engine.record import bytes_of, copy_of, plain_values
from smalti.engine.rules import room_for
from smalti.games.mosaix.fitting import list_placements
from smalti.games.mosaix.notation import TEXTS
from smalti.games.mosaix.scoring import grid_items
from smalti.games.mosaix.tables import (
    ANCHORS,
    DEALING,
    FORMATIONS,
    FORMING,
    ROLLS,
    SEQUENCES,
    SIDE,
    SYMBOLS,
    WRITING,
    Table,
)

PHASES = ("dealing", "rolling", "forming", "writing", "over")
MOST_PLACEMENTS = 4 * ANCHORS
PASSES = "MX-6"  # who can write nothing passes, and nobody else


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
    idle: int  # rounds in a row in which nobody could write; this one does not count yet (R6)
    patience: int  # after so many of them the game is over, 0: never
    grids: tuple[Grid, ...]
    fits: dict[str, tuple[str, ...]] | None  # for the roller: by formation, where it could be written ("1 3,5")
    passes: str | None  # for a seat that can only pass: the rule that lets it


@lru_cache(maxsize=4096)
def rows_of(circles: int, triangles: int, crosses: int) -> tuple[str, ...]:
    """Return a grid's rows, one letter a cell, a dot where nothing is written."""
    letters = ["."] * 64
    for symbol, cells in zip(SYMBOLS, (circles, triangles, crosses), strict=True):
        for cell in numbers(cells):
            letters[cell] = symbol
    return tuple("".join(letters[8 * row : 8 * row + SIDE]) for row in range(SIDE))


def grid_view(seat: int, cells: tuple[int, int, int], printed: int | None, boxes: int) -> Grid:
    """Describe one seat's grid."""
    return Grid(
        rows=rows_of(*cells),
        printed=None if printed is None else cell_name(printed % 8, printed // 8),
        worth=boxes + sum(item.points for item in grid_items(seat, cells)),
    )


def fitting_places(table: Table) -> dict[str, tuple[str, ...]]:
    """List by formation where the roller could write it."""
    trial, moves = copy_of(table), room_for(MOST_PLACEMENTS)
    found = {}
    for number, name in enumerate(FORMATIONS):
        trial.formation = number
        count = list_placements(trial, int(table.roller), moves)
        found[name] = tuple(TEXTS[move].partition(" ")[2] for move in moves[:count].tolist())
    return found


def view(table: Table, seat: int) -> View:
    """Describe the table, the same for every seat, but for what fits: that is told to whom it matters. (MX-2, MX-6)"""
    shared = described(bytes_of(table))
    if shared.phase == "forming" and shared.roller == seat:
        return replace(shared, fits=fitting_places(table))
    if seat in shared.waiting and not list_placements(table, seat, room_for(MOST_PLACEMENTS)):
        return replace(shared, passes=PASSES)
    return shared


@lru_cache(maxsize=256)
def described(table: bytes) -> View:
    """Describe a table given by its bytes; remembered for all who look at it at the same time."""
    now = plain_values(table, Table.dtype)
    writing, forming = now.phase == WRITING, now.phase == FORMING
    seats, dealing, solo = now.seats, now.phase == DEALING, now.seats == 1
    boxes = now.boxes if solo else 0
    return View(
        phase=PHASES[now.phase],
        roller=now.roller,
        waiting=tuple(s for s in range(seats) if now.waiting >> s & 1) if writing else (),
        dice=ROLLS[now.dice] if forming or writing else None,
        formation=FORMATIONS[now.formation] if writing else None,
        arrangement=SEQUENCES[now.arrangement] if writing else None,
        boxes=boxes if solo else None,
        idle=now.idle - 1 if writing and now.idle else now.idle,
        patience=now.patience,
        grids=tuple(
            grid_view(s, tuple(cells), None if dealing else printed, boxes)
            for s, cells, printed in zip(range(seats), now.grids, now.printed, strict=False)
        ),
        fits=None,
        passes=None,
    )
