"""One WebSocket for each open page: what it asks, and what it is told.

A page has no queue of messages that could grow: it is woken, and its writer sends whatever is new by then. Only
answers to its own questions wait in line, and a page that asks too much is shown the door.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from smalti.engine.errors import BadInput, Refused, SmaltiError, shown
from smalti.server.access import may_connect
from smalti.server.consent import answer, ask, object_by_coming
from smalti.server.entries import GATHERING
from smalti.server.keys import new_id
from smalti.server.messages import (
    Answer,
    Ask,
    Because,
    Do,
    Done,
    Eyes,
    FromPage,
    Look,
    Ping,
    Pong,
    Refusal,
    Say,
    Want,
    Why,
)
from smalti.server.problems import Problem, problem_of
from smalti.server.rooms import Room, encode
from smalti.server.steps import finality
from smalti.server.talking import Hearing, say
from smalti.server.telling import clocks_of
from smalti.server.timing import now
from smalti.server.typed import checked_nonce
from smalti.server.wants import want

GONE, NOT_LET_IN, TOO_MANY, COMPILING, BROKEN, LATER = 4404, 4403, 4429, 4503, 1011, 1013  # why we close
MOST_ANSWERS = 64
LONGEST_ID = 64
FRESH = 1.0  # seconds for which what was read for a connection is new enough

logger = logging.getLogger(__name__)
decoder = msgspec.json.Decoder(FromPage)


def refusal(message: str | None, error: SmaltiError) -> Refusal:
    """Say no."""
    if isinstance(error, Refused):
        return Refusal(message, error.rule, error.reason, error.values, error.sentence)
    problem = problem_of(error)
    return Refusal(message, "", problem.reason, problem.values, problem.sentence)


def check_id(text: str) -> None:
    """Refuse what cannot be the id of a message."""
    if not 0 < len(text) <= LONGEST_ID or not text.isprintable():
        raise Problem("format", what=f"an id has 1 to {LONGEST_ID} characters")


def is_closed(error: BaseException) -> bool:
    """Say whether we were about to send what the line, closed meanwhile for nonsense, did not take any more."""
    return isinstance(error, RuntimeError) and "websocket.close" in str(error)


async def close(socket: WebSocket, code: int, reason: str = "") -> None:
    """Close a connection, unless the page was gone first."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, reason)


