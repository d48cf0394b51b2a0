"""Mozaika: what the others do not see, and something possible in its place."""

from __future__ import annotations

from smalti.engine.bits import whole
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import compiled
from smalti.games.mozaika.tables import BID, BIDDING, DEAL, DEALING, HAND, LAYING, PICK, PICKING, TYPE_COUNT, Table


@compiled
def hide(table: Table, seat: int) -> None:
    """Blank the others' sealed bids and, with hidden hands, their tiles, which then count as not seen."""
    for other in range(whole(table.seats)):
        if other != seat:
            if table.phase == BIDDING:
                table.bids[other] = 0
            if table.secret_hands:
                hide_hand(table, other)


def is_secret(table: Table, by: int, move: int, seat: int) -> bool:
    """Say whether a move made on this table is not seen by this seat: a sealed bid, a tile dealt to a hidden hand."""
    if move >= DEAL:
        return bool(table.phase == DEALING and table.secret_hands and table.drawn // HAND != seat)
    return by != seat and BID <= move < PICK


@compiled
def hide_hand(table: Table, seat: int) -> None:
    """Count the tiles of a hand among those not seen."""
    for tile in range(TYPE_COUNT):
        table.bag[tile] += table.hands[seat, tile]
        table.hands[seat, tile] = 0


@compiled
def redeal(table: Table, seat: int, stream: Stream) -> None:
    """Let the others bid again, and draw the tiles of hidden hands from those not seen."""
    for other in range(whole(table.seats)):
        if other != seat:
            if table.phase == BIDDING:
                table.waiting = whole(table.waiting) | (1 << other)
            if table.secret_hands:
                deal_hand(table, other, stream)


@compiled
def deal_hand(table: Table, seat: int, stream: Stream) -> None:
    """Draw as many tiles for a seat as it holds now."""
    for _ in range(hand_size(table, seat)):
        left = 0
        for tile in range(TYPE_COUNT):
            left += whole(table.bag[tile])
        rest = below(stream, left)
        for tile in range(TYPE_COUNT):
            here = whole(table.bag[tile])
            if 0 <= rest < here:
                table.bag[tile] -= 1
                table.hands[seat, tile] += 1
            rest -= here


@compiled
def hand_size(table: Table, seat: int) -> int:
    """Return how many tiles a seat holds: one less between laying and picking. (MZ-5, MZ-8)"""
    if table.phase == LAYING:
        return HAND - 1 + ((whole(table.waiting) >> seat) & 1)
    if table.phase == PICKING:
        for place in range(table.picked):
            if table.order[place] == seat:
                return HAND
    return HAND - 1
