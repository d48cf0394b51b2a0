"""Secrets of the whole site: made at its first start, kept in the database, the same for all of its processes."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from smalti.server.game_time import now
from smalti.server.keys import new_secret
from smalti.server.store.schema import kept
from smalti.server.store.store import Store

SITE, MARKED = "site", "marked"


async def site_value(store: Store, name: str, make: Callable[[], bytes]) -> bytes:
    """Return a secret, made if there is none yet; if others make one at that moment, the first counts."""
    return await read_value(store, name) or await make_value(store, name, make)


async def read_value(store: Store, name: str) -> bytes | None:
    """Return a secret that is there."""
    async with store.reading() as connection:
        return (await connection.execute(sa.select(kept.c.value).where(kept.c.name == name))).scalar()


async def make_value(store: Store, name: str, make: Callable[[], bytes]) -> bytes:
    """Make a secret, unless somebody was first."""
    value = await asyncio.to_thread(make)
    try:
        async with store.changing() as connection:
            await connection.execute(sa.insert(kept).values(name=name, value=value))
    except IntegrityError:
        return await read_value(store, name) or value
    return value


class SiteKeys:
    """Keys for each purpose, derived from the one secret of the site."""

    def __init__(self, secret: bytes, marked_since: float = 0.0) -> None:
        self.secret = secret
        self.marked_since = marked_since  # every cookie that was given later bears our mark

    def key(self, purpose: str) -> bytes:
        """Return the key for a purpose."""
        return hmac.digest(self.secret, purpose.encode(), "sha256")


async def site_keys(store: Store) -> SiteKeys:
    """Return the keys of the site."""
    secret = await site_value(store, SITE, new_secret)
    return SiteKeys(secret, float(await site_value(store, MARKED, lambda: str(now()).encode())))
