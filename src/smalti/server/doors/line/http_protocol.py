"""Bytes of requests: what uvicorn's protocol for HTTP leaves open, such as their sizes and times.

A connection goes through the gate, and is handed over when it becomes a WebSocket, which leaves by the same gate.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from smalti.server.doors.line.patience import LINGER, Alarm, Patient
from smalti.server.doors.line.replies import whole
from smalti.server.problems import Problem

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application

    from smalti.server.doors.line.config import LineConfig

LONGEST_LINE = 4 * 1024  # of a request's address
MOST_HEADER_BYTES = 16 * 1024  # in all
MOST_HEADERS = 100
MOST_BODY = 1024 * 1024  # of any request, with what chunks take; each kind has a lower limit of its own
MOST_PIPELINED = 8  # requests that wait for the answer to an earlier one

Phase = Literal["head", "body", "idle"]


class Refusal(Exception):
    """A request that is not read any further."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.sentence)
        self.problem = problem


class Enough(Refusal):
    """A request that is one too many; those before it are answered."""


class HttpProtocol(Patient, HttpToolsProtocol):
    """A connection by which requests come."""

    config: LineConfig
    running: RequestResponseCycle | None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in if there is room, and give it time for its first request."""
        super().connection_made(transport)
        self.alarm, self.stall = Alarm(self.loop), Alarm(self.loop)
        self.phase: Phase = "head"
        self.requests = self.size = self.newest = self.header_bytes = 0
        self.watched: tuple[int, Phase] = (0, "head")
        self.is_done, self.running = False, None
        try:
            self.config.gate.enter(transport, self.client[0] if self.client else "")
        except Problem as problem:
            self.refuse(problem)
        else:
            self.alarm.set(self.config.request_seconds, self.be_late)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the gate, and stop waiting for anything."""
        self.alarm.stop()
        self.stall.stop()
        self._unset_keepalive_if_required()
        self.config.gate.leave(self.transport)
        self.abandon()
        super().connection_lost(exc)

    # --- Reading

    def data_received(self, data: bytes) -> None:
        """Read on; what is after a refusal is thrown away."""
        if self.is_done:
            return
        self.newest = len(data)
        self.size += self.newest
        try:
            self.parser.feed_data(data)
            self.check_size()
        except httptools.HttpParserUpgrade:
            self.upgrade()
        except httptools.HttpParserCallbackError as error:
            self.stop_for(error.__context__ or error.__cause__)
        except httptools.HttpParserError:
            self.refuse(Problem("format", what="HTTP"))
        except Refusal as refusal:
            self.refuse(refusal.problem)
        else:
            self.watch()

    def stop_for(self, cause: BaseException | None) -> None:
        """Read no further, for what one of our own steps in the parser has raised."""
        if isinstance(cause, Enough):
            self.answer_the_others()
        else:
            self.refuse(cause.problem if isinstance(cause, Refusal) else Problem("format", what="HTTP"))

    def check_size(self) -> None:
        """Refuse a head that does not end, before the parser has told us of it, and any body beyond all measure."""
        if self.phase == "head" and self.size > LONGEST_LINE + MOST_HEADER_BYTES:
            raise Refusal(Problem("headers"))
        if self.phase == "body" and self.size > MOST_BODY:
            raise Refusal(Problem("large"))

    def watch(self) -> None:
        """Set the time by which the part of a request that has begun must be complete."""
        now = (self.requests, self.phase)
        if self.phase == "idle":
            self.alarm.stop()
        elif now != self.watched:
            self.alarm.set(self.config.request_seconds, self.be_late)
        self.watched = now

    def be_late(self) -> None:
        """Give up a request that does not arrive; browsers also open connections just in case, which need no answer."""
        if self.size or self.scope:
            self.refuse(Problem("slow"))
        else:
            self.transport.close()

    def upgrade(self) -> None:
        """Hand over to the WebSocket, or go on without what we do not speak."""
        if self._should_upgrade():
            self.alarm.stop()
            self.handle_websocket_upgrade()
        else:
            self.watch()

    # --- Called by the parser, in this order

    def on_message_begin(self) -> None:
        """A request begins."""
        self._unset_keepalive_if_required()
        self.phase, self.size, self.header_bytes = "head", self.newest, 0  # where in what came it begins is not told
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Read a part of its address."""
        super().on_url(url)
        if len(self.url) > LONGEST_LINE:
            raise Refusal(Problem("long-address"))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read one of its headers, or of those that may follow its body."""
        self.header_bytes += len(name) + len(value) + 4
        if self.header_bytes > MOST_HEADER_BYTES or len(self.headers) >= MOST_HEADERS:
            raise Refusal(Problem("headers"))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer, while the body may still be on its way."""
        self._unset_keepalive_if_required()
        if len(self.pipeline) >= MOST_PIPELINED:
            raise Enough(Problem("many", seconds=1))
        self.phase, self.size = "body", 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """A request is complete."""
        self.phase, self.requests = "idle", self.requests + 1
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Work at an answer; others may be in line behind it."""
        self.running = cycle
        super()._start_asgi_task(cycle, app)

    # --- Refusing

    @property
    def can_answer(self) -> bool:
        """Whether the next answer on this connection is the one to the request that is refused."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return self.phase != "body" or cycle is None
        return cycle.more_body and not cycle.response_started and not self.pipeline

    def refuse(self, problem: Problem) -> None:
        """Say why, if that can be said, and end the connection."""
        self.alarm.stop()
        self._unset_keepalive_if_required()
        if self.can_answer:
            self.transport.write(whole(problem, self.server_state.default_headers))
        self.is_done = True
        self.abandon()
        self.end()

    def answer_the_others(self) -> None:
        """Read no more requests, and close after the answer to the last one that is in line."""
        self.alarm.stop()
        self.is_done, self.pipeline[0][0].keep_alive = True, False

    def abandon(self) -> None:
        """Let those who work at an answer know that nobody waits for it, and begin with none that is in line."""
        self.pipeline.clear()
        if self.running is not None and not self.running.response_complete:
            self.running.disconnected = True
            self.running.message_event.set()

    def end(self) -> None:
        """Close after the other side had time to read: an early close would take its answer away."""
        if self.config.gate.may_linger(self.transport) and self.transport.can_write_eof():
            self.flow.resume_reading()
            self.transport.write_eof()
            self.alarm.set(LINGER, self.transport.abort)
        else:
            self.transport.close()
