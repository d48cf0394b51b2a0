"""Patterns learned by playing against itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from smalti import games as all_games
from smalti.bots.learner import State
from smalti.bots.patterns.features import NAME, VERSION
from smalti.bots.patterns.lessons import learn_by_reading, new_lesson_room, small
from smalti.bots.patterns.selfplay import Memory, beaten_by_hand, learn_games, new_desk, new_memory
from smalti.engine.chance import stream_of

AT_A_GLANCE = 1_000_000  # games of one move ahead; those that follow are read
KEPT = np.float32(0.05)  # of what set the paces until then: reading may find other errors than glances did
ADDED = ("drifts", "sizes", "read_drifts", "read_sizes", "games")  # parts that add up when several learn
NODES = 300  # tables looked at for each move that is read


class Learner:
    """Weights of what a mandala promises, learned from quick games of one move ahead, then from games that are read."""

    name = NAME
    version = VERSION
    measure = "share won against the hand-made judgement, both one move ahead"
    usual_games = 1_150_000

    def __init__(self) -> None:
        """Know nothing yet."""
        game = all_games.find("patterns")
        self.games = 0
        self._start = game.set_up(2)
        self._desk = new_desk(len(game.buffers()[0]))
        self._memory = new_memory()
        self._read = new_memory()

    def learn(self, games: int, seed: int) -> None:
        """Play that many games against itself, and learn from them."""
        quick = min(games, max(0, AT_A_GLANCE - self.games))
        stream = stream_of(seed)
        if quick:
            learn_games(self._start, self._desk, self._memory, quick, stream)
        if games > quick:
            self.begin_to_read()
            room = new_lesson_room(self._memory.weights, NODES)
            learn_by_reading(self._start, self._desk, room, self._read, games - quick, NODES, stream)
        self.games += games

    def begin_to_read(self) -> None:
        """Go on with the same weights, but with paces that soon forget what glances have found."""
        if self.games <= AT_A_GLANCE:
            weights, drifts, sizes = self._memory
            self._read = Memory(weights, KEPT * drifts, KEPT * sizes)

    def measured(self, games: int, seed: int) -> float:
        """Return the share it wins against the hand-made judgement, every mandala from both seats."""
        pairs = (games + 1) // 2
        return float(beaten_by_hand(self._start, self._desk, self._memory.weights, pairs, stream_of(seed))) / (
            4 * pairs
        )

    def state(self) -> State:
        """Return the weights with their paces, and how many games made them."""
        read = {"read_drifts": self._read.drifts, "read_sizes": self._read.sizes}
        parts = {**self._memory._asdict(), **read, "games": np.array(self.games)}
        return {name: part.copy() for name, part in parts.items()}

    def restore(self, state: State) -> None:
        """Go on from there."""
        self._memory = Memory(*(state[name].astype(np.float32) for name in Memory._fields))
        read = (state[name].astype(np.float32) for name in ("read_drifts", "read_sizes"))
        self._read = Memory(self._memory.weights, *read)
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
        return {"weights": small(self._memory.weights)}


def moved(before: State, after: State, name: str) -> npt.NDArray[Any]:
    """Return by how much a part has changed."""
    return np.asarray(after[name] - before[name])
