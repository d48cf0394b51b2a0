"""The keeper of the clocks: notices that somebody's time has run out, and lets happen what was agreed for that.

Tables that are open here have an alarm at the moment their first clock runs out; a sweep over the database finds the
ones that nobody looks at, and those whose process is gone. Several keepers may notice the same: the log takes one.
"""

from __future__ import annotations

import asyncio
import logging

from smalti.engine.errors import SmaltiError
from smalti.server.entries import Entry
from smalti.server.log import Log
from smalti.server.outage import Pulse, give_time_back
from smalti.server.problems import Problem
from smalti.server.rooms import Room, Rooms, entry
from smalti.server.store import Write
from smalti.server.timing import now
from smalti.server.wants import resignation

logger = logging.getLogger(__name__)
MOST = 200  # tables in one sweep
FAR = 3600.0  # seconds: alarms that are further away are left to the sweep


class Keeper:
    """Watches the clocks of all tables."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.pulse = Pulse(rooms.store)
        self.alarms: dict[str, asyncio.TimerHandle] = {}
        self.working: dict[str, asyncio.Task[None]] = {}
        self.sweeping: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Give back the time in which nobody was there, then begin to watch."""
        await give_time_back(self.rooms)
        self.rooms.watchers.append(self.watch)
        self.sweeping = asyncio.create_task(self.sweep_forever(), name="keeper")

    async def stop(self) -> None:
        """Watch no more."""
        for alarm in self.alarms.values():
            alarm.cancel()
        tasks = [*self.working.values(), *([self.sweeping] if self.sweeping else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- Noticing

    def watch(self, room: Room) -> None:
        """Set the alarm of a table that has moved on."""
        match, due = room.log.facts.id, room.log.due
        if match in self.alarms:
            self.alarms.pop(match).cancel()
        if due is not None and due - now() < FAR:
            delay = max(0.0, due - now())
            self.alarms[match] = asyncio.get_running_loop().call_later(delay, self.wake, match)

    async def sweep_forever(self) -> None:
        """Look for clocks that have run out, again and again."""
        while True:
            try:
                await self.pulse.beat()
                for match in await self.rooms.store.due_tables(now(), MOST):
                    self.wake(match)
            except Exception as error:
                logger.warning("the clocks will be looked at again in a moment: %s", error)
            await asyncio.sleep(self.rooms.settings.sweep)

    def wake(self, match: str) -> None:
        """See to a table where time has run out, once at a time."""
        self.alarms.pop(match, None)
        if match not in self.working:
            self.working[match] = asyncio.create_task(self.see_to(match))

    # --- Letting it happen

    async def see_to(self, match: str) -> None:
        """Let happen what was agreed, for every seat that is late; whatever goes wrong is tried again by the sweep."""
        try:
            room = await self.rooms.find(match)
            while late := late_seats(room.log):
                await self.run_out(room, late[0])
            self.watch(room)
        except Problem as problem:
            logger.warning("%s, the clock: %s", match, problem)
            if problem.reason in ("table.gone", "table.rules"):
                await self.rooms.store.write(Write(match, [], changes={"due": None}))  # nobody can play it any more
        except Exception as error:
            logger.warning("%s, the clock: %s", match, error, exc_info=not isinstance(error, SmaltiError))
        finally:
            del self.working[match]

    async def run_out(self, room: Room, seat: int) -> None:
        """Let a seat's time run out."""
        log, terms = room.log, room.log.facts.terms
        move = await self.rooms.thinkers.choose(log, seat, terms.stand_in) if terms.late == "move" else None
        await room.happen(lambda twin: consequence(twin, seat, log.asked[seat], move))


def late_seats(log: Log) -> list[int]:
    """List the seats whose time has run out by now."""
    return log.clocks.late_seats(now()) if log.clocks else []


def consequence(log: Log, seat: int, asked: int, move: str | None) -> list[Entry]:
    """Let happen what was agreed, unless the seat has acted after all; the move answers the decision of that number."""
    if seat not in late_seats(log) or log.asked[seat] != asked:
        return []
    terms = log.facts.terms
    entries = [entry(log, "late", seat, {"did": terms.late})]
    if terms.late == "move":
        entries.append(entry(log, "play", seat, move))
    elif terms.late == "seat":
        entries.append(entry(log, "lend", seat, {"bot": terms.stand_in}))
    else:
        entries += resignation(log, seat)
    return entries
