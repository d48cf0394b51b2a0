"""The end of a game alone, compiled: what a grid is worth exactly, over all rolls and all that can be written.

Few empty cells can be filled in few ways, and most orders lead to the same grids, which `Ending` remembers.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from smalti.bots.mosaix.features import Grid, Numbers, Reals
from smalti.bots.mosaix.footprints import (
    EVERY_ROLL,
    FILLING_COUNT,
    FILLING_COUNTS,
    FILLINGS,
    FOOTPRINT_SIZES,
    FOOTPRINTS,
    REACHED,
    ROLLS_SHOWING,
)
from smalti.bots.mosaix.lookahead import WAYS, hashed, room_after, written
from smalti.bots.mosaix.scan import points_of, spare_of
from smalti.engine.bits import EMPTY, lowest, without_lowest
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record, Words
from smalti.games.mosaix.tables import ROLL_WEIGHTS, WON

ALONE = 1
MOST_EMPTY = 8  # cells of a grid that may be solved
FEW_EMPTY = 6  # cells of a grid that always can be, in hundredths of a second
MEMORY = 1 << 18
FULL = MEMORY * 3 // 4
LAST = np.uint64(MEMORY - 1)


class Ending(Record):
    """Grids that were solved, and room to solve others: the best of every roll, by how many turns ahead it is."""

    keys: Annotated[Words, MEMORY]
    worths: Annotated[Reals, MEMORY]  # points on average
    chances: Annotated[Reals, MEMORY]  # of winning when points are played for
    best: Annotated[Reals, MOST_EMPTY + 1, EVERY_ROLL]
    wins: Annotated[Reals, MOST_EMPTY + 1, EVERY_ROLL]
    solved: Annotated[Numbers, 1]  # grids in the memory
    nodes: Annotated[Numbers, 1]  # grids looked at
    most: Annotated[Numbers, 1]  # nodes after which it is given up


@compiled
def slot_of(ending: Ending, key: np.uint64) -> np.uint64:
    """Return where a grid is remembered, or would be."""
    slot = key & LAST
    while ending.keys[slot] != EMPTY and ending.keys[slot] != key:
        slot = (slot + np.uint64(1)) & LAST
    return slot


@compiled
def is_given_up(ending: Ending) -> bool:
    """Say whether there was too much to look at: then what was found is worth nothing."""
    return ending.nodes[0] > ending.most[0] or ending.solved[0] > FULL


@apart
def solve(ending: Ending, turn: int, grid: Grid, room: int) -> tuple[float, float]:
    """Return what a grid is worth before a roll, in points, and how likely it wins if points are played for."""
    key = hashed(grid, room, 0)
    slot = slot_of(ending, key)
    if ending.keys[slot] == key:
        return ending.worths[slot], ending.chances[slot]
    points = 1.0 * points_of(grid, room, ALONE)
    won = 1.0 * (points >= WON)
    best, wins = ending.best[turn], ending.wins[turn]
    best[:] = points  # stopping is always possible (MX-12)
    wins[:] = won
    taken = grid[0] | grid[1] | grid[2]
    for footprint in range(REACHED[spare_of(room, ALONE)]):
        if FOOTPRINTS[footprint] & taken != EMPTY:
            continue
        size = FOOTPRINT_SIZES[footprint]
        for number in range(FILLING_COUNTS[EVERY_ROLL, size]):
            ending.nodes[0] += 1
            if is_given_up(ending):
                return points, won
            filling = FILLINGS[EVERY_ROLL, size, number]
            reply = FILLING_COUNT * footprint + filling
            worth, chance = solve(ending, turn + 1, written(grid, reply), room_after(room, ALONE, reply))
            showing = np.uint64(ROLLS_SHOWING[size, filling])
            while showing != EMPTY:
                roll = lowest(showing)
                if worth > best[roll] or (worth == best[roll] and chance > wins[roll]):
                    best[roll], wins[roll] = worth, chance
                showing = without_lowest(showing)
    worth, chance = 0.0, 0.0
    for roll in range(EVERY_ROLL):
        worth += best[roll] * ROLL_WEIGHTS[roll] / WAYS
        chance += wins[roll] * ROLL_WEIGHTS[roll] / WAYS
    slot = slot_of(ending, key)
    if not is_given_up(ending):
        ending.keys[slot], ending.worths[slot], ending.chances[slot] = key, worth, chance
        ending.solved[0] += 1
    return worth, chance
