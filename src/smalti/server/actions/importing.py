"""Importing a record: checked by the rules, then kept under a name that follows from its content.

The same record leads to the same address, whoever imports it and however often. It is a game that was not played here:
it stands in no list, and nobody can play on at it, only from it.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from smalti import bots, games
from smalti.engine.errors import BadRecord, SmaltiError
from smalti.engine.match import Match
from smalti.engine.records import Record, parse, record_of, verify
from smalti.server.actions.tables import new_facts
from smalti.server.actions.text_input import LONGEST_NAME, cleaned
from smalti.server.keys import plain_id
from smalti.server.problems import Problem, WrongRecord
from smalti.server.rooms.append import append
from smalti.server.rooms.messages import MOST_EVENTS
from smalti.server.rooms.rooms import Rooms
from smalti.server.table import kinds
from smalti.server.table.entries import IMPORT, Entry, Facts
from smalti.server.table.log import Log
from smalti.server.table.terms import Terms

MOST_BYTES = 256 * 1024  # of a record; the longest game that can be played has a fifth of it
AT_ONCE = 2  # records that are checked
MOST_WAITING = 30  # as many as a class
WAIT = 5  # seconds
BOT = "bot:"  # how our own records name them


class Imports:
    """Checks records beside the event loop, a few at a time."""

    def __init__(self) -> None:
        self.lines, self.waiting = asyncio.Semaphore(AT_ONCE), 0

    async def checked(self, text: bytes, check: Callable[[str], None]) -> tuple[Log, list[Entry]]:
        """Return what is kept of a record, checked in its turn; whoever would wait for long is told to come again."""
        if self.waiting >= MOST_WAITING:
            raise Problem("many", seconds=WAIT)
        self.waiting += 1
        try:
            async with self.lines:
                return await asyncio.to_thread(prepared, text, check)
        finally:
            self.waiting -= 1


async def import_record(rooms: Rooms, text: bytes, imports: Imports) -> str:
    """Check a record, keep it unless it is kept already, and return its name; it is in memory once somebody looks."""
    log, entries = await imports.checked(text, rooms.ready.check)
    await rooms.store_new(log, entries)
    return log.facts.id


def prepared(text: bytes, check: Callable[[str], None]) -> tuple[Log, list[Entry]]:
    """Check a record, and return the log of its table with its one entry."""
    record, match = checked(text, check)
    seated = people(record)
    past = kinds.Record(tuple(seated["names"]), tuple(seated["bots"]), tuple(match.events))
    log = Log(facts_of(match, {**seated, "events": [[by, do] for by, do in match.events]}))
    return log, [append(log, past)]


def checked(text: bytes, check: Callable[[str], None]) -> tuple[Record, Match]:
    """Read a record and replay it if its game passes a check; what is wrong names the event and the rule."""
    game = ""
    try:
        record = parse(text)
        game = record.game if record.game in games.names() else ""
        if not record.events:
            raise BadRecord("nothing has happened in it")
        if len(record.events) > MOST_EVENTS:  # by Mosaix' first rules a game need not end
            raise Problem("long", most=MOST_EVENTS)
        check(game)
        return record, verify(record, games.find)
    except Problem:
        raise
    except SmaltiError as error:
        raise WrongRecord(error, game) from error


def people(record: Record) -> dict[str, list[str | None]]:
    """Return who played, as far as the record says it in a way that can be shown: names, and bots that we know."""
    given = record.extra.get("names")
    names = given if isinstance(given, list) and len(given) == record.players else [None] * record.players
    texts = [name if isinstance(name, str) and len(name) <= 4 * LONGEST_NAME else None for name in names]
    known = bots.names(record.game)
    found = [text.removeprefix(BOT) if text and text.startswith(BOT) else None for text in texts]
    seated = [bot if bot in known else None for bot in found]
    shown = [None if bot else cleaned(text, LONGEST_NAME) for text, bot in zip(texts, seated, strict=True)]
    return {"names": shown, "bots": seated}


def facts_of(match: Match, body: dict[str, Any]) -> Facts:
    """Return the facts of an imported game; nobody is its host."""
    facts = new_facts(match.game, match.seats, dict(match.options), "", Terms())
    return replace(facts, id=name_of(match, body), origin=IMPORT)


def name_of(match: Match, body: dict[str, Any]) -> str:
    """Return the name that follows from the game, what happened, and who played."""
    content = {**record_of(match).document(), "people": [body["names"], body["bots"]]}
    if content["rules"] == 1:  # so that a record from before there were versions keeps its address
        del content["rules"]
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).digest()
    return plain_id(base64.urlsafe_b64encode(digest[:12]).decode())
