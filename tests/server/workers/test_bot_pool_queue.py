"""The queue of thoughts: browsers and tables take turns, the weak go before the strong, and nobody waits for ever."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest

from smalti.server.workers.bot_pool import Crowded
from smalti.server.workers.bot_pool.queue import PASSES, STEP, FairQueue

WEAK, STRONG = 40, 450


@dataclass(eq=False)
class Thought:
    """A thought that waits."""

    browser: str
    table: str
    rank: int = STRONG
    wanted: bool = True
    dropped: bool = False

    def is_wanted(self) -> bool:
        return self.wanted

    def drop(self) -> None:
        self.dropped = True


def queue_of(*thoughts: Thought, at_once: int = 1) -> FairQueue[Thought]:
    """Return a queue in which these wait."""
    queue: FairQueue[Thought] = FairQueue(at_once=at_once)
    for thought in thoughts:
        queue.add(thought)
    return queue


def taken(queue: FairQueue[Thought], count: int = 10**6) -> list[Thought]:
    """Think about one after the other, and return them in their order."""
    found: list[Thought] = []
    while len(found) < count and (thought := queue.next()):
        queue.done(thought)
        found.append(thought)
    return found


def tables(thoughts: list[Thought]) -> str:
    """Return the tables of thoughts, each a letter."""
    return "".join(thought.table for thought in thoughts)


def test_browsers_take_turns_however_many_tables_they_have() -> None:
    greedy = [Thought("greedy", "g") for _ in range(6)]
    queue = queue_of(*greedy, Thought("ann", "a"), Thought("bob", "b"), Thought("ann", "a"))
    assert tables(taken(queue)) == "gabgagggg"


def test_whoever_comes_later_waits_for_one_turn_of_each_browser_and_no_longer() -> None:
    queue = queue_of(*(Thought(f"browser {number % 5}", "x") for number in range(100)))
    taken(queue, 3)
    queue.add(Thought("ann", "a"))
    assert tables(taken(queue, 6)).count("a") == 1


def test_weak_bots_go_before_strong_ones() -> None:
    queue = queue_of(Thought("ann", "s"), Thought("ann", "s"), Thought("ann", "w", WEAK), Thought("ann", "m", 250))
    assert tables(taken(queue)) == "wmss"


def test_tables_of_a_browser_take_turns() -> None:
    five_seats = [Thought("ann", "f") for _ in range(5)]
    queue = queue_of(*five_seats, Thought("ann", "a"), Thought("ann", "b"))
    assert tables(taken(queue)) == "fabffff"


def test_a_strong_bot_is_not_passed_over_for_ever() -> None:
    queue = queue_of(Thought("ann", "s"))
    order = ""
    while "s" not in order:
        queue.add(Thought("ann", "w", WEAK))
        order += tables(taken(queue, 1))
    assert len(order) <= PASSES * (1 + (STRONG - WEAK) // STEP + 1)


def test_one_browser_has_only_so_many_thoughts_at_once() -> None:
    queue = queue_of(*(Thought("greedy", "g") for _ in range(5)), Thought("ann", "a"), at_once=2)
    running = [queue.next() for _ in range(4)]
    assert Counter(thought.table for thought in running if thought) == {"g": 2, "a": 1}
    assert running[3] is None
    assert running[0]
    queue.done(running[0])
    assert tables([found for found in [queue.next()] if found]) == "g"
    assert queue.next() is None


def test_what_nobody_waits_for_any_more_is_dropped_before_it_is_begun() -> None:
    stale, fresh = Thought("ann", "s", WEAK, wanted=False), Thought("ann", "f")
    queue = queue_of(stale, fresh)
    assert taken(queue) == [fresh]
    assert (stale.dropped, fresh.dropped, len(queue)) == (True, False, 0)


def test_the_queue_is_bounded_for_one_and_for_all() -> None:
    queue: FairQueue[Thought] = FairQueue(most=5, most_of_one=3)
    for browser in ("ann", "ann", "ann", "bob", "bob"):
        queue.add(Thought(browser, "x"))
    for browser in ("ann", "eve"):
        with pytest.raises(Crowded):
            queue.add(Thought(browser, "x"))
    assert len(queue) == 5
    taken(queue, 1)
    queue.add(Thought("eve", "x"))


def test_nothing_is_lost_and_nothing_is_kept() -> None:
    thoughts = [Thought(f"browser {n % 7}", f"table {n % 11}", 40 + 50 * (n % 9)) for n in range(300)]
    queue = queue_of(*thoughts)
    assert Counter(map(id, taken(queue))) == Counter(map(id, thoughts))
    assert (len(queue), queue.shares, queue.running) == (0, {}, Counter())
