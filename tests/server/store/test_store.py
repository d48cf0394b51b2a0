"""Storing: a locked database, a full disk, two processes that write the same number, a bot that cannot be stored."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from smalti.engine.errors import Refused
from smalti.server.problems import Problem
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.rooms.seated_bots import SeatedBots
from smalti.server.settings import database_url
from smalti.server.store import database
from smalti.server.store.files import NotStored
from smalti.server.store.store import Store
from smalti.server.table.log import Log
from tests.server.logs import HOLDER, entry, facts, new_table, next_play, rooms_on, told_to_all
from tests.server.site import PATIENCE


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database that does not wait for long."""
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    return f"sqlite:///{tmp_path}/tables.sqlite"


def locked(url: str) -> Any:
    """Lock a database until the connection is closed."""
    holder = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    return closing(holder)


async def refused_as_not_stored(room: Room) -> None:
    """Let somebody act, who is told that it could not be stored, and check that nothing has changed."""
    seat, do = next_play(room.log, random.Random(1))
    before, length = told_to_all(room.log), room.log.length
    with pytest.raises(Problem) as error:
        await room.play(seat, do, room.log.asked[seat], "once and not twice", HOLDER)
    assert (error.value.reason, error.value.status) == ("table.stored", 503)
    assert (told_to_all(room.log), room.log.length) == (before, length)
    assert len(await room.rooms.store.entries(room.log.facts.id, 0)) == length


async def played_once(room: Room) -> None:
    """Let somebody act as before, and check that it has happened once."""
    seat, do = next_play(room.log, random.Random(1))
    length = room.log.length
    for _ in range(2):
        await room.play(seat, do, room.log.asked[seat], "once and not twice", HOLDER)
    found = await room.rooms.store.entries(room.log.facts.id, length)
    assert [(found[0].seat, found[0].row().body, found[0].id)] == [(seat, do, "once and not twice")]
    assert [found.n for found in found] == list(range(length + 1, room.log.length + 1))


def test_a_locked_database_is_told_to_the_mover_and_changes_nothing(url: str) -> None:
    async def run() -> None:
        async with rooms_on(url) as rooms:
            room = await new_table(rooms, facts("patterns", 2))
            with locked(url):
                await refused_as_not_stored(room)
                with pytest.raises(Problem, match="could not be stored"):
                    await new_table(rooms, facts("patterns", 2, id="another"))
                assert list(rooms.open) == ["table"]
            await played_once(room)

    asyncio.run(run())


def test_a_full_disk_is_told_to_the_mover_and_changes_nothing(url: str) -> None:
    pages = [10**6]

    def limit(connection: Any, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages[0]}").close()

    async def run() -> None:
        store = Store(database_url(url))
        assert store.writing
        sa.event.listen(store.writing.engine, "connect", limit)
        async with rooms_on(url, store) as rooms:
            room = await new_table(rooms, facts("patterns", 2))
            pages[0] = 1  # never less than there are
            store.writing.engine.dispose()
            await fill(rooms)
            await refused_as_not_stored(room)
            pages[0] = 10**6
            store.writing.engine.dispose()
            await played_once(room)

    async def fill(rooms: Rooms) -> None:
        """Let the host be renamed until not even the shortest name fits any more."""
        for length in (3000, 1000, 300, 100, 30, 0):
            refused = False
            while not refused:
                try:
                    await rooms.open["table"].happen(lambda log: [entry(log, "name", 0, {"name": "x" * length})])  # noqa: B023
                except Problem:
                    refused = True

    asyncio.run(run())


def test_a_database_that_cannot_be_opened_says_so_in_one_line_without_its_password(tmp_path: Path) -> None:
    async def run(url: str) -> None:
        with pytest.raises(NotStored) as error:
            await Store(database_url(url)).start()
        assert "cannot be opened" in str(error.value)
        assert "hunter2" not in str(error.value)
        assert "\n" not in str(error.value)

    (tmp_path / "not-a-database").write_text("x" * 5000)
    asyncio.run(run(f"sqlite:///{tmp_path}/not-a-database"))
    asyncio.run(run("postgresql://smalti:hunter2@127.0.0.1:1/smalti"))


def test_writes_that_wait_together_fail_each_for_itself(url: str) -> None:
    async def run() -> None:
        async with rooms_on(url) as rooms:
            names = ["one", "two", "two", "three"]
            made = [new_table(rooms, facts("mosaix", 2, id=name)) for name in names]
            results = await asyncio.gather(*made, return_exceptions=True)
            assert results[1] is results[2]  # made once, found the second time
            for name in set(names):
                log = await rooms.store.log(name)
                assert log is not None
                assert log.length == 4

    asyncio.run(run())


# --- Two processes on one database


async def two_rooms(url: str, work: Callable[[Room, Room], Awaitable[None]], game: str, seats: int) -> None:
    """Open the same table twice, as two processes do."""
    async with rooms_on(url) as ours, rooms_on(url) as theirs:
        one = await new_table(ours, facts(game, seats))
        other = await theirs.find(one.log.facts.id)
        assert one.log is not other.log
        await work(one, other)
        for room in (one, other):
            await room.catch_up()
        assert told_to_all(one.log) == told_to_all(other.log)
        stored = await ours.store.entries(one.log.facts.id, 0)
        assert [found.n for found in stored] == list(range(1, one.log.length + 1))


