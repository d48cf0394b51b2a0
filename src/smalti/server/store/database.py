"""The database itself: SQLite or PostgreSQL, brought up to date at the start, read and changed by connections.

A database that does not answer is given up after seconds; what goes wrong with it is a problem with words.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from smalti.engine.errors import BadInput
from smalti.server.problems import Problem
from smalti.server.store.condition import Condition, one_line
from smalti.server.store.files import NotStored, make_private
from smalti.server.store.migrations import upgrade

logger = logging.getLogger(__name__)
BUSY_SECONDS = 5
UPGRADE_LOCK = 0x536D616C7469  # any number that nobody else locks
RETRY = 3  # seconds after which to ask a database again that does not answer
POLL = 0.5  # seconds between two looks whether another process has finished its upgrade
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


def prepare_sqlite(connection: Any, _: object) -> None:
    """Let readers and the writer not wait for each other, and sync every commit."""
    cursor = connection.cursor()
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


class Database:
    """A way to SQLite or PostgreSQL."""

    def __init__(self, url: str, patience: float = 5.0, wait: float = 0.0) -> None:
        self.url = sa.make_url(url)
        self.patience, self.wait = patience, wait  # seconds: for an answer, and for the database to come up at first
        self.condition = Condition()
        self.engine = self.new_engine()

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
            await asyncio.sleep(POLL)

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
                logger.warning("waiting for the database %s: %s", self.shown, one_line(error))
                await asyncio.sleep(1.0)

    @property
    def shown(self) -> str:
        """The address of the database, without its password."""
        return self.url.render_as_string(hide_password=True)

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
            logger.warning("the database does not answer: %s", one_line(error))
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
            logger.warning("the database cannot be changed: %s", one_line(error))
            self.condition.failed(error, begun)
            raise Problem("stored") from error
