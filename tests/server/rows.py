"""A database as it was at an earlier schema: real rows, written by the server of that time, and what they came to.

`tests/data/rows-0002.sql` is the dump of a SQLite file: thirty-one tables of all three games with every kind of entry
there was. `rows-0002.json` holds the cookies of its people and what that server told of each table. Nobody writes these
files anew: they are what somebody's database holds today.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from sqlalchemy.ext.asyncio import create_async_engine

from smalti.server.keys import holder_of
from smalti.server.settings import database_url
from smalti.server.store.migrations import config
from tests.server.site import ROOT, Browser, Message, Server

SCHEMA = "0002"
DUMP = ROOT / "tests" / "data" / f"rows-{SCHEMA}.sql"
TOLD: Message = json.loads((ROOT / "tests" / "data" / f"rows-{SCHEMA}.json").read_text(encoding="utf-8"))
TABLES: dict[str, Message] = TOLD["tables"]  # by a name that says what it is: what was told of it

Row = tuple[Any, ...]


def dump() -> str:
    """Return the rows; clocks that had ten seconds have hours, since a machine can be busy while they are looked at."""
    return DUMP.read_text(encoding="utf-8").replace('"seconds":10}', '"seconds":36000}')


def labels(stage: str) -> list[str]:
    """List the tables of a stage."""
    return [label for label, table in TABLES.items() if table["stage"] == stage]


def fill_sqlite(file: Path) -> None:
    """Make a file with these rows."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(dump())


def rows(query: str, *values: str) -> list[Row]:
    """Ask the rows themselves."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(dump())
        return connection.execute(query, values).fetchall()


def fill_postgres(url: str) -> None:
    """Fill an empty PostgreSQL database with these rows, in the schema they had."""
    asyncio.run(filled(url))


async def filled(url: str) -> None:
    engine = create_async_engine(database_url(url))
    async with engine.begin() as connection:
        await connection.run_sync(put_rows)
    await engine.dispose()


def put_rows(connection: sa.Connection) -> None:
    """Make the schema and copy every row."""
    found = config()
    found.attributes["connection"] = connection
    command.upgrade(found, SCHEMA)
    schema = sa.MetaData()
    schema.reflect(connection)
    for table in schema.sorted_tables:
        names = [column.name for column in table.columns]
        listed = ", ".join(f'"{name}"' for name in names)
        copied = [dict(zip(names, row, strict=True)) for row in rows(f"SELECT {listed} FROM {table.name}")]
        if table.name != "alembic_version" and copied:
            connection.execute(sa.insert(table), copied)


def people_of(label: str) -> list[str]:
    """List the people who made a table or have ever sat there."""
    match = TABLES[label]["id"]
    (host,) = rows("SELECT host FROM matches WHERE id = ?", match)
    sat = rows("SELECT body FROM events WHERE match = ? AND kind = 'sit'", match)
    there = {host[0], *(json.loads(body)["holder"] for (body,) in sat)}
    return [name for name, cookie in TOLD["cookies"].items() if holder_of(cookie) in there]


def browser_of(name: str, server: Server) -> Browser:
    """Return the browser of somebody who has played then."""
    return Browser(server, TOLD["cookies"][name])


def reader_of(label: str, server: Server) -> Browser:
    """Return a browser that belongs to a table; to an imported one nobody does."""
    return browser_of((people_of(label) or ["Ann"])[0], server)


def stays_listed(label: str) -> bool:
    """Say whether a finished game is for everybody: its table was open to the last, and two people have played it."""
    match = TABLES[label]["id"]
    doors = rows("SELECT kind, body FROM events WHERE match = ? AND kind IN ('list', 'play') ORDER BY n", match)
    lists = [json.loads(body)["listed"] for kind, body in takewhile(lambda row: row[0] == "list", doors)]
    sat = rows("SELECT body FROM events WHERE match = ? AND kind = 'sit'", match)
    people = {json.loads(body)["holder"] for (body,) in sat}
    return lists[-1:] == [True] and len(people) > 1
