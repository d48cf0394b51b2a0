"""What goes over HTTP: tables that are made, found and looked at again, and everything else outside of a game.

`tools/wire_types.py` writes the TypeScript types from this module, `from_page` and `to_page`; docs/wire.md explains
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from smalti.engine.game import Item
from smalti.server import problems
from smalti.server.luck.proof import Draw, Proof, Seal
from smalti.server.table.terms import Finders, Language, Onlookers, Terms
from smalti.server.wire.to_page import Ended, Happening, Seat, Start


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """Who is to sit here: someone at this screen ("here"), someone with the link ("link"), or a bot ("bot")."""

    kind: str
    name: str | None = None
    bot: str | None = None


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to be made."""

    game: str
    seats: list[SeatWish]
    options: dict[str, str] = {}
    terms: Terms = Terms()
    listed: bool = False
    onlookers: Onlookers = "link"
    start: Start | None = None  # go on from there, with other people; game, options and seats are as they were


class Made(msgspec.Struct):
    """The table that was made, joined or found."""

    id: str
    seats: list[int]  # held by this browser


class Claim(msgspec.Struct, forbid_unknown_fields=True):
    """Sit down: with the key of a link, or at a listed table without one."""

    name: str
    key: str | None = None


class Nonces(msgspec.Struct, forbid_unknown_fields=True):
    """What a browser adds to the luck of a table for its seats: 64 hexadecimal digits each, at random.

    `commitment` is the one the page was shown before it made them up.
    """

    commitment: str
    nonces: dict[int, str]


class Again(msgspec.Struct, forbid_unknown_fields=True):
    """Play again. Bots may be replaced, by the seats they had."""

    bots: dict[int, str] = {}


class Rename(msgspec.Struct, forbid_unknown_fields=True):
    """Another name for a seat of mine, or for all of them."""

    name: str
    seat: int | None = None


class Change(msgspec.Struct, forbid_unknown_fields=True):
    """What the host changes: who may look on, whether the table is listed."""

    onlookers: Onlookers | None = None
    listed: bool | None = None


class Fill(msgspec.Struct, forbid_unknown_fields=True):
    """Let this bot sit down on these free seats, or on all that are free."""

    bot: str
    seats: list[int] | None = None


class Silence(msgspec.Struct, forbid_unknown_fields=True):
    """Let an onlooker say nothing any more at this table, or again; the host is told their `id`."""

    speaker: str
    silenced: bool = True


class Clear(msgspec.Struct, forbid_unknown_fields=True):
    """Take away what was said: one thing by its number, or everything, among the players or the onlookers."""

    onlookers: bool
    n: int | None = None


class Quick(msgspec.Struct, forbid_unknown_fields=True):
    """Seat me at an open table like this, or at a new one where there is none."""

    game: str
    seats: int
    name: str
    options: dict[str, str] = {}
    terms: Terms = Terms()


class Subscribe(msgspec.Struct, forbid_unknown_fields=True):
    """Where this browser wants to be told that it is its turn: what its push service gave it, base64url."""

    endpoint: str
    key: str  # the browser's public key (p256dh)
    auth: str
    language: Language


class Unsubscribe(msgspec.Struct, forbid_unknown_fields=True):
    """This address is to be told nothing any more."""

    endpoint: str


class Subscribed(msgspec.Struct):
    """The key that notices from here are signed with, base64url, and whether this browser is told."""

    key: str
    on: bool


class Problem(msgspec.Struct):
    """Why a request was not done. `reason` is a key for translation with its `values`."""

    reason: str
    values: Mapping[str, Any]
    sentence: str


class WrongRecord(Problem):
    """Why a record was not imported: also where it is wrong, in which game, and by which rule."""

    game: str  # empty if it is not known
    event: int | None
    rule: str  # number of the rule, or empty


def problem_body(problem: problems.Problem) -> Problem:
    """Describe what is wrong with a request."""
    if isinstance(problem, problems.WrongRecord):
        found = problem.reason, problem.values, problem.sentence
        return WrongRecord(*found, problem.game, problem.event, problem.rule)
    return Problem(problem.reason, problem.values, problem.sentence)


class GameInfo(msgspec.Struct):
    """A game that can be played here."""

    name: str
    title: str
    authors: str
    year: int
    seats: list[int]
    rules: int
    options: Mapping[str, list[str]]  # the default first
    hints: Mapping[str, str]  # by verb: how it is typed
    bots: list[str]
    ready: int = 100  # per cent of its rules that are compiled; a table waits for the rest


class TableLine(msgspec.Struct):
    """A table in a list."""

    id: str
    game: str
    stage: str
    seats: list[Seat]
    made: float
    last: float  # when something happened last
    scores: list[int]
    winners: list[int]
    how: Ended | None  # as `ended` of a table
    my_turn: bool
    options: Mapping[str, str]
    terms: Terms
    host: str | None  # the name of the host, if they sit there
    watching: int  # onlookers connected
    origin: str  # "new", or "fork" if it went on from a point of another game
    left: float | None  # seconds until the first clock of mine runs out, if one runs
    is_open: bool = False  # whether everybody may find it when it is over


class TableList(msgspec.Struct):
    """Tables, the newest first; `more` is the address of the next page."""

    tables: list[TableLine]
    more: str | None


class Lobby(msgspec.Struct):
    """Tables that seek players, and games that everybody may watch; the newest first."""

    seeking: list[TableLine]
    playing: list[TableLine]


class Replay(msgspec.Struct):
    """A finished or imported game: people, all events, and what it came to. The views are fetched one by one."""

    id: str
    game: str
    options: Mapping[str, str]
    rules: int
    names: list[str]
    kinds: list[str]
    bots: list[str | None]
    made: float
    ended: float
    events: list[Happening]
    story: list[Happening]  # where something was taken back: everything that happened, with the table's numbers
    scores: list[int]
    winners: list[int]
    verdict: str  # as in a state
    origin: str  # "new", "fork" or "import"
    start: Start | None  # as in a table
    over: bool  # a game that was broken off, or an imported record, may end before the game does
    resigned: list[int]
    how: Ended | None  # as `ended` of a table
    code: str | None = None  # of a deal known beforehand
    finders: Finders = "link"  # as in a table


class Fairness(msgspec.Struct):
    """What proves how a finished game was dealt: every draw with its 64-bit words, every seal with what opens it."""

    proof: Proof
    commitment: str | None  # that the secret leads to
    draws: list[Draw]
    seals: list[Seal]
    numbers: list[int]  # that the events of the record had while the game was played


class Deal(msgspec.Struct):
    """A deal that several tables share, and what the finished ones came to, the best first.

    Whoever still plays it is not told where the others can be replayed: then `id` of the tables is empty.
    """

    game: str
    seats: int
    options: Mapping[str, str]
    code: str
    playing: bool
    tables: list[TableLine]


class Step(msgspec.Struct):
    """The table after an event of a finished game, with nothing hidden from the archive."""

    n: int
    view: Any
    acting: list[int]
    score: list[Item]
    scores: list[int]
