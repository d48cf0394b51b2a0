"""What the bots of Mozaika think with: what has been learned, a style, and room to work in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from smalti.bots.bot import Choice, Seen, Thought
from smalti.bots.mozaika.desk import Desk
from smalti.bots.mozaika.features import VERSION, Floats
from smalti.bots.mozaika.foresight import foresee
from smalti.bots.mozaika.lavish import suspicion
from smalti.bots.mozaika.laying import LAYS
from smalti.bots.mozaika.offers import Auction
from smalti.bots.mozaika.winning import Means, chance, envies, lead
from smalti.bots.weights import shipped
from smalti.engine.chance import Stream
from smalti.engine.game import Game
from smalti.engine.rules import redeal
from smalti.games.mozaika.tables import ROUNDS

NAME = "mozaika"
SCALE = 256  # of the whole numbers that are shipped, for a point
SEATS = 5
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


class Room:
    """Buffers for one table, with the weights for its seats."""

    def __init__(self, game: Game, seats: int, weights: Floats, tables: int) -> None:
        """Make room for so many tables."""
        self.seats, self.weights = seats, weights
        self.tables = game.table.batch(tables)
        self.desks, self.auctions = Desk.batch(SEATS), Auction.batch(1)
        self.auctions["crowd"] = seats
        self.worths, self.sums = np.zeros(LAYS), np.zeros(SEATS)
        self.moves, self.odds = game.buffers()

    def expected(self, rounds: int, stream: Stream) -> Means:
        """Return what all can expect as the first table stands; what is to be drawn is drawn on it."""
        room = self.weights, self.worths, self.moves, self.odds
        foresee(self.tables, self.desks, self.auctions, rounds, *room, stream, self.sums)
        return self.sums[: self.seats].copy()


class Mind(Room):
    """A seat's thoughts about a table."""

    def __init__(self, seen: Seen, style: Style, weights: Floats | None = None) -> None:
        """Read what has been learned, unless there are other weights; whoever has none cannot think."""
        self.seen, self.seat, self.style = seen, seen.seat, style
        self.round = int(seen.table.round_number)
        found, spreads = learned(int(seen.table.seats))
        super().__init__(seen.game, int(seen.table.seats), found if weights is None else weights, 2 + style.candidates)
        self.spread = float(spreads[self.round])
        self.deals = style.deals if seen.table.secret_hands else 1
        self.nodes = 0
        self.lavish = np.array([suspicion(seen.table, seat) for seat in range(self.seats)])
        self.auctions["lavish"][0, : self.seats] = self.lavish

    @property
    def table(self) -> Any:
        """The first table of the room."""
        return self.tables[0]

    def deal(self) -> None:
        """Put what is seen into the first place of the room, with hands for all."""
        self.tables[0] = self.seen.table
        if self.seen.table.secret_hands:
            redeal(self.table, self.seat, self.seen.stream)

    def expected_now(self) -> Means:
        """Return what all can expect as the first table stands."""
        self.nodes += 1
        return self.expected(self.style.balance_rounds, self.seen.stream)

    def choice(self, move: int, means: Means) -> Choice:
        """Return a move with its worth and chance."""
        return Choice(move, lead(means, self.seat, self.spread), chance(means, self.seat, self.spread))

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
