"""Retention: games that have been over for long enough are deleted by themselves."""

from __future__ import annotations

import asyncio
import logging

from smalti.server.game_time import now
from smalti.server.store.admin.pruning import prune
from smalti.server.store.store import Store

logger = logging.getLogger(__name__)
PAUSE = 3600.0  # seconds between two looks


class Retention:
    """Deletes what is older than is kept."""

    def __init__(self, keep_days: int) -> None:
        self.keep_days = keep_days  # 0: for ever

    async def run_once(self, store: Store, at: float) -> list[str]:
        """Delete everything that is too old at this moment, a batch at a time; returns what is gone."""
        return await prune(store.engine, self.keep_days, at) if self.keep_days else []

    async def run(self, store: Store) -> None:
        """Look again and again."""
        while True:
            gone = await self.run_once(store, now())
            if gone:
                logger.info("%d games had been over for %d days and are deleted", len(gone), self.keep_days)
            await asyncio.sleep(PAUSE)
