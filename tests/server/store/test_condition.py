"""Whether the database can be used is told truly: by the last write, by damage, and again when it is over."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from smalti.server.doors import health
from smalti.server.problems import Problem
from smalti.server.settings import database_url
from smalti.server.store import condition, database
from smalti.server.store.files import NotStored
from smalti.server.store.store import Store
from smalti.server.store.writer import Write
from tests.server.logs import facts, finished_table, rooms_on
from tests.server.programs import Postgres
from tests.server.site import PATIENCE


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database that does not wait for long, and is tried again soon."""
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    monkeypatch.setattr(condition, "TRY_AGAIN", 0.2)
    return tmp_path / "tables.sqlite"


async def not_written(store: Store) -> None:
    """Write in vain."""
    with pytest.raises(NotStored):
        await store.write(Write("", [], notes={"a": b"b"}))


def test_a_database_that_cannot_be_written_is_not_ready_until_it_can(file: Path) -> None:
    async def run() -> None:
        store = Store(database_url(f"sqlite:///{file}"))
        await store.start()
        part = health.untroubled(store.trouble)
        assert await part() == health.PartState(True)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await not_written(store)
            assert await part() == health.PartState(False, "it cannot be written")
            await asyncio.sleep(0.3)
            assert not (await part()).ready, "it was tried, in vain"
        await asyncio.sleep(0.3)
        assert (await part()).ready, "it was tried: nobody else writes"
        await store.stop()

    asyncio.run(run())


def test_what_nobody_writes_is_tried_after_a_while(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        store = Store(database_url(f"sqlite:///{file}"))
        await store.start()
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert await store.answers()
            monkeypatch.setattr(condition, "QUIET", 0.0)
            assert not await store.answers()
        await store.stop()

    asyncio.run(run())


def test_postgresql_that_takes_no_writes_is_not_ready(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(condition, "TRY_AGAIN", 0.0)
    url = postgres.new_database()

    async def read_only(state: str) -> None:
        await postgres.order(f"ALTER DATABASE {url.rpartition('/')[2]} SET default_transaction_read_only = {state}")

    async def run() -> None:
        store = Store(database_url(url))
        await store.start()
        await read_only("on")
        await store.engine.dispose()
        await not_written(store)
        assert await store.trouble() == "it cannot be written"
        await read_only("off")
        await store.engine.dispose()
        assert await store.trouble() == ""
        await store.stop()

    asyncio.run(run())


async def many_entries(url: str) -> None:
    """Fill a database with some games."""
    async with rooms_on(url) as rooms:
        for number in range(4):
            await finished_table(rooms, facts("patterns", 2, id=f"table{number}"), random.Random(number))


def damage(file: Path) -> None:
    """Overwrite the pages in which entries lie."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()
    with file.open("r+b") as pages:
        pages.seek((root - 1) * size)
        pages.write(os.urandom(size))


def test_damage_is_told_apart_from_silence(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    url = f"sqlite:///{file}"

    async def run() -> None:
        store = Store(database_url(url))
        await store.start()
        with pytest.raises(Problem) as problem:
            await store.entries("table0", 0)
        assert problem.value.reason == "table.damaged"
        assert "damaged" in await store.trouble()
        await store.write(Write("", [], notes={"a": b"b"}))
        assert "damaged" in await store.trouble(), "what can still be written does not mend it"
        await store.stop()

    asyncio.run(many_entries(url))
    damage(file)
    asyncio.run(run())
    told = [record for record in caplog.records if "damaged" in record.message]
    assert {record.levelname for record in told} == {"ERROR"}


def test_a_writer_that_keeps_failing_lets_nobody_wait(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(store: Store, batch: list[Write]) -> None:
        raise ZeroDivisionError

    async def run() -> None:
        store = Store(database_url(f"sqlite:///{file}"))
        await store.start()
        with monkeypatch.context() as broken:
            broken.setattr(Store, "attempt", fail)
            for _ in range(20):
                await not_written(store)
            assert not await store.answers()
        await store.write(Write("", [], notes={"a": b"b"}))
        assert await store.answers()
        await store.stop()

    asyncio.run(asyncio.wait_for(run(), PATIENCE))  # in vain if the writer has ended, or rests after each failure
    assert "ZeroDivisionError" in caplog.text
