"""Patterns: what groups are worth."""

from __future__ import annotations

from smalti.engine.bits import bit, connected, count, numbers, whole
from smalti.engine.compiled import compiled
from smalti.engine.game import Item
from smalti.engine.geometry import cell_name
from smalti.engine.rules import Scores
from smalti.games.patterns.tables import COLOURS, SEATS, Table


@compiled
def group_worth(table: Table, seat: int, colour: int) -> int:
    """Return marker × (tiles − 1): the tile under the marker counts nothing. (PT-12)"""
    marker = whole(table.markers[seat, colour])
    if marker == 0:
        return 0
    return marker * (count(table.groups[seat, colour]) - 1)


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
    return [
        Item(
            seat=seat,
            rule="PT-12",
            kind="group",
            points=int(group_worth(table, seat, colour)),
            cells=tuple(cell_name(cell % 8, cell // 8) for cell in numbers(table.groups[seat, colour])),
            label=f"{COLOURS[colour]}: {marker} × ({count(table.groups[seat, colour])} − 1)",
            values={"colour": COLOURS[colour], "marker": marker, "tiles": count(table.groups[seat, colour])},
        )
        for seat in range(SEATS)
        for marker, colour in sorted((int(table.markers[seat, c]), c) for c in range(6) if table.markers[seat, c])
    ]


def is_one_piece(table: Table, seat: int, colour: int) -> bool:
    """Say whether a group hangs together, as every group grown by the rules does."""
    group = table.groups[seat, colour]
    start = bit(int(table.marked[seat, colour]))
    return bool(connected(start, group) == group)
