"""A table that thousands look at: all are told a move, and neither that nor coming and going costs much."""

from __future__ import annotations

import asyncio
import random
import tempfile
from pathlib import Path

from tests.chaos.budget import Budget, Figures, quantile
from tests.chaos.clients import Browser, Page, Party, let, together
from tests.chaos.forked import Forked

MOVES = 10


class Crowd:
    """Onlookers at one table who listen all the time and remember the newest number."""

    def __init__(self, server: Forked, party: Party) -> None:
        self.server, self.party = server, party
        self.pages: list[Page] = []
        self.listening: list[asyncio.Task[None]] = []

    async def come(self, many: int) -> None:
        """Let so many come."""
        browsers = [Browser(self.server.port) for _ in range(many)]
        came = await together((browser.open(self.party.table) for browser in browsers), 20)
        self.pages += came
        self.listening += [asyncio.create_task(self.listen(page)) for page in came]

    async def listen(self, page: Page) -> None:
        """Hear what is told; only the states are read."""
        async for text in page.connection:
            assert isinstance(text, str)
            if text.startswith('{"t":"state"'):
                page.newest["state"] = {"n": int(text[text.index('"n":') + 4 : text.index(",", 14)])}

    async def heard(self, number: int) -> None:
        """Wait until everybody has heard of a number."""
        while any(page.state["n"] < number for page in self.pages):
            for task in self.listening:
                assert not task.done(), "an onlooker was shown the door"
            await asyncio.sleep(0.01)

    async def quiet(self) -> float:
        """Wait until the server has nothing to do any more, and return its processor seconds."""
        before = -1.0
        while (now := self.server.seconds) > before + 0.01:
            before = now
            await asyncio.sleep(0.5)
        return now

    async def cost_of_move(self, luck: random.Random) -> float:
        """Return the processor seconds of a move that is told to everybody."""
        begun = await self.quiet()
        await self.party.step(luck)
        await self.heard((await self.party.newest())["n"])
        return await self.quiet() - begun

    async def cost_of_coming(self) -> float:
        """Return the processor seconds of somebody who comes and goes."""
        begun = await self.quiet()
        page = await Browser(self.server.port).open(self.party.table)
        await page.close()
        return await self.quiet() - begun


async def measured(server: Forked, budget: Budget) -> Figures:
    """Let the crowd come, and measure what it costs."""
    luck, many = random.Random(1), budget.size(200, 2000)
    crowd = Crowd(server, await Party.at("patterns", 2, server.port, onlookers="all"))
    begun = server.seconds
    await crowd.come(many)
    came = await crowd.quiet() - begun
    moves = [await crowd.cost_of_move(luck) for _ in range(budget.size(1, MOVES))]
    coming = [await crowd.cost_of_coming() for _ in range(budget.size(1, MOVES))]
    for task in crowd.listening:
        assert not task.done(), "an onlooker was shown the door"
        task.cancel()
    await asyncio.gather(*(page.close() for page in crowd.pages))
    return {
        "onlookers": many,
        "processor seconds until all had come": came,
        "processor seconds of a move told to all, median": quantile(moves, 0.5),
        "processor seconds of one who comes and goes, median": quantile(coming, 0.5),
        "MB": server.megabytes,
    }


def run(budget: Budget) -> Figures:
    """Let a crowd look on."""
    with tempfile.TemporaryDirectory() as folder, Forked(Path(folder)).running() as server:
        return let(measured(server, budget))
