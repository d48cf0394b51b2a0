"""Patterns learned by playing against itself."""

from __future__ import annotations

import numpy as np

from smalti import games as all_games
from smalti.bots.learner import State
from smalti.bots.patterns.features import NAME, VERSION
from smalti.bots.patterns.selfplay import STEPS, Memory, beaten_by_hand, learn_games, new_desk, new_memory
from smalti.engine.chance import stream_of

LARGEST = np.iinfo(np.int16).max


class Learner:
    """Weights of what a mandala promises, learned from games of one move ahead."""

    name = NAME
    version = VERSION
    measure = "share won against the hand-made judgement, both one move ahead"
    usual_games = 2_000_000

    def __init__(self) -> None:
        """Know nothing yet."""
        game = all_games.find("patterns")
        self.games = 0
        self._start = game.set_up(2)
        self._desk = new_desk(len(game.buffers()[0]))
        self._memory = new_memory()

    def learn(self, games: int, seed: int) -> None:
        """Play that many games against itself, and learn from them."""
        learn_games(self._start, self._desk, self._memory, games, stream_of(seed))
        self.games += games

    def measured(self, games: int, seed: int) -> float:
        """Return the share it wins against the hand-made judgement, every mandala from both seats."""
        pairs = (games + 1) // 2
        return float(beaten_by_hand(self._start, self._desk, self._memory.weights, pairs, stream_of(seed))) / (
            4 * pairs
        )

    def state(self) -> State:
        """Return the weights with their paces, and how many games made them."""
        return {**{name: part.copy() for name, part in self._memory._asdict().items()}, "games": np.array(self.games)}

    def restore(self, state: State) -> None:
        """Go on from there."""
        self._memory = Memory(*(state[name].astype(np.float32) for name in Memory._fields))
        self.games = int(state["games"])

    def merge(self, before: State, others: list[State]) -> None:
        """Take over what several have learned: their errors add up, their weights are averaged by how much they met."""
        met = [other["sizes"] - before["sizes"] for other in others]
        total = np.maximum(sum(met), np.float32(1e-9))
        moved = sum(
            part / total * (other["weights"] - before["weights"]) for part, other in zip(met, others, strict=True)
        )
        sums = {
            name: before[name] + sum(other[name] - before[name] for other in others)
            for name in ("drifts", "sizes", "games")
        }
        self.restore({"weights": before["weights"] + moved, **sums})

    def weights(self) -> State:
        """Return what is shipped: weights in steps of a 256th of a point."""
        return {"weights": np.clip(np.rint(self._memory.weights * STEPS), -LARGEST, LARGEST).astype(np.int16)}
