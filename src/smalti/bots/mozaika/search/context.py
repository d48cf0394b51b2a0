"""What a decision in Mozaika is thought over with: the learned weights, a style, and scratch for a round."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from smalti.bots.bot import Choice, Seen, Thought
from smalti.bots.mozaika.evaluate.features import VERSION, Floats
from smalti.bots.mozaika.evaluate.win_probability import Means, envies, lead, win_probability
from smalti.bots.mozaika.search.auction import SEATS, new_scratch
from smalti.bots.mozaika.search.bid_model import estimated_aggression
from smalti.bots.mozaika.search.round_value import foresee
from smalti.bots.weights import shipped
from smalti.engine.chance import Stream
from smalti.engine.game import Game
from smalti.engine.rules import redeal
from smalti.games.mozaika.tables import ROUNDS

NAME = "mozaika"
SCALE = 256  # of the whole numbers that are shipped, for a point
LEAST_SPREAD = 0.4  # points: the last round is certain but for what the others do


@cache
def learned(seats: int) -> tuple[Floats, Means]:
    """Return the weights for a number of seats, and by round how far results spread around what was expected."""
    arrays = shipped(NAME, VERSION)
    weights = arrays["worths"][seats - 3].astype(np.float32) / np.float32(SCALE)
    return weights, np.maximum(arrays["spread"][seats - 3] / SCALE, LEAST_SPREAD)


@dataclass(frozen=True)
class Style:
    """How much somebody thinks."""

    candidates: int = 12  # lays that are looked ahead from
    lays_a_tile: int = 3  # likewise, for each tile that can be got
    balance_rounds: int = 1000
    bid_samples: int = 200
    deals: int = 6  # of hands nobody has seen
    bids_ahead: bool = True  # looks ahead before bidding and picking too
    envy: float = 0.4  # what a point of the others counts against one's own


class RoundEvaluator:
    """Says what the seats of a table can expect, by looking to the end of its round."""

    def __init__(self, game: Game, seats: int, weights: Floats, tables: int) -> None:
        """Make room for so many tables."""
        self.seats, self.means = seats, np.zeros(SEATS)
        self.scratch = new_scratch(game, weights, tables)
        self.tables, self.boards, self.auctions, self.weights, self.worths, _, _ = self.scratch
        self.auctions["model_seats"] = seats

    def expected(self, rounds: int, stream: Stream) -> Means:
        """Return what all can expect as the first table stands; what is to be drawn is drawn on it."""
        foresee(self.scratch, rounds, stream, self.means)
        return self.means[: self.seats].copy()


class SeatContext(RoundEvaluator):
    """What a seat sees and how it thinks, for one decision."""

    def __init__(self, seen: Seen, style: Style, weights: Floats | None = None) -> None:
        """Take the learned weights unless others are given; raises `NoWeights` if there are none."""
        self.seen, self.seat, self.style = seen, seen.seat, style
        self.round = int(seen.table.round_number)
        found, spreads = learned(int(seen.table.seats))
        super().__init__(seen.game, int(seen.table.seats), found if weights is None else weights, 2 + style.candidates)
        self.spread = float(spreads[self.round])
        self.deals = style.deals if seen.table.secret_hands else 1
        self.nodes = 0
        self.aggression = np.array([estimated_aggression(seen.table, seat) for seat in range(self.seats)])
        self.auctions["aggression"][0, : self.seats] = self.aggression

    @property
    def table(self) -> Any:
        """The table that is thought about."""
        return self.tables[0]

    def deal(self) -> None:
        """Put what is seen on the table that is thought about, with hands for all."""
        self.tables[0] = self.seen.table
        if self.seen.table.secret_hands:
            redeal(self.table, self.seat, self.seen.stream)

    def expected_now(self) -> Means:
        """Return what all can expect as the first table stands."""
        self.nodes += 1
        return self.expected(self.style.balance_rounds, self.seen.stream)

    def choice(self, move: int, means: Means) -> Choice:
        """Return a move with its worth and chance."""
        return Choice(move, lead(means, self.seat, self.spread), win_probability(means, self.seat, self.spread))

    @property
    def envy(self) -> float:
        """What a point of the others counts against one's own: in the last round as much."""
        return 1.0 if self.round == ROUNDS else self.style.envy

    def utility(self, means: Means) -> float:
        """Return what the seat makes of what all can expect: its own points, less what it envies of the others."""
        others = envies(means, self.spread)[self.seat]
        return float(means[self.seat] - self.envy * (others @ means))

    def thought(self, found: dict[int, Means], move: int | None = None) -> Thought:
        """Return the best move, or this one, by what all can expect after each."""
        ranked = sorted(found, key=lambda each: -self.utility(found[each]))
        choices = tuple(self.choice(each, found[each]) for each in ranked)
        return Thought(ranked[0] if move is None else move, choices, False, self.nodes)
