"""How long a part of the chaos goes on, and what it has found out.

In short, by pytest, everything is counted, so that a busy machine changes nothing; in long, by `dev.py chaos`, a part
goes on for so many minutes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Figures = dict[str, float]


@dataclass(frozen=True)
class Budget:
    """So many minutes for a part; none: in short."""

    minutes: float = 0.0

    @property
    def is_short(self) -> bool:
        """Whether only the least is tried."""
        return not self.minutes

    def rounds(self, short: int) -> Iterator[int]:
        """Count rounds: so many in short, else until the time is over."""
        end, number = time.monotonic() + 60 * self.minutes, 0
        while number < short if self.is_short else number == 0 or time.monotonic() < end:
            yield number
            number += 1

    def size(self, short: int, long: int) -> int:
        """Return how much of something there is to be."""
        return short if self.is_short else long

    def share(self, part: float) -> Budget:
        """Return a part of the time."""
        return Budget(self.minutes * part)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value that so large a share of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
