"""Mosaix: a round (roll, arrange, everybody writes), and the end."""

from __future__ import annotations

from smalti.engine.bits import bit, whole
from smalti.engine.chance import Stream
from smalti.engine.compiled import compiled
from smalti.engine.rules import CHANCE, Moves, Weights
from smalti.games.mosaix.fitting import EVERY_FORMATION, can_ever_write, fitting_formations, list_placements
from smalti.games.mosaix.scoring import score, winners
from smalti.games.mosaix.tables import (
    ANCHORS,
    ARRANGEMENT_COUNTS,
    BOXES,
    CARD,
    DEALING,
    DICE,
    DIE_SYMBOLS,
    FORM,
    FORMATION_COUNT,
    FORMING,
    FORMS,
    GRID,
    LANDING,
    OVER,
    PASS,
    PLACE,
    PRINTED_BITS,
    ROLL,
    ROLL_WEIGHTS,
    ROLLING,
    SEQUENCE_COUNT,
    STOP,
    SYMBOL_COUNT,
    WRITING,
    Table,
)

__all__ = ["acting", "hide", "legal", "odds", "play", "redeal", "score", "set_up", "set_up_endless", "winners"]


def set_up(table: Table, seats: int, options: dict[str, str]) -> None:
    """Leave the grids empty, before anybody has a card. (MX-1)"""
    table.seats = seats
    table.scattered = options["cards"] == "scattered"
    table.blockable = options["end"] == "blocked"
    table.boxes = BOXES if seats == 1 else 0
    table.patience = seats if seats > 1 and options["end"] == "stuck" else 0
    table.phase = DEALING


def set_up_endless(table: Table, seats: int, options: dict[str, str]) -> None:
    """Set up as in version 1, in which rollers could arrange for ever what fits nobody. (R6)"""
    set_up(table, seats, options)
    table.patience = 0


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
    dice, fitting = whole(table.dice), whole(table.fitting)
    if fitting == EVERY_FORMATION:
        found = copy_forms(dice, 0, FORMATION_COUNT, moves, 0)
    else:
        found = 0
        for formation in range(FORMATION_COUNT):
            if (fitting >> formation) & 1:
                found = copy_forms(dice, formation, 1, moves, found)
    if table.seats == 1:
        moves[found] = STOP
        found += 1
    return found


@compiled
def copy_forms(dice: int, formation: int, formations: int, moves: Moves, found: int) -> int:
    """Append all arrangements of the dice as this formation and the next ones."""
    orders = ARRANGEMENT_COUNTS[dice]
    for order in range(formations * orders):
        moves[found + order] = FORMS[dice, formation * orders + order]
    return found + formations * orders


# --- Playing


@compiled
def play(table: Table, seat: int, move: int) -> None:
    """Play one event of chance or of a seat."""
    if move < PLACE:
        form(table, move - FORM)
    elif move < PASS:
        write(table, seat, move - PLACE)
        table.idle = 0
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
    if table.patience:
        table.idle += 1
    table.phase = WRITING


@compiled
def write(table: Table, seat: int, placement: int) -> None:
    """Write the formation on the seat's grid; dice over the edge are lost, alone each for a box. (MX-4, MX-11)"""
    turns, anchor = placement // ANCHORS, placement % ANCHORS
    formation, arrangement = whole(table.formation), whole(table.arrangement)
    lost = 0
    for die in range(DICE):  # no branches: −1 becomes bit 63, which is no cell of the grid
        cell = whole(LANDING[formation, turns, anchor, die])
        table.grids[seat, DIE_SYMBOLS[arrangement, die]] |= bit(cell & 63) & GRID
        lost += cell < 0
    if table.seats == 1:
        table.boxes -= lost


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
    """Say whether this round was the last. (MX-8, MX-12, R2, R6)"""
    if table.seats == 1:
        return table.fitting == 0
    if table.blockable and table.passed:
        return True
    if table.patience and table.idle == table.patience:
        return True
    for seat in range(whole(table.seats)):
        if not can_ever_write(table, seat):
            return True
    return False


@compiled
def hide(table: Table, seat: int) -> None:
    """Hide nothing: everything lies open."""


@compiled
def redeal(table: Table, seat: int, stream: Stream) -> None:
    """Deal nothing anew: nothing was hidden."""
