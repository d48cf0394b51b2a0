"""A cheap model of the opponents for rollouts, compiled: what they own, bid and take away, but not what they lay."""

from __future__ import annotations

from typing import Annotated

from smalti.bots.mozaika.evaluate.features import NONE, RIVAL_STEP, RIVALS, Floats
from smalti.bots.mozaika.evaluate.moves import NOTHING, Worths, best_lay
from smalti.bots.mozaika.evaluate.scratch import TYPE_COUNT, Boards, BoardScratch, Number, Numbers, Points, set_out
from smalti.bots.mozaika.search.bid_model import (
    CAUTIOUS_ABOVE,
    FINE,
    aggressive_above,
    aggressive_drawn,
    drawn_above,
    spite,
)
from smalti.engine.bits import whole
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record
from smalti.games.mozaika.tables import Table

SPREAD = 3.0  # points by which open tiles may differ for somebody whose board is not known


class Opponents(Record):
    """The others as far as they matter to a board: what they own and like; and an auction among them."""

    seats: Number
    seat: Number  # whose board it is
    purse: Annotated[Numbers, 5]
    aggression: Annotated[Points, 5]  # how likely each is to bid aggressively
    poorest: Number  # the seat that all others can outbid
    liking: Annotated[Points, 5, 12]  # by seat and type: what it is worth to them, as their boards are now

    starter: Number  # of this round
    fly_stage: Number
    is_now: Number  # whether the others still are as they were read from the table
    open: Annotated[Numbers, 12]  # by type: tiles
    worth: Annotated[Points, 12]  # by type: of the board with its best lay
    lay: Annotated[Numbers, 12]
    got: Number  # the type that was picked
    ranked: Annotated[Points, 6]  # worths of all open tiles, the best first
    bid: Annotated[Numbers, 5]
    ahead: Annotated[Points, 6]  # by number of others: how likely so many pick before


# --- The others


@compiled
def distance(opponents: Opponents, seat: int) -> int:
    """Return how far a seat sits from the start player."""
    return (seat - opponents.starter + opponents.seats) % opponents.seats


@compiled
def rank_in_line(opponents: Opponents, seat: int, bid: int) -> int:
    """Return a number that is higher for whoever picks earlier. (MZ-5)"""
    return 8 * bid - distance(opponents, seat)


