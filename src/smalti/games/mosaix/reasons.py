"""Mosaix: why an event is refused."""

from __future__ import annotations

from smalti.engine.errors import Reasons, Refused
from smalti.engine.geometry import cell_name
from smalti.engine.rules import NOBODY
from smalti.games.mosaix.fitting import taken_cells
from smalti.games.mosaix.tables import (
    ANCHORS,
    DEALING,
    DICE,
    FORMATIONS,
    FORMING,
    LANDING,
    OVER,
    PASS,
    PLACE,
    ROLLING,
    ROLLS,
    SEQUENCES,
    STOP,
    Table,
)

refusal = Reasons(
    "mosaix",
    {
        "over": ("MX-8", "the game is over"),
        "over-solo": ("MX-12", "the game is over"),
        "deal-first": ("MX-1", "everybody needs a card first"),
        "roll-first": ("MX-2", "the dice have to be rolled first"),
        "form-first": ("MX-2", "seat {seat} has to arrange the dice first"),
        "write-first": ("MX-3", "everybody has to write first; seat {seat} has not"),
        "wrote-already": ("MX-3", "seat {seat} has written in this round already"),
        "not-a-card": ("MX-1", "there is no such card left: with cards={option} the symbols are printed on {cells}"),
        "not-the-dice": ("MX-2", "the dice show {dice}, which cannot be arranged as {given}"),
        "off-the-grid": ("MX-4", "all four symbols would lie outside the grid; at least one must be written"),
        "taken": ("MX-5", "{cell} is taken already"),
        "can-write": ("MX-6", "a symbol of this formation can be written, so passing is not allowed"),
        "boxes": ("MX-11", "this leaves out {needed} symbols, and only {boxes} boxes are free"),
        "fits-nowhere": ("MX-12", "formation {formation} fits nowhere and cannot be chosen"),
        "stop-solo-only": ("MX-12", "only the solo game can be stopped"),
        "stop-too-late": ("MX-12", "the game can be stopped only before the roll is arranged"),
    },
)


def why_not_seat(table: Table, seat: int) -> Refused:
    """Say why this seat (or chance) cannot act now."""
    if table.phase == OVER:
        return refusal("over-solo" if table.seats == 1 else "over")
    if table.phase == DEALING:
        return refusal("deal-first")
    if table.phase == ROLLING:
        return refusal("roll-first")
    if table.phase == FORMING:
        return refusal("form-first", seat=int(table.roller))
    if seat == NOBODY:
        return refusal("write-first", seat=next(s for s in range(4) if table.waiting >> s & 1))
    return refusal("wrote-already", seat=seat)


def why_not(table: Table, seat: int, move: int) -> Refused:
    """Say why a seat that must act may not do this."""
    if move == STOP:
        return refusal("stop-solo-only" if table.seats > 1 else "stop-too-late")
    if table.phase == FORMING:
        return why_not_form(table, move)
    if move < PLACE:
        return refusal("write-first", seat=seat)
    if move == PASS:
        return refusal("can-write")
    return why_not_place(table, seat, move - PLACE)


def why_not_form(table: Table, move: int) -> Refused:
    """Say why the dice cannot be arranged like this."""
    if move >= PLACE:
        return refusal("form-first", seat=int(table.roller))
    formation, sequence = divmod(move, len(SEQUENCES))
    dice = ROLLS[table.dice]
    if sorted(SEQUENCES[sequence]) != sorted(dice):
        return refusal("not-the-dice", dice=dice, given=SEQUENCES[sequence])
    return refusal("fits-nowhere", formation=FORMATIONS[formation])


def why_not_place(table: Table, seat: int, placement: int) -> Refused:
    """Say why the formation cannot be written here."""
    turns, anchor = divmod(placement, ANCHORS)
    cells = [int(cell) for cell in LANDING[table.formation, turns, anchor] if cell >= 0]
    taken = [cell for cell in cells if int(taken_cells(table, seat)) >> cell & 1]
    if not cells:
        return refusal("off-the-grid")
    if taken:
        return refusal("taken", cell=cell_name(taken[0] % 8, taken[0] // 8))
    return refusal("boxes", needed=DICE - len(cells), boxes=int(table.boxes))
