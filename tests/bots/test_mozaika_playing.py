"""How the bots of Mozaika play and learn: by the rules, repeatably, and the stronger ones better."""

from __future__ import annotations

import random

import numpy as np
import pytest

from smalti import bots, games
from smalti.bots.bot import Budget, Thought
from smalti.bots.mozaika.learning.learner import Learner
from smalti.bots.mozaika.review import expected
from smalti.engine.compiled import settings
from smalti.engine.match import Match
from smalti.engine.record import bytes_of
from smalti.games.mozaika.tables import BID, FLYING, LAYING, ROUNDS
from tests.bots.matches import played, wins
from tests.bots.tables import Setting, seen_by, table_after
from tests.support import step

GAME = games.find("mozaika")
BRIEF = Budget(nodes=30)
compiled_only = pytest.mark.skipif(settings.DISABLE_JIT, reason="takes too long as plain Python")


def thought_at(match: Match, budget: Budget = BRIEF) -> Thought:
    return bots.find("strongest", "mozaika").think(seen_by(match, min(match.acting)), budget)


def tables(seats: int, **options: str) -> list[Match]:
    return [table_after(Setting("mozaika", seats, options), events) for events in (3, 14, 25, 40, 60, 90)]


# --- Playing


@compiled_only
@pytest.mark.parametrize(("seats", "options"), [(3, {"hands": "hidden"}), (5, {})])
def test_whole_matches_are_played_by_the_rules(seats: int, options: dict[str, str]) -> None:
    match = played("mozaika", ["strongest@5n"] * seats, 1, options)
    assert match.is_over
    assert sum(match.scores) > 10 * seats


def test_every_choice_is_legal_and_the_best_comes_first() -> None:
    for match in tables(4):
        seat, thought = min(match.acting), thought_at(match)
        assert {choice.move for choice in thought.choices} <= set(match.legal_moves(seat))
        assert thought.move in {choice.move for choice in thought.choices}
        assert thought.choices[0].chance >= max(choice.chance for choice in thought.choices) - 0.05


def test_nobody_bids_more_than_they_have() -> None:
    auctions = [match for match in tables(3) if match.legal(min(match.acting))[0].startswith("bid")]
    assert auctions
    for match in auctions:
        coins = int(match.table.coins[min(match.acting)])
        assert all(0 <= choice.move - BID <= coins for choice in thought_at(match).choices)


@pytest.mark.parametrize("options", [{}, {"hands": "hidden"}])
def test_a_budget_of_nodes_always_buys_the_same_thought(options: dict[str, str]) -> None:
    for match in tables(3, **options):
        assert thought_at(match) == thought_at(match)


def last_decision(seed: int) -> Match:
    """Return a match before its last decision."""
    match, luck = Match(GAME, 3), random.Random(seed)
    while match.awaits_chance or not is_last(match):
        step(match, luck)
    return match


def is_last(match: Match) -> bool:
    """Say whether whatever is decided now ends the game."""
    now = match.table
    return bool(
        now.round_number == ROUNDS
        and len(match.acting) == 1
        and (now.phase == FLYING or (now.phase == LAYING and now.flown == min(match.acting)))
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_last_decision_is_proved_and_worth_what_comes_out(seed: int) -> None:
    match = last_decision(seed)
    while not match.is_over:
        seat, thought = min(match.acting), thought_at(match)
        match.play(seat, thought.move)
        if match.is_over:
            others = [score for other, score in enumerate(match.scores) if other != seat]
            assert thought.is_proved
            assert thought.choices[0].worth == match.scores[seat] - max(others)
        else:
            assert not thought.is_proved


@compiled_only
def test_stronger_levels_win() -> None:
    assert wins("mozaika", 3, "level-6", "level-1", 9) >= 7
    assert wins("mozaika", 3, "level-3", "level-1", 9) >= 4


# --- Judging


def test_what_all_expect_adds_up_to_one_win() -> None:
    for match in tables(4):
        chances = [expected(bytes_of(match.table), seat).chance for seat in range(4)]
        assert sum(chances) == pytest.approx(1, abs=0.02)


def test_what_came_out_is_what_is_expected_at_the_end() -> None:
    match = played("mozaika", ["random"] * 3, 3)
    found = [expected(bytes_of(match.table), seat) for seat in range(3)]
    assert [one.chance for one in found] == [float(seat in match.winners) for seat in range(3)]
    assert max(one.worth for one in found) == sorted(match.scores)[-1] - sorted(match.scores)[-2]


# --- Learning


def same(one: Learner, other: Learner) -> bool:
    mine, theirs = one.state(), other.state()
    return all(np.array_equal(mine[name], theirs[name]) for name in mine)


def test_a_learner_that_was_stopped_goes_on_as_if_it_had_not_been() -> None:
    games = 1 if settings.DISABLE_JIT else 20
    one, other = Learner(), Learner()
    one.learn(games, 1)
    other.restore(one.state())
    one.learn(games, 2)
    other.learn(games, 2)
    assert same(one, other)
    assert one.games == 2 * games


def test_at_first_all_numbers_of_seats_learn_together() -> None:
    learner = Learner()
    before = learner.state()["worths"]
    learner.learn(1 if settings.DISABLE_JIT else 6, 1)
    after = learner.state()["worths"]
    assert (after == after[0]).all()
    assert (after != before).any()
    assert (after[:, -1] == before[:, -1]).all()


def test_merging_keeps_what_each_has_learned() -> None:
    games = 1 if settings.DISABLE_JIT else 9
    learners = [Learner() for _ in range(2)]
    before = learners[0].state()
    for seed, learner in enumerate(learners):
        learner.learn(games, seed)
    merged = Learner()
    merged.merge(before, [learner.state() for learner in learners])
    alone = learners[0].travel != 0
    alone &= learners[1].travel == 0
    assert merged.games == 2 * games
    assert np.allclose(merged.worths[alone], learners[0].worths[alone])
    assert np.allclose(merged.travel, learners[0].travel + learners[1].travel)


def test_shipped_weights_are_small_whole_numbers() -> None:
    arrays = Learner().weights()
    assert {array.dtype for array in arrays.values()} == {np.dtype(np.int16)}
    assert arrays["worths"].shape[0] == arrays["spread"].shape[0] == 3
