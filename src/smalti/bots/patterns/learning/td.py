"""TD(λ) with temporal coherence, compiled: what a game teaches about the worth of its tables.

Going back from the end, every table is brought closer to its λ-return: what its best move was worth, mixed with what
became of it. Temporal coherence gives every weight a learning rate of its own: the share of its net correction in the
sum of their sizes, so that a weight whose errors contradict each other hardly moves. Worths are in points, as the seat
to move sees them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.patterns.evaluate.features import FEATURES, OF_A_SEAT, WEIGHTS, Indices
from smalti.engine.compiled import compiled
from smalti.games.patterns.tables import SPACES

LAMBDA = 0.7  # how much of a later surprise an earlier table takes over
LONGEST_GAME = SPACES  # plies

Floats = npt.NDArray[np.float32]


class CoherentWeights(NamedTuple):
    """Weights, and for each the sum of its errors and of their sizes, which set its learning rate."""

    weights: Floats
    drifts: Floats
    sizes: Floats


class Episode(NamedTuple):
    """What is noted of a game, by ply; there is one ply more than any game has, to work in."""

    indices: Indices  # the features
    leads: Floats  # points ahead
    values: Floats  # what the best move was worth
    is_final: npt.NDArray[np.bool_]  # whether that is all there is to learn, because what follows says nothing


def blank_weights() -> CoherentWeights:
    """Return weights before anything is learned."""
    return CoherentWeights(*(np.zeros(WEIGHTS, np.float32) for _ in range(3)))


def new_episode() -> Episode:
    """Return an empty episode."""
    return Episode(
        np.zeros((LONGEST_GAME + 1, FEATURES), np.int32),
        np.zeros(LONGEST_GAME + 1, np.float32),
        np.zeros(LONGEST_GAME + 1, np.float32),
        np.zeros(LONGEST_GAME + 1, np.bool_),
    )


@compiled
def learned_lead(weights: Floats, indices: Indices) -> float:
    """Return what the seat to move can expect beyond the points it is ahead now."""
    total = np.float32(0.0)
    for place in range(OF_A_SEAT):
        total += weights[indices[place]] - weights[indices[OF_A_SEAT + place]]
    for place in range(2 * OF_A_SEAT, FEATURES):
        total += weights[indices[place]]
    return float(total)


@compiled
def correct_weight(learned: CoherentWeights, index: int, error: float) -> None:
    """Move one weight by its share of the error, at its own learning rate."""
    weights, drifts, sizes = learned
    size = sizes[index]
    rate = abs(drifts[index]) / size if size > 0 else np.float32(1.0)
    weights[index] += rate * error / FEATURES
    drifts[index] += error
    sizes[index] = size + abs(error)


@compiled
def learn_from(episode: Episode, learned: CoherentWeights, plies: int) -> None:
    """Correct the weights from the last ply to the first.

    What came after a random move says nothing about the table before it.
    """
    target = episode.values[plies - 1]
    for ply in range(plies - 1, -1, -1):
        target = -np.float32(LAMBDA) * target + np.float32(1 - LAMBDA) * episode.values[ply]
        if episode.is_final[ply] or ply == plies - 1:
            target = episode.values[ply]
        indices = episode.indices[ply]
        error = target - episode.leads[ply] - learned_lead(learned.weights, indices)
        for place in range(FEATURES):
            is_other = OF_A_SEAT <= place < 2 * OF_A_SEAT
            correct_weight(learned, indices[place], -error if is_other else error)
