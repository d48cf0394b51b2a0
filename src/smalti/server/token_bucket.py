"""Token buckets: how often somebody may do something, on average and at once."""

from __future__ import annotations

import math
import time
from collections import OrderedDict

from smalti.server.problems import Problem

MOST_KEYS = 20_000  # that are remembered; who has not come for the longest is forgotten first
LONGEST_WAIT = 3600  # seconds that we tell somebody to wait, even if nothing is ever allowed


class Buckets:
    """A bucket for each key: so many tokens at most, and so many more with every second."""

    def __init__(self, a_second: float, most: float, keys: int = MOST_KEYS) -> None:
        self.a_second, self.most, self.keys = a_second, most, keys
        self.left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str, cost: float = 1.0) -> int:
        """Take tokens and return 0; if there are too few take none, and return the seconds until there are enough."""
        now = time.monotonic()
        left, then = self.left.pop(key, (self.most, now))
        left = min(self.most, left + (now - then) * self.a_second)
        is_enough = left >= min(cost, self.most) and self.most > 0
        self.left[key] = (left - cost if is_enough else left, now)
        if len(self.left) > self.keys:
            self.left.popitem(last=False)
        return 0 if is_enough else self.seconds(cost - left)

    def seconds(self, missing: float) -> int:
        """Return after how many whole seconds so many tokens have come."""
        return max(1, min(LONGEST_WAIT, math.ceil(missing / self.a_second))) if self.a_second else LONGEST_WAIT

    def spend(self, key: str, cost: float = 1.0) -> None:
        """Take tokens, or say when there are enough again."""
        seconds = self.wait(key, cost)
        if seconds:
            raise Problem("many", seconds=seconds)


def an_hour(number: float) -> Buckets:
    """Return buckets for so many an hour, all of them at once if need be."""
    return Buckets(number / 3600, number)
