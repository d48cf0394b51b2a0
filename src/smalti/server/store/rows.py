"""Rows of the database and what they stand for: entries of logs, and what never changes about a table."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from smalti.server.store.schema import events
from smalti.server.table.entries import Entry, Facts, Row
from smalti.server.table.terms import Terms


async def entries_after(connection: AsyncConnection, match: str, after: int) -> list[Entry]:
    """Read the entries of a log after a number."""
    return [row.entry() for row in await rows_after(connection, match, after)]


async def rows_after(connection: AsyncConnection, match: str, after: int) -> list[Row]:
    """Read the entries of a log after a number as they are stored."""
    chosen = sa.and_(events.c.match == match, events.c.n > after)
    query = sa.select(events.c.n, events.c.at, events.c.kind, events.c.seat, events.c.body, events.c.id)
    return [Row(*row) for row in await connection.execute(query.where(chosen).order_by(events.c.n))]


def facts_of(row: Any) -> Facts:
    """Return what never changes about a table from its row."""
    return Facts(
        id=row["id"],
        game=row["game"],
        seats=row["seats"],
        options=msgspec.json.decode(row["options"]),
        rules=row["rules"],
        made=row["made"],
        secret=row["secret"],
        key=row["key"],
        host=row["host"],
        terms=msgspec.json.decode(row["terms"], type=Terms),
        origin=row["origin"],
        revision=row["revision"],
    )


def row_of(facts: Facts, listed: bool) -> dict[str, Any]:
    """Return the row of a new table."""
    return {
        "id": facts.id,
        "game": facts.game,
        "seats": facts.seats,
        "options": msgspec.json.encode(dict(facts.options)).decode(),
        "rules": facts.rules,
        "made": facts.made,
        "secret": facts.secret,
        "key": facts.key,
        "host": facts.host,
        "terms": msgspec.json.encode(facts.terms).decode(),
        "code": facts.terms.code,
        "origin": facts.origin,
        "stage": "gathering",
        "listed": listed,
        "ended": None,
    }
