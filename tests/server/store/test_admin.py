"""Erasing: what `smalti admin` takes from logs and databases, and that the rest stays as it was."""

from __future__ import annotations

import asyncio
import io
import json
import os
import random
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import sqlalchemy as sa

from smalti.cli import main
from smalti.server.keys import holder_of
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.services.retention import Retention
from smalti.server.store.admin.anonymising import Who, anonymised, followed, people_meant, silenced
from smalti.server.store.admin.pruning import DAY
from smalti.server.store.rows import facts_of
from smalti.server.store.schema import events, holders, matches
from smalti.server.table.entries import Entry, Row
from smalti.server.table.log import Log
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import HOLDER, entry, facts, finished_table, play_log, rooms_on, told_to_all
from tests.server.site import Message, play, until

ANN, BEN = holder_of("Ann's browser"), holder_of("Ben's browser")


# --- Entries


def sat(log: Log, seat: int, name: str, holder: str) -> Entry:
    return entry(log, "sit", seat, {"name": name, "holder": holder})


def conversation(log: Log) -> list[Entry]:
    """Two people play, talk, rename, lend a seat and take it again; somebody looks on."""
    entries = [sat(log, 0, "Ann", ANN), sat(log, 1, "Ben", BEN)]
    entries += log.chance_entries(entries[-1].at)
    entries += [
        entry(log, "say", 0, {"text": "hello Ben"}, "a"),
        entry(log, "say", 1, {"phrase": "thanks"}, "b"),
        entry(log, "say", None, {"text": "I see Ann", "name": "Eve"}, "c"),
        entry(log, "name", 0, {"name": "Anna"}),
        entry(log, "host", 1, {"holder": BEN}),
        entry(log, "lend", 0, {"bot": "level-1"}),
        sat(log, 0, "whatever", ANN),
    ]
    return entries + play_log(log, random.Random(1))


@pytest.fixture(scope="module")
def talked() -> tuple[Log, list[Row]]:
    log = Log(facts("patterns", 2))
    return log, [made.row() for made in conversation(log)]


def replayed(log: Log, new: list[Row], old: list[Row]) -> Log:
    """Replay a log with some entries in place of others."""
    instead = {one.n: one for one in new}
    again = Log(log.facts)
    again.extend(instead.get(one.n, one).entry() for one in old)
    return again


def test_a_log_without_people_leads_to_the_same_game(talked: tuple[Log, list[Row]]) -> None:
    log, old = talked
    new = anonymised(old, Who(), keep_seats=False)
    again = replayed(log, new.entries, old)
    assert told_to_all(again) == told_to_all(log)
    assert (again.number, again.length, again.stage) == (log.number, log.length, "over")
    assert [sitting.name for sitting in again.seats] == [None, None]
    assert [sitting.kind for sitting in again.seats] == [sitting.kind for sitting in log.seats]
    assert len(again.chats.players.words) == len(log.chats.players.words)
    left = " ".join(one.body for one in [*new.entries]) + "".join(sitting.holder or "" for sitting in again.seats)
    for trace in ("Ann", "Ben", "Eve", "hello", "thanks", ANN, BEN):
        assert trace not in left
    assert again.held_by(ANN) == again.held_by(BEN) == []


def test_only_those_who_are_meant_disappear(talked: tuple[Log, list[Row]]) -> None:
    log, old = talked
    for who in (Who(name="Anna"), Who(name="Ann"), Who(holder=ANN)):
        again = replayed(log, anonymised(old, who, keep_seats=False).entries, old)
        assert [sitting.name for sitting in again.seats] == [None, "Ben"], who
        assert [said.text for said in again.chats.players.words] == [None, None], "and her words with her"
        assert again.chats.players.words[1].phrase == "thanks"
        assert [said.name for said in again.chats.onlookers.words] == ["Eve"]
        assert (again.held_by(ANN), again.held_by(BEN)) == ([], [1])
        assert told_to_all(again) == told_to_all(log)


def test_an_onlooker_can_be_meant_by_name(talked: tuple[Log, list[Row]]) -> None:
    log, old = talked
    again = replayed(log, anonymised(old, Who(name="Eve"), keep_seats=False).entries, old)
    assert [(said.name, said.text) for said in again.chats.onlookers.words] == [(None, None)]
    assert [sitting.name for sitting in again.seats] == ["Anna", "Ben"]


