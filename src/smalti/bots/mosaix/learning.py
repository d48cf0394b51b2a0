"""Mosaix learned by playing: what grids are worth alone, and what they are worth among others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from smalti.bots.learner import State
from smalti.bots.mosaix.beginner import simple_judgement
from smalti.bots.mosaix.company import Round
from smalti.bots.mosaix.crowd import BUFFERS, Crowd, learn_in_crowd
from smalti.bots.mosaix.features import ENTRIES, VERSION, Entries, Judgement, Work
from smalti.bots.mosaix.footprints import FOOTPRINT_COUNT
from smalti.bots.mosaix.judgement import NAME, packed
from smalti.bots.mosaix.lessons import Experience, Trail, learn_alone, results_alone
from smalti.bots.mosaix.lookahead import FITS
from smalti.bots.mosaix.symmetry import classes
from smalti.engine.chance import stream_of

TOGETHER_EVERY = 16  # games: one of these is not alone, but stands for several among others
SEVERAL = 15
ALONE, TOGETHER = 1, 2  # what the random numbers of a seed are for
SLOWEST = 0.1  # how much of an error is still learned from at the end


class Lesson(NamedTuple):
    """One judgement while it is learned: worths, windows by class, and what their errors added up to."""

    entries: Entries
    windows: Entries
    sums: Entries
    sizes: Entries

    @classmethod
    def first(cls) -> Lesson:
        """Know nothing."""
        readings = classes().number
        return cls(*(np.zeros(n, np.float32) for n in (ENTRIES, readings, ENTRIES + readings, ENTRIES + readings)))


class Desk:
    """A lesson spread out for compiled code, and room to play in."""

    def __init__(self, lesson: Lesson) -> None:
        self.judged = Judgement(lesson.entries.copy(), lesson.windows[classes().of])
        self.experience = Experience(lesson.sums.copy(), lesson.sizes.copy(), *classes())
        self.work, self.trail, self.now, self.crowd = Work.blank(), Trail.blank(), Round.blank(), Crowd.blank()
        self.worths = np.zeros((BUFFERS, FOOTPRINT_COUNT, FITS + 1))

    @property
    def lesson(self) -> Lesson:
        """What has been learned by now."""
        windows = self.judged.windows[classes().members[classes().starts[:-1]]]
        return Lesson(self.judged.entries.copy(), windows, self.experience.sums.copy(), self.experience.sizes.copy())


class Learner:
    """Both judgements, learned from games one move ahead."""

    name = NAME
    version = VERSION
    measure = "mean solo score, one move ahead"
    usual_games = 180_000

    def __init__(self) -> None:
        """Know nothing yet."""
        self.games = 0
        self.alone, self.together = Desk(Lesson.first()), Desk(Lesson.first())
        self.simple = simple_judgement()

    @property
    def rate(self) -> float:
        """How much of an error is learned from: all of it in the first half of a training, less and less then."""
        return max(SLOWEST, min(1.0, 2 - 2 * self.games / self.usual_games))

    def learn(self, games: int, seed: int) -> None:
        """Play that many games, most of them alone, and learn from them."""
        among = (self.games + games) // TOGETHER_EVERY - self.games // TOGETHER_EVERY
        desk, stream = self.alone, stream_of(seed, ALONE)
        played = games - among, self.rate, desk.judged, self.simple, desk.experience
        learn_alone(desk.work, desk.trail, *played, stream)
        desk, stream = self.together, stream_of(seed, TOGETHER)
        learned = SEVERAL * among, self.rate, desk.judged, desk.experience
        learn_in_crowd(desk.work, desk.trail, desk.crowd, desk.now, *learned, desk.worths, stream)
        self.games += games

    def measured(self, games: int, seed: int) -> float:
        """Return the mean score of solo games, one move ahead."""
        results = np.zeros(games, np.int32)
        results_alone(self.alone.work, self.alone.trail, results, self.alone.judged, stream_of(seed))
        return float(results.mean())

    def state(self) -> State:
        """Return both judgements with what made them."""
        lessons = {"alone": self.alone.lesson, "together": self.together.lesson}
        kept = {f"{name}_{part}": a for name, lesson in lessons.items() for part, a in lesson._asdict().items()}
        return kept | {"games": np.array(self.games)}

    def restore(self, state: State) -> None:
        """Go on from there."""
        self.alone, self.together = Desk(lesson_in(state, "alone")), Desk(lesson_in(state, "together"))
        self.games = int(state["games"])

    def merge(self, before: State, others: list[State]) -> None:
        """Take over what several have learned."""
        merged = {"games": before["games"] + sum(other["games"] - before["games"] for other in others)}
        for name in ("alone", "together"):
            lesson = united(lesson_in(before, name), [lesson_in(other, name) for other in others])
            merged |= {f"{name}_{part}": array for part, array in lesson._asdict().items()}
        self.restore(merged)

    def weights(self) -> State:
        """Return what is shipped: small whole numbers."""
        alone, together = self.alone.lesson, self.together.lesson
        return {
            "alone_entries": packed(alone.entries),
            "alone_windows": packed(alone.windows),
            "together_entries": packed(together.entries),
            "together_windows": packed(together.windows),
        }


def lesson_in(state: State, name: str) -> Lesson:
    """Return one of the judgements of a state."""
    return Lesson(*(state[f"{name}_{part}"].astype(np.float32) for part in Lesson._fields))


def united(before: Lesson, others: list[Lesson]) -> Lesson:
    """Unite what several have learned: errors add up, worths are averaged by how much each has met them."""
    met = [other.sizes - before.sizes for other in others]
    total = np.maximum(sum(met), np.float32(1e-9))
    shares = [part / total for part in met]
    entries, windows = before.entries.copy(), before.windows.copy()
    sums, sizes = before.sums.copy(), before.sizes.copy()
    for share, other in zip(shares, others, strict=True):
        entries += share[:ENTRIES] * (other.entries - before.entries)
        windows += share[ENTRIES:] * (other.windows - before.windows)
        sums += other.sums - before.sums
        sizes += other.sizes - before.sizes
    return Lesson(entries, windows, sums, sizes)
