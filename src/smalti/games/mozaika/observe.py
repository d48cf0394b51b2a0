"""Mozaika: what a network sees, of a table on which everything is blanked that its seat may not see."""

from __future__ import annotations

import numpy as np

from smalti.engine.bits import whole
from smalti.engine.compiled import compiled
from smalti.engine.planes import Plane, Planes, draw, fill
from smalti.engine.record import Bytes
from smalti.games.mozaika.rules import acting
from smalti.games.mozaika.scoring import COLOUR_COUNT, SYMBOL_COUNT
from smalti.games.mozaika.tables import (
    BIDDING,
    CELLS,
    COPIES,
    FLYING,
    HAND,
    LAYING,
    MOST_COINS,
    NO_SEAT,
    OVER,
    PICKING,
    ROUNDS,
    SIDE,
    TYPES,
    Table,
)

SHAPE = (SIDE, SIDE)
ORDER = (
    "Seats come in the order of play from one's own on. Tiles by kind are one plane: its first row has how many there "
    "are of the red ones with symbol 1, 2, 3, 4, the second of the blue ones, the third of the ochre ones."
)
SIZE = CELLS
TYPE_COUNT = len(TYPES)


def planes(seats: int) -> list[Plane]:
    """Describe the planes."""
    copies = COPIES[seats]
    return [
        Plane("boards", 8 * seats, 1, "cells with red, blue, ochre; with symbol 1, 2, 3, 4; with a fly; seat by seat"),
        Plane("hands", seats, HAND + 1, "tiles in hand, nothing where hands are hidden; by kind"),
        Plane("display", 1, seats + 1, "open tiles, by kind"),
        Plane("unseen", 1, copies, "tiles that I have not seen, in the bag or in hidden hands; by kind"),
        Plane("coins", seats, MOST_COINS, "coins in the purse"),
        Plane("bids", seats, MOST_COINS, "bids of this round: mine once made, everybody's once they are shown"),
        Plane("order", seats, seats, "place in the order of picking, from 1 on, while tiles are picked"),
        Plane("waiting", seats, 1, "who has yet to bid or to lay"),
        Plane("fly", seats, 1, "who got the fly of this round"),
        Plane("starter", seats, 1, "who holds the bag"),
        Plane("phase", 4, 1, "bidding; picking; laying; putting the fly"),
        Plane("round", 1, ROUNDS, "number of the round"),
        Plane("turn", 1, 1, "I have to act"),
    ]


@compiled
def observe(table: Table, seat: int, planes: Planes) -> None:
    """Write the boards, this seat's first, then hands, tiles and purses, then how far the round has come."""
    at = draw_boards(table, seat, planes, 0)
    at = fill_tiles(table, seat, planes, at)
    at = fill_purses(table, seat, planes, at)
    fill_round(table, seat, planes, at)


@compiled
def draw_boards(table: Table, seat: int, planes: Planes, at: int) -> int:
    """Write each seat's tiles by colour and by symbol, and its flies."""
    seats = whole(table.seats)
    for place in range(seats):
        other = (seat + place) % seats
        for colour in range(COLOUR_COUNT):
            at = draw(planes, at, SIZE, np.uint64(table.colours[other, colour]))
        for symbol in range(SYMBOL_COUNT):
            at = draw(planes, at, SIZE, np.uint64(table.symbols[other, symbol]))
        at = draw(planes, at, SIZE, np.uint64(table.flies[other]))
    return at


@compiled
def fill_tiles(table: Table, seat: int, planes: Planes, at: int) -> int:
    """Write hands, open tiles and those not seen."""
    seats = whole(table.seats)
    for place in range(seats):
        at = lay_out(planes, at, table.hands[(seat + place) % seats])
    at = lay_out(planes, at, table.display)
    return lay_out(planes, at, table.bag)


@compiled
def lay_out(planes: Planes, at: int, tiles: Bytes) -> int:
    """Write how many tiles of each kind there are: a row for each colour, a column for each symbol."""
    for tile in range(TYPE_COUNT):
        planes[at + tile] = tiles[tile]
    for cell in range(TYPE_COUNT, SIZE):
        planes[at + cell] = 0
    return at + SIZE


@compiled
def fill_purses(table: Table, seat: int, planes: Planes, at: int) -> int:
    """Write coins, and the bids of this round."""
    seats = whole(table.seats)
    for place in range(seats):
        at = fill(planes, at, SIZE, whole(table.coins[(seat + place) % seats]))
    made = table.round_number > 1 and BIDDING <= table.phase < OVER
    for place in range(seats):
        at = fill(planes, at, SIZE, whole(table.bids[(seat + place) % seats]) if made else 0)
    return at


@compiled
def place_in_order(table: Table, seat: int) -> int:
    """Return a seat's place in the order of picking, from 1 on; 0 while nothing is picked."""
    found = 0
    if table.phase == PICKING:
        for place in range(whole(table.seats)):
            if table.order[place] == seat:
                found = place + 1
    return found


@compiled
def waits(table: Table, seat: int) -> bool:
    """Say whether a seat has yet to bid or to lay."""
    return (table.phase == BIDDING or table.phase == LAYING) and (whole(table.waiting) >> seat) & 1 == 1


@compiled
def fill_round(table: Table, seat: int, planes: Planes, at: int) -> None:
    """Write order, waiting, fly and starter seat by seat, then the phase."""
    seats = whole(table.seats)
    for place in range(seats):
        at = fill(planes, at, SIZE, place_in_order(table, (seat + place) % seats))
    for place in range(seats):
        at = fill(planes, at, SIZE, waits(table, (seat + place) % seats))
    for place in range(seats):
        at = fill(planes, at, SIZE, table.flown != NO_SEAT and table.flown == (seat + place) % seats)
    for place in range(seats):
        at = fill(planes, at, SIZE, table.starter == (seat + place) % seats)
    for phase in (BIDDING, PICKING, LAYING, FLYING):
        at = fill(planes, at, SIZE, table.phase == phase)
    at = fill(planes, at, SIZE, whole(table.round_number))
    fill(planes, at, SIZE, (acting(table) >> seat) & 1)
