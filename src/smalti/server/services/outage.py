"""Time that nobody could use: while no process runs, ours stands still, or nothing can be stored, clocks stand still.

As long as a clock runs somewhere, a note in the database says when the site was last alive. A process that starts and
finds the note too old gives the time since then back to every table, by an entry `down` of its log; so does one that
has stood still. For people whose process has fallen silent, the other processes do.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import NamedTuple

from smalti.engine.errors import SmaltiError
from smalti.server.game_time import game_time, now, shift
from smalti.server.problems import Problem
from smalti.server.rooms.append import append
from smalti.server.rooms.rooms import Rooms, suppress_away
from smalti.server.store.liveness import last_alive, note_alive, running_tables
from smalti.server.store.store import Store
from smalti.server.table.entries import PLAYING, Entry
from smalti.server.table.kinds import Down
from smalti.server.table.log import Log

logger = logging.getLogger(__name__)
BEAT = 5.0  # seconds between two notes
RETRY = 1.0  # seconds before a database that is away is asked again
OUTAGE = 8.0  # seconds without a note: then no process was running
UNSTORED = ("table.away", "table.stored")  # what is wrong while the database cannot be used


class Pulse:
    """Notes now and then that the site is alive, while a clock runs."""

    def __init__(self, store: Store) -> None:
        self.store, self.noted = store, 0.0

    async def beat(self) -> None:
        """Note it, if it is time to; not by the time of the games, which stands still while nothing can be stored."""
        if time.monotonic() - self.noted >= BEAT and await running_tables(self.store, 1):
            self.noted = time.monotonic()
            await note_alive(self.store, now())


async def outage_since(rooms: Rooms) -> float:
    """Return since when nobody may have been there; to be asked before this process notes anything itself."""
    since = await last_alive(rooms.store)
    if since is None:
        return now()
    game_time.not_before(since - shift())
    return since


class Outage(NamedTuple):
    """A time in which nobody could play."""

    since: float
    until: float


async def outage_of(rooms: Rooms, game: str, since: float) -> Outage | None:
    """Return the time in which no process was running, or none could play a game yet; None where others did."""
    await rooms.ready.wait(game)
    until = now()
    while True:
        with suppress_away():
            found = Outage(max(since, await last_alive(rooms.store) or since), until)
            return found if found.until - found.since >= OUTAGE else None
        await asyncio.sleep(RETRY)


async def mend_standstill(rooms: Rooms) -> None:
    """Give the time back in which this process could do nothing: to all tables, or where others ran, to its people."""
    lost, since = game_time.held_back, now()
    if not lost:
        return
    logger.warning("this process stood still for %.1f s; the time is given back", lost)
    if rooms.presence.others_ran_after(since - shift()):
        attended = [room for room in rooms.open.values() if room.attendance.listeners]
        names = [room.log.facts.id for room in attended if room.log.due is not None]
    else:
        names = await running_tables(rooms.store)
    await give_time_back(rooms, names, since, since + lost)
    game_time.catch_up(lost)


async def give_time_back(rooms: Rooms, names: list[str], since: float, until: float) -> None:
    """Give the time between two moments back at tables; a database that is away ends it, to be done again."""
    for match in names:
        try:
            room = await rooms.find(match)
            await room.happen(lambda log: mended(log, since, until))
        except SmaltiError as error:
            if isinstance(error, Problem) and error.reason in UNSTORED:
                raise
            logger.warning("%s: the time of an outage could not be given back: %s", match, error)


def mended(log: Log, since: float, until: float) -> list[Entry]:
    """Give a table that is played its time back, unless another process has done it."""
    if log.stage != PLAYING or log.clocks is None or not log.clocks.lost(since, until) > 1:
        return []
    return [append(log, Down(since=since, until=until))]
