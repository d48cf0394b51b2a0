"""The store: logs of tables, read and written, and the lists that pages and services choose tables by."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import sqlalchemy as sa

from smalti.server.store.replay import extend
from smalti.server.store.rows import entries_after, facts_of, row_of
from smalti.server.store.schema import events, holders, matches
from smalti.server.store.writer import Writer
from smalti.server.table.entries import Entry, Facts
from smalti.server.table.log import Log

MANY = 500  # tables in one question


class Newest(NamedTuple):
    """How far a table's log goes in the database, and how often its rows were changed from outside."""

    n: int
    revision: int


class Store(Writer):
    """Logs, kept."""

    async def newest(self, names: Iterable[str]) -> dict[str, Newest]:
        """Say how far the logs of tables go; those that are not there any more are left out."""
        wanted, found = list(names), dict[str, Newest]()
        last = sa.select(sa.func.max(events.c.n)).where(events.c.match == matches.c.id).scalar_subquery()
        query = sa.select(matches.c.id, sa.func.coalesce(last, 0), matches.c.revision)
        async with self.reading() as connection:
            for first in range(0, len(wanted), MANY):
                rows = await connection.execute(query.where(matches.c.id.in_(wanted[first : first + MANY])))
                found |= {row[0]: Newest(row[1], row[2]) for row in rows}
        return found

    async def log(self, match: str, check: Callable[[str], None] = lambda game: None) -> Log | None:
        """Return a table's log, replayed if its game passes a check; None if there is no such table."""
        async with self.reading() as connection:
            row = (await connection.execute(sa.select(matches).where(matches.c.id == match))).mappings().first()
            if row is None:
                return None
            check(row["game"])
            found = await entries_after(connection, match, 0)
        log = Log(facts_of(row))
        await extend(log, found)
        return log

    async def entries(self, match: str, after: int) -> list[Entry]:
        """Return the entries of a log after a number."""
        async with self.reading() as connection:
            return await entries_after(connection, match, after)

    async def lobby_tables(self, stage: str, limit: int) -> list[str]:
        """List the tables of a stage that the lobby shows, the newest first."""
        chosen = sa.and_(matches.c.stage == stage, matches.c.listed.is_(True))
        return await self.names(sa.select(matches.c.id).where(chosen).order_by(matches.c.made.desc()).limit(limit))

    async def tables_of(self, holder: str, limit: int) -> list[str]:
        """List the tables of a browser that are not over, the newest first."""
        mine = sa.select(holders.c.match).where(holders.c.holder == holder)
        query = sa.select(matches.c.id).where(matches.c.id.in_(mine), matches.c.stage != "over")
        return await self.names(query.order_by(matches.c.made.desc()).limit(limit))

    async def due_tables(self, at: float, limit: int) -> list[str]:
        """List the tables where a clock has run out by then, the longest ago first."""
        chosen = sa.and_(matches.c.stage == "playing", matches.c.due <= at)
        return await self.names(sa.select(matches.c.id).where(chosen).order_by(matches.c.due).limit(limit))

    async def ended_tables(
        self, game: str | None, before: float | None, limit: int, holder: str | None
    ) -> list[tuple[str, float]]:
        """List the finished games that everybody may find, and a browser's own, the newest first, with their ends."""
        query = sa.select(matches.c.id, matches.c.ended).where(matches.c.stage == "over", matches.c.origin != "import")
        if game:
            query = query.where(matches.c.game == game)
        if before is not None:
            query = query.where(matches.c.ended < before)
        mine = sa.select(holders.c.match).where(holders.c.holder == holder)
        chosen = [matches.c.finders == "all", *([matches.c.id.in_(mine)] if holder else [])]
        found = dict[str, float]()
        async with self.reading() as connection:
            for some in chosen:  # one after the other, so that each goes by an index
                rows = await connection.execute(query.where(some).order_by(matches.c.ended.desc()).limit(limit))
                found |= {row.id: row.ended for row in rows}
        return sorted(found.items(), key=lambda line: line[1], reverse=True)[:limit]

    async def dealt_tables(self, facts: Facts, holder: str, limit: int) -> list[str]:
        """List the finished tables with the same deal as another one, the newest first, that a browser may find."""
        mine = matches.c.id.in_(sa.select(holders.c.match).where(holders.c.holder == holder))
        found = sa.or_(matches.c.finders != "players", mine)
        query = sa.select(matches.c.id).where(*same_deal(facts), matches.c.stage == "over", found)
        return await self.names(query.order_by(matches.c.ended.desc()).limit(limit))

    async def is_playing_deal(self, facts: Facts, holder: str) -> bool:
        """Say whether a browser sits at a table with the same deal as another one that is not over."""
        mine = sa.select(holders.c.match).where(holders.c.holder == holder)
        query = sa.select(matches.c.id).where(*same_deal(facts), matches.c.stage != "over", matches.c.id.in_(mine))
        return bool(await self.names(query.limit(1)))

    async def names(self, query: sa.Select[Any]) -> list[str]:
        """Return the names a query finds."""
        async with self.reading() as connection:
            return [row.id for row in await connection.execute(query)]


def same_deal(facts: Facts) -> list[sa.ColumnElement[bool]]:
    """Return the conditions for having the same deal as a table."""
    row = row_of(facts, False)
    return [matches.c[name] == row[name] for name in ("code", "game", "seats", "options")]
