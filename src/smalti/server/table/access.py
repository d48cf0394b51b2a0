"""Who may see a table: while it is played, and when it is over.

While it is played, its own people and the onlookers that the host lets in; when it is over, whoever may find it, as was
agreed when the table was made (`Log.finders`).
"""

from __future__ import annotations

from smalti.server.keys import is_same
from smalti.server.problems import Problem
from smalti.server.table.entries import GATHERING, IMPORT, OVER
from smalti.server.table.log import Log


def may_look(log: Log, holder: str | None, key: str | None) -> bool:
    """Say whether a browser may look at a table: one of its people, or an onlooker who is let in.

    At an open table that still seeks players everybody may look: the lobby tells as much, and they may sit down.
    """
    if log.stage == OVER:
        return may_find(log, holder)
    if log.has_played(holder) or log.onlookers == "all" or (log.listed and log.stage == GATHERING):
        return True
    is_let_in = holder in log.seating.guests or (key is not None and is_same(key, log.watch_key()))
    return log.onlookers == "link" and is_let_in


def may_connect(log: Log, holder: str | None, key: str | None) -> bool:
    """Say whether a page may be connected to a table; at an imported game nothing will ever happen."""
    return log.facts.origin != IMPORT and may_look(log, holder, key)


def may_find(log: Log, holder: str | None) -> bool:
    """Say whether a browser may see a game that is over; whoever asks for it has its link."""
    return log.finders != "players" or log.has_played(holder)


def why_shut(log: Log, holder: str | None) -> Problem:
    """Say why somebody cannot look: no link opens a game that is over and for its players alone."""
    is_private = log.stage == OVER and not may_find(log, holder)
    return Problem("private") if is_private else Problem("closed")


def check_people(log: Log, holder: str | None, seat_key: str | None, watch_key: str | None) -> None:
    """Refuse to tell strangers who sits at a table; the link to a seat or for onlookers opens it."""
    if may_look(log, holder, watch_key):
        return
    if log.stage == OVER or seat_key is None:
        raise why_shut(log, holder)
    check_unused(log, seat_key)


def check_unused(log: Log, seat_key: str) -> None:
    """Refuse the key of a seat that somebody has taken: whoever did is known by their cookie, it is for nobody else."""
    opened = [seat for seat in range(log.facts.seats) if is_same(seat_key, log.seat_key(seat))]
    if not opened:
        raise Problem("link")
    if not log.seats[opened[0]].is_for_link:
        raise Problem("used")


def finished(log: Log, holder: str | None) -> Log:
    """Return the log of a game that is over, or was imported, if this browser may find it."""
    if log.stage != OVER:
        raise Problem("not-over")
    if not may_find(log, holder):
        raise Problem("private")
    return log
