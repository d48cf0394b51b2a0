"""Who wants to be told that it is their turn, and the keys that notices are signed with: what the database keeps."""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from smalti.server.problems import Problem
from smalti.server.push import Keys, new_keys
from smalti.server.schema import kept, notices
from smalti.server.store import NotStored, Store, told

MOST = 10  # browsers of one holder; the oldest ones make room
KEYS = "notices"


class Subscription(NamedTuple):
    """Where a browser is told, and how it is sealed for it."""

    endpoint: str
    key: str
    auth: str
    language: str


class Subscribers:
    """Those who want to be told."""

    def __init__(self, store: Store) -> None:
        self.engine = store.engine

    async def keys(self) -> Keys:
        """Return the keys of the site, made at the first start; if others make some at that moment, the first count."""
        try:
            found = await self.kept_keys()
            return found or await self.make_keys()
        except (SQLAlchemyError, OSError) as error:
            raise NotStored(f"the keys for notices cannot be kept: {told(error)}") from error

    async def kept_keys(self) -> Keys | None:
        """Return the keys that are there."""
        async with self.engine.connect() as connection:
            value = (await connection.execute(sa.select(kept.c.value).where(kept.c.name == KEYS))).scalar()
        return msgspec.json.decode(value, type=Keys) if value else None

    async def make_keys(self) -> Keys:
        """Make keys, unless somebody was first."""
        made = await asyncio.to_thread(new_keys)
        try:
            async with self.engine.begin() as connection:
                await connection.execute(sa.insert(kept).values(name=KEYS, value=msgspec.json.encode(made)))
        except IntegrityError:
            return await self.kept_keys() or made
        return made

    async def keep(self, holder: str, subscription: Subscription) -> None:
        """Tell a browser from now on; an address belongs to whoever gave it last."""
        for last in (False, True):
            try:
                async with self.engine.begin() as connection:
                    return await connection.run_sync(put, holder, subscription)
            except IntegrityError as error:  # the same address twice at once
                if last:
                    raise Problem("stored") from error
            except (SQLAlchemyError, OSError) as error:
                raise Problem("stored") from error
        return None

    async def forget(self, endpoint: str, holder: str | None = None) -> None:
        """Tell an address nothing any more; of this holder only, if one is named."""
        chosen = notices.c.endpoint == endpoint
        if holder is not None:
            chosen = sa.and_(chosen, notices.c.holder == holder)
        try:
            async with self.engine.begin() as connection:
                await connection.execute(sa.delete(notices).where(chosen))
        except (SQLAlchemyError, OSError) as error:
            raise Problem("stored") from error

    async def of(self, holder: str) -> list[Subscription]:
        """List where a holder is told."""
        columns = [notices.c[name] for name in Subscription._fields]
        async with self.engine.connect() as connection:
            rows = await connection.execute(sa.select(*columns).where(notices.c.holder == holder))
            return [Subscription(*row) for row in rows]


def put(connection: Connection, holder: str, subscription: Subscription) -> None:
    """Store a subscription in place of what its address stood for, and of the holder's oldest ones."""
    connection.execute(sa.delete(notices).where(notices.c.endpoint == subscription.endpoint))
    row = {**subscription._asdict(), "holder": holder, "made": time.time()}
    connection.execute(sa.insert(notices).values(row))
    mine = sa.select(notices.c.endpoint).where(notices.c.holder == holder)
    newest = mine.order_by(notices.c.made.desc(), notices.c.endpoint).limit(MOST).subquery()
    old = sa.and_(notices.c.holder == holder, notices.c.endpoint.not_in(sa.select(newest.c.endpoint)))
    connection.execute(sa.delete(notices).where(old))
