"""A table's log and what it leads to: who sits where, and the match.

Everything that ever happens at a table is an entry, numbered in the order it was stored; state is made by replaying
entries and in no other way. The kinds of entries:

    sit    a person sits down            name, holder (hash of the browser's secret)
    bot    a bot sits down               bot
    name   a person changes their name   name
    link   the host makes a new link; the seat is free again
    nonce  a person's browser adds to the luck of the table   nonce
    watch  onlookers are let in or not   open
    list   the table is listed or not    listed
    say    somebody says something       text or phrase; an onlooker has no seat, but a name
    seal   a seat's browser adds to the seal of what it decides next   nonce
    play   a seat or chance does something; a second time for the same decision changes a sealed one
    next   there is a rematch            table
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import msgspec

from smalti import games
from smalti.engine.match import Match
from smalti.engine.rules import NOBODY
from smalti.server import luck
from smalti.server.keys import link_key
from smalti.server.terms import Terms

GATHERING, PLAYING, OVER = "gathering", "playing", "over"


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


@dataclass(frozen=True)
class Sitting:
    """Who sits on a seat."""

    kind: str = "free"
    name: str | None = None
    bot: str | None = None
    holder: str | None = None
    links: int = 0  # made anew so many times


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


@dataclass(frozen=True)
class Said:
    """Something that was said: typed, or one of the phrases that everybody reads in their own language."""

    at: float
    id: str | None
    seat: int | None
    name: str | None  # of an onlooker
    text: str | None
    phrase: str | None


def is_secret(match: Match, by: int | None, event: str) -> bool:
    """Say whether an event about to be played is not seen by everybody."""
    game, table = match.game, match.table
    if by is not None:
        move = game.numbers.get(event)
        return move is not None and game.is_secret(table, by, move, NOBODY)
    return any(game.is_secret(table, NOBODY, move, NOBODY) for move in list(match.chances())[:1])


class Log:
    """The entries of a table and the state they lead to."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.match = Match(games.find(facts.game), facts.seats, facts.options)
        self.length = 0  # entries, which number the rows of the store
        self.number = 0  # what the wire counts: entries without changed decisions
        self.last = facts.made
        self.seats = [Sitting() for _ in range(facts.seats)]
        self.watchable, self.listed = True, False
        self.next: str | None = None
        self.nonces: list[str | None] = [None] * facts.seats  # what people's browsers have added to the luck
        self.sealing: dict[int, str] = {}  # by seat: the nonce of what it decides next
        self.said: list[Said] = []  # among the players
        self.whispered: list[Said] = []  # among the onlookers
        self.happened: list[Happened] = []
        self.asked = [0] * facts.seats  # by seat: the number its decision belongs to
        self.ids: dict[tuple[int | None, str], int] = {}  # numbers by the seat's message that asked
        self.sealed: dict[int, int] = {}  # by seat: where in `happened` its sealed decision stands
        self.withheld: list[int] = []  # where in `happened` stands what nobody but some may know until the end
        self.shown_late: list[int] = []  # where in `happened` stands what was shown after it happened, in that order

    def copy(self) -> Log:
        """Return a log in the same state that can go on without changing this one."""
        twin = Log.__new__(Log)
        twin.__dict__.update(self.__dict__)
        twin.match = self.match.copy()
        for name in ("seats", "said", "whispered", "happened", "asked", "ids", "sealed", "withheld", "shown_late"):
            setattr(twin, name, getattr(self, name).copy())
        twin.nonces, twin.sealing = self.nonces.copy(), self.sealing.copy()
        return twin

    @property
    def stage(self) -> str:
        """Whether people gather, play, or have played."""
        if not self.match.events:
            return GATHERING
        return OVER if self.match.is_over else PLAYING

    @property
    def is_complete(self) -> bool:
        """Whether every seat is taken."""
        return all(sitting.kind != "free" for sitting in self.seats)

    @property
    def is_ready(self) -> bool:
        """Whether everybody sits and has added to the luck, so that it can be dealt."""
        return self.is_complete and not any(map(self.owes_nonce, range(self.facts.seats)))

    @property
    def commitment(self) -> str | None:
        """What binds the table to its secret; nothing where the deal is known beforehand."""
        return luck.commitment(self.facts)

    @property
    def counts(self) -> bool:
        """Whether the game is more than practice: nobody could know beforehand what is dealt."""
        return self.facts.terms.code is None

    def owes_nonce(self, seat: int) -> bool:
        """Say whether the person on a seat has yet to add to the luck; bots and known deals add nothing."""
        owes = self.seats[seat].kind == "person" and self.nonces[seat] is None
        return owes and self.commitment is not None and self.stage == GATHERING

    def talk(self, seated: bool) -> list[Said]:
        """Return what was said where the seated, or the onlookers, can hear it."""
        return self.said if seated else self.whispered

    def held_by(self, holder: str | None) -> list[int]:
        """List the seats of a browser."""
        return [seat for seat, sitting in enumerate(self.seats) if holder and sitting.holder == holder]

    # --- Links

    def seat_key(self, seat: int) -> str:
        """Return the key that claims a seat."""
        return link_key(self.facts.key, f"seat {seat} {self.seats[seat].links}")

    def watch_key(self) -> str:
        """Return the key that lets onlookers in."""
        return link_key(self.facts.key, "watch")

    # --- Replaying

    def extend(self, entries: Iterable[Entry]) -> None:
        """Let all these happen."""
        for entry in entries:
            self.apply(entry)

    def apply(self, entry: Entry) -> None:
        """Let one entry happen; what the rules refuse raises `Refused` and leaves a log that must be thrown away."""
        assert entry.n == self.length + 1
        before = self.number
        if entry.kind == "play":
            self.apply_play(entry)
        elif entry.kind == "say":  # without a number: only those who may hear it are to notice
            self.talk(entry.seat is not None).append(said(entry))
        elif entry.kind == "seal":  # without a number: a changed decision has one, too
            assert entry.seat is not None
            self.sealing[entry.seat] = msgspec.json.decode(entry.body)["nonce"]
        else:
            self.number += 1
            self.apply_people(entry.kind, entry.seat, msgspec.json.decode(entry.body))
        self.length = entry.n
        if self.number > before:  # when a sealed decision was changed is nobody's business
            self.last = entry.at

    def apply_people(self, kind: str, seat: int | None, body: Any) -> None:
        """Let people come and go."""
        if kind == "watch":
            self.watchable = body["open"]
        elif kind == "list":
            self.listed = body["listed"]
        elif kind == "next":
            self.next = body["table"]
        elif kind == "nonce":
            assert seat is not None
            self.nonces[seat] = body["nonce"]
        elif seat is not None:
            before, self.seats[seat] = self.seats[seat], self.seated(self.seats[seat], kind, body)
            if self.stage == GATHERING and self.seats[seat].holder != before.holder:
                self.nonces[seat] = None  # whoever sits here now adds their own

    def seated(self, before: Sitting, kind: str, body: Any) -> Sitting:
        """Return who sits on a seat after an entry about it."""
        if kind == "sit":
            return replace(before, kind="person", name=body["name"], bot=None, holder=body["holder"])
        if kind == "bot":
            return replace(before, kind="bot", name=None, bot=body["bot"], holder=None)
        if kind == "link":
            return replace(before, kind="free", name=None, bot=None, holder=None, links=before.links + 1)
        return replace(before, name=body["name"])

    # --- The game

    def apply_play(self, entry: Entry) -> None:
        """Play an event, or change a sealed decision."""
        seat = entry.seat
        if seat is not None and seat in self.sealed and seat not in self.match.acting:
            self.change(seat, entry)
            return
        before = self.match.acting
        secret = is_secret(self.match, seat, entry.body)
        choices = tuple(self.match.legal(seat)) if secret and seat is not None else ()
        self.match.play(seat, entry.body)
        self.number += 1
        happened = Happened(self.number, entry, secret, self.number, choices)
        self.happened.append(self.under_seal(happened, len(self.happened)) if choices else happened)
        if entry.id:
            self.ids[seat, entry.id] = self.number
        if secret and seat is not None:
            self.sealed[seat] = len(self.happened) - 1
        elif secret:
            self.withheld.append(len(self.happened) - 1)
        self.ask(before, seat)

    def change(self, seat: int, entry: Entry) -> None:
        """Replace a sealed decision; nobody else notices, not even by a number."""
        self.match.change(seat, entry.body)
        place = self.sealed[seat]
        first = self.happened[place]
        self.happened[place] = self.under_seal(replace(first, entry=entry._replace(at=first.entry.at)), place)
        if entry.id:
            self.ids[seat, entry.id] = first.number

    def under_seal(self, happened: Happened, place: int) -> Happened:
        """Bind a seat to what it has decided in secret, with the nonce of its browser or one of ours."""
        entry = happened.entry
        if not self.facts.terms.fair or entry.seat is None:
            return happened
        seal, nonce = luck.seal(self.facts, entry.seat, entry.body, place, self.sealing.pop(entry.seat, None))
        return replace(happened, seal=seal, nonce=nonce)

    def ask(self, before: frozenset[int], by: int | None) -> None:
        """Note whose decision is new, and show what was sealed once the decision is over."""
        now = self.match.acting
        still = before - {by}
        if not now or now != still:
            self.show(list(self.sealed.values()))
            self.sealed = {}
            for seat in now:
                self.asked[seat] = self.number
        if by is not None and by not in now:
            self.asked[by] = self.number
        if self.match.is_over:
            self.show(self.withheld)
            self.withheld = []

    def show(self, places: list[int]) -> None:
        """Let everybody know what was decided in secret."""
        for place in places:
            self.happened[place] = replace(self.happened[place], secret=False, shown=self.number)
        self.shown_late += places

    def chance_entries(self, at: float) -> list[Entry]:
        """Play what chance has to do now, on this very log, and return the entries."""
        entries = []
        while self.match.awaits_chance:
            event = luck.drawn(self.facts, self.nonces, self.match)
            entries.append(Entry(self.length + 1, at, "play", None, event, None))
            self.apply(entries[-1])
        return entries


def said(entry: Entry) -> Said:
    """Return what an entry says."""
    body = msgspec.json.decode(entry.body)
    return Said(entry.at, entry.id, entry.seat, body.get("name"), body.get("text"), body.get("phrase"))
