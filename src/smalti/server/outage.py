"""Time that nobody could use: while no process runs, or ours stands still, clocks stand still too.

As long as a clock runs somewhere, a note in the database says when the site was last alive. A process that starts and
finds the note too old gives the time since then back to every table, by an entry `down` of its log.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from smalti.engine.errors import SmaltiError
from smalti.server.entries import PLAYING, Entry
from smalti.server.log import Log
from smalti.server.rooms import Rooms, entry, suppress_away
from smalti.server.schema import kept, matches
from smalti.server.store import Store
from smalti.server.timing import game_time, now, shift

logger = logging.getLogger(__name__)
NOTE = "alive"
BEAT = 5.0  # seconds between two notes
RETRY = 1.0  # seconds before a database that is away is asked again
OUTAGE = 8.0  # seconds without a note: then no process was running


async def last_alive(store: Store) -> float | None:
    """Return when the site was last known to be alive."""
    async with store.reading() as connection:
        found = (await connection.execute(sa.select(kept.c.value).where(kept.c.name == NOTE))).scalar()
    return float(found) if found else None


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
        """Note it, if it is time to."""
        if now() - self.noted >= BEAT and await running_tables(self.store, 1):
            self.noted = now()
            await note_alive(self.store, self.noted)


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
    """Give the time back in which this process stood still: to all tables, or where others run, to its own people."""
    lost = game_time.held_back
    if not lost:
        return
    here = [room.log.facts.id for room in rooms.open.values() if room.listeners and room.log.due is not None]
    logger.warning("this process has stood still for %.1f s; the time is given back", lost)
    await give_time_back(rooms, await running_tables(rooms.store) if rooms.is_alone else here, now(), now() + lost)
    game_time.catch_up(lost)


async def give_time_back(rooms: Rooms, names: list[str], since: float, until: float) -> None:
    """Give the time between two moments back at tables."""
    for match in names:
        try:
            room = await rooms.find(match)
            await room.happen(lambda log: mended(log, since, until))
        except SmaltiError as error:
            logger.warning("%s, after an outage: %s", match, error)


def mended(log: Log, since: float, until: float) -> list[Entry]:
    """Give a table that is played its time back, unless another process has done it."""
    if log.stage != PLAYING or log.clocks is None or not log.clocks.lost(since, until) > 1:
        return []
    return [entry(log, "down", None, {"since": since, "until": until})]
