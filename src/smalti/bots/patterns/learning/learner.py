"""Patterns learned by playing against itself: first one ply ahead, then with search, both by TD(λ)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from smalti import games as all_games
from smalti.bots.learner import State
from smalti.bots.patterns.evaluate.features import NAME, VERSION
from smalti.bots.patterns.learning.search_play import learn_by_search, new_search, small
from smalti.bots.patterns.learning.self_play import learn_games, new_scratch, points_against_hand_made
from smalti.bots.patterns.learning.td import CoherentWeights, blank_weights
from smalti.engine.chance import stream_of

ONE_PLY_GAMES = 1_000_000  # those that follow are played with search
KEPT = np.float32(0.05)  # of what set the learning rates until then: search may find other errors than one ply did
ADDED = ("drifts", "sizes", "read_drifts", "read_sizes", "games")  # parts that add up when several learn
NODES = 300  # tables searched for each move


class Learner:
    """Weights of the features of a mandala, learned from quick games of one ply, then from games with search."""

    name = NAME
    version = VERSION
    measure = "share won against the hand-made judgement, both one move ahead"
    usual_games = 1_150_000

    def __init__(self) -> None:
        """Know nothing yet."""
        game = all_games.find("patterns")
        self.games = 0
        self._start = game.set_up(2)
        self._scratch = new_scratch(len(game.buffers()[0]))
        self._learned = blank_weights()
        self._searched = blank_weights()

    def learn(self, games: int, seed: int) -> None:
        """Play that many games against itself, and learn from them."""
        quick = min(games, max(0, ONE_PLY_GAMES - self.games))
        stream = stream_of(seed)
        if quick:
            learn_games(self._start, self._scratch, self._learned, quick, stream)
        if games > quick:
            self.begin_to_search()
            stack = new_search(self._learned.weights, NODES)
            learn_by_search(self._start, self._scratch, stack, self._searched, games - quick, NODES, stream)
        self.games += games

    def begin_to_search(self) -> None:
        """Go on with the same weights, but with learning rates that soon forget what one ply has found."""
        if self.games <= ONE_PLY_GAMES:
            weights, drifts, sizes = self._learned
            self._searched = CoherentWeights(weights, KEPT * drifts, KEPT * sizes)

    def measured(self, games: int, seed: int) -> float:
        """Return the share it wins against the hand-made evaluation, every mandala from both seats."""
        pairs = (games + 1) // 2
        weights, stream = self._learned.weights, stream_of(seed)
        return float(points_against_hand_made(self._start, self._scratch, weights, pairs, stream)) / (4 * pairs)

    def state(self) -> State:
        """Return the weights with what sets their learning rates, and how many games made them."""
        searched = {"read_drifts": self._searched.drifts, "read_sizes": self._searched.sizes}
        parts = {**self._learned._asdict(), **searched, "games": np.array(self.games)}
        return {name: part.copy() for name, part in parts.items()}

    def restore(self, state: State) -> None:
        """Go on from there."""
        self._learned = CoherentWeights(*(state[name].astype(np.float32) for name in CoherentWeights._fields))
        searched = (state[name].astype(np.float32) for name in ("read_drifts", "read_sizes"))
        self._searched = CoherentWeights(self._learned.weights, *searched)
        self.games = int(state["games"])

    def merge(self, before: State, others: list[State]) -> None:
        """Take over what several have learned: their errors add up, their weights are averaged by how much they met."""
        met = [moved(before, other, "sizes") + moved(before, other, "read_sizes") for other in others]
        total = np.maximum(sum(met), np.float32(1e-9))
        drift = sum(part / total * moved(before, other, "weights") for part, other in zip(met, others, strict=True))
        added = {name: before[name] + sum(moved(before, other, name) for other in others) for name in ADDED}
        self.restore({"weights": before["weights"] + drift, **added})

    def weights(self) -> State:
        """Return what is shipped: weights in steps of a 256th of a point."""
        return {"weights": small(self._learned.weights)}


def moved(before: State, after: State, name: str) -> npt.NDArray[Any]:
    """Return by how much a part has changed."""
    return np.asarray(after[name] - before[name])
