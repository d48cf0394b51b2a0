"""A course of training: rounds of games, measured now and then, kept in a checkpoint.

Rounds begin at fixed numbers of games and have seeds of their own. So a course that was stopped and goes on learns the
same as one that was not, and with one worker everything depends on the seed and the size of a round.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from smalti.bots import weights
from smalti.bots.learner import Learner
from smalti.bots.training import checkpoints
from smalti.bots.training.worker_pool import Share, WorkerPool, learner_of
from smalti.engine.chance import derived_seed

__all__ = ["Course", "learner_of"]

ROUNDS = 500  # of a whole training
ROUNDS_BETWEEN = 25  # two measurements
LEARNING, MEASURING = 1, 2  # what the random numbers of a seed are for

Report = Callable[["Course", int], None]  # how far it is, and how many games the round had


class Course:
    """A learner, and how far its training has come."""

    def __init__(self, game: str, learner: Learner, seed: int, games_a_round: int, measured_games: int) -> None:
        self.game, self.learner, self.seed = game, learner, seed
        self.round, self.measured_games = games_a_round, measured_games
        self.begun = learner.games
        self.curve: list[tuple[int, float]] = []  # games played, and how well it plays then

    @property
    def games(self) -> int:
        """How many games this course has had."""
        return self.learner.games - self.begun

    # --- Going on

    def run(
        self, until: Callable[[Course], bool], goal: int | None, pool: WorkerPool | None, path: Path, report: Report
    ) -> None:
        """Learn round by round until it is to stop, or the goal is reached; keep checkpoints."""
        while not until(self) and (goal is None or self.games < goal):
            if self.is_due:
                self.measure()
                self.save(path)
            games = self.next_round(goal)
            self.learn(games, pool)
            report(self, games)
        if not self.curve or self.curve[-1][0] != self.learner.games:
            self.measure()
        self.save(path)

    @property
    def is_due(self) -> bool:
        """Whether it is time to measure."""
        spent = self.games // self.round
        known = self.curve and self.curve[-1][0] == self.learner.games
        return self.games % self.round == 0 and spent % ROUNDS_BETWEEN == 0 and not known

    def next_round(self, goal: int | None) -> int:
        """Return how many games the next round has: up to the next beginning of one, but not beyond the goal."""
        games = self.round - self.games % self.round
        return games if goal is None else min(games, goal - self.games)

    def learn(self, games: int, pool: WorkerPool | None) -> None:
        """Play one round, in this process or by a pool that shares it out."""
        if pool is None:
            self.learner.learn(games, derived_seed(self.seed, LEARNING, self.learner.games, 0))
            return
        before = self.learner.state()
        self.learner.merge(before, pool.learned(self.game, before, self.shares(games, pool.size)))

    def shares(self, games: int, size: int) -> list[Share]:
        """Share a round out, as evenly as can be."""
        parts = [games // size + (number < games % size) for number in range(size)]
        seeds = [derived_seed(self.seed, LEARNING, self.learner.games, number) for number in range(size)]
        return [(part, seed) for part, seed in zip(parts, seeds, strict=True) if part]

    def measure(self) -> None:
        """Note how well it plays, always in the same games."""
        value = self.learner.measured(self.measured_games, derived_seed(self.seed, MEASURING))
        self.curve.append((self.learner.games, value))

    @property
    def steady_curve(self) -> list[tuple[int, float]]:
        """The curve without points that were measured only because the course was stopped."""
        between = ROUNDS_BETWEEN * self.round
        steady = [point for point in self.curve[:-1] if (point[0] - self.begun) % between == 0]
        return steady + self.curve[-1:]

    # --- Keeping

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        learner = self.learner
        facts: dict[str, Any] = {"game": self.game, "name": learner.name, "version": learner.version}
        facts |= {"seed": self.seed, "round": self.round, "begun": self.begun, "curve": self.curve}
        facts |= {"measured": self.measured_games}
        checkpoints.save(path, facts, learner.state())

    @classmethod
    def resumed(cls, path: Path, game: str) -> Course:
        """Go on from a checkpoint."""
        learner = learner_of(game)
        facts, state = checkpoints.load(path, game, learner.name, learner.version)
        learner.restore(state)
        course = cls(game, learner, facts["seed"], facts["round"], facts["measured"])
        course.begun, course.curve = facts["begun"], [(games, value) for games, value in facts["curve"]]
        return course

    def write_weights(self, path: Path) -> None:
        """Write what has been learned, as it is shipped."""
        learner, value = self.learner, self.curve[-1][1]
        facts = {"games": learner.games, "seed": self.seed, "measure": learner.measure, "measured": value}
        facts |= {"round": self.round, "measured_games": self.measured_games, "curve": self.steady_curve}
        weights.save(path, learner.weights(), learner.name, learner.version, **facts)


def until(minutes: float | None, is_stopped: Callable[[], bool]) -> Callable[[Course], bool]:
    """Return a function that says whether a course is to stop: when time is up, or when somebody asked."""
    end = time.monotonic() + 60 * minutes if minutes is not None else None
    return lambda course: is_stopped() or (end is not None and time.monotonic() >= end)
