"""From what a table is worth to points and chances of winning."""

from __future__ import annotations

from math import exp

from smalti.bots.patterns.features import PLIES_OF_A_STAGE, STAGES
from smalti.bots.patterns.room import POINT, WIN
from smalti.engine.bits import count
from smalti.games.patterns.rules import front_up
from smalti.games.patterns.tables import SPACES, Table

# By stage: how fast a worth in points becomes a safe win; fitted to 950 games against itself, of a few
# thousand tables a move.
STEEPNESS = (0.1, 0.1, 0.105, 0.12, 0.135, 0.155, 0.19, 0.29)


def stage_of(table: Table) -> int:
    """Return how far the game has come."""
    return min(STAGES - 1, (SPACES - int(count(front_up(table)))) // PLIES_OF_A_STAGE)


def chance_of(worth: float, stage: int, is_proved: bool) -> float:
    """Return the chance of winning, a tie being half a win."""
    if is_proved:
        return float(worth > 0) + 0.5 * float(worth == 0)
    return 1 / (1 + exp(-STEEPNESS[stage] * worth / POINT))


def lead_of(worth: float, chance: float) -> float:
    """Return the points ahead at the end, without what winning is worth beside them."""
    return (worth - WIN * (2 * chance - 1)) / POINT
