"""A learner that is quickly taught: what a game of solo Mosaix at random is worth."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import numpy as np
import pytest

from smalti import games as all_games
from smalti.bots.learner import State
from smalti.engine.loops.simulation import random_record

MODULE = "smalti.bots.mosaix.learning"


class ToyLearner:
    """One number that follows the scores it sees."""

    name = "toy"
    version = 3
    measure = "distance from the mean score"
    usual_games = 40

    def __init__(self) -> None:
        self.games, self.worth = 0, 0.0

    def learn(self, games: int, seed: int) -> None:
        """Move towards the score of every game."""
        for number in range(games):
            self.worth += 0.1 * (score(seed, number) - self.worth)
        self.games += games

    def measured(self, games: int, seed: int) -> float:
        """Return how far it is from the scores, on average."""
        return sum(abs(score(seed, number) - self.worth) for number in range(games)) / games

    def state(self) -> State:
        """Return all of it."""
        return {"worth": np.array(self.worth), "games": np.array(self.games)}

    def restore(self, state: State) -> None:
        """Go on from there."""
        self.worth, self.games = float(state["worth"]), int(state["games"])

    def merge(self, before: State, others: list[State]) -> None:
        """Take the mean."""
        self.worth = float(np.mean([other["worth"] for other in others]))
        self.games = int(before["games"]) + sum(int(other["games"] - before["games"]) for other in others)

    def weights(self) -> State:
        """Return the number as a whole one."""
        return {"worth": np.array([round(self.worth)], np.int16)}


def score(seed: int, number: int) -> int:
    """Return the score of a random solo game."""
    scores = random_record(all_games.find("mosaix"), 1, {}, seed, number).scores
    assert scores
    return scores[0]


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Mosaix be learned by the toy."""
    module = ModuleType(MODULE)
    module.__spec__ = ModuleSpec(MODULE, None)
    module.Learner = ToyLearner  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, MODULE, module)
