"""The learner of Mozaika: TD(λ) from self-play, first one set of weights for all, then one for each number of seats."""

from __future__ import annotations

import numpy as np

from smalti import games
from smalti.bots.learner import State
from smalti.bots.mozaika.evaluate.features import ROWS, SIZE, VERSION, Floats, first_weights
from smalti.bots.mozaika.learning.episode import Episode
from smalti.bots.mozaika.learning.self_play import play_game, seat_players
from smalti.bots.mozaika.learning.td import CoherentWeights, learn_from
from smalti.bots.mozaika.search.auction import SEATS, new_scratch
from smalti.engine.chance import stream_of
from smalti.engine.rules import score

NAME = "mozaika"
SEAT_COUNTS = (3, 4, 5)
VARIETY = 0.3  # the share of seats that begin as somebody else
TOGETHER = 250_000  # games that teach one set of weights for any number of seats, before each number gets its own
KEPT = 0.05  # of the memory of corrections when they part, so that the new ones soon tell
SCALE = 256  # of the whole numbers that are shipped, for a point
MOST = 32767


class Learner:
    """The weights for any number of seats, then for three, four and five, and what they have been through."""

    name = NAME
    version = VERSION
    measure = "mean points of a seat among equals"
    usual_games = 450_000

    def __init__(self) -> None:
        """Begin with a rough guess."""
        self.games = 0
        shape = 1 + len(SEAT_COUNTS), SIZE
        self.worths = np.array([first_weights()] * shape[0])
        self.drift, self.travel = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.spread = np.zeros((len(SEAT_COUNTS), ROWS + 1))
        self.game = games.find("mozaika")
        self.scratch, self.episodes = new_scratch(self.game, self.worths[0]), Episode.batch(1)
        self.returns = np.zeros(ROWS + 1)

    def play(self, number: int, seed: int, variety: float, weights: Floats) -> int:
        """Play the game of that number of a seed; return how many seats it has."""
        seats, stream = SEAT_COUNTS[number % len(SEAT_COUNTS)], stream_of(seed, number)
        self.scratch.tables[0] = self.game.set_up(seats)
        seat_players(self.episodes[0], variety, stream)
        play_game(self.scratch._replace(weights=weights), self.episodes, stream)
        return seats

    def learn(self, games: int, seed: int) -> None:
        """Play that many games against itself, and learn from them."""
        is_together = self.games < TOGETHER
        for number in range(games):
            which = 0 if is_together else 1 + number % len(SEAT_COUNTS)
            spread = self.spread[self.play(number, seed, VARIETY, self.worths[which]) - SEAT_COUNTS[0]]
            learned = CoherentWeights(self.worths[which], self.drift[which], self.travel[which])
            learn_from(self.episodes, learned, spread, self.returns)
        if is_together:
            self.split_by_seats()
        self.games += games

    def split_by_seats(self) -> None:
        """Let the weights for every number of seats start from those learned for any number."""
        self.worths[1:] = self.worths[0]
        self.drift[1:], self.travel[1:] = KEPT * self.drift[0], KEPT * self.travel[0]

    def measured(self, games: int, seed: int) -> float:
        """Return the mean points of a seat."""
        points, total = np.zeros(SEATS, np.int32), 0.0
        for number in range(games):
            seats = self.play(number, seed, 0.0, self.worths[1 + number % len(SEAT_COUNTS)])
            score(self.scratch.tables[0], points)
            total += float(points[:seats].mean())
        return total / games

    def state(self) -> State:
        """Return everything that is needed to go on later."""
        kept = {"worths": self.worths, "drift": self.drift, "travel": self.travel, "spread": self.spread}
        return {name: array.copy() for name, array in kept.items()} | {"games": np.array(self.games)}

    def restore(self, state: State) -> None:
        """Go on from there."""
        for name in ("worths", "drift", "travel", "spread"):
            getattr(self, name)[:] = state[name]
        self.games = int(state["games"])

    def merge(self, before: State, others: list[State]) -> None:
        """Take over what several have learned: for each weight the mean of those who have changed it."""
        self.restore(before)
        changed = sum((other["travel"] != before["travel"]).astype(np.float32) for other in others)
        for other in others:
            self.worths += (other["worths"] - before["worths"]) / np.maximum(changed, 1)
            self.drift += other["drift"] - before["drift"]
            self.travel += other["travel"] - before["travel"]
            self.spread += (other["spread"] - before["spread"]) / len(others)
            self.games += int(other["games"]) - int(before["games"])

    def weights(self) -> State:
        """Return what is shipped: small whole numbers."""
        whole = np.clip(np.rint(self.worths[1:] * SCALE), -MOST, MOST).astype(np.int16)
        spread = np.rint(np.sqrt(self.spread) * SCALE).astype(np.int16)
        return {"worths": whole, "spread": spread}
