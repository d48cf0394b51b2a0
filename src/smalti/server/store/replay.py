"""Replaying: many entries at once, beside the event loop, so that nobody else waits for a long game."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from smalti.server.table.entries import Entry
from smalti.server.table.kinds import Record, Start
from smalti.server.table.log import Log

SHORT = 150  # events that are replayed at once: a few milliseconds
THREAD = ThreadPoolExecutor(1, "replaying")  # one: more would only take the event loop's turns


def events_in(entry: Entry) -> int:
    """Count the events that an entry brings."""
    return len(entry.what.events) if isinstance(entry.what, Start | Record) else 1


async def extend(log: Log, entries: Sequence[Entry]) -> None:
    """Let entries happen on a log that nobody else knows yet."""
    if sum(map(events_in, entries)) <= SHORT:
        log.extend(entries)
    else:
        await asyncio.get_running_loop().run_in_executor(THREAD, log.extend, entries)
