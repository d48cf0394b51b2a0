"""From what a table is worth to points ahead and the probability of winning: a logistic curve for each stage."""

from __future__ import annotations

from math import exp

from smalti.bots.patterns.evaluate import features
from smalti.bots.patterns.evaluate.evaluation import POINT, WIN
from smalti.games.patterns.rules import front_up
from smalti.games.patterns.tables import Table

# By stage: how fast a worth in points becomes a safe win; fitted to 950 games against itself, of a few
# thousand tables a move.
STEEPNESS = (0.1, 0.1, 0.105, 0.12, 0.135, 0.155, 0.19, 0.29)


def stage_of(table: Table) -> int:
    """Return how far the game has come."""
    return int(features.stage_of(front_up(table)))


def win_probability(worth: float, stage: int, is_proved: bool) -> float:
    """Return the probability of winning, a tie being half a win."""
    if is_proved:
        return float(worth > 0) + 0.5 * float(worth == 0)
    return 1 / (1 + exp(-STEEPNESS[stage] * worth / POINT))


def expected_lead(worth: float, chance: float) -> float:
    """Return the points ahead at the end, without what winning is worth beside them."""
    return (worth - WIN * (2 * chance - 1)) / POINT