def test_whoever_shares_a_browser_keeps_their_seat() -> None:
    log = Log(facts("patterns", 2))
    old = [sat(log, 0, "Ann", HOLDER).row(), sat(log, 1, "Ben", HOLDER).row()]
    new = anonymised(old, Who(name="Ann"), keep_seats=False)
    again = replayed(log, new.entries, old)
    assert again.held_by(HOLDER) == [1]
    assert not new.replaced, "the table's host is still Ben's browser"


def test_in_a_game_that_runs_people_keep_their_seats(talked: tuple[Log, list[Row]]) -> None:
    log, old = talked
    again = replayed(log, anonymised(old, Who(), keep_seats=True).entries, old)
    assert (again.held_by(ANN), again.held_by(BEN)) == ([0], [1])
    assert [sitting.name for sitting in again.seats] == [None, None]


def test_names_go_from_records_and_bots_stay() -> None:
    body = {"names": ["Ann", None, "Ben"], "bots": [None, "level-1", None], "events": []}
    record = Row(1, 0.0, "record", None, json.dumps(body), None)
    (all_gone,) = anonymised([record], Who(), keep_seats=False).entries
    (one_gone,) = anonymised([record], Who(name="Ben"), keep_seats=False).entries
    assert json.loads(all_gone.body) == {**body, "names": [None, None, None]}
    assert json.loads(one_gone.body) == {**body, "names": ["Ann", None, None]}
    assert not anonymised([record], Who(name="Eve"), keep_seats=False).entries


def test_words_go_and_their_number_stays(talked: tuple[Log, list[Row]]) -> None:
    log, old = talked
    new = silenced(old, lambda said: said.seat == 0)
    again = replayed(log, new.entries, old)
    assert [(said.text, said.cleared) for said in again.chats.players.words] == [(None, True), (None, False)]
    assert [said.text for said in again.chats.onlookers.words] == ["I see Ann"]
    gone = {one.n: one for one in new.entries}
    assert not silenced([gone.get(one.n, one) for one in old], lambda said: said.seat == 0).entries, "nothing twice"


def test_an_onlookers_words_that_are_cleared_bear_no_name(talked: tuple[Log, list[Row]]) -> None:
    log, old = talked
    again = replayed(log, silenced(old, lambda said: said.seat is None).entries, old)
    (said,) = again.chats.onlookers.words
    assert (said.text, said.phrase, said.name, said.cleared) == (None, None, None, True)


def test_what_is_not_known_of_yet_is_left_alone_but_for_browsers() -> None:
    log = Log(facts("patterns", 2))
    old = [sat(log, 0, "Ann", ANN).row(), Row(2, 0.0, "someday", None, json.dumps({"who": ANN, "much": 1}), None)]
    new = anonymised(old, Who(), keep_seats=False).entries
    assert json.loads(new[1].body)["much"] == 1
    assert ANN not in new[1].body
    assert people_meant(followed(old), Who(holder=BEN)) == set()


