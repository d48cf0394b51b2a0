"""The two learned value functions: what grids are worth in solo games, and in games with several players.

They are shipped as whole numbers, the windows by classes of readings that mean the same. The names of the arrays in
the file are `alone` and `together`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from smalti.bots.mosaix.evaluate.features import ENTRIES, VERSION, Entries, Judgement
from smalti.bots.mosaix.evaluate.symmetry import classes
from smalti.bots.weights import NoWeights, shipped

NAME = "mosaix"
SCALE = 256  # steps of a point
MOST = 32767


def packed(values: Entries) -> npt.NDArray[np.int16]:
    """Return worths as small whole numbers."""
    return np.clip(np.rint(values * SCALE), -MOST, MOST).astype(np.int16)


def spread_out(entries: npt.NDArray[np.int16], by_class: npt.NDArray[np.int16]) -> Judgement:
    """Return a value function from the numbers that are shipped."""
    if len(entries) != ENTRIES or len(by_class) != classes().number:
        raise NoWeights(NAME, "have another size")
    scale = np.float32(SCALE)
    return Judgement(entries.astype(np.float32) / scale, by_class.astype(np.float32)[classes().of] / scale)


@cache
def solo() -> Judgement:
    """Return the value function for the solo game."""
    arrays = shipped(NAME, VERSION)
    return spread_out(arrays["alone_entries"], arrays["alone_windows"])


@cache
def multiplayer() -> Judgement:
    """Return the value function for two to four players."""
    arrays = shipped(NAME, VERSION)
    return spread_out(arrays["together_entries"], arrays["together_windows"])
