"""Successive halving: which of some moves is best, by rollouts that are the same for all of them.

The budget is spent in stages; after each the worse half is given up, so that most rollouts go to the moves that may be
best.
"""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import numpy as np

from smalti.bots.bot import Budget
from smalti.bots.mozaika.evaluate.features import NONE
from smalti.bots.mozaika.evaluate.scratch import BoardScratch
from smalti.bots.mozaika.evaluate.win_probability import Means
from smalti.bots.mozaika.search.context import SeatContext
from smalti.bots.mozaika.search.opponents import Opponents, read_opponents
from smalti.bots.mozaika.search.rollouts import Candidate, RolloutScratch, roll_out, set_out_candidate
from smalti.engine.chance import stream_of

AT_ONCE = 8  # rollouts between two looks at the clock
FEWEST = 3  # trials that are never given up
FIRST_CUT = 0.3  # of the budget, before the first trials are given up
ROLLOUTS_OF_JUDGEMENT = 20  # that count as much as what was learned


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


class SuccessiveHalving:
    """The trials that are left, and what has become of them so far."""

    def __init__(self, context: SeatContext, trials: list[Trial]) -> None:
        self.context, self.trials = context, trials
        self.left = list(range(len(trials)))
        self.totals, self.seen = np.zeros(len(trials)), np.zeros(len(trials))
        self.scratch = RolloutScratch(
            BoardScratch.batch(1 + len(trials)),
            np.zeros(len(trials), np.int64),
            Opponents.batch(2),
            context.weights,
            context.worths,
            np.zeros(1, np.uint64),
        )
        self.key = stream_of(context.seen.seed, context.seen.number)[0]
        self.rollouts = 0

    def set_out_trials(self) -> None:
        """Deal what is hidden, read the opponents, and set out the boards of the trials that are left."""
        context, scratch = self.context, self.scratch
        context.deal()
        learned = context.weights, context.worths
        aggression = context.aggression
        read_opponents(scratch.opponents[1], context.table, context.seat, aggression, scratch.boards, *learned)
        for place, number in enumerate(self.left):
            trial = self.trials[number]
            scratch.bids[place] = trial.bid
            candidate = Candidate(trial.tile, trial.lay, trial.has_fly)
            set_out_candidate(scratch, place, context.table, context.seat, candidate)

    def roll_out_some(self) -> int:
        """Roll out all trials that are left some more times; return how many rollouts that were."""
        totals = np.zeros(len(self.left))
        if self.context.deals > 1:
            self.set_out_trials()
        roll_out(self.scratch, self.rollouts, AT_ONCE, self.key, totals)
        self.totals[self.left] += totals
        self.seen[self.left] += AT_ONCE
        self.rollouts += AT_ONCE
        self.context.nodes += len(totals) * AT_ONCE
        return len(totals) * AT_ONCE

    @property
    def worths(self) -> Means:
        """What the trials are worth: what became of them, compared with each other, beside what was learned.

        No rollout is played as well as possible, so that all of them are off by about the same.
        """
        learned = np.array([trial.worth for trial in self.trials])
        off = np.mean((self.totals / self.seen - learned)[self.left])
        found: Means = self.totals - self.seen * off + ROLLOUTS_OF_JUDGEMENT * learned
        return found / (self.seen + ROLLOUTS_OF_JUDGEMENT)

    def halve(self, fewest: int) -> None:
        """Give up the worse half."""
        worths = self.worths
        self.left.sort(key=lambda number: -worths[number])
        del self.left[max(fewest, len(self.left) // 2) :]


def trial_worths(context: SeatContext, trials: list[Trial], budget: Budget, fewest: int = FEWEST) -> dict[int, float]:
    """Return by number what the trials are worth, in points; the worse ones are given up on the way."""
    race, begun, spent, cut = SuccessiveHalving(context, trials), perf_counter(), 0, FIRST_CUT
    race.set_out_trials()
    while not spent or share_spent(spent, perf_counter() - begun, budget) < 1:
        if spent and len(race.left) > fewest and share_spent(spent, perf_counter() - begun, budget) > cut:
            race.halve(fewest)
            cut = (1 + cut) / 2
            race.set_out_trials()
        spent += race.roll_out_some()
    worths = race.worths
    return {number: float(worths[number]) for number in race.left}
