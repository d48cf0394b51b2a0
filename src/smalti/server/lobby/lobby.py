"""The lobby: open tables that seek players, and games that everybody may watch.

An open table at which nobody of its own is any more is soon not shown, and after a while not open any more: then its
log says so, and whoever comes back to it can open it again. Who is there is known by the pages that are connected,
here or, by the bus, in another process.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from contextlib import suppress

from smalti.engine.errors import SmaltiError
from smalti.server.game_time import now
from smalti.server.rooms.append import append
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.table.entries import GATHERING, PLAYING, Entry
from smalti.server.table.kinds import List
from smalti.server.table.log import Log
from smalti.server.tasks import ended, supervised

logger = logging.getLogger(__name__)
MOST = {GATHERING: 500, PLAYING: 100}  # tables that are looked through: they are read, and must fit into memory
FRESH = 1.0  # seconds for which a list is good enough
MOST_OF_A_HOST = 3  # tables in a list
LIVELY = 900.0  # seconds for which a game is worth watching after its last event, while nobody is there


def is_attended(room: Room) -> bool:
    """Say whether somebody of a table is connected: seated, or the host."""
    host = room.log.host
    return any(holder == host or room.log.held_by(holder) for holder in room.attendance.pages_anywhere())


class Lobby:
    """What the lobby shows; tables that were left are closed."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms, self.settings = rooms, rooms.settings
        self.seen: dict[str, float] = {}  # by open table: when somebody of it was there, or we first heard of it
        self.lists: dict[str, tuple[float, list[str]]] = {}  # by stage: when it was read, and the tables
        self.sweeper: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look after the open tables."""
        self.sweeper = supervised("lobby", self.sweep_forever)

    async def stop(self) -> None:
        """Leave them to others."""
        await ended(self.sweeper)

    # --- Who is there

    @property
    def pause(self) -> float:
        """Seconds between two looks."""
        return min(10.0, self.settings.lobby_hides / 3, self.settings.lobby_closes / 3) or 0.1

    async def sweep_forever(self) -> None:
        """Look after the open tables from time to time; a database that fails now may work later."""
        while True:
            try:
                await self.sweep()
            except SmaltiError as error:
                logger.warning("the sweep of the lobby failed, trying again: %s", error)
            except Exception:
                logger.exception("the sweep of the lobby failed")
            await asyncio.sleep(self.pause)

    async def sweep(self) -> None:
        """Note at which open tables somebody is, and close those that have been left for long."""
        names = await self.rooms.store.lobby_tables(GATHERING, MOST[GATHERING])
        here = [name for name in names if name in self.rooms.open and is_attended(self.rooms.open[name])]
        await self.rooms.bus.mark_attended(here, 3 * self.pause)
        elsewhere = await self.rooms.bus.attended(names)
        self.seen = {name: self.seen_at(name, name in here or name in elsewhere) for name in names}
        for name in names:
            if self.absence(name) > self.settings.lobby_closes:
                await self.close(name)

    def seen_at(self, name: str, is_there: bool) -> float:
        """Return when somebody was at a table last; one that we hear of for the first time gets its time."""
        moment = time.monotonic()
        return moment if is_there else self.seen.get(name, moment)

    def absence(self, name: str) -> float:
        """Return for how many seconds nobody has been at a table."""
        room = self.rooms.open.get(name)
        if room and is_attended(room):
            self.seen[name] = time.monotonic()
        return time.monotonic() - self.seen.setdefault(name, time.monotonic())

    def is_waiting(self, name: str) -> bool:
        """Say whether somebody waits at a table, or was there a moment ago."""
        return self.absence(name) <= self.settings.lobby_hides

    async def close(self, name: str) -> None:
        """Take a table that everybody has left from the list; one that cannot be read any more stays as it is."""
        with suppress(SmaltiError):
            await (await self.rooms.find(name)).happen(lapse)

    # --- What is shown

    async def tables(self, stage: str) -> list[str]:
        """List the tables of a stage, the newest first; read once for all who ask at the same time."""
        read, names = self.lists.get(stage, (0.0, []))
        if time.monotonic() - read > FRESH:
            names = await self.rooms.store.lobby_tables(stage, MOST[stage])
            self.lists[stage] = time.monotonic(), names
        return names

    async def seeking(self, fresh: bool = False) -> list[Room]:
        """List the open tables at which somebody is, the newest first."""
        if fresh:
            self.lists.pop(GATHERING, None)
        names = await self.tables(GATHERING)
        return await self.still_listed([name for name in names if self.is_waiting(name)], GATHERING)

    async def playing(self) -> list[Room]:
        """List the games to watch at which something goes on, the newest first."""
        return [room for room in await self.still_listed(await self.tables(PLAYING), PLAYING) if is_lively(room)]

    async def still_listed(self, names: list[str], stage: str) -> list[Room]:
        """Return the tables that are still to be shown; those that cannot be read any more are left out."""
        found = await self.rooms.find_known(names)
        return [room for room in found if room.log.in_lobby and room.log.stage == stage]


def fairly(rooms: list[Room]) -> list[Room]:
    """Return tables with those first at which somebody is, and of each host only so many: nobody fills the list."""
    hosts, found = Counter[str](), list[Room]()
    for room in sorted(rooms, key=lambda room: not is_attended(room)):
        hosts[room.log.host] += 1
        if hosts[room.log.host] <= MOST_OF_A_HOST:
            found.append(room)
    return found


def lapse(log: Log) -> list[Entry]:
    """Take a table from the list that nobody looks after."""
    if not log.in_lobby or log.stage != GATHERING:
        return []
    return [append(log, List(listed=False, lapsed=True))]


def is_lively(room: Room) -> bool:
    """Say whether there is something to see: people at the table, or a moment ago."""
    return is_attended(room) or now() - room.log.last < LIVELY
