"""The features of a linear value function: where a table stands in the learned lists of weights, compiled.

Every feature is seen from one seat and belongs to one group or one colour, so it does not know which colours they are
nor how the mandala is turned. The seat that is to move and the other one have weights of their own. Read `write_seat`,
then `write_features`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import EMPTY, ONE, connected, count, neighbours, whole
from smalti.engine.compiled import compiled
from smalti.games.patterns.rules import front_up
from smalti.games.patterns.scoring import group_worth
from smalti.games.patterns.tables import SPACES, Table

NAME = "patterns"
VERSION = 2  # of the features: weights of another one mean something else

Indices = npt.NDArray[np.int32]
Reach = npt.NDArray[np.uint64]  # by seat and colour: what `reach_of` returns

# How many values each thing is told apart by; the last one stands for all that is larger.
STAGES = 8
PLIES_OF_A_STAGE = 4
SIDES = STAGES * 2  # a stage, and whether the seat is to move
MARKERS = 6
FLIPS, FEW_FLIPS = 8, 4
SPACES_BESIDE = 8
BRIDGES = 8
TILES = 10
CLUSTERS = 7
JOINS = 5
RESERVES = 16
USES = 3  # of an exchange tile: none, a swap, a new group
RIVERS = 7
STANDINGS = 2 + MARKERS * FEW_FLIPS  # of a seat in a colour: not opened, in the bowl, or a marker with flips
LEADS = 33
POINT_STEPS = 16  # of the points of all flips within reach, in steps of four
POINTS_OF_A_STEP = 4
TEMPI = 5  # by how many flips a seat will run out later than the other

# Where each list begins.
GROUP = 0
BRIDGE = GROUP + SIDES * MARKERS * FLIPS * SPACES_BESIDE
UNOPENED = BRIDGE + SIDES * MARKERS * FEW_FLIPS * BRIDGES
JOIN = UNOPENED + SIDES * MARKERS * TILES * 2 * CLUSTERS
SWAP_TILE = JOIN + SIDES * MARKERS * JOINS * CLUSTERS
OPEN_TILE = SWAP_TILE + SIDES * MARKERS * SPACES_BESIDE * BRIDGES
RESERVE = OPEN_TILE + SIDES * MARKERS * 2 * JOINS * CLUSTERS
RIVER = RESERVE + STAGES * RESERVES * RESERVES * USES * USES
RIVALS = RIVER + STAGES * RIVERS * RIVERS * USES * USES
LEAD = RIVALS + STAGES * STANDINGS * STANDINGS * 2
FLIP_POINTS = LEAD + STAGES * LEADS
FORECAST = FLIP_POINTS + STAGES * TEMPI * POINT_STEPS * POINT_STEPS
WEIGHTS = FORECAST + STAGES * TEMPI * LEADS

# Of one table: those of the seat to move, then those of the other seat, then those of both together.
OF_A_SEAT = 13
OF_BOTH = 11
FEATURES = 2 * OF_A_SEAT + OF_BOTH


@compiled
def largest_cluster(cells: np.uint64) -> np.uint64:
    """Return the largest connected part of a set."""
    largest = EMPTY
    while cells != EMPTY:
        part = connected(cells & (~cells + ONE), cells)
        if count(part) > count(largest):
            largest = part
        cells &= ~part
    return largest


@compiled
def reach_of(table: Table, seat: int, colour: int) -> np.uint64:
    """Return all tiles a group can flip one after the other; of a colour that is not opened, the largest cluster."""
    free = table.front[colour] & ~neighbours(table.groups[1 - seat, colour])
    group = table.groups[seat, colour]
    if group == EMPTY:
        return largest_cluster(free)
    return connected(group, group | free) & free


@compiled
def update_reach(table: Table, reach: Reach, colour: int) -> None:
    """Note what both seats can reach of a colour."""
    reach[0, colour] = reach_of(table, 0, colour)
    reach[1, colour] = reach_of(table, 1, colour)


@compiled
def note_reach(table: Table, reach: Reach) -> None:
    """Note what both seats can reach of all colours."""
    for colour in range(6):
        update_reach(table, reach, colour)


@compiled
def most_joined(free: np.uint64, places: np.uint64) -> int:
    """Return how many of these tiles lie around the best place for a new group, at most."""
    right, left = neighbours_right(free), neighbours_left(free)
    below, above = free << np.uint64(8), free >> np.uint64(8)
    beside, over = right & left, below & above
    one = (right | left | below | above) & places
    two = (beside | over | ((right | left) & (below | above))) & places
    three = ((beside & (below | above)) | (over & (right | left))) & places
    return whole(one != EMPTY) + whole(two != EMPTY) + whole(three != EMPTY) + whole(beside & over & places != EMPTY)


@compiled
def neighbours_right(cells: np.uint64) -> np.uint64:
    """Return the cells one to the right."""
    return (cells & np.uint64(0x7F7F7F7F7F7F7F7F)) << ONE


@compiled
def neighbours_left(cells: np.uint64) -> np.uint64:
    """Return the cells one to the left."""
    return (cells & np.uint64(0xFEFEFEFEFEFEFEFE)) >> ONE


@compiled
def stage_of(front: np.uint64) -> int:
    """Return how far the game has come: every action leaves one front less."""
    return min(STAGES - 1, (SPACES - count(front)) // PLIES_OF_A_STAGE)


@compiled
def group_prospects(table: Table, seat: int, colour: int, front: np.uint64, reach: np.uint64) -> tuple[int, int, int]:
    """Return the flips of a group, the other spaces beside it, and the tiles of its colour behind those spaces."""
    forbidden = neighbours(table.groups[1 - seat, colour])
    beside = front & neighbours(table.groups[seat, colour]) & ~forbidden & ~reach
    behind = neighbours(beside) & table.front[colour] & ~forbidden & ~reach
    return count(reach), min(SPACES_BESIDE - 1, count(beside)), min(BRIDGES - 1, count(behind))


@compiled
def write_group(own: int, flips: int, beside: int, bridge: int, is_exchange: bool, indices: Indices, at: int) -> None:
    """Write where an opened colour stands, and the exchange tile if it is of that colour."""
    indices[at] = GROUP + (own * FLIPS + min(FLIPS - 1, flips)) * SPACES_BESIDE + beside
    indices[at + 1] = BRIDGE + (own * FEW_FLIPS + min(FEW_FLIPS - 1, flips)) * BRIDGES + bridge
    if is_exchange:
        indices[at + 2] = SWAP_TILE + (own * SPACES_BESIDE + beside) * BRIDGES + bridge


class Unopened(NamedTuple):
    """The prospects of a colour that a seat has not opened yet."""

    tiles: int  # that a new group could flip
    cluster: int  # the largest of these that is connected
    join: int  # how many of them lie around the best place for a new group
    places: int  # for a new group
    is_met: int  # whether the other seat has a group of this colour


@compiled
def unopened_prospects(table: Table, seat: int, colour: int, front: np.uint64, reach: np.uint64) -> Unopened:
    """Return the prospects of a colour that is not opened yet."""
    others = table.groups[1 - seat, colour]
    forbidden = neighbours(others)
    free, places = table.front[colour] & ~forbidden, front & ~forbidden
    cluster, is_met = min(CLUSTERS - 1, count(reach)), whole(others != EMPTY)
    return Unopened(count(free), cluster, most_joined(free, places), count(places), is_met)


@compiled
def write_unopened(own: int, colour: Unopened, is_exchange: bool, indices: Indices, at: int) -> None:
    """Write where a colour stands that is not opened yet, and the exchange tile if it is of that colour."""
    tiles, cluster, join, is_met = colour.tiles, colour.cluster, colour.join, colour.is_met
    indices[at] = UNOPENED + ((own * TILES + tiles) * 2 + is_met) * CLUSTERS + cluster
    indices[at + 1] = JOIN + (own * JOINS + join) * CLUSTERS + cluster
    if is_exchange:
        indices[at + 2] = OPEN_TILE + ((own * 2 + is_met) * JOINS + join) * CLUSTERS + cluster


@compiled
def write_seat(
    table: Table, seat: int, side: int, front: np.uint64, reach: Reach, indices: Indices, at: int
) -> tuple[int, int, int]:
    """Write where a seat's things stand; return its flips within reach, their points and its exchange tile's use."""
    all_flips, flip_points, use = 0, 0, 0
    for colour in range(6):
        is_exchange = whole(table.bowls[seat]) == colour
        marker = whole(table.markers[seat, colour])
        if marker > 0:
            flips, beside, bridge = group_prospects(table, seat, colour, front, reach[seat, colour])
            write_group(side * MARKERS + marker - 1, flips, beside, bridge, is_exchange, indices, at)
            all_flips += flips
            flip_points += marker * flips
            use = whole(beside > 0 or flips > 0) if is_exchange else use
        else:
            unopened = unopened_prospects(table, seat, colour, front, reach[seat, colour])
            write_unopened(side * MARKERS + whole(table.opened[seat]), unopened, is_exchange, indices, at)
            use = 2 * whole(unopened.places > 0) if is_exchange else use
        at += 3 if is_exchange else 2
    return all_flips, flip_points, use


@compiled
def standing(table: Table, seat: int, colour: int, reach: Reach) -> int:
    """Return how a seat stands in a colour."""
    marker = whole(table.markers[seat, colour])
    if marker == 0:
        return whole(table.bowls[seat] == colour)
    return 2 + (marker - 1) * FEW_FLIPS + min(FEW_FLIPS - 1, count(reach[seat, colour]))


@compiled
def write_rivals(table: Table, seat: int, stage: int, reach: Reach, indices: Indices, at: int) -> None:
    """Write how both seats stand in each colour, and whether they come into each other's way."""
    for colour in range(6):
        own, other = standing(table, seat, colour, reach), standing(table, 1 - seat, colour, reach)
        near = reach[seat, colour] | neighbours(reach[seat, colour])
        is_close = whole(near & reach[1 - seat, colour] != EMPTY)
        indices[at + colour] = RIVALS + ((stage * STANDINGS + own) * STANDINGS + other) * 2 + is_close


