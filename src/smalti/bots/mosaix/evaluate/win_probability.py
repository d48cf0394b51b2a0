"""The probability of winning, from the points to expect and the measured spread of final scores around them."""

from __future__ import annotations

from math import erf, exp, pi, sqrt

from smalti.games.mosaix.tables import WON

# Standard deviation of a final solo score around what was expected, by the empty cells, in fours from 0 to 48.
SOLO_SPREADS = (2.0, 8.8, 11.2, 12.4, 13.0, 13.5, 13.7, 14.1, 14.3, 14.3, 14.4, 14.5, 14.6)
# The same for the lead of one player over another, by the cells to be written on the grid nearest to its end.
LEAD_SPREADS = (3.0, 13.0, 16.0, 19.0, 21.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 29.0)


def stage(empty: int) -> int:
    """Return how far a grid is from being full, in fours."""
    return min((empty + 3) // 4, len(SOLO_SPREADS) - 1)


def solo_win_probability(worth: float, empty: int) -> float:
    """Return the probability that the final score is at least 120. (MX-13)"""
    return 0.5 + 0.5 * erf((worth - WON + 0.5) / (SOLO_SPREADS[stage(empty)] * sqrt(2)))


def win_probability(worths: list[float], seat: int, empty: int) -> float:
    """Return the probability that a seat wins, if these are the points that all seats may expect."""
    scale = LEAD_SPREADS[stage(empty)] * sqrt(3) / pi  # as if differences were logistic
    weights = [exp((worth - max(worths)) / scale) for worth in worths]
    return weights[seat] / sum(weights)


def win_share(points: list[float], seat: int) -> float:
    """Return a seat's share of the win at the end: 1, 0, or a part of a tie."""
    won = [one for one, own in enumerate(points) if own == max(points)]
    return 1 / len(won) if seat in won else 0.0
