"""All rooms of this process: found, loaded, kept and followed.

A table has one room in a process as long as anybody holds it, however small the cache; what another process has stored
is learned by the bus, and by a look at the database where its message was lost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from smalti.engine.errors import SmaltiError
from smalti.server.bus import Bus
from smalti.server.problems import Problem
from smalti.server.rooms.lru import LruCache
from smalti.server.rooms.presence import RemotePresence
from smalti.server.rooms.room import Decide, Room
from smalti.server.rooms.writes import first_write
from smalti.server.settings import Settings
from smalti.server.store.files import NotStored
from smalti.server.store.replay import THREAD
from smalti.server.store.store import Store
from smalti.server.store.writer import Conflict
from smalti.server.table.chat import ADDRESS_PACE
from smalti.server.table.entries import FORK, OVER, Entry, Facts
from smalti.server.table.log import Log
from smalti.server.tasks import ended, supervised
from smalti.server.token_bucket import Buckets
from smalti.server.workers.bot_pool import BotPool
from smalti.server.workers.readiness import Readiness

SWEEP = 3.0  # seconds between two looks whether the database has more than the open rooms
USUAL_EVENTS = 100  # of a game in memory that weighs as one
UNREADABLE = ("table.gone", "table.rules", "table.compiling")

logger = logging.getLogger(__name__)

Mend = Callable[[Room], Awaitable[None]]  # gives a table back, when it is read, what nobody could use
Stored = Callable[[Room, Log, list[Entry]], None]  # hears what this process has stored, and the log before it


class Rooms:
    """All rooms of this process."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        bot_pool: BotPool,
        settings: Settings,
        ready: Readiness | None = None,  # without it everything is
    ) -> None:
        self.store, self.bus, self.bot_pool, self.settings = store, bus, bot_pool, settings
        self.metrics = store.metrics
        self.ready = ready or Readiness.complete()
        self.open: WeakValueDictionary[str, Room] = WeakValueDictionary()  # everyone that somebody holds
        self.recent: LruCache[Room] = LruCache(settings.cached_rooms)  # kept for those who come next
        self.presence = RemotePresence(bus, self.open)
        self.sweeper: asyncio.Task[None] | None = None
        self.loading: dict[str, asyncio.Task[Room]] = {}
        self.beside = Buckets(settings.beside_a_minute / 60, settings.beside_a_minute)
        self.asks = Buckets(settings.asks_a_minute / 60, settings.asks_a_minute)
        self.voices = Buckets(ADDRESS_PACE.words / ADDRESS_PACE.seconds, ADDRESS_PACE.words)
        self.on_stored: Stored = lambda room, before, entries: None
        self.mend: Mend = mend_nothing
        self.is_closing = False
        self.watchers: list[Callable[[Room], None]] = []  # who want to know of every table that moves on

    def publish(self, room: Room, before: Log, entries: list[Entry]) -> None:
        """Tell the other processes, and who follows what is stored here, that a table has moved on."""
        self.metrics.count_moves(room.log.facts.game, entries)
        self.bus.publish_change(room.log.facts.id)
        self.on_stored(room, before, entries)

    def tell_watchers(self, room: Room) -> None:
        """Tell who wants to know that a table has been opened or has moved on."""
        for watch in self.watchers:
            watch(room)

    async def find(self, match: str) -> Room:
        """Return the room of a table, replayed from its log if nobody was there."""
        room = self.open.get(match)
        if room is not None:
            return self.touched(room)
        if not match.isprintable():
            raise Problem("gone")
        if match not in self.loading:
            self.loading[match] = asyncio.create_task(self.load(match))
        return await asyncio.shield(self.loading[match])

    async def find_newest(self, match: str) -> Room:
        """Return the room of a table as the database has it; while that does not answer, as it was known last."""
        room = self.open.get(match)
        if room is None or self.is_alone:
            return await self.find(match)
        with suppress_away():
            newest = (await self.store.newest([match])).get(match)
            if newest is None or room.is_behind(newest):
                await room.follow(newest)
        return await self.find(match)

    async def find_settled(self, match: str) -> Room:
        """Return the room of a table that may be over: where we do not know that, as the database has it."""
        room = self.open.get(match)
        is_over = room is not None and room.log.stage == OVER
        return await (self.find(match) if is_over else self.find_newest(match))

    async def find_all(self, names: Iterable[str]) -> list[Room]:
        """Return the rooms of tables as the database has them; those that cannot be read, or not yet, are left out."""
        wanted = list(names)
        with suppress_away():
            await self.follow_all(wanted)
        return await self.find_known(wanted)

    async def follow_all(self, names: Iterable[str]) -> None:
        """Bring those of these rooms that are in memory, and not over as far as we know, to where the database is."""
        rooms = {name: room for name in names if (room := self.open.get(name)) and room.log.stage != OVER}
        found = await self.store.newest(rooms) if rooms and not self.is_alone else {}
        for name, newest in found.items():
            if rooms[name].is_behind(newest):
                await rooms[name].follow(newest)

    async def find_known(self, names: Iterable[str]) -> list[Room]:
        """Return the rooms of tables as they are known; those that cannot be read, or not yet, are left out."""
        found = []
        for name in names:
            try:
                found.append(await self.find(name))
            except Problem as problem:
                if problem.reason not in UNREADABLE:
                    raise
        return found

    @property
    def is_alone(self) -> bool:
        """Whether no other process can write into the database: a SQLite file is locked."""
        return self.store.is_file

    # --- What other processes have stored

    def start(self) -> None:
        """Begin to look after what the bus may have lost."""
        self.sweeper = supervised("sweeper", self.sweep_forever)

    async def sweep_forever(self) -> None:
        """Look again and again whether the database has more than the rooms that somebody is in."""
        while True:
            await asyncio.sleep(SWEEP)
            with suppress_away():
                await self.sweep()

    async def sweep(self) -> None:
        """Bring the rooms that somebody is in to where the database is, and all whose past was rewritten there."""
        rooms = dict(self.open)
        found = await self.store.newest(rooms) if rooms else {}
        for name, room in rooms.items():
            newest = found.get(name)
            is_other = newest is None or newest.revision != room.log.facts.revision
            if is_other or (newest and room.attendance.listeners and room.is_behind(newest)):
                await room.follow(newest)

    async def load(self, match: str) -> Room:
        """Replay a table's log."""
        try:
            room = Room(self, await self.read_log(match))
            await self.mend(room)
            return self.add(room)
        finally:
            del self.loading[match]

    async def read_log(self, match: str) -> Log:
        """Read a table's log; it goes on by the rules it was begun with, if we know them."""
        try:
            log = await self.store.log(match, self.ready.check)
        except Problem:
            raise  # the database is away, or the game is not ready: that says nothing about the rules
        except SmaltiError as error:
            logger.error("%s cannot be replayed: %s", match, error)
            raise Problem("rules") from error
        if log is None:
            raise Problem("gone")
        return log

    def add(self, room: Room) -> Room:
        """Add a room, unless the table has one by now; return the one it has."""
        room = self.open.setdefault(room.log.facts.id, room)
        self.tell_watchers(room)
        return self.touched(room)

    def touched(self, room: Room) -> Room:
        """Keep a room in the cache for those who come next; the least recently used one is let go.

        Letting go ends nothing: whoever is in a room, thinks or writes in it still holds it, and is found there.
        """
        self.recent.add(room.log.facts.id, room, weight_of(room.log))
        return room

    def forget(self, room: Room) -> None:
        """Let go of a table that was deleted, and show everybody the door."""
        name = room.log.facts.id
        self.recent.forget(name)
        if self.open.get(name) is room:
            del self.open[name]
        for listener in list(room.attendance.listeners):
            listener.show_out()

    async def make(self, facts: Facts, listed: bool, decide: Decide) -> Room:
        """Make a new table with its first entries."""
        self.ready.check(facts.game)
        if facts.origin == FORK:  # a whole game has to be replayed
            log, entries = await asyncio.get_running_loop().run_in_executor(THREAD, begun, facts, decide)
        else:
            log, entries = begun(facts, decide)
        if not await self.store_new(log, entries, listed):
            return await self.find(facts.id)  # made already
        room = self.add(Room(self, log))
        room.bots.think(room)
        self.on_stored(room, Log(facts), entries)
        return room

    async def store_new(self, log: Log, entries: list[Entry], listed: bool = False) -> bool:
        """Store a new table, without a room for it; returns whether it was not there before."""
        try:
            await self.store.write(first_write(log, entries, listed))
        except Conflict:
            return False
        except NotStored as error:
            logger.error("a new table could not be stored: %s", error)
            raise Problem("stored") from error
        return True

    async def changed_elsewhere(self, match: str) -> None:
        """Catch up with what another process has stored for a table."""
        if match in self.loading:
            await asyncio.wait([self.loading[match]])
        room = self.open.get(match)
        if room:
            with suppress_away():  # the sweep makes up for it
                async with room.lock:
                    await room.catch_up()

    async def messages_lost(self) -> None:
        """Look at the database at once: messages of other processes may have been lost."""
        with suppress_away():
            await self.sweep()

    async def stop(self) -> None:
        """Let no bot act any more, nor begin to think about what is still being stored."""
        self.is_closing = True
        self.presence.stop()
        await ended(self.sweeper, *(task for room in self.open.values() for task in room.bots.thinking.values()))


async def mend_nothing(room: Room) -> None:
    """Leave a table as it is: time was there for everybody."""


def begun(facts: Facts, decide: Decide) -> tuple[Log, list[Entry]]:
    """Return the log of a new table with its first entries."""
    log = Log(facts)
    entries = decide(log)
    return log, entries + log.chance_entries(entries[-1].at)


def weight_of(log: Log) -> float:
    """Return how much memory a log takes, in usual games."""
    return max(1.0, len(log.happened) / USUAL_EVENTS)


@contextmanager
def suppress_away() -> Iterator[None]:
    """Do something with the database, or go on with what is known while it does not answer."""
    try:
        yield
    except Problem as problem:
        if problem.reason != "table.away":
            raise
