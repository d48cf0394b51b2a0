"""Looking ahead: what becomes of a board on average over futures that are the same for all that is tried."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import numpy as np

from smalti.bots.bot import Budget
from smalti.bots.mozaika.desk import Desk
from smalti.bots.mozaika.features import NONE
from smalti.bots.mozaika.futures import begin, futures
from smalti.bots.mozaika.mind import Mind
from smalti.bots.mozaika.street import Street, meet
from smalti.bots.mozaika.winning import Means
from smalti.engine.chance import stream_of

AT_ONCE = 8  # futures between two looks at the clock
FEWEST = 3  # trials that are never given up
FIRST_CUT = 0.3  # of the budget, before the first trials are given up
FUTURES_OF_JUDGEMENT = 20  # that count as much as what was learned


class Trial(NamedTuple):
    """Something to try: a bid; or a lay, perhaps with a tile that is picked first, or with a fly to place behind it."""

    worth: float  # by what was learned
    bid: int = NONE
    tile: int = NONE
    lay: int = NONE
    has_fly: bool = False


def share_spent(nodes: int, seconds: float, budget: Budget) -> float:
    """Return which share of the budget has been used up."""
    return max(nodes / budget.nodes if budget.nodes else 0.0, seconds / budget.seconds if budget.seconds else 0.0)


class Lookout:
    """Trials, and what has become of them so far."""

    def __init__(self, mind: Mind, trials: list[Trial]) -> None:
        self.mind, self.trials = mind, trials
        self.left = list(range(len(trials)))
        self.totals, self.seen = np.zeros(len(trials)), np.zeros(len(trials))
        self.desks, self.streets = Desk.batch(1 + len(trials)), Street.batch(2)
        self.bids = np.zeros(len(trials), np.int64)
        self.key = stream_of(mind.seen.seed, mind.seen.number)[0]
        self.future = 0

    def settle(self) -> None:
        """Set the trials out that are left, the others with hands as good as any."""
        mind = self.mind
        mind.deal()
        meet(self.streets[1], mind.table, mind.seat, mind.lavish, self.desks, mind.weights, mind.worths)
        for place, number in enumerate(self.left):
            _, self.bids[place], tile, lay, has_fly = self.trials[number]
            begin(self.desks[1 + place], mind.table, mind.seat, tile, lay, has_fly, mind.weights, mind.worths)

    def look(self) -> int:
        """See some more futures; return how many."""
        mind, left = self.mind, len(self.left)
        if mind.deals > 1:
            self.settle()
        totals = np.zeros(left)
        room = mind.weights, mind.worths, np.zeros(1, np.uint64), totals
        futures(self.desks, left, self.bids, self.streets, self.future, AT_ONCE, self.key, *room)
        self.totals[self.left] += totals
        self.seen[self.left] += AT_ONCE
        self.future += AT_ONCE
        mind.nodes += left * AT_ONCE
        return left * AT_ONCE

    @property
    def worths(self) -> Means:
        """What the trials are worth: what became of them, compared with each other, beside what was learned.

        Nobody's futures are played as well as possible, so that all of them are off by about the same.
        """
        learned = np.array([trial.worth for trial in self.trials])
        off = np.mean((self.totals / self.seen - learned)[self.left])
        found: Means = self.totals - self.seen * off + FUTURES_OF_JUDGEMENT * learned
        return found / (self.seen + FUTURES_OF_JUDGEMENT)

    def halve(self, fewest: int) -> None:
        """Give up the worse half."""
        worths = self.worths
        self.left.sort(key=lambda number: -worths[number])
        del self.left[max(fewest, len(self.left) // 2) :]


def ahead(mind: Mind, trials: list[Trial], budget: Budget, fewest: int = FEWEST) -> dict[int, float]:
    """Return by number what becomes of the trials, in points; the worse ones are given up on the way."""
    out, begun, spent, cut = Lookout(mind, trials), perf_counter(), 0, FIRST_CUT
    out.settle()
    while not spent or share_spent(spent, perf_counter() - begun, budget) < 1:
        if spent and len(out.left) > fewest and share_spent(spent, perf_counter() - begun, budget) > cut:
            out.halve(fewest)
            cut = (1 + cut) / 2
            out.settle()
        spent += out.look()
    worths = out.worths
    return {number: float(worths[number]) for number in out.left}
