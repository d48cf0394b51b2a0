"""What a log is made of: its entries, what never changes about its table, and what becomes of an entry.

Everything that ever happens at a table is an entry, numbered in the order it was stored. The kinds of entries:

    sit    a person sits down            name, holder (hash of the browser's secret)
    bot    a bot sits down               bot
    name   a person changes their name   name
    link   the host makes a new link; the seat is free again
    watch  who may look on               mode: all, link or none
    list   the table is listed or not    listed; lapsed where nobody of it was there any more
    nonce  a person's browser adds to the luck of the table   nonce
    say    somebody says something       text or phrase; an onlooker has no seat, but a name, and `by`: who it is
    silence  the host silences an onlooker, or no more   by, silenced
    clear  the host takes words away     onlookers (or the players'), n (null: everything said until then)
    seal   a seat's browser adds to the seal of what it decides next   nonce
    play   a seat or chance does something; a second time for the same decision changes a sealed one
    next   there is a rematch            table
    start  the game goes on from a point of another one   table, n, events, open, knowing (see `Start`)
    record a record was imported; nobody will ever play here   names, bots, events
    ask    a seat asks the others        what, values, of (the seats that have to agree), events, until (see `Proposal`)
    lapse  the time for answers to what is asked is over    agreed: whether silence was agreement
    answer to what is asked              yes, for (the seats it is for); no from the asker withdraws it
    back   a seat takes back what it did to (so many events are left)
    lend   an absent person's seat goes to a bot, or with a new link to whoever comes; they may have it back   bot
    return a person takes their own seat again, or the one they were sent away from before the game
    resign a seat gives up; a bot plays on for it, or the game is over     bot
    leave  a person goes for good; a bot plays on, or the seat is free     bot
    host   another browser is the host   holder
    end    the game is broken off        how
    late   a seat's time has run out     did: what was agreed for that ("move", "seat", "resign"); its entry follows
    pause  the clocks stop, nobody acts
    resume the clocks go on
    down   no process was running        since, until: the time in between is given back
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from smalti.server.messages import Phrase
from smalti.server.terms import Terms

GATHERING, PLAYING, OVER = "gathering", "playing", "over"
NEW, FORK, IMPORT = "new", "fork", "import"  # where a table comes from


class Entry(NamedTuple):
    """One line of a log."""

    n: int
    at: float
    kind: str
    seat: int | None
    body: str  # of a play the text of the event, else JSON
    id: str | None  # of the message that asked for it


@dataclass(frozen=True)
class Facts:
    """What never changes about a table."""

    id: str
    game: str
    seats: int
    options: Mapping[str, str]
    rules: int
    made: float
    secret: bytes  # of chance
    key: bytes  # of links
    host: str  # hash of the browser's secret that made it
    terms: Terms
    origin: str = NEW
    revision: int = 0  # how often its rows were changed from outside when they were read


class Start(NamedTuple):
    """The point of another game that a game goes on from, and who may be told which game that is."""

    table: str
    n: int
    is_open: bool = False  # everybody may find that game
    knowing: frozenset[str] | None = None  # marks of the browsers that played it; None from before that was noted


@dataclass(frozen=True)
class Happened:
    """An event of the game with its number on the wire, which a changed decision keeps."""

    number: int
    entry: Entry
    secret: bool  # not to be told to others yet
    shown: int  # the number with which everybody may know it
    choices: tuple[str, ...] = ()  # of a sealed decision: everything that could have been decided
    seal: str | None = None  # of a sealed decision: what binds the seat to it
    nonce: str | None = None  # that opens the seal
    final: bool = False  # under seal for good, as a bot's is, so that the seal can be told at once
    late: bool = False  # played by a bot, because the seat's time had run out
    left: float | None = None  # seconds the seat had left when it decided
    gone: int | None = None  # the number of the taking back that undid it

    @property
    def stands(self) -> bool:
        """Whether it is an event of the game that was not taken back."""
        return self.entry.kind == "play" and self.gone is None


@dataclass(frozen=True)
class Ended:
    """How a game ended before its end: somebody "resigned", all "agreed", or everybody "left"."""

    how: str
    by: int | None


@dataclass(frozen=True)
class Said:
    """Something that was said: typed, or one of the phrases that everybody reads in their own language."""

    at: float
    id: str | None
    seat: int | None
    name: str | None  # of an onlooker
    text: str | None
    phrase: Phrase | None
    by: str | None = None  # of an onlooker: who it is, as far as this table can tell
    cleared: bool = False  # taken away by the host


def decoded(entry: Entry) -> Any:
    """Return the body of an entry that is no play."""
    return msgspec.json.decode(entry.body)


def said(entry: Entry) -> Said:
    """Return what an entry says."""
    body = msgspec.json.decode(entry.body)
    name, text, phrase, by = (body.get(key) for key in ("name", "text", "phrase", "by"))
    return Said(entry.at, entry.id, entry.seat, name, text, phrase, by, body.get("cleared", False))
