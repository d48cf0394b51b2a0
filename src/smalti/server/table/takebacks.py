"""Steps back: what a seat may take back by itself, what only with the others' consent, and what cannot be undone.

A step is free until anybody has learned something from it: chance or another seat has acted since, or a secret was
shown. Beyond that the others are asked, and the game goes back to before the seat's last decision; where that was
sealed, to before the whole round of it, so that everybody decides anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from smalti.engine.match import Match
from smalti.server.table.entries import PLAYING
from smalti.server.table.history import Happened, is_secret
from smalti.server.table.kinds import Back
from smalti.server.table.log import Log

FREE, ASK, NO_WAY = "free", "ask", ""


def way_back(log: Log, seat: int) -> str:
    """Say how a seat can take its last step back; in a pause nobody can."""
    if log.is_paused:
        return NO_WAY
    if free_target(log, seat) is not None:
        return FREE
    return ASK if asked_target(log, seat) is not None else NO_WAY


def free_target(log: Log, seat: int) -> int | None:
    """Return how many events are left if a seat takes its last step back by itself; None if it may not."""
    if log.stage != PLAYING:
        return None
    for happened in reversed(log.happened):
        if happened.entry.seat != seat or (happened.stands and (happened.choices or happened.late)):
            return None
        if happened.stands:
            left = first_of_decision(log, len(log.match.events) - 1, happened)
            return left if left >= first_of(log) else None
    return None


def asked_target(log: Log, seat: int) -> int | None:
    """Return how many events are left if the others let a seat take its last decision back; None if there is none."""
    if log.stage != PLAYING or seat in log.sealed:  # which can be changed instead
        return None
    standing = standing_before(log, len(log.match.events))
    own = next(((left, happened) for left, happened in standing if happened.entry.seat == seat), None)
    if own is None:
        return None
    left = first_of_round(log, *own) if own[1].choices else first_of_decision(log, *own)
    return left if left >= first_of(log) else None


def standing_before(log: Log, left: int) -> Iterator[tuple[int, Happened]]:
    """List the events that stand, the newest first, each with how many stand before it; only the first so many."""
    newer = len(log.match.events) - left
    standing = (happened for happened in reversed(log.happened) if happened.stands)
    return zip(range(left - 1, -1, -1), islice(standing, newer, None), strict=False)


def first_of(log: Log) -> int:
    """Return how many events were there before anybody acted at this table: nothing of them can be taken back."""
    return log.start.n if log.start else 0


def first_of_decision(log: Log, left: int, decided: Happened) -> int:
    """Return how many events stand before a decision that may be several moves of one message."""
    for before, happened in standing_before(log, left):
        if decided.entry.id is None or (happened.entry.seat, happened.entry.id) != (
            decided.entry.seat,
            decided.entry.id,
        ):
            break
        left = before
    return left


def first_of_round(log: Log, left: int, decided: Happened) -> int:
    """Return how many events stand before the round of a sealed decision, in which everybody decides once."""
    seen = {decided.entry.seat}
    for before, happened in standing_before(log, left):
        if not happened.choices or happened.entry.seat in seen:
            break
        left = before
        seen.add(happened.entry.seat)
    return left


def finality(match: Match, seat: int, moves: Sequence[str]) -> str:
    """Say what follows these moves of a seat that it cannot take back by itself; what the rules refuse is raised."""
    trial = match.copy()
    for move in moves:
        others, sealed = trial.acting - {seat}, is_secret(trial, seat, move)
        trial.play(seat, move)
        if trial.is_over:
            return "over"
        if sealed and not others:
            return "shown"
        if trial.awaits_chance:
            return "chance"
    return ""


def takebacks_of(log: Log) -> list[dict[str, Any]]:
    """List what was taken back, for a record; what nobody was shown stays hidden."""
    return [
        {
            "by": happened.entry.seat,
            "after": happened.entry.what.to,
            "events": [as_json(other) for other in log.happened if other.gone == happened.number],
        }
        for happened in log.happened
        if isinstance(happened.entry.what, Back)
    ]


def as_json(happened: Happened) -> dict[str, Any]:
    """Describe an event that was taken back."""
    return {"by": happened.entry.seat, "do": None if happened.secret else happened.do}
