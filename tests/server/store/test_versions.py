"""Tables by older rules: kept, shown and played on by the version they were begun with."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import smalti
from smalti.server.actions.tables import make, next_facts
from smalti.server.archive.replays import record_text, replay_of, step_of
from smalti.server.problems import Problem
from smalti.server.rooms.rooms import Rooms
from smalti.server.table.entries import FORK, Facts
from smalti.server.wire.http import NewTable, SeatWish
from smalti.server.wire.to_page import Start
from tests.server.logs import HOLDER, facts, finished_table, new_table, rooms_on

Work = Callable[[Rooms], Awaitable[None]]


def on(file: Path, *works: Work) -> None:
    """Do one thing after the other with the rooms of a database, which are opened anew for each."""

    async def run() -> None:
        for work in works:
            async with rooms_on(f"sqlite:///{file}") as rooms:
                await work(rooms)

    asyncio.run(run())


def old(seats: int = 2, **changes: object) -> Facts:
    """Return the facts of a table of Mosaix that was made before its rules changed."""
    return replace(facts("mosaix", seats), rules=1, **changes)  # type: ignore[arg-type]


def test_a_table_that_was_begun_by_older_rules_goes_on_by_them(tmp_path: Path) -> None:
    async def begin(rooms: Rooms) -> None:
        await new_table(rooms, old())

    async def go_on(rooms: Rooms) -> None:
        log = (await rooms.find("table")).log
        assert log.match.game is smalti.games.find("mosaix", 1)
        assert log.match.table.patience == 0

    on(tmp_path / "tables.db", begin, go_on)


def test_a_finished_game_by_older_rules_is_shown_and_its_record_names_them(tmp_path: Path) -> None:
    async def play(rooms: Rooms) -> None:
        await finished_table(rooms, old(), random.Random(2))

    async def look(rooms: Rooms) -> None:
        room = await rooms.find("table")
        record = smalti.read(record_text(room.log))
        assert (replay_of(room.log, None).rules, record.rules) == (1, 1)
        assert smalti.verify(record) == room.log.match
        assert step_of(room.log, len(record.events)).scores == record.scores

    on(tmp_path / "tables.db", play, look)


def test_a_fork_goes_on_by_the_rules_of_its_game_and_a_rematch_by_the_newest(tmp_path: Path) -> None:
    async def play(rooms: Rooms) -> None:
        await finished_table(rooms, old(), random.Random(2))

    async def fork(rooms: Rooms) -> None:
        here = [SeatWish("here", name="Ann"), SeatWish("here", name="Bob")]
        forked = await make(rooms, NewTable("mosaix", here, start=Start("table", 7)), HOLDER)
        assert (forked.log.facts.rules, forked.log.facts.origin) == (1, FORK)
        assert forked.log.match.game.version == 1
        assert len(forked.log.match.events) >= 7
        new = await make(rooms, NewTable("mosaix", here), HOLDER)
        assert new.log.facts.rules == 2
        assert next_facts((await rooms.find("table")).log).rules == 2

    on(tmp_path / "tables.db", play, fork)


def test_only_rules_that_nobody_knows_any_more_are_gone(tmp_path: Path) -> None:
    async def play(rooms: Rooms) -> None:
        await new_table(rooms, old())

    async def look(rooms: Rooms) -> None:
        with pytest.raises(Problem) as gone:
            await rooms.find("table")
        assert (gone.value.reason, gone.value.status) == ("table.rules", 410)

    file = tmp_path / "tables.db"
    on(file, play)
    set_rules(file, 7)
    on(file, look)


def set_rules(file: Path, version: int) -> None:
    """Let all tables be of another version."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE matches SET rules = ?", (version,))
