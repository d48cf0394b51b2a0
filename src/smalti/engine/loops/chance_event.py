"""One whole event of chance, such as a deal: drawn by as many small moves as it takes."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from smalti.engine.chance import Stream
from smalti.engine.game import Game
from smalti.engine.loops.playing import chance_move
from smalti.engine.record import copy_of
from smalti.engine.rules import CHANCE, NOBODY, Moves, Weights, acting, play

Source = random.Random | Stream | Callable[[int], int]  # a function gives 64 random bits for a small move's number


def drawn_event(game: Game, table: Any, buffers: tuple[Moves, Weights], source: Source) -> str:
    """Return the text of the event that chance adds to a table, with randomness from the source."""
    stream = np.array([source.getrandbits(64)], np.uint64) if isinstance(source, random.Random) else source
    trial, moves = copy_of(table), list[int]()
    while acting(trial) == CHANCE:
        bits = np.array([stream(len(moves))], np.uint64) if callable(stream) else stream
        moves.append(int(chance_move(trial, *buffers, bits)))
        if game.verb(moves[-1]) != game.verb(moves[0]):
            moves.pop()  # the next event of chance, not this one's
            break
        play(trial, NOBODY, moves[-1])
    return game.notation.chance_text(moves)
