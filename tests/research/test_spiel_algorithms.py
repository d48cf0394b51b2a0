"""OpenSpiel's algorithms run on our games, on endings that are quickly played."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import evaluate_bots, external_sampling_mccfr, mcts, outcome_sampling_mccfr
from open_spiel.python.bots import uniform_random

from smalti.engine.match import Match
from smalti.research import spiel
from tests.research.spiel_games import last_round, nearly_over, play

ENDINGS = {
    "patterns": nearly_over("patterns", 2, 6),
    "mosaix, solo": nearly_over("mosaix", 1, 7, seed=3),
    "mozaika": last_round(),
}
endings = pytest.mark.parametrize("name", list(ENDINGS))


@pytest.fixture(autouse=True)
def steady() -> Iterator[None]:
    """Give OpenSpiel, which draws from NumPy's own numbers, the same ones in every run."""
    before = np.random.get_state()
    np.random.seed(1)
    yield
    np.random.set_state(before)


def in_turn(match: Match, **more: Any) -> Any:
    """Return the game that goes on from a match, with seats that act together put in turn."""
    game = spiel.after(match, **more)
    is_simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return pyspiel.convert_to_turn_based(game) if is_simultaneous else game


@endings
def test_tree_search_plays_to_the_end(name: str) -> None:
    game, rng, luck = in_turn(ENDINGS[name]), np.random.RandomState(1), random.Random(1)
    bot = mcts.MCTSBot(game, 1.4, 8, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            play(state, luck)
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
    assert all(game.min_utility() <= worth <= game.max_utility() for worth in state.returns())


@endings
def test_random_bots_play_to_the_end(name: str) -> None:
    game, rng = spiel.after(ENDINGS[name]), np.random.RandomState(1)
    bots = [uniform_random.UniformRandomBot(seat, rng) for seat in range(game.num_players())]
    worth = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)
    assert len(worth) == game.num_players()


# --- Regret minimisation on the last round of Mozaika

SOLVERS = {
    "outcome sampling": (outcome_sampling_mccfr.OutcomeSamplingSolver, 400),
    "external sampling": (external_sampling_mccfr.ExternalSamplingSolver, 20),
}
every_solver = pytest.mark.parametrize(("solver", "iterations"), list(SOLVERS.values()), ids=list(SOLVERS))


def learned(solver: Any, game: Any, iterations: int) -> Any:
    """Return how a solver plays on average after so many iterations."""
    learner = solver(game)
    for _ in range(iterations):
        learner.iteration()
    return learner.average_policy()


def turn_of(game: Any, seat: int) -> Any:
    """Return the state in which it is the seat's turn, after those before it did the first thing they could."""
    state = game.new_initial_state()
    while state.current_player() != seat:
        state.apply_action(state.legal_actions()[0])
    return state


@every_solver
def test_nobody_learns_to_bid_more_than_there_is(solver: Any, iterations: int) -> None:
    match = last_round(seed=6)
    game = in_turn(match, limit=10)
    policy = learned(solver, game, iterations // 4)
    for seat in range(3):
        chances = policy.action_probabilities(turn_of(game, seat))
        coins = int(match.table.coins[seat])
        assert sorted(chances) == list(range(coins + 1))
        assert sum(chances.values()) == pytest.approx(1)
        assert len(set(chances.values())) > 1


def points_of_lays(match: Match, seat: int) -> dict[int, int]:
    """Return the points of a seat after each of its lays."""
    found = {}
    for move in match.legal_moves(seat):
        after = match.copy()
        after.play(seat, move)
        found[move] = after.scores[seat]
    return found


@every_solver
def test_everybody_learns_to_lay_the_tile_that_scores_most(solver: Any, iterations: int) -> None:
    match = nearly_over("mozaika", 3, 4, seed=57)
    game = in_turn(match, rewards="margin", limit=4)
    policy = learned(solver, game, iterations)
    for seat in set(range(3)) - {int(match.table.flown)}:
        points = points_of_lays(match, seat)
        chances = policy.action_probabilities(turn_of(game, seat))
        best = [move for move in points if points[move] == max(points.values())]
        assert len(best) < len(points)
        assert sum(chances[move] for move in best) > 0.8
