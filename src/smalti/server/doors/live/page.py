"""A connected page: where it looks from, what it has been told, and what is new to it.

A page has no queue of messages that could grow: it is woken, and whatever is new by then is sent. Only answers to its
own questions wait in line.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator

import msgspec

from smalti.server.actions.chat import Hearing
from smalti.server.game_time import now
from smalti.server.keys import new_id
from smalti.server.problems import Problem
from smalti.server.rooms.render import clocks_of
from smalti.server.rooms.room import Room
from smalti.server.table.access import may_connect
from smalti.server.wire.from_page import Look
from smalti.server.wire.to_page import as_json

FRESH = 1.0  # seconds for which what was read for a connection is new enough


class Page:
    """A page that looks at a table, for a browser (`holder`) or with the key of a link."""

    def __init__(self, room: Room, holder: str | None, key: str | None, address: str) -> None:
        self.room, self.holder, self.key, self.address = room, holder, key, address
        self.opened = time.monotonic()
        self.seat: int | None = None
        self.since: int | None = None  # number it has been told of; None before its first look
        self.hearing = Hearing()
        self.name, self.is_visible = new_id(), False  # as far as the page has said
        self.woken = asyncio.Event()
        self.new_people = self.new_game = self.new_presence = self.new_chat = self.is_gone = False
        self.answers: deque[str] = deque()
        self.moved_at: float | None = None  # when a move was received that the page has not been told of yet

    # --- Woken by the room

    def wake(self, people: bool) -> None:
        """Something has changed."""
        self.new_game = True
        self.new_people = self.new_people or people
        self.woken.set()

    def wake_presence(self) -> None:
        """Somebody came or went."""
        self.new_presence = True
        self.woken.set()

    def wake_chat(self) -> None:
        """Somebody has said something."""
        self.new_chat = True
        self.woken.set()

    def show_out(self) -> None:
        """The table is not there any more."""
        self.is_gone = True
        self.woken.set()

    def answer(self, message: msgspec.Struct) -> None:
        """Put an answer in line."""
        self.answers.append(as_json(message))
        self.woken.set()

    # --- What it may see

    @property
    def is_seated(self) -> bool:
        """Whether this browser has a seat."""
        return bool(self.room.log.held_by(self.holder))

    @property
    def may_stay(self) -> bool:
        """Whether the page may go on looking at this table."""
        return may_connect(self.room.log, self.holder, self.key)

    def check_seat(self, seat: int) -> None:
        """Refuse a seat that this browser does not hold."""
        if seat not in self.room.log.held_by(self.holder):
            raise Problem("not-yours")

    async def look(self, message: Look) -> None:
        """Show the table from this seat from now on, as the database has it."""
        if self.since is not None or time.monotonic() - self.opened > FRESH:  # else it was asked for the connection
            await self.room.rooms.find_newest(self.room.log.facts.id)
        if message.seat is not None:
            self.check_seat(message.seat)
        self.seat = message.seat
        self.since = message.since if 0 <= message.since <= self.room.log.number else 0
        self.hearing.start(self.room.log.chat(self.is_seated), message.heard)
        self.wake(people=True)
        self.wake_chat()

    def leave_lost_seat(self) -> None:
        """Look as an onlooker from now on if the seat belongs to somebody else; nothing of it is told any more."""
        log = self.room.log
        if self.seat is not None and self.seat not in log.held_by(self.holder):
            self.seat, self.since = None, 0
            self.hearing.start(log.chat(self.is_seated), log.chat(self.is_seated).count)

    def set_visible(self, is_visible: bool) -> None:
        """Note whether the page is visible, here and for the other processes, which forget it after a while."""
        if self.holder is not None and (is_visible or self.is_visible):
            self.room.rooms.bus.set_visible(self.room.log.facts.id, self.holder, self.name, is_visible)
        self.is_visible = is_visible

    # --- What is new to it

    def news(self) -> Iterator[str]:
        """Give the messages that tell what is new, each as things stand when the one before it has been sent."""
        if self.new_people:
            self.leave_lost_seat()
            self.new_people, self.new_presence = False, True
            yield self.room.messages.table(self.holder)
        if self.new_game:
            yield from self.game_news()
        if self.new_presence:
            self.new_presence = False
            yield self.room.messages.presence()
        if self.new_chat:
            self.new_chat, seated = False, self.is_seated
            since = self.hearing.news(self.room.log.chat(seated))
            if since is not None:
                yield self.room.messages.chat(seated, since)

    def game_news(self) -> Iterator[str]:
        """Give the state of the game, then its clocks."""
        self.new_game, known = False, self.since or 0
        self.since = self.room.log.number
        yield self.room.messages.state(self.seat, known)
        self.observe_latency()
        if self.room.log.clocks:
            yield as_json(clocks_of(self.room.log, now()))

    def observe_latency(self) -> None:
        """Time how long the page has waited to be told of its own move."""
        if self.moved_at is not None:
            self.room.rooms.metrics.move_latency.observe(time.perf_counter() - self.moved_at)
            self.moved_at = None
