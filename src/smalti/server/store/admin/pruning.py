"""Pruning: games that have been over for long enough are found and deleted."""

from __future__ import annotations

import asyncio

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from smalti.server.store.admin.erasing import delete_games
from smalti.server.store.schema import matches
from smalti.server.table.entries import OVER

DAY = 24 * 3600.0
BATCH = 50  # games in one transaction, so that nobody waits long for the database


async def finished_before(engine: AsyncEngine, before: float, limit: int | None = None) -> list[str]:
    """List the games that were over by then, the oldest first."""
    chosen = sa.and_(matches.c.stage == OVER, matches.c.ended < before)
    query = sa.select(matches.c.id).where(chosen).order_by(matches.c.ended).limit(limit)
    async with engine.connect() as connection:
        return [row.id for row in await connection.execute(query)]


async def prune(engine: AsyncEngine, keep_days: int, at: float) -> list[str]:
    """Delete all games that have been over for so many days at a moment, a batch at a time; returns what is gone."""
    gone: list[str] = []
    while names := await finished_before(engine, at - keep_days * DAY, BATCH):
        gone += await delete_games(engine, names)
        await asyncio.sleep(0)
    return gone
