"""Patterns: what a screen draws."""

from __future__ import annotations

from dataclasses import dataclass

from smalti.engine.bits import numbers
from smalti.engine.geometry import cell_name
from smalti.games.patterns.drawing import river
from smalti.games.patterns.scoring import group_worth
from smalti.games.patterns.tables import COLOURS, PLAYING, SEATS, Table

PHASES = ("dealing", "giving", "playing", "flipping", "over")


@dataclass(frozen=True)
class Group:
    """A group as it stands."""

    colour: str
    marker: int
    marked: str
    cells: tuple[str, ...]
    worth: int


@dataclass(frozen=True)
class View:
    """The whole table: nothing is hidden."""

    phase: str
    turn: int | None
    fronts: dict[str, str]  # colour by cell
    groups: tuple[tuple[Group, ...], ...]  # by seat, in the order of the river
    bowls: tuple[str, ...] | None


def cells_of(bits: int) -> tuple[str, ...]:
    """Return the names of a set of cells."""
    return tuple(cell_name(cell % 8, cell // 8) for cell in numbers(bits))


def group_view(table: Table, seat: int, colour: int) -> Group:
    """Describe one group."""
    marked = int(table.marked[seat, colour])
    return Group(
        colour=COLOURS[colour],
        marker=int(table.markers[seat, colour]),
        marked=cell_name(marked % 8, marked // 8),
        cells=cells_of(table.groups[seat, colour]),
        worth=int(group_worth(table, seat, colour)),
    )


def view(table: Table, seat: int) -> View:
    """Describe the table for any seat."""
    acts = PHASES[table.phase] in ("giving", "playing", "flipping")
    return View(
        phase=PHASES[table.phase],
        turn=int(table.turn) if acts else None,
        fronts={cell: COLOURS[colour] for colour in range(6) for cell in cells_of(table.front[colour])},
        groups=tuple(tuple(group_view(table, s, colour) for colour in river(table, s)) for s in range(SEATS)),
        bowls=tuple(COLOURS[table.bowls[s]] for s in range(SEATS)) if table.phase >= PLAYING else None,
    )