# --- Databases


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a database with a schema and nothing in it."""
    if request.param == "sqlite":
        address = f"sqlite:///{tmp_path_factory.mktemp('admin') / 'smalti.sqlite'}"
    else:
        address = request.getfixturevalue("postgres").new_database()
    on_rooms(address, nothing)
    return address


async def nothing(rooms: Rooms) -> None:
    """Only let the schema be made."""


def on_rooms(address: str, work: Callable[[Rooms], Any]) -> Any:
    async def run() -> Any:
        async with rooms_on(address) as rooms:
            return await work(rooms)

    return asyncio.run(run())


def finished(address: str, *names: str) -> None:
    """Make games that are over."""

    async def make(rooms: Rooms) -> None:
        for name in names:
            await finished_table(rooms, facts("patterns", 2, id=name), random.Random(name))

    on_rooms(address, make)


def read_log(address: str, name: str) -> Log | None:
    async def read(rooms: Rooms) -> Log | None:
        return await rooms.store.log(name)

    return on_rooms(address, read)  # type: ignore[no-any-return]


def rows(address: str, table: sa.Table) -> list[Any]:
    async def read(rooms: Rooms) -> list[Any]:
        async with rooms.store.engine.connect() as connection:
            return list((await connection.execute(sa.select(table))).mappings())

    return on_rooms(address, read)  # type: ignore[no-any-return]


class Done:
    """What a command left behind."""

    def __init__(self, *words: str, database: str, stdin: str = "") -> None:
        out, err, self.code = io.StringIO(), io.StringIO(), 0
        with (
            mock.patch.dict(os.environ, SMALTI_DATABASE=database),
            mock.patch.object(sys, "argv", ["smalti", "admin", *words]),
            mock.patch.object(sys, "stdin", io.StringIO(stdin)),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            try:
                main()
            except SystemExit as end:
                self.code = end.code if isinstance(end.code, int) else 1
        self.out, self.err = out.getvalue(), err.getvalue()

    @property
    def json(self) -> Message:
        assert self.out, self.err
        found: Message = json.loads(self.out)
        return found


def test_a_game_is_found_shown_anonymised_and_deleted(database: str) -> None:
    finished(database, "one", "two")
    found = Done("games", "--name", "ann 0", "--json", database=database).json["games"]
    assert {game["id"] for game in found} >= {"one", "two"}
    assert Done("games", "--before", "1970-01-02", database=database).code == 0, (
        "they were made on the first day of all"
    )
    assert Done("games", "--before", "1970-01-01", database=database).code == 1
    shown = Done("show", "one", database=database).out
    assert "seat 1: “Ann 0”" in shown
    assert HOLDER in shown
    before = read_log(database, "one")

    done = Done("anonymise", "one", "--yes", "--json", database=database).json
    assert (done["anonymised"][0]["table"], done["anonymised"][0]["people"], done["running"]) == ("one", 2, [])
    after = read_log(database, "one")
    assert before
    assert after
    assert told_to_all(after) == told_to_all(before)
    assert [sitting.name for sitting in after.seats] == [None, None]
    (row,) = [row for row in rows(database, matches) if row["id"] == "one"]
    assert row["revision"] == 1
    assert HOLDER not in facts_of(row).host
    assert not [row for row in rows(database, holders) if row["match"] == "one"]
    assert [sitting.name for sitting in read_log(database, "two").seats] == ["Ann 0", "Ann 1"]  # type: ignore[union-attr]

    gone = Done("delete", "one", "two", "--yes", database=database)
    assert (gone.code, sorted(gone.out.splitlines())) == (0, ["deleted one", "deleted two"])
    assert not [row for table in (events, holders) for row in rows(database, table) if row["match"] in ("one", "two")]
    assert Done("show", "one", database=database).code == 1


def test_a_name_and_a_browser_are_anonymised_wherever_they_were(database: str) -> None:
    finished(database, "three", "four")
    assert Done("anonymise", "--name", "Ann 1", "--yes", database=database).code == 0
    for name in ("three", "four"):
        assert [sitting.name for sitting in read_log(database, name).seats] == ["Ann 0", None]  # type: ignore[union-attr]
    assert Done("anonymise", "--browser", HOLDER, "--yes", database=database).code == 0
    assert Done("games", "--name", "Ann", database=database).code == 1
    again = Done("anonymise", "--browser", HOLDER, "--yes", database=database)
    assert (again.code, len(again.err.splitlines())) == (1, 1)


def test_games_that_run_are_left_alone_unless_forced(database: str) -> None:
    async def make(rooms: Rooms) -> Room:
        return await rooms.make(facts("mosaix", 2, id=f"running-{len(database)}"), False, conversation_begins)

    name = on_rooms(database, make).log.facts.id
    refused = Done("anonymise", name, "--yes", "--json", database=database)
    assert (refused.code, refused.json) == (1, {"anonymised": [], "running": [name]})
    assert read_log(database, name).seats[0].name == "Ann"  # type: ignore[union-attr]
    (row,) = [row for row in rows(database, matches) if row["id"] == name]
    assert row["revision"] == 0, "nothing was changed"
    assert Done("anonymise", name, "--yes", "--force", database=database).code == 0
    after = read_log(database, name)
    assert after
    assert (after.seats[0].name, after.held_by(ANN), after.chats.players.words[0].text) == (None, [0], None)
    assert [row for row in rows(database, holders) if row["match"] == name], "their list of games stays, too"
    Done("delete", name, "--yes", database=database)


def conversation_begins(log: Log) -> list[Entry]:
    entries = [sat(log, 0, "Ann", ANN), sat(log, 1, "Ben", BEN)]
    return [*entries, *log.chance_entries(1000.0), entry(log, "say", 0, {"text": "hello"})]


def test_words_are_cleared_and_browsers_forgotten(database: str) -> None:
    async def make(rooms: Rooms) -> None:
        await rooms.make(facts("mosaix", 2, id="talking"), False, conversation_begins)

    on_rooms(database, make)
    assert Done("words", "talking", "--clear", "--by", "2", "--yes", "--json", database=database).json["cleared"] == 0
    onlookers = Done("words", "talking", "--clear", "--by", "onlookers", "--yes", "--json", database=database)
    assert onlookers.json["cleared"] == 0
    assert Done("words", "talking", "--clear", "--yes", "--json", database=database).json["cleared"] == 1
    said = read_log(database, "talking").chats.players.words[0]  # type: ignore[union-attr]
    assert (said.text, said.phrase, said.cleared) == (None, None, True)
    done = Done("forget-browser", ANN, "--yes", "--json", database=database)
    assert done.json == {"subscriptions": 0, "tables": ["talking"]}
    assert {row["holder"] for row in rows(database, holders) if row["match"] == "talking"} == {BEN}
    assert Done("forget-browser", ANN, "--yes", database=database).code == 1
    Done("delete", "talking", "--yes", database=database)


def test_old_games_are_deleted_in_batches_and_no_others(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smalti.server.store.admin.pruning.BATCH", 2)
    finished(database, *(names := [f"old{number}" for number in range(5)]))

    async def prune(rooms: Rooms) -> tuple[list[str], list[str], list[str]]:
        await rooms.make(facts("mosaix", 2, id="going"), False, conversation_begins)
        ended = max(row["ended"] for row in rows_now if row["id"] in names)
        forever = await Retention(0).run_once(rooms.store, ended + 1000 * DAY)
        early = await Retention(10).run_once(rooms.store, ended)
        late = await Retention(10).run_once(rooms.store, ended + 11 * DAY)
        return forever, early, late

    rows_now = rows(database, matches)
    forever, early, late = on_rooms(database, prune)
    assert (forever, early) == ([], [])
    assert set(names) <= set(late)
    assert "going" in {row["id"] for row in rows(database, matches)}
    Done("delete", "going", "--yes", database=database)


def test_pruning_by_hand_says_what_is_gone(database: str) -> None:
    finished(database, "fresh")
    kept = Done("prune", "--days", "1", "--yes", database=database)
    assert (kept.code, kept.out) == (0, "no game is that old\n")

    async def age(rooms: Rooms) -> None:
        async with rooms.store.engine.begin() as connection:
            await connection.execute(sa.update(matches).where(matches.c.id == "fresh").values(ended=1000.0))

    on_rooms(database, age)
    assert Done("prune", "--days", "1", "--json", "--yes", database=database).json == {"deleted": ["fresh"]}


# --- Asking, and bad input


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A SQLite database with one game that is over."""
    address = f"sqlite:///{tmp_path_factory.mktemp('asked') / 'smalti.sqlite'}"
    finished(address, "kept")
    return address


