"""Who meets whom: the tables of a contest, in blocks of one deal each, everybody on every seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from smalti import games
from smalti.engine.game import Game

Seating = tuple[int, ...]  # by seat: the number of the entrant


@dataclass(frozen=True)
class Contest:
    """What all matches of a contest have in common."""

    game: str
    seats: int
    entrants: tuple[str, ...]
    seed: int = 0
    options: tuple[tuple[str, str], ...] = ()
    limit: float = 10.0  # seconds a program may take for a move
    keeps_records: bool = False
    mixed: bool = False  # whether tables with every number of copies are played, not only one among others
    settles: bool = False  # whether somebody who has proved the end plays it for everybody

    @property
    def rules(self) -> Game:
        """The game itself."""
        return games.find(self.game)

    @property
    def labels(self) -> list[str]:
        """The names of the entrants, told apart by a number where somebody takes part twice."""
        earlier = [self.entrants[:number].count(name) for number, name in enumerate(self.entrants)]
        return [f"{name} ({count + 1})" if count else name for name, count in zip(self.entrants, earlier, strict=True)]


class Block(NamedTuple):
    """Matches of two entrants with one deal: the same luck for every seating."""

    pair: tuple[int, int]
    deal: int
    seatings: tuple[Seating, ...]


def pairs_of(contest: Contest) -> list[tuple[int, int]]:
    """List who meets whom: everybody everybody else, or in a game for one only themselves."""
    numbers = range(len(contest.entrants))
    return [(number, number) for number in numbers] if contest.seats == 1 else list(combinations(numbers, 2))


def seatings_of(pair: tuple[int, int], seats: int, mixed: bool = False) -> tuple[Seating, ...]:
    """Seat one of the first among copies of the second, on every seat in turn; mixed, also two, three and so on."""
    first, second = pair
    most = seats if mixed else min(seats, 2)
    rows = [[first] * copies + [second] * (seats - copies) for copies in range(1, most)] or [[first]]
    return tuple(tuple(row[-turn:] + row[:-turn]) for row in rows for turn in range(seats))


def block_size(contest: Contest) -> int:
    """Return how many matches a block has."""
    return len(seatings_of((0, 1), contest.seats, contest.mixed))


def blocks_of(contest: Contest, deals: int) -> Iterator[Block]:
    """Give all blocks of so many deals, the same deal to all pairs before the next one."""
    for deal in range(deals):
        for pair in pairs_of(contest):
            yield Block(pair, deal, seatings_of(pair, contest.seats, contest.mixed))
