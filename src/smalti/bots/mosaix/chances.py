"""The chance of winning, from what is expected and how far games have strayed from that, measured."""

from __future__ import annotations

from math import erf, exp, pi, sqrt

from smalti.games.mosaix.tables import WON

# How far the final score alone strays from what was expected, by the cells that are empty, in fours from 0 to 48.
ALONE = (2.0, 4.0, 7.0, 9.0, 10.0, 11.0, 12.0, 12.5, 13.0, 13.2, 13.5, 13.8, 14.0)
# The same for the difference of two players' points.
BETWEEN = (3.0, 8.0, 12.0, 15.0, 17.0, 19.0, 20.0, 21.0, 22.0, 22.5, 23.0, 23.5, 24.0)


def stage(empty: int) -> int:
    """Return how far a grid is from being full, in fours."""
    return min((empty + 3) // 4, len(ALONE) - 1)


def chance_alone(worth: float, empty: int) -> float:
    """Return how likely the final score is to be 120 at least. (MX-13)"""
    return 0.5 + 0.5 * erf((worth - WON + 0.5) / (ALONE[stage(empty)] * sqrt(2)))


def chance_among(worths: list[float], seat: int, empty: int) -> float:
    """Return how likely a seat is to win, if these are the points that everybody may expect."""
    scale = BETWEEN[stage(empty)] * sqrt(3) / pi  # as if differences were logistic
    weights = [exp((worth - max(worths)) / scale) for worth in worths]
    return weights[seat] / sum(weights)