def test_two_processes_that_take_the_same_number_do_it_once(url: str) -> None:
    async def work(one: Room, other: Room) -> None:
        for _ in range(12):
            for room in (one, other):
                await room.catch_up()
            if one.log.match.is_over:  # some are short
                break
            seat = min(one.log.match.acting)
            texts, number, before = one.log.match.legal(seat), one.log.asked[seat], one.log.length
            results = await asyncio.gather(
                one.play(seat, texts[0], number, f"one {number}", HOLDER),
                other.play(seat, texts[-1], number, f"other {number}", HOLDER),
                return_exceptions=True,
            )
            wrong = [result for result in results if result is not None]
            assert len(wrong) == 1
            assert isinstance(wrong[0], (Problem, Refused))
            assert isinstance(wrong[0], Refused) or wrong[0].reason == "table.stale"
            stored = await one.rooms.store.entries(one.log.facts.id, before)
            assert sum(found.seat == seat for found in stored) == 1

    asyncio.run(two_rooms(url, work, "patterns", 2))


def test_two_seats_that_act_together_in_two_processes_both_succeed(url: str) -> None:
    async def work(one: Room, other: Room) -> None:
        log = one.log
        seat = min(log.match.acting)
        await one.play(seat, log.match.legal(seat)[0], log.asked[seat], "form", HOLDER)
        await other.catch_up()
        assert len(one.log.match.acting) == 4
        plays = [
            room.play(seat, one.log.match.legal(seat)[0], one.log.asked[seat], f"place {seat}", HOLDER)
            for seat, room in enumerate((one, other, one, other))
        ]
        await asyncio.gather(*plays)
        for room in (one, other):
            await room.catch_up()
        assert all((seat, f"place {seat}") in one.log.ids for seat in range(4))

    asyncio.run(two_rooms(url, work, "mosaix", 4))


def test_the_same_message_through_two_processes_does_it_once(url: str) -> None:
    async def work(one: Room, other: Room) -> None:
        seat = min(one.log.match.acting)
        text, number, before = one.log.match.legal(seat)[0], one.log.asked[seat], one.log.number
        await asyncio.gather(*(room.play(seat, text, number, "once and not twice", HOLDER) for room in (one, other)))
        await one.catch_up()
        assert one.log.number == before + 1

    asyncio.run(two_rooms(url, work, "patterns", 2))


# --- Whoever leaves, and bots


class Ear:
    """A page that only listens."""

    holder: str | None = HOLDER
    seat: int | None = None
    is_seated = True
    is_visible = False

    def __init__(self) -> None:
        self.woken = asyncio.Event()

    def wake(self, people: bool) -> None:
        self.woken.set()

    def wake_presence(self) -> None:
        pass

    def wake_chat(self) -> None:
        pass

    def show_out(self) -> None:
        pass


def test_a_move_is_told_to_the_others_even_if_the_mover_is_gone_meanwhile(url: str) -> None:
    async def run() -> None:
        async with rooms_on(url) as rooms:
            room, ear = await new_table(rooms, facts("patterns", 2)), Ear()
            room.enter(ear)
            (seat, do), before = next_play(room.log, random.Random(1)), room.log.length
            moving = asyncio.create_task(room.play(seat, do, room.log.asked[seat], "last words", HOLDER))
            while not rooms.store.waiting.qsize():
                await asyncio.sleep(0)
            moving.cancel()
            await asyncio.gather(moving, return_exceptions=True)
            await rooms.store.waiting.join()
            stored = len(await rooms.store.entries("table", 0))
            assert stored > before, "the writer had the move before the mover was gone"
            await asyncio.wait_for(ear.woken.wait(), PATIENCE)
            assert room.log.length == stored

    asyncio.run(run())


def test_a_bot_whose_move_could_not_be_stored_tries_again(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def first(log: Log, seat: int, stand_in: str | None = None, is_wanted: Any = None) -> str:
        return log.match.legal(seat)[0]

    async def run() -> None:
        async with rooms_on(url) as rooms:
            monkeypatch.setattr(rooms.bot_pool, "choose", first)

            def seat_bots(log: Log) -> list[Any]:
                return [entry(log, "bot", seat, {"bot": "random"}) for seat in (0, 1)]

            with monkeypatch.context() as still:
                still.setattr(SeatedBots, "think", lambda bots, room: None)
                room = await rooms.make(facts("patterns", 2), False, seat_bots)
                room.enter(Ear())
            with locked(url):
                room.bots.think(room)
                await asyncio.gather(*room.bots.thinking.values())
            while room.log.stage != "over":
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(run(), PATIENCE))  # in vain if the bots have gone to sleep


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_the_file_and_its_new_folder_are_for_their_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "new" / "smalti.sqlite"

    async def run() -> list[int]:
        async with rooms_on(f"sqlite:///{file}") as rooms:
            await new_table(rooms, facts("patterns", 2))
            return [path.stat().st_mode & 0o777 for path in (file.parent, *sorted(file.parent.glob("*.sqlite*")))]

    modes = asyncio.run(run())
    assert modes[0] == 0o700
    assert set(modes[1:]) == {0o600}
    file.chmod(0o644)
    assert asyncio.run(run())[1] == 0o600, "an older file is tightened"
