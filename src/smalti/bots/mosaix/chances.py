"""The chance of winning, from what is expected and how far games have strayed from that, measured."""

from __future__ import annotations

from math import erf, exp, pi, sqrt

from smalti.games.mosaix.tables import WON

# How far the final score alone strays from what was expected, by the cells that are empty, in fours from 0 to 48.
ALONE = (2.0, 8.8, 11.2, 12.4, 13.0, 13.5, 13.7, 14.1, 14.3, 14.3, 14.4, 14.5, 14.6)
# The same for the difference of two players' points, by the cells to be written on the grid nearest to its end.
BETWEEN = (3.0, 13.0, 16.0, 19.0, 21.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 29.0)


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


def chance_at_the_end(points: list[float], seat: int) -> float:
    """Return whether a seat has won, or its share of the win."""
    won = [one for one, own in enumerate(points) if own == max(points)]
    return 1 / len(won) if seat in won else 0.0
