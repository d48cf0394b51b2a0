"""The store: logs in a database, written by one writer that commits whatever has gathered in one transaction.

Stored means durable: SQLite syncs every commit (WAL, `synchronous=FULL`), PostgreSQL does by itself. A database that
does not answer is given up after seconds: a write is refused, a read is a problem with words. Whether a write that was
given up came through after all shows with the next one, which then conflicts.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from smalti.engine.errors import BadInput, SmaltiError
from smalti.server.condition import Condition
from smalti.server.condition import told as told
from smalti.server.entries import Entry, Facts
from smalti.server.files import NotStored as NotStored
from smalti.server.files import make_private
from smalti.server.log import Log
from smalti.server.migrations import upgrade
from smalti.server.operations.metrics import Metrics
from smalti.server.problems import Problem
from smalti.server.replaying import extend
from smalti.server.schema import events, holders, kept, matches
from smalti.server.tasks import ended, supervised
from smalti.server.terms import Terms

logger = logging.getLogger(__name__)
BUSY_SECONDS = 5
BATCH = 200  # writes in one transaction
MANY = 500  # tables in one question
UPGRADE_LOCK = 0x536D616C7469  # any number that nobody else locks
RETRY = 3  # seconds after which to ask a database again that does not answer
GLANCE = 0.5  # seconds between two looks whether another process has finished its upgrade
TRIED = "tried"  # the name of what is written for whoever asks whether that works
STARTING = ("57P03", "53300")  # what PostgreSQL says while it starts or has no connection left


def database_errors() -> tuple[type[Exception], ...]:
    """List what a database or the way to it can fail with; asyncpg, an extra, has errors of its own."""
    found: tuple[type[Exception], ...] = (SQLAlchemyError, OSError, TimeoutError)
    try:
        import asyncpg  # type: ignore[import-untyped]
    except ModuleNotFoundError:
        return found
    return (*found, asyncpg.PostgresError, asyncpg.InterfaceError)


DATABASE_ERRORS = database_errors()


class Conflict(SmaltiError):
    """Somebody else has stored an entry with this number first."""


@dataclass
class Write:
    """What belongs together: stored all of it or nothing."""

    match: str
    entries: list[Entry]
    made: dict[str, Any] | None = None  # the row of a new table
    changes: dict[str, Any] = field(default_factory=dict)  # of the row
    held: dict[int, frozenset[str]] = field(default_factory=dict)  # by seat: the new holder, and who lent it
    notes: dict[str, bytes] = field(default_factory=dict)  # values of the whole site, by name
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The entries as rows."""
        return [{"match": self.match, **entry._asdict()} for entry in self.entries]

    @property
    def lines(self) -> list[tuple[Any, ...]]:
        """The same without names."""
        return [(self.match, *entry) for entry in self.entries]


class Newest(NamedTuple):
    """How far a table's log goes in the database, and how often its rows were changed from outside."""

    n: int
    revision: int


