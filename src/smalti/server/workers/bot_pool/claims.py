"""One of several servers thinks for a bot: whoever claims its decision first, for as long as it is alive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from smalti.engine.errors import SmaltiError
from smalti.server.bus import Bus

LEASE = 10.0  # seconds for which a claim holds unless it is renewed
LOOK = 1.0  # seconds between two tries for a claim that another server has: it may have died
POLL = 0.25  # seconds between two looks whether the table still waits

Question = Callable[[], bool]


class Overtaken(SmaltiError):
    """What a bot has thought about, or was about to, is not there any more."""


async def wait_while(is_wanted: Question, seconds: float) -> None:
    """Wait for so long; ends early with `Overtaken` if the table does not wait any more."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while is_wanted():
        left = end - loop.time()
        if left <= 0:
            return
        await asyncio.sleep(min(POLL, left))
    raise Overtaken("the table has moved on")


@asynccontextmanager
async def claimed(bus: Bus, decision: str, is_wanted: Question) -> AsyncIterator[None]:
    """Be the only server that thinks about a decision, as soon as no other one does."""
    while not await bus.claim(decision, LEASE):
        await wait_while(is_wanted, LOOK)
    renewing = asyncio.create_task(renew(bus, decision))
    try:
        yield
    except BaseException:
        renewing.cancel()
        with suppress(TimeoutError):
            await asyncio.wait_for(bus.claim(decision, 0.0), 1)  # somebody else may be asked for it at once
        raise
    finally:
        renewing.cancel()


async def renew(bus: Bus, decision: str) -> None:
    """Keep a claim while there is something to think about."""
    while True:
        await asyncio.sleep(LEASE / 3)
        await bus.claim(decision, LEASE)
