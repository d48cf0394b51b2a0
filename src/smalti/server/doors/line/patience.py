"""How long a connection waits for somebody who does not read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

LINGER = 1.0  # seconds in which the other side can read why it was refused
STALLED = 60.0  # seconds after which somebody who reads nothing of an answer is given up


class Alarm:
    """A timer: one call after some seconds, unless it is stopped before."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.timer: asyncio.TimerHandle | None = None

    def set(self, seconds: float, call: Callable[[], None]) -> None:
        """Call this after so many seconds, and nothing that was set before."""
        self.stop()
        self.timer = self.loop.call_later(seconds, call)

    def stop(self) -> None:
        """Cancel the call."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Patient(asyncio.Protocol):
    """A connection that waits for somebody who does not read, but not for ever."""

    stall: Alarm
    transport: asyncio.Transport

    def pause_writing(self) -> None:
        """Wait for the other side to read, and give it up after a while."""
        super().pause_writing()
        self.stall.set(STALLED, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the other side reads again."""
        self.stall.stop()
        super().resume_writing()
