"""Which readings of a 3×3 window mean the same: with other symbols, and mirrored where the grid allows it."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.mosaix.evaluate.footprints import KINDS, WINDOW_VALUES

Integers = npt.NDArray[np.int32]


class Classes(NamedTuple):
    """The readings of all kinds of windows, in classes."""

    of: Integers  # the class of each reading
    members: Integers  # all readings, class after class
    starts: Integers  # where a class begins among them

    @property
    def number(self) -> int:
        """How many classes there are."""
        return len(self.starts) - 1


def mirrors(kind: tuple[int, int]) -> list[list[int]]:
    """List the ways to read a window of this kind that are equally good, as orders of its nine places."""
    row, column = kind
    found = [[(i, j) for i in range(3) for j in range(3)]]
    if row == 2:
        found += [[(2 - i, j) for i, j in order] for order in found]
    if column == 2:
        found += [[(i, 2 - j) for i, j in order] for order in found]
    if row == column:
        found += [[(j, i) for i, j in order] for order in found]
    return [[3 * i + j for i, j in order] for order in found]


def lowest_equal(kind: tuple[int, int]) -> Integers:
    """Return for each reading the lowest one that means the same."""
    readings = np.arange(WINDOW_VALUES, dtype=np.int32)
    places = [readings >> 2 * place & 3 for place in range(9)]
    lowest = readings.copy()
    for symbols in permutations((1, 2, 3)):
        renamed = np.array([0, *symbols], np.int32)
        cells = [renamed[place] for place in places]
        for order in mirrors(kind):
            np.minimum(lowest, sum(cells[place] << 2 * n for n, place in enumerate(order)), out=lowest)
    return lowest


@cache
def classes() -> Classes:
    """Return the classes of all readings; worked out once."""
    lowest = np.concatenate([lowest_equal(kind) + number * WINDOW_VALUES for number, kind in enumerate(KINDS)])
    of = np.unique(lowest, return_inverse=True)[1].astype(np.int32)
    sizes = np.bincount(of)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    return Classes(of, np.argsort(of, kind="stable").astype(np.int32), starts)
