"""Who is at one table: its pages in this process, those that other processes have, and who is away for how long."""

from __future__ import annotations

import asyncio
from collections import Counter

from smalti.server.game_time import now
from smalti.server.rooms.listener import Listener
from smalti.server.rooms.presence import RemotePresence
from smalti.server.table.log import Log

PRESENCE_PAUSE = 1.0  # seconds between two times that pages are told who is there
AT_ONCE = 25  # pages that are told what was said before others have their turn


class Attendance:
    """The pages that are open at a table."""

    def __init__(self, table: str, elsewhere: RemotePresence, grace: float) -> None:
        self.table, self.elsewhere, self.grace = table, elsewhere, grace
        self.listeners: set[Listener] = set()
        self.here_by: Counter[str | None] = Counter()  # pages that are open by this process, by holder
        self.version = 0  # goes up when what was said about who is there is not true any more
        self.wake_due: asyncio.TimerHandle | None = None
        self.woken = 0.0  # when pages were told last
        self.opened = now()

    # --- Coming and going

    def enter(self, listener: Listener) -> None:
        """Let a page listen."""
        self.listeners.add(listener)
        self.here_by[listener.holder] += 1
        self.announce(listener.holder)

    def leave(self, listener: Listener) -> None:
        """Let a page go."""
        self.listeners.discard(listener)
        self.here_by[listener.holder] -= 1
        if not self.here_by[listener.holder]:
            del self.here_by[listener.holder]
        self.announce(listener.holder)

    def announce(self, holder: str | None) -> None:
        """Tell everybody, also by other processes, that a page of somebody came or went."""
        self.elsewhere.moved(self.table, holder, self.here_by[holder])
        self.wake_soon()

    # --- Waking pages

    def wake_soon(self) -> None:
        """Let pages tell that somebody came or went: now, or a second after they did so last."""
        self.version += 1
        if self.wake_due is None:
            loop = asyncio.get_running_loop()
            pause = max(0.0, self.woken + PRESENCE_PAUSE - loop.time())
            self.wake_due = loop.call_later(pause, self.wake)

    def wake(self) -> None:
        """Let all pages tell who is there, and for how many seconds the others are away by now."""
        self.wake_due, self.woken = None, asyncio.get_running_loop().time()
        self.version += 1
        for listener in self.listeners:
            listener.wake_presence()

    def wake_chat(self, pages: list[Listener]) -> None:
        """Let pages tell what was said, some after the others: it can be long, and nobody else is to wait for it."""
        for page in pages[:AT_ONCE]:
            page.wake_chat()
        if len(pages) > AT_ONCE:
            asyncio.get_running_loop().call_soon(self.wake_chat, pages[AT_ONCE:])

    # --- Who is there

    def pages_anywhere(self) -> dict[str | None, int]:
        """Count the pages that are open by any process, by holder."""
        found = self.here_by.copy()
        for holder, count in self.elsewhere.pages(self.table):
            found[holder] += count
        return found

    def is_connected(self, holder: str) -> bool:
        """Say whether a browser has this table open, by whatever process."""
        return holder in self.here_by or self.elsewhere.is_at(self.table, holder)

    def has_visible_page(self, holder: str) -> bool:
        """Say whether a browser has this table in sight."""
        return any(listener.holder == holder and listener.is_visible for listener in self.listeners)

    def here(self, log: Log) -> list[bool]:
        """Say for each seat whether its person is connected; bots always are."""
        return [
            sitting.kind == "bot" or (sitting.holder is not None and self.is_connected(sitting.holder))
            for sitting in log.seats
        ]

    def onlookers(self, log: Log) -> int:
        """Count the pages of people who do not play."""
        pages = self.here_by.total() + self.elsewhere.count(self.table)
        players = {sitting.holder for sitting in log.seats if sitting.holder}
        return pages - sum(self.here_by[one] + self.elsewhere.count_of(self.table, one) for one in players)

    # --- Who is away

    def absent(self, log: Log) -> list[float | None]:
        """Say for each seat in how many seconds its person counts as absent; None for who is here, and for bots.

        Where there are clocks nobody counts as absent: the clock says what happens.
        """
        if log.clocks is not None:
            return [None] * len(log.seats)
        return [self.absent_in(sitting.holder) if sitting.kind == "person" else None for sitting in log.seats]

    def absent_in(self, holder: str | None) -> float | None:
        """Say in how many seconds somebody counts as absent; None for who is here."""
        if holder is None or self.is_connected(holder):
            return None
        left = self.elsewhere.left_at(self.table, holder)
        return max(0.0, (self.opened if left is None else left) + self.grace - now())

    def is_absent(self, log: Log, seat: int) -> bool:
        """Say whether a seat's person has been away for longer than the grace time."""
        return self.absent(log)[seat] == 0
