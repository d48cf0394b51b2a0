"""Iterative deepening with aspiration windows: one table searched deeper and deeper, until a budget is used up.

The search itself is in `pvs`. Near the end everything is searched at once to the last move, which proves the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

from smalti.bots.bot import Budget
from smalti.bots.patterns.evaluate.features import NAME, VERSION
from smalti.bots.patterns.search.pvs import INFINITE, open_root, search_on
from smalti.bots.patterns.search.stack import Pruning, list_moves, new_stack, set_root
from smalti.bots.weights import shipped
from smalti.engine.bits import count
from smalti.games.patterns.rules import front_up

SLICE = 4000  # tables between two looks at the clock
FEWEST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 20  # of the transposition table
A_SECOND = 4_000_000  # tables looked at, about
WINDOW = 24  # sixteenths of a point that the worth may change from one depth to the next
WIDER = 4  # times, if it does
DEEP = 11  # plies after which, with so few fronts left, the rest is searched to its end at once
FEW_FRONTS = 30
ALL_THE_WAY = 200  # plies: more than any game has, however much late moves are reduced
PRUNING = Pruning(late=3, very_late=10, futile_depth=3, futile_margin=32)
UNLIMITED_NODES = 1 << 50


class RankedMove(NamedTuple):
    """A move and what the search says about it."""

    move: int
    worth: int  # in sixteenths of a point
    is_proved: bool


class DeepeningSearch:
    """A table, the moves on it, and how deep they have been searched."""

    def __init__(self, tables: Any, budget: Budget) -> None:
        """Begin with the first of the tables; the clock starts now."""
        self.started = perf_counter()
        self.stack = new_stack(shipped(NAME, VERSION)["weights"], slots_for(budget), PRUNING)
        self.stack.tables[:1] = tables[:1]
        set_root(self.stack)
        self.moves: list[int] = self.stack.moves[0, : list_moves(self.stack.tables[0], self.stack.moves[0])].tolist()
        self.depth, self.worth, self.is_proved = 0, 0, False
        self.allow(budget)

    def allow(self, budget: Budget) -> None:
        """Let it go on until so much has been used, from the beginning on."""
        self.limit = budget.nodes or UNLIMITED_NODES
        self.deadline = self.started + budget.seconds if budget.seconds else float("inf")

    @property
    def nodes(self) -> int:
        """Tables looked at so far."""
        return int(self.stack.progress[0].nodes)

    @property
    def is_out_of_budget(self) -> bool:
        """Whether the budget is used up."""
        return self.nodes >= self.limit or perf_counter() >= self.deadline

    def search(self, depth: int, low: int, high: int, moves: Sequence[int]) -> bool:
        """Search these moves that deep within a window; say whether the budget was enough."""
        self.stack.moves[0, : len(moves)] = moves
        open_root(self.stack, depth, low, high, len(moves))
        while not search_on(self.stack, min(self.limit, self.nodes + SLICE)):
            if self.is_out_of_budget:
                return False
        return True

    def best(self) -> RankedMove:
        """Return the best move of the last search; it is proved if nothing was estimated."""
        frame = self.stack.frames[0]
        return RankedMove(int(frame.best_move), int(frame.best), not frame.is_estimated)

    def deepen(self, deepest: int = ALL_THE_WAY) -> None:
        """Search deeper and deeper; afterwards the best move stands first."""
        while self.depth < deepest and not self.is_proved and not self.is_out_of_budget:
            depth = min(deepest, self.next_depth)
            if not self.search_around_worth(depth):
                return
            self.depth = depth

    @property
    def next_depth(self) -> int:
        """How deep to search after this depth."""
        is_short = count(front_up(self.stack.tables[0])) <= FEW_FRONTS
        return ALL_THE_WAY if is_short and self.depth >= DEEP else self.depth + 1

    def search_around_worth(self, depth: int) -> bool:
        """Search that deep in an aspiration window around the last worth, and widen it as often as needed."""
        below = above = WINDOW if depth > 2 else INFINITE
        while True:
            low, high = max(-INFINITE, self.worth - below), min(INFINITE, self.worth + above)
            is_done = self.search(depth, low, high, self.moves)
            move, worth, is_proved = self.best()
            if worth > low:
                self.move_to_front(move)
            if not is_done:
                return False
            if low < worth < high:
                self.worth, self.is_proved = worth, is_proved
                return True
            below, above = (WIDER * below, above) if worth <= low else (below, WIDER * above)

    def move_to_front(self, move: int) -> None:
        """Put a move in front."""
        self.moves.remove(move)
        self.moves.insert(0, move)

    def ranking(self, most: int) -> list[RankedMove]:
        """Return the best moves, searched two plies less deep than the very best one, as far as the budget goes."""
        ranked, rest = [RankedMove(self.moves[0], self.worth, self.is_proved)], self.moves[1:]
        depth = self.depth if self.is_proved else max(1, self.depth - 2)
        while rest and len(ranked) < most and self.search(depth, -INFINITE, ranked[-1].worth + 1, rest):
            move, worth, is_proved = self.best()
            ranked.append(RankedMove(move, min(worth, ranked[-1].worth), is_proved))
            rest.remove(move)
        return ranked


def slots_for(budget: Budget) -> int:
    """Return how many tables are remembered: about as many as are looked at; more would only be slower."""
    nodes = budget.nodes or int(A_SECOND * budget.seconds) or MOST_SLOTS
    return min(MOST_SLOTS, max(FEWEST_SLOTS, 1 << nodes.bit_length()))
