"""Logs: state by replaying and in no other way; what is sealed, changed and shown."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

import smalti
from smalti.engine.errors import SmaltiError
from smalti.engine.game import Game
from smalti.server.archive.replays import record_text, replay_of
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.table.history import History
from smalti.server.table.kinds import Play
from smalti.server.table.log import Log
from tests.games.mozaika.mosaics import board
from tests.games.tables import match_at
from tests.server.logs import (
    HOLDER,
    entry,
    facts,
    new_table,
    next_play,
    play_log,
    rooms_on,
    seat_everybody,
    seated,
    told_to_all,
)
from tests.support import EVERY_SETTING, SETTING_NAMES

TABLES = [(game, seats) for game in smalti.games.everyone() for seats in game.seats]
TABLE_NAMES = [f"{game.name}-{seats}" for game, seats in TABLES]


async def play_room(room: Room, luck: random.Random) -> None:
    """Play a whole game at random, by the door that everybody comes in by."""
    while not room.log.match.is_over:
        seat, do = next_play(room.log, luck)
        await room.play(seat, do, room.log.asked[seat], f"id {room.log.length}", HOLDER)


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=TABLE_NAMES)
def test_a_whole_game_comes_back_from_the_store(game: Game, seats: int, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.sqlite"

    async def play() -> tuple[str, list[bytes], str]:
        async with rooms_on(url) as rooms:
            room = await new_table(rooms, facts(game.name, seats))
            await play_room(room, random.Random(seats))
            return room.log.facts.id, told_to_all(room.log), record_text(room.log)

    async def look(match: str) -> tuple[list[bytes], str]:
        async with rooms_on(url) as rooms:
            room = await rooms.find(match)
            return told_to_all(room.log), record_text(room.log)

    match, before, record = asyncio.run(play())
    assert asyncio.run(look(match)) == (before, record)
    verified = smalti.verify(smalti.read(record))
    assert verified.is_over
    assert [event.by for event in verified.events].count(None) >= 1


@pytest.mark.parametrize(("game", "seats", "options"), EVERY_SETTING, ids=SETTING_NAMES)
def test_replaying_any_part_of_a_log_leads_to_the_same_messages(
    game: Game, seats: int, options: dict[str, str]
) -> None:
    luck, log = random.Random(5), Log(facts(game.name, seats, options))
    entries = seat_everybody(log)
    entries += log.chance_entries(1001.0)
    part = luck.randrange(20, 60)
    entries += play_log(log, luck, lambda log: log.length >= part or log.match.is_over)
    again = Log(log.facts)
    again.extend(entries)
    assert told_to_all(again) == told_to_all(log)
    before = told_to_all(log)
    play_log(log.copy(), luck)
    assert told_to_all(log) == before, "a copy that goes on changes the log"


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_changed_bids_leave_no_trace_in_the_record(hands: str) -> None:
    luck, log = random.Random(3), seated(facts("mozaika", 4, {"hands": hands}))
    entries = play_log(log, luck)
    made = [made for made in entries if isinstance(made.what, Play) and made.what.do.startswith("bid")]
    kept = [event.do for event in log.match.events if event.do.startswith("bid")]
    assert len(made) > len(kept), "no bid was changed"
    assert len(kept) % 4 == 0
    assert smalti.verify(smalti.read(record_text(log))).events == log.match.events
    replayed = replay_of(log, None).events
    assert [(event.by, event.do) for event in replayed] == log.match.events
    assert [event.n for event in replayed] == list(range(1, len(replayed) + 1))
    assert not any(event.id for event in replayed)


def test_what_the_wire_counts_has_no_gaps() -> None:
    log = seated(facts("mozaika", 3))
    play_log(log, random.Random(1))
    numbers = [event.number for event in log.happened]
    assert numbers == list(range(4, 4 + len(numbers)))  # three sat down first
    assert log.number == numbers[-1]
    assert log.length > log.number, "no bid was changed"


@pytest.mark.parametrize(
    ("seat", "do"), [(1, "give G"), (0, "give X"), (0, "fly"), (0, ""), (0, "deal K"), (None, "deal K")]
)
def test_an_entry_against_the_rules_is_refused_and_the_room_keeps_its_log(
    seat: int | None, do: str, tmp_path: Path
) -> None:
    async def attempt(rooms: Rooms) -> None:
        room = await new_table(rooms, facts("patterns", 2))
        acting = min(room.log.match.acting)
        place = None if seat is None else (acting + seat) % 2
        before, length = told_to_all(room.log), room.log.length
        with pytest.raises(SmaltiError):
            await room.happen(lambda log: [entry(log, "play", place, do)])
        assert (told_to_all(room.log), room.log.length) == (before, length)
        assert len(await rooms.store.entries(room.log.facts.id, 0)) == length

    async def run() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/tables.sqlite") as rooms:
            await attempt(rooms)

    asyncio.run(run())


def test_where_the_winner_has_resigned_the_others_win_by_the_games_own_rules() -> None:
    """MZ-19: of those with as many points, whoever has most coins."""
    table = board(". . . . / . . . . / . . . . / . . . .")
    table.coins[:3] = [19, 12, 14]
    log = Log(facts("mozaika", 3))
    seat_everybody(log)
    log.history = History(match_at(log.match.game, table), log.asked)
    assert log.winners == [0]
    nobody = log.history
    log.history = nobody.with_resigned(0)
    assert (log.match.scores[1], log.winners) == (log.match.scores[2], [2])
    log.history = nobody.with_resigned(1)
    assert log.winners == [0]


def test_chance_is_the_same_for_the_same_secret_and_another_for_another() -> None:
    given = facts("mozaika", 3)
    deals = [seated(given).match.events, seated(given).match.events]
    assert deals[0] == deals[1]
    other = facts("mozaika", 3, secret=bytes(31) + b"\1")
    assert seated(other).match.events != deals[0]
    assert seated(facts("mozaika", 3, id="other")).match.events != deals[0], "the table's name counts too"
