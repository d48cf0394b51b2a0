"""The load: so many matches at once, each seat a connection of its own, the next move once all have seen the last.

Runs in a process of its own: `python -m bench.server_load '{"server": "smalti", "port": 8765, ...}'` prints JSON.
Tables are made and connected before the clock starts; when a match ends, its place goes on at the next of them, and
when one place has none left, the measurement is over.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import perf_counter, process_time
from typing import Any

import uvloop

from bench.server_process import thread_times
from bench.server_wire import BoardgameIO, Dialect, Line, Smalti, Told

AT_ONCE = 8  # requests and connections while tables are made
WARM_UP = 0.5  # seconds that are played and not counted
PATIENCE = 60.0  # seconds for all connections to be told where they are


@dataclass
class Job:
    """What to do."""

    server: str
    port: int
    matches: int
    seconds: float
    tables: int  # for each match, one after the other
    game: str = "patterns"
    seats: int = 2
    longest: int = 10_000  # moves; whoever has no end is left after so many
    seed: int = 1
    process: int = 0  # of the server, to see how much it computes
    profile: bool = False  # tell the server when to begin and when to write a profile
    what: str = "play"  # or "ping", or "hold": connect, tell, and wait for the end of the input


@dataclass
class Found:
    """What was measured."""

    seconds: float = 0.0
    moves: int = 0
    refused: int = 0
    busy: float = 0.0  # share of the time this process was computing
    server: list[float] = field(default_factory=list)  # the same of the server's threads, the main one first
    confirmed: list[float] = field(default_factory=list)  # seconds from sending to the mover's confirmation
    arrived: list[float] = field(default_factory=list)  # the same to the second listener
    sent_bytes: int = 0
    told_bytes: int = 0
    tellings: int = 0


class Table:
    """A table with its connected seats."""

    def __init__(self, load: Load, keys: list[tuple[str, ...]]) -> None:
        self.load, self.keys = load, keys
        self.lines: list[Line] = []
        self.told = [Told("") for _ in keys]
        self.moves = 0
        self.mover: int | None = None
        self.over: Callable[[], None] = lambda: None

    async def connect(self) -> None:
        """Connect all seats."""
        for seat, keys in enumerate(self.keys):
            line = await self.load.dialect.connect(keys, seat, lambda told, size, at=seat: self.hear(at, told, size))  # type: ignore[misc]
            self.lines.append(line)

    @property
    def is_ready(self) -> bool:
        """Whether everybody knows whose turn it is."""
        return all(told.acting for told in self.told)

    def hear(self, seat: int, told: Told, size: int) -> None:
        """A seat is told something."""
        found = self.load.found
        if told.t == "refused":
            found.refused += 1
        if told.t == "pong":
            self.load.ponged(self.lines[seat])
        if told.t != "state":
            return
        self.told[seat] = told
        found.told_bytes += size
        found.tellings += 1
        if self.mover is not None and told.n > self.number:
            if seat == self.mover:
                found.confirmed.append(perf_counter() - self.sent)
            elif seat == (self.mover + 1) % len(self.keys):
                found.arrived.append(perf_counter() - self.sent)
            if all(told.n > self.number for told in self.told):
                self.mover = None
                found.moves += 1
                self.play()

    def play(self) -> None:
        """Let one of those act who can, or go on elsewhere."""
        able = [seat for seat, told in enumerate(self.told) if told.legal]
        if not able or self.moves >= self.load.job.longest:
            self.over()
            return
        self.mover = able[0] if len(able) == 1 else self.load.random.choice(able)
        told = self.told[self.mover]
        self.moves += 1
        self.number = told.n
        do = self.load.random.choice(told.legal)
        self.sent = perf_counter()
        line, keys = self.lines[self.mover], self.keys[self.mover]
        self.load.found.sent_bytes += self.load.dialect.move(line, keys, self.mover, told.n, do)


class Load:
    """All matches."""

    def __init__(self, job: Job) -> None:
        self.job, self.found = job, Found()
        self.random = random.Random(job.seed)
        self.dialect: Dialect = Smalti(job.port) if job.server == "smalti" else BoardgameIO(job.port)
        self.done = asyncio.Event()

    async def tables(self) -> list[Table]:
        """Make all tables, and connect to them."""
        job, loop, gate = self.job, asyncio.get_running_loop(), asyncio.Semaphore(AT_ONCE)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            asked = [
                loop.run_in_executor(pool, self.dialect.new_table, job.game, job.seats)
                for _ in range(job.matches * job.tables)
            ]
            found = [Table(self, keys) for keys in await asyncio.gather(*asked)]

        async def connect(table: Table) -> None:
            async with gate:
                await table.connect()

        await asyncio.gather(*map(connect, found))
        async with asyncio.timeout(PATIENCE):
            while not all(table.is_ready for table in found):
                await asyncio.sleep(0.05)
        return found

    def begin(self, place: list[Table]) -> None:
        """Play the next table of a place; without one the measurement is over."""
        if not place:
            self.done.set()
            return
        table = place.pop()
        table.over = lambda: self.begin(place)
        table.play()

    def ponged(self, line: Line) -> None:
        """Ask once more."""
        self.found.moves += 1
        line.say(b'{"t":"ping"}')

    async def measure(self) -> Found:
        """Play for a while, and return what was counted after the first moment."""
        asyncio.get_running_loop().set_exception_handler(give_up)
        tables = await self.tables()
        gc.collect()
        gc.freeze()
        gc.disable()
        for number in range(self.job.matches):
            if self.job.what == "ping":
                tables[number].lines[0].say(b'{"t":"ping"}')
            else:
                self.begin(tables[number :: self.job.matches])
        await self.wait(WARM_UP)
        self.found = Found()
        self.turn_profile()
        begin, computed, theirs = perf_counter(), process_time(), self.server_times()
        await self.wait(self.job.seconds)
        found, self.found = self.found, Found()
        found.seconds = perf_counter() - begin
        found.busy = (process_time() - computed) / found.seconds
        found.server = [(now - then) / found.seconds for then, now in zip(theirs, self.server_times(), strict=False)]
        self.turn_profile()
        return found

    def server_times(self) -> list[float]:
        """Return the processor seconds of the server's threads so far."""
        return thread_times(self.job.process) if self.job.process else []

    def turn_profile(self) -> None:
        """Let the server begin a profile, or write it."""
        if self.job.profile:
            os.kill(self.job.process, signal.SIGUSR1)

    async def wait(self, seconds: float) -> None:
        """Wait so long, or until a place has run out of tables."""
        try:
            async with asyncio.timeout(seconds):
                await self.done.wait()
        except TimeoutError:
            return


