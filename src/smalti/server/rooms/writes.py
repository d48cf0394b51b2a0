"""What has to be stored for a table to begin or to move on."""

from __future__ import annotations

from smalti.server.store.rows import row_of
from smalti.server.store.writer import Write
from smalti.server.table.entries import OVER, Entry
from smalti.server.table.log import Log


def write_between(before: Log, after: Log, entries: list[Entry]) -> Write:
    """Return the new entries with what they change in the row of a table and in those of its people."""
    write = Write(after.facts.id, entries)
    if after.stage != before.stage:
        write.changes["stage"] = after.stage
    if after.stage == OVER and before.stage != OVER:
        write.changes |= {"ended": after.last, "finders": after.finders}
    if after.in_lobby != before.in_lobby:
        write.changes["listed"] = after.in_lobby
    if after.due != before.due:
        write.changes["due"] = after.due
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if old.people != new.people:
            write.held[seat] = new.people
    return write


def first_write(log: Log, entries: list[Entry], listed: bool) -> Write:
    """Return a new table with its first entries."""
    write = write_between(Log(log.facts), log, entries)
    write.made = row_of(log.facts, listed and log.in_lobby)
    return write
