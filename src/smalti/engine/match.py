"""A match: a game, its seats, the events so far and the table they lead to.

Pure: no clock, no storage, no randomness of its own. Legality is checked here, once, at the door.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from smalti.engine.bits import numbers
from smalti.engine.drawing import Board
from smalti.engine.errors import BadInput, SmaltiError, shown
from smalti.engine.game import Game, Item
from smalti.engine.loops.chance_event import Source, drawn_event
from smalti.engine.loops.playing import (
    ILLEGAL,
    NOT_ACTING,
    PLAYED,
    attempt,
    attempt_chance,
    blank_hidden,
    list_legal,
    who_acts,
)
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import CHANCE, NOBODY, odds, score, seats_in, winners
from smalti.engine.sealing import with_other_choice


class Event(NamedTuple):
    """One thing that happened: who (None for chance) and what, as text."""

    by: int | None
    do: str


class Match:
    """A game being played.

        match = Match(smalti.games.find("mosaix"), seats=3)
        match.draw(random.Random(1))     # chance: here the deal
        match.play(None, "roll ootx")    # or choose what chance does
        match.play(0, "form L xoot")     # a seat acts
        match.legal(1)                   # what seat 1 may do, as texts

    Whatever the rules refuse raises `Refused` and changes nothing.
    """

    def __init__(self, game: Game, seats: int, options: Mapping[str, str] | None = None) -> None:
        """Sit down at a new table; nothing is dealt yet."""
        self.game = game
        self.seats = game.checked_seats(seats)
        self.options = game.checked_options(options)
        self.events: list[Event] = []
        self._moves, self._weights = game.buffers()
        self._past: list[bytes] = []  # of the table before each event
        self._acting: int | None = None
        self._tables = np.array([game.set_up(self.seats, self.options)], game.table.dtype)  # a batch of one

    @property
    def _table(self) -> Any:
        """The table itself."""
        return self._tables[0]

    @property
    def table(self) -> Any:
        """The table as it stands; a copy, so that changing it changes nothing."""
        return tables_of(self._tables.tobytes(), self.game.table.dtype)[0]

    # --- Who must act

    @property
    def _who(self) -> int:
        """Who must act, as the rules say it; remembered until something happens."""
        if self._acting is None:
            self._acting = int(who_acts(self._tables))
        return self._acting

    @property
    def acting(self) -> frozenset[int]:
        """The seats that must act now; empty while chance acts and after the end."""
        return seats_in(self._who, self.seats)

    @property
    def awaits_chance(self) -> bool:
        """Whether something has to be dealt, drawn or rolled now."""
        return self._who == CHANCE

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._who == 0

    # --- What can be done

    def legal_moves(self, seat: int) -> list[int]:
        """List the moves of a seat as numbers, in ascending order; none if it does not have to act."""
        if not self._who >> seat & 1 or seat < 0:
            return []
        found: list[int] = self._moves[: list_legal(self._tables, seat, self._moves)].tolist()
        return found

    def legal(self, seat: int) -> list[str]:
        """List the moves of a seat as texts."""
        return list(map(self.game.notation.TEXTS.__getitem__, self.legal_moves(seat)))

    def chances(self) -> dict[int, float]:
        """Return what chance can do next, with probabilities; a deal or draw takes several such moves."""
        if not self.awaits_chance:
            return {}
        count = odds(self._table, self._moves, self._weights)
        total = int(self._weights[:count].sum())
        return {int(self._moves[i]): int(self._weights[i]) / total for i in range(count)}

    # --- Doing it

    def play(self, by: int | None, event: str | int) -> Event:
        """Let a seat (None: chance) do something, given as text or, for seats, as a move's number."""
        return self.chance_event(event) if by is None else self.seat_event(by, event)

    def seat_event(self, seat: int, event: str | int) -> Event:
        """Check and play a seat's event."""
        self.check_seat(seat)
        before = self._tables.tobytes()
        move = self.move_number(seat, event)
        result = attempt(self._tables, seat, move, self._moves)
        if result == NOT_ACTING:
            raise self.game.why_not_seat(self._table, seat)
        if result == ILLEGAL:
            raise self.game.why_not(self._table, seat, move)
        return self.logged(before, Event(seat, self.game.text(move)))

    def chance_event(self, event: str | int) -> Event:
        """Check and play a whole event of chance."""
        if not isinstance(event, str):
            raise BadInput(f"an event of chance is given as text, not as {shown(event)}")
        if not self.awaits_chance:
            raise self.game.why_not_seat(self._table, NOBODY)
        before = self._tables.tobytes()
        drawn = np.array(self.game.notation.chance_moves(self._table, event), np.int32)
        if attempt_chance(self._tables, drawn, self._moves, self._weights) != PLAYED:
            self._tables = tables_of(before, self.game.table.dtype)
            raise self.game.why_not_seat(self._table, NOBODY)
        return self.logged(before, Event(None, event))

    def draw(self, source: Source) -> Event:
        """Let chance deal, draw or roll, with randomness from the source.

        A function is asked for 64 random bits for each small move of the event, by its number.
        """
        if not self.awaits_chance:
            raise self.game.why_not_seat(self._table, NOBODY)
        return self.play(None, drawn_event(self.game, self._table, (self._moves, self._weights), source))

    def check_seat(self, seat: int) -> None:
        """Refuse a seat that is not at this table."""
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise BadInput(f"there is no seat {shown(seat)}; the seats are 0 to {self.seats - 1}")

    def move_number(self, seat: int, event: str | int) -> int:
        """Return the number of a move given as text or number."""
        if isinstance(event, str):
            number = self.game.numbers.get(event)
            if number is None and not self._who >> seat & 1:
                raise self.game.why_not_seat(self._table, seat)
            if number is None:
                raise self.game.notation.misread(self._table, seat, event)
            return number
        if type(event) is not int or not 0 <= event < self.game.actions:
            raise BadInput(f"there is no move {shown(event)}; the moves are 0 to {self.game.actions - 1}")
        return event

    def logged(self, before: bytes, event: Event) -> Event:
        """Note an event that has been played, and how the table was before it."""
        self._past.append(before)
        self.events.append(event)
        self._acting = None
        return event

    # --- Going back

    def undo(self) -> Event:
        """Take the last event back and return it."""
        if not self.events:
            raise BadInput("nothing has happened yet, so there is nothing to undo")
        self._tables, self._acting = tables_of(self._past.pop(), self.game.table.dtype), None
        return self.events.pop()

    def change(self, seat: int, event: str) -> Event:
        """Replace a seat's last event, such as a sealed bid, by another.

        Allowed as long as nobody else can see any difference; the first version leaves no trace in the record.
        """
        self.check_seat(seat)
        other = with_other_choice(self, seat, event)
        self.events, self._past, self._tables, self._acting = other.events, other._past, other._tables, None
        return next(event for event in reversed(self.events) if event.by == seat)

    def is_legal(self, by: int | None, event: str) -> bool:
        """Say whether an event could be played now."""
        try:
            self.copy().play(by, event)
        except SmaltiError:
            return False
        return True

    def tells(self, other: Match, seat: int) -> bool:
        """Say whether anybody but this seat could tell the two matches apart by looking at the table."""
        return any(self.tells_seat(other, number) for number in range(NOBODY, self.seats) if number != seat)

    def tells_seat(self, other: Match, seat: int) -> bool:
        """Say whether this seat (`NOBODY`: an onlooker) could tell the two matches apart by looking at the table."""
        return bytes_of(self.seen_by(seat)) != bytes_of(other.seen_by(seat))

    def copy(self) -> Match:
        """Return a match in the same state that shares nothing with this one."""
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.events, twin._past = self.events.copy(), self._past.copy()
        twin._tables = tables_of(self._tables.tobytes(), self.game.table.dtype)
        twin._moves, twin._weights = self.game.buffers()
        return twin

    def at(self, table: Any) -> Match:
        """Return a match with the same past that goes on from another table, such as one set up by hand.

        Only the kind of table is checked; that play can lead there is for whoever set it up to know.
        """
        if getattr(table, "dtype", None) != self.game.table.dtype:
            raise BadInput(f"that is no table of {self.game.title}")
        twin = self.copy()
        twin._tables, twin._acting = tables_of(bytes_of(table), self.game.table.dtype), None
        return twin

    # --- What is seen, and what it is worth

    def view(self, seat: int | None) -> Any:
        """Return what a seat (None: an onlooker) may see, ready to be drawn."""
        number = NOBODY if seat is None else seat
        if seat is not None:
            self.check_seat(seat)
        return self.game.shown(self.seen_by(number), number)

    def boards(self, seat: int | None) -> list[Board]:
        """Return the boards as a seat (None: an onlooker) may see them."""
        if seat is not None:
            self.check_seat(seat)
        return self.game.boards(self.seen_by(NOBODY if seat is None else seat))

    def seen_by(self, seat: int) -> Any:
        """Return the table with everything blanked that this seat may not see."""
        tables = tables_of(self._tables.tobytes(), self.game.table.dtype)
        blank_hidden(tables, seat)
        return tables[0]

    @property
    def scores(self) -> list[int]:
        """Each seat's points as the boards stand."""
        points = np.zeros(self.seats, np.int32)
        score(self._table, points)
        found: list[int] = points.tolist()
        return found

    @property
    def winners(self) -> list[int]:
        """The seats that have won, in ascending order; empty while the game goes on."""
        return numbers(winners(self._table)) if self.is_over else []

    def winners_among(self, seats: Collection[int]) -> list[int]:
        """Return which of these seats have won over the others of them, by points and what the game says of ties."""
        if not self.is_over or not seats:
            return []
        points, table = self.scores, self.table
        worth = {seat: (points[seat], self.game.tie_break(table, seat)) for seat in sorted(seats)}
        return [seat for seat, found in worth.items() if found == max(worth.values())]

    def breakdown(self) -> list[Item]:
        """List everything that scores, with its cells, its points and its rule."""
        return self.game.breakdown(self._table)

    def __hash__(self) -> int:
        """Hash the state: matches that can go on in the same way are equal, however they got there."""
        return hash((self.game.name, self._tables.tobytes()))

    def __eq__(self, other: object) -> bool:
        """Compare the state, not the way that led to it."""
        if not isinstance(other, Match):
            return NotImplemented
        return self.game is other.game and self._tables.tobytes() == other._tables.tobytes()

    def __repr__(self) -> str:
        """Show the game and how far it has come."""
        return f"<Match of {self.game.name}, {self.seats} seats, {len(self.events)} events>"
