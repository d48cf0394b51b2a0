"""Letting something happen on a log, at this moment."""

from __future__ import annotations

from smalti.server.game_time import now
from smalti.server.table.entries import Entry
from smalti.server.table.kinds import What
from smalti.server.table.log import Log


def append(log: Log, what: What, seat: int | None = None, message: str | None = None) -> Entry:
    """Let something happen on a log now, and return its entry."""
    made = Entry(log.length + 1, now(), seat, what, message)
    log.apply(made)
    return made
