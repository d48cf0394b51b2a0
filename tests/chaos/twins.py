"""Twin tables that differ in nothing but a secret look the same to everybody else, byte for byte.

Two tables are dealt by one code and played by the same moves; at the second one somebody bids something else first,
changes it up to three times, and ends at the same bid. What every other seat and every onlooker is sent is compared
frame by frame, without the table's name, times, and the ids and seals of messages.
"""

from __future__ import annotations

import asyncio
import random
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from tests.chaos.budget import Budget, Figures
from tests.chaos.clients import Browser, Page, Party, let
from tests.chaos.forked import Forked
from tests.server.site import Message

TABLES = [("mozaika", 3, "open"), ("mozaika", 3, "hidden"), ("mozaika", 4, "hidden"), ("mozaika", 5, "open")]
CHANGES = 3  # at most
AT_ONCE = 3  # pairs
# Bound to the table, to the moment or to the message: not the same for anybody, at any two tables.
OWN = re.compile(r'"(at|id|seal|watch_link)":("[^"]*"|[0-9.e+]+)')
KINDS = ("state", "table", "clocks")  # told because of what happened; presence tells who comes and goes


class Audience:
    """Everybody at one of two twins: players, and onlookers."""

    def __init__(self, party: Party, onlookers: list[Page]) -> None:
        self.party, self.onlookers = party, onlookers
        for page in self.pages:
            page.kept = []

    @classmethod
    async def at(cls, port: int, game: str, seats: int, onlookers: int, **more: Any) -> Audience:
        """Let people sit down and look on."""
        party = await Party.at(game, seats, port, onlookers="all", **more)
        watching = [await Browser(port).open(party.table) for _ in range(onlookers)]
        return cls(party, watching)

    @property
    def pages(self) -> list[Page]:
        """All pages, the players' first."""
        return [*self.party.pages, *self.onlookers]

    async def settle(self) -> None:
        """Let everybody hear everything."""
        number = max(page.state["n"] for page in self.party.pages)
        await asyncio.gather(*(page.until(lambda state: state["n"] >= number) for page in self.pages))

    async def close(self) -> None:
        """Let everybody go."""
        await asyncio.gather(*(page.close() for page in self.pages))

    def frames(self, place: int) -> list[str]:
        """Return what a page was sent since it was asked last, without what belongs to this table alone."""
        page, table = self.pages[place], self.party.table
        assert page.kept is not None
        found, page.kept = page.kept, []
        return [cleaned(text, table) for text in found if text.startswith(tuple(f'{{"t":"{kind}"' for kind in KINDS))]


def cleaned(text: str, table: str) -> str:
    """Return a frame without what belongs to one table, one moment or one message."""
    return OWN.sub(r'"\1":0', text.replace(table, "TABLE"))


class Twins:
    """Two tables, and what was compared of them."""

    def __init__(self, one: Audience, other: Audience, luck: random.Random, counts: Counter[str]) -> None:
        self.one, self.other, self.luck, self.counts = one, other, luck, counts

    async def play(self) -> None:
        """Play the same at both to the end; at the second one bids are changed."""
        while acting := self.one.party.pages[0].state["acting"]:
            seat = self.luck.choice(acting)
            do = self.luck.choice(self.one.party.pages[seat].state["legal"])
            if do.startswith("bid"):
                await self.waver(seat, do)
            for audience in (self.one, self.other):
                await done(audience.party.pages[seat], do)
                await audience.settle()
            self.compare(seat)

    async def waver(self, seat: int, do: str) -> None:
        """Let a seat bid something else first at the second table, and change it; nobody is to notice."""
        page = self.other.party.pages[seat]
        others = [bid for bid in page.state["legal"] if bid != do]
        if len(page.state["acting"]) == 1 or not others or self.luck.random() < 0.3:
            return  # the last bid is shown at once
        for _ in range(self.luck.randint(1, CHANGES)):
            await done(page, self.luck.choice(others))
            self.counts["bids changed"] += 1

    def compare(self, actor: int) -> None:
        """Compare what everybody but the one who acted was sent."""
        for place in range(len(self.one.pages)):
            one, other = self.one.frames(place), self.other.frames(place)
            if place != actor:
                assert one == other, difference(one, other)
                self.counts["pairs of frames"] += len(one)
                self.counts["bytes"] += sum(map(len, one))


def difference(one: list[str], other: list[str]) -> str:
    """Show where two lists of frames part."""
    for first, second in zip(one, other, strict=False):
        if first != second:
            place = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
            return f"…{first[max(0, place - 80) : place + 80]}… is not …{second[max(0, place - 80) : place + 80]}…"
    return f"{len(one)} frames are not {len(other)}"


async def done(page: Page, do: str) -> Message:
    """Let a page's seat do something that is not refused."""
    told = await page.do(do)
    assert told["t"] == "state", told
    return told


async def one_pair(port: int, number: int, onlookers: int, counts: Counter[str]) -> None:
    """Play a pair of twins to the end."""
    game, seats, hands = TABLES[number % len(TABLES)]
    agreed = {"options": {"hands": hands}, "terms": {"code": f"twins {number}"}}
    both = [await Audience.at(port, game, seats, onlookers, **agreed) for _ in range(2)]
    twins = Twins(both[0], both[1], random.Random(number), counts)
    for audience in both:
        await asyncio.gather(*(page.settle() for page in audience.pages))
        for page in audience.pages:
            page.kept = []
    await twins.play()
    counts["pairs of tables"] += 1
    await asyncio.gather(*(audience.close() for audience in both))


async def pairs(port: int, budget: Budget, counts: Counter[str]) -> None:
    """Play pairs for so long."""
    onlookers = budget.size(4, 40)
    for number in budget.rounds(1):
        numbers = range(AT_ONCE * number, AT_ONCE * (number + 1))
        await asyncio.gather(*(one_pair(port, one, onlookers, counts) for one in numbers))


def run(budget: Budget) -> Figures:
    """Compare twins for so long."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, Forked(Path(folder)).running() as server:
        let(pairs(server.port, budget, counts))
    assert counts["pairs of frames"] > 1000, counts
    assert counts["bids changed"] > 10, counts
    return dict(counts)