@compiled
def write_features(table: Table, seat: int, reach: Reach, indices: Indices) -> None:
    """Write where a table stands in all lists, as the seat sees it that is to move."""
    front, both = front_up(table), 2 * OF_A_SEAT
    stage = stage_of(front)
    own, own_points, own_use = write_seat(table, seat, 2 * stage + 1, front, reach, indices, 0)
    other, other_points, other_use = write_seat(table, 1 - seat, 2 * stage, front, reach, indices, OF_A_SEAT)
    uses = own_use * USES + other_use
    reserves = (stage * RESERVES + min(RESERVES - 1, own)) * RESERVES + min(RESERVES - 1, other)
    rivers = (stage * RIVERS + whole(table.opened[seat])) * RIVERS + whole(table.opened[1 - seat])
    indices[both] = RESERVE + reserves * USES * USES + uses
    indices[both + 1] = RIVER + rivers * USES * USES + uses
    write_rivals(table, seat, stage, reach, indices, both + 2)
    lead, tempo = points_lead(table, seat), stage * TEMPI + bounded(own - other, TEMPI)
    indices[both + 8] = LEAD + stage * LEADS + bounded(lead, LEADS)
    indices[both + 9] = FLIP_POINTS + tempo * POINT_STEPS * POINT_STEPS + point_steps(own_points, other_points)
    indices[both + 10] = FORECAST + tempo * LEADS + bounded((lead + own_points - other_points) // 2, LEADS)


@compiled
def point_steps(own: int, other: int) -> int:
    """Return the points of both seats' flips within reach, in steps, as one number."""
    own_steps, other_steps = own // POINTS_OF_A_STEP, other // POINTS_OF_A_STEP
    return min(POINT_STEPS - 1, own_steps) * POINT_STEPS + min(POINT_STEPS - 1, other_steps)


@compiled
def bounded(number: int, values: int) -> int:
    """Return a number around nothing as one of so many values."""
    return min(values // 2, max(-(values // 2), number)) + values // 2


@compiled
def points_lead(table: Table, seat: int) -> int:
    """Return how many points a seat is ahead as the groups stand. (PT-12)"""
    lead = 0
    for colour in range(6):
        lead += group_worth(table, seat, colour) - group_worth(table, 1 - seat, colour)
    return lead


@compiled
def last_flip_points(table: Table, seat: int, reach: Reach) -> int:
    """Return the points of all flips that a seat still has. (PT-11)"""
    points = 0
    for colour in range(6):
        if table.markers[seat, colour] > 0:
            points += whole(table.markers[seat, colour]) * count(reach[seat, colour])
    return points
