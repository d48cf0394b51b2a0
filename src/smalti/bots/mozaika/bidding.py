"""A sealed auction of Mozaika as a game of its own, compiled: what bids bring everybody, and which bids are in balance.

`open_auction` weighs every open tile for every seat. Then all seats play the auction against each other many times,
and each bids more often what it regrets not having bid (regret matching): `balance` notes these mixtures of bids.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.desk import TYPE_COUNT, Desks, Number, Numbers, Points, set_out
from smalti.bots.mozaika.features import COIN, NONE, ROW, Floats
from smalti.bots.mozaika.laying import Worths, best_fly, best_lay, income
from smalti.engine.bits import whole
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record
from smalti.games.mozaika.rules import first_fly_round
from smalti.games.mozaika.tables import CELLS, MOST_COINS, Table

BIDS = MOST_COINS + 1
FINE = 1 << 20  # of random fractions
USUAL_BID = 1  # coins that somebody is likely to have paid when laying


class Auction(Record):
    """The open tiles, what each is worth to each seat, and how the seats bid."""

    seats: Number
    starter: Number
    has_fly: Number
    kinds: Number  # of open tiles
    tile: Annotated[Numbers, 6]  # by kind
    tiles: Annotated[Numbers, 6]  # by kind: how many lie open
    kind_of: Annotated[Numbers, 12]  # by type, NONE if none lies open
    coins: Annotated[Numbers, 5]
    most: Annotated[Numbers, 5]  # by seat: the highest bid that can be worth it
    income: Annotated[Numbers, 5, 6]
    worth: Annotated[Points, 5, 6]  # by seat and kind: of the board after the best lay, coins apart
    fly: Annotated[Points, 5, 6]  # and what a fly changes
    liking: Annotated[Numbers, 5, 6]  # by seat: kinds, the best first
    purse: Annotated[Points, 59]  # by coins: what they are worth
    envy: Annotated[Points, 5, 5]  # by seat and other: what a point of the other counts against one's own

    regret: Annotated[Points, 5, 59]
    mixture: Annotated[Points, 5, 59]  # now
    balanced: Annotated[Points, 5, 59]  # on average, not divided

    bid: Annotated[Numbers, 5]
    line: Annotated[Numbers, 5]  # seats in the order of picking
    got: Annotated[Numbers, 5]  # by seat: the kind it picks
    taken: Annotated[Numbers, 6]  # by kind
    taken_before: Annotated[Numbers, 6]
    place_own: Annotated[Points, 5]  # by place in the line: one's own worth, one's coins apart
    place_worth: Annotated[Points, 5]  # and less what is envied of the others
    place_income: Annotated[Numbers, 5]
    place_others: Annotated[Points, 5, 5]  # by place and other: what the other then can expect


# --- Opening


@compiled
def list_open(auction: Auction, table: Table) -> None:
    """Note the kinds of tiles that lie open."""
    auction.kinds = 0
    for tile in range(TYPE_COUNT):
        auction.kind_of[tile] = NONE
        if table.display[tile] > 0:
            auction.kind_of[tile] = auction.kinds
            auction.tile[auction.kinds] = tile
            auction.tiles[auction.kinds] = whole(table.display[tile])
            auction.kinds += 1


@compiled
def envy_all(auction: Auction) -> None:
    """Let everybody look at the mean of the others."""
    auction.envy[:] = 1.0 / (auction.seats - 1)


@compiled
def weigh_tiles(auction: Auction, desks: Desks, seat: int, lean: int, weights: Floats, worths: Worths) -> None:
    """Note for one seat what each open tile makes of its board."""
    desk = desks[0]
    for kind in range(auction.kinds):
        desk.hand[auction.tile[kind]] += 1
        paid = min(USUAL_BID, desk.coins)
        lay, worth = best_lay(desk, paid, lean, weights, worths)
        tile, cell = lay // CELLS, lay % CELLS
        earned = income(desk, tile, cell)
        auction.income[seat, kind] = earned
        auction.worth[seat, kind] = worth - auction.purse[desk.coins - paid + earned]
        auction.fly[seat, kind] = best_fly(desk, tile, cell, weights, worths)[1] if auction.has_fly else 0.0
        desk.hand[auction.tile[kind]] -= 1


@compiled
def value(auction: Auction, seat: int, kind: int, coins: int) -> float:
    """Return what a seat can expect that gets such a tile and no fly, with so many coins left before laying."""
    return auction.worth[seat, kind] + auction.purse[coins + auction.income[seat, kind]]


@compiled
def rank_tiles(auction: Auction, seat: int) -> None:
    """Line the kinds up as a seat likes them, and note the highest bid that can be worth it."""
    coins = auction.coins[seat]
    for kind in range(auction.kinds):
        place = kind
        while place > 0 and value(auction, seat, auction.liking[seat, place - 1], coins) < value(
            auction, seat, kind, coins
        ):
            auction.liking[seat, place] = auction.liking[seat, place - 1]
            place -= 1
        auction.liking[seat, place] = kind
    best, worst = auction.liking[seat, 0], auction.liking[seat, auction.kinds - 1]
    least = value(auction, seat, worst, coins) + auction.fly[seat, worst]
    most = 0
    while most < min(coins, BIDS - 1) and value(auction, seat, best, coins - most - 1) > least:
        most += 1
    auction.most[seat] = most


@compiled
def cap_bids(auction: Auction) -> None:
    """Let nobody bid more than one coin beyond what is worth it for any other."""
    first, second = 0, 0
    for seat in range(auction.seats):
        most = auction.most[seat]
        first, second = max(first, most), max(second, min(first, most))
    for seat in range(auction.seats):
        others = second if auction.most[seat] == first else first
        auction.most[seat] = min(auction.most[seat], others + 1)


@apart
def open_auction(
    auction: Auction, table: Table, desks: Desks, leans: npt.NDArray[np.int64], weights: Floats, worths: Worths
) -> None:
    """Weigh the open tiles for every seat; the desks get the seats' things, in their order."""
    auction.seats = whole(table.seats)
    auction.starter = whole(table.starter)
    auction.has_fly = 1 * (table.round_number >= first_fly_round(table))
    list_open(auction, table)
    row = ROW * (whole(table.round_number) - 1)
    for coins in range(MOST_COINS + 1):
        auction.purse[coins] = weights[row + COIN + coins]
    envy_all(auction)
    auction.bid[:] = 0
    for seat in range(auction.seats):
        set_out(desks[seat], table, seat)
        auction.coins[seat] = desks[seat].coins
        weigh_tiles(auction, desks[seat : seat + 1], seat, leans[seat], weights, worths)
        rank_tiles(auction, seat)
    cap_bids(auction)


