"""A pool of memory for large arrays, reused once nobody refers to an array any more.

A batch's observations take megabytes. To allocate such memory, touch it for the first time and free it costs more than
the step that fills it.
"""

from __future__ import annotations

import math
import weakref
from typing import Any

import numpy as np
import numpy.typing as npt

KEPT = 4  # pieces of memory of each size


class ArrayPool:
    """Pieces of memory that are free at the moment, by size."""

    def __init__(self) -> None:
        """Start empty."""
        self.free: dict[int, list[bytearray]] = {}

    def array(self, shape: tuple[int, ...], kind: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an array with anything in it; its memory comes back when it and all views of it are gone."""
        size = math.prod(shape) * np.dtype(kind).itemsize
        pieces = self.free.setdefault(size, [])
        piece = pieces.pop() if pieces else bytearray(size)
        whole = np.frombuffer(piece, kind)  # what all views of it keep alive
        weakref.finalize(whole, give_back, pieces, piece).atexit = False
        return whole.reshape(shape)


def give_back(pieces: list[bytearray], piece: bytearray) -> None:
    """Keep a piece for the next array, unless there are enough."""
    if len(pieces) < KEPT:
        pieces.append(piece)