@pytest.mark.parametrize("answer", ["n\n", "", "what\nn\n"])
def test_without_a_yes_nothing_is_destroyed(answer: str, file: str) -> None:
    for words in (["delete", "kept"], ["anonymise", "kept"], ["prune", "--days", "1"]):
        done = Done(*words, database=file, stdin=answer)
        assert done.code == (0 if words[0] == "prune" else 1), "no game is that old"
    assert read_log(file, "kept").seats[0].name == "Ann 0"  # type: ignore[union-attr]


WRONG = {
    "anonymise": "give exactly one of these",
    "anonymise kept --name Ann": "give exactly one of these",
    "anonymise --browser abc": "64 hexadecimal digits",
    "games --before yesterday": "a date is written as 2026-05-31",
    "words kept": "--clear deletes the messages",
    "words kept --clear --by 0": "--by is a seat",
    "forget-browser abc": "64 hexadecimal digits",
    "prune": "give a number of days",
    "prune --days 0": "give a number of days",
    "delete kept --json": "--json cannot ask for confirmation",
    "games --database mysql://x": "a database is given as",
    "games --database sqlite:///no/such/file": "there is no database 'no/such/file'",
}


@pytest.mark.parametrize(("words", "sentence"), WRONG.items())
def test_bad_input_is_one_sentence(words: str, sentence: str, file: str) -> None:
    done = Done(*words.split(), database=file)
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1), done.err
    assert sentence in done.err


