"""What was asked for last, kept up to a weight."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class LruCache(Generic[T]):
    """Things by name; whose name was not asked for the longest is let go first."""

    def __init__(self, most: float) -> None:
        self.most, self.weight = most, 0.0
        self.kept: OrderedDict[str, tuple[T, float]] = OrderedDict()

    def __len__(self) -> int:
        """Count what is kept."""
        return len(self.kept)

    def __contains__(self, name: str) -> bool:
        """Say whether something is kept."""
        return name in self.kept

    def add(self, name: str, thing: T, weight: float) -> None:
        """Keep something, as heavy as it is now; the last one stays, whatever it weighs."""
        self.forget(name)
        self.kept[name] = thing, weight
        self.weight += weight
        while self.weight > self.most and len(self.kept) > 1:
            self.forget(next(iter(self.kept)))

    def clear(self) -> None:
        """Let everything go."""
        self.kept.clear()
        self.weight = 0.0

    def forget(self, name: str) -> None:
        """Let something go, if it is kept."""
        if name in self.kept:
            self.weight -= self.kept.pop(name)[1]
