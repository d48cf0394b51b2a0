"""Databases of an earlier schema: every table is read, running games go on, finished ones replay, nothing is lost."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.ext.asyncio import create_async_engine

import smalti
from smalti.server.settings import database_url
from smalti.server.store.migrations import config, upgrade
from smalti.server.store.schema import metadata
from tests.server.actions.test_seats import answer, ask, want
from tests.server.conftest import NewBrowser
from tests.server.luck.test_fairness import judged
from tests.server.rows import (
    TABLES,
    TOLD,
    browser_of,
    fill_postgres,
    fill_sqlite,
    labels,
    people_of,
    reader_of,
    rows,
    stays_listed,
)
from tests.server.site import PATIENCE, Browser, Message, Page, Server

KINDS = """
    sit bot name link watch list nonce say seal play next start record ask answer back lend return resign leave host
    end late pause resume down
"""
LONG = 8 * PATIENCE
# Bots that hesitate for long: else those with a clock of seconds have ended their game before a test has come to it.
UPGRADED = {"SMALTI_READS_A_SECOND": "100000", "SMALTI_BOT_PAUSE_MS": "600000"}
HASTY_GAMES = ("late-move", "late-seat")  # with clocks of seconds: time may run out before a test has come to them
LENT = [("playing-lent", "Eve", 2), ("late-seat", "Ben", 0)]  # who has lent which seat to a bot


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def upgraded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of today on rows of then."""
    server = Server(tmp_path_factory.mktemp("upgraded"), **UPGRADED)
    if request.param == "sqlite":
        fill_sqlite(server.file)
    else:
        url = request.getfixturevalue("postgres").new_database()
        fill_postgres(url)
        server.settings["SMALTI_DATABASE"] = url
    server.launch()
    server.wait(LONG)  # it replays three games before it answers
    yield server
    server.stop()
    assert "Traceback" not in server.log, server.log


async def read(url: str, query: str) -> list[tuple[Any, ...]]:
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        found = [tuple(row) for row in await connection.execute(sa.text(query))]
    await engine.dispose()
    return found


def stored(server: Server, query: str) -> list[tuple[Any, ...]]:
    """Ask the database of a server."""
    given = server.settings.get("SMALTI_DATABASE") or f"sqlite:///{server.file}"
    return asyncio.run(read(database_url(given), query))


def test_the_rows_have_every_kind_of_entry_there_was() -> None:
    assert {kind for (kind,) in rows("SELECT DISTINCT kind FROM events")} == set(KINDS.split())
    assert {game for (game,) in rows("SELECT DISTINCT game FROM matches")} == {"mosaix", "mozaika", "patterns"}


def test_no_entry_is_lost_or_changed(upgraded: Server) -> None:
    query = "SELECT match, n, kind, seat, body, id FROM events"
    assert set(rows(query)) <= set(stored(upgraded, query))
    then = {table["id"]: table["entries"] for table in TABLES.values()}
    assert then == dict(rows("SELECT match, COUNT(*) FROM events GROUP BY match"))


@pytest.mark.parametrize("label", TABLES)
def test_a_table_reads_as_it_did(label: str, upgraded: Server) -> None:
    then = TABLES[label]
    with closing(reader_of(label, upgraded)) as browser:
        now = browser.table(then["id"])
    assert {key: now[key] for key in ("game", "options", "rules", "start", "next")} == {
        key: then[key] for key in ("game", "options", "rules", "start", "next")
    }
    if label not in HASTY_GAMES:
        assert (now["stage"], now["ended"]) == (then["stage"], then["ended"])
        assert [seat["kind"] for seat in now["seats"]] == then["kinds"]
        assert [(seat["name"], seat["bot"]) for seat in now["seats"]] == [
            *zip(then["names"], then["bots"], strict=True)
        ]


class Reunion:
    """The people of a table, each with the browser and the seat they had."""

    def __init__(self, label: str, server: Server, opened: ExitStack) -> None:
        self.table, self.pages = str(TABLES[label]["id"]), dict[int, Page]()
        for name in people_of(label):
            browser = browser_of(name, server)
            opened.callback(browser.close)
            self.sit(browser)

    def sit(self, browser: Browser) -> None:
        answer = browser.http.get(f"/api/tables/{self.table}")
        if answer.status_code == 403:
            return  # somebody who only stood in, and for whom the table is closed since
        for seat, place in enumerate(answer.json()["seats"]):
            if place["mine"]:
                self.pages[seat] = browser.open(self.table, seat)

    def go_on(self) -> None:
        """End a pause, if there is one."""
        first, *others = sorted(self.pages)
        if self.pages[first].newest.get("clocks", {}).get("paused"):
            assert ask(self.pages[first], "resume", first) is None
            for seat in others:
                assert answer(self.pages[seat], seat, True) is None
            self.pages[first].settle()


@pytest.mark.parametrize("label", [label for label in labels("playing") if label not in HASTY_GAMES])
def test_a_running_game_stands_where_it_stood_and_goes_on_with_the_cookie_of_then(label: str, upgraded: Server) -> None:
    then = TABLES[label]
    with ExitStack() as opened:
        reunion = Reunion(label, upgraded, opened)
        some = reunion.pages[min(reunion.pages)]
        assert (some.state["n"] >= then["n"], some.state["scores"]) == (True, then["scores"])
        acting = [seat for seat in then["acting"] if seat in reunion.pages]
        assert acting
        reunion.go_on()
        page = reunion.pages[acting[0]]
        page.settle()
        before = page.state["n"]
        state = page.do(page.state["legal"][0], acting[0])
        assert state["t"] == "state", state
        assert state["n"] > before


