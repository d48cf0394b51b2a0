"""The processes that think, and who gets them.

There are two lanes. Bots that answer at once have a process that nobody else ever takes; those that think for seconds
share the others. In each lane a fair queue says whose thought is next.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import Callable, Coroutine

from smalti import bots
from smalti.server.bus import Bus, LocalBus
from smalti.server.luck.derive import luck_of_bot
from smalti.server.table.log import Log
from smalti.server.telemetry.metrics import Metrics
from smalti.server.workers.bot_pool.claims import Overtaken, Question, claimed, wait_while
from smalti.server.workers.bot_pool.process import Died, Process
from smalti.server.workers.bot_pool.questions import Think
from smalti.server.workers.bot_pool.queue import FairQueue

logger = logging.getLogger(__name__)
QUICK_PROCESSES = 1
LONGEST_BACK_OFF = 300.0  # seconds
QUICK_SECONDS, STRONG_SECONDS = 20.0, 60.0  # after which a process that thinks about one thing hangs
COMPILING_SECONDS = 900.0  # the same, while the bots are being compiled
LAPSE = 60.0  # seconds after which a death does not count any more


def always() -> bool:
    """Say that something is wanted in any case."""
    return True


def back_off(deaths: int) -> float:
    """Return for how many seconds a thought waits over which processes have died so many times."""
    return 0.0 if deaths < 2 else min(LONGEST_BACK_OFF, 2.0 ** (deaths - 1))


class Thought:
    """Something to think about, and whom it is for."""

    def __init__(self, log: Log, seat: int, bot: str, is_wanted: Question) -> None:
        facts = log.facts
        self.browser, self.table, self.rank = log.host, facts.id, bots.find(bot, facts.game).rank
        self.question = Think(
            bot, facts.game, log.match.seen_by(seat).tobytes(), seat, luck_of_bot(facts.secret, facts.id, seat)
        )
        self.wanted = is_wanted
        self.move: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def is_wanted(self) -> bool:
        """Say whether its table still waits for it, and whoever asked."""
        return not self.move.done() and self.wanted()

    def drop(self) -> None:
        """Tell whoever asked that it will not be thought."""
        self.fail(Overtaken("the table has moved on"))

    def fail(self, error: Exception) -> None:
        """Tell whoever asked what went wrong."""
        if not self.move.done():
            self.move.set_exception(error)


class Lane:
    """Processes for one kind of bots, each started when it is first needed."""

    def __init__(self, processes: int, seconds: Callable[[], float], loaded: Callable[[str], None]) -> None:
        self.queue: FairQueue[Thought] = FairQueue()
        self.seconds = seconds  # that a thought may take
        self.processes = [Process(loaded) for _ in range(processes)]
        self.free = self.processes[::-1]  # the last one is asked next, so that no more are started than needed
        self.tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run something, and hold on to its task."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def add(self, thought: Thought) -> None:
        """Let a thought wait its turn."""
        self.queue.add(thought)
        self.start_next()

    def start_next(self) -> None:
        """Let free processes think about what is next."""
        while self.free and (thought := self.queue.next()):
            self.spawn(self.think(self.free.pop(), thought))

    async def think(self, process: Process, thought: Thought) -> None:
        """Let a process think about something; then it is free for the next."""
        try:
            move = await self.answer(process, thought)
            if not thought.move.done():
                thought.move.set_result(move)
        except Exception as error:
            thought.fail(error)
        finally:
            self.queue.done(thought)
            self.free.append(process)
        self.start_next()

    async def answer(self, process: Process, thought: Thought) -> str:
        """Return what a process answers; one that hangs is ended."""
        try:
            async with asyncio.timeout(self.seconds()):
                return await process.ask(thought.question)
        except TimeoutError:
            logger.warning("%s: a bot process hangs and is killed", thought.table)
            await process.stop()
            raise Died("a thinking process has not answered") from None

    async def stop(self) -> None:
        """End the processes."""
        self.free = []
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(process.stop() for process in self.processes))


class BotPool:
    """Lets bots choose moves; a bot gets what its seat may see and nothing else."""

    def __init__(self, processes: int, bus: Bus | None = None, metrics: Metrics | None = None) -> None:
        self.bus, self.metrics = bus or LocalBus(), metrics or Metrics()
        self.died: float | None = None  # when a process died last, unless a thought has succeeded since
        self.games: list[str] | None = None  # whose bots are to be loaded
        self.loaded: set[str] = set()
        self.quick = Lane(QUICK_PROCESSES, lambda: self.seconds(QUICK_SECONDS), self.loaded.add)
        self.strong = Lane(max(1, processes), lambda: self.seconds(STRONG_SECONDS), self.loaded.add)

    @property
    def percent(self) -> int:
        """How far the bots are that are compiled and loaded at the start; 100 when all are there."""
        if self.games is None:
            return 0
        return 100 * len(self.loaded.intersection(self.games)) // len(self.games) if self.games else 100

    @property
    def is_dying(self) -> bool:
        """Whether a process has died of late, and none has answered since."""
        return self.died is not None and time.monotonic() - self.died < LAPSE

    def seconds(self, seconds: float) -> float:
        """Return for how long a thought may take that takes so long at most when its bot is compiled."""
        return seconds if self.percent == 100 else COMPILING_SECONDS

    @property
    def waiting(self) -> int:
        """How many thoughts wait for a process."""
        return len(self.quick.queue) + len(self.strong.queue)

    def start(self, games: list[str]) -> None:
        """Let the bots of these games be loaded, in this order, before the first one is asked."""
        self.games = games
        self.quick.spawn(self.warm(games))

    async def warm(self, games: list[str]) -> None:
        """Load the bots of games; if the process dies over that, again, later and later."""
        for deaths in itertools.count(1):
            left = [game for game in games if game not in self.loaded]
            if not left:
                return
            await self.quick.processes[0].warm(left)
            await asyncio.sleep(back_off(deaths + 1))

    async def choose(self, log: Log, seat: int, stand_in: str | None = None, is_wanted: Question = always) -> str:
        """Let the bot on this seat choose a move, or one that stands in for a person, while the table waits for it.

        Raises `Overtaken` if it does not any more, and `Crowded` if so many thoughts wait that it is to ask again.
        """
        bot = stand_in or log.seats[seat].bot
        assert bot
        async with claimed(self.bus, f"{log.facts.id}.{seat}.{log.asked[seat]}", is_wanted):
            return await self.chosen(log, seat, bot, is_wanted)

    async def chosen(self, log: Log, seat: int, bot: str, is_wanted: Question) -> str:
        """Let a bot choose; what kills its process is tried again, later and later."""
        for deaths in itertools.count(1):
            thought = Thought(log, seat, bot, is_wanted)
            self.lane_of(thought).add(thought)
            try:
                with self.metrics.thinking(bot):
                    move = await thought.move
                self.died = None
                return move
            except Died:
                self.died = time.monotonic()
                self.metrics.restarts("thinker").inc()
                logger.warning("%s: a bot process died, attempt %d", log.facts.id, deaths)
            await wait_while(is_wanted, back_off(deaths))
        raise AssertionError("there is always another attempt")

    def lane_of(self, thought: Thought) -> Lane:
        """Return where a thought has to wait."""
        return self.quick if bots.is_quick(thought.question.bot, thought.question.game) else self.strong

    async def stop(self) -> None:
        """End all processes."""
        await asyncio.gather(self.quick.stop(), self.strong.stop())
