"""Browsers that were known here before cookies bore our mark."""

from __future__ import annotations

import sqlalchemy as sa

from smalti.server.store.schema import events, holders, matches, notices
from smalti.server.store.store import Store


async def was_known(store: Store, holder: str, before: float) -> bool:
    """Look for somebody who had sat down, made a table or wanted to be told before a moment."""
    sat = (events.c.match == holders.c.match, events.c.kind == "sit", events.c.body.contains(holder))
    ways = (
        (holders.c.holder == holder, *sat, events.c.at < before),
        (matches.c.host == holder, matches.c.made < before),
        (notices.c.holder == holder, notices.c.made < before),
    )
    query = sa.select(sa.or_(*(sa.exists().where(*way) for way in ways)))
    async with store.reading() as connection:
        return bool((await connection.execute(query)).scalar())
