"""Self-play, compiled: games of bots against each other, noted as episodes to learn from.

Most seats play as well as they can. Others explore, so that boards are met that good players would never reach: for
some rounds they favour a symmetry, coins, a colour or a symbol, bid too little or too much, or judge with noise. Then
they too play as well as they can. At some tables most bid aggressively.
"""

from __future__ import annotations

from smalti.bots.mozaika.evaluate.board_value import hold, worth_now
from smalti.bots.mozaika.evaluate.feature_index import list_features
from smalti.bots.mozaika.evaluate.features import NONE, ROWS
from smalti.bots.mozaika.evaluate.moves import LAYS, LEANS, NOTHING, Worths, best_fly, best_lay
from smalti.bots.mozaika.evaluate.scratch import set_out
from smalti.bots.mozaika.learning.episode import AGGRESSIVE, MISER, SPENDER, Episode, Episodes
from smalti.bots.mozaika.search.auction import SEATS, Auction, RoundScratch, open_auction
from smalti.bots.mozaika.search.bid_model import FEWEST
from smalti.bots.mozaika.search.picking import envious_pick, line_up
from smalti.bots.mozaika.search.regret_matching import aggressive_bid, balance, balanced_bid, fraction
from smalti.bots.mozaika.search.round_value import move_on
from smalti.engine.bits import lowest, whole
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.loops.playing import chance_move
from smalti.engine.rules import CHANCE, NOBODY, acting
from smalti.games.mozaika.tables import BID, BIDDING, FLY, LAY, LAYING, OVER, PICK, PICKING

LEARNING_ROUNDS = 32  # of regret matching
ASSUMED_AGGRESSION = 0.25  # how likely everybody thinks that another bids aggressively
MOST_ENVY = 1.2


# --- Who plays


@compiled
def seat_players(episode: Episode, variety: float, stream: Stream) -> None:
    """Choose who sits where; `variety` is the share of seats that begin as somebody else."""
    is_aggressive = fraction(stream) < variety
    for seat in range(SEATS):
        episode.leans[seat], episode.noise[seat], episode.manner[seat] = NONE, 0.0, 0
        episode.lays_until[seat], episode.bids_until[seat] = 0, 0
        episode.envy[seat] = MOST_ENVY * (1 + below(stream, 3)) / 3
        if fraction(stream) < variety:
            episode.lays_until[seat] = 1 + below(stream, 14)
            if below(stream, 3) > 0:
                episode.leans[seat] = below(stream, LEANS)
            else:
                episode.noise[seat] = (1 + below(stream, 4)) ** 2 / 2
        if fraction(stream) < variety:
            episode.bids_until[seat] = 2 + below(stream, 15)
            episode.manner[seat] = 1 + below(stream, 3)
        if is_aggressive and below(stream, 3) > 0:
            episode.bids_until[seat], episode.manner[seat] = ROWS + 1, AGGRESSIVE


@compiled
def own_bid(auction: Auction, episode: Episode, seat: int, round_number: int, stream: Stream) -> int:
    """Return what a seat bids in its manner."""
    coins = auction.coins[seat]
    bid = balanced_bid(auction, seat, stream)
    if round_number >= episode.bids_until[seat]:
        return bid
    if episode.manner[seat] == MISER:
        return 0
    if episode.manner[seat] == AGGRESSIVE:
        return aggressive_bid(auction, seat, stream)
    if episode.manner[seat] == SPENDER:
        return min(coins, bid + 1 + below(stream, 4))
    return max(0, min(coins, bid - 2 + below(stream, 5)))


# --- Playing


@compiled
def bid_all(scratch: RoundScratch, episode: Episode, stream: Stream) -> None:
    """Let everybody bid."""
    table, auction = scratch.tables[0], scratch.auctions[0]
    round_number = whole(table.round_number)
    auction.aggression[:] = ASSUMED_AGGRESSION
    auction.model_seats = FEWEST  # the aggressive bid as they do among three, whatever the table
    for seat in range(whole(table.seats)):
        episode.lean[seat] = episode.leans[seat] if round_number < episode.lays_until[seat] else NONE
    open_auction(scratch, episode.lean)
    for seat in range(auction.seats):
        auction.envy[seat] = episode.envy[seat] / (auction.seats - 1)
    balance(auction, LEARNING_ROUNDS, stream)
    for seat in range(auction.seats):
        auction.bid[seat] = own_bid(auction, episode, seat, round_number, stream)
    for seat in range(auction.seats):
        move_on(table, seat, BID + auction.bid[seat])
    line_up(auction, NONE)
    auction.taken[:] = 0


