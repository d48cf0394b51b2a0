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
from smalti.engine.errors import BadRecord, Refused, SmaltiError
from smalti.engine.match import Match
from smalti.engine.records import Record, parse, record_of, verify
from smalti.server import bodies
from smalti.server.entries import IMPORT, Entry, Facts
from smalti.server.log import Log
from smalti.server.problems import Problem
from smalti.server.rooms import MOST_EVENTS, Rooms, entry
from smalti.server.tables import new_facts
from smalti.server.terms import Terms
from smalti.server.typed import LONGEST_NAME, cleaned

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
    await rooms.put(log, entries)
    return log.facts.id


def prepared(text: bytes, check: Callable[[str], None]) -> tuple[Log, list[Entry]]:
    """Check a record, and return the log of its table with its one entry."""
    record, match = checked(text, check)
    body = {**people(record), "events": [[by, do] for by, do in match.events]}
    log = Log(facts_of(match, body))
    return log, [entry(log, "record", None, body)]


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


class WrongRecord(Problem):
    """A record that the rules refuse, or that is none."""

    def __init__(self, error: SmaltiError, game: str) -> None:
        super().__init__("record", what=str(error))
        self.game, self.event, self.rule = game, error.event, ""
        if isinstance(error, Refused):
            self.reason, self.values, self.sentence = error.reason, error.values, error.sentence
            self.rule = error.rule if error.reason.startswith(f"{game}.") else ""  # wrong scores are against none

    def told(self) -> bodies.WrongRecord:
        """Return the message that says so."""
        return bodies.WrongRecord(self.reason, self.values, self.sentence, self.game, self.event, self.rule)


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
    return base64.urlsafe_b64encode(digest[:12]).decode().replace("-", "x").replace("_", "y")
