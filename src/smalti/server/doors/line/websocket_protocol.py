"""Bytes of WebSockets: what uvicorn's protocol for them leaves open, such as how many frames and pings may come."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from smalti.server.doors.line.patience import LINGER, Alarm, Patient
from smalti.server.token_bucket import Buckets

if TYPE_CHECKING:
    from smalti.server.doors.line.config import LineConfig

MOST_FRAMES = 1000  # of one message; a page sends one
PINGS_A_SECOND = 5.0  # of the other side; browsers send none
SLICE = 2 * 1024  # bytes of a connection that are parsed before what is in them is counted


class WebSocketProtocol(Patient, WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket; it was let in before."""

    config: LineConfig

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection over."""
        super().connection_made(transport)
        self.stall = Alarm(self.loop)
        self.pings = Buckets(PINGS_A_SECOND, 4 * PINGS_A_SECOND)
        self.allowance = Buckets(self.config.frames_a_second, 2 * self.config.frames_a_second)
        self.is_given_up = False

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the gate, and stop waiting for anything."""
        self.stall.stop()
        self.config.gate.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, a little at a time: whoever sends too many frames is given up before the rest of them is parsed."""
        for start in range(0, len(data), SLICE):
            if self.is_given_up or self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE])

    def handle_events(self) -> None:
        """Take what was parsed, of whatever kind, if it is not too much."""
        frames = len(self.conn.events)
        if frames and self.allowance.wait("", frames):
            self.conn.events.clear()
            self.give_up(1008)
        else:
            super().handle_events()

    def handle_cont(self, event: Frame) -> None:
        """Read on in a message; empty parts have no size that could be limited."""
        if len(self.frames) >= MOST_FRAMES:
            self.give_up(1009)
        else:
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping."""
        if self.pings.wait(""):
            self.give_up(1008)
        else:
            super().handle_ping()

    def give_up(self, code: int) -> None:
        """Close with a reason, soon and whether it is read or not; what else has come is thrown away."""
        if self.is_given_up:
            return
        self.is_given_up = True
        if self.close_sent:
            self.transport.abort()
        else:
            self.conn.fail(code)
            self.handle_parser_exception()
            self.stall.set(LINGER, self.transport.abort)

    def keepalive_timeout(self) -> None:
        """End a connection whose other side is gone; it would not read what is left to send."""
        super().keepalive_timeout()
        self.transport.abort()
