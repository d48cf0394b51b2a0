"""What holds for the rollouts and the opponent model of the bots of Mozaika: they keep the rules, with common luck."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest

from smalti import games
from smalti.bots.bot import Budget
from smalti.bots.mozaika.evaluate.features import NONE, first_weights
from smalti.bots.mozaika.evaluate.moves import LAYS, best_lay
from smalti.bots.mozaika.evaluate.scratch import BoardScratch, set_out
from smalti.bots.mozaika.search.bid_model import (
    AGGRESSIVE_ABOVE,
    AT_FIRST,
    CAUTIOUS_ABOVE,
    FIRST_FLY,
    LIKE_CAUTIOUS,
    MORE_FLIES,
    NO_FLY,
    estimated_aggression,
    fly_stage,
    spent,
)
from smalti.bots.mozaika.search.context import SeatContext, Style
from smalti.bots.mozaika.search.opponents import (
    Opponents,
    dearest,
    likely_above,
    note_ahead,
    note_poorest,
    others_bid,
    pick_in_turn,
    read_opponents,
    take_liked,
)
from smalti.bots.mozaika.search.rollouts import (
    Candidate,
    RolloutScratch,
    lay_tile,
    play_round,
    roll_out,
    set_out_candidate,
    worth_behind,
)
from smalti.bots.mozaika.search.successive_halving import Trial, trial_worths
from smalti.engine.chance import stream_of
from smalti.engine.compiled import settings
from smalti.engine.match import Match
from smalti.games.mozaika.rules import first_fly_round
from smalti.games.mozaika.tables import BIDDING, CELLS, COPIES, LAY, LAYING, MOST_COINS
from tests.bots.tables import Setting, seen_by, table_after
from tests.support import step

GAME = games.find("mozaika")
WEIGHTS = first_weights()
SOME = 2 if settings.DISABLE_JIT else 40


def at_laying(seats: int, events: int = 40) -> Match:
    """Return a match in which somebody has to lay, in the middle of a game."""
    while True:
        match = table_after(Setting("mozaika", seats, {}), events)
        if match.table.phase == LAYING:
            return match
        events += 1


def opponents_of(table: Any, seat: int) -> Any:
    sides = Opponents.batch(2)
    read_opponents(sides[1], table, seat, np.full(5, 0.4), BoardScratch.batch(1), WEIGHTS, np.zeros(LAYS))
    sides[0] = sides[1]
    return sides


def scratch_of(boards: Any, opponents: Any) -> RolloutScratch:
    bids = np.full(len(boards) - 1, NONE)
    return RolloutScratch(boards, bids, opponents, WEIGHTS, np.zeros(LAYS), np.zeros(1, np.uint64))


def best_start(table: Any, seat: int, boards: Any, number: int = 0) -> int:
    """Put a seat's things on the board of a candidate with its best lay, and return that lay."""
    set_out(boards[0], table, seat)
    lay = int(best_lay(boards[0], 0, NONE, WEIGHTS, np.zeros(LAYS))[0])
    set_out_candidate(scratch_of(boards, Opponents.batch(2)), number, table, seat, Candidate(NONE, lay, False))
    return lay


# --- How others bid


def test_bids_are_never_more_than_there_is() -> None:
    for purse, chances in product(range(MOST_COINS + 1), (AGGRESSIVE_ABOVE, CAUTIOUS_ABOVE)):
        assert (np.abs(chances[..., purse, purse:]) < 1e-9).all()
        assert (np.diff(chances[..., purse, :]) <= 1e-9).all()


def test_the_poorest_gives_up_most_often_and_the_cautious_bid_less() -> None:
    assert AGGRESSIVE_ABOVE[0, MORE_FLIES, 1, 3, 0] < AGGRESSIVE_ABOVE[0, MORE_FLIES, 0, 3, 0]
    assert (CAUTIOUS_ABOVE[MORE_FLIES, 10, 3:10] <= AGGRESSIVE_ABOVE[:, MORE_FLIES, 0, 10, 3:10]).all()


def test_among_more_than_three_nobody_gives_up_and_less_is_bid() -> None:
    three, four, five = AGGRESSIVE_ABOVE[:, MORE_FLIES, :, 2:].sum(axis=-1)  # what is bid on average
    assert (AGGRESSIVE_ABOVE[1:, MORE_FLIES, 1, 2:, 0] == 1).all()
    assert (four[1] >= four[0]).all()
    assert (three[0] > five[0])[1:].all()
    assert (four[0] >= five[0]).all()


