"""Replaying: many entries at once, beside the event loop, so that nobody else waits for a long game."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from smalti.server.entries import Entry
from smalti.server.log import Log

SHORT = 150  # events that are replayed at once: a few milliseconds
EVENT_SIZE = 25  # characters that an event takes in an entry which holds many
THREAD = ThreadPoolExecutor(1, "replaying")  # one: more would only take the event loop's turns


async def extend(log: Log, entries: Sequence[Entry]) -> None:
    """Let entries happen on a log that nobody else knows yet."""
    if sum(1 + len(entry.body) // EVENT_SIZE for entry in entries) <= SHORT:
        log.extend(entries)
    else:
        await asyncio.get_running_loop().run_in_executor(THREAD, log.extend, entries)
