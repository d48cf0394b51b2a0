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
from smalti.games.mosaix.words import TEXTS, symbol_words

refusal = Reasons(
    "mosaix",
    TEXTS,
    {
        "over": "MX-8",
        "over-solo": "MX-12",
        "deal-first": "MX-1",
        "roll-first": "MX-2",
        "form-first": "MX-2",
        "write-first": "MX-3",
        "wrote-already": "MX-3",
        "not-a-card": "MX-1",
        "not-the-dice": "MX-2",
        "off-the-grid": "MX-4",
        "taken": "MX-5",
        "can-write": "MX-6",
        "boxes": "MX-11",
        "fits-nowhere": "MX-12",
        "stop-solo-only": "MX-12",
        "stop-too-late": "MX-12",
    },
    {"dice": symbol_words, "given": symbol_words},
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
        return refusal("write-first", seat=next(s for s in range(table.seats) if table.waiting >> s & 1))
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
