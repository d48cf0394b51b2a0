"""Timeouts: whose time has run out, and what was agreed for that.

Tables that are open here have an alarm at the moment their first clock runs out; a sweep over the database finds the
ones that nobody looks at, and those whose process is gone. Several processes may notice the same: the log takes one.
Nobody is late whose process has fallen silent: when it speaks again it gives their time back, and when it is given up
the others do, with the time that a page needs to come to one of them.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from smalti import games
from smalti.engine.errors import SmaltiError
from smalti.server.actions.consent import overdue
from smalti.server.actions.seats import resignation, stand_in
from smalti.server.game_time import game_time, now
from smalti.server.problems import Problem
from smalti.server.rooms.append import append
from smalti.server.rooms.presence import Peer
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.services.outage import (
    Outage,
    Pulse,
    mend_standstill,
    mended,
    outage_of,
    outage_since,
)
from smalti.server.store.liveness import running_tables
from smalti.server.store.writer import Write
from smalti.server.table.entries import Entry
from smalti.server.table.kinds import Lend, Play, RunOut
from smalti.server.table.log import Log
from smalti.server.tasks import ended, supervised
from smalti.server.workers.bot_pool import Overtaken

logger = logging.getLogger(__name__)
MOST = 200  # tables in one sweep
HEARTBEAT = 0.5  # seconds between two signs that this process is running
FAR = 3600.0  # seconds: alarms that are further away are left to the sweep
SETTLING = 1.5  # seconds after a standstill until we have heard what the other processes did meanwhile
DOUBTFUL = 1.0  # seconds between two looks whether a process that has fallen silent speaks again
RECONNECTING = 12.0  # seconds that a page may take to notice that its process is gone, and to come to another one


class Timeouts:
    """Watches the clocks of all tables."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.pulse = Pulse(rooms.store)
        self.alarms: dict[str, asyncio.TimerHandle] = {}
        self.working: dict[str, asyncio.Task[None]] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self.outages: dict[str, asyncio.Task[Outage | None]] = {}  # by game
        self.moving: dict[str, asyncio.Task[None]] = {}  # by table: giving people of a lost process their time back

    async def start(self) -> None:
        """Give back the time in which nobody was there, as soon as games can be played, then begin to watch."""
        since = await outage_since(self.rooms)
        self.outages = {game: asyncio.create_task(outage_of(self.rooms, game, since)) for game in games.names()}
        self.rooms.mend, self.rooms.presence.lost = self.mend, self.process_lost
        self.tasks = [supervised("heart", self.beat_forever), asyncio.create_task(self.mend_and_watch())]

    async def stop(self) -> None:
        """Watch no more."""
        for alarm in self.alarms.values():
            alarm.cancel()
        await ended(*self.tasks, *self.working.values(), *self.moving.values())
        for outage in self.outages.values():
            outage.cancel()
        game_time.stop_beating()

    async def mend_and_watch(self) -> None:
        """Give time back that was lost, then watch the clocks."""
        await asyncio.gather(*(self.mend_all(game) for game in games.names()))
        self.rooms.watchers.append(self.watch)
        for room in list(self.rooms.open.values()):
            self.watch(room)
        self.tasks += [supervised("clocks", self.sweep_forever), supervised("mender", self.mend_forever)]

    async def mend(self, room: Room) -> None:
        """Give a table the time back that nobody could use, before anybody can act or be late there."""
        outage = await asyncio.shield(self.outages[room.log.facts.game])
        if outage:
            await room.happen(lambda log: mended(log, *outage))

    async def mend_all(self, game: str) -> None:
        """Give everybody at a game's tables their time back, however often it takes: by reading them."""
        while await asyncio.shield(self.outages[game]):
            try:
                await self.rooms.find_all(await running_tables(self.rooms.store, game=game))
                return
            except Exception as error:
                logger.warning("lost time could not be given back yet, trying again: %s", error)
                await asyncio.sleep(self.rooms.settings.sweep)

    # --- Noticing

    def watch(self, room: Room) -> None:
        """Set the alarm of a table that has moved on."""
        match, due = room.log.facts.id, room.log.due
        if match in self.alarms:
            self.alarms.pop(match).cancel()
        if due is not None and due - now() < FAR:
            delay = max(0.0, due - now())
            self.alarms[match] = asyncio.get_running_loop().call_later(delay, self.wake, match)

    async def beat_forever(self) -> None:
        """Say again and again that this process is running, so that a standstill is noticed."""
        while True:
            game_time.beat()
            await asyncio.sleep(HEARTBEAT)

    async def mend_forever(self) -> None:
        """Give the time back whenever this process could do nothing; a database that is away is waited for."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            if game_time.held_back:
                await asyncio.sleep(SETTLING)
                try:
                    await mend_standstill(self.rooms)
                except Problem as problem:
                    logger.warning("lost time could not be given back yet, trying again: %s", problem)

    async def sweep_forever(self) -> None:
        """Look for clocks that have run out, again and again."""
        while True:
            try:
                if self.rooms.store.condition.trouble:
                    await self.rooms.store.trouble()  # which tries whether it works again
                await self.pulse.beat()
                for match in await self.rooms.store.due_tables(now(), MOST):
                    self.wake(match)
            except Exception as error:
                logger.warning("the sweep for timeouts failed, trying again: %s", error)
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
                certain = [seat for seat in late if not self.is_in_doubt(room, seat)]
                if not certain:
                    await asyncio.sleep(DOUBTFUL)
                    continue
                if not await self.rooms.store.can_write() or certain[0] not in late_seats(room.log):
                    break  # nobody could act: time stands still, or was held back just now
                with suppress(Overtaken):  # another process has seen to it, or they have acted after all
                    await self.run_out(room, certain[0])
            if room.log.proposal and room.log.proposal.is_overdue(now()):
                await room.happen(overdue)
            self.watch(room)
        except Problem as problem:
            logger.warning("%s: a timeout could not be handled: %s", match, problem)
            if problem.reason in ("table.gone", "table.rules"):
                await self.rooms.store.write(Write(match, [], changes={"due": None}))  # nobody can play it any more
        except Exception as error:
            logger.warning(
                "%s: a timeout could not be handled: %s", match, error, exc_info=not isinstance(error, SmaltiError)
            )
        finally:
            del self.working[match]

    def is_in_doubt(self, room: Room, seat: int) -> bool:
        """Say whether a seat's person is connected only by processes that stand still, or were given up just now."""
        match, holder = room.log.facts.id, room.log.seats[seat].holder
        if holder is None or holder in room.pages():
            return False
        return match in self.moving or self.rooms.presence.is_in_doubt(match, holder)

    def process_lost(self, peer: Peer) -> None:
        """Give the people of a process that is gone without a word the time since then, and some to come back."""
        for match, pages in peer.tables.items():
            if any(pages) and match not in self.moving:
                self.moving[match] = asyncio.create_task(self.let_move(match, frozenset(pages), peer.heard))

    async def let_move(self, match: str, holders: frozenset[str | None], since: float) -> None:
        """Give a table time back if a clock runs there for one of these people."""

        def decide(log: Log) -> list[Entry]:
            running = log.clocks.running if log.clocks else ()
            is_theirs = any(log.seats[seat].holder in holders for seat in running)
            return mended(log, since, now() + RECONNECTING) if is_theirs else []

        try:
            await (await self.rooms.find(match)).happen(decide)
        except SmaltiError as error:
            logger.warning("%s: the time lost with a process could not be given back: %s", match, error)
        finally:
            del self.moving[match]

    async def run_out(self, room: Room, seat: int) -> None:
        """Let a seat's time run out."""
        log, terms = room.log, room.log.facts.terms

        def is_late() -> bool:
            return seat in late_seats(room.log) and room.log.asked[seat] == log.asked[seat]

        choose = self.rooms.bot_pool.choose
        move = await choose(log, seat, stand_in(log), is_late) if terms.late == "move" else None
        await room.happen(lambda twin: consequence(twin, seat, log.asked[seat], move))


def late_seats(log: Log) -> list[int]:
    """List the seats whose time has run out by now."""
    return log.clocks.late_seats(now()) if log.clocks else []


def consequence(log: Log, seat: int, asked: int, move: str | None) -> list[Entry]:
    """Let happen what was agreed, unless the seat has acted after all; the move answers the decision of that number."""
    if seat not in late_seats(log) or log.asked[seat] != asked:
        return []
    terms = log.facts.terms
    entries = [append(log, RunOut(did=terms.late), seat)]
    if terms.late == "move":
        assert move is not None
        entries.append(append(log, Play(move), seat))
    elif terms.late == "seat":
        entries.append(append(log, Lend(bot=stand_in(log)), seat))
    else:
        entries += resignation(log, seat)
    return entries
