"""Time that nobody could use: while no process runs, clocks stand still.

As long as a clock runs somewhere, a note in the database says when the site was last alive. A process that starts and
finds the note too old gives the time since then back to every table, by an entry `down` of its log.
"""

from __future__ import annotations

import contextlib
import logging

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from smalti.engine.errors import SmaltiError
from smalti.server.entries import Entry
from smalti.server.log import Log
from smalti.server.rooms import Rooms, entry
from smalti.server.schema import kept, matches
from smalti.server.store import Store
from smalti.server.timing import now

logger = logging.getLogger(__name__)
NOTE = "alive"
BEAT = 5.0  # seconds between two notes
OUTAGE = 8.0  # seconds without a note: then no process was running


async def last_alive(store: Store) -> float | None:
    """Return when the site was last known to be alive."""
    async with store.engine.connect() as connection:
        found = (await connection.execute(sa.select(kept.c.value).where(kept.c.name == NOTE))).scalar()
    return float(found) if found else None


async def note_alive(store: Store, at: float) -> None:
    """Note that the site is alive."""
    value = str(at).encode()
    with contextlib.suppress(IntegrityError):  # another process has made the note at the same moment
        async with store.engine.begin() as connection:
            done = await connection.execute(sa.update(kept).where(kept.c.name == NOTE).values(value=value))
            if not done.rowcount:
                await connection.execute(sa.insert(kept).values(name=NOTE, value=value))


async def running_tables(store: Store, limit: int | None = None) -> list[str]:
    """List the tables where a clock runs, the most urgent first."""
    chosen = sa.and_(matches.c.stage == "playing", matches.c.due.is_not(None))
    return await store.names(sa.select(matches.c.id).where(chosen).order_by(matches.c.due).limit(limit))


class Pulse:
    """Notes now and then that the site is alive, while a clock runs."""

    def __init__(self, store: Store) -> None:
        self.store, self.noted = store, 0.0

    async def beat(self) -> None:
        """Note it, if it is time to."""
        if now() - self.noted >= BEAT and await running_tables(self.store, 1):
            self.noted = now()
            await note_alive(self.store, self.noted)


async def give_time_back(rooms: Rooms) -> None:
    """Give everybody the time back in which no process was running."""
    since, until = await last_alive(rooms.store), now()
    if since is None or until - since < OUTAGE:
        return
    for match in await running_tables(rooms.store):
        try:
            room = await rooms.find(match)
            await room.happen(lambda log: mended(log, since, until))
        except SmaltiError as error:
            logger.warning("%s, after an outage: %s", match, error)


def mended(log: Log, since: float, until: float) -> list[Entry]:
    """Give a table its time back, unless another process has done it."""
    if log.clocks is None or not log.clocks.lost(since, until) > 1:
        return []
    return [entry(log, "down", None, {"since": since, "until": until})]
