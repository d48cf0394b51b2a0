"""Finding games for whoever runs the site: which there are, who played them, what was said."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from itertools import groupby

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import RowMapping
from sqlalchemy.ext.asyncio import AsyncEngine

from smalti.server.store.admin.anonymising import PEOPLE, Spoken, Who, decoded, followed, people_in
from smalti.server.store.schema import events, matches
from smalti.server.table.entries import Row
from smalti.server.table.seating import Sitting

BATCH = 200
NAMING = (*PEOPLE, "record", "say")  # kinds of entries in which people are named, and those between


class Place(msgspec.Struct):
    """A seat: who sits there, and what their browser is known by."""

    seat: int  # counted from 1, as the pages do
    kind: str
    name: str | None
    bot: str | None
    holder: str | None


class Words(msgspec.Struct):
    """Something that was said."""

    n: int
    seat: int | None
    name: str | None
    text: str


class Found(msgspec.Struct):
    """A game as whoever runs the site sees it."""

    id: str
    game: str
    stage: str
    made: float
    ended: float | None
    origin: str
    revision: int
    host: str
    places: list[Place]
    words: list[Words]
    names: list[str]  # all that were ever used at the table
    holders: list[str]  # browsers that the log knows


async def find_games(engine: AsyncEngine, name: str | None = None, before: float | None = None) -> AsyncIterator[Found]:
    """Find the games in which a name has this in it, and that were made before a time; the oldest first."""
    query = sa.select(matches).order_by(matches.c.made, matches.c.id)
    if before is not None:
        query = query.where(matches.c.made < before)
    async with engine.connect() as connection:
        rows = list((await connection.execute(query)).mappings())
    for start in range(0, len(rows), BATCH):
        for found in await described(engine, rows[start : start + BATCH]):
            if name is None or any(name.casefold() in one.casefold() for one in found.names):
                yield found


async def tables_of(engine: AsyncEngine, who: Who) -> list[str]:
    """List the tables that somebody was at: called exactly so, or with this browser."""
    return [
        found.id
        async for found in find_games(engine, who.name)
        if (who.name in found.names if who.name else who.holder in found.holders)
    ]


async def find_game(engine: AsyncEngine, match: str) -> Found | None:
    """Return one game."""
    async with engine.connect() as connection:
        row = (await connection.execute(sa.select(matches).where(matches.c.id == match))).mappings().first()
    return (await described(engine, [row]))[0] if row else None


async def described(engine: AsyncEngine, rows: Sequence[RowMapping]) -> list[Found]:
    """Describe games by their rows and what their logs say of people."""
    columns = [events.c[name] for name in ("match", *Row._fields)]
    chosen = sa.and_(events.c.match.in_([row["id"] for row in rows]), events.c.kind.in_(NAMING))
    query = sa.select(*columns).where(chosen).order_by(events.c.match, events.c.n)
    async with engine.connect() as connection:
        lines = list(await connection.execute(query))
    logs = {match: [Row(*line[1:]) for line in group] for match, group in groupby(lines, lambda line: line.match)}
    return [found_in(row, followed(logs.get(row["id"], []))) for row in rows]


def found_in(row: RowMapping, log: Sequence[Spoken]) -> Found:
    """Describe a game."""
    sittings = sittings_of(log, row["seats"])
    places = [Place(seat, one.kind, one.name, one.bot, one.holder) for seat, one in enumerate(sittings, 1)]
    same = {name: row[name] for name in ("id", "game", "stage", "made", "ended", "origin", "revision", "host")}
    return Found(
        **same, places=places, words=words_of(log), names=sorted(names_of(log)), holders=holders_of(log, row["host"])
    )


def sittings_of(log: Sequence[Spoken], seats: int) -> list[Sitting]:
    """Return who sits on each seat in the end."""
    found = [Sitting()] * seats
    for spoken in log:
        if spoken.entry.kind == "record":
            body = decoded(spoken.entry)
            people = zip(body["names"], body["bots"], strict=True)
            found = [Sitting("bot" if bot else "person", name, bot) for name, bot in people]
        elif spoken.entry.seat is not None:
            found[spoken.entry.seat] = spoken.after
    return found


def words_of(log: Sequence[Spoken]) -> list[Words]:
    """List what was said in words or phrases."""
    found = []
    for entry in (spoken.entry for spoken in log if spoken.entry.kind == "say"):
        body, seat = decoded(entry), None if entry.seat is None else entry.seat + 1
        text = body.get("text") or body.get("phrase") or ""
        if text:
            found.append(Words(entry.n, seat, body.get("name"), text))
    return found


def holders_of(log: Sequence[Spoken], host: str) -> list[str]:
    """Return the browsers that a table knows: who ever sat there, and who made it."""
    return sorted({person.holder for person in people_in(log)} | ({host} if host else set()))


def names_of(log: Sequence[Spoken]) -> set[str]:
    """Return all names that were ever used."""
    bodies = [decoded(spoken.entry) for spoken in log if spoken.entry.kind in ("sit", "name", "say", "record")]
    given = [name for body in bodies for name in (body.get("name"), *body.get("names", ()))]
    return {name for name in given if name}
