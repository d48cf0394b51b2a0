"""TD(λ) with temporal coherence, compiled: what an episode teaches about the worth of boards.

After every round the worth of a board is brought closer to its λ-return: what it was worth a round later, mixed with
the return from there. Temporal coherence gives every weight a learning rate of its own: the share of its net correction
in the sum of their sizes, so that a weight whose errors contradict each other hardly moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.evaluate.features import ROWS, Floats
from smalti.bots.mozaika.evaluate.moves import Worths
from smalti.bots.mozaika.learning.episode import NOISY_BIDS, Episode, Episodes
from smalti.engine.compiled import apart, compiled

LAMBDA = 0.5  # trust in what came later, against what it seemed to be worth a round later
RATE = 0.5
SPREAD_RATE = 0.0005


class CoherentWeights(NamedTuple):
    """Weights, and for each the sum of its errors and of their sizes, which set its learning rate."""

    weights: Floats
    drift: Floats
    travel: Floats


@compiled
def note_returns(episode: Episode, seat: int, returns: Worths) -> None:
    """Note for every round the λ-return of its worth; or, if the next lay was not the best, what that one promised."""
    returns[ROWS] = episode.worth[seat, ROWS]
    for round_number in range(ROWS - 1, 0, -1):
        later = round_number + 1
        if episode.missed[seat, later] > 0:
            returns[round_number] = episode.worth[seat, later] + episode.missed[seat, later]
        else:
            returns[round_number] = (1 - LAMBDA) * episode.worth[seat, later] + LAMBDA * returns[later]


@compiled
def correct_weights(learned: CoherentWeights, features: npt.NDArray[np.int32], found: int, error: float) -> None:
    """Move the weights of some features by their shares of the error, each at its own learning rate."""
    weights, drift, travel = learned
    for index in range(found):
        feature = features[index]
        size = abs(drift[feature]) / travel[feature] if travel[feature] > 0 else 1.0
        weights[feature] += RATE * size * error / found
        drift[feature] += error
        travel[feature] += abs(error)


@compiled
def learn_seat(episode: Episode, seat: int, learned: CoherentWeights, spread: Worths, returns: Worths) -> None:
    """Learn from one seat, but not from rounds before which it bid badly on purpose."""
    for round_number in range(1, ROWS):
        if round_number + 1 < episode.bids_until[seat] and episode.manner[seat] != NOISY_BIDS:
            continue
        error = returns[round_number] - episode.worth[seat, round_number]
        correct_weights(learned, episode.features[seat, round_number], episode.found[seat, round_number], error)
        if round_number >= episode.lays_until[seat]:
            off = episode.worth[seat, ROWS] - episode.worth[seat, round_number]
            spread[round_number] += SPREAD_RATE * (off * off - spread[round_number])


@apart
def learn_from(episodes: Episodes, learned: CoherentWeights, spread: Worths, returns: Worths) -> None:
    """Learn from an episode; the last row is what boards score, so it needs no learning. `spread` gathers squares."""
    episode = episodes[0]
    for seat in range(episode.seats):
        note_returns(episode, seat, returns)
        learn_seat(episode, seat, learned, spread, returns)