# --- Playing it


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
            worth = result(auction, other, take_best(auction, other), turn == last)
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
    return auction.place_worth[place] + auction.purse[left]


@compiled
def envious_pick(auction: Auction, seat: int, place: int) -> int:
    """Return the kind to pick at this place in the line: worth most, less what is envied of those behind."""
    chosen, best = NONE, -1e9
    auction.taken_before[:] = auction.taken
    for kind in range(auction.kinds):
        if auction.taken_before[kind] == auction.tiles[kind]:
            continue
        auction.taken[kind] += 1
        worth = value(auction, seat, kind, auction.coins[seat] - auction.bid[seat])
        for behind in range(place + 1, auction.seats):
            other = auction.line[behind]
            got = result(auction, other, take_best(auction, other), behind == auction.seats - 1)
            worth -= auction.envy[seat, other] * got
        auction.taken[:] = auction.taken_before
        if worth > best:
            chosen, best = kind, worth
    auction.taken[chosen] += 1
    return chosen


# --- Balance


@compiled
def fraction(stream: Stream) -> float:
    """Return a random number from 0 to 1."""
    return (below(stream, FINE) + 0.5) / FINE


@compiled
def drawn_bid(mixture: npt.NDArray[np.float64], most: int, stream: Stream) -> int:
    """Draw a bid from a mixture that need not add up to one."""
    total = 0.0
    for bid in range(most + 1):
        total += mixture[bid]
    rest = fraction(stream) * total
    for bid in range(most):
        rest -= mixture[bid]
        if rest < 0:
            return bid
    return most


@compiled
def mix(auction: Auction, seat: int) -> None:
    """Mix a seat's bids by what it regrets."""
    total, most = 0.0, auction.most[seat]
    for bid in range(most + 1):
        total += auction.regret[seat, bid]
    for bid in range(most + 1):
        auction.mixture[seat, bid] = auction.regret[seat, bid] / total if total > 0 else 1.0 / (most + 1)


@compiled
def regret_bids(auction: Auction, seat: int, weight: float) -> None:
    """Compare what each bid would have brought with what the mixture brings; only what is regretted is kept."""
    note_places(auction, seat)
    mean, most = 0.0, auction.most[seat]
    for bid in range(most + 1):
        mean += auction.mixture[seat, bid] * gain(auction, seat, bid)
    for bid in range(most + 1):
        changed = auction.regret[seat, bid] + gain(auction, seat, bid) - mean
        auction.regret[seat, bid] = max(0.0, changed)
        auction.balanced[seat, bid] += weight * auction.mixture[seat, bid]


@apart
def balance(auction: Auction, rounds: int, stream: Stream) -> None:
    """Let the seats play the auction so many times and learn from it; later rounds count more."""
    auction.regret[:] = 0.0
    auction.balanced[:] = 0.0
    for number in range(rounds):
        for seat in range(auction.seats):
            mix(auction, seat)
        for seat in range(auction.seats):
            auction.bid[seat] = drawn_bid(auction.mixture[seat], auction.most[seat], stream)
        for seat in range(auction.seats):
            regret_bids(auction, seat, 1.0 + number)


@compiled
def balanced_bid(auction: Auction, seat: int, stream: Stream) -> int:
    """Draw a bid from a seat's balanced mixture."""
    return drawn_bid(auction.balanced[seat], auction.most[seat], stream)


@compiled
def pick_in_line(auction: Auction, means: npt.NDArray[np.float64]) -> None:
    """Note what all can expect after the bids that were made."""
    line_up(auction, NONE)
    auction.taken[:] = 0
    for place in range(auction.seats):
        seat = auction.line[place]
        means[seat] = result(auction, seat, take_best(auction, seat), place == auction.seats - 1)


@apart
def weigh_bids(auction: Auction, seat: int, samples: int, stream: Stream, means: npt.NDArray[np.float64]) -> None:
    """Add to the means, by bid and seat, what all can expect when the others bid by their balanced mixtures."""
    for _ in range(samples):
        for other in range(auction.seats):
            auction.bid[other] = balanced_bid(auction, other, stream)
        note_places(auction, seat)
        for bid in range(auction.most[seat] + 1):
            place = place_of(auction, seat, bid)
            left = auction.coins[seat] - bid + auction.place_income[place]
            for other in range(auction.seats):
                worth = auction.place_others[place, other]
                if other == seat:
                    worth = auction.place_own[place] + auction.purse[left]
                means[bid, other] += worth / samples
