"""Far more tables than rooms are kept in memory: two pages at a table always see each other's moves.

The cache is filled with tables that are looked at, so that whatever is opened beyond them is forgotten first.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.chaos.budget import Budget, Figures
from tests.chaos.clients import Browser, Party, let, together
from tests.chaos.forked import Forked

CACHED = 20
BUSY = 30  # tables that are looked at all the time: more than are kept
AT_ONCE = 10
GAMES = [("patterns", 2), ("mosaix", 2), ("mozaika", 3)]


class Played(Counter[str]):
    """What was played, and what was missed."""


async def meet(port: int, number: int, counts: Played) -> None:
    """Make a table, leave it to be forgotten, and let two pages of it see each other's moves."""
    (game, seats), luck = GAMES[number % len(GAMES)], random.Random(number)
    browser = Browser(port)
    table = await browser.make(game, *(f"Ann {seat}" for seat in range(seats)))
    await asyncio.sleep(luck.uniform(0, 0.2))
    at_once = luck.random() < 0.5  # or one after the other
    party = Party(
        table, await together((browser.open(table, seat) for seat in range(seats)), seats if at_once else 1), []
    )
    for _ in range(2 * seats):
        await party.step(luck)
        await party.newest()
        counts["moves seen by all"] += 1
    await party.close()
    counts["tables"] += 1


async def busy_tables(port: int) -> None:
    """Open more tables than are kept, and go on looking at them."""
    for _ in range(BUSY):
        browser = Browser(port)
        await browser.open(await browser.make("patterns", "Ann", "Bob"), 0)


async def meetings(port: int, tables: int, counts: Played) -> None:
    """Let people meet at so many tables."""
    await busy_tables(port)
    await together((meet(port, number, counts) for number in range(tables)), AT_ONCE)


def run(budget: Budget) -> Figures:
    """Go through the tables, once."""
    counts, begun = Played(), time.monotonic()
    few = {"SMALTI_CACHED_ROOMS": str(CACHED)}
    with tempfile.TemporaryDirectory() as folder, Forked(Path(folder), **few).running() as server:
        let(meetings(server.port, budget.size(60, 2000), counts))
        memory = server.megabytes
    return {"rooms in memory": CACHED, **counts, "MB": memory, "seconds": time.monotonic() - begun}
