"""Writing: one writer commits whatever has gathered in one transaction (group commit).

Stored means durable: SQLite syncs every commit (WAL, `synchronous=FULL`), PostgreSQL does by itself. Whether a write
that was given up came through after all shows with the next one, which then conflicts.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from smalti.engine.errors import SmaltiError
from smalti.server.problems import Problem
from smalti.server.store import database
from smalti.server.store.condition import one_line
from smalti.server.store.database import DATABASE_ERRORS, Database, prepare_sqlite
from smalti.server.store.files import NotStored
from smalti.server.store.schema import events, holders, kept, matches
from smalti.server.table.entries import Entry, Row
from smalti.server.tasks import ended, supervised
from smalti.server.telemetry.metrics import Metrics

logger = logging.getLogger(__name__)
BATCH = 200  # writes in one transaction
TRIED = "tried"  # the name of what is written for whoever asks whether that works


class Conflict(SmaltiError):
    """Somebody else has stored an entry with this number first (optimistic concurrency): catch up and try again."""


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
        return [{"match": self.match, **entry.row()._asdict()} for entry in self.entries]

    @property
    def lines(self) -> list[tuple[Any, ...]]:
        """The entries as rows without the names of columns."""
        return [(self.match, *entry.row()) for entry in self.entries]


class Writer(Database):
    """A database with a queue of what is to be written."""

    def __init__(self, url: str, patience: float = 5.0, wait: float = 0.0, metrics: Metrics | None = None) -> None:
        super().__init__(url, patience, wait)
        self.metrics = metrics or Metrics()
        self.writing = self.new_writer()
        self.waiting: asyncio.Queue[Write] = asyncio.Queue()
        self.writer: asyncio.Task[None] | None = None

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
            raise NotStored(f"the database {self.shown} cannot be opened: {one_line(error)}") from error
        except BaseException:  # whoever breaks the start off as well
            await self.close()
            raise
        self.writer = supervised("writer", self.write_forever)

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
                settle(batch, NotStored(f"it could not be stored: {one_line(error)}"))
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
                await self.writing.write(batch)
            else:
                async with asyncio.timeout(self.patience), self.engine.begin() as connection:
                    await connection.run_sync(write_batch, batch)
        except IntegrityError:
            self.condition.worked(begun)
            return Conflict("somebody else was first")
        except DATABASE_ERRORS as error:
            self.condition.failed(error, begun)
            problem = NotStored(f"it could not be stored: {one_line(error)}")
            if isinstance(error, TimeoutError):
                self.refuse_all(problem)
            return problem
        self.condition.worked(begun)
        return None

    # --- Whether it works

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
            return self.condition.summary or problem.sentence
        is_writing = self.writer is not None and not self.writer.done()
        return self.condition.summary if is_writing else "nobody writes"

    async def try_to_write(self) -> None:
        """Write something that nobody reads, because whoever watches wants to know whether that works."""
        self.condition.trying()
        with suppress(Conflict, NotStored):
            await self.write(Write("", [], notes={TRIED: str(time.time()).encode()}))

    async def can_write(self) -> bool:
        """Try to write, and say whether that works."""
        await self.try_to_write()
        return not self.condition.trouble


def settle(batch: Sequence[Write], problem: SmaltiError | None) -> None:
    """Tell those who wait how it went."""
    for write in batch:
        if not write.done.done():
            write.done.set_exception(problem) if problem else write.done.set_result(None)


class FileWriter:
    """Writes a SQLite file in a thread of its own: one step to it and back for everything that has gathered."""

    def __init__(self, url: sa.URL) -> None:
        settings = {"timeout": database.BUSY_SECONDS, "check_same_thread": False}
        self.engine = sa.create_engine(url, connect_args=settings, hide_parameters=True)
        sa.event.listen(self.engine, "connect", prepare_sqlite)
        self.thread = ThreadPoolExecutor(1, "writer")

    async def write(self, batch: list[Write]) -> None:
        """Store a batch in one transaction."""
        await asyncio.get_running_loop().run_in_executor(self.thread, self.write_now, batch)

    def write_now(self, batch: list[Write]) -> None:
        """Store a batch in one transaction, in the thread."""
        with self.engine.begin() as connection:
            write_batch(connection, batch, insert_entries_as_json)

    def stop(self) -> None:
        """Close the file."""
        self.thread.shutdown()
        self.engine.dispose()


def insert_entries(connection: Connection, batch: list[Write]) -> None:
    """Store the entries of a batch."""
    rows = [row for write in batch for row in write.rows]
    if rows:
        connection.execute(sa.insert(events), rows)


def insert_entries_as_json(connection: Connection, batch: list[Write]) -> None:
    """Store the entries of a batch in a SQLite file by one statement.

    A statement for each row would wait for the interpreter's lock each time, while the event loop is busy.
    """
    lines = [line for write in batch for line in write.lines]
    connection.exec_driver_sql(NEW_EVENTS, (msgspec.json.encode(lines).decode(),))


NEW_EVENTS = f"""INSERT INTO events ({", ".join(f'"{name}"' for name in ("match", *Row._fields))})
SELECT {", ".join(f"json_extract(value, '$[{place}]')" for place in range(1 + len(Row._fields)))} FROM json_each(?)"""


def write_batch(
    connection: Connection, batch: list[Write], entries: Callable[[Connection, list[Write]], None] = insert_entries
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
            set_holders(connection, write.match, seat, people)
        for name, value in write.notes.items():
            set_site_value(connection, name, value)


def set_holders(connection: Connection, match: str, seat: int, people: frozenset[str]) -> None:
    """Note who holds a seat now, or may take it again."""
    connection.execute(sa.delete(holders).where(holders.c.match == match, holders.c.seat == seat))
    if people:
        rows = [{"match": match, "seat": seat, "holder": holder} for holder in sorted(people)]
        connection.execute(sa.insert(holders), rows)


def set_site_value(connection: Connection, name: str, value: bytes) -> None:
    """Keep a value of the whole site in place of the one before."""
    if not connection.execute(sa.update(kept).where(kept.c.name == name).values(value=value)).rowcount:
        connection.execute(sa.insert(kept).values(name=name, value=value))
