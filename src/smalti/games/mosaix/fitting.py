"""Mosaix: where a formation fits, counted on the board of anchors that `tables` draws."""

from __future__ import annotations

import numpy as np

from smalti.engine.bits import EMPTY, list_bits, whole
from smalti.engine.compiled import compiled
from smalti.engine.rules import Moves
from smalti.games.mosaix.tables import (
    ALLOWED,
    ANCHOR_SIDE,
    ANCHORS,
    DICE,
    DISTINCT_TURNS,
    FORMATION_COUNT,
    HALF,
    OVERHANG,
    PLACE,
    SHIFTS,
    SIDE,
    Table,
)

EVERY_FORMATION = (1 << FORMATION_COUNT) - 1
HALF_BITS = np.uint64(HALF)
ROW_MASK = np.uint64((1 << SIDE) - 1)


@compiled
def taken_cells(table: Table, seat: int) -> np.uint64:
    """Return the cells of a grid that hold a symbol, the printed one included. (MX-5)"""
    return table.grids[seat, 0] | table.grids[seat, 1] | table.grids[seat, 2]


@compiled
def anchor_row(taken: np.uint64, row: int) -> np.uint64:
    """Return one row of the grid, at its place in the word of anchors that holds it."""
    cells = (taken >> np.uint64(8 * row)) & ROW_MASK
    return cells << np.uint64((ANCHOR_SIDE * (row + OVERHANG) + OVERHANG) % HALF)


@compiled
def upper_anchors(taken: np.uint64) -> np.uint64:
    """Return the taken cells among the first fifty anchors: rows 1 and 2 of the grid."""
    return anchor_row(taken, 0) | anchor_row(taken, 1)


@compiled
def lower_anchors(taken: np.uint64) -> np.uint64:
    """Return the taken cells among the last fifty anchors: rows 3 to 7 of the grid."""
    return (
        anchor_row(taken, 2) | anchor_row(taken, 3) | anchor_row(taken, 4) | anchor_row(taken, 5) | anchor_row(taken, 6)
    )


@compiled
def free_above(upper: np.uint64, lower: np.uint64, formation: int, turns: int, spare: int) -> np.uint64:
    """Return the upper anchors from which no die lands on a taken cell and few enough are left out. (MX-4, MX-5)"""
    hit = EMPTY
    for die in range(DICE):
        shift = SHIFTS[formation, turns, die]
        hit |= (upper >> shift) | (lower << (HALF_BITS - shift))
    return ALLOWED[formation, turns, spare, 0] & ~hit


@compiled
def free_below(lower: np.uint64, formation: int, turns: int, spare: int) -> np.uint64:
    """Return the lower anchors from which no die lands on a taken cell and few enough are left out. (MX-4, MX-5)"""
    hit = EMPTY
    for die in range(DICE):
        hit |= lower >> SHIFTS[formation, turns, die]
    return ALLOWED[formation, turns, spare, 1] & ~hit


@compiled
def fits(upper: np.uint64, lower: np.uint64, formation: int, spare: int) -> bool:
    """Say whether a formation fits anywhere when so many dice may be left out. (MX-6, MX-11)"""
    for turns in range(DISTINCT_TURNS[formation]):
        free = free_above(upper, lower, formation, turns, spare) | free_below(lower, formation, turns, spare)
        if free != EMPTY:
            return True
    return False


@compiled
def spare_dice(table: Table) -> int:
    """Return how many dice may be left out: all but one, and alone no more than free boxes. (MX-4, MX-11)"""
    if table.seats > 1 or table.boxes > DICE - 1:
        return DICE - 1
    return whole(table.boxes)


@compiled
def can_ever_write(table: Table, seat: int) -> bool:
    """Say whether some formation still fits, whatever the dice show. (MX-8)"""
    taken = taken_cells(table, seat)
    upper, lower = upper_anchors(taken), lower_anchors(taken)
    for formation in range(FORMATION_COUNT):
        if fits(upper, lower, formation, DICE - 1):
            return True
    return False


@compiled
def fitting_formations(table: Table) -> int:
    """Return the set of formations that fit on the solo player's grid. (MX-12, R4)"""
    taken = taken_cells(table, 0)
    upper, lower = upper_anchors(taken), lower_anchors(taken)
    spare = spare_dice(table)
    fitting = 0
    for formation in range(FORMATION_COUNT):
        if fits(upper, lower, formation, spare):
            fitting |= 1 << formation
    return fitting


@compiled
def list_placements(table: Table, seat: int, moves: Moves) -> int:
    """List where and how the formation can be written. (MX-3 to MX-6, MX-11)"""
    taken = taken_cells(table, seat)
    upper, lower = upper_anchors(taken), lower_anchors(taken)
    formation, spare = whole(table.formation), spare_dice(table)
    found = 0
    for turns in range(DISTINCT_TURNS[formation]):
        first = PLACE + ANCHORS * turns
        found = list_bits(free_above(upper, lower, formation, turns, spare), first, moves, found)
        found = list_bits(free_below(lower, formation, turns, spare), first + HALF, moves, found)
    return repeat_turns(formation, moves, found)


@compiled
def repeat_turns(formation: int, moves: Moves, found: int) -> int:
    """Repeat the list for the turns after which the formation covers the same cells again. (R5)"""
    turns = DISTINCT_TURNS[formation]
    for again in range(1, 4 // turns):
        for index in range(found):
            moves[again * found + index] = moves[index] + again * turns * ANCHORS
    return found * (4 // turns)
