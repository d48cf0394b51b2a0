"""Learning what boards of Mozaika are worth, from games that bots play against each other."""

from __future__ import annotations

import numpy as np

from smalti import games
from smalti.bots.learner import State
from smalti.bots.mozaika.bidding import Auction
from smalti.bots.mozaika.desk import Desk
from smalti.bots.mozaika.features import ROWS, SIZE, VERSION, first_weights
from smalti.bots.mozaika.laying import LAYS
from smalti.bots.mozaika.selfplay import SEATS, Diary, learn_game, play_game, seat_players
from smalti.engine.chance import stream_of
from smalti.engine.rules import score

NAME = "mozaika"
SEAT_COUNTS = (3, 4, 5)
TRUST = 0.5  # in what came later, against what it seemed to be worth
RATE = 0.5
VARIETY = 0.3  # the share of seats that begin as somebody else
SCALE = 256  # of the whole numbers that are shipped, for a point
MOST = 32767


class Learner:
    """The weights for three, four and five seats, and what they have been through."""

    name = NAME
    version = VERSION
    measure = "mean points of a seat"
    usual_games = 3_000_000

    def __init__(self) -> None:
        """Begin with a rough guess."""
        self.games = 0
        shape = len(SEAT_COUNTS), SIZE
        self.worths = np.array([first_weights()] * len(SEAT_COUNTS))
        self.drift, self.travel = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.spread = np.zeros((len(SEAT_COUNTS), ROWS + 1))
        self.game = games.find("mozaika")
        self.moves, self.odds = self.game.buffers()
        self.tables, self.desks = self.game.table.batch(1), Desk.batch(SEATS)
        self.auctions, self.diaries = Auction.batch(1), Diary.batch(1)
        self.room, self.wanted = np.zeros(LAYS), np.zeros(ROWS + 1)

    def play(self, number: int, seed: int, variety: float) -> int:
        """Play game number so-and-so of a seed; return which number of seats it has."""
        which = number % len(SEAT_COUNTS)
        stream = stream_of(seed, number)
        self.tables[0] = self.game.set_up(SEAT_COUNTS[which])
        seat_players(self.diaries[0], variety, stream)
        weights = self.worths[which]
        play_game(
            self.tables, self.desks, self.auctions, self.diaries, weights, self.room, self.moves, self.odds, stream
        )
        return which

    def learn(self, games: int, seed: int) -> None:
        """Play that many games against itself, and learn from them."""
        for number in range(games):
            which = self.play(number, seed, VARIETY)
            learned = self.worths[which], self.drift[which], self.travel[which], self.spread[which]
            learn_game(self.diaries, TRUST, RATE, self.wanted, *learned)
        self.games += games

    def measured(self, games: int, seed: int) -> float:
        """Return the mean points of a seat."""
        points = np.zeros(SEATS, np.int32)
        means = []
        for number in range(games):
            seats = SEAT_COUNTS[self.play(number, seed, 0.0)]
            score(self.tables[0], points)
            means.append(float(points[:seats].mean()))
        return sum(means) / len(means)

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
        whole = np.clip(np.rint(self.worths * SCALE), -MOST, MOST).astype(np.int16)
        spread = np.rint(np.sqrt(self.spread) * SCALE).astype(np.int16)
        return {"worths": whole, "spread": spread}
