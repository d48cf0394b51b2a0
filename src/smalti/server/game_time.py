"""What time it is. There is no other clock on the server; pages are told its time and never asked for theirs.

It begins with the wall clock, or with the time of the processes that run already, and goes on by the monotonic one, so
that nobody loses time when the wall clock is set. Nor may anybody lose time while nobody can act: while this process
stands still, which whoever watches for that notices by calling `beat` again and again, or while nothing can be stored.
That time is held back until it was given back at the tables (`outage`).
"""

from __future__ import annotations

import os
import time
from pathlib import Path

SHIFT = "SMALTI_CLOCK_SHIFT_FILE"  # for tests: a file with seconds to add, so that days pass in a moment
STANDSTILL = 2.0  # seconds between two beats, or behind other processes: then nobody could act


class GameTime:
    """Seconds since 1970 that games are played by."""

    def __init__(self) -> None:
        self.offset = time.time() - time.monotonic()
        self.last_beat: float | None = None  # by the monotonic clock; None while nobody watches
        self.stalled: float | None = None  # by the monotonic clock: since when nothing can be stored
        self.still_until = 0.0  # by the monotonic clock: the end of the last standstill
        self.held_back = 0.0  # seconds in which nobody could act, and that have not been given back yet

    def now(self) -> float:
        """Return the time, without what has passed while nobody could act."""
        self.notice_standstill()
        moment = time.monotonic() if self.stalled is None else self.stalled
        return self.offset + moment - self.held_back

    def beat(self) -> None:
        """Note that this process is running."""
        self.notice_standstill()
        self.last_beat = time.monotonic()

    def notice_standstill(self) -> None:
        """Hold back the time since the last beat if that is too long ago."""
        moment = time.monotonic()
        gap = 0.0 if self.last_beat is None else moment - self.last_beat
        if gap >= STANDSTILL:
            if self.stalled is None:  # else time stands still anyway
                self.held_back += gap
                self.still_until = moment
            self.last_beat = moment

    def stall(self, since: float) -> None:
        """Let time stand still because nothing can be stored, since a moment of the monotonic clock."""
        if self.stalled is None and self.last_beat is not None:
            self.stalled = max(since, self.still_until)

    def go_on(self) -> None:
        """Let time go on; what has passed while nothing could be stored is held back."""
        if self.stalled is not None:
            moment = time.monotonic()
            self.held_back += moment - self.stalled
            self.stalled, self.still_until = None, moment

    def catch_up(self, seconds: float) -> None:
        """Let time go on that was held back and has been given back at the tables."""
        self.held_back -= seconds

    def not_before(self, moment: float) -> None:
        """Go on from a moment that has been, if the wall clock was set back since."""
        self.offset = max(self.offset, moment - time.monotonic())

    def adopt(self, moment: float) -> None:
        """Go by the time of other processes from now on; only before anything was timed here."""
        self.offset = moment - time.monotonic()

    def hear(self, moment: float) -> None:
        """Follow another process whose time is ahead; where that is much, our machine has slept: nobody could act."""
        behind = moment - (self.offset + time.monotonic())
        if behind > 0:
            self.offset += behind
            self.held_back += behind if behind >= STANDSTILL else 0.0

    def stop_beating(self) -> None:
        """Watch no more."""
        self.last_beat = self.stalled = None


game_time = GameTime()


def now() -> float:
    """Return the time to the millisecond, which databases keep exactly."""
    return round(game_time.now() + shift(), 3)


def shift() -> float:
    """Return the seconds that a test has let pass; none where nobody tests."""
    file = os.environ.get(SHIFT)
    if not file:
        return 0.0
    try:
        return float(Path(file).read_text() or 0)
    except FileNotFoundError:
        return 0.0
