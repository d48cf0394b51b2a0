"""What time it is. There is no other clock on the server; pages are told its time and never asked for theirs.

It begins with the wall clock and goes on by the monotonic one, so that nobody loses time when the wall clock is set.
Nor may anybody lose time while this process stands still: whoever watches for that calls `beat` again and again, and
after a gap between two beats time is held back until it was given back at the tables (`keeping`).
"""

from __future__ import annotations

import os
import time
from pathlib import Path

SHIFT = "SMALTI_CLOCK_SHIFT_FILE"  # for tests: a file with seconds to add, so that days pass in a moment
STANDSTILL = 2.0  # seconds between two beats: then nobody could act


class GameTime:
    """Seconds since 1970 that games are played by."""

    def __init__(self) -> None:
        self.offset = time.time() - time.monotonic()
        self.last_beat: float | None = None  # by the monotonic clock; None while nobody watches
        self.held_back = 0.0  # seconds of standstill that have not been given back yet

    def now(self) -> float:
        """Return the time, without what has passed while this process stood still."""
        self.notice_standstill()
        return self.offset + time.monotonic() - self.held_back

    def beat(self) -> None:
        """Note that this process is running."""
        self.notice_standstill()
        self.last_beat = time.monotonic()

    def notice_standstill(self) -> None:
        """Hold back the time since the last beat if that is too long ago."""
        gap = 0.0 if self.last_beat is None else time.monotonic() - self.last_beat
        if gap >= STANDSTILL:
            self.held_back += gap
            self.last_beat = time.monotonic()

    def catch_up(self, seconds: float) -> None:
        """Let time go on that was held back and has been given back at the tables."""
        self.held_back -= seconds

    def not_before(self, moment: float) -> None:
        """Go on from a moment that has been, if the wall clock was set back since."""
        self.offset = max(self.offset, moment - time.monotonic())

    def stop_beating(self) -> None:
        """Watch no more."""
        self.last_beat = None


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
