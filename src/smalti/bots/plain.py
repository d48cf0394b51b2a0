"""Bots for every game, by nothing but what all games promise: at random, and greedy for points."""

from __future__ import annotations

import numpy as np

from smalti.bots.bot import Bot, Seen, plain
from smalti.engine.loops.playing import greedy_move

RANDOM, GREEDY, SEARCH = 0, 100, 200  # ranks, with room between them


def random_move(seen: Seen) -> int:
    """Return any move, each equally likely."""
    return seen.luck.choice(seen.moves)


def most_points(seen: Seen) -> int:
    """Return the move after which the seat leads by most; at random if that one gives up."""
    game = seen.game
    lists = np.array([game.buffers()[0] for _ in range(2)])
    scores = np.zeros(game.seats[-1], np.int32)
    move = int(greedy_move(seen.table, seen.seat, game.table.batch(2), lists, scores, seen.stream))
    return move if move in seen.moves else random_move(seen)


BOTS = (Bot("random", RANDOM, plain(random_move)), Bot("greedy", GREEDY, plain(most_points)))