@pytest.mark.parametrize(("label", "name", "seat"), LENT)
def test_who_lent_a_seat_takes_it_again(label: str, name: str, seat: int, upgraded: Server) -> None:
    with closing(browser_of(name, upgraded)) as browser:
        page = browser.open(TABLES[label]["id"])
        assert page.table["seats"][seat]["claim"]
        assert want(page, "return", seat) is None
        assert page.table["seats"][seat]["mine"]


@pytest.mark.parametrize("label", labels("gathering"))
def test_people_still_come_to_a_table_that_gathers(label: str, upgraded: Server, new_browser: NewBrowser) -> None:
    table = TABLES[label]["id"]
    with ExitStack() as opened:
        hosts = [browser_of(name, upgraded) for name in people_of(label)]
        for browser in hosts:
            opened.callback(browser.close)
        host = next(browser for browser in hosts if browser.table(table)["host"])
        seat = next(seat for seat, key in enumerate(host.keys(table)) if key)
        guest = new_browser(upgraded)
        assert guest.claim(table, "Newcomer", host.keys(table)[seat]).status_code == 200
        assert guest.table(table)["seats"][seat]["mine"]


@pytest.mark.parametrize("label", labels("over"))
def test_a_finished_game_replays_as_it_was(label: str, upgraded: Server) -> None:
    then = TABLES[label]
    with closing(reader_of(label, upgraded)) as browser:
        replay = browser.get(f"/api/tables/{then['id']}/replay")
        record = browser.http.get(f"/api/tables/{then['id']}/record").text
        last = browser.get(f"/api/tables/{then['id']}/at/{then['events']}")
    assert (replay["scores"], replay["winners"]) == (then["scores"], then["winners"])
    assert (len(replay["events"]), len(replay["story"] or replay["events"])) == (then["events"], then["steps"])
    assert last["scores"] == then["scores"]
    assert digest(json.loads(record), then["record"]["keys"]) == then["record"]["sha256"]
    match = smalti.verify(smalti.read(record))
    assert match.scores == then["scores"]
    assert "fairness" not in then["record"]["keys"] or judged(json.loads(record)) is None


def digest(record: Message, keys: list[str]) -> str:
    """Return the hash of what a record said then; more may be told today."""
    told = {key: record[key] for key in keys}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def test_only_games_of_open_tables_that_two_people_played_stay_listed(upgraded: Server) -> None:
    ((schema,),) = stored(upgraded, "SELECT version_num FROM alembic_version")
    with closing(Browser(upgraded)) as browser:
        listed = {line["id"] for line in browser.get("/api/tables/over")["tables"]}
    open_to_all = {TABLES[label]["id"] for label in labels("over") if stays_listed(label)}
    assert 1 < len(open_to_all) < len(TOLD["over"])
    assert listed == (open_to_all if schema > "0002" else set(TOLD["over"]))


def test_the_migrations_lead_to_the_schema() -> None:
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        upgrade(connection)
        assert not compare_metadata(MigrationContext.configure(connection), metadata)
        metadata.tables["holders"].drop(connection)
        assert compare_metadata(MigrationContext.configure(connection), metadata)
    engine.dispose()


@pytest.mark.parametrize(
    ("entries", "finders"),
    [
        (["list true", "list false", "play", "list true"], "link"),  # it was promised as not listed
        (["list false", "list true", "play", "list false"], "all"),
        (["list true", "play"], "all"),
        (["list false", "play", "list true"], "link"),
    ],
)
def test_a_game_stays_listed_only_if_its_table_was_open_when_it_began(entries: list[str], finders: str) -> None:
    engine, found = sa.create_engine("sqlite://"), config()
    with engine.begin() as connection:
        found.attributes["connection"] = connection
        command.upgrade(found, "0003")
        columns = "id, game, seats, options, rules, made, secret, key, host, stage, listed, finders"
        values = "'t', 'patterns', 2, '{}', 1, 1.0, 'k', 'k', 'host', 'over', FALSE, 'all'"
        connection.execute(sa.text(f"INSERT INTO matches ({columns}) VALUES ({values})"))
        for n, (kind, _, listed) in enumerate((entry.partition(" ") for entry in entries), 1):
            row = {"n": n, "kind": kind, "body": json.dumps({"listed": listed == "true"})}
            connection.execute(sa.text("INSERT INTO events VALUES ('t', :n, 1.0, :kind, NULL, :body, NULL)"), row)
        command.upgrade(found, "0004")
        assert connection.execute(sa.text("SELECT finders FROM matches")).scalar() == finders
    engine.dispose()


def test_notices_and_the_keys_of_the_site_stay(upgraded: Server) -> None:
    ((known,),) = rows("SELECT COUNT(*) FROM notices")
    assert [(known,)] == stored(upgraded, "SELECT COUNT(*) FROM notices")
    with closing(browser_of("Fay", upgraded)) as browser:
        assert browser.get("/api/notices")["on"]
    query = "SELECT name, value FROM kept WHERE name <> 'alive'"
    assert set(rows(query)) <= {(name, bytes(value)) for name, value in stored(upgraded, query)}
