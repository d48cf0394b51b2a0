"""A table's log: entries happen to the state of the table, one after the other.

State is made by replaying entries (see `kinds`) and in no other way. Each part of it goes on by its own kinds; here is
which part takes what, and what one part means for another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import msgspec

from smalti.server.table import chat, clocks, draws, proposals
from smalti.server.table.clocks import ticked
from smalti.server.table.entries import GATHERING, OVER, PLAYING, Entry
from smalti.server.table.history import Happened, Origin, is_secret
from smalti.server.table.kinds import (
    Back,
    ChatKind,
    ConsentKind,
    End,
    Event,
    Next,
    PeopleKind,
    Play,
    Record,
    Resign,
    Seal,
    SeatKind,
    Start,
    TimeKind,
    What,
)
from smalti.server.table.state import TableState

UNNUMBERED = ChatKind | Seal  # only those who may know of it are to notice


class Log(TableState):
    """The entries of a table and the state they lead to."""

    # --- Replaying

    def extend(self, entries: Iterable[Entry]) -> None:
        """Let all these happen."""
        for entry in entries:
            self.apply(entry)

    def apply(self, entry: Entry) -> None:
        """Let one entry happen; what the rules refuse raises `Refused` and leaves a log that must be thrown away."""
        assert entry.n == self.length + 1
        before = self.number
        if isinstance(entry.what, Play):
            self.apply_play(entry, entry.what)
        else:
            self.number += not isinstance(entry.what, UNNUMBERED)
            self.apply_other(entry, entry.what)
            if entry.id and self.number > before:
                self.note_id(entry, self.number)
        self.length = entry.n
        if not self.begun and self.is_ready:
            self.begun, self.seating = True, self.seating.begun()
        if self.begun and not isinstance(entry.what, Play):
            self.seating = self.seating.with_players()
        self.end_proposal()
        if self.number > before:  # when a sealed decision was changed is nobody's business
            self.last = entry.at
            if self.clocks:
                self.clocks = ticked(self.clocks, entry.at, self.waited_for)

    def apply_other(self, entry: Entry, what: What) -> None:
        """Let something happen that is no event of the game: each part takes its own kinds."""
        if isinstance(what, ChatKind):
            self.chats = chat.after(self.chats, entry, what)
        elif isinstance(what, PeopleKind):
            self.apply_people(entry.seat, what)
        elif isinstance(what, ConsentKind):
            self.proposal = proposals.after(self.proposal, what, entry.seat, self.number)
        elif isinstance(what, TimeKind):
            self.clocks = self.clocks and clocks.after(self.clocks, what, entry.seat, entry.at)
        elif isinstance(what, Next):
            self.next = what.table
        elif not isinstance(what, Play):
            self.apply_game(entry, what)

    def note_id(self, entry: Entry, number: int) -> None:
        """Remember which message of a seat asked for it, so that a second sending does nothing."""
        if entry.id:
            self.ids = {**self.ids, (entry.seat, entry.id): number}

    # --- People

    def apply_people(self, seat: int | None, what: PeopleKind) -> None:
        """Let people come and go; what is asked lapses when those it concerns are others."""
        before = self.seating
        self.seating = before.after(what, seat, self.stage == GATHERING)
        if isinstance(what, Resign):
            assert seat is not None
            self.history = self.history.with_resigned(seat)
            if what.bot is None:
                self.history = self.history.broken_off("resigned", seat, self.number)
        asked, is_about_seat = self.proposal, isinstance(what, SeatKind) and seat is not None
        if asked and is_about_seat and seat in asked.concerned:
            is_other = self.seats[seat].entitled != before.seats[seat].entitled
            self.proposal = asked.lapsed() if is_other else asked

    def end_proposal(self) -> None:
        """End what is asked if the game has moved on from what it was about."""
        if self.proposal and self.proposal.is_open:
            moved_on = self.proposal.events not in (None, len(self.match.events))
            if moved_on or self.stage == OVER:
                self.proposal = self.proposal.lapsed()

    # --- The game

    def apply_game(self, entry: Entry, what: Back | Seal | Start | Record | End) -> None:
        """Let something happen to the game that is no event of it."""
        match what:
            case Seal():
                assert entry.seat is not None
                sealing = {**self.history.sealing, entry.seat: what.nonce}
                self.history = msgspec.structs.replace(self.history, sealing=sealing)
            case Back():
                self.go_back(entry, what.to)
            case End():
                self.history = self.history.broken_off(what.how, entry.seat, self.number)
            case Start():
                self.apply_past(entry, what.events)
                knowing = None if what.knowing is None else frozenset(what.knowing)
                origin = Origin(what.table, what.n, what.open, knowing)
                self.history = msgspec.structs.replace(self.history, origin=origin)
            case Record():
                self.apply_past(entry, what.events)
                self.seating = self.seating.of_record(what.names, what.bots)

    def apply_past(self, entry: Entry, events: Iterable[Event]) -> None:
        """Let everything happen that happened elsewhere: in the game this one goes on from, or in a record."""
        self.number -= 1  # it comes after what it brings
        for by, do in events:
            self.apply_play(Entry(entry.n, entry.at, by, Play(do), None), Play(do))
        self.number += 1

    def apply_play(self, entry: Entry, play: Play) -> None:
        """Play an event, or change a sealed decision."""
        seat, match = entry.seat, self.match
        if seat is not None and self.history.changes(seat):
            self.change(seat, entry, play)
            return
        before, secret = match.acting, is_secret(match, seat, play.do)
        choices = tuple(match.legal(seat)) if secret and seat is not None else ()
        match.play(seat, play.do)
        self.number += 1
        late, left = self.timed(seat, entry.at)
        happened = Happened(self.number, entry, secret, self.number, choices, late=late, left=left)
        if choices:
            happened = self.under_seal(happened, play, len(self.happened))
        self.history = self.history.unsealed(seat if choices else None).played(happened, before)
        self.note_id(entry, self.number)

    def timed(self, seat: int | None, at: float) -> tuple[bool, float | None]:
        """Let a decision count on its seat's clock; returns whether it came by lateness, and what time was left."""
        if self.clocks is None or seat is None or self.seats[seat].kind != "person":
            return False, None
        before = self.clocks
        self.clocks = before.settled(at).decided(seat)
        return before.stands_in_for(seat), before.left_at(seat, at)

    def change(self, seat: int, entry: Entry, play: Play) -> None:
        """Replace a sealed decision; nobody else notices, not even by a number."""
        place, first = self.sealed[seat], self.history.decision_of(seat)
        self.match.change(seat, play.do)
        happened = self.under_seal(replace(first, entry=entry._replace(at=first.entry.at)), play, place)
        self.history = self.history.unsealed(seat).with_changed({place: happened})
        self.note_id(entry, first.number)

    def under_seal(self, happened: Happened, play: Play, place: int) -> Happened:
        """Bind a seat to what it has decided in secret, with the nonce of its browser or one of ours."""
        seat = happened.entry.seat
        if not self.facts.terms.fair or seat is None:
            return happened
        seal, nonce = draws.seal(self.facts, seat, play.do, place, self.history.sealing.get(seat))
        return replace(happened, seal=seal, nonce=nonce, final=self.seats[seat].kind == "bot")

    def go_back(self, entry: Entry, to: int) -> None:
        """Take back all events after so many; everybody has the time they had then, so that nobody gains by it."""
        undone = [self.happened[place] for place in reversed(self.history.standing()[to:])]
        if self.clocks:
            before = {happened.entry.seat: happened.left for happened in undone}
            self.clocks = self.clocks.settled(entry.at).with_times(before)
        self.history = self.history.taken_back(entry, to, self.number)

    def chance_entries(self, at: float) -> list[Entry]:
        """Play what chance has to do now, on this very log, and return the entries."""
        entries = []
        while self.match.awaits_chance and self.stage == PLAYING:
            event = draws.drawn(self.facts, self.seating.nonces, self.match)
            entries.append(Entry(self.length + 1, at, None, Play(event), None))
            self.apply(entries[-1])
        return entries
