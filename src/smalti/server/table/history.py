"""The game as its log tells it: the match, what happened in it, what is still sealed, what was taken back.

Everything is frozen but the match, which moves on in place; `Log.copy` copies it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec

from smalti.engine.match import Match
from smalti.engine.rules import NOBODY
from smalti.server.problems import Problem
from smalti.server.table.entries import Entry
from smalti.server.table.kinds import Play


class Origin(NamedTuple):
    """The point of another game that a game goes on from, and who may be told which game that is."""

    table: str
    n: int
    is_open: bool = False  # everybody may find that game
    knowing: frozenset[str] | None = None  # marks of the browsers that played it; None from before that was noted


@dataclass(frozen=True)
class Ended:
    """How a game ended before its end: somebody "resigned", all "agreed", or everybody "left"."""

    how: str
    by: int | None


@dataclass(frozen=True)
class Happened:
    """An event of the game with its number on the wire, which a changed decision keeps; or a taking back."""

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
    def do(self) -> str | None:
        """What was done; None where something was taken back."""
        return self.entry.what.do if isinstance(self.entry.what, Play) else None

    @property
    def stands(self) -> bool:
        """Whether it is an event of the game that was not taken back."""
        return self.gone is None and isinstance(self.entry.what, Play)


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


class History(msgspec.Struct, frozen=True):
    """What has happened in the game, and what of it not everybody knows."""

    match: Match
    asked: tuple[int, ...]  # by seat: the number its decision belongs to
    happened: tuple[Happened, ...] = ()
    sealed: Mapping[int, int] = {}  # by seat: where in `happened` its sealed decision stands
    withheld: tuple[int, ...] = ()  # where in `happened` stands what nobody but some may know until the end
    shown_late: tuple[int, ...] = ()  # where in `happened` stands what was shown after it happened, in that order
    sealing: Mapping[int, str] = {}  # by seat: the nonce of what it decides next
    origin: Origin | None = None
    resigned: frozenset[int] = frozenset()
    ended: Ended | None = None

    def copy(self) -> History:
        """Return the same with a match of its own."""
        return msgspec.structs.replace(self, match=self.match.copy())

    def changes(self, seat: int | None) -> bool:
        """Say whether what a seat does now replaces a sealed decision of its own."""
        return seat is not None and seat in self.sealed and seat not in self.match.acting

    # --- Playing

    def played(self, happened: Happened, before: frozenset[int]) -> History:
        """Return the history after an event, which the match has played; `before` are the seats that had to act."""
        place, seat = len(self.happened), happened.entry.seat
        found = msgspec.structs.replace(self, happened=(*self.happened, happened))
        if happened.secret and seat is not None:
            found = msgspec.structs.replace(found, sealed={**self.sealed, seat: place})
        elif happened.secret:
            found = msgspec.structs.replace(found, withheld=(*self.withheld, place))
        return found.asking(before, seat, happened.number)

    def asking(self, before: frozenset[int], by: int | None, number: int) -> History:
        """Note whose decision is new, and show what was sealed once the decision is over."""
        now, found, asked = self.match.acting, self, list(self.asked)
        if not now or now != before - {by}:
            found = found.with_shown(tuple(found.sealed.values()), number, sealed={})
            for seat in now:
                asked[seat] = number
        if by is not None and by not in now:
            asked[by] = number
        if self.match.is_over:
            found = found.with_shown(found.withheld, number, withheld=())
        return msgspec.structs.replace(found, asked=tuple(asked))

    def with_shown(self, places: tuple[int, ...], number: int, **rest: object) -> History:
        """Let everybody know, with a number, what was decided in secret."""
        shown = {place: replace(self.happened[place], secret=False, shown=number) for place in places}
        return msgspec.structs.replace(self.with_changed(shown), shown_late=(*self.shown_late, *places), **rest)

    def with_changed(self, changed: Mapping[int, Happened]) -> History:
        """Replace what stands at some places."""
        if not changed:
            return self
        happened = list(self.happened)
        for place, new in changed.items():
            happened[place] = new
        return msgspec.structs.replace(self, happened=tuple(happened))

    def decision_of(self, seat: int) -> Happened:
        """Return a seat's sealed decision, if it may still be changed by its person."""
        first = self.happened[self.sealed[seat]]
        if first.late:
            raise Problem("late")
        return first

    def unsealed(self, seat: int | None) -> History:
        """Forget the nonce of a decision that has been sealed with it."""
        left = {place: nonce for place, nonce in self.sealing.items() if place != seat}
        return self if len(left) == len(self.sealing) else msgspec.structs.replace(self, sealing=left)

    # --- Taking back

    def standing(self) -> list[int]:
        """List where in `happened` the events stand that were not taken back."""
        return [place for place, happened in enumerate(self.happened) if happened.stands]

    def taken_back(self, entry: Entry, to: int, number: int) -> History:
        """Take back all events after so many: they stay, marked, and the game stands as it did then."""
        standing = self.standing()
        gone = {place: replace(self.happened[place], gone=number, shown=number) for place in standing[to:]}
        found = self.with_changed(gone)
        found = msgspec.structs.replace(
            found,
            happened=(*found.happened, Happened(number, entry, False, number)),
            shown_late=(*found.shown_late, *gone),
            asked=(number,) * len(self.asked),  # whatever answers an older state is too late
        )
        return found.replayed(standing[:to])

    def replayed(self, places: list[int]) -> History:
        """Play again what stands, to find what is sealed and withheld after it."""
        match = Match(self.match.game, self.match.seats, self.match.options)
        sealed, withheld = dict[int, int](), list[int]()
        for place in places:
            before, happened = match.acting, self.happened[place]
            seat = happened.entry.seat
            match.play(seat, happened.do or "")
            if seat is not None and happened.choices:
                sealed[seat] = place
            elif happened.secret:
                withheld.append(place)
            if match.acting != before - {seat} or not match.acting:
                sealed = {}
        return msgspec.structs.replace(self, match=match, sealed=sealed, withheld=tuple(withheld))

    # --- How it ends

    def with_resigned(self, seat: int) -> History:
        """Let a seat give up."""
        return msgspec.structs.replace(self, resigned=self.resigned | {seat})

    def broken_off(self, how: str, by: int | None, number: int) -> History:
        """Break the game off; there are no secrets any more."""
        secrets = (*self.sealed.values(), *self.withheld)
        return self.with_shown(secrets, number, sealed={}, withheld=(), ended=Ended(how, by))
