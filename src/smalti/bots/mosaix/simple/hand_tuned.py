"""How beginners judge grids: by the points that count, or also by areas that can still grow."""

from __future__ import annotations

import numpy as np

from smalti.bots.mosaix.evaluate.features import (
    AREA_START,
    COUNTING,
    ENTRIES,
    HOLE_START,
    HOLES,
    LEFT_START,
    LIBERTIES,
    REACH_START,
    SIZES,
    STAGES,
    Judgement,
)
from smalti.bots.mosaix.evaluate.symmetry import classes
from smalti.games.mosaix.tables import AREA

SHARES = (0.05, 0.15, 0.35, 0.6)  # of what a fifth cell would bring, for areas with 1 to 4 that can grow
FIRST, FURTHER = 5.0, 10.5  # points that an area brings if it is the first, and for each other that counts
HOLE = -2.5  # what a cell that can never be filled costs


def points_only() -> Judgement:
    """Return how somebody judges who sees nothing but points."""
    return Judgement(np.zeros(ENTRIES, np.float32), np.zeros(len(classes().of), np.float32))


def simple_judgement() -> Judgement:
    """Return how somebody judges who likes areas that can grow and dislikes holes."""
    entries, windows = points_only()
    areas = entries[AREA_START:REACH_START].reshape(STAGES, COUNTING, SIZES, LIBERTIES)
    brings = FIRST + FURTHER * np.arange(COUNTING)
    areas[:, :, : AREA - 1, 1:] = np.outer(brings, SHARES)[None, :, :, None]
    entries[HOLE_START:LEFT_START].reshape(STAGES, HOLES)[:] = HOLE * np.arange(HOLES)
    return Judgement(entries, windows)
