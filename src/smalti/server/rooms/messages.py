"""What the pages at one table are sent: each message is encoded once for all who are told the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from smalti.server.rooms.attendance import Attendance
from smalti.server.rooms.render import Rendering, chat_after, table_of
from smalti.server.table.log import Log
from smalti.server.wire.to_page import Presence, as_json

MOST_RENDERED = 32  # messages about one state that are kept for those who ask for the same
MOST_CHATS = 8  # the same of what was said, which can be long
MOST_EVENTS = 1000  # of a game that is taken over or told in one message; real ones have a tenth

Key = TypeVar("Key")


class Messages:
    """The messages about a table as it stands."""

    def __init__(self, log: Log, attendance: Attendance) -> None:
        self.log, self.attendance = log, attendance
        self.rendering = Rendering(log)
        self.states: dict[tuple[int | None, int], str] = {}
        self.chats: dict[tuple[bool, int], str] = {}
        self.tables: dict[str | None, str] = {}
        self.presence_text: str | None = None
        self.version = attendance.version

    def move_on(self, log: Log) -> None:
        """Speak of a new log from now on."""
        if log.chats is not self.log.chats:
            self.chats = {}
        self.log, self.rendering, self.states = log, Rendering(log), {}
        self.forget_people()

    def forget_people(self) -> None:
        """Forget what was said about people."""
        self.tables, self.presence_text, self.version = {}, None, self.attendance.version

    def state(self, seat: int | None, number: int) -> str:
        """Return the game as an audience sees it, with what happened after a number."""
        known = max(number, self.log.number - MOST_EVENTS)  # no page needs more, and all would be told it
        return cached(self.states, (seat, known), MOST_RENDERED, lambda: self.rendering.state(seat, known))

    def chat(self, seated: bool, number: int) -> str:
        """Return what was said on a side after a number."""
        side = self.log.chat(seated)
        return cached(self.chats, (seated, number), MOST_CHATS, lambda: chat_after(side, number))

    def table(self, holder: str | None) -> str:
        """Return who sits where, as a browser may know it; all who are strangers to the table are told the same."""
        self.drop_stale_people()
        known = holder if self.log.has_played(holder) else None
        if known not in self.tables:
            here, onlookers = self.attendance.here(self.log), self.attendance.onlookers(self.log)
            self.tables[known] = as_json(table_of(self.log, known, here, onlookers))
        return self.tables[known]

    def presence(self) -> str:
        """Return who is connected."""
        self.drop_stale_people()
        if self.presence_text is None:
            there, log = self.attendance, self.log
            told = Presence(there.here(log), there.onlookers(log), there.absent(log), there.absent_in(log.host))
            self.presence_text = as_json(told)
        return self.presence_text

    def drop_stale_people(self) -> None:
        """Forget what was said about people if somebody came or went since."""
        if self.version != self.attendance.version:
            self.forget_people()


def cached(known: dict[Key, str], key: Key, most: int, make: Callable[[], msgspec.Struct]) -> str:
    """Return a message that is known, or make it and forget the oldest one where there are too many."""
    if key not in known:
        if len(known) >= most:
            known.pop(next(iter(known)))
        known[key] = as_json(make())
    return known[key]
