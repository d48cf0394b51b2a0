"""Erasing: names, words and browsers are taken from logs that stay valid, and whole games from the database.

An entry keeps its number, kind and seat, so that the log leads to the same game. A name that is gone is null: whoever
shows the game says "seat 1" instead, in the reader's language. A browser that is gone becomes one that nobody has.
A SQLite file overwrites what it deletes (`prepare_sqlite`); what waits beside it to be carried over is carried over.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from smalti.engine.errors import SmaltiError, shown
from smalti.server.entries import OVER, Entry, decoded
from smalti.server.operations.opening import carry_over
from smalti.server.schema import events, holders, matches, notices
from smalti.server.seating import Sitting, seated
from smalti.server.store import entries_after

PEOPLE = ("sit", "name", "bot", "link", "lend", "return", "resign", "leave")  # entries that change who sits on a seat
NOT_JSON = ("play",)


class Who(NamedTuple):
    """Whom it is about: somebody of this name, or of this browser; with neither everybody."""

    name: str | None = None
    holder: str | None = None

    def __str__(self) -> str:
        """Return whom it is about, in words."""
        return shown(self.name) if self.name else f"the browser {self.holder[:8]}…" if self.holder else "everybody"

    @property
    def is_everybody(self) -> bool:
        """Whether nobody is singled out."""
        return self.name is None and self.holder is None

    def is_called(self, name: str | None) -> bool:
        """Say whether a name alone is theirs."""
        return name is not None and (name == self.name or self.is_everybody)


class Person(NamedTuple):
    """Somebody on a seat, as a log knows them."""

    seat: int
    holder: str


class Spoken(NamedTuple):
    """An entry with whoever held its seat before and after it."""

    entry: Entry
    before: Sitting
    after: Sitting

    @property
    def person(self) -> Person | None:
        """Who did it, or sat down by it."""
        holder = self.after.holder if self.entry.kind == "sit" else self.before.holder
        return Person(self.entry.seat, holder) if self.entry.seat is not None and holder else None


def followed(entries: Iterable[Entry]) -> list[Spoken]:
    """Go through a log without its game, and note who sat where."""
    seats: dict[int, Sitting] = defaultdict(Sitting)
    found = []
    for entry in entries:
        before = seats[entry.seat] if entry.seat is not None else Sitting()
        after = before
        if entry.seat is not None and entry.kind in PEOPLE:
            after = seats[entry.seat] = seated(before, entry.kind, decoded(entry))
        found.append(Spoken(entry, before, after))
    return found


def people_meant(log: Sequence[Spoken], who: Who) -> set[Person]:
    """Return the people of a log that are meant."""
    found = set()
    for spoken in log:
        person = spoken.person
        named = spoken.after.name if spoken.entry.kind in ("sit", "name") else None
        if person and (who.is_everybody or person.holder == who.holder or (named and named == who.name)):
            found.add(person)
    return found


def people_in(log: Sequence[Spoken]) -> set[Person]:
    """Return all people of a log."""
    return people_meant(log, Who())


# --- Entries without people


def changed(entry: Entry, **values: Any) -> Entry:
    """Return an entry that says something else."""
    return entry._replace(body=msgspec.json.encode({**decoded(entry), **values}).decode())


def nameless(entry: Entry) -> Entry:
    """Take the name from an entry."""
    return changed(entry, name=None) if decoded(entry).get("name") is not None else entry


def wordless(entry: Entry) -> Entry:
    """Take the words from something that was said; that something was said stays, because words are counted."""
    body = {name: value for name, value in decoded(entry).items() if name not in ("text", "phrase", "name", "cleared")}
    return entry._replace(body=msgspec.json.encode({**body, "cleared": True}).decode())


def without_names(entry: Entry, who: Who) -> Entry:
    """Take names from a record that was imported."""
    names = decoded(entry)["names"]
    kept = [None if who.is_called(name) else name for name in names]
    return entry if kept == names else changed(entry, names=kept)


def with_holders(entry: Entry, replaced: dict[str, str]) -> Entry:
    """Replace the browsers that an entry names."""
    if entry.kind in NOT_JSON:
        return entry
    body = decoded(entry)
    known = {name: replaced[value] for name, value in body.items() if isinstance(value, str) and value in replaced}
    return changed(entry, **known) if known else entry


def anonymous(spoken: Spoken, meant: set[Person], who: Who) -> Entry:
    """Return an entry without the names and words of those who are meant."""
    entry = spoken.entry
    if entry.kind == "record":
        return without_names(entry, who)
    if entry.kind in ("sit", "name"):
        return nameless(entry) if spoken.person in meant else entry
    if entry.kind != "say":
        return entry
    body = decoded(entry)
    is_onlooker_meant = entry.seat is None and (who.is_called(body.get("name")) or who.holder in body.values())
    return wordless(entry) if spoken.person in meant or is_onlooker_meant else entry


class Rewritten(NamedTuple):
    """What became of a log."""

    entries: list[Entry]  # that are new, in place of those of the same number
    people: list[Person]  # who are not in it any more
    replaced: dict[str, str]  # browsers that are meant with everything they have at this table
    keeps_seats: bool = False


def anonymised(entries: Sequence[Entry], who: Who, keep_seats: bool) -> Rewritten:
    """Take those who are meant from a log; with `keep_seats` their browsers may still act for them."""
    log = followed(entries)
    meant = people_meant(log, who)
    strangers = {person.holder: new_stranger() for person in meant} if not keep_seats else {}
    others = {person.holder for person in people_in(log) - meant}
    whole = {holder: stranger for holder, stranger in strangers.items() if holder not in others}
    if not keep_seats and who.holder:
        whole.setdefault(who.holder, new_stranger())  # an onlooker, or a host without a seat
    new = []
    for spoken in log:
        entry = anonymous(spoken, meant, who)
        new.append(with_holders(entry, strangers if spoken.person in meant else whole))
    kept = [entry for entry, old in zip(new, entries, strict=True) if entry != old]
    return Rewritten(kept, sorted(meant), whole, keep_seats)


def new_stranger() -> str:
    """Return what a browser would be known by whose secret nobody has."""
    return secrets.token_hex(32)


def silenced(entries: Sequence[Entry], is_meant: Callable[[Entry], bool]) -> Rewritten:
    """Take the words that are meant from a log."""
    said = [entry for entry in entries if entry.kind == "say" and is_meant(entry)]
    return Rewritten([new for new, old in zip(map(wordless, said), said, strict=True) if new != old], [], {})


# --- In the database


class Running(SmaltiError):
    """A game that is not over, whose people are still there."""


Rewrite = Callable[[Sequence[Entry], bool], Rewritten]  # of a log, and whether its game is over


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
        new = how(await entries_after(connection, match, 0), found.stage == OVER)
        if new.entries or new.people or found.host in new.replaced:
            await connection.run_sync(put_rewritten, match, found.host, new)
        else:
            await connection.rollback()
        return new


def put_rewritten(connection: Connection, match: str, host: str, new: Rewritten) -> None:
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

    def how(entries: Sequence[Entry], is_over: bool) -> Rewritten:
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


async def clear_words(engine: AsyncEngine, match: str, is_meant: Callable[[Entry], bool]) -> Rewritten | None:
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
