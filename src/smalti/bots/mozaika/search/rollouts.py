"""Monte Carlo rollouts of one board, compiled: games are played to their end in which the others only bid and pick.

That is ten times as fast as playing everybody's board, and what the others lay is nothing to this one. Rollouts use
common random numbers: draws and bids depend on the number of the rollout alone, so that all candidates have the same
luck.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.evaluate.board_value import coins_worth, hold, worth_now
from smalti.bots.mozaika.evaluate.features import NONE, ROW, Floats
from smalti.bots.mozaika.evaluate.moves import NOTHING, Worths, best_fly, best_lay, income
from smalti.bots.mozaika.evaluate.scratch import (
    TYPE_COUNT,
    Boards,
    BoardScratch,
    note_bag,
    note_flies,
    put_tile,
    set_out,
)
from smalti.bots.mozaika.search.bid_model import NO_FLY, fly_stage, spite
from smalti.bots.mozaika.search.opponents import (
    SPREAD,
    Opponents,
    draw_tiles,
    note_ahead,
    note_poorest,
    note_purses,
    others_bid,
    pick_in_turn,
)
from smalti.engine.chance import Stream, below, mixed
from smalti.engine.compiled import apart, compiled, wrapping
from smalti.games.mozaika.tables import CELLS, MOST_COINS, Table

USUAL_INCOME = 2  # coins a round
THRIFT = 0.6  # what a coin is worth to who plays on, of what was learned; more or less of it makes little difference
MOST_BID = 8  # coins that who plays on ever bids
STRIDE = np.uint64(0x9E3779B97F4A7C15)


class RolloutScratch(NamedTuple):
    """The candidates of some rollouts, and room to play them in."""

    boards: Boards  # the candidates behind the first one, which is played on
    bids: npt.NDArray[np.int64]  # by candidate, for the tiles that lie open; NONE: it has laid already
    opponents: npt.NDArray[Any]  # as they are at the table, behind a copy that is played with
    weights: Floats
    worths: Worths
    stream: Stream


class Candidate(NamedTuple):
    """What a seat has done when rollouts begin."""

    tile: int  # that it has got; NONE: none
    lay: int  # NONE: none yet
    has_fly: bool  # whether it then places a fly


# --- One's own bid


@compiled
def weigh_open(board: BoardScratch, opponents: Opponents, weights: Floats, worths: Worths) -> None:
    """Note what every open tile makes of the board, and line their worths up."""
    found = 0
    for tile in range(TYPE_COUNT):
        if opponents.open[tile] == 0:
            continue
        board.hand[tile] += 1
        opponents.lay[tile], opponents.worth[tile] = best_lay(board, 0, NONE, weights, worths)
        board.hand[tile] -= 1
        for _ in range(opponents.open[tile]):
            place = found
            while place > 0 and opponents.ranked[place - 1] < opponents.worth[tile]:
                opponents.ranked[place] = opponents.ranked[place - 1]
                place -= 1
            opponents.ranked[place] = opponents.worth[tile]
            found += 1


@compiled
def worth_behind(opponents: Opponents, others: int) -> float:
    """Return what is left to take on average when so many others have taken tiles: any, or what would be missed."""
    worth, likely = 0.0, 1.0
    for place in range(others + 1):
        first = others - place
        loss = opponents.ranked[place] - opponents.ranked[place + 1] if place < opponents.seats else 0.0
        spared = max(0.0, 1 - spite(opponents.seats) * loss / SPREAD) ** first
        left = (1 - first / (opponents.seats + 1 - place)) * spared
        worth += likely * left * opponents.ranked[place]
        likely *= 1 - left
    return worth


@compiled
def fly_cost(board: BoardScratch, weights: Floats, worths: Worths) -> float:
    """Return what a fly takes from the board as it is."""
    hold(board, NONE, weights)
    return best_fly(board, NONE, NONE, weights, worths)[1]


@compiled
def own_bid(board: BoardScratch, opponents: Opponents, weights: Floats, worths: Worths) -> int:
    """Return the bid that pays best against what the others are thought to bid."""
    sting = fly_cost(board, weights, worths) if opponents.fly_stage > NO_FLY else 0.0
    chosen, best = 0, NOTHING
    for bid in range(min(board.coins, MOST_BID) + 1):
        note_ahead(opponents, bid)
        worth = THRIFT * coins_worth(ROW * board.lying, board.rivals, board.coins - bid + USUAL_INCOME, weights)
        for others in range(opponents.seats):
            worth += opponents.ahead[others] * worth_behind(opponents, others)
        worth += opponents.ahead[opponents.seats - 1] * sting
        if worth > best:
            chosen, best = bid, worth
    return chosen


# --- Rounds


@compiled
def lay_tile(board: BoardScratch, lay: int) -> None:
    """Lay a tile of the hand, and take the coins for it. (MZ-8, MZ-9)"""
    tile, cell = lay // CELLS, lay % CELLS
    board.coins += income(board, tile, cell)
    board.hand[tile] -= 1
    put_tile(board, tile, cell)


@compiled
def place_fly(board: BoardScratch, weights: Floats, worths: Worths) -> None:
    """Put a fly where it hurts least. (MZ-10)"""
    hold(board, NONE, weights)
    note_flies(board, board.flies | 1 << best_fly(board, NONE, NONE, weights, worths)[0])


@compiled
def bid_all(
    board: BoardScratch, opponents: Opponents, bid: int, weights: Floats, worths: Worths, stream: Stream
) -> None:
    """Let everybody bid and pay, the seat this much or (NONE) what pays best; the others earn what is usual."""
    for other in range(opponents.seats):
        opponents.bid[other] = others_bid(opponents, other, stream)
    opponents.bid[opponents.seat] = bid if bid != NONE else own_bid(board, opponents, weights, worths)
    board.coins -= opponents.bid[opponents.seat]
    for other in range(opponents.seats):
        left = opponents.purse[other] - opponents.bid[other] + below(stream, 2 * USUAL_INCOME + 1)
        opponents.purse[other] = min(left, MOST_COINS)


@apart
def play_round(
    board: BoardScratch, opponents: Opponents, bid: int, weights: Floats, worths: Worths, stream: Stream
) -> None:
    """Play one round of the game; with a bid (not NONE) the tiles lie open already."""
    # 1. Draw the open tiles.
    opponents.starter = board.lying % opponents.seats
    opponents.fly_stage = fly_stage(board.lying + 1, opponents.seats)
    opponents.is_now = 1 * (bid != NONE)
    if bid == NONE:
        draw_tiles(board, opponents, stream)
    # 2. Bid.
    note_bag(board)
    note_purses(board, opponents)
    note_poorest(opponents)
    weigh_open(board, opponents, weights, worths)
    bid_all(board, opponents, bid, weights, worths, stream)
    # 3. Pick, lay, and place a fly.
    is_last = pick_in_turn(board, opponents, stream)
    lay_tile(board, opponents.lay[opponents.got])
    if is_last and opponents.fly_stage > NO_FLY:
        place_fly(board, weights, worths)
    # 4. Put back what nobody took.
    for tile in range(TYPE_COUNT):
        board.left[tile] += opponents.open[tile]


@wrapping
def luck(key: np.uint64, round_number: int) -> np.uint64:
    """Return where the random numbers of a round begin."""
    return mixed(key * STRIDE + np.uint64(round_number))


@compiled
def play_on(scratch: RolloutScratch, bid: int, key: np.uint64) -> float:
    """Play until the board is full, and return its points; with a bid (not NONE) the tiles lie open already."""
    board, weights = scratch.boards[0], scratch.weights
    while board.lying < CELLS:
        scratch.stream[0] = luck(key, board.lying)
        play_round(board, scratch.opponents[0], bid, weights, scratch.worths, scratch.stream)
        bid = NONE
    note_bag(board)
    hold(board, NONE, weights)
    return worth_now(board, weights)


@apart
def roll_out(scratch: RolloutScratch, first: int, number: int, seed: np.uint64, totals: Worths) -> None:
    """Add to the totals, by candidate, what becomes of it in so many rollouts, the same for all."""
    for rollout in range(first, first + number):
        for candidate in range(len(totals)):
            scratch.boards[0] = scratch.boards[1 + candidate]
            scratch.opponents[0] = scratch.opponents[1]
            totals[candidate] += play_on(scratch, scratch.bids[candidate], luck(seed, rollout))


@apart
def set_out_candidate(scratch: RolloutScratch, number: int, table: Table, seat: int, candidate: Candidate) -> None:
    """Set out a seat's board, hand and purse as they are with the candidate of that number."""
    board = scratch.boards[1 + number]
    set_out(board, table, seat)
    if candidate.tile != NONE:
        board.hand[candidate.tile] += 1
    if candidate.lay != NONE:
        lay_tile(board, candidate.lay)
    if candidate.has_fly:
        place_fly(board, scratch.weights, scratch.worths)
