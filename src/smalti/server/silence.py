"""Redis that does not answer: it is remembered, so that not everybody waits for the limit, and told now and then."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine

logger = logging.getLogger(__name__)
PAUSE = 1.0  # seconds between two questions whether it answers again
TELL_AGAIN = 60.0  # seconds between two lines in the log


class Silence:
    """Whether Redis does not answer, as far as anybody has noticed."""

    def __init__(self, answers: Callable[[], Awaitable[bool]], keep: Callable[[Coroutine[None, None, None]], None]):
        self.answers, self.keep = answers, keep
        self.lasts = False
        self.told = -TELL_AGAIN

    def notice(self, what: str, error: Exception) -> None:
        """Hear that something has failed; until Redis answers again, nobody needs to try."""
        if time.monotonic() - self.told >= TELL_AGAIN:
            self.told = time.monotonic()
            logger.warning("%s by Redis has failed: %s", what, str(error) or type(error).__name__)
        if not self.lasts:
            self.lasts = True
            self.keep(self.wait())

    async def wait(self) -> None:
        """Wait until Redis answers."""
        while not await self.answers():
            await asyncio.sleep(PAUSE)
        self.lasts = False
