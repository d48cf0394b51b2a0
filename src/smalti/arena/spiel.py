"""OpenSpiel's tree search as a player: the yardstick that others know."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np

from smalti.arena.players import SPIEL, Place
from smalti.bots.bot import Budget, read_budget
from smalti.engine.errors import BadInput
from smalti.engine.game import Game
from smalti.engine.match import Match
from smalti.engine.record import bytes_of

USUAL = Budget(nodes=1000)
EXPLORATION = 1.4  # of a game worth from −1 to 1
FEWEST, WITHOUT_END = 2, 2**31  # simulations: the first one only looks at the root


def budget_of(name: str) -> Budget:
    """Return what a move may cost: seconds, or as nodes the number of simulations."""
    _, at, budget = name.partition("@")
    return read_budget(budget) if at else USUAL


def check_spiel(name: str, game: Game, seats: int, options: Mapping[str, str]) -> None:
    """Refuse what OpenSpiel's search cannot play."""
    budget_of(name)
    if not find_spec("pyspiel"):
        raise BadInput(f"{SPIEL} needs OpenSpiel: pip install 'smalti[research]'")
    if hides_something(game, seats, options):
        raise BadInput(f"{SPIEL} cannot play {game.name}: it searches as if it could see what others decide in secret")


def hides_something(game: Game, seats: int, options: Mapping[str, str]) -> bool:
    """Say whether a seat does not see everything at some time of a match."""
    match, luck = Match(game, seats, options), random.Random(0)
    while not match.is_over:
        table = bytes_of(match.table)
        if any(bytes_of(match.seen_by(seat)) != table for seat in range(seats)):
            return True
        if match.awaits_chance:
            match.draw(luck)
        else:
            seat = max(match.acting)
            match.play(seat, luck.choice(match.legal_moves(seat)))
    return False


class SpielPlayer:
    """The search on a seat; seats that act together take turns, as they do in the arena."""

    has_proved = False  # it does not say

    def __init__(self, place: Place) -> None:
        self.budget, self.nodes = budget_of(place.name), 0
        self.luck = np.random.RandomState(place.seed % 2**32)

    def choose(self, match: Match, seat: int) -> str:
        """Search for a move from where the match stands."""
        game = game_after(match)
        move, simulations = searched(game, game.new_initial_state(), self.budget, self.luck)
        self.nodes += simulations
        return match.game.text(move)

    def leave(self, match: Match) -> None:
        """Nothing is left behind."""


def game_after(match: Match) -> Any:
    """Return the game that goes on from a match, as OpenSpiel has it, with everybody in turn."""
    import pyspiel

    from smalti.research import spiel

    game = spiel.after(match)
    is_together = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return pyspiel.convert_to_turn_based(game) if is_together else game


class OutOfTime(Exception):
    """The seconds of a move are used up."""


def searched(game: Any, state: Any, budget: Budget, luck: np.random.RandomState) -> tuple[int, int]:
    """Return the action that OpenSpiel's search finds within a budget, and after how many simulations."""
    actions = state.legal_actions()
    if len(actions) == 1:
        return int(actions[0]), 0
    searcher = timed_search(game, budget, luck)
    try:
        action = int(searcher.step(state))
    except OutOfTime:
        action = int(searcher.root.best_child().action)
    return action, int(searcher.root.explore_count)


def timed_search(game: Any, budget: Budget, luck: np.random.RandomState) -> Any:
    """Return OpenSpiel's tree search (UCT with random playouts) with a clock that starts now.

    It raises `OutOfTime` where the budget is in seconds and they are over; `root` is what it has found by then.
    """
    from open_spiel.python.algorithms import mcts

    end = time.monotonic() + budget.seconds

    class TimedSearch(mcts.MCTSBot):  # type: ignore[misc]
        """The search that asks for the time before it goes down the tree once more."""

        def _apply_tree_policy(self, root: Any, state: Any) -> Any:
            self.root = root
            if budget.seconds and root.explore_count >= FEWEST and time.monotonic() > end:
                raise OutOfTime
            return super()._apply_tree_policy(root, state)

    exploration = EXPLORATION * (game.max_utility() - game.min_utility()) / 2
    simulations = max(FEWEST, budget.nodes or WITHOUT_END)
    return TimedSearch(game, exploration, simulations, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)
