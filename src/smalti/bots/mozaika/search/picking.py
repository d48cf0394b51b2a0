"""What becomes of bids, compiled: who picks when and what, and what that brings everybody."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.evaluate.features import NONE
from smalti.bots.mozaika.search.auction import Auction, value
from smalti.bots.mozaika.search.bid_model import spite
from smalti.engine.compiled import compiled


@compiled
def precedence(auction: Auction, seat: int, bid: int) -> int:
    """Return a number that is higher for whoever picks earlier. (MZ-5)"""
    return 8 * bid - (seat - auction.starter + auction.seats) % auction.seats


@compiled
def line_up(auction: Auction, absent: int) -> None:
    """Line the seats up for picking by their bids, all but one (NONE: all)."""
    length = 0
    for seat in range(auction.seats):
        if seat == absent:
            continue
        rank, place = precedence(auction, seat, auction.bid[seat]), length
        while place > 0:
            other = auction.line[place - 1]
            if precedence(auction, other, auction.bid[other]) > rank:
                break
            auction.line[place] = other
            place -= 1
        auction.line[place] = seat
        length += 1


@compiled
def take_best(auction: Auction, seat: int) -> int:
    """Let a seat pick the tile it likes best of those that are left; return its kind."""
    for place in range(auction.kinds):
        kind = auction.liking[seat, place]
        if auction.taken[kind] < auction.tiles[kind]:
            auction.taken[kind] += 1
            auction.got[seat] = kind
            return kind
    return NONE


@compiled
def would_miss(auction: Auction, seat: int) -> tuple[int, float]:
    """Return the kind that a seat would miss most of those that are left, and what it would lose with it."""
    first, loss = NONE, 0.0
    for place in range(auction.kinds):
        kind = auction.liking[seat, place]
        left = auction.tiles[kind] - auction.taken[kind]
        if left > 0:
            worth = value(auction, seat, kind, auction.coins[seat])
            if first != NONE:
                return first, loss - worth
            if left > 1:
                return kind, 0.0
            first, loss = kind, worth
    return first, 0.0


@compiled
def take_from(auction: Auction, seat: int, other: int) -> int:
    """Let a seat pick what it likes best, or what another would miss who is behind it; return its kind."""
    missed, loss = would_miss(auction, other)
    chosen, most = NONE, -1e9
    for place in range(auction.kinds):
        kind = auction.liking[seat, place]
        if auction.taken[kind] < auction.tiles[kind]:
            worth = value(auction, seat, kind, auction.coins[seat] - auction.bid[seat])
            worth += spite(auction.seats) * loss if kind == missed else 0.0
            if worth > most:
                chosen, most = kind, worth
    auction.taken[chosen] += 1
    auction.got[seat] = chosen
    return chosen


@compiled
def result(auction: Auction, seat: int, kind: int, is_last: bool) -> float:
    """Return what a seat can expect after paying its bid and picking such a tile."""
    worth = value(auction, seat, kind, auction.coins[seat] - auction.bid[seat])
    return worth + auction.fly[seat, kind] if is_last else worth


@compiled
def pick_at(auction: Auction, seat: int, place: int) -> None:
    """Note what it brings a seat to pick at this place among the others, who stand in line without it."""
    last = auction.seats - 1
    auction.taken[:] = 0
    own, others = NONE, 0.0
    for turn in range(auction.seats):
        if turn == place:
            own = take_best(auction, seat)
        else:
            other = auction.line[turn - (turn > place)]
            kind = take_from(auction, other, seat) if turn < place else take_best(auction, other)
            worth = result(auction, other, kind, turn == last)
            auction.place_others[place, other] = worth
            others += auction.envy[seat, other] * worth
    auction.place_income[place] = auction.income[seat, own]
    own_worth = auction.worth[seat, own] + (auction.fly[seat, own] if place == last else 0.0)
    auction.place_own[place] = own_worth
    auction.place_worth[place] = own_worth - others


@compiled
def note_places(auction: Auction, seat: int) -> None:
    """Note what each place in the line brings a seat when the others bid as they do."""
    line_up(auction, seat)
    for place in range(auction.seats):
        pick_at(auction, seat, place)


@compiled
def place_of(auction: Auction, seat: int, bid: int) -> int:
    """Return at which place a seat picks with this bid, the others standing in line."""
    rank, place = precedence(auction, seat, bid), 0
    while place < auction.seats - 1:
        other = auction.line[place]
        if precedence(auction, other, auction.bid[other]) < rank:
            break
        place += 1
    return place


@compiled
def gain(auction: Auction, seat: int, bid: int) -> float:
    """Return what a bid brings, by what was noted for the places."""
    place = place_of(auction, seat, bid)
    left = auction.coins[seat] - bid + auction.place_income[place]
    return auction.place_worth[place] + auction.purse[seat, left]


@compiled
def keep_taken(auction: Auction) -> None:
    """Remember which tiles are taken."""
    for kind in range(auction.kinds):
        auction.taken_before[kind] = auction.taken[kind]


@compiled
def restore_taken(auction: Auction) -> None:
    """Go back to the tiles that were taken then."""
    for kind in range(auction.kinds):
        auction.taken[kind] = auction.taken_before[kind]


@compiled
def envious_pick(auction: Auction, seat: int, place: int) -> int:
    """Return the kind to pick at this place in the line: worth most, less what is envied of those behind."""
    chosen, best = NONE, -1e9
    keep_taken(auction)
    for kind in range(auction.kinds):
        if auction.taken_before[kind] == auction.tiles[kind]:
            continue
        auction.taken[kind] += 1
        worth = value(auction, seat, kind, auction.coins[seat] - auction.bid[seat])
        for behind in range(place + 1, auction.seats):
            other = auction.line[behind]
            got = result(auction, other, take_best(auction, other), behind == auction.seats - 1)
            worth -= auction.envy[seat, other] * got
        restore_taken(auction)
        if worth > best:
            chosen, best = kind, worth
    auction.taken[chosen] += 1
    return chosen


@compiled
def pick_in_line(auction: Auction, means: npt.NDArray[np.float64]) -> None:
    """Note what all can expect after the bids that were made."""
    line_up(auction, NONE)
    auction.taken[:] = 0
    for place in range(auction.seats):
        seat = auction.line[place]
        means[seat] = result(auction, seat, take_best(auction, seat), place == auction.seats - 1)
