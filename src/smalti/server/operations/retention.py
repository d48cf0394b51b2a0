"""Retention: games that have been over for long enough are deleted by themselves."""

from __future__ import annotations

import asyncio
import logging

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from smalti.server.entries import OVER
from smalti.server.operations.erasing import delete_games
from smalti.server.schema import matches
from smalti.server.store import Store
from smalti.server.timing import now

logger = logging.getLogger(__name__)
DAY = 24 * 3600.0
PAUSE = 3600.0  # seconds between two looks
BATCH = 50  # games in one transaction, so that nobody waits long for the database


async def finished_before(engine: AsyncEngine, before: float, limit: int | None = None) -> list[str]:
    """List the games that were over by then, the oldest first."""
    chosen = sa.and_(matches.c.stage == OVER, matches.c.ended < before)
    query = sa.select(matches.c.id).where(chosen).order_by(matches.c.ended).limit(limit)
    async with engine.connect() as connection:
        return [row.id for row in await connection.execute(query)]


class Retention:
    """Deletes what is older than is kept."""

    def __init__(self, keep_days: int) -> None:
        self.keep_days = keep_days  # 0: for ever

    async def run_once(self, store: Store, at: float) -> list[str]:
        """Delete everything that is too old at this moment, a batch at a time; returns what is gone."""
        return await self.prune(store.engine, at) if self.keep_days else []

    async def prune(self, engine: AsyncEngine, at: float) -> list[str]:
        """Delete all games that have been over for so many days."""
        gone: list[str] = []
        while names := await finished_before(engine, at - self.keep_days * DAY, BATCH):
            gone += await delete_games(engine, names)
            await asyncio.sleep(0)
        return gone

    async def run(self, store: Store) -> None:
        """Look again and again."""
        while True:
            gone = await self.run_once(store, now())
            if gone:
                logger.info("%d games had been over for %d days and are deleted", len(gone), self.keep_days)
            await asyncio.sleep(PAUSE)
