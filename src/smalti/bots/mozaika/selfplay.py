"""Games of bots against each other for learning, compiled: who sits there, how they play, and what was seen.

Most seats play as well as they can. Others begin as somebody else, so that boards are met that good players would
never reach by themselves: builders of a symmetry, hunters of coins, friends of a colour or symbol, misers, spenders,
and players with noisy eyes. After some rounds they too play as well as they can. At some tables most bid lavishly.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.bidding import balance, balanced_bid, fraction, lavish_bid
from smalti.bots.mozaika.desk import Desk, Desks, Number, Numbers, Points, set_out
from smalti.bots.mozaika.features import MOST_FEATURES, NONE, ROWS, Floats
from smalti.bots.mozaika.foresight import move_on
from smalti.bots.mozaika.lavish import FEWEST
from smalti.bots.mozaika.laying import LAYS, LEANS, NOTHING, Worths, best_fly, best_lay
from smalti.bots.mozaika.offers import Auction, open_auction
from smalti.bots.mozaika.picking import envious_pick, line_up
from smalti.bots.mozaika.weighing import hold, list_features, worth_now
from smalti.engine.bits import lowest, whole
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.playing import Tables, chance_move
from smalti.engine.record import Record
from smalti.engine.rules import CHANCE, NOBODY, Moves, Weights, acting
from smalti.games.mozaika.tables import BID, BIDDING, FLY, LAY, LAYING, OVER, PICK, PICKING, Table

MISER, SPENDER, NOISY_BIDS, LAVISHLY = 1, 2, 3, 4
SEATS = 5
LEARNING_ROUNDS = 32  # of balancing bids
SUSPICION = 0.25  # how likely everybody thinks that another bids lavishly
MOST_ENVY = 1.2


class Diary(Record):
    """What every seat has seen after each round of a game, and how it plays."""

    lean: Annotated[Numbers, 5]  # now
    leans: Annotated[Numbers, 5]  # as somebody else
    noise: Annotated[Points, 5]
    lays_until: Annotated[Numbers, 5]  # the round from which on a seat lays as well as it can
    manner: Annotated[Numbers, 5]  # of bidding
    bids_until: Annotated[Numbers, 5]
    envy: Annotated[Points, 5]  # what a point of the others counts against one's own
    seats: Number
    worth: Annotated[Points, 5, 17]  # by seat and round
    missed: Annotated[Points, 5, 17]  # what the best lay would have been worth more
    features: Annotated[npt.NDArray[np.int32], np.int32, 5, 17, MOST_FEATURES]
    found: Annotated[Numbers, 5, 17]  # how many features


Diaries = npt.NDArray[Any]


# --- Who plays


@compiled
def seat_players(diary: Diary, variety: float, stream: Stream) -> None:
    """Choose who sits where; `variety` is the share of seats that begin as somebody else."""
    is_lavish = fraction(stream) < variety
    for seat in range(SEATS):
        diary.leans[seat], diary.noise[seat], diary.manner[seat] = NONE, 0.0, 0
        diary.lays_until[seat], diary.bids_until[seat] = 0, 0
        diary.envy[seat] = MOST_ENVY * (1 + below(stream, 3)) / 3
        if fraction(stream) < variety:
            diary.lays_until[seat] = 1 + below(stream, 14)
            if below(stream, 3) > 0:
                diary.leans[seat] = below(stream, LEANS)
            else:
                diary.noise[seat] = (1 + below(stream, 4)) ** 2 / 2
        if fraction(stream) < variety:
            diary.bids_until[seat] = 2 + below(stream, 15)
            diary.manner[seat] = 1 + below(stream, 3)
        if is_lavish and below(stream, 3) > 0:
            diary.bids_until[seat], diary.manner[seat] = ROWS + 1, LAVISHLY


@compiled
def own_bid(auction: Auction, diary: Diary, seat: int, round_number: int, stream: Stream) -> int:
    """Return what a seat bids in its manner."""
    coins = auction.coins[seat]
    bid = balanced_bid(auction, seat, stream)
    if round_number >= diary.bids_until[seat]:
        return bid
    if diary.manner[seat] == MISER:
        return 0
    if diary.manner[seat] == LAVISHLY:
        return lavish_bid(auction, seat, stream)
    if diary.manner[seat] == SPENDER:
        return min(coins, bid + 1 + below(stream, 4))
    return max(0, min(coins, bid - 2 + below(stream, 5)))


# --- Playing


@compiled
def bid_all(
    table: Table, desks: Desks, auctions: Any, diary: Diary, weights: Floats, worths: Worths, stream: Stream
) -> None:
    """Let everybody bid."""
    auction, round_number = auctions[0], whole(table.round_number)
    auction.lavish[:] = SUSPICION
    auction.crowd = FEWEST  # the lavish bid as they do among three, whatever the table
    for seat in range(whole(table.seats)):
        diary.lean[seat] = diary.leans[seat] if round_number < diary.lays_until[seat] else NONE
    open_auction(auction, table, desks, diary.lean, weights, worths)
    for seat in range(auction.seats):
        auction.envy[seat] = diary.envy[seat] / (auction.seats - 1)
    balance(auction, LEARNING_ROUNDS, stream)
    for seat in range(auction.seats):
        auction.bid[seat] = own_bid(auction, diary, seat, round_number, stream)
    for seat in range(auction.seats):
        move_on(table, seat, BID + auction.bid[seat])
    line_up(auction, NONE)
    auction.taken[:] = 0


@compiled
def noisy_lay(worths: Worths, noise: float, stream: Stream) -> int:
    """Return the best lay as noisy eyes see it."""
    chosen, best = 0, NOTHING
    for lay in range(LAYS):
        if worths[lay] > NOTHING:
            worth = worths[lay] + noise * (fraction(stream) + fraction(stream) + fraction(stream) - 1.5) * 2
            if worth > best:
                chosen, best = lay, worth
    return chosen


@compiled
def lay_one(table: Table, desk: Desk, diary: Diary, seat: int, weights: Floats, worths: Worths, stream: Stream) -> None:
    """Let a seat lay a tile, and note what it misses by not laying the best."""
    round_number = whole(table.round_number)
    set_out(desk, table, seat)
    lay, best = best_lay(desk, 0, NONE, weights, worths)
    if round_number < diary.lays_until[seat]:
        if diary.noise[seat] > 0:
            lay = noisy_lay(worths, diary.noise[seat], stream)
            diary.missed[seat, round_number] = best - worths[lay]
        else:
            lay = best_lay(desk, 0, diary.leans[seat], weights, worths)[0]
            best_lay(desk, 0, NONE, weights, worths)
            diary.missed[seat, round_number] = best - worths[lay]
    else:
        diary.missed[seat, round_number] = 0.0
    move_on(table, seat, LAY + lay)


@compiled
def close_round(table: Table, desk: Desk, diary: Diary, round_number: int, weights: Floats) -> None:
    """Note what every seat's board, hand and purse are worth after a round."""
    for seat in range(whole(table.seats)):
        set_out(desk, table, seat)
        hold(desk, NONE, weights)
        diary.worth[seat, round_number] = worth_now(desk, weights)
        diary.found[seat, round_number] = list_features(desk, diary.features[seat, round_number])


