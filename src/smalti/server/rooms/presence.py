"""Who is at which table by other processes, and since when those who left are away.

Every process announces when a page comes or goes, and once a second that it is there: its heartbeat. News are numbered:
whoever finds one missing asks for everything. A process that has been silent for as long as several of our own
heartbeats took to come back to us is gone, and its people with it; while we do not hear ourselves, nobody is forgotten.

All processes go by one time: who starts takes it over from those that run, and who has fallen behind follows.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Protocol

import msgspec

from smalti.server.bus import Bus
from smalti.server.game_time import game_time, now
from smalti.server.keys import new_id

MOST_SILENT = 5  # of our own beats
SUSPICIOUS = 2  # of our own beats: whoever is silent for longer may stand still
DOUBT = 5  # of our own beats for which that is remembered; by then it has given its people their time back
HELLO = 2.0  # seconds in which other processes tell one that starts what time it is
LATE_NEWS = 1.0  # seconds that news may have been on their way
MOST_LEFT = 5000  # people of whom we remember when they left

Pages = dict[str | None, int]  # by browser: how many of its pages are open; None: browsers without a seat anywhere


class Beat(msgspec.Struct, tag="beat"):
    """A process is there; this was the number of its latest news."""

    process: str
    n: int
    at: float | None = None  # the time there; none while it starts itself


class Moved(msgspec.Struct, tag="moved"):
    """A page came or went: so many of that browser are at a table now."""

    process: str
    n: int
    table: str
    holder: str | None
    pages: int


class Whole(msgspec.Struct, tag="whole"):
    """Everything a process knows itself: pages by table, and for how many seconds who left is away."""

    process: str
    n: int
    tables: dict[str, list[tuple[str | None, int]]]
    away: list[tuple[str, str, float]]
    at: float | None = None  # the time there; none while it starts itself


class Ask(msgspec.Struct, tag="ask"):
    """A process wants to know everything of another one; None: of all."""

    process: str
    of: str | None


class Gone(msgspec.Struct, tag="gone"):
    """A process has ended."""

    process: str


News = Beat | Moved | Whole | Ask | Gone
encode = msgspec.json.Encoder().encode
decoder = msgspec.json.Decoder(News)


class Attended(Protocol):
    """A table with its pages by this process."""

    def pages(self) -> Pages:
        """Count the pages that are open here, by browser."""

    def wake_presence(self) -> None:
        """Let pages tell that somebody came or went by another process."""


class Peer:
    """What another process has told."""

    def __init__(self, n: int) -> None:
        self.n, self.silence, self.doubt = n, 0, 0
        self.heard = now()  # when it spoke last
        self.tables: dict[str, Pages] = {}

    def speaks(self) -> None:
        """Note that it is there."""
        self.silence, self.heard = 0, now()

    def wait(self) -> None:
        """Count one of our own beats in which it may have been silent."""
        self.silence += 1
        self.doubt = DOUBT if self.silence > SUSPICIOUS else max(0, self.doubt - 1)

    def set(self, table: str, holder: str | None, pages: int) -> None:
        """Note how many pages of a browser are at a table."""
        at = self.tables.setdefault(table, {})
        at[holder] = pages
        if not pages:
            del at[holder]
        if not at:
            del self.tables[table]


class RemotePresence:
    """Who is where by other processes, and when who left did."""

    def __init__(self, bus: Bus, rooms: Mapping[str, Attended]) -> None:
        self.bus, self.rooms = bus, rooms  # those that are open here
        self.name, self.n = new_id(), 0
        self.peers: dict[str, Peer] = {}
        self.left: OrderedDict[tuple[str, str], tuple[float, bool]] = OrderedDict()  # when, and whether by this process
        self.knows_time = asyncio.Event()
        self.newest = 0.0  # the latest time that another process has told
        self.lost: Callable[[Peer], None] = lambda peer: None  # hears of a process that is gone without a word

    async def start(self) -> None:
        """Begin to hear of the others, take over their time, and be heard."""
        await self.bus.subscribe_presence(self.receive, lambda: encode(Beat(self.name, self.n, self.time)))
        self.announce(Ask(self.name, None))
        if await self.bus.has_peers():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.knows_time.wait(), HELLO)
        self.knows_time.set()

    @property
    def time(self) -> float | None:
        """What time it is here, as far as we know."""
        return game_time.now() if self.knows_time.is_set() else None

    def follow_time(self, at: float | None) -> None:
        """Go by the time of the other processes."""
        if at is None:
            return
        self.newest = max(self.newest, at)
        if self.knows_time.is_set():
            game_time.hear(at)
        else:
            game_time.adopt(at)
            self.knows_time.set()

    def others_ran_after(self, moment: float) -> bool:
        """Say whether another process has told a later time than this one of ours."""
        return self.newest > moment + LATE_NEWS

    def stop(self) -> None:
        """Say goodbye."""
        self.announce(Gone(self.name))

    def announce(self, news: News) -> None:
        """Tell all other processes something."""
        self.bus.publish_presence(encode(news))

    # --- What happens here

    def moved(self, table: str, holder: str | None, pages: int) -> None:
        """Tell the others that a page came or went here."""
        self.n += 1
        self.announce(Moved(self.name, self.n, table, holder, pages))
        if holder is not None and not pages:
            self.note_left(table, holder, 0.0, is_own=True)

    def note_left(self, table: str, holder: str, ago: float, is_own: bool = False) -> None:
        """Remember that the last page of a browser was closed so many seconds ago."""
        self.left[table, holder] = now() - ago, is_own
        self.left.move_to_end((table, holder))
        if len(self.left) > MOST_LEFT:
            self.left.popitem(last=False)

    # --- What is known

    def pages(self, table: str) -> Iterator[tuple[str | None, int]]:
        """Return who is at a table by other processes, and with how many pages."""
        for peer in self.peers.values():
            yield from peer.tables.get(table, {}).items()

    def is_at(self, table: str, holder: str) -> bool:
        """Say whether somebody is at a table by another process."""
        return any(holder in peer.tables.get(table, {}) for peer in self.peers.values())

    def count(self, table: str) -> int:
        """Count the pages at a table by other processes."""
        return sum(sum(peer.tables.get(table, {}).values()) for peer in self.peers.values())

    def count_of(self, table: str, holder: str) -> int:
        """Count the pages of somebody at a table by other processes."""
        return sum(peer.tables.get(table, {}).get(holder, 0) for peer in self.peers.values())

    def is_in_doubt(self, table: str, holder: str) -> bool:
        """Say whether somebody is at a table by other processes, all of which stand still, as far as we can tell."""
        found = [peer for peer in self.peers.values() if holder in peer.tables.get(table, {})]
        return bool(found) and all(peer.doubt for peer in found)

    def left_at(self, table: str, holder: str) -> float | None:
        """Return when somebody left a table, if that is known."""
        return self.left.get((table, holder), (None,))[0]

    # --- What the others tell

    def receive(self, text: bytes) -> None:
        """Take over what a process tells, also this one: its own beats are the measure of silence."""
        news = decoder.decode(text)
        if news.process == self.name:
            if isinstance(news, Beat):
                self.forget_silent()
        elif isinstance(news, Ask):
            if news.of in (None, self.name):
                self.announce(self.whole())
        elif isinstance(news, Gone):
            self.forget(news.process)
        else:
            if not isinstance(news, Moved):
                self.follow_time(news.at)
            if isinstance(news, Whole):
                self.replace(news)
            else:
                self.follow(news)

    def follow(self, news: Beat | Moved) -> None:
        """Take over one step of a process that we know, or ask for everything if we have missed something."""
        peer = self.peers.get(news.process)
        if peer is None or news.n > peer.n + isinstance(news, Moved):
            self.announce(Ask(self.name, news.process))
            return
        peer.speaks()
        if isinstance(news, Moved) and news.n > peer.n:
            peer.n = news.n
            peer.set(news.table, news.holder, news.pages)
            self.changed(news.table, [] if news.pages else [news.holder])

    def whole(self) -> Whole:
        """Return everything that this process knows itself."""
        tables = {table: list(room.pages().items()) for table, room in list(self.rooms.items())}
        away = [(*whom, now() - at) for whom, (at, is_own) in self.left.items() if is_own]
        return Whole(self.name, self.n, {table: pages for table, pages in tables.items() if pages}, away, self.time)

    def replace(self, told: Whole) -> None:
        """Take over everything of a process, in place of what we thought."""
        known = self.peers.get(told.process, Peer(0))
        before, peer = known.tables, Peer(told.n)
        peer.doubt, self.peers[told.process] = known.doubt, peer
        peer.tables = {table: dict(pages) for table, pages in told.tables.items()}
        for table, holder, ago in told.away:
            if now() - ago > (self.left_at(table, holder) or 0.0):
                self.note_left(table, holder, ago)
        self.compare(before, peer.tables)

    def forget_silent(self) -> None:
        """Forget the processes that have been silent for too long."""
        for peer in self.peers.values():
            peer.wait()
        for name, peer in [(name, peer) for name, peer in self.peers.items() if peer.silence > MOST_SILENT]:
            self.lost(peer)
            self.forget(name)

    def forget(self, process: str) -> None:
        """Forget a process: its people are away from now on."""
        peer = self.peers.pop(process, None)
        if peer:
            self.compare(peer.tables, {})

    def compare(self, before: dict[str, Pages], after: dict[str, Pages]) -> None:
        """Tell the tables at which somebody came or went."""
        for table in before.keys() | after.keys():
            was, is_now = before.get(table, {}), after.get(table, {})
            if was != is_now:
                self.changed(table, [holder for holder in was if holder not in is_now])

    def changed(self, table: str, gone: Iterable[str | None]) -> None:
        """Note who left a table, and tell those who look at it here."""
        for holder in gone:
            if holder is not None:
                self.note_left(table, holder, 0.0)
        room = self.rooms.get(table)
        if room:
            room.wake_presence()
