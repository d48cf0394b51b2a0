"""What results say: shares of the win, Elo and its error bars, whether a test may stop.

The unit is a block, all matches of one deal with everybody on every seat, never a single match: within a block the luck
of the deal and of the seat cancel out, and counting matches as if they were independent would give wrong error bars.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

SURE = 1.96  # standard deviations that hold 95 %
MOST_ELO = 4000.0  # where bisection looks
HARDLY = 1e-9  # a share so small that it is none
ERROR = 0.05  # of either kind, in a sequential test
LEAST_BLOCKS = 8  # below these a normal distribution says nothing


class Range(NamedTuple):
    """An estimate and its 95 % interval."""

    value: float
    low: float
    high: float


def mean(values: Sequence[float]) -> float:
    """Return the mean."""
    return math.fsum(values) / len(values)


def deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of what the values are a sample of; nothing is known of one value."""
    middle = mean(values)
    return math.sqrt(math.fsum((value - middle) ** 2 for value in values) / max(1, len(values) - 1))


def mean_range(values: Sequence[float]) -> Range:
    """Return the mean of block values with its interval."""
    middle, error = mean(values), SURE * deviation(values) / math.sqrt(len(values))
    return Range(middle, middle - error, middle + error)


# --- Shares of the win


def share_variance(shares: Sequence[float]) -> float:
    """Return the variance of a block's share, a little too large rather than too small: one tossed coin is added."""
    middle = mean(shares)
    coin = (math.fsum(shares) + 0.5) / (len(shares) + 1)
    return (math.fsum((share - middle) ** 2 for share in shares) + coin * (1 - coin)) / len(shares)


def share_range(shares: Sequence[float]) -> Range:
    """Return the mean share with Wilson's interval, which stays within 0 and 1, for as many coins as it is worth."""
    share = mean(shares)
    coins = len(shares) * max(share * (1 - share) / share_variance(shares), 0.0) or float(len(shares))
    spread = SURE * SURE / coins
    middle = (share + spread / 2) / (1 + spread)
    error = SURE * math.sqrt(share * (1 - share) / coins + spread / coins / 4) / (1 + spread)
    return Range(share, max(0.0, middle - error), min(1.0, middle + error))


# --- Elo


@dataclass(frozen=True)
class Scale:
    """How a difference of strength shows at these tables: by seats of one's own and all seats of each."""

    tables: tuple[tuple[int, int], ...]

    @property
    def par(self) -> float:
        """The share of the win among equals."""
        return self.share(0.0)

    def share(self, elo: float) -> float:
        """Return the share of the win that so much more strength brings; every seat wins as often as it is strong."""
        strength = 10 ** (elo / 400)
        return mean([own * strength / (own * strength + seats - own) for own, seats in self.tables])

    def elo(self, share: float) -> float:
        """Return the strength that brings such a share, infinite for all or nothing."""
        if not HARDLY < share < 1 - HARDLY:
            return math.copysign(math.inf, share - 0.5)
        low, high = -MOST_ELO, MOST_ELO
        while high - low > 1e-6:
            middle = (low + high) / 2
            low, high = (middle, high) if self.share(middle) < share else (low, middle)
        return (low + high) / 2

    def elo_range(self, shares: Sequence[float]) -> Range:
        """Return Elo and its interval from the shares of blocks."""
        return Range(*map(self.elo, share_range(shares)))


# --- Stopping early


@dataclass(frozen=True)
class SequentialTest:
    """A sequential test whether somebody is better by the second number of Elo rather than by the first.

    The likelihood ratio of two means of a normal distribution with the variance of blocks, tested as they come (SPRT).
    """

    scale: Scale
    low: float
    high: float

    @property
    def bound(self) -> float:
        """The logarithm of the ratio at which it stops, up or down."""
        return math.log((1 - ERROR) / ERROR)

    def ratio(self, shares: Sequence[float]) -> float:
        """Return the logarithm of how much more likely the second number is than the first."""
        none, some = self.scale.share(self.low), self.scale.share(self.high)
        return len(shares) * (some - none) * (2 * mean(shares) - none - some) / (2 * share_variance(shares))

    def verdict(self, shares: Sequence[float]) -> str:
        """Say what has been found out: "better", "not better", or nothing yet."""
        if len(shares) < LEAST_BLOCKS or abs(self.ratio(shares)) < self.bound:
            return ""
        return "better" if self.ratio(shares) > 0 else "not better"


def finite(value: float) -> float | None:
    """Return a number as JSON can hold it; what is infinite becomes nothing."""
    return value if math.isfinite(value) else None


Format = Callable[[float], str]


def range_text(found: Range, write: Format) -> str:
    """Write an estimate with its interval; of an infinite one only the finite end."""
    if math.isinf(found.value):
        return f"above {write(found.low)}" if found.value > 0 else f"below {write(found.high)}"
    return f"{write(found.value)} [{write(found.low)}, {write(found.high)}]"
