"""One address floods while somebody at another address plays: the flood is refused, and the honest player plays on.

The server has the limits that it has by itself. The flood asks for pages that cost, opens connections and leaves them,
sends messages as fast as it can, imports records, makes tables, and connects again as soon as it was shown the door.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE

from tests.chaos.budget import Budget, Figures, quantile
from tests.chaos.clients import ELSEWHERE, HERE, LOST, Answer, Browser, Party, let
from tests.chaos.forked import WITHOUT_LIMITS, Forked, allow_many_files
from tests.server.site import PATIENCE, ROOT

REFUSED = (408, 413, 429, 503)
HELD = 600  # connections that one address tries to keep: more than it may
THINKS = 0.1  # seconds between two moves of an honest player
LEAST_MOVES = 20
READS = ("/api/tables/over", "/api/lobby", "/api/tables/{table}", "/api/tables/{table}/record", "/api/openapi.json")


class Flood:
    """Whoever floods, from one address."""

    def __init__(self, port: int, table: str) -> None:
        self.port, self.table = port, table
        self.counts: Counter[str] = Counter()
        self.is_over = False
        self.held: list[asyncio.StreamWriter] = []

    def tasks(self) -> list[asyncio.Task[None]]:
        """Begin with all of it."""
        ways = [*[self.read] * 4, self.make, self.import_record, self.hold, *[self.shout] * 3]
        return [asyncio.create_task(self.again_and_again(way)) for way in ways]

    async def again_and_again(self, way: Callable[[], Awaitable[None]]) -> None:
        """Do the same until it is over, whatever comes of it."""
        while not self.is_over:
            try:
                await way()
            except LOST:
                self.counts["connections refused"] += 1
                await asyncio.sleep(0.01)

    def note(self, what: str, answer: Answer) -> None:
        """Note how a request was answered."""
        self.counts[f"{what} refused" if answer.status in REFUSED else what] += 1

    def browser(self) -> Browser:
        """Return a browser that has never been here."""
        return Browser(self.port, source=ELSEWHERE)

    # --- The ways

    async def read(self) -> None:
        """Ask for what has to be worked out."""
        address = random.choice(READS).format(table=self.table)
        self.note("reads", await self.browser().ask("GET", address))

    async def make(self) -> None:
        """Make a table."""
        wish = {"game": "patterns", "seats": [{"kind": "here", "name": name} for name in ("Ann", "Bob")]}
        self.note("tables made", await self.browser().ask("POST", "/api/tables", wish))

    async def import_record(self) -> None:
        """Import something long that is no record."""
        record = {"format": "smalti-record/1", "game": "patterns", **{f"key {n}": n for n in range(10_000)}}
        self.note("imports", await self.browser().ask("POST", "/api/import", record))

    async def hold(self) -> None:
        """Open a connection, begin a request, and leave it at that."""
        if len(self.held) >= HELD:
            self.held.pop(0).close()
        _, writer = await asyncio.open_connection(HERE, self.port, local_addr=(ELSEWHERE, 0))
        self.held.append(writer)
        writer.write(b"POST /api/tables HTTP/1.1\r\nhost: x\r\ncookie: a")
        await writer.drain()
        self.counts["connections held"] += 1

    async def shout(self) -> None:
        """Connect, and send messages until the door is shown."""
        connection = await self.browser().connection(self.table)
        self.counts["connections"] += 1
        look = json.dumps({"t": "look", "seat": None, "since": 0})
        try:
            while not self.is_over:
                await connection.send(look)
                self.counts["messages"] += 1
                await asyncio.sleep(0)
        except LOST:
            self.counts["shown the door"] += 1
        finally:
            connection.transport.abort()


class Honest:
    """Two people at another address who play."""

    def __init__(self, port: int) -> None:
        self.port, self.luck, self.times = port, random.Random(1), list[float]()
        self.party: Party | None = None

    async def move(self) -> None:
        """Make a move and note how long it took until both had been told."""
        if self.party is None:
            self.party = await Party.at("patterns", 2, self.port)
        begun = time.perf_counter()
        is_playing = await self.party.step(self.luck)
        await self.party.newest()
        if is_playing:
            self.times.append(time.perf_counter() - begun)
        else:
            await self.party.close()
            self.party = None
        await asyncio.sleep(THINKS)


def is_refused(counts: Counter[str]) -> int:
    """Count how often the flood was refused something."""
    return sum(many for what, many in counts.items() if "refused" in what or what == "shown the door")


async def play(honest: Honest, budget: Budget) -> list[float]:
    """Let honest people play for so long, and move at least so often."""
    honest.times = []
    for _ in budget.rounds(1):
        await honest.move()
    while len(honest.times) < LEAST_MOVES:
        await honest.move()
    return honest.times


async def flooded(port: int, budget: Budget) -> Figures:
    """Play without a flood first, then with one."""
    target, honest = await Party.at("mozaika", 3, port, source=ELSEWHERE, onlookers="all"), Honest(port)
    calm = await play(honest, budget.share(0.2))
    async with flooding(port, target.table) as counts:
        stormy = await play(honest, budget.share(0.8))
    figures: Figures = {f"{name}, ms": 1000 * quantile(times, share) for name, times, share in (
        ("p50 without the flood", calm, 0.5), ("p99 without the flood", calm, 0.99),
        ("p50 beside the flood", stormy, 0.5), ("p99 beside the flood", stormy, 0.99),
    )}  # fmt: skip
    return {**figures, "honest moves": len(stormy), "refused to the flood": is_refused(counts), **counts}


# --- The flood has a process of its own, so that nobody waits for it but the server


@asynccontextmanager
async def flooding(port: int, table: str) -> AsyncIterator[Counter[str]]:
    """Flood from the first refusal on; the counts are there afterwards."""
    words = [sys.executable, "-m", "tests.chaos.flood", str(port), table]
    process = await asyncio.create_subprocess_exec(*words, cwd=ROOT, stdin=PIPE, stdout=PIPE)
    assert process.stdin
    assert process.stdout
    counts: Counter[str] = Counter()
    try:
        async with asyncio.timeout(PATIENCE):
            assert await process.stdout.readline() == b"refused\n"
        yield counts
    finally:
        process.stdin.close()
        counts.update(json.loads(await process.stdout.readline() or "{}"))
        await process.wait()


async def flood_until_told(port: int, table: str) -> None:
    """Flood, say so when something is refused for the first time, and stop when nobody listens any more."""
    flood = Flood(port, table)
    tasks = flood.tasks()
    while not is_refused(flood.counts):
        await asyncio.sleep(0.01)
    print("refused", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    flood.is_over = True
    await asyncio.gather(*tasks)
    print(json.dumps(flood.counts), flush=True)


def run(budget: Budget) -> Figures:
    """Flood for so long, with the limits as they are by themselves."""
    with tempfile.TemporaryDirectory() as folder:
        server = Forked(Path(folder))
        for name in WITHOUT_LIMITS:
            del server.settings[name]
        with server.running():
            return let(flooded(server.port, budget))


if __name__ == "__main__":
    allow_many_files()
    let(flood_until_told(int(sys.argv[1]), sys.argv[2]))
