"""Mosaix: a round (roll, arrange, everybody writes), and the end."""

from __future__ import annotations

import numpy as np

from smalti.engine.bits import EMPTY, ONE, bit, lowest, whole
from smalti.engine.compiled import compiled
from smalti.engine.rules import CHANCE, Moves, Weights
from smalti.games.mosaix.scoring import score, winners
from smalti.games.mosaix.tables import (
    ALLOWED,
    ANCHORS,
    ARRANGEMENT_COUNTS,
    ARRANGEMENTS,
    BOXES,
    CARD,
    DEALING,
    DICE,
    DIE_SYMBOLS,
    FORM,
    FORMING,
    HALF,
    LANDING,
    OVER,
    PASS,
    PLACE,
    PRINTED_BITS,
    ROLL,
    ROLL_WEIGHTS,
    ROLLING,
    SHIFTS,
    SIDE,
    STOP,
    WRITING,
    Table,
)

__all__ = ["acting", "hide", "legal", "odds", "play", "score", "set_up", "winners"]

FORMATION_COUNT = 7
SEQUENCE_COUNT = 81
SYMBOL_COUNT = 3
HALF_MASK = np.uint64((1 << HALF) - 1)
HALF_BITS = np.uint64(HALF)
ROW_MASK = np.uint64((1 << SIDE) - 1)
EVERY_FORMATION = (1 << FORMATION_COUNT) - 1


def set_up(table: Table, seats: int, options: dict[str, str]) -> None:
    """Leave the grids empty, before anybody has a card. (MX-1)"""
    table.seats = seats
    table.scattered = options["cards"] == "scattered"
    table.blockable = options["end"] == "blocked"
    table.boxes = BOXES if seats == 1 else 0
    table.phase = DEALING


@compiled
def acting(table: Table) -> int:
    """Return who acts: chance, the roller, or everybody who has yet to write. (MX-2, MX-3)"""
    if table.phase == FORMING:
        return 1 << whole(table.roller)
    if table.phase == WRITING:
        return whole(table.waiting)
    if table.phase == OVER:
        return 0
    return CHANCE


# --- Chance