@pytest.mark.parametrize("seats", [3, 5])
def test_what_everybody_has_spent_is_read_off_the_boards(seats: int) -> None:
    match, luck = Match(GAME, seats), random.Random(seats)
    paid = [0] * seats
    while not match.is_over:
        before, is_bidding = match.table.coins.tolist(), match.table.phase == BIDDING
        step(match, luck)
        if is_bidding and match.table.phase != BIDDING:
            paid = [each + before[seat] - int(match.table.coins[seat]) for seat, each in enumerate(paid)]
        assert [spent(match.table, seat) for seat in range(seats)] == paid


def test_who_has_spent_much_for_flies_is_taken_for_aggressive() -> None:
    table = at_laying(3).table
    assert table.round_number > 4
    earned = [int(table.coins[seat]) + spent(table, seat) for seat in range(3)]
    table.coins[:3] = earned[0], max(0, earned[1] - 8), 0
    miser, usual, spender = (estimated_aggression(table, seat) for seat in range(3))
    assert LIKE_CAUTIOUS == miser <= usual <= spender
    assert spender > AT_FIRST
    table.round_number = 2
    assert {estimated_aggression(table, seat) for seat in range(3)} == {AT_FIRST}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_what_is_known_of_flies_follows_the_rules(seats: int) -> None:
    first = first_fly_round(GAME.set_up(seats))
    assert [fly_stage(first + more, seats) for more in (-1, 0, 1)] == [NO_FLY, FIRST_FLY, MORE_FLIES]


def test_bids_are_drawn_as_often_as_expected() -> None:
    opponents, stream, draws = opponents_of(at_laying(4).table, 1)[1], stream_of(1), 200 * SOME
    opponents.purse[:4] = 5, 4, 7, 2
    opponents.starter, opponents.fly_stage = 2, MORE_FLIES
    note_poorest(opponents)
    for other in (0, 2, 3):
        drawn = [others_bid(opponents, other, stream) for _ in range(draws)]
        for bid in range(opponents.purse[other]):
            share, likely = sum(each > bid for each in drawn) / draws, likely_above(opponents, other, bid)
            assert share == pytest.approx(likely, abs=4 * (0.25 / draws) ** 0.5)


def test_who_picks_before_a_bid_is_told_as_often_as_it_happens() -> None:
    opponents = opponents_of(at_laying(4).table, 1)[1]
    opponents.purse[:4] = 5, 4, 7, 2
    opponents.starter, opponents.fly_stage = 2, MORE_FLIES
    note_poorest(opponents)
    assert opponents.poorest == 3
    note_ahead(opponents, 4)
    assert opponents.ahead.sum() == pytest.approx(1)
    likely = [likely_above(opponents, other, 3) for other in (0, 2, 3)]
    assert opponents.ahead @ np.arange(6) == pytest.approx(sum(likely))


# --- What others take


def bare_opponents(worths: dict[int, float]) -> Any:
    """Return opponents of three, nobody else having a liking, with open tiles of these worths to seat 0."""
    opponents = Opponents.batch(1)[0]
    opponents.seats, opponents.is_now = 3, 1
    for tile, worth in worths.items():
        opponents.open[tile], opponents.worth[tile] = 1, worth
    return opponents


def test_what_would_be_missed_is_the_best_tile_if_there_is_no_second_like_it() -> None:
    opponents = bare_opponents({2: 10.0, 5: 13.0, 7: 11.5})
    assert dearest(opponents) == (5, 1.5)
    opponents.open[5] = 2
    assert dearest(opponents) == (5, 0.0)


def test_others_take_what_the_seat_would_miss_if_they_lose_less_by_it() -> None:
    for harm, taken in ((1.0, 2), (12.0, 5)):
        opponents = bare_opponents({2: 10.0, 5: 10.0 + harm, 7: 10.0})
        opponents.liking[1, 2] = 2.0  # what it likes itself, against half of the harm
        take_liked(opponents, 1, *dearest(opponents), stream_of(1))
        assert [tile for tile in (2, 5, 7) if opponents.open[tile] == 0] == [taken]


def test_nobody_begrudges_who_has_picked() -> None:
    opponents, board = bare_opponents({2: 10.0, 5: 30.0, 7: 10.0, 9: 10.0}), BoardScratch.batch(1)[0]
    opponents.liking[1:3, 2], opponents.liking[1:3, 7] = 2.0, 1.0
    opponents.open[5], opponents.bid[:3] = 2, (5, 1, 0)
    assert not pick_in_turn(board, opponents, stream_of(1))
    assert board.hand[5] == 1
    assert opponents.open[5] == 1


