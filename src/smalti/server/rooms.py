"""Rooms: tables that somebody looks at or plays at in this process.

Whatever happens goes through `Room.happen`: tried on a copy of the log, stored, and only then told. If another
process was first, the room catches up and tries again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from smalti import games
from smalti.engine.errors import BadInput, SmaltiError, shown
from smalti.server.clocks import check_time
from smalti.server.entries import GATHERING, OVER, PLAYING, Entry, Facts
from smalti.server.herald import Herald
from smalti.server.log import Log, is_secret
from smalti.server.problems import Problem
from smalti.server.settings import Settings
from smalti.server.store import Conflict, NotStored, Store, Write, row_of
from smalti.server.telling import Scene
from smalti.server.thinking import Thinkers
from smalti.server.timing import now
from smalti.server.whereabouts import Whereabouts

logger = logging.getLogger(__name__)
ATTEMPTS = 20
RETRY_SECONDS = 1.0
encode = msgspec.json.Encoder().encode

Decide = Callable[[Log], list[Entry]]  # lets something happen on a copy of the log and returns its entries
Stored = Callable[["Room", Log, list[Entry]], None]  # hears what this process has stored, and the log before it


class Listener(Protocol):
    """A page that is connected."""

    holder: str | None
    seat: int | None  # whose eyes it looks with
    is_looking: bool  # in sight, not behind other pages

    @property
    def is_seated(self) -> bool:
        """Whether this browser has a seat."""

    def wake(self, people: bool) -> None:
        """Something has changed; people too, or only the game."""

    def wake_presence(self) -> None:
        """Somebody came or went."""

    def wake_talk(self) -> None:
        """Somebody has said something."""


def entry(log: Log, kind: str, seat: int | None, body: Any, message: str | None = None) -> Entry:
    """Let something happen on a log, and return its entry."""
    text = body if kind == "play" else encode(body).decode()
    made = Entry(log.length + 1, now(), kind, seat, text, message)
    log.apply(made)
    return made


def seal_entries(log: Log, seat: int, do: str, nonce: str | None) -> list[Entry]:
    """Note what a page adds to the seal of its decision, if it is made under seal."""
    is_sealed = nonce is not None and (seat in log.sealed or is_secret(log.match, seat, do))
    return [entry(log, "seal", seat, {"nonce": nonce})] if is_sealed and log.facts.terms.fair else []


class Room:
    """A table with those who look at it."""

    def __init__(self, rooms: Rooms, log: Log) -> None:
        self.rooms = rooms
        self.log = log
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.thinking: dict[int, asyncio.Task[None]] = {}
        self.scene = Scene(log)
        self.rendered: dict[tuple[int | None, int], str] = {}
        self.opened = now()

    # --- What happens

    async def happen(self, decide: Decide) -> None:
        """Let something happen, to the end, even if whoever asked for it is gone meanwhile."""
        await asyncio.shield(asyncio.ensure_future(self.happen_to_the_end(decide)))

    async def happen_to_the_end(self, decide: Decide) -> None:
        """Let something happen: on a copy first, then stored, then told."""
        async with self.lock:
            for _ in range(ATTEMPTS):
                twin = self.log.copy()
                entries = decide(twin)
                if not entries:
                    return
                entries += twin.chance_entries(entries[-1].at)
                try:
                    await self.rooms.store.write(written(self.log, twin, entries))
                except Conflict:
                    await self.catch_up()
                    continue
                except NotStored as error:
                    logger.error("%s: %s", self.log.facts.id, error)
                    raise Problem("stored") from error
                before = self.log
                self.move_on(twin)
                self.rooms.herald.tell(self.log.facts.id)
                self.rooms.stored(self, before, entries)
                return
        raise Problem("many")

    async def catch_up(self) -> None:
        """Take over what other processes have stored."""
        missing = await self.rooms.store.entries(self.log.facts.id, self.log.length)
        if missing:
            twin = self.log.copy()
            twin.extend(missing)
            self.move_on(twin)

    def move_on(self, log: Log) -> None:
        """Replace the log by a longer one and tell everybody."""
        before, self.log, self.scene, self.rendered = self.log, log, Scene(log), {}
        people = log.number - len(log.happened) != before.number - len(before.happened)
        people = people or log.stage != before.stage or log.proposal != before.proposal
        changed = {seat for seat, place in log.sealed.items() if log.happened[place].entry.n > before.length}
        for listener in self.listeners:
            if log.number > before.number or listener.seat in changed:
                listener.wake(people)
            if len(log.talk(listener.is_seated)) > len(before.talk(listener.is_seated)):
                listener.wake_talk()
        self.rooms.tell_watchers(self)
        self.think()

    async def play(
        self,
        seat: int,
        do: str,
        number: int,
        message: str | None = None,
        holder: str | None = None,
        nonce: str | None = None,
    ) -> None:
        """Let a seat act, in answer to the state of that number; bots have no holder, and no nonce for a seal."""

        def decide(log: Log) -> list[Entry]:
            if log.seats[seat].holder != holder:
                raise Problem("not-yours")
            if message and (seat, message) in log.ids:
                return []  # sent twice
            if log.stage == GATHERING:
                raise Problem("turn")
            if log.ended:
                raise Problem("over")
            if number < log.asked[seat]:
                raise Problem("stale")
            check_time(log.clocks, seat, now())
            try:
                return [*seal_entries(log, seat, do, nonce), entry(log, "play", seat, do, message)]
            except BadInput as error:
                raise Problem("notation", do=shown(do)) from error

        await self.happen(decide)

    # --- What is told

    def state(self, seat: int | None, number: int) -> str:
        """Return the message that tells an audience what it does not know; made once for all who know the same."""
        key = (seat, number)
        if key not in self.rendered:
            self.rendered[key] = encode(self.scene.state(seat, number)).decode()
        return self.rendered[key]

    def enter(self, listener: Listener) -> None:
        """Let a page listen."""
        self.listeners.add(listener)
        self.came_or_went(listener.holder)
        self.think()

    def leave(self, listener: Listener) -> None:
        """Let a page go."""
        self.listeners.discard(listener)
        self.came_or_went(listener.holder)

    def came_or_went(self, holder: str | None) -> None:
        """Tell everybody, also by other processes, that a page of somebody came or went."""
        pages = sum(listener.holder == holder for listener in self.listeners)
        self.rooms.whereabouts.moved(self.log.facts.id, holder, pages)
        self.tell_presence()

    def pages(self) -> Counter[str | None]:
        """Count the pages that are open by this process, by holder."""
        return Counter(listener.holder for listener in self.listeners)

    def pages_anywhere(self) -> dict[str | None, int]:
        """Count the pages that are open by any process, by holder."""
        found = self.pages()
        for holder, count in self.rooms.whereabouts.pages(self.log.facts.id):
            found[holder] += count
        return found

    def is_connected(self, holder: str) -> bool:
        """Say whether a browser has this table open, by whatever process."""
        elsewhere = self.rooms.whereabouts.pages(self.log.facts.id)
        return any(listener.holder == holder for listener in self.listeners) or any(
            holder == one for one, _ in elsewhere
        )

    def tell_presence(self) -> None:
        """Tell everybody that somebody came or went."""
        for listener in self.listeners:
            listener.wake_presence()

    def here(self) -> list[bool]:
        """Say for each seat whether its person is connected; bots always are."""
        holders = self.pages_anywhere().keys() - {None}
        return [sitting.kind == "bot" or sitting.holder in holders for sitting in self.log.seats]

    def is_looked_at(self, holder: str) -> bool:
        """Say whether a browser has this table in sight."""
        return any(listener.holder == holder and listener.is_looking for listener in self.listeners)

    def absent(self, log: Log | None = None) -> list[float | None]:
        """Say for each seat in how many seconds its person counts as absent; None for who is here, and for bots."""
        seats = (log or self.log).seats
        return [self.absent_in(sitting.holder) if sitting.kind == "person" else None for sitting in seats]

    def absent_in(self, holder: str | None) -> float | None:
        """Say in how many seconds somebody counts as absent; None for who is here."""
        if holder is None or self.is_connected(holder):
            return None
        left = self.rooms.whereabouts.left_at(self.log.facts.id, holder)
        return max(0.0, (self.opened if left is None else left) + self.rooms.settings.grace - now())

    def is_absent(self, log: Log, seat: int) -> bool:
        """Say whether a seat's person has been away for longer than the grace time."""
        return self.absent(log)[seat] == 0

    def watching(self) -> int:
        """Count the onlookers."""
        return sum(pages for holder, pages in self.pages_anywhere().items() if not self.log.held_by(holder))

    # --- Bots

    def think(self) -> None:
        """Let the bots that must act think, each once."""
        if self.log.stage != PLAYING or self.log.is_paused or self.rooms.is_closing:
            return
        for seat in self.log.acting:
            if self.log.seats[seat].kind == "bot" and seat not in self.thinking:
                self.thinking[seat] = asyncio.create_task(self.let_bot_act(seat))

    async def play_for_bot(self, seat: int, do: str, number: int) -> None:
        """Let a bot act, unless the table has moved on from what it thought about."""
        if self.log.ended or self.log.is_paused or self.log.seats[seat].kind != "bot" or number < self.log.asked[seat]:
            raise Overtaken
        await self.play(seat, do, number)

    async def let_bot_act(self, seat: int) -> None:
        """Let a bot choose, after a moment, and act through the same door as everybody."""
        log = self.log
        try:
            chosen, _ = await asyncio.gather(
                self.rooms.thinkers.choose(log, seat), asyncio.sleep(self.rooms.settings.bot_pause)
            )
            await self.play_for_bot(seat, chosen, log.asked[seat])
        except Overtaken:
            pass  # somebody went back, came back or gave up meanwhile
        except Exception as error:
            known = isinstance(error, SmaltiError)
            logger.warning("%s, bot on seat %d: %s", log.facts.id, seat, error, exc_info=None if known else error)
            await asyncio.sleep(RETRY_SECONDS)  # a full disk or a dead process may have been mended by then
        finally:
            del self.thinking[seat]
        self.think()


