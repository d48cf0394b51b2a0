"""From expected points to the probability of winning: final points are taken as normal around what seats can expect.

`final` is what came out.
"""

from __future__ import annotations

from math import erf, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.engine.rules import score, winners

Means = npt.NDArray[np.float64]

REACH = 5.0  # in standard deviations
STEPS = np.linspace(-REACH, REACH, 201)
BELOW = np.array([(1 + erf(step / sqrt(2))) / 2 for step in STEPS])
DENSITY = np.exp(-STEPS * STEPS / 2)
DENSITY /= DENSITY.sum()
AHEAD, LEAST = 0.5, 0.05  # whom one envies: somebody a little ahead, everybody a little


class Expected(NamedTuple):
    """What a seat may expect."""

    worth: float  # points ahead of the best other at the end
    chance: float  # of winning; a shared win counts its share


def final(table: Any) -> list[Expected]:
    """Return what came out for every seat."""
    points = np.zeros(table.coins.shape, np.int32)
    score(table, points)
    scores, won = points.tolist()[: int(table.seats)], int(winners(table))
    leads = [own - max(scores[:seat] + scores[seat + 1 :]) for seat, own in enumerate(scores)]
    return [Expected(float(ahead), (won >> seat & 1) / won.bit_count()) for seat, ahead in enumerate(leads)]


def share_below(points: Means, mean: float, spread: float) -> Means:
    """Return how likely somebody ends below each of these points."""
    found: Means = np.interp((points - mean) / spread, STEPS, BELOW)
    return found


def win_probability(means: Means, seat: int, spread: float) -> float:
    """Return the probability that a seat has most points."""
    points = means[seat] + spread * STEPS
    beaten = np.ones_like(points)
    for other, mean in enumerate(means):
        if other != seat:
            beaten *= share_below(points, float(mean), spread)
    return float(DENSITY @ beaten)


def lead(means: Means, seat: int, spread: float) -> float:
    """Return how many points a seat can expect to have more than the best other."""
    others = np.delete(means, seat)
    points = np.linspace(others.min() - REACH * spread, others.max() + REACH * spread, 400)
    beaten = np.ones_like(points)
    for mean in others:
        beaten *= share_below(points, float(mean), spread)
    step = points[1] - points[0]
    best_other = points[-1] - float(beaten.sum() - beaten[-1] / 2 - beaten[0] / 2) * step
    return float(means[seat]) - best_other


def envies(means: Means, spread: float) -> npt.NDArray[np.float64]:
    """Return by seat and other which share of one's envy the other gets: whoever is likelier to be in the way."""
    gaps = (means[None, :] - means[:, None]) / spread
    found: npt.NDArray[np.float64] = np.exp(-((gaps - AHEAD) ** 2) / 4) + LEAST
    np.fill_diagonal(found, 0.0)
    return found / found.sum(axis=1, keepdims=True)
