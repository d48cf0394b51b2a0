"""Erasing in the database: people and words are taken from logs, and whole games deleted.

A SQLite file overwrites what it deletes (`prepare_sqlite`); what waits beside it to be carried over is carried over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from smalti.engine.errors import SmaltiError
from smalti.server.store.admin.anonymising import Rewritten, Who, anonymised, silenced
from smalti.server.store.admin.opening import carry_over
from smalti.server.store.rows import rows_after
from smalti.server.store.schema import events, holders, matches, notices
from smalti.server.table.entries import OVER, Row


class Running(SmaltiError):
    """A game that is not over, whose people are still there."""


Rewrite = Callable[[Sequence[Row], bool], Rewritten]  # of a log, and whether its game is over


async def rewrite(engine: AsyncEngine, match: str, how: Rewrite) -> Rewritten | None:
    """Rewrite the past of a table in one transaction; nothing if there is no such table.

    The revision goes up first: from then on nobody else writes into this row.
    """
    async with engine.begin() as connection:
        row, chosen = matches.c, matches.c.id == match
        await connection.execute(sa.update(matches).where(chosen).values(revision=row.revision + 1))
        found = (await connection.execute(sa.select(row.stage, row.host).where(chosen))).first()
        if found is None:
            return None
        new = how(await rows_after(connection, match, 0), found.stage == OVER)
        if new.entries or new.people or found.host in new.replaced:
            await connection.run_sync(store_rewritten, match, found.host, new)
        else:
            await connection.rollback()
        return new


def store_rewritten(connection: Connection, match: str, host: str, new: Rewritten) -> None:
    """Store what became of a log, and of those who held its seats."""
    for entry in new.entries:
        chosen = sa.and_(events.c.match == match, events.c.n == entry.n)
        connection.execute(sa.update(events).where(chosen).values(body=entry.body))
    for holder in new.replaced:
        connection.execute(sa.delete(holders).where(holders.c.match == match, holders.c.holder == holder))
    for person in new.people if not new.keeps_seats else ():
        mine = (holders.c.match == match, holders.c.seat == person.seat, holders.c.holder == person.holder)
        connection.execute(sa.delete(holders).where(*mine))
    if host in new.replaced:
        connection.execute(sa.update(matches).where(matches.c.id == match).values(host=new.replaced[host]))


async def anonymise(engine: AsyncEngine, match: str, who: Who, force: bool = False) -> Rewritten | None:
    """Take people from a table; while its game runs only if forced, and then they keep their seats."""

    def how(entries: Sequence[Row], is_over: bool) -> Rewritten:
        if not is_over and not force:
            raise Running(f"{match} is still being played or gathers players")
        return anonymised(entries, who, keep_seats=not is_over)

    return await rewrite(engine, match, how)


async def anonymise_all(
    engine: AsyncEngine, names: Sequence[str], who: Who, force: bool
) -> tuple[dict[str, Rewritten], list[str]]:
    """Take people from tables; returns what was done, and where nothing was because the game is not over."""
    done: dict[str, Rewritten] = {}
    running = []
    for match in names:
        try:
            new = await anonymise(engine, match, who, force)
        except Running:
            running.append(match)
        else:
            done |= {match: new} if new else {}
    await carry_over(engine)
    return done, running


async def clear_words(engine: AsyncEngine, match: str, is_meant: Callable[[Row], bool]) -> Rewritten | None:
    """Take words from a table."""
    new = await rewrite(engine, match, lambda entries, is_over: silenced(entries, is_meant))
    await carry_over(engine)
    return new


async def delete_games(engine: AsyncEngine, names: Sequence[str]) -> list[str]:
    """Delete tables with everything about them, all in one transaction; returns those that were there."""
    async with engine.begin() as connection:
        chosen = sa.select(matches.c.id).where(matches.c.id.in_(names)).with_for_update()  # nobody adds to them now
        found = [row.id for row in await connection.execute(chosen)]
        for table in (events, holders):
            await connection.execute(sa.delete(table).where(table.c.match.in_(found)))
        await connection.execute(sa.delete(matches).where(matches.c.id.in_(found)))
    await carry_over(engine)
    return found


class Forgotten(NamedTuple):
    """What was known of a browser."""

    notices: int
    tables: list[str]


async def forget_browser(engine: AsyncEngine, holder: str) -> Forgotten:
    """Forget where a browser is told of its turns, and which seats it holds."""
    async with engine.begin() as connection:
        told = await connection.execute(sa.delete(notices).where(notices.c.holder == holder))
        rows = await connection.execute(sa.select(holders.c.match).where(holders.c.holder == holder).distinct())
        tables = sorted(row.match for row in rows)
        await connection.execute(sa.delete(holders).where(holders.c.holder == holder))
        bumped = sa.update(matches).where(matches.c.id.in_(tables)).values(revision=matches.c.revision + 1)
        await connection.execute(bumped)
    await carry_over(engine)
    return Forgotten(told.rowcount, tables)
