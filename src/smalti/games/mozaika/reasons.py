"""Mozaika: why an event is refused."""

from __future__ import annotations

from smalti.engine.errors import Reasons, Refused
from smalti.engine.geometry import cell_name
from smalti.engine.rules import NOBODY
from smalti.games.mozaika.rules import taken_cells
from smalti.games.mozaika.tables import (
    BIDDING,
    CELLS,
    DEALING,
    DRAWING,
    FLY,
    FLYING,
    LAY,
    LAYING,
    PICK,
    PICKING,
    SIDE,
    TYPES,
    Table,
)
from smalti.games.mozaika.words import TEXTS, coded_tile

refusal = Reasons(
    "mozaika",
    TEXTS,
    {
        "over": "MZ-12",
        "deal-first": "MZ-1",
        "draw-first": "MZ-3",
        "not-in-the-bag": "MZ-1",
        "bid-first": "MZ-4",
        "bid-already": "MZ-4",
        "too-many-coins": "MZ-4",
        "pick-first": "MZ-5",
        "not-open": "MZ-5",
        "lay-first": "MZ-8",
        "laid-already": "MZ-8",
        "not-in-hand": "MZ-8",
        "taken": "MZ-8",
        "fly-first": "MZ-10",
        "no-tile": "MZ-10",
        "fly-already": "MZ-10",
    },
    {"tile": coded_tile},
)


def first_waiting(table: Table) -> int:
    """Return the lowest seat that has yet to bid or lay."""
    return next(seat for seat in range(table.seats) if table.waiting >> seat & 1)


def due(table: Table) -> Refused:
    """Say what has to happen first."""
    if table.phase == DEALING:
        return refusal("deal-first")
    if table.phase == DRAWING:
        return refusal("draw-first")
    if table.phase == BIDDING:
        return refusal("bid-first", seat=first_waiting(table))
    if table.phase == PICKING:
        return refusal("pick-first", seat=int(table.order[table.picked]))
    if table.phase == LAYING:
        return refusal("lay-first", seat=first_waiting(table))
    if table.phase == FLYING:
        return refusal("fly-first", seat=int(table.flown))
    return refusal("over")


def why_not_seat(table: Table, seat: int) -> Refused:
    """Say why this seat (or chance) cannot act now."""
    if seat != NOBODY and table.phase == BIDDING:
        return refusal("bid-already", seat=seat)
    if seat != NOBODY and table.phase == LAYING:
        return refusal("laid-already", seat=seat)
    return due(table)


def phase_of(move: int) -> int:
    """Return the phase a move belongs to."""
    if move >= FLY:
        return FLYING
    if move >= LAY:
        return LAYING
    return PICKING if move >= PICK else BIDDING


def why_not(table: Table, seat: int, move: int) -> Refused:
    """Say why a seat that must act may not do this."""
    if table.phase != phase_of(move):
        return due(table)
    if table.phase == BIDDING:
        return refusal("too-many-coins", bid=move, coins=int(table.coins[seat]))
    if table.phase == PICKING:
        return refusal("not-open", tile=TYPES[move - PICK])
    if table.phase == LAYING:
        return why_not_lay(table, seat, move - LAY)
    return why_not_fly(table, seat, move - FLY)


def why_not_lay(table: Table, seat: int, choice: int) -> Refused:
    """Say why this tile cannot be laid there."""
    tile, cell = divmod(choice, CELLS)
    if table.hands[seat, tile] == 0:
        return refusal("not-in-hand", tile=TYPES[tile])
    return refusal("taken", cell=cell_name(cell % SIDE, cell // SIDE))


def why_not_fly(table: Table, seat: int, cell: int) -> Refused:
    """Say why the fly cannot sit there."""
    has_tile = int(taken_cells(table, seat)) >> cell & 1
    return refusal("fly-already" if has_tile else "no-tile", cell=cell_name(cell % SIDE, cell // SIDE))
