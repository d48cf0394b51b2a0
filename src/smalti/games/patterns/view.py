"""Patterns: what a screen draws."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from smalti.engine.bits import neighbours, numbers
from smalti.engine.geometry import cell_name
from smalti.engine.record import values_of
from smalti.games.patterns.scoring import worth
from smalti.games.patterns.tables import CELLS, COLOURS, GIVING, PLAYING, SEATS, Table

PHASES = ("dealing", "giving", "playing", "flipping", "over")
NAMES = {cell: cell_name(cell % 8, cell // 8) for cell in CELLS}


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


@lru_cache(maxsize=4096)
def cells_of(bits: int) -> tuple[str, ...]:
    """Return the names of a set of cells."""
    return tuple(NAMES[cell] for cell in numbers(bits))


@lru_cache(maxsize=4096)
def group_view(colour: int, marker: int, marked: int, cells: int) -> Group:
    """Describe one group. (PT-12)"""
    return Group(COLOURS[colour], marker, NAMES[marked], cells_of(cells), int(worth(marker, np.uint64(cells))))


def groups_view(now: Any, seat: int) -> tuple[Group, ...]:
    """Describe a seat's groups in the order they were opened."""
    markers, marked, groups = now.markers[seat], now.marked[seat], now.groups[seat]
    river = sorted((marker, colour) for colour, marker in enumerate(markers) if marker)
    return tuple(group_view(colour, marker, marked[colour], groups[colour]) for marker, colour in river)


@lru_cache(maxsize=4096)
def forbidden_cells(fronts: int, groups: tuple[int, ...]) -> dict[str, str]:
    """Return by cell with its front up the colours that would touch one of the opponent's groups there. (PT-8)"""
    found: dict[str, str] = {}
    for colour, group in zip(COLOURS, groups, strict=True):
        for cell in cells_of(int(neighbours(np.uint64(group))) & fronts):
            found[cell] = found.get(cell, "") + colour
    return found


@lru_cache(maxsize=4096)
def colours_by_cell(fronts: tuple[int, ...]) -> dict[str, str]:
    """Return the colours of all tiles with their fronts up."""
    return {cell: colour for colour, cells in zip(COLOURS, fronts, strict=True) for cell in cells_of(cells)}


def start_tiles(fronts: dict[str, str]) -> tuple[str, ...]:
    """Return the two colours that are not in the centre. (PT-2)"""
    centre = {fronts[cell] for cell in ("d4", "e4", "d5", "e5")}
    return tuple(colour for colour in COLOURS if colour not in centre)


def view(table: Table, seat: int) -> View:
    """Describe the table for any seat."""
    now = values_of(table)
    phase, fronts = now.phase, tuple(now.front)
    front_up = sum(fronts)
    colours = colours_by_cell(fronts)
    return View(
        phase=PHASES[phase],
        turn=now.turn if PHASES[phase] in ("giving", "playing", "flipping") else None,
        fronts=colours,
        groups=tuple(groups_view(now, s) for s in range(SEATS)),
        bowls=tuple(COLOURS[bowl] for bowl in now.bowls) if phase >= PLAYING else None,
        start=start_tiles(colours) if phase == GIVING else None,
        forbidden=tuple(forbidden_cells(front_up, tuple(now.groups[1 - s])) for s in range(SEATS)),
    )
