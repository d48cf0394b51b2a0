"""What the end of a game is worth to each seat, and how far it is ahead at any time, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import whole
from smalti.engine.compiled import compiled
from smalti.engine.record import Record
from smalti.engine.rules import Scores, score, winners

LEAD_SHARE = 0.2  # of a result: by how much, besides who has won
LEAD_SCALE = 20.0  # points that make half of it
ALONE_SCALE = 100.0

Values = npt.NDArray[np.float64]


@compiled
def outcome(table: Record, seats: int, scores: Scores, shares: Values, values: Values) -> None:
    """Note each seat's share of the win, and what the end is worth to it: a little by how much, too; alone, points."""
    score(table, scores)
    won = whole(winners(table))
    sharing = 0
    for seat in range(seats):
        sharing += (won >> seat) & 1
    for seat in range(seats):
        lead = 1.0 * ahead(scores, seat, seats)
        shares[seat] = ((won >> seat) & 1) / max(1, sharing)
        by_points = 0.5 + 0.5 * lead / (abs(lead) + LEAD_SCALE)
        values[seat] = (1 - LEAD_SHARE) * shares[seat] + LEAD_SHARE * by_points
    if seats == 1:
        values[0] = scores[0] / (scores[0] + ALONE_SCALE)


@compiled
def ahead(scores: Scores, seat: int, seats: int) -> int:
    """Return how many points a seat has more than the best of the others; alone, how many it has."""
    if seats == 1:
        return whole(scores[0])
    best = -1
    for other in range(seats):
        if other != seat and scores[other] > best:
            best = whole(scores[other])
    return whole(scores[seat]) - best
