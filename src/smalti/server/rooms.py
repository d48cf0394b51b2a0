"""Rooms: tables that somebody looks at or plays at in this process.

Whatever happens goes through `Room.happen`: tried on a copy of the log, stored, and only then told. If another
process was first, the room catches up and tries again. A table has one room in a process as long as anybody holds it,
however small the cache; what another process has stored is learned by the bus, and by a look at the database where its
message was lost.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol, TypeVar
from weakref import WeakValueDictionary

import msgspec

from smalti.engine.errors import BadInput, SmaltiError, shown
from smalti.server.clocks import check_time
from smalti.server.entries import FORK, GATHERING, OVER, PLAYING, Entry, Facts
from smalti.server.herald import Herald
from smalti.server.line.buckets import Buckets
from smalti.server.log import Log, is_secret
from smalti.server.messages import Presence
from smalti.server.problems import Problem
from smalti.server.readiness import Readiness
from smalti.server.recent import Recent
from smalti.server.replaying import THREAD, extend
from smalti.server.settings import Settings
from smalti.server.speech import ADDRESS_PACE, talk_after
from smalti.server.store import Conflict, Newest, NotStored, Store, Write, row_of
from smalti.server.tasks import ended, supervised
from smalti.server.telling import Scene, speakers_of, table_of
from smalti.server.thinking import Crowded, Overtaken, Thinkers
from smalti.server.timing import now
from smalti.server.whereabouts import Whereabouts

logger = logging.getLogger(__name__)
ATTEMPTS = 20
RETRY_SECONDS = 1.0
SWEEP = 3.0  # seconds between two looks whether the database has more than the open rooms
MOST_RENDERED = 32  # messages about one state that are kept for those who ask for the same
MOST_TALKS = 8  # the same of what was said, which can be long
MOST_EVENTS = 1000  # of a game that is taken over or told in one message; real ones have a tenth
AT_ONCE = 25  # pages that are told what was said before others have their turn
USUAL_EVENTS = 100  # of a game in memory that weighs as one
COSTS = {"clear": 3, "silence": 3}  # in things beside the game: pages are told more by these
PRESENCE_PAUSE = 1.0  # seconds between two tellings of who is there
encode = msgspec.json.Encoder().encode

Decide = Callable[[Log], list[Entry]]  # lets something happen on a copy of the log and returns its entries
Mend = Callable[["Room"], Awaitable[None]]  # gives a table back, when it is read, what nobody could use
Key = TypeVar("Key")
Stored = Callable[["Room", Log, list[Entry]], None]  # hears what this process has stored, and the log before it


async def nothing_lost(room: Room) -> None:
    """Mend nothing: time was there for everybody."""


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

    def show_out(self) -> None:
        """The table is not there any more."""


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


def check_not_final(log: Log, seat: int) -> None:
    """Refuse to change what a bot has decided for a seat; everybody has been told its seal."""
    if seat in log.sealed and seat not in log.match.acting and log.happened[log.sealed[seat]].final:
        raise Problem("turn")


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
        self.talks: dict[tuple[bool, int], str] = {}
        self.here_by: Counter[str | None] = Counter()  # pages that are open by this process, by holder
        self.presence_rendered: str | None = None
        self.people_rendered: dict[str | None, str] = {}
        self.presence_due: asyncio.TimerHandle | None = None
        self.presence_told = 0.0
        self.opened = now()

    # --- What happens

    async def happen(self, decide: Decide, by: str | None = None) -> None:
        """Let something happen, to the end, even if whoever asked for it (`by`, a browser) is gone meanwhile."""
        task = asyncio.ensure_future(self.happen_to_the_end(decide, by))
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.add_done_callback(note_unheard)
            raise
        task.result()

    async def happen_to_the_end(self, decide: Decide, by: str | None) -> None:
        """Let something happen: on a copy first, then stored, then told."""
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
                    await self.rooms.store.write(written(self.log, twin, entries))
                except Conflict:
                    await self.catch_up()
                    continue
                except NotStored as error:
                    logger.error("%s: %s", self.log.facts.id, error)
                    raise Problem("stored") from error
                before = self.log
                self.move_on(twin)
                self.rooms.metrics.count_moves(self.log.facts.game, entries)
                self.rooms.herald.tell(self.log.facts.id)
                self.rooms.stored(self, before, entries)
                return
        raise Problem("many", seconds=1)

    def check_rate(self, by: str, entries: Iterable[Entry], is_new: bool) -> None:
        """Limit what one person does at a table beside the game, such as changing a bid; moves end by themselves."""
        counted = (made for made in entries if made.kind not in ("play", "seal") or not is_new)
        beside = sum(COSTS.get(made.kind, 1) for made in counted)
        if beside:
            self.rooms.beside.spend(f"{self.log.facts.id} {by}", beside)

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
                self.move_on(await self.rooms.read(self.log.facts.id), anew=True)
            elif newest.n > self.log.length:
                await self.catch_up()

    def move_on(self, log: Log, anew: bool = False) -> None:
        """Replace the log by a longer one, or by one that was changed from outside, and tell everybody."""
        before, self.log, self.scene, self.rendered = self.log, log, Scene(log), {}
        self.people_rendered, self.presence_rendered = {}, None
        # What is no event of the game is about people: the wire counts both, `happened` the events alone.
        people = log.number - len(log.happened) != before.number - len(before.happened)
        people = people or anew or log.stage != before.stage or log.proposal != before.proposal
        changed = {seat for seat, place in log.sealed.items() if log.happened[place].entry.n > before.length}
        for listener in self.listeners:
            if anew or log.number > before.number or listener.seat in changed:
                listener.wake(people)
            if listener.holder == log.host and speakers_of(log) != speakers_of(before):
                listener.wake(people=True)
        if log.words is not before.words:
            self.talks = {}
            self.wake_talk([one for one in self.listeners if log.talk(one.is_seated) is not before.talk(one.is_seated)])
        self.rooms.tell_watchers(self)
        self.think()

    def wake_talk(self, pages: list[Listener]) -> None:
        """Let pages tell what was said, some after the others: it can be long, and nobody else is to wait for it."""
        for page in pages[:AT_ONCE]:
            page.wake_talk()
        if len(pages) > AT_ONCE:
            asyncio.get_running_loop().call_soon(self.wake_talk, pages[AT_ONCE:])

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
            check_not_final(log, seat)
            try:
                return [*seal_entries(log, seat, do, nonce), entry(log, "play", seat, do, message)]
            except BadInput as error:
                raise Problem("notation", do=shown(do)) from error

        await self.happen(decide, holder)

    # --- What is told

    def state(self, seat: int | None, number: int) -> str:
        """Return the message that tells an audience what it does not know; made once for all who know the same."""
        known = max(number, self.log.number - MOST_EVENTS)  # no page needs more, and all would be told it
        return kept(self.rendered, (seat, known), MOST_RENDERED, lambda: self.scene.state(seat, known))

    def talk(self, seated: bool, number: int) -> str:
        """Return the message that tells a side what was said after a number; made once for all who know the same."""
        side = self.log.talk(seated)
        return kept(self.talks, (seated, number), MOST_TALKS, lambda: talk_after(side, number))

    def people(self, holder: str | None) -> str:
        """Return the message that tells a browser of the people; made once for all who are strangers to the table."""
        known = holder if self.log.has_played(holder) else None
        if known not in self.people_rendered:
            told = table_of(self.log, known, self.here(), self.watching())
            self.people_rendered[known] = encode(told).decode()
        return self.people_rendered[known]

    def presence(self) -> str:
        """Return the message that tells who is connected; made once for all, however many there are."""
        if self.presence_rendered is None:
            told = Presence(self.here(), self.watching(), self.absent(), self.absent_in(self.log.host))
            self.presence_rendered = encode(told).decode()
        return self.presence_rendered

    # --- Who is there

    def enter(self, listener: Listener) -> None:
        """Let a page listen."""
        self.listeners.add(listener)
        self.here_by[listener.holder] += 1
        self.came_or_went(listener.holder)
        self.think()

    def leave(self, listener: Listener) -> None:
        """Let a page go."""
        self.listeners.discard(listener)
        self.here_by[listener.holder] -= 1
        if not self.here_by[listener.holder]:
            del self.here_by[listener.holder]
        self.came_or_went(listener.holder)

    def came_or_went(self, holder: str | None) -> None:
        """Tell everybody, also by other processes, that a page of somebody came or went."""
        self.rooms.whereabouts.moved(self.log.facts.id, holder, self.here_by[holder])
        self.tell_presence()

    def pages(self) -> Counter[str | None]:
        """Count the pages that are open by this process, by holder."""
        return self.here_by

    def pages_anywhere(self) -> dict[str | None, int]:
        """Count the pages that are open by any process, by holder."""
        found = self.here_by.copy()
        for holder, count in self.rooms.whereabouts.pages(self.log.facts.id):
            found[holder] += count
        return found

    def is_connected(self, holder: str) -> bool:
        """Say whether a browser has this table open, by whatever process."""
        return holder in self.here_by or self.rooms.whereabouts.is_at(self.log.facts.id, holder)

    def tell_presence(self) -> None:
        """Tell everybody that somebody came or went, now or when it was told a moment ago."""
        self.presence_rendered, self.people_rendered = None, {}
        if self.presence_due is None:
            loop = asyncio.get_running_loop()
            pause = max(0.0, self.presence_told + PRESENCE_PAUSE - loop.time())
            self.presence_due = loop.call_later(pause, self.wake_for_presence)

    def wake_for_presence(self) -> None:
        """Let all pages tell who is there."""
        self.presence_due, self.presence_told = None, asyncio.get_running_loop().time()
        self.presence_rendered = None  # it holds seconds that have passed meanwhile
        for listener in self.listeners:
            listener.wake_presence()

    def here(self) -> list[bool]:
        """Say for each seat whether its person is connected; bots always are."""
        return [
            sitting.kind == "bot" or (sitting.holder is not None and self.is_connected(sitting.holder))
            for sitting in self.log.seats
        ]

    def is_looked_at(self, holder: str) -> bool:
        """Say whether a browser has this table in sight."""
        return any(listener.holder == holder and listener.is_looking for listener in self.listeners)

    def absent(self, log: Log | None = None) -> list[float | None]:
        """Say for each seat in how many seconds its person counts as absent; None for who is here, and for bots.

        Where there are clocks nobody counts as absent: the clock says what happens.
        """
        found = log or self.log
        if found.clocks is not None:
            return [None] * len(found.seats)
        return [self.absent_in(sitting.holder) if sitting.kind == "person" else None for sitting in found.seats]

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
        elsewhere = self.rooms.whereabouts
        pages = self.here_by.total() + elsewhere.count(self.log.facts.id)
        players = {sitting.holder for sitting in self.log.seats if sitting.holder}
        return pages - sum(self.here_by[one] + elsewhere.count_of(self.log.facts.id, one) for one in players)

    # --- Bots

    def think(self) -> None:
        """Let the bots that must act think, each once."""
        if self.log.stage != PLAYING or self.log.is_paused or self.rooms.is_closing or not self.has_people:
            return
        for seat in self.log.acting:
            if self.log.seats[seat].kind == "bot" and seat not in self.thinking:
                self.thinking[seat] = asyncio.create_task(self.let_bot_act(seat))

    @property
    def has_people(self) -> bool:
        """Whether a person plays here, or looks on by whatever process: bots play for nobody else."""
        return any(sitting.entitled for sitting in self.log.seats) or any(self.pages_anywhere().values())

    def waits_for_bot(self, seat: int, asked: int) -> bool:
        """Say whether the bot on a seat still has to make the decision of that number."""
        log = self.log
        is_asked = log.stage == PLAYING and not log.is_paused and seat in log.acting and log.asked[seat] == asked
        return is_asked and log.seats[seat].kind == "bot" and self.has_people

    async def play_for_bot(self, seat: int, do: str, number: int) -> None:
        """Let a bot act, unless the table has moved on from what it thought about."""
        if self.log.ended or self.log.is_paused or self.log.seats[seat].kind != "bot" or number < self.log.asked[seat]:
            raise Overtaken
        await self.play(seat, do, number)

    async def let_bot_act(self, seat: int) -> None:
        """Let a bot choose, after a moment, and act through the same door as everybody."""
        log = self.log
        is_wanted = partial(self.waits_for_bot, seat, log.asked[seat])
        try:
            chosen, _ = await asyncio.gather(
                self.rooms.thinkers.choose(log, seat, is_wanted=is_wanted),
                asyncio.sleep(self.rooms.settings.bot_pause),
            )
            await self.play_for_bot(seat, chosen, log.asked[seat])
        except Overtaken:
            pass  # somebody went back, came back or gave up meanwhile
        except Crowded:
            await asyncio.sleep(RETRY_SECONDS)  # the others have their turn first
        except Exception as error:
            if is_wanted():  # else another process was first
                known = isinstance(error, SmaltiError)
                logger.warning("%s, bot on seat %d: %s", log.facts.id, seat, error, exc_info=None if known else error)
                await asyncio.sleep(RETRY_SECONDS)  # a full disk or a dead process may have been mended by then
        finally:
            del self.thinking[seat]
        self.think()


def kept(known: dict[Key, str], key: Key, most: int, make: Callable[[], msgspec.Struct]) -> str:
    """Return a message that is known, or make it and forget the oldest one where there are too many."""
    if key not in known:
        if len(known) >= most:
            known.pop(next(iter(known)))
        known[key] = encode(make()).decode()
    return known[key]


def note_unheard(task: asyncio.Task[None]) -> None:
    """Take the outcome of what nobody waits for any more; a problem is for whoever is gone, anything else is ours."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, SmaltiError):
        logger.error("what somebody asked for who is gone", exc_info=error)


