"""Looking ahead, compiled: what a grid is worth before a roll, seen one roll ahead or further.

`memory` remembers what grids were found to be worth, by a hash of the grid and how far was looked; two ways to the
same grid are common.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from smalti.bots.mosaix.features import Grid, Judgement, Numbers, Reals, Work
from smalti.bots.mosaix.footprints import (
    EVERY_ROLL,
    FILLING_COUNT,
    FILLING_PARTS,
    FILLINGS,
    FOOTPRINT_SIZES,
    FOOTPRINTS,
    PARTS,
    REACHED,
    ROLLS_SHOWING,
)
from smalti.bots.mosaix.scan import NOTHING, Floats, judge_footprint, points_of, prepare, spare_of
from smalti.engine.bits import EMPTY, lowest, whole, without_lowest
from smalti.engine.chance import STRIDE, mixed
from smalti.engine.compiled import apart, compiled, wrapping
from smalti.engine.record import Record, Words
from smalti.games.mosaix.tables import DICE, ROLL_WEIGHTS

WIDEST = 8  # replies to a roll that are looked at again
DEEPEST = 4
MEMORY, MEMORY_SHIFT = 1 << 14, np.uint64(64 - 14)
WAYS = 81.0  # four dice can fall
FITS = 81  # the column that says whether a footprint fits


class Ahead(Record):
    """Room for looking ahead: the best replies by depth and roll, and the memory."""

    keys: Annotated[Words, MEMORY]
    found: Annotated[Reals, MEMORY]
    worths: Annotated[Reals, DEEPEST, EVERY_ROLL, WIDEST]
    replies: Annotated[Numbers, DEEPEST, EVERY_ROLL, WIDEST]  # 81 · footprint + filling
    nodes: Annotated[Numbers, 1]  # grids judged


@compiled
def insert(ahead: Ahead, depth: int, roll: int, width: int, worth: float, reply: int) -> None:
    """Take a reply among the best of a roll, if it is one of them."""
    place = width - 1
    if worth <= ahead.worths[depth, roll, place]:
        return
    while place > 0 and ahead.worths[depth, roll, place - 1] < worth:
        ahead.worths[depth, roll, place] = ahead.worths[depth, roll, place - 1]
        ahead.replies[depth, roll, place] = ahead.replies[depth, roll, place - 1]
        place -= 1
    ahead.worths[depth, roll, place] = worth
    ahead.replies[depth, roll, place] = reply


@apart
def find_replies(
    work: Work,
    ahead: Ahead,
    depth: int,
    width: int,
    grid: Grid,
    room: int,
    alone: int,
    judged: Judgement,
) -> None:
    """Note the best replies to every roll, `NOTHING` where there are fewer."""
    for roll in range(EVERY_ROLL):
        for place in range(width):
            ahead.worths[depth, roll, place] = NOTHING
    held = prepare(work, grid, judged)
    taken = grid[0] | grid[1] | grid[2]
    for footprint in range(REACHED[spare_of(room, alone)]):
        if FOOTPRINTS[footprint] & taken == EMPTY:
            size = FOOTPRINT_SIZES[footprint]
            fillings = judge_footprint(work, grid, room, alone, footprint, EVERY_ROLL, held, judged)
            ahead.nodes[0] += fillings
            for number in range(fillings):
                filling = FILLINGS[EVERY_ROLL, size, number]
                showing = np.uint64(ROLLS_SHOWING[size, filling])
                while showing != EMPTY:
                    insert(
                        ahead, depth, lowest(showing), width, work.worths[filling], FILLING_COUNT * footprint + filling
                    )
                    showing = without_lowest(showing)


@wrapping
def hashed(grid: Grid, room: int, depth: int) -> np.uint64:
    """Return a hash of a grid, its room, and how far was looked."""
    word = mixed(grid[0] + STRIDE)
    word = mixed((word ^ grid[1]) + STRIDE)
    return mixed((word ^ grid[2]) + np.uint64(16 * depth + room + 1) * STRIDE)


@compiled
def written(grid: Grid, reply: int) -> Grid:
    """Return the grid after a reply."""
    footprint, filling = reply // FILLING_COUNT, reply % FILLING_COUNT
    size = FOOTPRINT_SIZES[footprint]
    return (
        grid[0] | PARTS[footprint, FILLING_PARTS[size, filling, 0]],
        grid[1] | PARTS[footprint, FILLING_PARTS[size, filling, 1]],
        grid[2] | PARTS[footprint, FILLING_PARTS[size, filling, 2]],
    )


@compiled
def room_after(room: int, alone: int, reply: int) -> int:
    """Return the free boxes after a reply; among others nothing changes. (MX-11)"""
    return room - (DICE - FOOTPRINT_SIZES[reply // FILLING_COUNT]) if alone else room


@apart
def outlook(
    work: Work,
    ahead: Ahead,
    depth: int,
    width: int,
    margin: float,
    grid: Grid,
    room: int,
    alone: int,
    judged: Judgement,
) -> float:
    """Return what a grid is worth before a roll, seen that many rolls ahead: at least 1.

    Of the replies to a roll only the best few are looked at again, and none that seems worse by more than the margin.
    """
    key = hashed(grid, room, depth)
    place = whole(key >> MEMORY_SHIFT)
    if ahead.keys[place] == key:
        return ahead.found[place]
    points = points_of(grid, room, alone)
    level, replies = depth - 1, width if depth > 1 else 1
    find_replies(work, ahead, level, replies, grid, room, alone, judged)
    total = 0.0
    for roll in range(EVERY_ROLL):
        best = ahead.worths[level, roll, 0]
        if level > 0:
            least, best = max(best - margin, NOTHING), NOTHING
            for number in range(width):
                if ahead.worths[level, roll, number] > least:
                    reply = ahead.replies[level, roll, number]
                    left = room_after(room, alone, reply)
                    later = outlook(work, ahead, level, width, margin, written(grid, reply), left, alone, judged)
                    best = max(best, later)
        if best == NOTHING or (alone and best < points):
            best = points
        total += best * ROLL_WEIGHTS[roll]
    ahead.keys[place] = key
    ahead.found[place] = total / WAYS
    return total / WAYS


@apart
def judge_all(
    work: Work,
    grid: Grid,
    room: int,
    alone: int,
    roll: int,
    judged: Judgement,
    worths: Floats,
) -> int:
    """Note what every footprint (row) and filling makes of a grid; return how many grids that are.

    The last column holds `NOTHING` where the footprint does not fit, and then the rest of the row holds nothing new.
    """
    held = prepare(work, grid, judged)
    taken, count = grid[0] | grid[1] | grid[2], 0
    for footprint in range(len(worths)):
        worths[footprint, FITS] = NOTHING
        if footprint < REACHED[spare_of(room, alone)] and FOOTPRINTS[footprint] & taken == EMPTY:
            worths[footprint] = NOTHING
            worths[footprint, FITS] = 0.0
            size = FOOTPRINT_SIZES[footprint]
            fillings = judge_footprint(work, grid, room, alone, footprint, roll, held, judged)
            for number in range(fillings):
                filling = FILLINGS[roll, size, number]
                worths[footprint, filling] = work.worths[filling]
            count += fillings
    return count
