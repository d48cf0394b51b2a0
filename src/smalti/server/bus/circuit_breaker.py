"""A circuit breaker for Redis: once a call has failed, nobody else waits for its time limit until it answers again."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine

PAUSE = 1.0  # seconds between two questions whether it answers again
LOG_PAUSE = 60.0  # seconds between two lines in the log

logger = logging.getLogger(__name__)


class CircuitBreaker:
    """Open while Redis does not answer, as far as anybody has noticed."""

    def __init__(self, answers: Callable[[], Awaitable[bool]], spawn: Callable[[Coroutine[None, None, None]], None]):
        self.answers, self.spawn = answers, spawn
        self.is_open = False
        self.logged = -LOG_PAUSE

    def record_failure(self, what: str, error: Exception) -> None:
        """Open the circuit: until Redis answers again, nobody needs to try."""
        if time.monotonic() - self.logged >= LOG_PAUSE:
            self.logged = time.monotonic()
            logger.warning("%s by Redis has failed: %s", what, str(error) or type(error).__name__)
        if not self.is_open:
            self.is_open = True
            self.spawn(self.close_when_it_answers())

    async def close_when_it_answers(self) -> None:
        """Ask again and again until Redis answers."""
        while not await self.answers():
            await asyncio.sleep(PAUSE)
        self.is_open = False
