"""More than one process: PostgreSQL keeps the tables, Redis tells the others."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import smalti
from smalti.server.bus import RedisBus
from smalti.server.settings import database_url
from smalti.server.store.migrations import upgrade
from smalti.server.store.schema import metadata
from smalti.server.store.store import Store
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import HOLDER, facts, finished_table, rooms_on, told_to_all
from tests.server.programs import Postgres
from tests.server.site import PATIENCE, Page, Server, play


async def nothing_missed() -> None:
    """Nobody looks anything up here."""


def columns(connection: sa.Connection) -> dict[str, list[tuple[str, bool]]]:
    """Return the tables of a database with their columns."""
    looked = sa.inspect(connection)
    names = [name for name in looked.get_table_names() if name != "alembic_version"]
    return {name: [(column["name"], column["nullable"]) for column in looked.get_columns(name)] for name in names}


@pytest.mark.parametrize("kind", ["SQLite", "PostgreSQL"])
def test_the_migrations_lead_to_the_schema(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    postgres = kind == "PostgreSQL" and request.getfixturevalue("postgres")
    url = postgres.new_database() if postgres else f"sqlite:///{tmp_path}/tables.sqlite"

    async def run() -> dict[str, list[tuple[str, bool]]]:
        store = Store(database_url(url))
        for _ in range(2):  # a second time changes nothing
            async with store.engine.begin() as connection:
                await connection.run_sync(upgrade)
        async with store.engine.connect() as connection:
            found = await connection.run_sync(columns)
        await store.stop()
        return found

    wanted = {
        name: [(column.name, bool(column.nullable)) for column in table.columns]
        for name, table in metadata.tables.items()
    }
    assert asyncio.run(run()) == wanted


def test_postgresql_keeps_whole_games_byte_for_byte(postgres: Postgres) -> None:
    url = postgres.new_database()

    async def run() -> None:
        async with rooms_on(url) as rooms:
            for game in smalti.games.everyone():
                given = facts(game.name, game.seats[-1], id=game.name)
                room = await finished_table(rooms, given, random.Random(1))
                log = await rooms.store.log(game.name)
                assert log is not None
                assert log.facts == given
                assert told_to_all(log) == told_to_all(room.log)

    asyncio.run(run())


def together(serving: Serving, url: str, redis: str, **settings: str) -> list[Server]:
    """Start two servers on one database at the same moment."""
    servers = [serving(wait=False, SMALTI_DATABASE=url, SMALTI_REDIS=redis, **settings) for _ in range(2)]
    for server in servers:
        server.wait()
    return servers


def test_two_processes_tell_each_other_everything_in_order(
    serving: Serving, new_browser: NewBrowser, postgres: Postgres, redis: str
) -> None:
    url = postgres.new_database()
    asyncio.run(migrated(url))
    one, other = together(serving, url, redis)
    host, guest = new_browser(one), new_browser(other)
    table = host.make("mozaika", "Ann", "Bob", "link", listed=True, onlookers="all")
    assert table in [line["id"] for line in guest.get("/api/tables/open")["tables"]]
    mine = [host.open(table, 0), host.open(table, 1)]
    onlooker = guest.open(table)
    assert guest.claim(table, "Cem", host.keys(table)[2]).status_code == 200
    for page in mine:
        page.until(lambda state: bool(state["acting"]))
    pages = [*mine, guest.open(table, 2)]
    play(pages, random.Random(5))
    last = pages[0].state["n"]
    onlooker.until(lambda state: state["n"] == last)
    for page in (*pages, onlooker):
        assert_in_order(page)
    assert "table" in onlooker.newest
    assert guest.get("/api/tables/mine") == host.get("/api/tables/mine") == {"tables": [], "more": None}
    assert [line["id"] for line in guest.get("/api/tables/over?game=mozaika")["tables"]] == [table]
    assert guest.get(f"/api/tables/{table}/replay") == host.get(f"/api/tables/{table}/replay")
    record = guest.http.get(f"/api/tables/{table}/record").text
    assert smalti.verify(smalti.read(record)).is_over


async def migrated(url: str) -> None:
    """Bring a database up to date."""
    async with rooms_on(url):
        pass


def assert_in_order(page: Page) -> None:
    """Check that a page was never told something old after something new, and that nothing was left out."""
    states = [message for message in map(json.loads, page.told) if message["t"] == "state"]
    numbers = [state["n"] for state in states]
    assert numbers == sorted(numbers)
    told = {event["n"] for state in states for event in state["events"]}
    assert told == set(range(min(told), numbers[-1] + 1))


STARTING = """
import asyncio, sys
from smalti.server.settings import database_url
from smalti.server.store.store import Store

async def start():
    store = Store(database_url(sys.argv[1]))
    print("ready", flush=True)
    sys.stdin.readline()
    await store.start()
    await store.stop()

asyncio.run(start())
"""


def test_processes_can_start_together_on_an_empty_database(postgres: Postgres) -> None:
    words = [sys.executable, "-c", STARTING, postgres.new_database()]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    processes = [subprocess.Popen(words, text=True, **pipes) for _ in range(3)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    errors = [process.communicate()[1].splitlines()[-1:] for process in processes]
    assert errors == [[], [], []]


def test_a_name_that_postgresql_cannot_take_is_a_table_that_is_not_there(
    serving: Serving, new_browser: NewBrowser, postgres: Postgres
) -> None:
    guest = new_browser(serving(SMALTI_DATABASE=postgres.new_database()))
    for address in ("/api/tables/over?before=nan", "/api/tables/over?game=%00", "/api/tables/%00"):
        assert guest.http.get(address).status_code < 500, address
    page = guest.open(guest.make("patterns", "Ann", "Bob"), 0)
    answer = page.do("give G", id="\u0000")
    assert answer.get("reason") != "table.stored", "a text that cannot be stored is the sender's mistake"


def test_finished_games_are_listed_page_by_page_on_postgresql(postgres: Postgres) -> None:
    url = postgres.new_database()

    async def run() -> list[str]:
        async with rooms_on(url) as rooms:
            for number in range(5):
                await finished_table(rooms, facts("patterns", 2, id=f"over{number}"), random.Random(number))
            found: list[str] = []
            before = None
            while page := await rooms.store.ended_tables("patterns", before, 2, HOLDER):
                found += [name for name, _ in page]
                before = page[-1][1]
            assert await rooms.store.tables_of(facts("patterns", 2).host, 10) == []
            assert await rooms.store.ended_tables("mosaix", None, 2, HOLDER) == []
            return found

    assert asyncio.run(run()) == [f"over{number}" for number in (4, 3, 2, 1, 0)]


# --- Redis alone


def test_what_goes_wrong_with_one_table_does_not_stop_the_listening(redis: str) -> None:
    heard: list[str] = []

    async def run() -> None:
        arrived = asyncio.Event()

        async def hear(match: str) -> None:
            heard.append(match)
            if match == "broken":
                raise sa.exc.OperationalError("SELECT", {}, Exception("the connection was lost"))
            arrived.set()

        bus = RedisBus(redis)
        await bus.start(hear, nothing_missed)
        await bus.publish("broken")
        await bus.publish("whole")
        try:
            await asyncio.wait_for(arrived.wait(), PATIENCE)
        finally:
            await bus.stop()

    asyncio.run(run())
    assert heard == ["broken", "whole"]
