"""Agreeing: who has to, what ends it, and that it happens once, with the last yes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from smalti.server.actions import consent
from smalti.server.actions.consent import MATTERS
from smalti.server.actions.matters import Matter
from smalti.server.problems import Problem
from smalti.server.rooms.render import table_of
from smalti.server.rooms.room import Room
from smalti.server.table.entries import Entry
from smalti.server.table.log import Log
from smalti.server.table.proposals import Proposal
from smalti.server.wire.from_page import Answer, Ask
from tests.server.logs import entry, facts, rooms_on

SEATS = ["ann", "ben", "ann", "eve"]  # by seat: who holds it


class Present:
    """A page of somebody who is here and says nothing."""

    seat: int | None = None
    is_seated = is_visible = True

    def __init__(self, holder: str) -> None:
        self.holder: str | None = holder

    def wake(self, people: bool) -> None: ...

    def wake_presence(self) -> None: ...

    def wake_chat(self) -> None: ...

    def show_out(self) -> None: ...


def seat_them(log: Log) -> list[Entry]:
    found = []
    for seat, who in enumerate(SEATS[: log.facts.seats]):
        found.append(entry(log, "sit", seat, {"name": who, "holder": who}))
    return found


@asynccontextmanager
async def table(folder: Path, here: str = "ann ben eve", seats: int = 4, grace: float = 0.0) -> AsyncIterator[Room]:
    async with rooms_on(f"sqlite:///{folder}/t.sqlite", grace=grace) as rooms:
        room = await rooms.make(facts("mosaix", seats), False, seat_them)
        for who in here.split():
            room.enter(Present(who))
        yield room
        again = await rooms.read_log(room.log.facts.id)
        assert again.proposal == room.log.proposal  # from the log alone
        assert again.listed == room.log.listed


@pytest.fixture(autouse=True)
def listing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something to agree on that is easy to see: listing the table."""

    def effect(log: Log, asked: Proposal) -> list[Entry]:
        return [entry(log, "list", None, {"listed": True})]

    monkeypatch.setitem(MATTERS, "list", Matter(lambda room, log, wish: wish.values, effect))
    monkeypatch.setitem(MATTERS, "move", Matter(lambda room, log, wish: {}, effect, is_about_position=True))


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(work())


async def ask(room: Room, by: int, id: str = "q", what: str = "list", **values: int | str) -> Proposal:
    await consent.ask(room, Ask(id, by, what, values), SEATS[by])
    assert room.log.proposal
    return room.log.proposal


async def answer(room: Room, seat: int, yes: bool, n: int | None = None, id: str = "a") -> Proposal:
    assert room.log.proposal
    number = room.log.proposal.number if n is None else n
    await consent.answer(room, Answer(f"{id}{seat}{yes}", seat, number, yes), SEATS[seat])
    return room.log.proposal


def test_it_happens_with_the_last_yes_and_in_the_same_write(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path) as room:
            asked = await ask(room, 0)
            assert asked.needed == {1, 3}  # not the asker's other seat
            assert (await answer(room, 1, True)).agreed == {1}
            assert not room.log.listed
            before = room.log.length
            assert (await answer(room, 3, True)).outcome == "agreed"
            assert room.log.listed
            assert room.log.length == before + 2

    run(work)


def test_a_person_answers_once_for_all_seats(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path, seats=3) as room:
            assert (await ask(room, 1)).needed == {0, 2}
            assert (await answer(room, 2, True)).agreed == {0, 2}
            assert room.log.listed

    run(work)


@pytest.mark.parametrize(("seat", "outcome"), [(1, "declined"), (3, "declined"), (0, "withdrawn"), (2, "withdrawn")])
def test_one_no_ends_it_and_so_does_whoever_asked(tmp_path: Path, seat: int, outcome: str) -> None:
    async def work() -> None:
        async with table(tmp_path) as room:
            await ask(room, 0)
            await answer(room, 1, True)
            asked = await answer(room, seat, False)
            assert (asked.outcome, asked.closer) == (outcome, 0 if seat in (0, 2) else seat)
            await answer(room, 3, True)  # too late
            assert not room.log.listed
            assert (await ask(room, 1, id="again")).is_open

    run(work)


def test_who_is_away_has_not_agreed(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path, here="ann ben") as room:
            assert (await ask(room, 0)).needed == {1, 3}
            assert (await answer(room, 1, True)).is_open
            assert not room.log.listed
            assert (await answer(room, 3, True)).outcome == "agreed"

    run(work)


def test_the_person_a_bot_stands_in_for_has_not_agreed(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path, here="ann ben") as room:
            await room.happen(lambda log: [entry(log, "lend", 3, {"bot": "level-1"})])
            assert (await ask(room, 0)).needed == {1, 3}
            assert (await answer(room, 1, True)).is_open
            await room.happen(lambda log: [entry(log, "return", 3, {})])
            assert (await answer(room, 3, True)).outcome == "agreed"

    run(work)


