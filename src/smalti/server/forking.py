"""Going on from a point of a game that is over or was imported: its events become the beginning of a new log.

Only what the archive shows is copied, and the archive shows everything of a game that is over. So with hidden hands
whoever looks the old game up knows what was dealt before the point; what is dealt after it comes from the secret of the
new table, and nobody knows it.
"""

from __future__ import annotations

from typing import Any

from smalti.server.archive import match_at
from smalti.server.entries import Facts
from smalti.server.messages import Start
from smalti.server.problems import Problem
from smalti.server.rooms import Rooms


async def past_of(rooms: Rooms, facts: Facts, start: Start) -> dict[str, Any]:
    """Return what a new table of these facts takes over from another game, if it can."""
    source = await rooms.find(start.table)
    match = match_at(source, start.n)
    log = source.log
    if (facts.game, facts.seats, facts.options) != (log.facts.game, log.facts.seats, log.match.options):
        raise Problem("start")
    if facts.terms.code is not None:  # the draws of a shared deal begin at the beginning
        raise Problem("start")
    if match.is_over:
        raise Problem("final")
    return {"table": log.facts.id, "n": start.n, "events": [[by, do] for by, do in match.events]}