def test_who_bids_reckons_with_others_who_take_what_it_would_miss() -> None:
    opponents = bare_opponents({2: 10.0, 5: 22.0, 7: 10.0, 9: 10.0})
    opponents.ranked[:4] = 22.0, 10.0, 10.0, 10.0
    assert worth_behind(opponents, 0) == 22.0
    assert worth_behind(opponents, 1) == worth_behind(opponents, 2) == 10.0
    opponents.ranked[0] = 10.5
    assert 10.0 < worth_behind(opponents, 2) < worth_behind(opponents, 1) < 10.5


# --- Rollouts


@pytest.mark.parametrize("seats", [3, 5])
def test_a_round_keeps_all_tiles_and_lays_one(seats: int) -> None:
    match = at_laying(seats)
    seat, boards = min(match.acting), BoardScratch.batch(2)
    opponents, stream, worths = opponents_of(match.table, seat)[0], stream_of(2), np.zeros(LAYS)
    best_start(match.table, seat, boards)
    board = boards[1]
    while board.lying < CELLS:
        lying, left, hand = int(board.lying), int(board.left.sum()), int(board.hand.sum())
        play_round(board, opponents, NONE, WEIGHTS, worths, stream)
        assert (board.lying, board.hand.sum(), board.left.sum()) == (lying + 1, hand, left - seats)
        assert board.coins >= 0
        assert (opponents.purse[:seats] >= 0).all()
    assert (board.left >= 0).all()
    assert (board.left + board.hand <= COPIES[seats]).all()


def test_the_end_of_a_future_is_worth_what_the_rules_count() -> None:
    match = at_laying(3)
    while match.table.round_number < 16 or match.table.phase != LAYING:
        if match.awaits_chance:
            match.draw(stream_of(3))
        else:
            match.play(min(match.acting), match.legal_moves(min(match.acting))[0])
    seat, boards, totals = min(match.acting), BoardScratch.batch(2), np.zeros(1)
    lay = best_start(match.table, seat, boards)
    roll_out(scratch_of(boards, opponents_of(match.table, seat)), 0, 1, np.uint64(1), totals)
    match.play(seat, LAY + lay)
    assert totals[0] == pytest.approx(match.scores[seat], abs=0.01)


def test_all_candidates_have_the_same_luck() -> None:
    match = at_laying(3)
    seat, boards, totals = min(match.acting), BoardScratch.batch(3), np.zeros(2)
    for number in range(2):
        best_start(match.table, seat, boards, number)
    roll_out(scratch_of(boards, opponents_of(match.table, seat)), 0, SOME, np.uint64(7), totals)
    assert totals[0] == totals[1] > 0


def test_a_lay_brings_the_coins_of_its_neighbours() -> None:
    match = at_laying(3)
    seat, board = min(match.acting), BoardScratch.batch(1)[0]
    for move in match.legal_moves(seat)[:6]:
        set_out(board, match.table, seat)
        before, after = int(board.coins), match.copy()
        after.play(seat, move)
        lay_tile(board, move - LAY)
        assert board.coins - before == int(after.table.coins[seat]) - int(match.table.coins[seat])


# --- Looking ahead


def test_the_worse_are_given_up_and_nodes_are_counted() -> None:
    match = at_laying(3)
    seat, nodes = min(match.acting), 50 * SOME
    context = SeatContext(seen_by(match, seat), Style(), WEIGHTS)
    trials = [Trial(20.0, lay=move - LAY) for move in match.legal_moves(seat)[:10]]
    found = trial_worths(context, trials, Budget(nodes=nodes))
    assert 3 <= len(found) <= 10
    assert context.nodes >= nodes
    assert len(found) < 10 or settings.DISABLE_JIT


@pytest.mark.skipif(settings.DISABLE_JIT, reason="takes too long as plain Python")
def test_what_is_far_worse_is_found_out_against_what_was_learned() -> None:
    match = at_laying(3)
    seat = min(match.acting)
    context = SeatContext(seen_by(match, seat), Style(), WEIGHTS)
    trials = [Trial(10.0, lay=move - LAY) for move in match.legal_moves(seat)]
    found = trial_worths(context, trials, Budget(nodes=4000), fewest=len(trials))
    assert max(found.values()) - min(found.values()) > 1
