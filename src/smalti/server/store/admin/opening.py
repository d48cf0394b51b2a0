"""Opening the database of a site from outside, whether its server runs or not."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine as AsyncEngine
from sqlalchemy.ext.asyncio import create_async_engine

from smalti.engine.errors import BadInput, shown
from smalti.server.store.condition import one_line
from smalti.server.store.database import DATABASE_ERRORS, prepare_sqlite
from smalti.server.store.files import NotStored

logger = logging.getLogger(__name__)
PATIENCE = 20  # seconds to wait for a server that is writing


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[AsyncEngine]:
    """Open a database that is there and up to date; whatever goes wrong with it is told in one sentence."""
    url = sa.make_url(address)
    engine = new_engine(url)
    try:
        await check(engine)
        yield engine
    except DATABASE_ERRORS as error:
        raise NotStored(f"the database {url.render_as_string(hide_password=True)}: {one_line(error)}") from error
    finally:
        await engine.dispose()


def new_engine(url: sa.URL) -> AsyncEngine:
    """Return the way to a database; a file that is not there is not made."""
    if url.get_backend_name() != "sqlite":
        try:
            return create_async_engine(url, hide_parameters=True)
        except ModuleNotFoundError:
            raise BadInput("PostgreSQL needs more: pip install 'smalti[grown]'") from None
    if not url.database or not Path(url.database).is_file():
        raise BadInput(f"there is no database {shown(url.database or '')}")
    engine = create_async_engine(url, connect_args={"timeout": PATIENCE}, hide_parameters=True)
    sa.event.listen(engine.sync_engine, "connect", prepare_sqlite)
    return engine


async def check(engine: AsyncEngine) -> None:
    """Refuse a database with the schema of another version."""
    async with engine.connect() as connection:
        if not await connection.run_sync(is_ours):
            raise BadInput("the database is not of this version of Smalti; starting its server brings it up to date")


def is_ours(connection: Connection) -> bool:
    """Say whether a database has the tables we know."""
    found = sa.inspect(connection)
    return found.has_table("matches") and any(column["name"] == "revision" for column in found.get_columns("matches"))


async def carry_over(engine: AsyncEngine) -> None:
    """Empty the file beside a SQLite database in which what was written last, and what was erased, still stands."""
    if engine.dialect.name != "sqlite":
        return
    async with engine.connect() as connection:
        row = (await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")).first()
    if row and row[0]:
        logger.warning("the database is busy; what was erased stays in the file beside it until it is carried over")
