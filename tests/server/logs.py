"""Logs and rooms inside the tests' own process: tables without people, and whole games in one go."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from smalti import games
from smalti.server.bus import LocalBus
from smalti.server.keys import holder_of
from smalti.server.rooms.append import append
from smalti.server.rooms.render import Rendering, other_choices
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.settings import Settings, database_url
from smalti.server.store.store import Store
from smalti.server.table.entries import Entry, Facts, Row
from smalti.server.table.kinds import from_row
from smalti.server.table.log import Log
from smalti.server.table.terms import Terms
from smalti.server.workers.bot_pool import BotPool

TOKEN = "the-secret-of-one-browser-for-all-the-seats"  # as they were given before we marked them
HOLDER = holder_of(TOKEN)


def facts(
    game: str, seats: int, options: Mapping[str, str] | None = None, secret: bytes = bytes(32), id: str = "table"
) -> Facts:
    """Return the facts of a table whose chance is the same in every run."""
    found = games.find(game)
    checked = found.checked_options(options)
    return Facts(id, game, seats, checked, found.version, 1000.0, secret, bytes(32), HOLDER, Terms())


def read_row(n: int, at: float, kind: str, seat: int | None, body: str, id: str | None) -> Entry:
    """Return an entry as it is read from the store."""
    return Row(n, at, kind, seat, body, id).entry()


def entry(log: Log, kind: str, seat: int | None, body: Any, message: str | None = None) -> Entry:
    """Let something happen on a log, told as it is stored."""
    text = body if kind == "play" else msgspec.json.encode(body).decode()
    return append(log, from_row(kind, text), seat, message)


def seat_everybody(log: Log) -> list[Entry]:
    """Let one browser sit on every seat."""
    seats = range(log.facts.seats)
    return [entry(log, "sit", seat, {"name": f"Ann {seat}", "holder": HOLDER}) for seat in seats]


def seated(given: Facts) -> Log:
    """Return a log with everybody seated and the first chance drawn."""
    log = Log(given)
    entries = seat_everybody(log)
    log.chance_entries(entries[-1].at)
    return log


def next_play(log: Log, luck: random.Random) -> tuple[int, str]:
    """Choose what happens next: a seat acts, or now and then changes what it decided under seal."""
    changing = [seat for seat in sorted(log.sealed) if other_choices(log, seat)]
    if changing and luck.random() < 0.3:
        seat = luck.choice(changing)
        return seat, luck.choice(other_choices(log, seat))
    seat = luck.choice(sorted(log.match.acting))
    return seat, luck.choice(log.match.legal(seat))


def play_log(log: Log, luck: random.Random, when: Callable[[Log], bool] = lambda log: log.match.is_over) -> list[Entry]:
    """Play at random until this is true of the log; returns the entries."""
    entries: list[Entry] = []
    while not when(log):
        seat, do = next_play(log, luck)
        entries.append(entry(log, "play", seat, do, f"id {log.length}"))
        entries += log.chance_entries(entries[-1].at)
    return entries


async def finished_table(rooms: Rooms, given: Facts, luck: random.Random) -> Room:
    """Make a table whose game is over, in one write."""

    def decide(log: Log) -> list[Entry]:
        entries = seat_everybody(log)
        entries += log.chance_entries(entries[-1].at)
        return entries + play_log(log, luck)

    return await rooms.make(given, False, decide)


async def new_table(rooms: Rooms, given: Facts) -> Room:
    """Make a table with everybody seated."""
    return await rooms.make(given, False, seat_everybody)


@asynccontextmanager
async def rooms_on(url: str, store: Store | None = None, **settings: float) -> AsyncIterator[Rooms]:
    """Open the rooms of a database, `sqlite:///FILE` or another address."""
    address = database_url(url)
    kept, bot_pool = store or Store(address), BotPool(1)
    await kept.start()
    rooms = Rooms(kept, LocalBus(), bot_pool, Settings(database=address, bot_pause=0, **settings))  # type: ignore[arg-type]
    try:
        yield rooms
    finally:
        await rooms.stop()
        await bot_pool.stop()
        await kept.stop()


def room_of(log: Log) -> Room:
    """Return a room for a log, in which nobody is, without a database."""
    memory = "sqlite+aiosqlite://"
    return Room(Rooms(Store(memory), LocalBus(), BotPool(1), Settings(database=memory)), log)


def told(log: Log, seat: int | None, since: int = 0) -> bytes:
    """Return what an audience is told, byte for byte."""
    return msgspec.json.encode(Rendering(log).state(seat, since))


def audiences(log: Log) -> list[int | None]:
    """List the seats, and the onlookers."""
    return [None, *range(log.facts.seats)]


def told_to_all(log: Log) -> list[bytes]:
    """Return what everybody is told, in all ways that it can be asked."""
    return [told(log, seat, since) for seat in audiences(log) for since in (0, log.number // 2, log.number)]
