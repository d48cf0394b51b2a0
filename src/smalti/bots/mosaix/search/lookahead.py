"""Looking ahead, compiled: what a grid is worth before a roll, by expectimax over one roll or several.

Two ways to the same grid are common, so `Memory` holds a transposition table: what grids were found to be worth, by a
hash of the grid and the depth.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from smalti.bots.mosaix.evaluate.batch import NOTHING, judge_footprint, prepare
from smalti.bots.mosaix.evaluate.features import Judgement, Numbers, Reals, Work
from smalti.bots.mosaix.evaluate.footprints import (
    EVERY_ROLL,
    FILLING_COUNT,
    FILLINGS,
    FOOTPRINT_SIZES,
    FOOTPRINTS,
    REACHED,
    ROLLS_SHOWING,
    WAYS,
)
from smalti.bots.mosaix.evaluate.position import Position, points_of, position_after, spare_dice, taken_cells
from smalti.engine.bits import EMPTY, lowest, whole, without_lowest
from smalti.engine.chance import STRIDE, mixed
from smalti.engine.compiled import apart, compiled, wrapping
from smalti.engine.record import Record, Words
from smalti.games.mosaix.tables import ROLL_WEIGHTS

WIDEST = 8  # replies to a roll that are looked at again
DEEPEST = 4
SLOTS, SLOT_SHIFT = 1 << 14, np.uint64(64 - 14)


class Memory(Record):
    """The best replies by depth and roll, and the transposition table."""

    keys: Annotated[Words, SLOTS]
    found: Annotated[Reals, SLOTS]
    worths: Annotated[Reals, DEEPEST, EVERY_ROLL, WIDEST]
    replies: Annotated[Numbers, DEEPEST, EVERY_ROLL, WIDEST]  # 81 · footprint + filling
    nodes: Annotated[Numbers, 1]  # grids judged


class Search(NamedTuple):
    """A search for what grids are worth: what they are judged by, what it works with, and how widely it looks."""

    judged: Judgement
    work: Work
    memory: Memory
    width: int  # replies to a roll that are looked at again, at most
    margin: float  # points that they may seem worse than the best


@compiled
def insert(memory: Memory, depth: int, roll: int, width: int, worth: float, reply: int) -> None:
    """Take a reply among the best of a roll, if it is one of them."""
    place = width - 1
    if worth <= memory.worths[depth, roll, place]:
        return
    while place > 0 and memory.worths[depth, roll, place - 1] < worth:
        memory.worths[depth, roll, place] = memory.worths[depth, roll, place - 1]
        memory.replies[depth, roll, place] = memory.replies[depth, roll, place - 1]
        place -= 1
    memory.worths[depth, roll, place] = worth
    memory.replies[depth, roll, place] = reply


@apart
def find_replies(search: Search, position: Position, level: int) -> None:
    """Note the best replies to every roll, `NOTHING` where there are fewer; on the last level only the best."""
    work, memory, width = search.work, search.memory, search.width if level > 0 else 1
    for roll in range(EVERY_ROLL):
        for place in range(width):
            memory.worths[level, roll, place] = NOTHING
    prepare(work, position.grid, search.judged)
    taken = taken_cells(position.grid)
    for footprint in range(REACHED[spare_dice(position.slack, position.is_solo)]):
        if FOOTPRINTS[footprint] & taken == EMPTY:
            size = FOOTPRINT_SIZES[footprint]
            fillings = judge_footprint(work, position, footprint, EVERY_ROLL, search.judged)
            memory.nodes[0] += fillings
            for number in range(fillings):
                filling = FILLINGS[EVERY_ROLL, size, number]
                reply, showing = FILLING_COUNT * footprint + filling, np.uint64(ROLLS_SHOWING[size, filling])
                while showing != EMPTY:
                    insert(memory, level, lowest(showing), width, work.worths[filling], reply)
                    showing = without_lowest(showing)


@wrapping
def hashed(position: Position, depth: int) -> np.uint64:
    """Return a hash of a grid, its slack, and the depth of the search."""
    grid = position.grid
    word = mixed(grid[0] + STRIDE)
    word = mixed((word ^ grid[1]) + STRIDE)
    return mixed((word ^ grid[2]) + np.uint64(16 * depth + position.slack + 1) * STRIDE)


@apart
def outlook(search: Search, position: Position, depth: int) -> float:
    """Return what a grid is worth before a roll, seen that many rolls ahead: at least 1.

    Of the replies to a roll only the best few are looked at again, and none that seems worse by more than the margin.
    """
    memory, key = search.memory, hashed(position, depth)
    slot = whole(key >> SLOT_SHIFT)
    if memory.keys[slot] == key:
        return memory.found[slot]
    level, points, total = depth - 1, points_of(position), 0.0
    find_replies(search, position, level)
    for roll in range(EVERY_ROLL):
        best = memory.worths[level, roll, 0]
        if level > 0:
            least, best = max(best - search.margin, NOTHING), NOTHING
            for number in range(search.width):
                if memory.worths[level, roll, number] > least:
                    after = position_after(position, memory.replies[level, roll, number])
                    best = max(best, outlook(search, after, level))
        if best == NOTHING or (position.is_solo and best < points):
            best = points
        total += best * ROLL_WEIGHTS[roll]
    memory.keys[slot], memory.found[slot] = key, total / WAYS
    return total / WAYS
