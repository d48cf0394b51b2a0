"""Quick match: a seat at an open table as one wishes it, the longest waiting first; where there is none, at a new one.

Two who ask at the same moment, be it in two processes, meet: the name of a new table follows from what is wished and
from the minute, so that only one of them can make it, and the other one sits down there.
"""

from __future__ import annotations

import time
from dataclasses import replace

import msgspec

from smalti.server.actions.tables import checked_game, checked_terms, claim, let_look, new_facts
from smalti.server.actions.text_input import checked_name
from smalti.server.keys import link_key, plain_id
from smalti.server.lobby.lobby import Lobby
from smalti.server.problems import Problem
from smalti.server.rooms.append import append
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.table.entries import GATHERING, Entry, Facts
from smalti.server.table.kinds import List, Sit
from smalti.server.table.log import Log
from smalti.server.wire.http import Claim, Quick

MOST_TABLES = 50  # made with the same wishes in the same minute


async def quick_match(rooms: Rooms, lobby: Lobby, wish: Quick, holder: str, key: bytes) -> Room:
    """Seat a browser where it fits, and return the room; only the site's key tells the name of a new one beforehand."""
    rooms.ready.check(wish.game)
    name, facts = checked_name(wish.name), wished(wish, holder)
    for room in await fitting(lobby, facts, holder):
        if await sits_down(room, name, holder):
            return room
    for number in range(MOST_TABLES):
        room = await made(rooms, replace(facts, id=shared_id(facts, number, key)), name, holder)
        is_met = lobby.is_waiting(room.log.facts.id) and fits(room.log, facts, holder)
        if is_met and await sits_down(room, name, holder):
            return room
    raise Problem("many", seconds=60)


def wished(wish: Quick, holder: str) -> Facts:
    """Return the facts of the table that somebody wishes."""
    game = checked_game(wish.game)
    if wish.seats not in game.seats or wish.seats < 2:
        raise Problem("seats", wanted=", ".join(str(seats) for seats in game.seats if seats > 1))
    return new_facts(game, wish.seats, wish.options, holder, checked_terms(game, wish.terms))


async def fitting(lobby: Lobby, facts: Facts, holder: str) -> list[Room]:
    """List the open tables that fit: where one sits already, then in one's language, then the longest waiting."""

    def order(room: Room) -> tuple[bool, bool, float]:
        known = room.log.facts
        return not room.log.held_by(holder), known.terms.language != facts.terms.language, known.made

    return sorted((room for room in await lobby.seeking(fresh=True) if fits(room.log, facts, holder)), key=order)


def fits(log: Log, facts: Facts, holder: str) -> bool:
    """Say whether a table is what was wished, with people only, and has a seat for this browser."""
    kinds = {sitting.kind for sitting in log.seats}
    is_open = log.stage == GATHERING and log.listed and "bot" not in kinds
    return is_open and agreed(log.facts) == agreed(facts) and ("free" in kinds or bool(log.held_by(holder)))


def agreed(facts: Facts) -> tuple[object, ...]:
    """Return what those who are to meet must agree on; the language need not be the same."""
    terms = msgspec.structs.replace(facts.terms, language="")
    return facts.game, facts.rules, facts.seats, sorted(facts.options.items()), terms


async def sits_down(room: Room, name: str, holder: str) -> bool:
    """Sit down, unless somebody else was quicker."""
    try:
        await claim(room, Claim(name), holder, vary=True)
    except Problem as problem:
        if problem.reason in ("table.full", "table.link", "table.used"):
            return False
        raise
    return bool(room.log.held_by(holder))


def shared_id(facts: Facts, number: int, key: bytes) -> str:
    """Return the name of a new table that everybody who wishes the same in this minute comes upon."""
    wishes = msgspec.json.encode([*agreed(facts), int(time.time() // 60), number])
    return plain_id(link_key(key, wishes.decode())[:12])


async def made(rooms: Rooms, facts: Facts, name: str, host: str) -> Room:
    """Make an open table with its first player, or return the one that somebody else has made meanwhile."""

    def decide(log: Log) -> list[Entry]:
        entries = [*let_look(log, "all"), append(log, List(listed=True))]
        return [*entries, append(log, Sit(name=name, holder=host), 0)]

    return await rooms.make(facts, True, decide)
