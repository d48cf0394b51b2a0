"""A table's log and what it leads to: who sits where, and the match.

State is made by replaying entries (see `entries`) and in no other way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import msgspec

from smalti import games
from smalti.engine.match import Match
from smalti.engine.rules import NOBODY
from smalti.server import luck
from smalti.server.clocks import Clocks, first_clocks, ticked, told_of
from smalti.server.entries import (
    GATHERING,
    IMPORT,
    OVER,
    PLAYING,
    Ended,
    Entry,
    Facts,
    Happened,
    Start,
    decoded,
)
from smalti.server.keys import link_key
from smalti.server.messages import Onlookers
from smalti.server.problems import Problem
from smalti.server.proposals import Proposal, answered, asked, ended_by_time
from smalti.server.seating import Sitting, seated
from smalti.server.speech import Side, heard, unheard
from smalti.server.terms import Finders


def is_secret(match: Match, by: int | None, event: str) -> bool:
    """Say whether an event about to be played is not seen by everybody."""
    game = match.game
    if not game.has_secrets:
        return False
    table = match.table
    if by is not None:
        move = game.numbers.get(event)
        return move is not None and game.is_secret(table, by, move, NOBODY)
    return any(game.is_secret(table, NOBODY, move, NOBODY) for move in list(match.chances())[:1])


class Log:
    """The entries of a table and the state they lead to."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.match = Match(games.find(facts.game, facts.rules), facts.seats, facts.options)
        self.length = 0  # entries, which number the rows of the store
        self.number = 0  # what the wire counts: entries without changed decisions
        self.last = facts.made
        self.seats = [Sitting() for _ in range(facts.seats)]
        self.onlookers: Onlookers = "link"
        self.listed = self.lapsed = False
        self.began_open = False  # whether it stood among the open tables when the game began
        self.players: frozenset[str] = frozenset()  # holders who have had a seat when the game had begun
        self.next: str | None = None
        self.nonces: list[str | None] = [None] * facts.seats  # what people's browsers have added to the luck
        self.sealing: dict[int, str] = {}  # by seat: the nonce of what it decides next
        self.start: Start | None = None
        self.begun = False  # all were ready once; what was copied from another game does not count
        self.proposal: Proposal | None = None  # the last one, open or not
        self.host = facts.host
        self.resigned: frozenset[int] = frozenset()
        self.guests: frozenset[str] = frozenset()  # holders who played here and do not any more
        self.ended: Ended | None = None
        self.words = unheard(facts.revision)  # what was said, among the players and among the onlookers
        self.happened: list[Happened] = []
        self.asked = [0] * facts.seats  # by seat: the number its decision belongs to
        self.ids: dict[tuple[int | None, str], int] = {}  # numbers by the seat's message that asked
        self.sealed: dict[int, int] = {}  # by seat: where in `happened` its sealed decision stands
        self.withheld: list[int] = []  # where in `happened` stands what nobody but some may know until the end
        self.shown_late: list[int] = []  # where in `happened` stands what was shown after it happened, in that order
        self.clocks: Clocks | None = first_clocks(facts.terms.clock, facts.seats, facts.made)

    def copy(self) -> Log:
        """Return a log in the same state that can go on without changing this one."""
        twin = Log.__new__(Log)
        twin.__dict__.update(self.__dict__)
        twin.match = self.match.copy()
        for name in ("seats", "happened", "asked", "ids", "sealed", "withheld", "shown_late"):
            setattr(twin, name, getattr(self, name).copy())
        twin.nonces, twin.sealing = self.nonces.copy(), self.sealing.copy()
        return twin

    @property
    def stage(self) -> str:
        """Whether people gather, play, or have played; what was imported is never played on."""
        if not self.begun:
            return GATHERING
        has_ended = self.match.is_over or self.ended is not None or self.facts.origin == IMPORT
        return OVER if has_ended else PLAYING

    @property
    def acting(self) -> frozenset[int]:
        """The seats that must act now."""
        return frozenset() if self.ended else self.match.acting

    @property
    def winners(self) -> list[int]:
        """The seats that have won; whoever has resigned is not among them."""
        if self.ended:
            won = self.ended.how == "resigned" and self.facts.seats > 1
            return [seat for seat in range(self.facts.seats) if won and seat not in self.resigned]
        won_by_rules = [seat for seat in self.match.winners if seat not in self.resigned]
        return won_by_rules or self.next_best()

    def next_best(self) -> list[int]:
        """Return who wins by the rules among those who have not resigned, where the winner of all has."""
        if not self.resigned:
            return []
        return self.match.winners_among([seat for seat in range(self.facts.seats) if seat not in self.resigned])

    @property
    def is_complete(self) -> bool:
        """Whether every seat is taken."""
        return all(sitting.kind != "free" for sitting in self.seats)

    @property
    def finders(self) -> Finders:
        """Who may find the game when it is over: the promise that everybody is shown, fixed when the game begins.

        Everybody may only where strangers could join to the last and people met; while they gather, the doors tell.
        """
        wanted = self.facts.terms.finders
        if wanted in ("link", "players"):
            return wanted
        is_open = self.began_open and len(self.players) > 1 if self.begun else self.listed
        return "all" if is_open else "link"

    def has_played(self, holder: str | None) -> bool:
        """Say whether a browser belongs to somebody who plays or has played here, or who made the table."""
        return holder is not None and (holder == self.host or holder in self.players or self.is_of(holder))

    @property
    def in_lobby(self) -> bool:
        """Whether the lobby shows it: while it seeks players, or to be watched."""
        if self.stage == GATHERING:
            return self.listed and not self.is_complete
        return self.stage == PLAYING and self.onlookers == "all"

    @property
    def is_ready(self) -> bool:
        """Whether everybody sits and has added to the luck, so that it can be dealt."""
        return self.is_complete and not any(map(self.owes_nonce, range(self.facts.seats)))

    @property
    def commitment(self) -> str | None:
        """What binds the table to its secret; nothing where the deal is known beforehand."""
        return luck.commitment(self.facts)

    def owes_nonce(self, seat: int) -> bool:
        """Say whether the person on a seat has yet to add to the luck; bots and known deals add nothing."""
        owes = self.seats[seat].kind == "person" and self.nonces[seat] is None
        return owes and self.commitment is not None and self.stage == GATHERING

    @property
    def waited_for(self) -> frozenset[int]:
        """The people who must act."""
        acting = self.acting if self.stage == PLAYING else ()
        return frozenset(seat for seat in acting if self.seats[seat].kind == "person")

    @property
    def due(self) -> float | None:
        """The moment when the first clock runs out, or the time for answers to what is asked."""
        asked = self.proposal.until if self.proposal and self.proposal.is_open else None
        moments = (self.clocks.due if self.clocks else None, asked)
        return min((moment for moment in moments if moment is not None), default=None)

    @property
    def is_paused(self) -> bool:
        """Whether the clocks are stopped, and nobody acts."""
        return self.clocks is not None and self.clocks.paused

    def talk(self, seated: bool) -> Side:
        """Return what was said where the seated, or the onlookers, can hear it."""
        return self.words.players if seated else self.words.onlookers

    def held_by(self, holder: str | None) -> list[int]:
        """List the seats of a browser."""
        return [seat for seat, sitting in enumerate(self.seats) if holder and sitting.holder == holder]

    def is_of(self, holder: str) -> bool:
        """Say whether a browser has a seat here, or may take one again."""
        return any(holder in sitting.people for sitting in self.seats)

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
        elif entry.kind == "back":
            self.go_back(entry, msgspec.json.decode(entry.body)["to"])
        elif entry.kind in ("say", "silence", "clear"):  # without a number: only those who may hear it are to notice
            self.words = heard(self.words, entry)
        elif entry.kind == "seal":  # without a number: a changed decision has one, too
            assert entry.seat is not None
            self.sealing[entry.seat] = msgspec.json.decode(entry.body)["nonce"]
        elif entry.kind in ("start", "record"):
            self.apply_past(entry)
        elif entry.kind in ("late", "pause", "resume", "down"):
            self.number += 1
            self.clocks = self.clocks and told_of(self.clocks, entry.kind, entry.seat, entry.at, decoded(entry))
        else:
            self.number += 1
            self.apply_people(entry.kind, entry.seat, msgspec.json.decode(entry.body))
            if entry.id:
                self.ids[entry.seat, entry.id] = self.number
        self.length = entry.n
        if not self.begun and self.is_ready:
            self.begun, self.began_open = True, self.listed
        if self.begun and entry.kind != "play":
            self.players |= {sitting.holder for sitting in self.seats if sitting.holder}
        self.end_proposal()
        if self.number > before:  # when a sealed decision was changed is nobody's business
            self.last = entry.at
            if self.clocks:
                self.clocks = ticked(self.clocks, entry.at, self.waited_for)

    def apply_people(self, kind: str, seat: int | None, body: Any) -> None:
        """Let people come and go."""
        if kind == "watch":
            self.onlookers = body["mode"]
        elif kind == "list":
            self.listed, self.lapsed = body["listed"], body.get("lapsed", False)
        elif kind == "next":
            self.next = body["table"]
        elif kind == "nonce":
            assert seat is not None
            self.nonces[seat] = body["nonce"]
        elif kind == "host":
            self.host = body["holder"]
        elif kind == "end":
            self.end(body["how"], seat)
        elif kind == "lapse":
            self.proposal = self.proposal and ended_by_time(self.proposal, body)
        elif seat is not None and kind in ("ask", "answer"):
            self.apply_consent(kind, seat, body)
        elif seat is not None:
            before = self.seats[seat]
            self.seats[seat] = seated(before, kind, body)
            if self.stage == GATHERING and self.seats[seat].holder != before.holder:
                self.nonces[seat] = None  # whoever sits here now adds their own
            if kind in ("return", "resign", "leave"):
                self.guests |= before.people - self.seats[seat].people
            if kind == "resign":
                self.resign(seat, body["bot"])
            if self.proposal and self.seats[seat].entitled != before.entitled and seat in self.proposal.concerned:
                self.proposal = self.proposal.lapsed()

    def apply_consent(self, kind: str, seat: int, body: Any) -> None:
        """Let a seat ask the others for something, or answer."""
        if kind == "ask":
            self.proposal = asked(self.number, seat, body)
        elif self.proposal:
            self.proposal = answered(self.proposal, seat, body)

    def end_proposal(self) -> None:
        """End what is asked if the game has moved on from what it was about."""
        if self.proposal and self.proposal.is_open:
            moved_on = self.proposal.events not in (None, len(self.match.events))
            if moved_on or self.stage == OVER:
                self.proposal = self.proposal.lapsed()

    # --- How it ends

    def resign(self, seat: int, bot: str | None) -> None:
        """Let a seat give up; without a bot to play on for it the game is over."""
        self.resigned |= {seat}
        if bot is None:
            self.end("resigned", seat)

    def end(self, how: str, by: int | None) -> None:
        """Break the game off; there are no secrets any more."""
        self.ended = Ended(how, by)
        self.show([*self.sealed.values(), *self.withheld])
        self.sealed, self.withheld = {}, []

    # --- The game

    def apply_past(self, entry: Entry) -> None:
        """Let everything happen that happened elsewhere: in the game this one goes on from, or in a record."""
        body = msgspec.json.decode(entry.body)
        for by, do in body["events"]:
            self.apply_play(Entry(entry.n, entry.at, "play", by, do, None))
        self.number += 1
        if entry.kind == "start":
            knowing = frozenset(body["knowing"]) if "knowing" in body else None
            self.start = Start(body["table"], body["n"], body.get("open", False), knowing)
        else:
            people = zip(body["names"], body["bots"], strict=True)
            self.seats = [Sitting("bot" if bot else "person", name, bot) for name, bot in people]

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
        late, left = self.timed(seat, entry.at)
        happened = Happened(self.number, entry, secret, self.number, choices, late=late, left=left)
        self.happened.append(self.under_seal(happened, len(self.happened)) if choices else happened)
        if entry.id:
            self.ids[seat, entry.id] = self.number
        if secret and seat is not None:
            self.sealed[seat] = len(self.happened) - 1
        elif secret:
            self.withheld.append(len(self.happened) - 1)
        self.ask(before, seat)

    def timed(self, seat: int | None, at: float) -> tuple[bool, float | None]:
        """Let a decision count on its seat's clock; returns whether it came by lateness, and what time was left."""
        if self.clocks is None or seat is None or self.seats[seat].kind != "person":
            return False, None
        before = self.clocks
        self.clocks = before.settled(at).decided(seat)
        return before.stands_in_for(seat), before.left_at(seat, at)

    def change(self, seat: int, entry: Entry) -> None:
        """Replace a sealed decision; nobody else notices, not even by a number."""
        place = self.sealed[seat]
        if self.happened[place].late:
            raise Problem("late")
        self.match.change(seat, entry.body)
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
        return replace(happened, seal=seal, nonce=nonce, final=self.seats[entry.seat].kind == "bot")

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

    def go_back(self, entry: Entry, to: int) -> None:
        """Take back all events after so many: they stay where they are, marked, and the game stands as it did then."""
        standing = [place for place, happened in enumerate(self.happened) if happened.stands]
        self.number += 1
        for place in standing[to:]:
            self.happened[place] = replace(self.happened[place], gone=self.number, shown=self.number)
        self.shown_late += standing[to:]
        self.happened.append(Happened(self.number, entry, False, self.number))
        if entry.id:
            self.ids[entry.seat, entry.id] = self.number
        self.go_back_in_time(entry.at, standing[to:])
        self.replay(standing[:to])
        self.asked = [self.number] * self.facts.seats  # whatever answers an older state is too late

    def go_back_in_time(self, at: float, places: list[int]) -> None:
        """Give everybody the time they had when they decided what is taken back, so that nobody gains by it."""
        undone = [self.happened[place] for place in reversed(places)]
        if self.clocks:
            before = {happened.entry.seat: happened.left for happened in undone}
            self.clocks = self.clocks.settled(at).with_times(before)

    def replay(self, places: list[int]) -> None:
        """Play again what stands, to find what is sealed and withheld after it."""
        self.match = Match(self.match.game, self.facts.seats, self.facts.options)
        self.sealed, self.withheld = {}, []
        for place in places:
            before, happened = self.match.acting, self.happened[place]
            seat = happened.entry.seat
            self.match.play(seat, happened.entry.body)
            if seat is not None and happened.choices:
                self.sealed[seat] = place
            elif happened.secret:
                self.withheld.append(place)
            if self.match.acting != before - {seat} or not self.match.acting:
                self.sealed = {}

    def show(self, places: list[int]) -> None:
        """Let everybody know what was decided in secret."""
        for place in places:
            self.happened[place] = replace(self.happened[place], secret=False, shown=self.number)
        self.shown_late += places

    def chance_entries(self, at: float) -> list[Entry]:
        """Play what chance has to do now, on this very log, and return the entries."""
        entries = []
        while self.match.awaits_chance and self.stage == PLAYING:
            event = luck.drawn(self.facts, self.nonces, self.match)
            entries.append(Entry(self.length + 1, at, "play", None, event, None))
            self.apply(entries[-1])
        return entries
