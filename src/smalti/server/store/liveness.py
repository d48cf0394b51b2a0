"""When the site was last known to be alive, and the tables where a clock runs."""

from __future__ import annotations

import contextlib

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from smalti.server.store.schema import events, kept, matches
from smalti.server.store.store import Store

NOTE = "alive"


async def last_alive(store: Store) -> float | None:
    """Return when the site was last known to be alive: by its note, or by what happened where a clock runs."""
    running = sa.select(matches.c.id).where(matches.c.stage == "playing", matches.c.due.is_not(None))
    newest = sa.select(sa.func.max(events.c.at)).where(events.c.match.in_(running))
    async with store.reading() as connection:
        noted = (await connection.execute(sa.select(kept.c.value).where(kept.c.name == NOTE))).scalar()
        moments = [float(noted) if noted else None, (await connection.execute(newest)).scalar()]
    return max((moment for moment in moments if moment is not None), default=None)


async def note_alive(store: Store, at: float) -> None:
    """Note that the site is alive."""
    value = str(at).encode()
    with contextlib.suppress(IntegrityError):  # another process has made the note at the same moment
        async with store.changing() as connection:
            done = await connection.execute(sa.update(kept).where(kept.c.name == NOTE).values(value=value))
            if not done.rowcount:
                await connection.execute(sa.insert(kept).values(name=NOTE, value=value))


async def running_tables(store: Store, limit: int | None = None, game: str | None = None) -> list[str]:
    """List the tables where a clock runs, of a game or of all, the most urgent first."""
    chosen = sa.and_(matches.c.stage == "playing", matches.c.due.is_not(None))
    query = sa.select(matches.c.id).where(chosen).order_by(matches.c.due).limit(limit)
    return await store.names(query.where(matches.c.game == game) if game else query)
