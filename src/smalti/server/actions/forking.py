"""Going on from a point of a game that is over or was imported: its events become the beginning of a new log.

Only what the archive shows is copied, and the archive shows everything of a game that is over. So with hidden hands
whoever looks the old game up knows what was dealt before the point; what is dealt after it comes from the secret of the
new table, and nobody knows it.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Literal

import msgspec

from smalti.engine.match import Match
from smalti.server.keys import player_mark
from smalti.server.problems import Problem
from smalti.server.rooms.messages import MOST_EVENTS
from smalti.server.rooms.rooms import Rooms
from smalti.server.table import kinds
from smalti.server.table.access import finished
from smalti.server.table.entries import FORK, Facts
from smalti.server.table.log import Log
from smalti.server.table.terms import Finders
from smalti.server.wire.to_page import Start


async def past_of(rooms: Rooms, facts: Facts, start: Start) -> tuple[Facts, kinds.Start]:
    """Return a table that goes on from a game its host may find, by that one's rules, and what it takes over."""
    log = finished((await rooms.find_settled(start.table)).log, facts.host)
    if len(log.match.events) >= start.n > MOST_EVENTS:
        raise Problem("long", most=MOST_EVENTS)
    match = await asyncio.to_thread(log.match_at, start.n)
    if (facts.game, facts.seats, facts.options) != (log.facts.game, log.facts.seats, log.match.options):
        raise Problem("start")
    if facts.terms.code is not None:  # the draws of a shared deal begin at the beginning
        raise Problem("start")
    if match.is_over:
        raise Problem("final")
    terms = msgspec.structs.replace(facts.terms, finders=narrower(facts.terms.finders, log.finders))
    return replace(facts, origin=FORK, rules=log.facts.rules, terms=terms), past_at(facts, log, start.n, match)


def narrower(wanted: Finders | Literal[""], before: Finders) -> Finders | Literal[""]:
    """Return who may find a game that goes on from another: nobody who may not find that one, whose events it holds."""
    return wanted if before == "all" or wanted == "players" else before


def past_at(facts: Facts, log: Log, number: int, match: Match) -> kinds.Start:
    """Return what a table takes over from a game, with who may be told which one: its players, everybody if listed."""
    knowing = tuple(sorted(player_mark(facts.key, holder) for holder in log.seating.players))
    return kinds.Start(log.facts.id, number, tuple(match.events), log.finders == "all", knowing)