@compiled
def pick_one(scratch: RoundScratch, seat: int) -> None:
    """Let a seat pick a tile."""
    table, auction = scratch.tables[0], scratch.auctions[0]
    move_on(table, seat, PICK + auction.tile[envious_pick(auction, seat, whole(table.picked))])


@compiled
def noisy_lay(worths: Worths, noise: float, stream: Stream) -> int:
    """Return the lay that seems best through noise."""
    chosen, best = 0, NOTHING
    for lay in range(LAYS):
        if worths[lay] > NOTHING:
            worth = worths[lay] + noise * (fraction(stream) + fraction(stream) + fraction(stream) - 1.5) * 2
            if worth > best:
                chosen, best = lay, worth
    return chosen


@compiled
def lay_one(scratch: RoundScratch, episode: Episode, seat: int, stream: Stream) -> None:
    """Let a seat lay a tile, and note what it misses by not laying the best."""
    table, board, weights, worths = scratch.tables[0], scratch.boards[0], scratch.weights, scratch.worths
    round_number = whole(table.round_number)
    set_out(board, table, seat)
    lay, best = best_lay(board, 0, NONE, weights, worths)
    episode.missed[seat, round_number] = 0.0
    if round_number < episode.lays_until[seat]:
        if episode.noise[seat] > 0:
            lay = noisy_lay(worths, episode.noise[seat], stream)
        else:
            lay = best_lay(board, 0, episode.leans[seat], weights, worths)[0]
            best_lay(board, 0, NONE, weights, worths)
        episode.missed[seat, round_number] = best - worths[lay]
    move_on(table, seat, LAY + lay)


@compiled
def fly_one(scratch: RoundScratch, seat: int) -> None:
    """Let a seat put its fly where it hurts least."""
    table, board = scratch.tables[0], scratch.boards[0]
    set_out(board, table, seat)
    hold(board, NONE, scratch.weights)
    move_on(table, seat, FLY + best_fly(board, NONE, NONE, scratch.weights, scratch.worths)[0])


@compiled
def act(scratch: RoundScratch, episode: Episode, seat: int, stream: Stream) -> None:
    """Let a seat do what it has to do; bids are made by all at once."""
    phase = scratch.tables[0].phase
    if phase == BIDDING:
        bid_all(scratch, episode, stream)
    elif phase == PICKING:
        pick_one(scratch, seat)
    elif phase == LAYING:
        lay_one(scratch, episode, seat, stream)
    else:
        fly_one(scratch, seat)


@compiled
def close_round(scratch: RoundScratch, episode: Episode, round_number: int) -> None:
    """Note what every seat's board, hand and purse are worth after a round."""
    table, board = scratch.tables[0], scratch.boards[0]
    for seat in range(whole(table.seats)):
        set_out(board, table, seat)
        hold(board, NONE, scratch.weights)
        episode.worth[seat, round_number] = worth_now(board, scratch.weights)
        episode.found[seat, round_number] = list_features(board, episode.features[seat, round_number])


@apart
def play_game(scratch: RoundScratch, episodes: Episodes, stream: Stream) -> None:
    """Play the game on the first table to its end, and note it as the first episode."""
    table, episode = scratch.tables[0], episodes[0]
    episode.seats = whole(table.seats)
    while table.phase != OVER:
        who, round_number = acting(table), whole(table.round_number)
        if who == CHANCE:
            move_on(table, NOBODY, chance_move(table, scratch.moves, scratch.odds, stream))
            continue
        act(scratch, episode, lowest(who), stream)
        if table.phase == OVER or whole(table.round_number) > round_number:
            close_round(scratch, episode, round_number)
