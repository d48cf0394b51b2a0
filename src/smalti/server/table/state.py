"""What a log leads to: who sits where, the game, what was said, what is agreed, the clocks, and what follows."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Self

from smalti import games
from smalti.engine.match import Match
from smalti.engine.records import replayed
from smalti.server.keys import link_key
from smalti.server.problems import Problem
from smalti.server.table import draws
from smalti.server.table.chat import Side, unheard
from smalti.server.table.clocks import first_clocks
from smalti.server.table.entries import GATHERING, IMPORT, OVER, PLAYING, Facts
from smalti.server.table.history import Ended, Happened, History, Origin
from smalti.server.table.proposals import Proposal
from smalti.server.table.seating import Sitting, empty_seats
from smalti.server.table.terms import Finders, Onlookers


class TableState:
    """Everything that is known of a table: its parts, all of them frozen, and what follows from them."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.length = 0  # entries, which number the rows of the store
        self.number = 0  # what the wire counts: entries without changed decisions and without words
        self.last = facts.made
        self.begun = False  # all were ready once; what was copied from another game does not count
        self.seating = empty_seats(facts.seats, facts.host)
        match = Match(games.find(facts.game, facts.rules), facts.seats, facts.options)
        self.history = History(match, (0,) * facts.seats)
        self.chats = unheard(facts.revision)  # what was said, among the players and among the onlookers
        self.proposal: Proposal | None = None  # the last one, open or not
        self.clocks = first_clocks(facts.terms.clock, facts.seats, facts.made)
        self.next: str | None = None  # the rematch
        self.ids: Mapping[tuple[int | None, str], int] = {}  # numbers by the seat's message that asked

    def copy(self) -> Self:
        """Return the same state, which can go on without changing this one."""
        twin = copy.copy(self)
        twin.history = self.history.copy()
        return twin

    # --- The parts

    @property
    def match(self) -> Match:
        """The game."""
        return self.history.match

    @property
    def happened(self) -> tuple[Happened, ...]:
        """The events of the game, and what was taken back."""
        return self.history.happened

    @property
    def sealed(self) -> Mapping[int, int]:
        """By seat: where in `happened` its sealed decision stands."""
        return self.history.sealed

    @property
    def asked(self) -> tuple[int, ...]:
        """By seat: the number its decision belongs to."""
        return self.history.asked

    @property
    def ended(self) -> Ended | None:
        """How the game was broken off, if it was."""
        return self.history.ended

    @property
    def resigned(self) -> frozenset[int]:
        """The seats that have given up."""
        return self.history.resigned

    @property
    def start(self) -> Origin | None:
        """The point of another game that this one goes on from."""
        return self.history.origin

    @property
    def seats(self) -> tuple[Sitting, ...]:
        """Who sits where."""
        return self.seating.seats

    @property
    def host(self) -> str:
        """The browser of the host."""
        return self.seating.host

    @property
    def listed(self) -> bool:
        """Whether it stands among the open tables."""
        return self.seating.listed

    @property
    def onlookers(self) -> Onlookers:
        """Who may look on."""
        return self.seating.onlookers

    # --- What it comes to

    @property
    def stage(self) -> str:
        """Whether people gather, play, or have played; what was imported is never played on."""
        if not self.begun:
            return GATHERING
        history = self.history  # asked for often: the parts themselves, not by way of the properties
        has_ended = history.match.is_over or history.ended is not None or self.facts.origin == IMPORT
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
    def finders(self) -> Finders:
        """Who may find the game when it is over: the promise that everybody is shown, fixed when the game begins.

        Everybody may only where strangers could join to the last and people met; while they gather, the doors tell.
        """
        wanted = self.facts.terms.finders
        if wanted in ("link", "players"):
            return wanted
        is_open = self.seating.began_open and len(self.seating.players) > 1 if self.begun else self.listed
        return "all" if is_open else "link"

    def has_played(self, holder: str | None) -> bool:
        """Say whether a browser belongs to somebody who plays or has played here, or who made the table."""
        return holder is not None and (
            holder == self.host or holder in self.seating.players or self.seating.is_of(holder)
        )

    @property
    def in_lobby(self) -> bool:
        """Whether the lobby shows it: while it seeks players, or to be watched."""
        if self.stage == GATHERING:
            return self.listed and not self.seating.is_complete
        return self.stage == PLAYING and self.onlookers == "all"

    @property
    def is_ready(self) -> bool:
        """Whether everybody sits and has added to the luck, so that it can be dealt."""
        return self.seating.is_complete and not any(map(self.owes_nonce, range(self.facts.seats)))

    @property
    def commitment(self) -> str | None:
        """What binds the table to its secret; nothing where the deal is known beforehand."""
        return draws.commitment(self.facts)

    def owes_nonce(self, seat: int) -> bool:
        """Say whether the person on a seat has yet to add to the luck; bots and known deals add nothing."""
        owes = self.seats[seat].kind == "person" and self.seating.nonces[seat] is None
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

    def chat(self, seated: bool) -> Side:
        """Return what was said where the seated, or the onlookers, can hear it."""
        return self.chats.players if seated else self.chats.onlookers

    def held_by(self, holder: str | None) -> list[int]:
        """List the seats of a browser."""
        return self.seating.held_by(holder)

    def match_at(self, number: int) -> Match:
        """Return the match after so many events."""
        events = self.match.events
        if not 0 <= number <= len(events):
            raise Problem("event", last=len(events))
        return replayed(self.match.game, self.facts.seats, self.facts.options, events[:number])

    # --- Links

    def seat_key(self, seat: int) -> str:
        """Return the key that claims a seat."""
        return link_key(self.facts.key, f"seat {seat} {self.seats[seat].links}")

    def watch_key(self) -> str:
        """Return the key that lets onlookers in."""
        return link_key(self.facts.key, "watch")
