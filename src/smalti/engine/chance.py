"""Random streams for simulation: the same numbers from the same seed on every machine.

Rules contain no randomness; whoever plays chance brings a stream. A stream is one word of state in an array of
one, so that compiled code can advance it (SplitMix64).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import whole
from smalti.engine.compiled import compiled, wrapping
from smalti.engine.rules import Weights

Stream = npt.NDArray[np.uint64]

STRIDE = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@wrapping
def mixed(word: np.uint64) -> np.uint64:
    """Return a word all of whose bits depend on all bits of the given one."""
    word = (word ^ (word >> S30)) * FIRST
    word = (word ^ (word >> S27)) * SECOND
    return word ^ (word >> S31)


@wrapping
def seeded(stream: Stream, seed: np.uint64, number: np.uint64) -> None:
    """Start the stream number `number` of a seed, unrelated to its neighbours."""
    stream[0] = mixed(mixed(seed + STRIDE) + (number + np.uint64(1)) * STRIDE)


@wrapping
def below(stream: Stream, bound: int) -> int:
    """Return a number from 0 to bound − 1, each equally likely to within 2⁻³² · bound."""
    stream[0] += STRIDE
    return whole(((mixed(stream[0]) >> S32) * np.uint64(bound)) >> S32)


@compiled
def weighted(stream: Stream, weights: Weights, count: int) -> int:
    """Return an index below count, each as likely as its weight."""
    total = 0
    for index in range(count):
        total += weights[index]
    rest = below(stream, total)
    drawn, reached = 0, 0
    for index in range(count - 1):  # no branches, because where it ends cannot be foreseen
        reached += weights[index]
        drawn += reached <= rest
    return drawn


def stream_of(seed: int, number: int = 0) -> Stream:
    """Return the stream of that number of a seed."""
    stream = np.zeros(1, np.uint64)
    seeded(stream, np.uint64(seed), np.uint64(number))
    return stream


def derived_seed(seed: int, *numbers: int) -> int:
    """Return 64 random bits that depend on nothing but a seed and these numbers."""
    for number in numbers:
        seed = int(stream_of(seed, number)[0])
    return seed
