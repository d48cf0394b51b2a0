"""Who wants to be told that it is their turn."""

from __future__ import annotations

import time
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from smalti.server.problems import Problem
from smalti.server.store.schema import notices
from smalti.server.store.store import Store

MOST = 10  # browsers of one holder; the oldest ones make room


class Subscription(NamedTuple):
    """Where a browser is told, and how it is sealed for it."""

    endpoint: str
    key: str
    auth: str
    language: str


class Subscribers:
    """Those who want to be told."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def add(self, holder: str, subscription: Subscription) -> None:
        """Tell a browser from now on; an address belongs to whoever gave it last."""
        for last in (False, True):
            try:
                async with self.store.changing() as connection:
                    return await connection.run_sync(insert_subscription, holder, subscription)
            except IntegrityError as error:  # the same address twice at once
                if last:
                    raise Problem("stored") from error
        return None

    async def forget(self, endpoint: str, holder: str | None = None) -> None:
        """Tell an address nothing any more; of this holder only, if one is named."""
        chosen = notices.c.endpoint == endpoint
        if holder is not None:
            chosen = sa.and_(chosen, notices.c.holder == holder)
        async with self.store.changing() as connection:
            await connection.execute(sa.delete(notices).where(chosen))

    async def of(self, holder: str) -> list[Subscription]:
        """List where a holder is told."""
        columns = [notices.c[name] for name in Subscription._fields]
        async with self.store.reading() as connection:
            rows = await connection.execute(sa.select(*columns).where(notices.c.holder == holder))
            return [Subscription(*row) for row in rows]


def insert_subscription(connection: Connection, holder: str, subscription: Subscription) -> None:
    """Store a subscription in place of what its address stood for, and of the holder's oldest ones."""
    connection.execute(sa.delete(notices).where(notices.c.endpoint == subscription.endpoint))
    row = {**subscription._asdict(), "holder": holder, "made": time.time()}
    connection.execute(sa.insert(notices).values(row))
    mine = sa.select(notices.c.endpoint).where(notices.c.holder == holder)
    newest = mine.order_by(notices.c.made.desc(), notices.c.endpoint).limit(MOST).subquery()
    old = sa.and_(notices.c.holder == holder, notices.c.endpoint.not_in(sa.select(newest.c.endpoint)))
    connection.execute(sa.delete(notices).where(old))
