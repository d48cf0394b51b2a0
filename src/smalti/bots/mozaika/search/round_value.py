"""One-round lookahead, compiled: what every seat can expect when the rest of the round is played as the bots would.

With `hands=hidden` whoever asks has dealt the hidden hands first.
"""

from __future__ import annotations

import numpy as np

from smalti.bots.mozaika.evaluate.board_value import hold, worth_now
from smalti.bots.mozaika.evaluate.features import NONE, Floats
from smalti.bots.mozaika.evaluate.moves import Worths, best_fly, best_lay
from smalti.bots.mozaika.evaluate.scratch import BoardScratch, set_out
from smalti.bots.mozaika.search.auction import Auction, RoundScratch, open_auction
from smalti.bots.mozaika.search.picking import pick_in_line, result, take_best
from smalti.bots.mozaika.search.regret_matching import balance, balanced_bid
from smalti.engine.bits import whole
from smalti.engine.chance import Stream
from smalti.engine.compiled import apart, compiled
from smalti.engine.loops.playing import chance_move
from smalti.engine.rules import CHANCE, NOBODY, acting, play
from smalti.games.mozaika.tables import BIDDING, CELLS, LAYING, PICKING, Table

NO_LEANS = np.full(5, NONE, np.int64)
SAMPLED_BIDS = 16  # sets of bids that stand for a balance


@apart
def move_on(table: Table, seat: int, move: int) -> None:
    """Play a move by the rules; apart, because they are large."""
    play(table, seat, move)


@compiled
def seat_worth(table: Table, board: BoardScratch, seat: int, weights: Floats, worths: Worths) -> float:
    """Return what a seat can expect that picks no more in this round: it lays and places its fly, if it has yet to."""
    set_out(board, table, seat)
    has_to_lay = table.phase == PICKING or (table.phase == LAYING and (whole(table.waiting) >> seat) & 1 == 1)
    tile, cell = NONE, NONE
    if has_to_lay:
        lay, worth = best_lay(board, 0, NONE, weights, worths)
        tile, cell = lay // CELLS, lay % CELLS
    else:
        hold(board, NONE, weights)
        worth = worth_now(board, weights)
    if whole(table.flown) == seat:
        worth += best_fly(board, tile, cell, weights, worths)[1]
    return worth


@compiled
def after_picks(scratch: RoundScratch, means: Worths) -> None:
    """Note what all can expect when everybody yet to pick takes what it likes best."""
    table, auction = scratch.tables[0], scratch.auctions[0]
    last = whole(table.seats) - 1
    open_auction(scratch, NO_LEANS)
    auction.taken[:] = 0
    for place in range(whole(table.seats)):
        seat = whole(table.order[place])
        if place < table.picked:
            means[seat] = seat_worth(table, scratch.boards[seat], seat, scratch.weights, scratch.worths)
        else:
            means[seat] = result(auction, seat, take_best(auction, seat), place == last)


@compiled
def after_bids(auction: Auction, stream: Stream, means: Worths, once: Worths) -> None:
    """Note what all can expect of their balanced bids, on average over some."""
    means[:] = 0.0
    for _ in range(SAMPLED_BIDS):
        for seat in range(auction.seats):
            auction.bid[seat] = balanced_bid(auction, seat, stream)
        pick_in_line(auction, once)
        for seat in range(auction.seats):
            means[seat] += once[seat] / SAMPLED_BIDS


@apart
def foresee(scratch: RoundScratch, rounds: int, stream: Stream, means: Worths) -> None:
    """Note what every seat can expect as the first table stands; what is to be drawn in this round is drawn on it."""
    table, auction = scratch.tables[0], scratch.auctions[0]
    while acting(table) == CHANCE:
        move_on(table, NOBODY, chance_move(table, scratch.moves, scratch.odds, stream))
    if table.phase == BIDDING:
        open_auction(scratch, NO_LEANS)
        balance(auction, rounds, stream)
        after_bids(auction, stream, means, scratch.worths)
    elif table.phase == PICKING:
        after_picks(scratch, means)
    else:
        for seat in range(whole(table.seats)):
            means[seat] = seat_worth(table, scratch.boards[seat], seat, scratch.weights, scratch.worths)
