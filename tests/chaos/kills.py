"""SIGKILL at random moments while all games are played: whatever was acknowledged stands there once, in order.

First one process on a SQLite file, then one of two on PostgreSQL and Redis. People connect again, send again what was
not acknowledged, and now and then send the same twice.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.chaos.books import Book, check_file, compared
from tests.chaos.budget import Budget, Figures
from tests.chaos.clients import LOST, Browser, Page, let
from tests.chaos.forked import Forked
from tests.chaos.outside import Redis, postgres
from tests.server.site import Message

# Twelve tables: every game, hidden hands too.
TABLES = 3 * [("mosaix", 3, {}), ("mozaika", 4, {}), ("mozaika", 3, {"hands": "hidden"}), ("patterns", 2, {})]
SHORTEST, LONGEST = 0.03, 1.3  # seconds from the start of a server to its end
PAUSE = 0.06  # seconds at most before somebody moves, so that people do not take all of the machine
NOT_NOW = 0.03  # seconds before somebody tries again to connect


class World:
    """The servers, the people, and what they have been told."""

    def __init__(self, servers: list[Forked], seed: int) -> None:
        self.servers, self.luck, self.book = servers, random.Random(seed), Book()
        self.is_ending = False

    def browser(self) -> Browser:
        """Return the browser of somebody who goes to any of the processes."""
        return Browser(*(server.port for server in self.servers))

    async def keep_playing(self, game: str, seats: int, options: dict[str, str]) -> None:
        """Play one game after the other until it is enough."""
        while not self.is_ending:
            with suppress(*LOST):
                browser, names = self.browser(), [f"Ann {seat}" for seat in range(seats)]
                table = await browser.make(game, *names, options=options)
                self.book.counts["games"] += 1
                await asyncio.gather(*(Player(self, browser, table, seat).play() for seat in range(seats)))

    async def kill(self, server: Forked) -> None:
        """Let a server die at a random moment, and start it again."""
        await asyncio.sleep(self.luck.uniform(SHORTEST, LONGEST))
        server.kill()
        await server.start_beside()
        self.book.counts["kills"] += 1


class Player:
    """Somebody on a seat who does not give up."""

    def __init__(self, world: World, browser: Browser, table: str, seat: int) -> None:
        self.world, self.browser, self.table, self.seat = world, browser, table, seat
        self.waiting: Message | None = None  # sent, and not acknowledged
        self.known, self.is_done = 0, False

    async def play(self) -> None:
        """Play to the end of the game or of the test, by as many connections as it takes."""
        while not self.is_done:
            try:
                page = await self.browser.open(self.table, self.seat, self.known)
                await self.play_at(page)
                await page.close()
            except LOST:
                await asyncio.sleep(NOT_NOW)

    async def play_at(self, page: Page) -> None:
        """Play by one connection."""
        self.world.book.counts["connections"] += 1
        await self.hear(page.state, page)
        if self.waiting:
            self.world.book.counts["sent again"] += 1
            await page.send(**self.waiting)
        while not self.is_done:
            await self.hear(await page.receive(), page)

    async def hear(self, told: Message, page: Page) -> None:
        """Note what was told, and move if it is time for it."""
        if told["t"] == "refused" and self.waiting and told["id"] == self.waiting["id"]:
            self.world.book.counts[f"refused: {told['reason']}"] += 1
            self.waiting = None
            await page.send(t="look", seat=self.seat, since=self.known)
        if told["t"] == "state":
            self.world.book.counts["states older than what was known"] += told["n"] < self.known
            self.known = told["n"]
            self.world.book.note(self.table, told)
            if self.waiting and any(event["id"] == self.waiting["id"] for event in told["events"]):
                self.waiting = None
            await self.move(told, page)

    async def move(self, state: Message, page: Page) -> None:
        """Move, or stop if it is enough."""
        self.is_done = not self.waiting and (self.world.is_ending or not state["acting"])
        if self.is_done or self.waiting or self.seat not in state["acting"]:
            return
        await asyncio.sleep(self.world.luck.uniform(0, PAUSE))
        self.waiting = page.move(self.world.luck.choice(state["legal"]))
        for _ in range(2 if self.world.luck.random() < 0.1 else 1):
            await page.send(**self.waiting)


async def play_and_kill(world: World, budget: Budget, short: int) -> None:
    """Let everybody play while servers die."""
    people = [asyncio.create_task(world.keep_playing(*table)) for table in TABLES]
    while world.book.counts["games"] < len(TABLES):
        await asyncio.sleep(0.01)
    for _ in budget.rounds(short):
        await world.kill(world.luck.choice(world.servers))
        for task in people:
            assert not task.done(), task.result()
    world.is_ending = True
    await asyncio.sleep(0.5)  # whoever waits for the others is woken by the end of their page
    for server in world.servers:
        server.kill()
        await server.start_beside()
    await asyncio.gather(*people)


def killed(servers: list[Forked], budget: Budget, short: int, seed: int) -> World:
    """Start the servers, let them die again and again, and end them."""
    world = World(servers, seed)
    try:
        for server in servers:
            server.start()
        let(play_and_kill(world, budget, short))
    finally:
        for server in servers:
            server.stop()
    for server in servers:
        assert "Traceback" not in server.log, server.log
    return world


def one_process(budget: Budget) -> Figures:
    """Kill a server with a SQLite file."""
    with tempfile.TemporaryDirectory() as folder:
        server = Forked(Path(folder))
        world = killed([server], budget, 6, 1)
        check_file(server.file)
        return world.book.counts | let(compared(world.book, f"sqlite:///{server.file}"))


def two_processes(budget: Budget) -> Figures:
    """Kill one of two servers with PostgreSQL and Redis."""
    with Redis() as redis, tempfile.TemporaryDirectory() as folder:
        url = postgres().new_database()
        folders = [Path(folder, name) for name in ("one", "two")]
        for kept in folders:
            kept.mkdir()
        servers = [Forked(kept, SMALTI_DATABASE=url, SMALTI_REDIS=redis.url) for kept in folders]
        world = killed(servers, budget, 3, 2)
        return world.book.counts | let(compared(world.book, url))


def run(budget: Budget) -> Figures:
    """Kill for so long, most of the time a single process."""
    alone, paired = one_process(budget.share(0.7)), two_processes(budget.share(0.3))
    for found in (alone, paired):
        assert found["moves acknowledged"] > 10
        assert not found["states older than what was known"]
    return {**alone, **{f"{name}, two processes": value for name, value in paired.items()}}
