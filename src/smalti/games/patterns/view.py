"""Patterns: what a screen draws."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from smalti.engine.bits import numbers
from smalti.engine.geometry import cell_name
from smalti.engine.record import bytes_of, plain_values
from smalti.games.patterns.rules import touching
from smalti.games.patterns.scoring import river, worth
from smalti.games.patterns.tables import CELLS, COLOURS, GIVING, PLAYING, SEATS, Table

PHASES = ("dealing", "giving", "playing", "flipping", "over")
NAMES = {cell: cell_name(cell % 8, cell // 8) for cell in CELLS}
REMEMBERED = 16384  # sets of cells, which hardly change from one move to the next


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
    start: tuple[str, ...] | None  # the two start tiles, until they are given
    forbidden: tuple[dict[str, str], ...]  # by seat: colours it may not turn, by cell with its front up (PT-8)


@lru_cache(maxsize=REMEMBERED)
def cells_of(bits: int) -> tuple[str, ...]:
    """Return the names of a set of cells."""
    return tuple(NAMES[cell] for cell in numbers(bits))


@lru_cache(maxsize=REMEMBERED)
def cells_touching(group: int) -> int:
    """Return the cells where a tile of its colour would touch a group, as a plain number."""
    return int(touching(np.uint64(group)))


@lru_cache(maxsize=REMEMBERED)
def group_view(colour: int, marker: int, marked: int, cells: int) -> Group:
    """Describe one group. (PT-12)"""
    return Group(COLOURS[colour], marker, NAMES[marked], cells_of(cells), int(worth(marker, np.uint64(cells))))


@lru_cache(maxsize=REMEMBERED)
def groups_view(markers: tuple[int, ...], marked: tuple[int, ...], groups: tuple[int, ...]) -> tuple[Group, ...]:
    """Describe a seat's groups in the order they were opened."""
    return tuple(group_view(colour, markers[colour], marked[colour], groups[colour]) for colour in river(markers))


def forbidden_cells(fronts: int, groups: tuple[int, ...]) -> dict[str, str]:
    """Return by cell with its front up the colours that would touch one of the opponent's groups there."""
    return colours_by_place(tuple([cells_touching(group) & fronts for group in groups]))


@lru_cache(maxsize=REMEMBERED)
def colours_by_place(by_colour: tuple[int, ...]) -> dict[str, str]:
    """Return the colours of each cell, from the cells of each colour."""
    found: dict[str, str] = {}
    for colour, cells in zip(COLOURS, by_colour, strict=True):
        for cell in cells_of(cells):
            found[cell] = found.get(cell, "") + colour
    return found


def colours_by_cell(fronts: tuple[int, ...]) -> dict[str, str]:
    """Return the colours of all tiles with their fronts up."""
    return {cell: colour for colour, cells in zip(COLOURS, fronts, strict=True) for cell in cells_of(cells)}


def start_tiles(fronts: dict[str, str]) -> tuple[str, ...]:
    """Return the two colours that are not in the centre. (PT-2)"""
    centre = {fronts[cell] for cell in ("d4", "e4", "d5", "e5")}
    return tuple(colour for colour in COLOURS if colour not in centre)


def view(table: Table, seat: int) -> View:
    """Describe the table, which looks the same from every seat."""
    return described(bytes_of(table))


@lru_cache(maxsize=256)
def described(table: bytes) -> View:
    """Describe a table given by its bytes; remembered for all who look at it at the same time."""
    now = plain_values(table, Table.dtype)
    phase, colours, fronts = now.phase, colours_by_cell(now.front), sum(now.front)
    return View(
        phase=PHASES[phase],
        turn=now.turn if PHASES[phase] in ("giving", "playing", "flipping") else None,
        fronts=colours,
        groups=tuple(map(groups_view, now.markers, now.marked, now.groups)),
        bowls=tuple(COLOURS[bowl] for bowl in now.bowls) if phase >= PLAYING else None,
        start=start_tiles(colours) if phase == GIVING else None,
        forbidden=tuple(forbidden_cells(fronts, now.groups[1 - s]) for s in range(SEATS)),
    )
