"""The queue of thoughts: whose is next, decided without a clock.

Browsers take turns. Of the thoughts for one browser the weaker bot's comes first, tables take turns, and whoever has
been passed over often enough moves up, so that none waits for ever.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from smalti.engine.errors import SmaltiError

MOST = 2000  # thoughts that wait; what is more waits at its table, which asks again
MOST_OF_ONE = 200  # of them for one browser
AT_ONCE = 2  # thoughts of one browser that are being thought
PASSES = 16  # after which a thought moves up
STEP = 50  # ranks by which it does: about a level


class Crowded(SmaltiError):
    """Too many thoughts wait already; this one is to be asked for again later."""


class Waiting(Protocol):
    """A thought that waits."""

    @property
    def browser(self) -> str:
        """Whom it is for."""

    @property
    def table(self) -> str:
        """Where it is to be played."""

    @property
    def rank(self) -> int:
        """How strong the bot is."""

    def is_wanted(self) -> bool:
        """Say whether its table still waits for it."""

    def drop(self) -> None:
        """Hear that it will not be thought, because nobody waits for it any more."""


T = TypeVar("T", bound=Waiting)


@dataclass
class Place(Generic[T]):
    """A thought in the queue."""

    thought: T
    number: int  # in the order of arrival
    passed: int = 0  # times that another one of the same browser was taken instead

    @property
    def rank(self) -> int:
        """How weak the bot has to be to go first; patience counts as weakness."""
        return self.thought.rank - STEP * (self.passed // PASSES)


@dataclass
class Share(Generic[T]):
    """All that waits for one browser."""

    places: list[Place[T]] = field(default_factory=list)
    turns: dict[str, int] = field(default_factory=dict)  # by table: when it was its turn last

    def take(self, turn: int) -> T:
        """Take the thought that is next; the others have been passed over once more."""
        place = min(self.places, key=lambda place: (place.rank, self.turns.get(place.thought.table, 0), place.number))
        self.places.remove(place)
        for other in self.places:
            other.passed += 1
        self.turns[place.thought.table] = turn
        return place.thought

    def dropped(self) -> list[Place[T]]:
        """Remove the thoughts that nobody waits for any more, and return them."""
        unwanted = [place for place in self.places if not place.thought.is_wanted()]
        self.places = [place for place in self.places if place not in unwanted]
        return unwanted


class FairQueue(Generic[T]):
    """Thoughts that wait for a process."""

    def __init__(self, most: int = MOST, most_of_one: int = MOST_OF_ONE, at_once: int = AT_ONCE) -> None:
        self.most, self.most_of_one, self.at_once = most, most_of_one, at_once
        self.shares: OrderedDict[str, Share[T]] = OrderedDict()  # by browser; the first one is next
        self.running: Counter[str] = Counter()
        self.arrived = self.turn = self.length = 0

    def __len__(self) -> int:
        """Count the thoughts that wait."""
        return self.length

    def add(self, thought: T) -> None:
        """Let a thought wait its turn."""
        share = self.shares.get(thought.browser)
        if self.length >= self.most or (share and len(share.places) >= self.most_of_one):
            raise Crowded("too many thoughts wait already")
        self.arrived += 1
        self.length += 1
        self.shares.setdefault(thought.browser, Share()).places.append(Place(thought, self.arrived))

    def next(self) -> T | None:
        """Take the thought that is next; `done` has to follow."""
        for browser in self.ready():
            share = self.shares.pop(browser)
            self.turn += 1
            thought = share.take(self.turn)
            if share.places:
                self.shares[browser] = share  # behind all others
            self.length -= 1
            self.running[browser] += 1
            return thought
        return None

    def ready(self) -> Iterator[str]:
        """List the browsers that may have a thought now, in turn; what is not wanted any more is dropped."""
        for browser in list(self.shares):
            if self.running[browser] >= self.at_once:
                continue
            share = self.shares[browser]
            for place in share.dropped():
                self.length -= 1
                place.thought.drop()
            if share.places:
                yield browser
            else:
                del self.shares[browser]

    def done(self, thought: T) -> None:
        """Hear that a thought has been thought, or has failed."""
        self.running[thought.browser] -= 1
        if not self.running[thought.browser]:
            del self.running[thought.browser]
