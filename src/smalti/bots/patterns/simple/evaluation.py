"""A hand-made evaluation of Patterns, compiled: what the mandala promises each player.

Worths are in sixteenths of a point, as one seat sees them.
"""

from __future__ import annotations

import numpy as np

from smalti.engine.bits import connected, count, neighbours, whole
from smalti.engine.compiled import compiled
from smalti.games.patterns.rules import front_up
from smalti.games.patterns.tables import FLIPPING, OVER, Table

POINT = 16
WIN = 8 * POINT  # so that a narrow win is better than many points
FLIP_TO_COME = 11  # what a tile is worth that can be flipped some day, of the sixteen it will bring
SPACE_BESIDE = 2  # a space beside a group, where the exchange tile can go
MOST_BESIDE = 4
NOT_OPENED = 2  # a tile of a colour that is not opened yet, for each point its marker will bring
IN_THE_BOWL = 6  # an exchange tile that can be used


@compiled
def group_promise(table: Table, seat: int, colour: int, front: np.uint64, flip: int, space: int) -> int:
    """Return what a group is worth, and what its flips and the spaces beside it promise."""
    group = table.groups[seat, colour]
    forbidden = neighbours(table.groups[1 - seat, colour])
    reached = connected(group, group | (table.front[colour] & ~forbidden))
    beside = min(MOST_BESIDE, count(front & neighbours(group) & ~forbidden))
    flips = count(reached) - count(group)
    return whole(table.markers[seat, colour]) * (POINT * (count(group) - 1) + flip * flips + space * beside)


@compiled
def unopened_promise(table: Table, seat: int, colour: int) -> int:
    """Return what a colour promises that is not opened yet: later groups count more."""
    free = table.front[colour] & ~neighbours(table.groups[1 - seat, colour])
    return NOT_OPENED * count(free) * (7 + whole(table.opened[seat])) // 4


@compiled
def seat_promise(table: Table, seat: int, flip: int, space: int) -> int:
    """Return what a seat's groups are worth, with flips to come and spaces beside them at these rates."""
    front = front_up(table)
    total = 0
    for colour in range(6):
        if table.markers[seat, colour] > 0:
            total += group_promise(table, seat, colour, front, flip, space)
        elif space > 0:
            total += unopened_promise(table, seat, colour)
    return total


@compiled
def bowl_promise(table: Table, seat: int) -> int:
    """Return what the exchange tile promises: its group's marker, or the next one."""
    colour = whole(table.bowls[seat])
    marker = whole(table.markers[seat, colour])
    return IN_THE_BOWL * (marker if marker > 0 else whole(table.opened[seat]) + 1)


@compiled
def final_worth(table: Table, seat: int) -> int:
    """Return what the end is worth to a seat; whoever still has tiles to flip will flip them all. (PT-11)"""
    flipper = whole(table.turn) if table.phase == FLIPPING else -1
    lead = seat_promise(table, seat, POINT if flipper == seat else 0, 0)
    lead -= seat_promise(table, 1 - seat, POINT if flipper == 1 - seat else 0, 0)
    if lead == 0:
        return 0
    return lead + (WIN if lead > 0 else -WIN)


@compiled
def static_worth(table: Table, seat: int) -> int:
    """Return what a table is worth to a seat."""
    if table.phase == FLIPPING or table.phase == OVER:
        return final_worth(table, seat)
    own = seat_promise(table, seat, FLIP_TO_COME, SPACE_BESIDE) + bowl_promise(table, seat)
    other = seat_promise(table, 1 - seat, FLIP_TO_COME, SPACE_BESIDE) + bowl_promise(table, 1 - seat)
    return own - other
