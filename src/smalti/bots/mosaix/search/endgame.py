"""The exact endgame solver of solo games, compiled: expectimax over all rolls and all that can be written, to the end.

Few empty cells can be filled in few ways, and most orders lead to the same grids: `Ending` is a transposition table.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from smalti.bots.mosaix.evaluate.features import Numbers, Reals
from smalti.bots.mosaix.evaluate.footprints import (
    EVERY_ROLL,
    FILLING_COUNT,
    FILLING_COUNTS,
    FILLINGS,
    FOOTPRINT_SIZES,
    FOOTPRINTS,
    REACHED,
    ROLLS_SHOWING,
    WAYS,
)
from smalti.bots.mosaix.evaluate.position import SOLO, Position, points_of, position_after, spare_dice, taken_cells
from smalti.bots.mosaix.search.lookahead import hashed
from smalti.engine.bits import EMPTY, lowest, without_lowest
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record, Words
from smalti.games.mosaix.tables import ROLL_WEIGHTS, WON

MOST_EMPTY = 8  # cells of a grid that may be solved
FEW_EMPTY = 6  # cells of a grid that always can be, in hundredths of a second
MEMORY = 1 << 18
FULL = MEMORY * 3 // 4
LAST = np.uint64(MEMORY - 1)


class Ending(Record):
    """A transposition table of solved grids, and scratch for solving: the best reply to every roll, by turns ahead."""

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


@compiled
def stop_everywhere(ending: Ending, turn: int, points: float) -> None:
    """Note stopping as the best answer to every roll: it is always possible. (MX-12)"""
    for roll in range(EVERY_ROLL):
        ending.best[turn, roll] = points
        ending.wins[turn, roll] = points >= WON


@compiled
def note_reply(ending: Ending, turn: int, showing: np.uint64, worth: float, chance: float) -> None:
    """Take a reply as the best to each of the rolls that can show it, if it is better than what is known."""
    best, wins = ending.best[turn], ending.wins[turn]
    while showing != EMPTY:
        roll = lowest(showing)
        if worth > best[roll] or (worth == best[roll] and chance > wins[roll]):
            best[roll], wins[roll] = worth, chance
        showing = without_lowest(showing)


@compiled
def mean_over_rolls(ending: Ending, turn: int) -> tuple[float, float]:
    """Return the means of what the best replies are worth, and of how likely they win."""
    worth, chance = 0.0, 0.0
    for roll in range(EVERY_ROLL):
        worth += ending.best[turn, roll] * ROLL_WEIGHTS[roll] / WAYS
        chance += ending.wins[turn, roll] * ROLL_WEIGHTS[roll] / WAYS
    return worth, chance


@compiled
def store(ending: Ending, key: np.uint64, worth: float, chance: float) -> None:
    """Store what a grid is worth, unless the search was given up."""
    if not is_given_up(ending):
        slot = slot_of(ending, key)
        ending.keys[slot], ending.worths[slot], ending.chances[slot] = key, worth, chance
        ending.solved[0] += 1


@apart
def solve(ending: Ending, turn: int, position: Position) -> tuple[float, float]:
    """Return what a solo grid is worth before a roll, in points, and how likely it wins if points are played for."""
    # 1. Recall it, if it is known.
    key = hashed(position, 0)
    slot = slot_of(ending, key)
    if ending.keys[slot] == key:
        return ending.worths[slot], ending.chances[slot]
    # 2. Solve all that can be written, and note the best reply to each roll.
    points, taken = 1.0 * points_of(position), taken_cells(position.grid)
    stop_everywhere(ending, turn, points)
    for footprint in range(REACHED[spare_dice(position.slack, SOLO)]):
        size = FOOTPRINT_SIZES[footprint]
        for number in range(FILLING_COUNTS[EVERY_ROLL, size] if FOOTPRINTS[footprint] & taken == EMPTY else 0):
            ending.nodes[0] += 1
            if is_given_up(ending):
                return points, 1.0 * (points >= WON)
            filling = FILLINGS[EVERY_ROLL, size, number]
            after = position_after(position, FILLING_COUNT * footprint + filling)
            worth, chance = solve(ending, turn + 1, after)
            note_reply(ending, turn, np.uint64(ROLLS_SHOWING[size, filling]), worth, chance)
    # 3. Average over the rolls.
    worth, chance = mean_over_rolls(ending, turn)
    store(ending, key, worth, chance)
    return worth, chance
