"""What grids of Mosaix promise, compiled: areas that count and areas that may, over all ways to write a formation.

A grid is an array of three words, one for each symbol. `dials` are the weights of a player: by size what part of an
area counts (from 5 cells on, all of it), then what else matters.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import EMPTY, bit, connected, count, lowest, neighbours, whole
from smalti.engine.compiled import compiled
from smalti.engine.rules import Moves
from smalti.games.mosaix.tables import (
    ANCHORS,
    AREA,
    ARRANGEMENT_COUNTS,
    DICE,
    DIE_SYMBOLS,
    DISTINCT_TURNS,
    FORMATIONS,
    FORMS,
    GRID,
    LANDING,
    PLACE,
    SEQUENCES,
)

# Dials behind the shares by size.
LIBERTY, HOLE, BOX, LATE = 6, 7, 8, 9
NOTHING = -1e9  # less than any grid promises

FORMATION_COUNT, SEQUENCE_COUNT = len(FORMATIONS), len(SEQUENCES)
BORDER = np.uint64(sum(1 << 8 * row + column for row in range(7) for column in range(7) if {row, column} & {0, 6}))
FOOTPRINTS = np.where(LANDING < 0, 0, np.uint64(1) << LANDING.clip(0).astype(np.uint64)).sum(axis=3).astype(np.uint64)
CELL_COUNT = int(GRID).bit_count()
LEFT_OUT = (LANDING < 0).sum(axis=3)

Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]


class Situation(NamedTuple):
    """A grid to write on, and the dials it is valued by."""

    grid: Words
    boxes: int  # free ones of the solo game
    spare: int  # dice that may be left out
    dials: Floats


@compiled
def symbol_promise(cells: np.uint64, empty: np.uint64, dials: Floats) -> float:
    """Return (areas) × (their cells), where an area that is still small and has room to grow counts in part."""
    areas, counted, liberties = 0.0, 0.0, 0
    still = 1 - dials[LATE] * (1 - count(empty) / CELL_COUNT)  # what is not big yet grows less when little is empty
    rest = cells
    while rest != EMPTY:
        area = connected(bit(lowest(rest)), cells)
        rest &= ~area
        size = count(area)
        beside = count(neighbours(area) & empty)
        share = dials[min(size, AREA)]
        if size < AREA:
            share *= still if beside > 0 and count(connected(area, area | empty)) >= AREA else 0.0
        areas += share
        counted += share * size
        liberties += min(beside, 3)
    promise: float = areas * counted + dials[LIBERTY] * liberties
    return promise


@compiled
def holes(empty: np.uint64) -> int:
    """Return how many empty cells lie in pockets inside that are too small for any formation."""
    lost = 0
    while empty != EMPTY:
        pocket = connected(bit(lowest(empty)), empty)
        empty &= ~pocket
        if count(pocket) < DICE and pocket & BORDER == EMPTY:
            lost += count(pocket)
    return lost


@compiled
def grid_promise(o: np.uint64, t: np.uint64, x: np.uint64, boxes: int, dials: Floats) -> float:
    """Return what a grid promises, with so many free boxes of the solo game."""
    empty = GRID & ~(o | t | x)
    total: float = symbol_promise(o, empty, dials) + symbol_promise(t, empty, dials) + symbol_promise(x, empty, dials)
    total += dials[BOX] * boxes - dials[HOLE] * holes(empty)
    return total


@compiled
def fits(taken: np.uint64, formation: int, placement: int, spare: int) -> bool:
    """Say whether the formation can be written there when so many dice may be left out."""
    turns, anchor = placement // ANCHORS, placement % ANCHORS
    if FOOTPRINTS[formation, turns, anchor] & taken != EMPTY:
        return False
    is_enough: bool = LEFT_OUT[formation, turns, anchor] <= spare
    return is_enough


@compiled
def promise_after(situation: Situation, form: int, placement: int) -> float:
    """Return what the grid promises once an arrangement is written there."""
    formation = form // SEQUENCE_COUNT
    o, t, x = after_writing(situation.grid, formation, form % SEQUENCE_COUNT, placement)
    lost = LEFT_OUT[formation, placement // ANCHORS, placement % ANCHORS]
    return grid_promise(o, t, x, situation.boxes - lost, situation.dials)


@compiled
def list_promises(situation: Situation, form: int, moves: Moves, worths: Floats) -> int:
    """List every placement of an arrangement with what the grid then promises, and return how many there are."""
    grid, found = situation.grid, 0
    taken = grid[0] | grid[1] | grid[2]
    for placement in range(4 * ANCHORS):
        if fits(taken, form // SEQUENCE_COUNT, placement, situation.spare):
            moves[found] = PLACE + placement
            worths[found] = promise_after(situation, form, placement)
            found += 1
    return found


@compiled
def after_writing(grid: Words, formation: int, sequence: int, placement: int) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the three words of the grid after writing."""
    o, t, x = grid[0], grid[1], grid[2]
    for die in range(DICE):
        cell = bit(whole(LANDING[formation, placement // ANCHORS, placement % ANCHORS, die]) & 63) & GRID
        symbol = DIE_SYMBOLS[sequence, die]
        if symbol == 0:
            o |= cell
        elif symbol == 1:
            t |= cell
        else:
            x |= cell
    return o, t, x


@compiled
def best_promise(situation: Situation, form: int, turns: int, best: float) -> float:
    """Return the most that an arrangement can make of the grid, at least what is known as best already."""
    grid = situation.grid
    taken = grid[0] | grid[1] | grid[2]
    for placement in range(turns * ANCHORS):
        if fits(taken, form // SEQUENCE_COUNT, placement, situation.spare):
            best = max(best, promise_after(situation, form, placement))
    return best


@compiled
def promise_now(situation: Situation) -> float:
    """Return what the grid promises as it is."""
    grid = situation.grid
    return grid_promise(grid[0], grid[1], grid[2], situation.boxes, situation.dials)


@compiled
def roll_promise(situation: Situation, roll: int) -> float:
    """Return the most that the best arrangement of a roll can make of the grid."""
    best = NOTHING
    for index in range(FORMATION_COUNT * ARRANGEMENT_COUNTS[roll]):
        form = FORMS[roll, index]
        best = best_promise(situation, form, DISTINCT_TURNS[form // SEQUENCE_COUNT], best)
    return promise_now(situation) if best == NOTHING else best


@compiled
def forms_promise(situation: Situation, forms: Moves, worths: Floats) -> None:
    """Note for each arrangement the most it can make of the grid, `NOTHING` where it does not fit."""
    for index in range(len(forms)):
        worths[index] = best_promise(situation, forms[index], 4, NOTHING)