def test_what_nobody_answers_lapses_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with table(tmp_path, here="ann ben") as room:
            asked = await ask(room, 0)
            assert asked.until
            assert room.log.due == asked.until
            await room.happen(consent.overdue)
            assert room.log.proposal == asked  # it is not yet time
            monkeypatch.setattr(consent, "now", lambda: asked.until)
            await answer(room, 1, True)  # too late: it ends instead
            assert room.log.proposal
            assert room.log.proposal.outcome == "late"  # not "lapsed": the game has not moved on
            assert room.log.due is None
            assert not room.log.listed

    run(work)


def test_silence_agrees_where_that_was_said_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MATTERS, "list", MATTERS["list"]._replace(silence_agrees=True))

    async def work() -> None:
        async with table(tmp_path, here="ann ben") as room:
            asked = await ask(room, 0)
            assert asked.until
            monkeypatch.setattr(consent, "now", lambda: asked.until)
            await room.happen(consent.overdue)
            assert room.log.proposal
            assert room.log.proposal.outcome == "agreed"
            assert room.log.listed

    run(work)


def test_who_left_a_moment_ago_is_waited_for(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path, here="ann", grace=60) as room:
            assert (await ask(room, 0)).needed == {1, 3}
            left = room.attendance.absent(room.log)
            assert left[0] is None
            assert 0 < (left[1] or 0) <= 60

    run(work)


def test_bots_are_not_asked(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path) as room:
            await room.happen(lambda log: [entry(log, "bot", 1, {"bot": "level-1"})])
            assert (await ask(room, 0)).needed == {3}

    run(work)


def test_where_nobody_has_to_agree_it_happens_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path, here="ann", seats=1) as room:
            assert (await ask(room, 0)).outcome == "agreed"
            assert room.log.listed

    run(work)


def test_who_it_is_about_need_not_agree_but_ends_it_by_coming(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path) as room:
            assert (await ask(room, 0, seat=3)).needed == {1}
            await consent.object_by_coming(room, "ben")
            assert room.log.proposal
            assert room.log.proposal.is_open
            await consent.object_by_coming(room, "eve")
            assert (room.log.proposal.outcome, room.log.proposal.closer) == ("declined", 3)

    run(work)


def test_sent_twice_is_asked_and_answered_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path) as room:
            first = await ask(room, 0)
            assert await ask(room, 0) == first
            await answer(room, 1, True)
            length = room.log.length
            await answer(room, 1, True)
            assert room.log.length == length
            await answer(room, 3, True)
            assert (await ask(room, 0)).outcome == "agreed"  # the same message once more
            assert await answer(room, 3, True, n=first.number) == room.log.proposal

    run(work)


def test_it_ends_when_what_it_is_about_is_gone(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path) as room:
            await ask(room, 0, what="move")
            await room.happen(lambda log: [entry(log, "name", 1, {"name": "Benjamin"})])
            assert room.log.proposal
            assert room.log.proposal.is_open
            seat = min(room.log.match.acting)
            await room.play(seat, room.log.match.legal(seat)[0], room.log.number, None, SEATS[seat])
            assert room.log.proposal.outcome == "lapsed"
            await ask(room, 0, id="other")
            seat = min(room.log.match.acting)
            await room.play(seat, room.log.match.legal(seat)[0], room.log.number, None, SEATS[seat])
            assert room.log.proposal
            assert room.log.proposal.is_open
            await room.happen(lambda log: [entry(log, "link", 1, {})])
            assert room.log.proposal.outcome == "lapsed"

    run(work)


def test_what_cannot_be_asked_or_answered_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path) as room:
            length = room.log.length
            for wish, holder, reason in (
                (Ask("1", 1, "list"), "ann", "not-yours"),
                (Ask("2", 7, "list"), "ann", "not-yours"),
                (Ask("3", 0, "list"), None, "not-yours"),
                (Ask("4", 0, "nonsense"), "ann", "matter"),
            ):
                with pytest.raises(Problem) as problem:
                    await consent.ask(room, wish, holder)
                assert problem.value.reason == f"table.{reason}"
            assert room.log.length == length
            await ask(room, 0)
            with pytest.raises(Problem, match="Something else is being asked"):
                await ask(room, 1)
            with pytest.raises(Problem, match="not yours"):
                await consent.answer(room, Answer("5", 3, room.log.number, True), "ben")

    run(work)


def test_everybody_is_told_what_is_asked(tmp_path: Path) -> None:
    async def work() -> None:
        async with table(tmp_path) as room:
            await ask(room, 0, bot="level-2")
            await answer(room, 1, True)
            for holder in ("ann", "eve", None):
                told = table_of(room.log, holder, room.attendance.here(room.log), 0).proposal
                assert told
                assert (told.by, told.what, told.values) == (0, "list", {"bot": "level-2"})
                assert (told.needed, told.agreed, told.outcome) == ([1, 3], [1], "open")

    run(work)
