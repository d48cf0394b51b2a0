"""Background tasks that are supervised: one that ends unexpectedly is logged with its traceback and restarted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)
RESTARTED = "restarted"  # what is counted by what is logged
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds before a task is restarted; twice as long each time
STEADY = 60.0  # seconds after which a task that ends again counts as having worked

Work = Callable[[], Awaitable[None]]


def supervised(name: str, work: Work) -> asyncio.Task[None]:
    """Let something run for ever; it ends only by being cancelled."""
    return asyncio.create_task(run_for_ever(name, work), name=name)


async def run_for_ever(name: str, work: Work) -> None:
    """Run something again whenever it ends."""
    pause, clock = FIRST_PAUSE, asyncio.get_running_loop().time
    while True:
        begun = clock()
        try:
            await work()
            logger.error("the task %s has ended unexpectedly and is restarted", name, extra={RESTARTED: name})
        except Exception:
            logger.exception("the task %s has failed and is restarted in %.1f s", name, pause, extra={RESTARTED: name})
        pause = FIRST_PAUSE if clock() - begun > STEADY else pause
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


async def ended(*tasks: asyncio.Task[None] | None) -> None:
    """End tasks, and wait until they are over."""
    running = [task for task in tasks if task is not None]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
