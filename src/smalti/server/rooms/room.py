"""A room: a table that somebody looks at or plays at in this process.

Whatever happens goes through `Room.happen`: decided on a copy of the log, stored, and only then told. If another
process was first (optimistic concurrency: an entry's number can be stored once), the room catches up and decides again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from smalti.engine.errors import SmaltiError
from smalti.server.problems import Problem
from smalti.server.rooms.attendance import Attendance
from smalti.server.rooms.listener import Listener
from smalti.server.rooms.messages import Messages
from smalti.server.rooms.moves import check_may_move, decision_entries
from smalti.server.rooms.render import speakers_of
from smalti.server.rooms.seated_bots import SeatedBots
from smalti.server.rooms.writes import write_between
from smalti.server.store.files import NotStored
from smalti.server.store.replay import extend
from smalti.server.store.store import Newest
from smalti.server.store.writer import Conflict
from smalti.server.table.entries import PLAYING, Entry
from smalti.server.table.kinds import Clear, Play, Seal, Silence
from smalti.server.table.log import Log
from smalti.server.wire.from_page import moves_of

if TYPE_CHECKING:
    from smalti.server.rooms.rooms import Rooms

ATTEMPTS = 20
COSTS: dict[type, int] = {Clear: 3, Silence: 3}  # in things beside the game: pages are told more by these

logger = logging.getLogger(__name__)

Decide = Callable[[Log], list[Entry]]  # lets something happen on a copy of the log and returns its entries


class Room:
    """A table with those who look at it."""

    def __init__(self, rooms: Rooms, log: Log) -> None:
        self.rooms, self.log = rooms, log
        self.lock = asyncio.Lock()  # one thing happens after the other
        self.attendance = Attendance(log.facts.id, rooms.presence, rooms.settings.grace)
        self.messages = Messages(log, self.attendance)
        self.bots = SeatedBots(rooms.bot_pool, rooms.settings.bot_pause)

    # --- What happens

    async def happen(self, decide: Decide, by: str | None = None) -> None:
        """Let something happen, to the end, even if whoever asked for it (`by`, a browser) is gone meanwhile."""
        task = asyncio.ensure_future(self.happen_to_the_end(decide, by))
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.add_done_callback(log_unheard_error)
            raise
        task.result()

    async def happen_to_the_end(self, decide: Decide, by: str | None) -> None:
        """Decide on a copy of the log, store, move on, and wake everybody."""
        async with self.lock:
            for attempt in range(ATTEMPTS):
                twin = self.log.copy()
                entries = decide(twin)
                if not entries:
                    return
                if by is not None and not attempt:
                    self.check_rate(by, entries, is_new=twin.number > self.log.number)
                entries += twin.chance_entries(entries[-1].at)
                try:
                    await self.rooms.store.write(write_between(self.log, twin, entries))
                except Conflict:
                    await self.catch_up()
                    continue
                except NotStored as error:
                    logger.error("%s: %s", self.log.facts.id, error)
                    raise Problem("stored") from error
                before = self.log
                self.move_on(twin)
                self.rooms.publish(self, before, entries)
                return
        raise Problem("many", seconds=1)

    def check_rate(self, by: str, entries: Iterable[Entry], is_new: bool) -> None:
        """Limit what one person does at a table beside the game, such as changing a bid; moves end by themselves."""
        counted = (made for made in entries if not isinstance(made.what, Play | Seal) or not is_new)
        beside = sum(COSTS.get(type(made.what), 1) for made in counted)
        if beside:
            self.rooms.beside.spend(f"{self.log.facts.id} {by}", beside)

    async def play(
        self,
        seat: int,
        do: str | list[str],
        number: int,
        message: str | None = None,
        holder: str | None = None,
        nonce: str | None = None,
    ) -> None:
        """Let a seat act, in answer to the state of that number; bots have no holder, and no nonce for a seal.

        Several moves are one decision: all of them are stored or none, and they are told together.
        """

        def decide(log: Log) -> list[Entry]:
            if log.seats[seat].holder != holder:
                raise Problem("not-yours")
            if message and (seat, message) in log.ids:
                return []  # sent twice
            check_may_move(log, seat, number)
            return decision_entries(log, seat, moves_of(do), nonce, message)

        await self.happen(decide, holder)

    # --- What other processes have stored

    async def catch_up(self) -> None:
        """Take over what other processes have stored."""
        missing = await self.rooms.store.entries(self.log.facts.id, self.log.length)
        if missing:
            twin = self.log.copy()
            await extend(twin, missing)
            self.move_on(twin)

    def is_behind(self, newest: Newest) -> bool:
        """Say whether the database has something else than this room."""
        return newest.n > self.log.length or newest.revision != self.log.facts.revision

    async def follow(self, newest: Newest | None) -> None:
        """Bring the room to where the database is; a table that was deleted there is closed."""
        if newest is None:
            self.rooms.forget(self)
            return
        async with self.lock:
            if newest.revision != self.log.facts.revision:
                self.move_on(await self.rooms.read_log(self.log.facts.id), anew=True)
            elif newest.n > self.log.length:
                await self.catch_up()

    # --- Moving on

    def move_on(self, log: Log, anew: bool = False) -> None:
        """Replace the log by a longer one, or by one that was changed from outside, and wake everybody."""
        before, self.log = self.log, log
        self.messages.move_on(log)
        self.wake_for_events(before, anew)
        if log.chats is not before.chats:
            sides = [(one, one.is_seated) for one in self.attendance.listeners]
            self.attendance.wake_chat([one for one, seated in sides if log.chat(seated) is not before.chat(seated)])
        self.rooms.tell_watchers(self)
        self.bots.think(self)

    def wake_for_events(self, before: Log, anew: bool) -> None:
        """Wake the pages that may see a difference."""
        log = self.log
        # What is no event of the game is about people: the wire counts both, `happened` the events alone.
        people = log.number - len(log.happened) != before.number - len(before.happened)
        people = people or anew or log.stage != before.stage or log.proposal != before.proposal
        changed = {seat for seat, place in log.sealed.items() if log.happened[place].entry.n > before.length}
        for listener in self.attendance.listeners:
            if anew or log.number > before.number or listener.seat in changed:
                listener.wake(people)
            if listener.holder == log.host and speakers_of(log) != speakers_of(before):
                listener.wake(people=True)

    # --- Who is there

    def enter(self, listener: Listener) -> None:
        """Let a page listen; bots that play for nobody else begin to think."""
        self.attendance.enter(listener)
        self.bots.think(self)

    def leave(self, listener: Listener) -> None:
        """Let a page go."""
        self.attendance.leave(listener)

    def pages(self) -> Counter[str | None]:
        """Count the pages that are open by this process, by holder."""
        return self.attendance.here_by

    def wake_presence(self) -> None:
        """Let pages tell that somebody came or went by another process."""
        self.attendance.wake_soon()

    @property
    def lets_bots_play(self) -> bool:
        """Whether the game goes on, and for somebody: a person plays here, or looks on by whatever process."""
        if self.log.stage != PLAYING or self.log.is_paused or self.rooms.is_closing:
            return False
        has_players = any(sitting.entitled for sitting in self.log.seats)
        return has_players or any(self.attendance.pages_anywhere().values())


def log_unheard_error(task: asyncio.Task[None]) -> None:
    """Take the outcome of what nobody waits for any more; a problem was for whoever is gone, anything else is ours."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, SmaltiError):
        logger.error("an action failed after the page that asked for it was gone", exc_info=error)