def built(facts: Facts, decide: Decide) -> tuple[Log, list[Entry]]:
    """Return the log of a new table with its first entries."""
    log = Log(facts)
    entries = decide(log)
    return log, entries + log.chance_entries(entries[-1].at)


def weight_of(log: Log) -> float:
    """Return how much memory a log takes, in usual games."""
    return max(1.0, len(log.happened) / USUAL_EVENTS)


def written(before: Log, after: Log, entries: list[Entry]) -> Write:
    """Return what has to be stored for a log to move on."""
    write = Write(after.facts.id, entries)
    if after.stage != before.stage:
        write.changes["stage"] = after.stage
    if after.stage == OVER and before.stage != OVER:
        write.changes |= {"ended": after.last, "finders": after.finders}
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

    def __init__(
        self,
        store: Store,
        herald: Herald,
        thinkers: Thinkers,
        settings: Settings,
        ready: Readiness | None = None,  # without it everything is
    ) -> None:
        self.store, self.herald, self.thinkers, self.settings = store, herald, thinkers, settings
        self.metrics = store.metrics
        self.ready = ready or Readiness.complete()
        self.open: WeakValueDictionary[str, Room] = WeakValueDictionary()  # everyone that somebody holds
        self.recent: Recent[Room] = Recent(settings.cached_rooms)  # kept for those who come next
        self.whereabouts = Whereabouts(herald, self.open)
        self.sweeper: asyncio.Task[None] | None = None
        self.loading: dict[str, asyncio.Task[Room]] = {}
        self.beside = Buckets(settings.beside_a_minute / 60, settings.beside_a_minute)
        self.asks = Buckets(settings.asks_a_minute / 60, settings.asks_a_minute)
        self.voices = Buckets(ADDRESS_PACE.words / ADDRESS_PACE.seconds, ADDRESS_PACE.words)
        self.stored: Stored = lambda room, before, entries: None
        self.mend: Mend = nothing_lost
        self.is_closing = False
        self.watchers: list[Callable[[Room], None]] = []  # who want to know of every table that moves on

    def tell_watchers(self, room: Room) -> None:
        """Tell who wants to know that a table has been opened or has moved on."""
        for watch in self.watchers:
            watch(room)

    async def find(self, match: str) -> Room:
        """Return the room of a table, replayed from its log if nobody was there."""
        room = self.open.get(match)
        if room is not None:
            return self.remembered(room)
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
            if is_other or (newest and room.listeners and room.is_behind(newest)):
                await room.follow(newest)

    async def load(self, match: str) -> Room:
        """Replay a table's log."""
        try:
            room = Room(self, await self.read(match))
            await self.mend(room)
            return self.keep(room)
        finally:
            del self.loading[match]

    async def read(self, match: str) -> Log:
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

    def keep(self, room: Room) -> Room:
        """Remember a room, once, and forget the ones that nobody has looked at for longest."""
        room = self.open.setdefault(room.log.facts.id, room)
        self.tell_watchers(room)
        return self.remembered(room)

    def remembered(self, room: Room) -> Room:
        """Keep a room for those who come next, and let go of the one that nobody has asked for for longest.

        Letting go ends nothing: whoever is in a room, thinks or writes in it still holds it, and is found there.
        """
        self.recent.keep(room.log.facts.id, room, weight_of(room.log))
        return room

    def forget(self, room: Room) -> None:
        """Let go of a table that was deleted, and show everybody the door."""
        name = room.log.facts.id
        self.recent.forget(name)
        if self.open.get(name) is room:
            del self.open[name]
        for listener in list(room.listeners):
            listener.show_out()

    async def make(self, facts: Facts, listed: bool, decide: Decide) -> Room:
        """Make a new table with its first entries."""
        self.ready.check(facts.game)
        if facts.origin == FORK:  # a whole game has to be replayed
            log, entries = await asyncio.get_running_loop().run_in_executor(THREAD, built, facts, decide)
        else:
            log, entries = built(facts, decide)
        if not await self.put(log, entries, listed):
            return await self.find(facts.id)  # made already
        room = self.keep(Room(self, log))
        room.think()
        self.stored(room, Log(facts), entries)
        return room

    async def put(self, log: Log, entries: list[Entry], listed: bool = False) -> bool:
        """Store a new table, without a room for it; returns whether it was not there before."""
        write = written(Log(log.facts), log, entries)
        write.made = row_of(log.facts, listed and log.in_lobby)
        try:
            await self.store.write(write)
        except Conflict:
            return False
        except NotStored as error:
            logger.error("a new table: %s", error)
            raise Problem("stored") from error
        return True

    async def heard(self, match: str) -> None:
        """Another process has let something happen."""
        if match in self.loading:
            await asyncio.wait([self.loading[match]])
        room = self.open.get(match)
        if room:
            with suppress_away():  # the sweep makes up for it
                async with room.lock:
                    await room.catch_up()

    async def missed(self) -> None:
        """Messages of other processes may have been lost: look at the database at once."""
        with suppress_away():
            await self.sweep()

    async def stop(self) -> None:
        """Let no bot act any more, nor begin to think about what is still being stored."""
        self.is_closing = True
        self.whereabouts.stop()
        await ended(self.sweeper, *(task for room in self.open.values() for task in room.thinking.values()))


UNREADABLE = ("table.gone", "table.rules", "table.compiling")


@contextmanager
def suppress_away() -> Iterator[None]:
    """Go on with what is known while the database does not answer."""
    try:
        yield
    except Problem as problem:
        if problem.reason != "table.away":
            raise
