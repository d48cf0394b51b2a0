"""Somebody who reads ahead on one table of Patterns; the loops themselves are in `searching`."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from smalti.bots.bot import Budget
from smalti.bots.patterns.features import NAME, VERSION
from smalti.bots.patterns.room import lay_out, list_moves, new_room
from smalti.bots.patterns.searching import BEST, BEST_MOVE, ENDLESS, FIELDS, GUESSED, USED, begin, go_on
from smalti.bots.weights import shipped
from smalti.engine.bits import count
from smalti.games.patterns.rules import front_up

SLICE = 4000  # tables between two looks at the clock
FEWEST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 20
A_SECOND = 4_000_000  # tables looked at, about
WINDOW = 24  # sixteenths of a point that the worth may change from one depth to the next
WIDER = 4  # times, if it does
DEEP = 11  # plies after which, with so few fronts left, the rest is read to its end at once
FEW_FRONTS = 30
ALL_THE_WAY = 200  # plies: more than any game has, however much is taken off for late moves
HABITS = (3, 10, 3, 32)  # see `searching`
LONGEST = 1 << 50

Worth = tuple[int, int, bool]  # a move, its worth in sixteenths of a point, whether it is proved


class Reader:
    """A table that is laid out, the moves on it, and how far they have been read."""

    def __init__(self, tables: Any, budget: Budget) -> None:
        """Lay the first of the tables out; the clock starts now."""
        self.started = perf_counter()
        self.room = new_room(shipped(NAME, VERSION)["weights"], slots_for(budget), FIELDS, HABITS)
        self.room.tables[:1] = tables[:1]
        lay_out(self.room)
        self.moves: list[int] = self.room.moves[0, : list_moves(self.room.tables[0], self.room.moves[0])].tolist()
        self.depth, self.worth, self.is_proved = 0, 0, False
        self.allow(budget)

    def allow(self, budget: Budget) -> None:
        """Let it go on until so much has been used, from the beginning on."""
        self.limit = budget.nodes or LONGEST
        self.deadline = self.started + budget.seconds if budget.seconds else float("inf")

    @property
    def used(self) -> int:
        """Tables looked at so far."""
        return int(self.room.notes[USED])

    @property
    def is_out(self) -> bool:
        """Whether the budget is used up."""
        return self.used >= self.limit or perf_counter() >= self.deadline

    def read(self, depth: int, low: int, high: int, moves: Sequence[int]) -> bool:
        """Read these moves that deep within a window; say whether the budget was enough."""
        self.room.moves[0, : len(moves)] = moves
        begin(self.room, depth, low, high, len(moves))
        while not go_on(self.room, min(self.limit, self.used + SLICE)):
            if self.is_out:
                return False
        return True

    def found(self) -> Worth:
        """Return the best move of the last reading, its worth, and whether nothing was guessed."""
        frame = self.room.frames[0]
        return int(frame[BEST_MOVE]), int(frame[BEST]), not frame[GUESSED]

    def deepen(self, deepest: int = ALL_THE_WAY) -> None:
        """Read deeper and deeper; afterwards the best move stands first."""
        while self.depth < deepest and not self.is_proved and not self.is_out:
            depth = min(deepest, self.next_depth)
            if not self.read_around(depth):
                return
            self.depth = depth

    @property
    def next_depth(self) -> int:
        """How deep to read after this depth."""
        is_short = count(front_up(self.room.tables[0])) <= FEW_FRONTS
        return ALL_THE_WAY if is_short and self.depth >= DEEP else self.depth + 1

    def read_around(self, depth: int) -> bool:
        """Read that deep in a window around the last worth, and widen it as often as needed."""
        below = above = WINDOW if depth > 2 else ENDLESS
        while True:
            low, high = max(-ENDLESS, self.worth - below), min(ENDLESS, self.worth + above)
            is_done = self.read(depth, low, high, self.moves)
            move, worth, is_proved = self.found()
            if worth > low:
                self.prefer(move)
            if not is_done:
                return False
            if low < worth < high:
                self.worth, self.is_proved = worth, is_proved
                return True
            below, above = (WIDER * below, above) if worth <= low else (below, WIDER * above)

    def prefer(self, move: int) -> None:
        """Put a move in front."""
        self.moves.remove(move)
        self.moves.insert(0, move)

    def ranked(self, most: int) -> list[Worth]:
        """Return the best moves, read two plies less deep than the very best one, as far as the budget goes."""
        worths, rest = [(self.moves[0], self.worth, self.is_proved)], self.moves[1:]
        depth = self.depth if self.is_proved else max(1, self.depth - 2)
        while rest and len(worths) < most and self.read(depth, -ENDLESS, worths[-1][1] + 1, rest):
            move, worth, is_proved = self.found()
            worths.append((move, min(worth, worths[-1][1]), is_proved))
            rest.remove(move)
        return worths


def slots_for(budget: Budget) -> int:
    """Return how many tables are remembered: about as many as are looked at; more would only be slower."""
    nodes = budget.nodes or int(A_SECOND * budget.seconds) or MOST_SLOTS
    return min(MOST_SLOTS, max(FEWEST_SLOTS, 1 << nodes.bit_length()))