def summed_up(found: Found) -> dict[str, float]:
    """Return a run's figures: times in milliseconds, sizes in bytes, the processors' time in microseconds a move."""
    moves = max(1, found.moves)
    return {
        "rate": found.moves / found.seconds,
        "refused": found.refused,
        "load busy": found.busy,
        "server µs": 1e6 * sum(found.server) * found.seconds / moves,
        "main thread": found.server[0] if found.server else 0.0,
        "sent": found.sent_bytes / moves,
        "told": found.told_bytes / max(1, found.tellings),
        **{f"confirmed p{part}": share(found.confirmed, part) for part in (50, 99)},
        **{f"arrived p{part}": share(found.arrived, part) for part in (50, 99)},
    }


def share(times: list[float], part: int) -> float:
    """Return the milliseconds within which so many of a hundred came."""
    return 1000 * sorted(times)[min(len(times) - 1, len(times) * part // 100)] if times else 0.0


def give_up(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """End at once: a line that broke would only make the figures better."""
    print(context["message"], repr(context.get("exception")), file=sys.stderr, flush=True)
    os._exit(1)


async def hold(job: Job) -> None:
    """Connect, and stay until nobody listens any more."""
    load = Load(job)
    await load.tables()
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


def main() -> None:
    """Do the job that is given as JSON."""
    job = Job(**json.loads(sys.argv[1]))
    if job.what == "hold":
        uvloop.run(hold(job))
        return
    print(json.dumps(summed_up(uvloop.run(Load(job).measure()))))


if __name__ == "__main__":
    main()
