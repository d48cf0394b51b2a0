"""The evaluation of a table of Patterns, compiled: the learned weights of its features, added up.

Worths are in sixteenths of a point, as the seat sees them that is to move.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.bots.patterns.evaluate.features import (
    FEATURES,
    OF_A_SEAT,
    Indices,
    Reach,
    last_flip_points,
    points_lead,
    write_features,
)
from smalti.engine.bits import whole
from smalti.engine.compiled import compiled
from smalti.games.patterns.tables import FLIPPING, Table

POINT = 16
WIN = 8 * POINT  # so that a narrow win is better than many points
STEPS_OF_A_WORTH = 16  # the weights are finer

SmallWeights = npt.NDArray[np.int16]


@compiled
def final_worth(table: Table, seat: int, reach: Reach) -> int:
    """Return what the end is worth to a seat; whoever still has tiles to flip will flip them all. (PT-11)"""
    lead = points_lead(table, seat)
    if table.phase == FLIPPING:
        flipper = whole(table.turn)
        lead += last_flip_points(table, flipper, reach) * (1 if flipper == seat else -1)
    return POINT * lead + (WIN if lead > 0 else -WIN if lead < 0 else 0)


@compiled
def static_worth(table: Table, seat: int, reach: Reach, indices: Indices, weights: SmallWeights) -> int:
    """Return what a table seems to be worth to the seat that is to move."""
    write_features(table, seat, reach, indices)
    total = 0
    for place in range(OF_A_SEAT):
        total += whole(weights[indices[place]]) - whole(weights[indices[OF_A_SEAT + place]])
    for place in range(2 * OF_A_SEAT, FEATURES):
        total += whole(weights[indices[place]])
    return POINT * points_lead(table, seat) + total // STEPS_OF_A_WORTH
