"""A sealed-bid auction of Mozaika, compiled: which tiles lie open, and what each is worth to each seat."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.evaluate.board_value import coins_worth
from smalti.bots.mozaika.evaluate.features import NONE, ROW, Floats
from smalti.bots.mozaika.evaluate.moves import LAYS, Worths, best_fly, best_lay, income
from smalti.bots.mozaika.evaluate.scratch import TYPE_COUNT, Boards, BoardScratch, Number, Numbers, Points, set_out
from smalti.bots.mozaika.search.bid_model import NO_FLY, aggressive_most, fly_stage
from smalti.engine.bits import whole
from smalti.engine.compiled import apart, compiled
from smalti.engine.game import Game
from smalti.engine.loops.playing import Tables
from smalti.engine.record import Record
from smalti.engine.rules import Moves, Weights
from smalti.games.mozaika.tables import CELLS, MOST_COINS, Table

BIDS = MOST_COINS + 1
SEATS = 5  # at most
USUAL_BID = 1  # coins that somebody is likely to have paid when laying


class Auction(Record):
    """The open tiles, what each is worth to each seat, and how the seats bid."""

    seats: Number
    starter: Number
    has_fly: Number
    fly_stage: Number
    poorest: Number  # the seat that all others can outbid
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
    purse: Annotated[Points, 5, 59]  # by seat and coins: what they are worth
    aggression: Annotated[Points, 5]  # by seat: how likely it is to bid aggressively
    model_seats: Number  # the number of seats whose bid model is used, the table's or another
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


class RoundScratch(NamedTuple):
    """A table, the weights for its seats, and room to think a round through."""

    tables: Tables  # the first one is thought about
    boards: Boards  # by seat
    auctions: npt.NDArray[Any]
    weights: Floats
    worths: Worths
    moves: Moves
    odds: Weights


def new_scratch(game: Game, weights: Floats, tables: int = 1) -> RoundScratch:
    """Return scratch with room for so many tables."""
    boards, auctions = BoardScratch.batch(SEATS), Auction.batch(1)
    return RoundScratch(game.table.batch(tables), boards, auctions, weights, np.zeros(LAYS), *game.buffers())


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
def fill_purse(auction: Auction, seat: int, row: int, rivals: int, weights: Floats) -> None:
    """Note for one seat what coins are worth after the round."""
    for coins in range(MOST_COINS + 1):
        auction.purse[seat, coins] = coins_worth(row, rivals, coins, weights)


@compiled
def weigh_tiles(auction: Auction, boards: Boards, seat: int, lean: int, weights: Floats, worths: Worths) -> None:
    """Note for one seat what each open tile makes of its board."""
    board = boards[0]
    for kind in range(auction.kinds):
        board.hand[auction.tile[kind]] += 1
        paid = min(USUAL_BID, board.coins)
        lay, worth = best_lay(board, paid, lean, weights, worths)
        tile, cell = lay // CELLS, lay % CELLS
        earned = income(board, tile, cell)
        auction.income[seat, kind] = earned
        auction.worth[seat, kind] = worth - auction.purse[seat, board.coins - paid + earned]
        auction.fly[seat, kind] = best_fly(board, tile, cell, weights, worths)[1] if auction.has_fly else 0.0
        board.hand[auction.tile[kind]] -= 1


@compiled
def value(auction: Auction, seat: int, kind: int, coins: int) -> float:
    """Return what a seat can expect that gets such a tile and no fly, with so many coins left before laying."""
    return auction.worth[seat, kind] + auction.purse[seat, coins + auction.income[seat, kind]]


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
def likely_most(auction: Auction, seat: int) -> int:
    """Return the highest bid that others must reckon with."""
    if auction.aggression[seat] == 0:
        return auction.most[seat]
    is_poorest = 1 * (seat == auction.poorest)
    return max(
        auction.most[seat], aggressive_most(auction.model_seats, auction.fly_stage, is_poorest, auction.coins[seat])
    )


@compiled
def cap_bids(auction: Auction) -> None:
    """Let nobody bid more than one coin beyond what is worth it for any other."""
    first, second = 0, 0
    for seat in range(auction.seats):
        most = likely_most(auction, seat)
        first, second = max(first, most), max(second, min(first, most))
    for seat in range(auction.seats):
        others = second if likely_most(auction, seat) == first else first
        auction.most[seat] = min(auction.most[seat], others + 1)


@compiled
def note_poorest(auction: Auction) -> None:
    """Note whom all others can outbid: who has least, and of equals who is farthest from the start player."""
    least = 0
    for distance in range(auction.seats):
        seat = (auction.starter + distance) % auction.seats
        if distance == 0 or auction.coins[seat] <= least:
            least, auction.poorest = auction.coins[seat], seat


@compiled
def open_for(scratch: RoundScratch, seat: int, lean: int) -> None:
    """Weigh the open tiles for one seat, on its own board."""
    auction, boards, table = scratch.auctions[0], scratch.boards[seat : seat + 1], scratch.tables[0]
    set_out(boards[0], table, seat)
    auction.coins[seat] = boards[0].coins
    fill_purse(auction, seat, ROW * (whole(table.round_number) - 1), boards[0].rivals, scratch.weights)
    weigh_tiles(auction, boards, seat, lean, scratch.weights, scratch.worths)
    rank_tiles(auction, seat)


@apart
def open_auction(scratch: RoundScratch, leans: npt.NDArray[np.int64]) -> None:
    """Weigh the open tiles of the first table for every seat; each gets its board, in their order."""
    auction, table = scratch.auctions[0], scratch.tables[0]
    auction.seats = whole(table.seats)
    auction.starter = whole(table.starter)
    auction.fly_stage = fly_stage(whole(table.round_number), auction.seats)
    auction.has_fly = 1 * (auction.fly_stage > NO_FLY)
    list_open(auction, table)
    envy_all(auction)
    auction.bid[:] = 0
    for seat in range(auction.seats):
        open_for(scratch, seat, leans[seat])
    note_poorest(auction)
    cap_bids(auction)