class Overtaken(SmaltiError):
    """What a bot has thought about is not there any more."""


def written(before: Log, after: Log, entries: list[Entry]) -> Write:
    """Return what has to be stored for a log to move on."""
    write = Write(after.facts.id, entries)
    if after.stage != before.stage:
        write.changes["stage"] = after.stage
    if after.stage == OVER and before.stage != OVER:
        write.changes["ended"] = after.last
    if after.in_lobby != before.in_lobby:
        write.changes["listed"] = after.in_lobby
    if after.due != before.due:
        write.changes["due"] = after.due
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if old.people != new.people:
            write.held[seat] = new.people
    return write


class Rooms:
    """All rooms of this process."""

    def __init__(self, store: Store, herald: Herald, thinkers: Thinkers, settings: Settings) -> None:
        self.store, self.herald, self.thinkers, self.settings = store, herald, thinkers, settings
        self.open: OrderedDict[str, Room] = OrderedDict()
        self.whereabouts = Whereabouts(herald, self.open)
        self.loading: dict[str, asyncio.Task[Room]] = {}
        self.stored: Stored = lambda room, before, entries: None
        self.is_closing = False
        self.watchers: list[Callable[[Room], None]] = []  # who want to know of every table that moves on

    def tell_watchers(self, room: Room) -> None:
        """Tell who wants to know that a table has been opened or has moved on."""
        for watch in self.watchers:
            watch(room)

    async def find(self, match: str) -> Room:
        """Return the room of a table, replayed from its log if nobody was there."""
        if match in self.open:
            self.open.move_to_end(match)
            return self.open[match]
        if not match.isprintable():
            raise Problem("gone")
        if match not in self.loading:
            self.loading[match] = asyncio.create_task(self.load(match))
        return await asyncio.shield(self.loading[match])

    async def load(self, match: str) -> Room:
        """Replay a table's log."""
        try:
            log = await self.read(match)
            return self.keep(Room(self, log))
        finally:
            del self.loading[match]

    async def read(self, match: str) -> Log:
        """Read a table's log; other rules than ours cannot be replayed."""
        try:
            log = await self.store.log(match)
        except SmaltiError as error:
            logger.error("%s cannot be replayed: %s", match, error)
            raise Problem("rules") from error
        if log is None:
            raise Problem("gone")
        if log.facts.rules != games.find(log.facts.game).version:
            raise Problem("rules")
        return log

    def keep(self, room: Room) -> Room:
        """Remember a room, once, and forget the ones that nobody has looked at for longest."""
        room = self.open.setdefault(room.log.facts.id, room)
        self.tell_watchers(room)
        spare = len(self.open) - self.settings.cached_rooms
        if spare > 0:
            idle = [name for name, found in self.open.items() if not found.listeners and not found.thinking]
            for name in idle[:spare]:
                del self.open[name]
        return room

    async def make(self, facts: Facts, listed: bool, decide: Decide) -> Room:
        """Make a new table with its first entries."""
        log = Log(facts)
        entries = decide(log)
        entries += log.chance_entries(entries[-1].at)
        write = written(Log(facts), log, entries)
        write.made = row_of(facts, listed and log.in_lobby)
        try:
            await self.store.write(write)
        except Conflict:
            return await self.find(facts.id)  # made already
        except NotStored as error:
            logger.error("a new table: %s", error)
            raise Problem("stored") from error
        room = self.keep(Room(self, log))
        room.think()
        self.stored(room, Log(facts), entries)
        return room

    async def heard(self, match: str) -> None:
        """Another process has let something happen."""
        if match in self.loading:
            await asyncio.wait([self.loading[match]])
        room = self.open.get(match)
        if room:
            async with room.lock:
                await room.catch_up()

    async def stop(self) -> None:
        """Let no bot act any more, nor begin to think about what is still being stored."""
        self.is_closing = True
        self.whereabouts.stop()
        tasks = [task for room in self.open.values() for task in room.thinking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
