"""Time that nobody could use: while no process runs, ours stands still, or nothing can be stored, clocks stand still.

As long as a clock runs somewhere, a note in the database says when the site was last alive. A process that starts and
finds the note too old gives the time since then back to every table, by an entry `down` of its log; so does one that
has stood still. For people whose process has fallen silent, the other processes do.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from smalti.engine.errors import SmaltiError
from smalti.server.entries import PLAYING, Entry
from smalti.server.log import Log
from smalti.server.problems import Problem
from smalti.server.rooms import Rooms, entry, suppress_away
from smalti.server.schema import events, kept, matches
from smalti.server.store import Store
from smalti.server.timing import game_time, now, shift

logger = logging.getLogger(__name__)
NOTE = "alive"
BEAT = 5.0  # seconds between two notes
RETRY = 1.0  # seconds before a database that is away is asked again
OUTAGE = 8.0  # seconds without a note: then no process was running
UNSTORED = ("table.away", "table.stored")  # what is wrong while the database cannot be used


async def last_alive(store: Store) -> float | None:
    """Return when the site was last known to be alive: by its note, or by what happened where a clock runs."""
    running = sa.select(matches.c.id).where(matches.c.stage == "playing", matches.c.due.is_not(None))
    newest = sa.select(sa.func.max(events.c.at)).where(events.c.match.in_(running))
    async with store.reading() as connection:
        noted = (await connection.execute(sa.select(kept.c.value).where(kept.c.name == NOTE))).scalar()
        moments = [float(noted) if noted else None, (await connection.execute(newest)).scalar()]
    return max((moment for moment in moments if moment is not None), default=None)


async def note_alive(store: Store, at: float) -> None:
    """Note that the site is alive."""
    value = str(at).encode()
    with contextlib.suppress(IntegrityError):  # another process has made the note at the same moment
        async with store.changing() as connection:
            done = await connection.execute(sa.update(kept).where(kept.c.name == NOTE).values(value=value))
            if not done.rowcount:
                await connection.execute(sa.insert(kept).values(name=NOTE, value=value))


async def running_tables(store: Store, limit: int | None = None, game: str | None = None) -> list[str]:
    """List the tables where a clock runs, of a game or of all, the most urgent first."""
    chosen = sa.and_(matches.c.stage == "playing", matches.c.due.is_not(None))
    query = sa.select(matches.c.id).where(chosen).order_by(matches.c.due).limit(limit)
    return await store.names(query.where(matches.c.game == game) if game else query)


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
    logger.warning("this process could do nothing for %.1f s; the time is given back", lost)
    if rooms.whereabouts.others_ran_after(since - shift()):
        names = [room.log.facts.id for room in rooms.open.values() if room.listeners and room.log.due is not None]
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
            logger.warning("%s, after an outage: %s", match, error)


def mended(log: Log, since: float, until: float) -> list[Entry]:
    """Give a table that is played its time back, unless another process has done it."""
    if log.stage != PLAYING or log.clocks is None or not log.clocks.lost(since, until) > 1:
        return []
    return [entry(log, "down", None, {"since": since, "until": until})]
