"""Patterns: what groups are worth."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from smalti.engine.bits import bit, connected, count, numbers, whole
from smalti.engine.compiled import compiled
from smalti.engine.game import Item
from smalti.engine.geometry import cell_name
from smalti.engine.record import values_of
from smalti.engine.rules import Scores
from smalti.games.patterns.tables import COLOURS, SEATS, Table
from smalti.games.patterns.words import TEXTS, colour_word


@compiled
def worth(marker: int, group: np.uint64) -> int:
    """Return marker × (tiles − 1): the tile under the marker counts nothing. (PT-12)"""
    return 0 if marker == 0 else marker * (count(group) - 1)


@compiled
def group_worth(table: Table, seat: int, colour: int) -> int:
    """Return what a seat's group of this colour is worth. (PT-12)"""
    return worth(whole(table.markers[seat, colour]), table.groups[seat, colour])


@compiled
def score(table: Table, scores: Scores) -> None:
    """Add up the groups of both players. (PT-12)"""
    for seat in range(SEATS):
        scores[seat] = 0
        for colour in range(6):
            scores[seat] += group_worth(table, seat, colour)


@compiled
def winners(table: Table) -> int:
    """Return who has more points, or both. (PT-13)"""
    lead = 0
    for colour in range(6):
        lead += group_worth(table, 0, colour) - group_worth(table, 1, colour)
    if lead > 0:
        return 1
    return 2 if lead < 0 else 3


def breakdown(table: Table) -> list[Item]:
    """List every group with its cells and its worth. (PT-12)"""
    now = values_of(table)
    return [item for seat in range(SEATS) for item in group_items(seat, now.markers[seat], now.groups[seat])]


@lru_cache(maxsize=4096)
def group_items(seat: int, markers: tuple[int, ...], groups: tuple[int, ...]) -> tuple[Item, ...]:
    """Describe the groups of a seat in the order of its river; remembered, because screens ask again and again."""
    return tuple(group_item(seat, colour, markers[colour], groups[colour]) for colour in river(markers))


@lru_cache(maxsize=4096)
def river(markers: tuple[int, ...]) -> tuple[int, ...]:
    """List the colours a seat has opened, by marker."""
    return tuple(sorted((colour for colour, marker in enumerate(markers) if marker), key=markers.__getitem__))


@lru_cache(maxsize=4096)
def group_item(seat: int, colour: int, marker: int, group: int) -> Item:
    """Describe a group. (PT-12)"""
    cells = tuple(cell_name(cell % 8, cell // 8) for cell in numbers(group))
    letter, points = COLOURS[colour], int(worth(marker, np.uint64(group)))
    values = {"colour": letter, "marker": marker, "tiles": len(cells)}
    label = TEXTS("patterns.item", **{**values, "colour": colour_word(letter), "points": points})
    return Item(seat, "PT-12", "group", points, cells, label, values)


def is_one_piece(table: Table, seat: int, colour: int) -> bool:
    """Say whether a group hangs together, as every group grown by the rules does."""
    group = table.groups[seat, colour]
    start = bit(int(table.marked[seat, colour]))
    return bool(connected(start, group) == group)
