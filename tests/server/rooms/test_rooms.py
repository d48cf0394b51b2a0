"""Rooms of several processes and of a small cache: a table has one room, and every room is where the database is."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from smalti.server.actions.chat import clear, say
from smalti.server.actions.tables import rename
from smalti.server.bus import LocalBus
from smalti.server.doors.live.page import Page
from smalti.server.problems import Problem
from smalti.server.rooms import messages
from smalti.server.rooms import rooms as module
from smalti.server.rooms.messages import MOST_RENDERED
from smalti.server.rooms.render import chat_after
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.settings import Settings, database_url
from smalti.server.store.files import NotStored, exclusive
from smalti.server.store.schema import events, holders, matches
from smalti.server.store.store import Store
from smalti.server.store.writer import Write
from smalti.server.table.chat import Side
from smalti.server.table.entries import Entry
from smalti.server.table.log import Log
from smalti.server.wire.from_page import Look, Say
from smalti.server.wire.http import Clear, Rename
from smalti.server.wire.to_page import Presence, Talk
from smalti.server.workers.bot_pool import BotPool
from tests.server.logs import HOLDER, entry, facts, finished_table, new_table, next_play, play_log, rooms_on


class Counting:
    """A page that counts what it is woken for."""

    seat: int | None = None
    is_seated = is_visible = False

    def __init__(self, holder: str | None = None) -> None:
        self.holder = holder
        self.woken = self.presence = self.talk = 0
        self.was_shown_out = False

    def wake(self, people: bool) -> None:
        self.woken += 1

    def wake_presence(self) -> None:
        self.presence += 1

    def wake_chat(self) -> None:
        self.talk += 1

    def show_out(self) -> None:
        self.was_shown_out = True


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(work())


async def renamed(room: Room, name: str) -> None:
    def decide(log: Log) -> list[Entry]:
        return [entry(log, "name", 0, {"name": name})]

    await room.happen(decide)


def test_a_table_has_one_room_however_small_the_cache(tmp_path: Path) -> None:
    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite", cached_rooms=1) as rooms:
            made = [await new_table(rooms, facts("patterns", 2, id=f"table{n}")) for n in range(3)]
            pages = [Counting() for _ in made]
            for room, page in zip(made, pages, strict=True):
                room.enter(page)
            for room in made:
                assert await rooms.find(room.log.facts.id) is room
            await renamed(await rooms.find("table0"), "Zoe")
            assert [page.woken for page in pages] == [1, 0, 0]
            assert len(rooms.recent) == 1

    run(work)


def test_a_room_that_nobody_holds_is_let_go(tmp_path: Path) -> None:
    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite", cached_rooms=1) as rooms:
            for n in range(5):
                await new_table(rooms, facts("patterns", 2, id=f"table{n}"))
            assert set(rooms.open) == {"table4"}

    run(work)


async def two_processes(url: str, work: Callable[[Rooms, Rooms], Coroutine[Any, Any, None]]) -> None:
    """Let two processes share a database without a bus that would tell them of each other."""
    async with rooms_on(url) as one, rooms_on(url) as other:
        one_is_not_alone = property(lambda rooms: False)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Rooms, "is_alone", one_is_not_alone)
            await work(one, other)


def test_what_the_bus_has_lost_is_found_in_the_database(tmp_path: Path) -> None:
    async def work(one: Rooms, other: Rooms) -> None:
        first = await new_table(one, facts("patterns", 2))
        second = await other.find("table")
        page = Counting()
        second.enter(page)
        await renamed(first, "Zoe")
        assert second.log.seats[0].name != "Zoe"
        await other.messages_lost()  # the bus is back
        assert (second.log.seats[0].name, page.woken) == ("Zoe", 1)
        await renamed(first, "Ada")
        assert (await other.find_newest("table")) is second
        assert second.log.seats[0].name == "Ada"

    run(lambda: two_processes(f"sqlite:///{tmp_path}/t.sqlite", work))


def test_rooms_are_looked_after_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SWEEP", 0.01)

    async def work(one: Rooms, other: Rooms) -> None:
        first = await new_table(one, facts("patterns", 2))
        second = await other.find("table")
        second.enter(Counting())
        other.start()
        await renamed(first, "Zoe")
        while second.log.seats[0].name != "Zoe":
            await asyncio.sleep(0.01)

    run(lambda: two_processes(f"sqlite:///{tmp_path}/t.sqlite", work))


def test_rows_that_are_changed_or_deleted_from_outside_are_noticed(tmp_path: Path) -> None:
    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            room, page = await new_table(rooms, facts("patterns", 2)), Counting()
            room.enter(page)
            first = sa.and_(events.c.match == "table", events.c.n == 1)
            async with rooms.store.changing() as connection:
                body = f'{{"name":"Nobody","holder":"{HOLDER}"}}'
                await connection.execute(sa.update(events).where(first).values(body=body))
                await connection.execute(sa.update(matches).values(revision=1))
            await rooms.sweep()
            assert (room.log.seats[0].name, page.woken) == ("Nobody", 1)
            await rooms.sweep()
            assert page.woken == 1
            async with rooms.store.changing() as connection:
                for table in (events, holders, matches):
                    await connection.execute(sa.delete(table))
            await rooms.sweep()
            assert page.was_shown_out
            with pytest.raises(Problem, match="no such table"):
                await rooms.find("table")

    run(work)


def test_what_was_rendered_is_bounded(tmp_path: Path) -> None:
    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            room = await new_table(rooms, facts("patterns", 2))
            for since in range(1000):
                room.messages.state(None, since)
            assert len(room.messages.states) == MOST_RENDERED

    run(work)


def test_who_is_there_is_worked_out_once_for_all_and_told_once_in_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[Presence]()

    def noted(*told: Any) -> Presence:
        made.append(Presence(*told))
        return made[-1]

    monkeypatch.setattr(messages, "Presence", noted)

    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            room = await new_table(rooms, facts("patterns", 2))
            pages = [Counting(f"onlooker {n}") for n in range(300)]
            for page in pages:
                room.enter(page)
            room.attendance.wake()
            assert len({room.messages.presence() for _ in pages}) == 1
            assert len(made) == 1
            assert made[0].watching == 300
            assert all(page.presence <= 2 for page in pages)
            for page in pages[:100]:
                room.leave(page)
            assert room.attendance.onlookers(room.log) == 200

    run(work)


def test_what_one_person_does_beside_the_game_is_limited_and_moves_are_not(tmp_path: Path) -> None:
    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite", beside_a_minute=3) as rooms:
            room = await new_table(rooms, facts("patterns", 2))
            for number in range(5, 8):
                await rename(room, Rename(f"Ann {number}", 0), HOLDER)
            with pytest.raises(Problem) as problem:
                await rename(room, Rename("Zoe", 0), HOLDER)
            assert (problem.value.reason, problem.value.status) == ("table.many", 429)
            assert 1 <= int(str(problem.value.values["seconds"])) <= 20
            length = room.log.length
            for _ in range(10):
                (seat,) = room.log.acting
                await room.play(seat, room.log.match.legal(seat)[0], room.log.number, None, HOLDER)
            assert room.log.length >= length + 10

    run(work)


def test_a_sealed_decision_is_not_changed_without_end(tmp_path: Path) -> None:
    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite", beside_a_minute=3) as rooms:
            room = await new_table(rooms, facts("mozaika", 3))
            luck = random.Random(1)
            while room.log.match.view(None).phase != "bidding":
                seat, do = next_play(room.log, luck)
                await room.play(seat, do, room.log.number, None, HOLDER)
            seat = min(room.log.acting)
            for bid in ("bid 0", "bid 1", "bid 0", "bid 1"):
                await room.play(seat, bid, room.log.number, None, HOLDER)
            with pytest.raises(Problem, match="Too many"):
                await room.play(seat, "bid 0", room.log.number, None, HOLDER)

    run(work)


# --- Long games, and much talk


def test_a_long_game_weighs_as_much_as_several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "USUAL_EVENTS", 5)

    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite", cached_rooms=10) as rooms:
            for n in range(8):
                await new_table(rooms, facts("patterns", 2, id=f"short{n}"))
            assert len(rooms.recent) == 8
            await finished_table(rooms, facts("patterns", 2, id="long"), random.Random(1))
            assert rooms.recent.weight <= 10 or len(rooms.recent) == 1
            assert len(rooms.recent) < 8

    run(work)


def test_a_long_log_is_replayed_beside_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smalti.server.store.replay.SHORT", 30)
    threads, extend = list[threading.Thread](), Log.extend

    def noted(self: Log, entries: Any) -> None:
        threads.append(threading.current_thread())
        extend(self, entries)

    monkeypatch.setattr(Log, "extend", noted)

    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite", cached_rooms=1) as rooms:
            await finished_table(rooms, facts("patterns", 2), random.Random(1))
            await new_table(rooms, facts("patterns", 2, id="other"))
            await rooms.find("table")
            await rooms.find("other")

    run(work)
    assert [thread is threading.main_thread() for thread in threads] == [False, True]


def test_a_page_is_told_so_many_events_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MOST_EVENTS", 7)

    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            room = await finished_table(rooms, facts("patterns", 2), random.Random(1))
            told = [event["n"] for event in json.loads(room.messages.state(None, 0))["events"]]
            assert told == list(range(room.log.number - 6, room.log.number + 1))

    run(work)


def test_words_are_written_once_for_all_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, write = list[int](), chat_after

    def noted(side: Side, number: int) -> Talk:
        made.append(number)
        return write(side, number)

    monkeypatch.setattr(messages, "chat_after", noted)

    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            room = await new_table(rooms, facts("patterns", 2))
            for number in range(3):
                await say(room, Say(str(number), None, text="hello", name="Eve"), "eve", "1.2.3.4")
                assert len({room.messages.chat(False, number) for _ in range(300)}) == 1
            await clear(room, Clear(True, 1), HOLDER)
            assert len({room.messages.chat(False, 0) for _ in range(300)}) == 1
            assert made == [0, 1, 2, 0]
            assert 'cleared":true' in room.messages.chat(False, 0)
            for since in range(100):
                room.messages.chat(True, since)
            assert len(room.messages.chats) == messages.MOST_CHATS

    run(work)


def test_pages_are_told_what_was_said_some_after_the_others(tmp_path: Path) -> None:
    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            room = await new_table(rooms, facts("patterns", 2))
            pages = [Counting(f"onlooker {n}") for n in range(100)]
            for page in pages:
                room.enter(page)
            twin = room.log.copy()
            entry(twin, "say", None, {"text": "hello", "name": "Eve", "by": "eve"})
            room.move_on(twin)
            told = [sum(page.talk for page in pages)]
            while told[-1] < 100:
                await asyncio.sleep(0)
                told.append(sum(page.talk for page in pages))
            assert told == [25, 50, 75, 100]

    run(work)


def test_a_host_clears_less_often_than_others_change_their_names(tmp_path: Path) -> None:
    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite", beside_a_minute=6) as rooms:
            room = await new_table(rooms, facts("patterns", 2))
            for number in range(3):
                await say(room, Say(str(number), None, text="hello", name="Eve"), "eve", "1.2.3.4")
            for number in (1, 2):
                await clear(room, Clear(True, number), HOLDER)
            with pytest.raises(Problem, match="Too many"):
                await clear(room, Clear(True, 3), HOLDER)

    run(work)


def test_one_address_with_many_cookies_leaves_words_to_the_other_onlookers(tmp_path: Path) -> None:
    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            room, said = await new_table(rooms, facts("patterns", 2)), 0
            for cookie in range(76):
                for number in range(8):
                    wish = Say(f"{cookie} {number}", None, text="spam", name=f"Eve {cookie}")
                    try:
                        await say(room, wish, f"cookie {cookie}", "1.2.3.4")
                    except Problem:
                        continue
                    said += 1
            assert said == 50
            await say(room, Say("1", None, text="hello", name="Adam"), "adam", "5.6.7.8")
            await say(room, Say("2", 0, text="hello"), HOLDER, "1.2.3.4")

    run(work)


def test_a_connection_asks_the_database_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, find = list[str](), Rooms.find_newest

    async def noted(self: Rooms, match: str) -> Room:
        asked.append(match)
        return await find(self, match)

    monkeypatch.setattr(Rooms, "find_newest", noted)

    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            room = await new_table(rooms, facts("patterns", 2))
            page = Page(room, HOLDER, None, "")
            await page.look(Look(0))
            assert asked == []
            await page.look(Look(0))
            assert asked == ["table"], "again when the page asks again"

    run(work)


# --- The store


def test_a_second_process_on_one_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    file = str(tmp_path / "t.sqlite")
    with exclusive(file), pytest.raises(NotStored, match="in use by another process"), exclusive(file):
        pass
    with exclusive(file):
        pass


def test_whatever_the_writer_stumbles_over_is_refused_and_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            room = await new_table(rooms, facts("patterns", 2))
            with monkeypatch.context() as patch:
                patch.setattr(Store, "attempt", lambda self, batch: 1 / 0)
                with pytest.raises(Problem, match="could not be stored"):
                    await renamed(room, "Zoe")
            await renamed(room, "Ada")
            assert room.log.seats[0].name == "Ada"

    run(work)
    assert "ZeroDivisionError" in caplog.text


def test_a_database_that_does_not_answer_is_given_up_and_everything_waiting_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        store = Store(database_url(f"sqlite:///{tmp_path}/t.sqlite"), patience=0.05)
        await store.start()
        store.writing, forever = None, asyncio.Event()

        class Hanging:
            async def __aenter__(self) -> None:
                await forever.wait()

            async def __aexit__(self, *error: object) -> None: ...

        monkeypatch.setattr(type(store.engine), "begin", lambda self: Hanging())
        writes = [Write("table", []) for _ in range(500)]
        outcome = await asyncio.gather(*map(store.write, writes), return_exceptions=True)
        assert all(isinstance(problem, NotStored) for problem in outcome)
        monkeypatch.undo()
        await store.stop()

    run(work)


def test_a_read_that_fails_is_a_problem_with_words(tmp_path: Path) -> None:
    async def work() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            async with rooms.store.changing() as connection:
                await connection.execute(sa.text("DROP TABLE events"))
            with pytest.raises(Problem) as problem:
                await rooms.store.entries("table", 0)
            assert (problem.value.status, problem.value.reason) == (503, "table.away")
            assert await rooms.store.answers()

    run(work)


def test_thoughts_and_writes_keep_their_room(tmp_path: Path) -> None:
    """What goes on in a room holds it, though the cache has let it go."""

    async def work() -> None:
        settings = Settings(database=database_url(f"sqlite:///{tmp_path}/t.sqlite"), cached_rooms=1)
        store, bot_pool = Store(settings.database), BotPool(1)
        await store.start()
        rooms = Rooms(store, LocalBus(), bot_pool, settings)
        room = await new_table(rooms, facts("patterns", 2))
        writing = asyncio.ensure_future(renamed(room, "Zoe"))
        await asyncio.sleep(0)
        del room
        await new_table(rooms, facts("patterns", 2, id="other"))
        assert "table" not in rooms.recent
        await writing
        assert (await rooms.find("table")).log.seats[0].name == "Zoe"
        await rooms.stop()
        await bot_pool.stop()
        await store.stop()

    run(work)


def test_a_game_that_ended_elsewhere_is_over_here(tmp_path: Path) -> None:
    async def work(one: Rooms, other: Rooms) -> None:
        first = await new_table(one, facts("patterns", 2))
        second = await other.find("table")

        async def ended() -> None:
            await first.happen(lambda log: play_log(log, random.Random(1)))

        await ended()
        assert second.log.stage == "playing", "no bus has told it, and nobody is there"
        (found,) = await other.find_all(["table"])
        assert (found, found.log.stage) == (second, "over")

    run(lambda: two_processes(f"sqlite:///{tmp_path}/t.sqlite", work))

    async def again(one: Rooms, other: Rooms) -> None:
        first = await new_table(one, facts("patterns", 2))
        await other.find("table")
        await first.happen(lambda log: play_log(log, random.Random(1)))
        assert (await other.find_settled("table")).log.stage == "over"

    run(lambda: two_processes(f"sqlite:///{tmp_path}/u.sqlite", again))


def test_what_fails_after_whoever_asked_is_gone_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    complaints = list[dict[str, Any]]()

    async def work() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            room, hangs = await new_table(rooms, facts("patterns", 2)), asyncio.Event()

            async def hanging(write: Write) -> None:
                await hangs.wait()
                raise NotStored("it does not answer")

            monkeypatch.setattr(rooms.store, "write", hanging)
            asking = asyncio.ensure_future(renamed(room, "Zoe"))
            await asyncio.sleep(0.01)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            hangs.set()
            async with room.lock:
                pass
            await asyncio.sleep(0.01)
            gc.collect()

    run(work)
    assert complaints == []
    assert "Traceback" not in caplog.text
