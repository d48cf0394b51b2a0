"""Memory is used again only when nobody has it any more."""

from __future__ import annotations

import numpy as np

from smalti.research.array_pool import KEPT, ArrayPool


def test_an_array_that_is_kept_is_never_overwritten() -> None:
    pool = ArrayPool()
    first = pool.array((4, 8), np.int8)
    first[:] = 1
    second = pool.array((4, 8), np.int8)
    second[:] = 2
    assert (first == 1).all()


def test_a_view_of_an_array_keeps_its_memory() -> None:
    pool = ArrayPool()
    row = pool.array((4, 8), np.int8)[2].reshape(2, 4)[1:]
    row[:] = 1
    for _ in range(3):
        pool.array((4, 8), np.int8)[:] = 2
    assert (row == 1).all()


def test_memory_nobody_has_is_used_again() -> None:
    pool = ArrayPool()
    places = set()
    for _ in range(5):
        places.add(pool.array((4, 8), np.int8).ctypes.data)
    assert len(places) == 1


def test_not_everything_is_kept() -> None:
    pool = ArrayPool()
    arrays = [pool.array((16,), np.float32) for _ in range(KEPT + 3)]
    del arrays
    assert {size: len(pieces) for size, pieces in pool.free.items()} == {64: KEPT}


def test_arrays_have_their_shape_and_type() -> None:
    array = ArrayPool().array((3, 5), np.int32)
    assert array.shape == (3, 5)
    assert array.dtype == np.int32
    assert array.flags.c_contiguous
    array[:] = 7
