"""Who is at which table by other processes, and since when those who left are away.

Every process announces when a page comes or goes, and once a second that it is there. Its news are numbered: whoever
finds one missing asks for everything. A process that has been silent for as long as several of our own announcements
took to come back to us is gone, and its people with it; while we do not hear ourselves, nobody is forgotten.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

import msgspec

from smalti.server.herald import Herald
from smalti.server.keys import new_id
from smalti.server.timing import now

MOST_SILENT = 5  # of our own beats
MOST_LEFT = 5000  # people of whom we remember when they left

Pages = dict[str | None, int]  # by browser: how many of its pages are open; None: browsers without a seat anywhere


class Beat(msgspec.Struct, tag="beat"):
    """A process is there; this was the number of its latest news."""

    process: str
    n: int


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

    def tell_presence(self) -> None:
        """Tell everybody here that somebody came or went."""


class Peer:
    """What another process has told."""

    def __init__(self, n: int) -> None:
        self.n, self.silence = n, 0
        self.tables: dict[str, Pages] = {}

    def set(self, table: str, holder: str | None, pages: int) -> None:
        """Note how many pages of a browser are at a table."""
        at = self.tables.setdefault(table, {})
        at[holder] = pages
        if not pages:
            del at[holder]
        if not at:
            del self.tables[table]


class Whereabouts:
    """Who is where by other processes, and when who left did."""

    def __init__(self, herald: Herald, rooms: Mapping[str, Attended]) -> None:
        self.herald, self.rooms = herald, rooms  # those that are open here
        self.name, self.n = new_id(), 0
        self.peers: dict[str, Peer] = {}
        self.left: OrderedDict[tuple[str, str], tuple[float, bool]] = OrderedDict()  # when, and whether by this process

    async def start(self) -> None:
        """Begin to hear of the others, and to be heard."""
        await self.herald.follow(self.hear, lambda: encode(Beat(self.name, self.n)))
        self.announce(Ask(self.name, None))

    def stop(self) -> None:
        """Say goodbye."""
        self.announce(Gone(self.name))

    def announce(self, news: News) -> None:
        """Tell all other processes something."""
        self.herald.announce(encode(news))

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

    def left_at(self, table: str, holder: str) -> float | None:
        """Return when somebody left a table, if that is known."""
        return self.left.get((table, holder), (None,))[0]

    # --- What the others tell

    def hear(self, text: bytes) -> None:
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
        elif isinstance(news, Whole):
            self.replace(news)
        else:
            self.follow(news)

    def follow(self, news: Beat | Moved) -> None:
        """Take over one step of a process that we know, or ask for everything if we have missed something."""
        peer = self.peers.get(news.process)
        if peer is None or news.n > peer.n + isinstance(news, Moved):
            self.announce(Ask(self.name, news.process))
            return
        peer.silence = 0
        if isinstance(news, Moved) and news.n > peer.n:
            peer.n = news.n
            peer.set(news.table, news.holder, news.pages)
            self.changed(news.table, [] if news.pages else [news.holder])

    def whole(self) -> Whole:
        """Return everything that this process knows itself."""
        tables = {table: list(room.pages().items()) for table, room in list(self.rooms.items())}
        away = [(*whom, now() - at) for whom, (at, is_own) in self.left.items() if is_own]
        return Whole(self.name, self.n, {table: pages for table, pages in tables.items() if pages}, away)

    def replace(self, told: Whole) -> None:
        """Take over everything of a process, in place of what we thought."""
        before = self.peers.get(told.process, Peer(0)).tables
        peer = self.peers[told.process] = Peer(told.n)
        peer.tables = {table: dict(pages) for table, pages in told.tables.items()}
        for table, holder, ago in told.away:
            if now() - ago > (self.left_at(table, holder) or 0.0):
                self.note_left(table, holder, ago)
        self.compare(before, peer.tables)

    def forget_silent(self) -> None:
        """Forget the processes that have been silent for too long."""
        for peer in self.peers.values():
            peer.silence += 1
        for name in [name for name, peer in self.peers.items() if peer.silence > MOST_SILENT]:
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
            room.tell_presence()
