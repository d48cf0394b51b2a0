"""Going on from a point of a game that is over or was imported: its events become the beginning of a new log.

Only what the archive shows is copied, and the archive shows everything of a game that is over. So with hidden hands
whoever looks the old game up knows what was dealt before the point; what is dealt after it comes from the secret of the
new table, and nobody knows it.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any, Literal

import msgspec

from smalti.server.access import finished
from smalti.server.archive import match_at
from smalti.server.entries import FORK, Facts
from smalti.server.keys import player_mark
from smalti.server.log import Log
from smalti.server.messages import Start
from smalti.server.problems import Problem
from smalti.server.rooms import MOST_EVENTS, Rooms
from smalti.server.terms import Finders


async def past_of(rooms: Rooms, facts: Facts, start: Start) -> tuple[Facts, dict[str, Any]]:
    """Return a table that goes on from a game its host may find, by that one's rules, and what it takes over."""
    log = finished((await rooms.find_settled(start.table)).log, facts.host)
    if len(log.match.events) >= start.n > MOST_EVENTS:
        raise Problem("long", most=MOST_EVENTS)
    match = await asyncio.to_thread(match_at, log, start.n)
    if (facts.game, facts.seats, facts.options) != (log.facts.game, log.facts.seats, log.match.options):
        raise Problem("start")
    if facts.terms.code is not None:  # the draws of a shared deal begin at the beginning
        raise Problem("start")
    if match.is_over:
        raise Problem("final")
    past = {"table": log.facts.id, "n": start.n, "events": [[by, do] for by, do in match.events]}
    terms = msgspec.structs.replace(facts.terms, finders=narrower(facts.terms.finders, log.finders))
    return replace(facts, origin=FORK, rules=log.facts.rules, terms=terms), past | readers(facts, log)


def narrower(wanted: Finders | Literal[""], before: Finders) -> Finders | Literal[""]:
    """Return who may find a game that goes on from another: nobody who may not find that one, whose events it holds."""
    return wanted if before == "all" or wanted == "players" else before


def readers(facts: Facts, log: Log) -> dict[str, Any]:
    """Say who may be told which game a table goes on from: those who played it, and everybody if it is listed."""
    knowing = sorted(player_mark(facts.key, holder) for holder in log.players)
    return {"open": log.finders == "all", "knowing": knowing}