@apart
def play_game(
    tables: Tables,
    desks: Desks,
    auctions: Any,
    diaries: Diaries,
    weights: Floats,
    worths: Worths,
    moves: Moves,
    odds: Weights,
    stream: Stream,
) -> None:
    """Play the game on tables[0] to its end, and keep the diary."""
    table, diary, auction = tables[0], diaries[0], auctions[0]
    diary.seats = whole(table.seats)
    while table.phase != OVER:
        who, round_number = acting(table), whole(table.round_number)
        if who == CHANCE:
            move_on(table, NOBODY, chance_move(table, moves, odds, stream))
            continue
        seat = lowest(who)
        if table.phase == BIDDING:
            bid_all(table, desks, auctions, diary, weights, worths, stream)
        elif table.phase == PICKING:
            move_on(table, seat, PICK + auction.tile[envious_pick(auction, seat, whole(table.picked))])
        elif table.phase == LAYING:
            lay_one(table, desks[0], diary, seat, weights, worths, stream)
        else:
            set_out(desks[0], table, seat)
            hold(desks[0], NONE, weights)
            move_on(table, seat, FLY + best_fly(desks[0], NONE, NONE, weights, worths)[0])
        if table.phase == OVER or whole(table.round_number) > round_number:
            close_round(table, desks[0], diary, round_number, weights)


# --- Learning


@compiled
def targets(diary: Diary, seat: int, trust: float, wanted: Worths) -> None:
    """Note for every round what its worth should have been: what came next, or would have come of the best lay."""
    wanted[ROWS] = diary.worth[seat, ROWS]
    for round_number in range(ROWS - 1, 0, -1):
        later = round_number + 1
        if diary.missed[seat, later] > 0:
            wanted[round_number] = diary.worth[seat, later] + diary.missed[seat, later]
        else:
            wanted[round_number] = (1 - trust) * diary.worth[seat, later] + trust * wanted[later]


@compiled
def learn_worth(
    features: npt.NDArray[np.int32],
    found: int,
    error: float,
    rate: float,
    weights: Floats,
    drift: Floats,
    travel: Floats,
) -> None:
    """Correct the weights of some features, each the less the more its corrections have gone to and fro."""
    for index in range(found):
        feature = features[index]
        size = abs(drift[feature]) / travel[feature] if travel[feature] > 0 else 1.0
        weights[feature] += rate * size * error / found
        drift[feature] += error
        travel[feature] += abs(error)


@apart
def learn_game(
    diaries: Diaries,
    trust: float,
    rate: float,
    wanted: Worths,
    weights: Floats,
    drift: Floats,
    travel: Floats,
    spread: Worths,
) -> None:
    """Learn from a diary; the last row is what boards score, so it needs no learning. `spread` gathers squares."""
    diary = diaries[0]
    for seat in range(diary.seats):
        targets(diary, seat, trust, wanted)
        for round_number in range(1, ROWS):
            if round_number + 1 < diary.bids_until[seat] and diary.manner[seat] != NOISY_BIDS:
                continue
            error = wanted[round_number] - diary.worth[seat, round_number]
            found = diary.found[seat, round_number]
            learn_worth(diary.features[seat, round_number], found, error, rate, weights, drift, travel)
            if round_number >= diary.lays_until[seat]:
                off = diary.worth[seat, ROWS] - diary.worth[seat, round_number]
                spread[round_number] += 0.0005 * (off * off - spread[round_number])
