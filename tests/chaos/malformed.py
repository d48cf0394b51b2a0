"""Malformed messages and requests by the ten thousand: each is refused in words, and nobody else notices.

No status of 500 or more but a named 503, no traceback, no connection closed but by a broken frame, no memory without a
bound; people at another table play on meanwhile. What is sent stands in `noise`.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.chaos import noise
from tests.chaos.budget import Budget, Figures, quantile
from tests.chaos.clients import HERE, LOST, Browser, Page, Party, answer_from, let
from tests.chaos.forked import Forked

BURST = 20  # messages between two pings
SOCKETS, CALLERS = 4, 8  # that send at the same time
BROKEN = 40  # every so many bursts a connection is broken by a wrong frame
MEMORY = 400.0  # MB more than at the beginning, at most
NAMED = ("table.stored", "table.away", "table.busy", "table.compiling")  # a 503 says what is missing


class Noise:
    """Those who send nonsense, and what they were answered."""

    def __init__(self, port: int, party: Party, luck: random.Random) -> None:
        self.port, self.party, self.luck = port, party, luck
        self.counts: Counter[str] = Counter()
        self.is_over = False

    # --- Over WebSockets

    async def chat(self, seat: int) -> None:
        """Send bursts of nonsense by one page after the other."""
        browser = self.party.browsers[seat]
        while not self.is_over:
            page = await browser.open(self.party.table, seat)
            for _ in range(BROKEN):
                if self.is_over:
                    break
                await self.burst(page)
            await self.break_off(page)

    async def burst(self, page: Page) -> None:
        """Send a burst, and read what comes until it is all answered."""
        for _ in range(BURST):
            await page.connection.send(noise.message(self.luck, page.state))
        await page.send(t="ping")
        while (told := await page.receive())["t"] != "pong":
            self.counts["messages refused"] += told["t"] == "refused"
        self.counts["messages"] += BURST

    async def break_off(self, page: Page) -> None:
        """End a connection by bytes that are no frame; the server may close it, and nothing else."""
        page.connection.transport.write(noise.frame(self.luck))
        self.counts["wrong frames"] += 1
        page.connection.transport.write_eof()
        try:
            async with asyncio.timeout(20):
                await page.connection.wait_closed()
        finally:
            page.connection.transport.abort()

    # --- Over HTTP

    async def call(self) -> None:
        """Send one malformed request after the other."""
        while not self.is_over:
            request = noise.request(self.luck, self.party.table, self.party.browsers[0].cookie, self.port)
            self.counts["requests"] += 1
            try:
                async with asyncio.timeout(20):
                    await self.one_call(request)
            except LOST:
                self.counts["requests not answered"] += 1

    async def one_call(self, request: noise.Request) -> None:
        """Send a request, whole or not, and look at the answer."""
        reader, writer = await asyncio.open_connection(HERE, self.port)
        try:
            writer.write(request.text)
            if request.is_whole:
                answer = await answer_from(reader, request.text.startswith(b"HEAD "))
                self.counts[f"status {answer.status}"] += 1
                if answer.status >= 500:
                    assert answer.status == 503, (request, answer)
                    assert answer.told["reason"] in NAMED, (request, answer)
            else:
                await writer.drain()
        finally:
            writer.close()


class Honest:
    """People at another table who play all the while."""

    def __init__(self, port: int) -> None:
        self.port, self.times, self.is_over = port, list[float](), False

    async def play(self) -> None:
        """Play game after game, and note how long each move takes."""
        luck = random.Random(2)
        while not self.is_over:
            party = await Party.at("patterns", 2, self.port)
            while not self.is_over:
                begun = time.perf_counter()
                if not await party.step(luck):
                    break
                self.times.append(time.perf_counter() - begun)
                await asyncio.sleep(0.05)
            await party.close()


async def shouted(server: Forked, budget: Budget) -> Figures:
    """Let nonsense be sent for so long, beside an honest table."""
    luck, before = random.Random(1), server.megabytes
    party = await Party.at("mozaika", SOCKETS, server.port)
    made, honest = Noise(server.port, party, luck), Honest(server.port)
    noises = [made.chat(seat) for seat in range(SOCKETS)] + [made.call() for _ in range(CALLERS)]
    tasks = [asyncio.create_task(work) for work in (*noises, honest.play())]
    end = time.monotonic() + 60 * budget.minutes
    while made.counts["messages"] + made.counts["requests"] < 6000 if budget.is_short else time.monotonic() < end:
        await asyncio.sleep(0.1)
        for task in tasks:
            assert not task.done(), task.result()
    made.is_over = honest.is_over = True
    await asyncio.gather(*tasks)
    await Browser(server.port).get("/api/games")
    grown = server.megabytes - before
    assert grown < MEMORY, f"{grown} MB more"
    assert len(honest.times) >= 3, "nobody else could play"
    assert made.counts["messages refused"] > made.counts["messages"] / 2, made.counts
    return {
        "malformed inputs": made.counts["messages"] + made.counts["requests"] + made.counts["wrong frames"],
        **{name: made.counts[name] for name in sorted(made.counts)},
        "MB more": grown,
        "honest moves": len(honest.times),
        "honest move p50, ms": 1000 * quantile(honest.times, 0.5),
        "honest move p99, ms": 1000 * quantile(honest.times, 0.99),
    }


def run(budget: Budget) -> Figures:
    """Send nonsense for so long; the log must not have stumbled over anything."""
    with tempfile.TemporaryDirectory() as folder, Forked(Path(folder)).running() as server:
        return let(shouted(server, budget))