class Store:
    """Logs, kept."""

    def __init__(self, url: str, patience: float = 5.0, wait: float = 0.0, metrics: Metrics | None = None) -> None:
        self.url, self.metrics = sa.make_url(url), metrics or Metrics()
        self.patience, self.wait = patience, wait  # seconds: for an answer, and for the database to come up at first
        self.condition = Condition()
        self.engine = self.new_engine()
        self.writing = self.new_writer()
        self.waiting: asyncio.Queue[Write] = asyncio.Queue()
        self.writer: asyncio.Task[None] | None = None

    @property
    def is_file(self) -> bool:
        """Whether it is SQLite."""
        return self.url.get_backend_name() == "sqlite"

    def new_engine(self) -> AsyncEngine:
        """Open the database; SQLite gets its folder and its settings."""
        if not self.is_file:
            return self.way(command_timeout=self.patience)
        if self.url.database:
            make_private(Path(self.url.database))
        engine = create_async_engine(self.url, connect_args={"timeout": BUSY_SECONDS}, hide_parameters=True)
        sa.event.listen(engine.sync_engine, "connect", prepare_sqlite)
        return engine

    def way(self, **limits: float) -> AsyncEngine:
        """Return a way to PostgreSQL, with limits in seconds besides those for getting a connection."""
        try:
            return create_async_engine(
                self.url,
                pool_size=5,
                pool_pre_ping=True,
                pool_timeout=self.patience,
                connect_args={"timeout": self.patience, **limits},
                hide_parameters=True,
            )
        except ModuleNotFoundError:
            raise BadInput("PostgreSQL needs more: pip install 'smalti[grown]'") from None

    def new_writer(self) -> FileWriter | None:
        """Return the writer of a SQLite file, which has a thread of its own."""
        return FileWriter(self.url.set(drivername="sqlite")) if self.is_file else None

    async def start(self) -> None:
        """Bring the database up to date and begin to write."""
        try:
            await self.wait_for_it()
            await self.bring_up_to_date()
        except DATABASE_ERRORS as error:
            await self.close()
            raise NotStored(f"the database {self.shown} cannot be opened: {told(error)}") from error
        except BaseException:  # whoever breaks the start off as well
            await self.close()
            raise
        self.writer = supervised("writer", self.write_forever)

    async def bring_up_to_date(self) -> None:
        """Upgrade the schema, however long that takes; processes that start together go one after the other."""
        engine = self.engine if self.is_file else self.way()
        try:
            async with engine.begin() as connection:
                await self.wait_for_others(connection)
                await connection.run_sync(upgrade)
        finally:
            if engine is not self.engine:
                await engine.dispose()

    async def wait_for_others(self, connection: AsyncConnection) -> None:
        """Wait until no other process upgrades the schema, and keep them from it."""
        if self.is_file:
            return
        end, is_told = asyncio.get_running_loop().time() + max(self.wait, self.patience), False
        while not await connection.scalar(sa.select(sa.func.pg_try_advisory_xact_lock(UPGRADE_LOCK))):
            if asyncio.get_running_loop().time() >= end:
                raise NotStored(f"another process has been upgrading {self.shown} for too long; SMALTI_WAIT_SECONDS")
            if not is_told:
                logger.info("waiting for another process that upgrades the database")
            is_told = True
            await asyncio.sleep(GLANCE)

    async def wait_for_it(self) -> None:
        """Wait for a database that is not up yet."""
        end = asyncio.get_running_loop().time() + self.wait
        while not self.is_file:
            try:
                async with asyncio.timeout(self.patience), self.engine.connect():
                    return
            except DATABASE_ERRORS as error:
                is_starting = isinstance(error, (OSError, TimeoutError)) or getattr(error, "sqlstate", "") in STARTING
                if not is_starting or asyncio.get_running_loop().time() >= end:
                    raise
                logger.warning("waiting for the database %s: %s", self.shown, told(error))
                await asyncio.sleep(1.0)

    @property
    def shown(self) -> str:
        """The address of the database, without its password."""
        return self.url.render_as_string(hide_password=True)

    async def stop(self) -> None:
        """Write what is left and close."""
        if self.writer and not self.writer.done():
            await self.waiting.join()
        await ended(self.writer)
        await self.close()

    async def close(self) -> None:
        """Let go of the database."""
        if self.writing:
            self.writing.stop()
        await self.engine.dispose()

    # --- Writing

    async def write(self, write: Write) -> None:
        """Store something; returns when it is durable, raises `Conflict` or `NotStored` if it is not there."""
        self.waiting.put_nowait(write)
        await write.done

    async def write_forever(self) -> None:
        """Take what has gathered, store it in one transaction, and again."""
        while True:
            batch = [await self.waiting.get()]
            while not self.waiting.empty() and len(batch) < BATCH:
                batch.append(self.waiting.get_nowait())
            try:
                with self.metrics.writing(len(batch)):
                    await self.store(batch)
            except Exception as error:  # whatever it is, nobody may wait for ever, nor the next ones for a new writer
                logger.exception("%d writes could not be stored", len(batch))
                self.condition.failed(error, time.monotonic())
                settle(batch, NotStored(f"it could not be stored: {told(error)}"))
            finally:
                for _ in batch:
                    self.waiting.task_done()

    def refuse_all(self, problem: SmaltiError) -> None:
        """Refuse what has gathered while the database did not answer: everybody has waited for long enough."""
        while not self.waiting.empty():
            settle([self.waiting.get_nowait()], problem)
            self.waiting.task_done()

    async def store(self, batch: list[Write]) -> None:
        """Store a batch; if somebody else was first with one of it, each gets a transaction of its own."""
        problem = await self.attempt(batch)
        if isinstance(problem, Conflict) and len(batch) > 1:
            for write in batch:
                await self.store([write])
        else:
            settle(batch, problem)

    async def attempt(self, batch: list[Write]) -> SmaltiError | None:
        """Store all of a batch or nothing, and say what was wrong."""
        begun = time.monotonic()
        try:
            if self.writing:
                await self.writing.put(batch)
            else:
                async with asyncio.timeout(self.patience), self.engine.begin() as connection:
                    await connection.run_sync(put, batch)
        except IntegrityError:
            self.condition.worked(begun)
            return Conflict("somebody else was first")
        except DATABASE_ERRORS as error:
            self.condition.failed(error, begun)
            problem = NotStored(f"it could not be stored: {told(error)}")
            if isinstance(error, TimeoutError):
                self.refuse_all(problem)
            return problem
        self.condition.worked(begun)
        return None

    # --- Reading

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Return a connection to read by; what goes wrong with it, or takes too long, is a problem with words."""
        try:
            async with asyncio.timeout(self.patience), self.engine.connect() as connection:
                yield connection
        except DATABASE_ERRORS as error:
            if self.condition.suffered(error):
                raise Problem("damaged") from error
            logger.warning("the database does not answer: %s", told(error))
            raise Problem("away", seconds=RETRY) from error

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[AsyncConnection]:
        """Return a connection to change by what belongs to no log; what goes wrong with it is a problem with words."""
        begun = time.monotonic()
        try:
            async with asyncio.timeout(self.patience), self.engine.begin() as connection:
                yield connection
            self.condition.worked(begun)
        except IntegrityError:
            raise
        except DATABASE_ERRORS as error:
            logger.warning("the database cannot be changed: %s", told(error))
            self.condition.failed(error, begun)
            raise Problem("stored") from error

    async def answers(self) -> bool:
        """Say whether the database can be read and written."""
        return not await self.trouble()

    async def trouble(self) -> str:
        """Say what is wrong with the database, by the last write if there was one lately; nothing if all is well."""
        try:
            async with self.reading() as connection:
                await connection.execute(sa.select(kept.c.name).limit(1))
            if self.condition.is_due:
                await self.try_to_write()
        except Problem as problem:
            return self.condition.told or problem.sentence
        is_writing = self.writer is not None and not self.writer.done()
        return self.condition.told if is_writing else "nobody writes"

    async def try_to_write(self) -> None:
        """Write something that nobody reads, because whoever watches wants to know whether that works."""
        self.condition.trying()
        with suppress(Conflict, NotStored):
            await self.write(Write("", [], notes={TRIED: str(time.time()).encode()}))

    async def can_write(self) -> bool:
        """Try to write, and say whether that works."""
        await self.try_to_write()
        return not self.condition.trouble

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


def prepare_sqlite(connection: Any, _: object) -> None:
    """Let readers and the writer not wait for each other, and sync every commit."""
    cursor = connection.cursor()
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def settle(batch: Sequence[Write], problem: SmaltiError | None) -> None:
    """Tell those who wait how it went."""
    for write in batch:
        if not write.done.done():
            write.done.set_exception(problem) if problem else write.done.set_result(None)


class FileWriter:
    """Writes a SQLite file in a thread of its own: one step to it and back for everything that has gathered."""

    def __init__(self, url: sa.URL) -> None:
        settings = {"timeout": BUSY_SECONDS, "check_same_thread": False}
        self.engine = sa.create_engine(url, connect_args=settings, hide_parameters=True)
        sa.event.listen(self.engine, "connect", prepare_sqlite)
        self.thread = ThreadPoolExecutor(1, "writer")

    async def put(self, batch: list[Write]) -> None:
        """Store a batch in one transaction."""
        await asyncio.get_running_loop().run_in_executor(self.thread, self.put_now, batch)

    def put_now(self, batch: list[Write]) -> None:
        """Store a batch in one transaction, in the thread."""
        with self.engine.begin() as connection:
            put(connection, batch, put_entries_at_once)

    def stop(self) -> None:
        """Close the file."""
        self.thread.shutdown()
        self.engine.dispose()


def put_entries(connection: Connection, batch: list[Write]) -> None:
    """Store the entries of a batch."""
    rows = [row for write in batch for row in write.rows]
    if rows:
        connection.execute(sa.insert(events), rows)


def put_entries_at_once(connection: Connection, batch: list[Write]) -> None:
    """Store the entries of a batch in a SQLite file by one statement.

    A statement for each row would wait for the interpreter's lock each time, while the event loop is busy.
    """
    lines = [line for write in batch for line in write.lines]
    connection.exec_driver_sql(NEW_EVENTS, (msgspec.json.encode(lines).decode(),))


NEW_EVENTS = f"""INSERT INTO events ({", ".join(f'"{name}"' for name in ("match", *Entry._fields))})
SELECT {", ".join(f"json_extract(value, '$[{place}]')" for place in range(1 + len(Entry._fields)))} FROM json_each(?)"""


def put(
    connection: Connection, batch: list[Write], entries: Callable[[Connection, list[Write]], None] = put_entries
) -> None:
    """Store new tables, then all entries, then what lists are chosen by."""
    made = [write.made for write in batch if write.made]
    if made:
        connection.execute(sa.insert(matches), made)
    entries(connection, batch)
    for write in batch:
        if write.changes:
            connection.execute(sa.update(matches).where(matches.c.id == write.match).values(write.changes))
        for seat, people in write.held.items():
            hold(connection, write.match, seat, people)
        for name, value in write.notes.items():
            note(connection, name, value)


def hold(connection: Connection, match: str, seat: int, people: frozenset[str]) -> None:
    """Note who holds a seat now, or may take it again."""
    connection.execute(sa.delete(holders).where(holders.c.match == match, holders.c.seat == seat))
    if people:
        rows = [{"match": match, "seat": seat, "holder": holder} for holder in sorted(people)]
        connection.execute(sa.insert(holders), rows)


def note(connection: Connection, name: str, value: bytes) -> None:
    """Keep a value of the whole site in place of the one before."""
    if not connection.execute(sa.update(kept).where(kept.c.name == name).values(value=value)).rowcount:
        connection.execute(sa.insert(kept).values(name=name, value=value))


async def entries_after(connection: AsyncConnection, match: str, after: int) -> list[Entry]:
    """Read the entries of a log after a number."""
    chosen = sa.and_(events.c.match == match, events.c.n > after)
    query = sa.select(events.c.n, events.c.at, events.c.kind, events.c.seat, events.c.body, events.c.id)
    return [Entry(*row) for row in await connection.execute(query.where(chosen).order_by(events.c.n))]


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