@compiled
def note_purses(board: BoardScratch, opponents: Opponents) -> None:
    """Note how many coins the others have on average."""
    coins = 0
    opponents.purse[opponents.seat] = board.coins
    for other in range(opponents.seats):
        coins += opponents.purse[other] if other != opponents.seat else 0
    board.rivals = min(RIVALS - 1, coins // (RIVAL_STEP * (opponents.seats - 1)))


@compiled
def note_poorest(opponents: Opponents) -> None:
    """Note whom all others can outbid."""
    least = 0
    for place in range(opponents.seats):
        seat = (opponents.starter + place) % opponents.seats
        if place == 0 or opponents.purse[seat] <= least:
            least, opponents.poorest = opponents.purse[seat], seat


@compiled
def likely_above(opponents: Opponents, other: int, bid: int) -> float:
    """Return how likely another bids more than so much; everybody bids more than −1."""
    if bid < 0:
        return 1.0
    aggression, purse, stage = opponents.aggression[other], opponents.purse[other], opponents.fly_stage
    by_aggressive = aggressive_above(opponents.seats, stage, 1 * (other == opponents.poorest), purse, bid)
    return aggression * by_aggressive + (1 - aggression) * CAUTIOUS_ABOVE[stage, purse, bid]


@compiled
def others_bid(opponents: Opponents, other: int, stream: Stream) -> int:
    """Draw what another bids."""
    purse, is_poorest = opponents.purse[other], 1 * (other == opponents.poorest)
    if below(stream, FINE) < FINE * opponents.aggression[other]:
        return aggressive_drawn(opponents.seats, opponents.fly_stage, is_poorest, purse, stream)
    return drawn_above(CAUTIOUS_ABOVE[opponents.fly_stage, purse], stream)


@compiled
def note_ahead(opponents: Opponents, bid: int) -> None:
    """Note how likely so many of the others pick before a seat with this bid."""
    opponents.ahead[:] = 0.0
    opponents.ahead[0] = 1.0
    near, others = distance(opponents, opponents.seat), 0
    for other in range(opponents.seats):
        if other == opponents.seat:
            continue
        is_nearer = distance(opponents, other) < near
        likely = likely_above(opponents, other, bid - is_nearer)
        for number in range(others, -1, -1):
            opponents.ahead[number + 1] += likely * opponents.ahead[number]
            opponents.ahead[number] *= 1 - likely
        others += 1


@compiled
def dearest(opponents: Opponents) -> tuple[int, float]:
    """Return the open tile that the seat would miss most, and what it would lose with it."""
    first, best, second = NONE, NOTHING, NOTHING
    for tile in range(TYPE_COUNT):
        if opponents.open[tile] == 0:
            continue
        worth = opponents.worth[tile]
        if worth > best:
            first, best, second = tile, worth, worth if opponents.open[tile] > 1 else best
        else:
            second = max(second, worth)
    return first, best - second


@compiled
def take_liked(opponents: Opponents, other: int, missed: int, loss: float, stream: Stream) -> None:
    """Let another take a tile: what its board wants now, or, because boards change, any other; or what is missed."""
    by_liking = opponents.is_now == 1 or below(stream, 2) == 0
    chosen, most = NONE, NOTHING
    for tile in range(TYPE_COUNT):
        if opponents.open[tile] > 0:
            worth = opponents.liking[other, tile] if by_liking else SPREAD * below(stream, FINE) / FINE
            if tile == missed:
                worth += spite(opponents.seats) * loss
            if worth > most:
                chosen, most = tile, worth
    opponents.open[chosen] -= 1


# --- Tiles


@compiled
def draw_tiles(board: BoardScratch, opponents: Opponents, stream: Stream) -> None:
    """Draw the open tiles of a round. (MZ-3)"""
    opponents.open[:] = 0
    total = 0
    for tile in range(TYPE_COUNT):
        total += board.left[tile]
    for _ in range(min(opponents.seats + 1, total)):
        rest, tile = below(stream, total), 0
        while rest >= board.left[tile]:
            rest -= board.left[tile]
            tile += 1
        board.left[tile] -= 1
        opponents.open[tile] += 1
        total -= 1


@compiled
def pick_in_turn(board: BoardScratch, opponents: Opponents, stream: Stream) -> bool:
    """Let everybody take a tile, the seat the best one that is left; say whether it came last."""
    done, is_last = 0, False
    for turn in range(opponents.seats):
        first, most = NONE, NONE
        for seat in range(opponents.seats):
            rank = rank_in_line(opponents, seat, opponents.bid[seat]) + 8
            if (done >> seat) & 1 == 0 and rank > most:
                first, most = seat, rank
        done |= 1 << first
        if first != opponents.seat:
            missed, loss = dearest(opponents) if (done >> opponents.seat) & 1 == 0 else (NONE, 0.0)
            take_liked(opponents, first, missed, loss, stream)
            continue
        chosen, best = NONE, NOTHING
        for tile in range(TYPE_COUNT):
            if opponents.open[tile] > 0 and opponents.worth[tile] > best:
                chosen, best = tile, opponents.worth[tile]
        opponents.open[chosen] -= 1
        board.hand[chosen] += 1
        opponents.got = chosen
        is_last = turn == opponents.seats - 1
    return is_last


# --- From a table


@apart
def read_opponents(
    opponents: Opponents, table: Table, seat: int, aggression: Worths, boards: Boards, weights: Floats, worths: Worths
) -> None:
    """Note what the others own, how likely they are to bid aggressively, and what they would like to have."""
    board = boards[0]
    opponents.seats, opponents.seat = whole(table.seats), seat
    for tile in range(TYPE_COUNT):
        opponents.open[tile] = whole(table.display[tile])
    for other in range(whole(table.seats)):
        opponents.purse[other], opponents.aggression[other] = whole(table.coins[other]), aggression[other]
        if other == seat:
            continue
        set_out(board, table, other)
        for tile in range(TYPE_COUNT):
            board.hand[tile] += 1
            opponents.liking[other, tile] = best_lay(board, 0, NONE, weights, worths)[1]
            board.hand[tile] -= 1
