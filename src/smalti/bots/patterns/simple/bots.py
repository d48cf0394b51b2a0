"""Bots without weights: one sees what a single move promises, one searches by alpha-beta, deeper and deeper."""

from __future__ import annotations

from collections.abc import Iterator

from smalti.bots.bot import Bot, Seen, plain
from smalti.bots.patterns.simple.alpha_beta import new_stack, search_to_depth
from smalti.bots.patterns.simple.evaluation import static_worth
from smalti.bots.plain import GREEDY, SEARCH
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import play
from smalti.games.patterns.tables import PLAYING

DEEPEST = 40
BUDGET = 1_500_000  # tables looked at; not seconds, so that the same seed gives the same move


def greedy(seen: Seen) -> int:
    """Return the move after which the mandala promises most; points alone would never open a group."""
    return seen.best({move: promise(seen, move) for move in seen.moves})


def promise(seen: Seen, move: int) -> float:
    """Return what the table is worth to the seat after a move."""
    after = tables_of(bytes_of(seen.table), seen.game.table.dtype)[0]
    play(after, seen.seat, move)
    return float(static_worth(after, seen.seat))


def search(seen: Seen) -> int:
    """Return the best move of the deepest search that the budget allows."""
    if seen.table.phase != PLAYING or len(seen.moves) == 1:
        return greedy(seen)
    return list(deepened(seen))[-1]


def deepened(seen: Seen) -> Iterator[int]:
    """Give the best move of one ply, then of two, and so on, until the budget is used up or the end is seen."""
    stack = new_stack(DEEPEST, len(seen.game.buffers()[0]))
    stack.tables[:1] = seen.tables
    move, left = greedy(seen), BUDGET
    for depth in range(1, DEEPEST):
        yield move
        move = int(search_to_depth(stack, depth, move, left))
        if move < 0:
            return
        if not stack.is_cut_off[0]:
            break
        left -= int(stack.nodes[0])
    yield move


BOTS = (Bot("greedy", GREEDY, plain(greedy), "patterns"), Bot("search", SEARCH, plain(search), "patterns"))
