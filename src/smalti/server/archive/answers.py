"""Answers about finished games, kept as they were written: whoever asks again is told the same bytes.

An answer belongs to the very log it was made from. If the game is read again from the database, it is made anew.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any
from weakref import ReferenceType, ref

from smalti.server.table.log import Log

MOST_BYTES = 32 * 2**20

Key = tuple[str, int, str]  # the table, how much has happened at it, what was asked


class Answers:
    """The answers that were asked for last."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most, self.size = most, 0
        self.kept: OrderedDict[Key, tuple[ReferenceType[Log], bytes]] = OrderedDict()
        self.making: dict[Key, asyncio.Task[bytes]] = {}

    def find(self, log: Log, what: str) -> bytes | None:
        """Return an answer that is kept."""
        key = (log.facts.id, log.length, what)
        if key not in self.kept or self.kept[key][0]() is not log:
            return None
        self.kept.move_to_end(key)
        return self.kept[key][1]

    def make(self, log: Log, what: str, work: Coroutine[Any, Any, bytes]) -> asyncio.Task[bytes]:
        """Let an answer be worked out, once for all who ask for it meanwhile, and keep it."""
        key = (log.facts.id, log.length, what)
        task = self.making[key] = asyncio.create_task(work)

        def done(task: asyncio.Task[bytes]) -> None:
            del self.making[key]
            if not task.cancelled() and task.exception() is None:
                self.add(log, what, task.result())

        task.add_done_callback(done)
        return task

    def add(self, log: Log, what: str, answer: bytes) -> None:
        """Keep an answer, and forget those that were not asked for the longest."""
        key = (log.facts.id, log.length, what)
        self.size += len(answer) - len(self.kept.pop(key, (None, b""))[1])
        self.kept[key] = (ref(log), answer)
        while self.size > self.most:
            self.size -= len(self.kept.popitem(last=False)[1][1])
