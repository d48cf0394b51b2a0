"""The clocks of a table: pure arithmetic over the times of its entries.

A clock runs for every person who must act, for several at once where all decide together. It stops with the decision;
changing a sealed one starts nothing. Bots have no clock, and nothing runs while people gather or have paused the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from smalti.server.problems import Problem
from smalti.server.table.kinds import Down, Pause, Resume, RunOut, TimeKind
from smalti.server.table.terms import Clock, Late

LEAST = 10  # seconds for the next decision of somebody whose time ran out, where the increment is less
SHORTEST, LONGEST = 5, 30 * 86_400  # seconds that can be agreed on
LONGEST_INCREMENT = 3_600


def checked_clock(clock: Clock | None) -> Clock | None:
    """Return a clock that a game can be played with."""
    if clock is None:
        return None
    increment_fits = 0 <= clock.increment <= LONGEST_INCREMENT and (clock.kind == "live" or clock.increment == 0)
    if not SHORTEST <= clock.seconds <= LONGEST or not increment_fits:
        raise Problem("clock", least=SHORTEST, most=LONGEST // 86_400)
    return clock


@dataclass(frozen=True)
class Clocks:
    """How much time the seats had left at a moment, and whose time runs from then on."""

    clock: Clock
    at: float
    left: tuple[float, ...]  # seconds, by seat
    running: frozenset[int] = frozenset()
    paused: bool = False
    late: tuple[Late | None, ...] = ()  # by seat: what has happened because its time ran out, until it acts again
    standing_in: int | None = None  # the seat that a bot plays the next move of, because its time ran out
    mended: float = 0.0  # until when time was given back, after nobody could act

    # --- Asking

    def left_at(self, seat: int, at: float) -> float:
        """Return the seconds a seat has left at a moment."""
        if seat not in self.running:
            return self.left[seat]
        return max(0.0, round(self.left[seat] - max(0.0, at - self.at), 3))

    def is_late(self, seat: int, at: float) -> bool:
        """Say whether a seat's time has run out."""
        return seat in self.running and self.left_at(seat, at) <= 0

    def late_seats(self, at: float) -> list[int]:
        """List the seats whose time has run out."""
        return [seat for seat in sorted(self.running) if self.is_late(seat, at)]

    @property
    def due(self) -> float | None:
        """The moment when the first clock runs out, if one runs."""
        return min((round(self.at + self.left[seat], 3) for seat in self.running), default=None)

    def lost(self, since: float, until: float) -> float:
        """Return the seconds that have run although nobody could act between two moments."""
        return max(0.0, until - max(since, self.at, self.mended))

    # --- Going on

    def settled(self, at: float) -> Clocks:
        """Return the same at a later moment."""
        seats = range(len(self.left))
        return replace(self, at=max(at, self.at), left=tuple(self.left_at(seat, at) for seat in seats))

    def running_for(self, seats: Iterable[int]) -> Clocks:
        """Let time run for these seats and no others, from this moment on; for nobody in a pause."""
        return replace(self, running=frozenset() if self.paused else frozenset(seats))

    def stands_in_for(self, seat: int) -> bool:
        """Say whether the decision that comes now is a bot's, because this seat's time ran out."""
        return self.standing_in == seat

    def decided(self, seat: int) -> Clocks:
        """Give a seat what it gets for a decision of its own: more time, or all of it anew."""
        if self.stands_in_for(seat):
            return replace(self, standing_in=None)
        more = self.clock.seconds if self.clock.kind == "slow" else self.left[seat] + self.clock.increment
        return self.with_left(seat, more).with_late(seat, None)

    def ran_out(self, seat: int, did: Late) -> Clocks:
        """Give a seat whose time has run out enough for its next decision."""
        slow = self.clock.kind == "slow"
        fresh = self.with_left(seat, self.clock.seconds if slow else max(self.clock.increment, LEAST))
        return replace(fresh.with_late(seat, did), standing_in=seat if did == "move" else None)

    def given_back(self, since: float, until: float) -> Clocks:
        """Give the time between two moments back, in which nobody could act."""
        return replace(self, at=round(self.at + self.lost(since, until), 3), mended=max(self.mended, until))

    def with_left(self, seat: int, seconds: float) -> Clocks:
        """Let a seat have so much time."""
        return replace(self, left=(*self.left[:seat], round(seconds, 3), *self.left[seat + 1 :]))

    def with_times(self, times: Mapping[int | None, float | None]) -> Clocks:
        """Let seats have the time that is named."""
        known = {seat: seconds for seat, seconds in times.items() if seconds is not None}
        return replace(self, left=tuple(known.get(seat, left) for seat, left in enumerate(self.left)))

    def with_late(self, seat: int, did: Late | None) -> Clocks:
        """Note what has happened because a seat's time ran out."""
        return replace(self, late=(*self.late[:seat], did, *self.late[seat + 1 :]))


def first_clocks(clock: Clock | None, seats: int, at: float) -> Clocks | None:
    """Return the clocks of a table before anything runs; none where none were agreed."""
    if clock is None:
        return None
    return Clocks(clock, at, (float(clock.seconds),) * seats, late=(None,) * seats)


def ticked(clocks: Clocks, at: float, waited_for: frozenset[int]) -> Clocks:
    """Let the clocks go on to a moment, and from then on run for those who must act."""
    return clocks.settled(at).running_for(waited_for)


def after(clocks: Clocks, what: TimeKind, seat: int | None, at: float) -> Clocks:
    """Return the clocks after something has happened about time: it runs out, stops, goes on, or is given back."""
    match what:
        case Down():
            return clocks.given_back(what.since, what.until)
        case RunOut():
            assert seat is not None
            return clocks.settled(at).ran_out(seat, what.did)
        case Pause() | Resume():
            return replace(clocks.settled(at), paused=isinstance(what, Pause))


def check_time(clocks: Clocks | None, seat: int, at: float) -> None:
    """Refuse whoever acts while the game is paused, or too late."""
    check_not_paused(clocks)
    if clocks is not None and clocks.is_late(seat, at):
        raise Problem("late")


def check_not_paused(clocks: Clocks | None) -> None:
    """Refuse whatever would change the game while it is paused."""
    if clocks is not None and clocks.paused:
        raise Problem("paused")
