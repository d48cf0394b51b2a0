"""What is kept for those who come next: by weight, the last ones."""

from __future__ import annotations

from smalti.server.rooms.lru import LruCache


def test_what_was_not_asked_for_the_longest_makes_room() -> None:
    kept = LruCache[int](3)
    for number in range(5):
        kept.add(str(number), number, 1)
    kept.add("2", 2, 1)
    kept.add("5", 5, 1)
    assert [name in kept for name in "012345"] == [False, False, True, False, True, True]


def test_weight_counts_and_the_last_one_stays() -> None:
    kept = LruCache[int](3)
    for number in range(3):
        kept.add(str(number), number, 1)
    kept.add("heavy", 9, 2.5)
    assert (len(kept), kept.weight) == (1, 2.5)
    kept.add("heavy", 9, 1)
    assert kept.weight == 1, "as heavy as it is now"
    kept.add("heavier", 9, 10)
    assert (len(kept), "heavier" in kept) == (1, True)
    kept.clear()
    assert (len(kept), kept.weight) == (0, 0)