@compiled
def odds(table: Table, moves: Moves, weights: Weights) -> int:
    """Return the cards the next seat can get, or the rolls of four dice. (MX-1, MX-2)"""
    if table.phase == ROLLING:
        for roll in range(len(ROLL_WEIGHTS)):
            moves[roll] = ROLL + roll
            weights[roll] = ROLL_WEIGHTS[roll]
        return len(ROLL_WEIGHTS)
    found = 0
    for card in range(len(PRINTED_BITS) * SYMBOL_COUNT):
        if is_in_the_box(table, card // SYMBOL_COUNT):
            moves[found] = CARD + card
            weights[found] = 1
            found += 1
    return found


@compiled
def is_in_the_box(table: Table, place: int) -> bool:
    """Say whether a card printed at this place can still be dealt: scattered cards exist once each. (R1)"""
    if table.scattered == 0:
        return place == 0
    if place == 0:
        return False
    for seat in range(whole(table.dealt)):
        if table.printed[seat] == PRINTED_BITS[place]:
            return False
    return True


@compiled
def deal_card(table: Table, card: int) -> None:
    """Give the next seat its card. (MX-1)"""
    seat = whole(table.dealt)
    cell = PRINTED_BITS[card // SYMBOL_COUNT]
    table.printed[seat] = cell
    table.grids[seat, card % SYMBOL_COUNT] = bit(cell)
    table.dealt += 1
    if table.dealt == table.seats:
        table.fitting = EVERY_FORMATION
        table.phase = ROLLING


# --- Where a formation fits


@compiled
def taken_cells(table: Table, seat: int) -> np.uint64:
    """Return the cells of a grid that hold a symbol, the printed one included. (MX-5)"""
    return table.grids[seat, 0] | table.grids[seat, 1] | table.grids[seat, 2]


@compiled
def anchor_row(taken: np.uint64, row: int) -> np.uint64:
    """Return one row of the grid, at its place in the word of anchors that holds it."""
    cells = (taken >> np.uint64(8 * row)) & ROW_MASK
    return cells << np.uint64((10 * (row + 3) + 3) % HALF)


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
def hit_above(upper: np.uint64, lower: np.uint64, formation: int, turns: int) -> np.uint64:
    """Return the anchors of the upper word from which some die lands on a taken cell. (MX-5)"""
    hit = EMPTY
    for die in range(DICE):
        shift = SHIFTS[formation, turns, die]
        hit |= (upper >> shift) | (lower << (HALF_BITS - shift))
    return hit


@compiled
def hit_below(lower: np.uint64, formation: int, turns: int) -> np.uint64:
    """Return the anchors of the lower word from which some die lands on a taken cell. (MX-5)"""
    hit = EMPTY
    for die in range(DICE):
        hit |= lower >> SHIFTS[formation, turns, die]
    return hit


@compiled
def fits(upper: np.uint64, lower: np.uint64, formation: int, spare: int) -> bool:
    """Say whether a formation fits anywhere when so many dice may be left out. (MX-6, MX-11)"""
    for turns in range(4):
        free = ALLOWED[formation, turns, spare, 0] & ~hit_above(upper, lower, formation, turns)
        free |= ALLOWED[formation, turns, spare, 1] & ~hit_below(lower, formation, turns)
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


# --- Legal moves


@compiled
def legal(table: Table, seat: int, moves: Moves) -> int:
    """List the arrangements of the roller, or the placements of a seat that has yet to write."""
    if table.phase == FORMING:
        return list_arrangements(table, moves)
    found = list_placements(table, seat, moves)
    if found == 0:
        moves[0] = PASS
        return 1
    return found


@compiled
def list_arrangements(table: Table, moves: Moves) -> int:
    """List formations with the dice in any order; the solo player may also stop. (MX-2, MX-12, R3, R4)"""
    found = 0
    for formation in range(FORMATION_COUNT):
        if (table.fitting >> formation) & 1:
            for order in range(ARRANGEMENT_COUNTS[table.dice]):
                moves[found] = FORM + SEQUENCE_COUNT * formation + ARRANGEMENTS[table.dice, order]
                found += 1
    if table.seats == 1:
        moves[found] = STOP
        found += 1
    return found


@compiled
def list_placements(table: Table, seat: int, moves: Moves) -> int:
    """List where and how the formation can be written. (MX-3 to MX-6, MX-11)"""
    taken = taken_cells(table, seat)
    upper, lower = upper_anchors(taken), lower_anchors(taken)
    formation, spare = whole(table.formation), spare_dice(table)
    found = 0
    for turns in range(4):
        free = ALLOWED[formation, turns, spare, 0] & ~hit_above(upper, lower, formation, turns)
        found = list_anchors(free, PLACE + ANCHORS * turns, moves, found)
        free = ALLOWED[formation, turns, spare, 1] & ~hit_below(lower, formation, turns)
        found = list_anchors(free, PLACE + ANCHORS * turns + HALF, moves, found)
    return found


@compiled
def list_anchors(anchors: np.uint64, first: int, moves: Moves, found: int) -> int:
    """Append one move for each anchor."""
    while anchors != EMPTY:
        moves[found] = first + lowest(anchors)
        anchors &= anchors - ONE
        found += 1
    return found


# --- Playing


@compiled
def play(table: Table, seat: int, move: int) -> None:
    """Play one event of chance or of a seat."""
    if move < PLACE:
        form(table, move - FORM)
    elif move < PASS:
        write(table, seat, move - PLACE)
        finish_writing(table, seat)
    elif move == PASS:
        table.passed = 1
        finish_writing(table, seat)
    elif move == STOP:
        table.phase = OVER
    elif move < CARD:
        table.dice = move - ROLL
        table.phase = FORMING
    else:
        deal_card(table, move - CARD)


@compiled
def form(table: Table, choice: int) -> None:
    """Arrange the dice; now everybody writes. (MX-2, MX-3)"""
    table.formation = choice // SEQUENCE_COUNT
    table.arrangement = choice % SEQUENCE_COUNT
    table.waiting = (1 << whole(table.seats)) - 1
    table.passed = 0
    table.phase = WRITING


@compiled
def write(table: Table, seat: int, placement: int) -> None:
    """Write the formation on the seat's grid; dice over the edge are lost, alone each for a box. (MX-4, MX-11)"""
    turns, anchor = placement // ANCHORS, placement % ANCHORS
    for die in range(DICE):
        cell = whole(LANDING[table.formation, turns, anchor, die])
        if cell >= 0:
            table.grids[seat, DIE_SYMBOLS[table.arrangement, die]] |= bit(cell)
        elif table.seats == 1:
            table.boxes -= 1


@compiled
def finish_writing(table: Table, seat: int) -> None:
    """When the last one has written, the round is over. (MX-7)"""
    table.waiting = whole(table.waiting) & ~(1 << seat)
    if table.waiting == 0:
        table.phase = ROLLING
        table.roller = (table.roller + 1) % table.seats
        if table.seats == 1:
            table.fitting = fitting_formations(table)
        if is_the_end(table):
            table.phase = OVER


@compiled
def is_the_end(table: Table) -> bool:
    """Say whether this round was the last. (MX-8, MX-12, R2)"""
    if table.seats == 1:
        return table.fitting == 0
    if table.blockable and table.passed:
        return True
    for seat in range(whole(table.seats)):
        if not can_ever_write(table, seat):
            return True
    return False


@compiled
def hide(table: Table, seat: int) -> None:
    """Hide nothing: everything lies open."""