@pytest.mark.parametrize(
    "words", ["delete none", "delete kept none", "show none", "anonymise none", "words none --clear"]
)
def test_a_table_that_is_not_there_is_told_and_nothing_is_changed(words: str, file: str) -> None:
    done = Done(*words.split(), *(() if words.startswith("show") else ("--yes",)), database=file)
    assert (done.code, done.out) == (1, "")
    assert "there is no table 'none'" in done.err
    assert read_log(file, "kept")


def test_a_database_of_another_version_or_none_is_refused(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'old.sqlite'}")
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE matches (id TEXT)"))
    engine.dispose()
    (tmp_path / "text.sqlite").write_text("no database at all, but long enough to be looked at" * 50)
    for name, sentence in (("old", "starting its server"), ("text", "file is not a database")):
        done = Done("games", database=f"sqlite:///{tmp_path / f'{name}.sqlite'}")
        assert (done.code, len(done.err.splitlines())) == (2, 1)
        assert sentence in done.err


# --- While the server runs


def test_nothing_that_was_erased_is_left_in_the_file(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving()
    host, guest = new_browser(server), new_browser(server)
    table, other = (host.make("patterns", "Secretive Ann", "link", onlookers="all") for _ in range(2))
    guest.claim(table, "Furtive Ben", host.keys(table)[1])
    host.open(table, 0).send(t="say", id="1", seat=0, text="my number is 12345")
    new_browser(server).open(table).send(t="say", id="2", seat=None, name="Eve", text="a rude word")
    until(lambda: all(said in bytes_of(server.file) for said in (b"12345", b"rude")))
    address = f"sqlite:///{server.file}"
    assert Done("words", table, "--clear", "--yes", database=address).code == 0
    assert [said for said in (b"12345", b"rude", b"Eve") if said in bytes_of(server.file)] == []
    assert Done("delete", table, "--yes", database=address).code == 0
    assert b"Furtive" not in bytes_of(server.file)
    assert Done("anonymise", other, "--force", "--yes", database=address).code == 0
    assert b"Secretive" not in bytes_of(server.file)


def bytes_of(file: Path) -> bytes:
    """Return everything that a SQLite database has on disk."""
    return b"".join(one.read_bytes() for one in file.parent.glob(f"{file.name}*") if not one.name.endswith("-shm"))


def test_games_can_be_erased_while_the_server_runs(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving()
    host = new_browser(server)
    over, running = (host.make("patterns", "Ann", "Ben") for _ in range(2))
    play([host.open(over, seat) for seat in (0, 1)], random.Random(1))
    pages = [host.open(running, seat) for seat in (0, 1)]
    play(pages, random.Random(1), moves=4)
    address = f"sqlite:///{server.file}"
    assert Done("anonymise", over, "--yes", database=address).code == 0
    assert Done("games", "--name", "Ben", "--json", database=address).json["games"][0]["id"] == running
    stranger = new_browser(server)
    until(lambda: stranger.get(f"/api/tables/{over}/replay")["names"] == ["", ""])
    assert Done("anonymise", running, "--yes", "--force", database=address).code == 0
    pages[0].until_people(lambda people: [seat["name"] for seat in people["seats"]] == [None, None])
    play(pages, random.Random(2), moves=4)
    assert Done("delete", over, running, "--yes", database=address).code == 0
    assert pages[0].closing() == 4404
    until(lambda: stranger.http.get(f"/api/tables/{over}/replay").status_code == 404)
    assert "Traceback" not in server.log
