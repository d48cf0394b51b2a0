"""What holds for the levels of Patterns, for reviews of it, and for how it is learned."""

from __future__ import annotations

import pytest

from smalti import bots
from smalti.bots.patterns import level, review
from smalti.bots.patterns.learning import learner
from smalti.bots.patterns.learning.learner import Learner
from smalti.bots.patterns.levels import LEVELS
from smalti.engine.compiled import settings
from smalti.engine.match import Match
from smalti.engine.record import bytes_of
from tests.bots.patterns_tables import GAME, late_tables, moves_on, seen, tables_on_the_way, with_seats_swapped

# --- Levels


@pytest.mark.parametrize("number", [number for number, how in LEVELS.items() if how.nodes < 10_000])
def test_levels_play_legal_moves_and_the_same_ones_again(number: int) -> None:
    for tables in list(tables_on_the_way(9))[:: 20 if settings.DISABLE_JIT else 5]:
        thought = level(seen(tables, 5), number)
        assert thought.move in moves_on(tables, int(tables[0].turn))
        assert thought == level(seen(tables, 5), number)


def test_weak_levels_do_not_all_play_alike() -> None:
    tables = next(tables_on_the_way(10))
    assert len({level(seen(tables, seed), 1).move for seed in range(10)}) > 3


def test_the_bots_are_known_by_name() -> None:
    names = bots.names("patterns")
    ladder = [*(f"level-{number}" for number in range(1, 9)), "strongest"]
    assert [name for name in names if name in ladder] == ladder


# --- Reviews


def test_a_review_sees_the_luck_of_the_setup() -> None:
    match = Match(GAME, 2)
    undealt = bytes_of(match.seen_by(0))
    assert review.expected(undealt, 0) == review.UNDEALT
    assert review.expected(undealt, 1).chance == 1 - review.UNDEALT.chance
    tables = next(late_tables(12, 1))
    now = review.expected(tables.tobytes(), 0)
    assert now.is_proved
    for other in (review.expected(with_seats_swapped(tables).tobytes(), 0), review.expected(tables.tobytes(), 1)):
        assert now.worth == -other.worth
        assert now.chance == 1 - other.chance


# --- Learning


def learned(games: int, seed: int) -> Learner:
    learner = Learner()
    learner.learn(games, seed)
    return learner


def test_the_same_training_gives_the_same_weights() -> None:
    assert (learned(3, 1).weights()["weights"] == learned(3, 1).weights()["weights"]).all()
    assert (learned(3, 1).weights()["weights"] != learned(3, 2).weights()["weights"]).any()


@pytest.fixture(params=[1, 3, 100], ids=["reading", "soon reading", "at a glance"])
def course(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let games be read after a few."""
    monkeypatch.setattr(learner, "ONE_PLY_GAMES", request.param)
    monkeypatch.setattr(learner, "NODES", 40)


@pytest.mark.usefixtures("course")
def test_training_goes_on_where_it_stopped() -> None:
    first, second = learned(2, 1), Learner()
    second.restore(first.state())
    first.learn(2, 3)
    second.learn(2, 3)
    assert first.games == second.games == 4
    assert (first.weights()["weights"] == second.weights()["weights"]).all()


@pytest.mark.usefixtures("course")
def test_what_two_have_learned_is_brought_together() -> None:
    before, left, right = learned(2, 1), Learner(), Learner()
    left.restore(before.state())
    right.restore(before.state())
    left.learn(2, 2)
    right.learn(2, 3)
    merged = Learner()
    merged.merge(before.state(), [left.state(), right.state()])
    assert merged.games == 6
    moved = merged.state()["weights"] != before.state()["weights"]
    assert moved.any()


@pytest.mark.skipif(bool(settings.DISABLE_JIT), reason="takes thousands of games")
def test_a_little_training_beats_the_hand_made_judgement() -> None:
    assert learned(6000, 1).measured(200, 2) > 0.6
