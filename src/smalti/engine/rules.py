"""The promises every game keeps, callable from compiled code.

Each function here is a name without a body of its own: it calls the game's function of the same name, chosen by
the type of the table. So a loop (a playout, a search, a batch of games) is written once for all games, and Numba
compiles it for each game with that game's rules inlined.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import numba
import numpy as np
import numpy.typing as npt

from smalti.engine.compiled import compiled, when_compiled
from smalti.engine.planes import Observer, Planes
from smalti.engine.record import Record, type_of

# Chance, as a member of the set of those who act; and as a seat number when it plays.
CHANCE = 1 << 30
NOBODY = -1

# No game has more seats: what is kept for each of them, such as in a search tree, has this size.
MOST_SEATS = 5

Moves = npt.NDArray[np.int32]
# Room beyond the longest list of moves, for loops that write a little too far instead of asking where the end is.
SLACK = 4

Weights = npt.NDArray[np.int32]
Scores = npt.NDArray[np.int32]


def room_for(longest: int) -> Moves:
    """Return a buffer for a list that long."""
    return np.zeros(longest + SLACK, np.int32)


@lru_cache(maxsize=256)
def seats_in(who: int, seats: int) -> frozenset[int]:
    """Return the seats among those who must act."""
    return frozenset(seat for seat in range(seats) if who >> seat & 1)


class Rules(Protocol):
    """What a game's `rules` module offers, all of it compiled."""

    def acting(self, table: Any, /) -> int: ...
    def legal(self, table: Any, seat: int, moves: Moves, /) -> int: ...
    def odds(self, table: Any, moves: Moves, weights: Weights, /) -> int: ...
    def play(self, table: Any, seat: int, move: int, /) -> None: ...
    def hide(self, table: Any, seat: int, /) -> None: ...
    def redeal(self, table: Any, seat: int, stream: Any, /) -> None: ...
    def score(self, table: Any, scores: Scores, /) -> None: ...
    def winners(self, table: Any, /) -> int: ...


_rules: dict[np.dtype[Any], Rules] = {}
_observers: dict[np.dtype[Any], Observer] = {}


def register(table: type[Record], seats: int, rules: Rules, observer: Observer) -> None:
    """Let tables of this type, for so many seats at most, follow these rules, and be observed like this."""
    if seats > MOST_SEATS:
        raise TypeError(f"a game has at most {MOST_SEATS} seats, not {seats}; MOST_SEATS is the number to raise")
    if _rules.setdefault(table.dtype, rules) is not rules:
        raise TypeError("two games cannot have tables of exactly the same fields")
    _observers[table.dtype] = observer


def _of(table: Record) -> Rules:
    return _rules[type_of(table)]


def _of_type(table: Any, found: Any = _rules) -> Any:
    for dtype, module in found.items():
        if numba.from_dtype(dtype) == table:
            return module
    raise numba.TypingError(f"no game has tables of type {table}")


def acting(table: Record) -> int:
    """Return the set of seats that must act now: bit s for seat s, `CHANCE` for chance, 0 when the game is over."""
    return _of(table).acting(table)


def legal(table: Record, seat: int, moves: Moves) -> int:
    """Write the moves of a seat that must act into the buffer, in ascending order, and return how many there are."""
    return _of(table).legal(table, seat, moves)


def odds(table: Record, moves: Moves, weights: Weights) -> int:
    """Write what chance can do now and how likely each is, as whole weights, and return how many there are."""
    return _of(table).odds(table, moves, weights)


def play(table: Record, seat: int, move: int) -> None:
    """Play a legal move of a seat (`NOBODY` for chance) on the table; an illegal one leaves nonsense."""
    _of(table).play(table, seat, move)


def hide(table: Record, seat: int) -> None:
    """Blank on the table what this seat (`NOBODY`: an onlooker) may not see."""
    _of(table).hide(table, seat)


def redeal(table: Record, seat: int, stream: npt.NDArray[np.uint64]) -> None:
    """Put something possible in place of what was blanked for this seat; who has decided in secret decides again."""
    _of(table).redeal(table, seat, stream)


def score(table: Record, scores: Scores) -> None:
    """Write each seat's points as the boards stand now."""
    _of(table).score(table, scores)


def winners(table: Record) -> int:
    """Return the set of seats that win with the boards as they stand."""
    return _of(table).winners(table)


def observe(table: Record, seat: int, planes: Planes) -> None:
    """Write what this seat sees of a table on which the rest is blanked; the buffer holds exactly its planes."""
    _observers[type_of(table)].observe(table, seat, planes)


@compiled
def ranked(best: int, leaders: int, worth: int, seat: int) -> tuple[int, int]:
    """Return the best worth so far and the set of seats that have it, after looking at one more seat."""
    if worth > best:
        return worth, 1 << seat
    if worth == best:
        return best, leaders | (1 << seat)
    return best, leaders


@when_compiled(acting)
def _acting(table: Any) -> Any:
    own = _of_type(table).acting
    return lambda table: own(table)


@when_compiled(legal)
def _legal(table: Any, seat: Any, moves: Any) -> Any:
    own = _of_type(table).legal
    return lambda table, seat, moves: own(table, seat, moves)


@when_compiled(odds)
def _odds(table: Any, moves: Any, weights: Any) -> Any:
    own = _of_type(table).odds
    return lambda table, moves, weights: own(table, moves, weights)


@when_compiled(play)
def _play(table: Any, seat: Any, move: Any) -> Any:
    own = _of_type(table).play
    return lambda table, seat, move: own(table, seat, move)


@when_compiled(hide)
def _hide(table: Any, seat: Any) -> Any:
    own = _of_type(table).hide
    return lambda table, seat: own(table, seat)


@when_compiled(redeal)
def _redeal(table: Any, seat: Any, stream: Any) -> Any:
    own = _of_type(table).redeal
    return lambda table, seat, stream: own(table, seat, stream)


@when_compiled(score)
def _score(table: Any, scores: Any) -> Any:
    own = _of_type(table).score
    return lambda table, scores: own(table, scores)


@when_compiled(winners)
def _winners(table: Any) -> Any:
    own = _of_type(table).winners
    return lambda table: own(table)


@when_compiled(observe)
def _observe(table: Any, seat: Any, planes: Any) -> Any:
    own = _of_type(table, _observers).observe
    return lambda table, seat, planes: own(table, seat, planes)