class Page:
    """A connected page."""

    def __init__(
        self,
        socket: WebSocket,
        room: Room,
        holder: str | None,
        key: str | None,
        address: str,
        is_allowed: Callable[[], bool],
    ) -> None:
        self.is_allowed = is_allowed  # to ask one more thing; shared by all pages of a browser
        self.address, self.opened = address, time.monotonic()
        self.socket, self.room, self.holder, self.key = socket, room, holder, key
        self.seat: int | None = None
        self.since: int | None = None  # number it has been told of; None before its first look
        self.hearing = Hearing()
        self.name, self.is_looking = new_id(), False  # in sight, as far as the page has said
        self.woken = asyncio.Event()
        self.new_people = self.new_game = self.new_presence = self.new_talk = self.is_gone = False
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

    def wake_talk(self) -> None:
        """Somebody has said something."""
        self.new_talk = True
        self.woken.set()

    def show_out(self) -> None:
        """The table is not there any more."""
        self.is_gone = True
        self.woken.set()

    @property
    def is_seated(self) -> bool:
        """Whether this browser has a seat."""
        return bool(self.room.log.held_by(self.holder))

    def answer(self, message: msgspec.Struct) -> None:
        """Put an answer in line."""
        self.answers.append(encode(message).decode())
        self.woken.set()

    # --- The two halves of a connection

    async def serve(self) -> None:
        """Read and write until one of them ends."""
        self.room.enter(self)
        halves = [asyncio.create_task(self.read()), asyncio.create_task(self.write())]
        try:
            done, _ = await asyncio.wait(halves, return_when=asyncio.FIRST_COMPLETED)
            code = next((self.outcome(task) for task in done), None)
        finally:
            self.room.leave(self)
            self.open_eyes(False)
            for task in halves:
                task.cancel()
            await asyncio.gather(*halves, return_exceptions=True)
        if code:
            await close(self.socket, code)

    def outcome(self, half: asyncio.Task[int | None]) -> int | None:
        """Return the code to close with; what broke one half of the connection is our fault and logged."""
        error = half.exception()
        if error is None:
            return half.result()
        if not isinstance(error, WebSocketDisconnect) and not is_closed(error):
            logger.error("%s: a connection broke", self.room.log.facts.id, exc_info=error)
        return BROKEN

    async def read(self) -> int | None:
        """Take what the page says; returns the code to close with, if it has to be closed."""
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return None
                if not self.is_allowed() or len(self.answers) > MOST_ANSWERS:
                    return TOO_MANY
                await self.hear(message.get("text") or message.get("bytes") or b"")
        return None

    async def write(self) -> int | None:
        """Send what is new whenever woken."""
        while True:
            await self.woken.wait()
            self.woken.clear()
            while self.answers:
                await self.socket.send_text(self.answers.popleft())
            if self.is_gone:
                return GONE
            if self.since is None:
                continue
            if self.new_people and not self.may_stay():
                return NOT_LET_IN
            if self.new_people:
                self.leave_lost_seat()
                self.new_people, self.new_presence = False, True
                await self.socket.send_text(self.room.people(self.holder))
            if self.new_game:
                self.new_game, known = False, self.since
                self.since = self.room.log.number
                await self.socket.send_text(self.room.state(self.seat, known))
                self.note_told()
                if self.room.log.clocks:
                    await self.socket.send_text(encode(clocks_of(self.room.log, now())).decode())
            if self.new_presence:
                self.new_presence = False
                await self.socket.send_text(self.room.presence())
            if self.new_talk:
                self.new_talk, seated = False, self.is_seated
                since = self.hearing.news(self.room.log.talk(seated))
                if since is not None:
                    await self.socket.send_text(self.room.talk(seated, since))

    def note_told(self) -> None:
        """Time how long the page has waited to be told of its own move."""
        if self.moved_at is not None:
            self.room.rooms.metrics.told.observe(time.perf_counter() - self.moved_at)
            self.moved_at = None

    def may_stay(self) -> bool:
        """Say whether the page may go on looking with these eyes."""
        return may_connect(self.room.log, self.holder, self.key)

    def leave_lost_seat(self) -> None:
        """Look as an onlooker from now on if the seat belongs to somebody else; nothing of it is told any more."""
        log = self.room.log
        if self.seat is not None and self.seat not in log.held_by(self.holder):
            self.seat, self.since = None, 0
            self.hearing.begin(log.talk(self.is_seated), log.talk(self.is_seated).count)

    # --- What a page can say

    async def hear(self, text: str | bytes) -> None:
        """Do what the page asks, or say why not."""
        try:
            message = decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self.answer(refusal(None, Problem("format", what=str(error))))
            return
        number = getattr(message, "id", None)
        try:
            await self.obey(message)
        except SmaltiError as error:
            self.moved_at, said = None, refusal(number, error)
            self.room.rooms.metrics.refusals(said.reason).inc()
            self.answer(said)

    async def obey(self, message: Look | Do | Why | Say | Eyes | Ask | Answer | Want | Ping) -> None:
        """Do what the page asks."""
        if isinstance(message, Do):
            await self.do(message)
        elif isinstance(message, Look):
            await self.look(message)
            await object_by_coming(self.room, self.holder)
        elif isinstance(message, Why):
            self.answer(self.because(message))
        elif isinstance(message, Say):
            check_id(message.id)
            await say(self.room, message, self.holder, self.address)
        elif isinstance(message, Eyes):
            self.open_eyes(message.open)
        elif isinstance(message, Ask | Answer | Want):
            await self.agree(message)
        else:
            self.open_eyes(self.is_looking)
            self.answer(Pong())

    async def look(self, message: Look) -> None:
        """Show the table with these eyes from now on, as the database has it."""
        if self.since is not None or time.monotonic() - self.opened > FRESH:  # else it was asked for the connection
            await self.room.rooms.find_newest(self.room.log.facts.id)
        if message.seat is not None:
            self.check_seat(message.seat)
        self.seat = message.seat
        self.since = message.since if 0 <= message.since <= self.room.log.number else 0
        self.hearing.begin(self.room.log.talk(self.is_seated), message.heard)
        self.wake(people=True)
        self.wake_talk()

    def open_eyes(self, is_looking: bool) -> None:
        """Note whether the page is in sight, here and for the other processes, which forget it after a while."""
        if self.holder is not None and (is_looking or self.is_looking):
            self.room.rooms.herald.look(self.room.log.facts.id, self.holder, self.name, is_looking)
        self.is_looking = is_looking

    async def do(self, message: Do) -> None:
        """Let a seat of this browser act."""
        self.moved_at = time.perf_counter()
        self.check_seat(message.seat)
        check_id(message.id)
        known = self.room.log.ids.get((message.seat, message.id))
        if known is not None:  # sent twice: tell again
            self.since = min(self.since or 0, known - 1)
            self.wake(people=False)
            return
        nonce = None if message.nonce is None else checked_nonce(message.nonce)
        await self.room.play(message.seat, message.do, message.n, message.id, self.holder, nonce)

    async def agree(self, message: Ask | Answer | Want) -> None:
        """Let a seat of this browser ask the others for something, answer, or do something beside the game."""
        check_id(message.id)
        if isinstance(message, Ask):
            await ask(self.room, message, self.holder)
        elif isinstance(message, Answer):
            await answer(self.room, message, self.holder)
        else:
            await want(self.room, message, self.holder)
        self.answer(Done(message.id))

    def because(self, message: Why) -> Because:
        """Say why a seat of this browser could not do something now."""
        self.check_seat(message.seat)
        log = self.room.log
        if log.stage == GATHERING:
            raise Problem("turn")
        if log.ended:
            raise Problem("over")
        try:
            final = finality(log.match, message.seat, [*message.after, message.do])
        except Refused as error:
            return Because(message.id, False, error.rule, error.reason, error.values, error.sentence)
        except BadInput as error:
            raise Problem("notation", do=shown(message.do)) from error
        return Because(message.id, True, "", "", {}, "", final)

    def check_seat(self, seat: int) -> None:
        """Refuse a seat that this browser does not hold."""
        if seat not in self.room.log.held_by(self.holder):
            raise Problem("not-yours")
