"""The bots that know Patterns: one sees what a single move promises, one reads ahead."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from smalti.bots.bot import Bot, Seen, plain
from smalti.bots.patterns.reading import read_ahead, worth
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
    return float(worth(after, seen.seat))


def search(seen: Seen) -> int:
    """Return the best move, read ahead as far as the budget goes."""
    if seen.table.phase != PLAYING or len(seen.moves) == 1:
        return greedy(seen)
    return list(deepened(seen))[-1]


def deepened(seen: Seen) -> Iterator[int]:
    """Give the best move of one move ahead, then of two, and so on, until the budget is used up or the end is seen."""
    tables = np.zeros(DEEPEST + 1, seen.game.table.dtype)
    moves = np.zeros((DEEPEST + 1, len(seen.game.buffers()[0])), np.int32)
    worths, notes = np.zeros(moves.shape, np.int64), np.zeros((5, DEEPEST + 1), np.int64)
    tables[:1] = seen.tables
    move, left = greedy(seen), BUDGET
    for depth in range(1, DEEPEST):
        yield move
        move = int(read_ahead(tables, depth, move, left, moves, worths, notes))
        used, goes_on = notes[4, :2].tolist()
        if move < 0:
            return
        if not goes_on:
            break
        left -= used
    yield move


BOTS = (Bot("greedy", GREEDY, plain(greedy), "patterns"), Bot("search", SEARCH, plain(search), "patterns"))
