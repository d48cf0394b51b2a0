"""Which games can be played already: until its rules are compiled and loaded, nothing of a game may run here.

`Readiness` knows, and refuses what comes too early; `Preparation` compiles beside the open port, one process for each
core, what is asked for first, and then lets the bots be loaded.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress

from smalti import bots, games
from smalti.server.problems import Problem
from smalti.server.workers.bot_pool import BotPool
from smalti.server.workers.child import start_child
from smalti.server.workers.compiling import compile_rules, is_compiled

logger = logging.getLogger(__name__)
RETRY = 2  # seconds after which whoever comes too early may try again
ALMOST = 99  # per cent, until everything is loaded

Watcher = Callable[[str, int], None]


class Readiness:
    """How far each game is, in per cent."""

    def __init__(self) -> None:
        self.percents = dict.fromkeys(games.names(), 0)
        self.opened = {name: asyncio.Event() for name in self.percents}
        self.asked: list[str] = []  # the games that were asked for too early, in that order
        self.watchers: list[Watcher] = []  # hear of every change

    @classmethod
    def complete(cls) -> Readiness:
        """Return what is ready for everything."""
        ready = cls()
        ready.open_all()
        return ready

    @property
    def is_complete(self) -> bool:
        """Whether every game can be played."""
        return all(event.is_set() for event in self.opened.values())

    def percent(self, game: str) -> int:
        """Return how far a game is; 100 when it can be played."""
        return self.percents.get(game, 100)

    def check(self, game: str) -> None:
        """Refuse what comes before a game can be played; the game goes before the others from now on."""
        if self.percent(game) == 100:
            return
        if game not in self.asked:
            self.asked.append(game)
        raise Problem("compiling", game=game, percent=self.percent(game), seconds=RETRY)

    async def wait(self, game: str) -> None:
        """Wait until a game can be played."""
        if game in self.opened:
            await self.opened[game].wait()

    def advance(self, game: str, percent: int) -> None:
        """Note how far a game is."""
        if percent > self.percents[game]:
            self.percents[game] = percent
            for watch in self.watchers:
                watch(game, percent)

    def open(self, game: str) -> None:
        """Let a game be played from now on."""
        self.advance(game, 100)
        self.opened[game].set()

    def open_all(self) -> None:
        """Let every game be played from now on."""
        for game in self.percents:
            self.open(game)

    def order(self) -> list[str]:
        """List all games, those first that were asked for."""
        return [*self.asked, *(name for name in self.percents if name not in self.asked)]


class Preparation:
    """Gets everything ready while the server answers already."""

    def __init__(self, ready: Readiness, bot_pool: BotPool) -> None:
        self.ready, self.bot_pool = ready, bot_pool
        self.begun: set[str] = set()
        self.children: set[asyncio.subprocess.Process] = set()
        self.loading = asyncio.Lock()
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, without waiting for anything."""
        self.task = asyncio.create_task(self.prepare(), name="preparation")

    async def stop(self) -> None:
        """Break off whatever is still going on."""
        if self.task:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    async def prepare(self) -> None:
        """Get the rules of all games ready, then the bots."""
        await asyncio.gather(*(self.work() for _ in range(os.cpu_count() or 1)))
        self.bot_pool.start(self.ready.order())

    async def work(self) -> None:
        """Get one game after the other ready, with others that do the same."""
        while left := [name for name in self.ready.order() if name not in self.begun]:
            self.begun.add(left[0])
            await self.get_ready(left[0])

    async def get_ready(self, name: str) -> None:
        """Get a game ready; if its rules cannot be compiled apart, they are compiled here."""
        try:
            if not await asyncio.to_thread(is_compiled, games.find(name)):  # it looks at many files
                await self.compile_apart(name)
            async with self.loading:
                await beside(lambda: load(name))
        except Exception:
            logger.exception("compiling %s failed", name)
        self.ready.open(name)

    async def compile_apart(self, name: str) -> None:
        """Compile the rules of a game in a process of its own, which keeps the code for everybody."""
        child = await start_child("smalti.server.workers.compiling", name)
        assert child.stdout
        try:
            async for line in child.stdout:
                self.ready.advance(name, min(ALMOST, int(line)))
            code = await child.wait()
        finally:
            with suppress(ProcessLookupError):
                child.kill()
        if code:
            logger.warning("the process that compiled %s has died (%d)", name, code)


def load(name: str) -> None:
    """Load the names of the bots and the rules of a game, or compile those that are not kept."""
    bots.everyone()
    compile_rules(games.find(name))


async def beside(work: Callable[[], object]) -> None:
    """Do something in a thread; at the end of the server nobody waits for it."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def settle(error: Exception | None) -> None:
        if not done.done():
            done.set_exception(error) if error else done.set_result(None)

    def run() -> None:
        problem = None
        try:
            work()
        except Exception as error:
            problem = error
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, problem)

    threading.Thread(target=run, daemon=True).start()
    await done
