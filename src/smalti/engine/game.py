"""What a game is to everybody else: a few facts and a handful of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from smalti.engine import rules as promises
from smalti.engine.drawing import Board, in_words
from smalti.engine.errors import BadInput, BadNotation, Refused, shown
from smalti.engine.planes import Observer
from smalti.engine.record import Record


@dataclass(frozen=True)
class Item:
    """One line of a score: a structure, area, group, bonus or fly, with its cells, its points and its rule."""

    seat: int
    rule: str
    kind: str  # key for translation, e.g. "area"
    points: int
    cells: tuple[str, ...]
    label: str  # the same in English, with its numbers
    values: Mapping[str, Any] = field(default_factory=dict)


class Length(NamedTuple):
    """How many moves a game can have, whatever anybody does."""

    decisions: int  # of the seats
    chances: int  # a deal or a draw takes several


class Notation(Protocol):
    """What a game's `notation` module offers: events as text."""

    @property
    def TEXTS(self) -> Sequence[str]: ...  # noqa: N802  # of every move; chance's moves of one verb make one event
    @property
    def HINTS(self) -> Mapping[str, str]: ...  # noqa: N802  # by verb of the seats: what to type, for people
    def chance_text(self, moves: Sequence[int], /) -> str: ...
    def chance_moves(self, table: Any, text: str, /) -> list[int]: ...
    def misread(self, table: Any, seat: int, text: str, /) -> BadNotation | Refused: ...


SetUp = Callable[[Any, int, dict[str, str]], None]  # lays out a blank table for so many seats with these options


class GameRules(promises.Rules, Protocol):
    """The compiled rules, and the one function that is not: laying out a blank table."""

    def set_up(self, table: Any, seats: int, options: dict[str, str], /) -> None: ...


def nothing_is_secret(table: Any, by: int, move: int, seat: int) -> bool:
    """Say of a game in which everybody sees everything that a move is not secret."""
    return False


@dataclass(frozen=True, eq=False)
class Game:
    """A game: its facts, its compiled rules, and its words.

    Find one with `smalti.games.find("mosaix")`. Most people then want a `smalti.Match`; the functions here work
    on bare tables, for those who keep thousands of them.

    Where the rules have changed, what was begun by an earlier version goes on by it. Each version is a `Game` of its
    own that differs in how a table is set up: the table carries what is different, and the same rules read it there.
    """

    name: str
    title: str
    authors: str
    year: int
    seats: tuple[int, ...]
    version: int  # of the rules; raised when an old record could replay differently
    options: Mapping[str, tuple[str, ...]]  # each option's values, the default first
    table: type[Record]
    rules: GameRules
    notation: Notation
    actions: int  # moves below this number are the seats', the others are chance's
    most_moves: int  # the longest list of legal moves or odds there can be
    usual_length: int  # moves, chance's included, that hardly any game exceeds
    longest: Callable[[int], Length]  # by number of seats: no game by the newest rules is longer
    most_points: int  # more than this no seat can ever have
    why_not: Callable[[Any, int, int], Refused]
    why_not_seat: Callable[[Any, int], Refused]
    breakdown: Callable[[Any], list[Item]]
    observer: Observer
    boards: Callable[[Any], list[Board]]
    read_board: Callable[[str], tuple[Any, tuple[int, ...]]]  # a table, and the seats drawn
    together: bool = False  # whether several seats can have to act at once
    verdict: Callable[[Any], str] = lambda table: ""  # where nobody is there to compare with: a key
    tie_break: Callable[[Any, int], int] = lambda table, seat: 0  # what decides between seats with the same points
    goals: Mapping[str, int] = field(default_factory=dict)  # alone: the points each verdict but the worst begins at
    is_secret: Callable[[Any, int, int, int], bool] = nothing_is_secret  # see `rules.is_secret`
    view: Callable[[Any, int], Any] | None = None  # what a drawn board shows a seat; without it `boards` are shown
    older: Mapping[int, SetUp] = field(default_factory=dict)  # how tables of the earlier versions are set up

    def __post_init__(self) -> None:
        """Make the rules known to the generic loops."""
        promises.register(self.table, max(self.seats), self.rules, self.observer)

    def __repr__(self) -> str:
        """Show the name it is found by, and the version where it is not the newest."""
        return f"<Game {self.name}>" if self.version == self.versions[-1] else f"<Game {self.name} {self.version}>"

    def buffers(self) -> tuple[promises.Moves, promises.Weights]:
        """Return room for the longest list of moves, and for as many weights."""
        moves, weights = np.zeros((2, self.most_moves + promises.SLACK), np.int32)
        return moves, weights

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of the rules that can be played, the newest last."""
        return (*sorted(self.older), max(self.older) + 1) if self.older else (self.version,)

    def of(self, version: int) -> Game:
        """Return the same game by an earlier version of its rules."""
        return replace(self, version=version)

    @property
    def has_secrets(self) -> bool:
        """Whether anything is ever decided, dealt or drawn that not everybody sees."""
        return self.is_secret is not nothing_is_secret

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The seats' moves by their text."""
        return {text: number for number, text in enumerate(self.notation.TEXTS[: self.actions])}

    def set_up(self, seats: int, options: Mapping[str, str] | None = None) -> Any:
        """Return a table before its first event."""
        table = self.table.blank()
        lay_out = self.older.get(self.version, self.rules.set_up)
        lay_out(table, self.checked_seats(seats), self.checked_options(options))
        return table

    def shown(self, table: Any, seat: int) -> Any:
        """Return what a screen shows a seat of a table on which `hide` has done its work."""
        return self.view(table, seat) if self.view else in_words(self.boards(table))

    def checked_seats(self, seats: int) -> int:
        """Return the number of seats if the game can be played by so many."""
        if type(seats) is not int or seats not in self.seats:
            counts = ", ".join(map(str, self.seats))
            raise BadInput(f"{self.name} is played by {counts} players, not by {shown(seats)}")
        return seats

    def checked_options(self, options: Mapping[str, str] | None) -> dict[str, str]:
        """Return all options with their values, defaults filled in."""
        given = dict(options or {})
        for name, value in given.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise BadInput(f"{self.name} has no option {shown(name)}; it has: {known}")
            if value not in self.options[name]:
                known = ", ".join(self.options[name])
                raise BadInput(f"option {name} of {self.name} cannot be {shown(value)}; it can be: {known}")
        return {name: given.get(name, values[0]) for name, values in self.options.items()}

    def text(self, move: int) -> str:
        """Return the text of a move."""
        return self.notation.TEXTS[move]

    def verb(self, move: int) -> str:
        """Return the verb of a move."""
        return self.notation.TEXTS[move].partition(" ")[0]
