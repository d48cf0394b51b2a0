"""Compiling ahead of time: calling everything compiled once for a game, as others will call it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

from smalti.engine import rules
from smalti.engine.chance import stream_of
from smalti.engine.game import Game
from smalti.engine.loops import playing
from smalti.engine.loops.simulation import random_record
from smalti.engine.match import Match


def steps(game: Game) -> list[Callable[[], object]]:
    """List pieces of work that together compile all that players need of a game."""
    return [
        lambda: one_match(game),
        lambda: random_record(game, game.seats[-1], {}, 0, 0),
        lambda: loops(game),
    ]


def one_match(game: Game) -> None:
    """Play a short match as a person would."""
    match, luck = Match(game, game.seats[-1]), Random(0)
    while not match.is_over and len(match.events) < 40:
        if match.awaits_chance:
            match.chances()
            match.draw(luck)
        else:
            seat = min(match.acting)
            match.play(seat, match.legal(seat)[0])
    match.view(0)
    match.boards(None)
    match.breakdown()
    rules.winners(match.table)


def loops(game: Game) -> None:
    """Run the loops of batches and counts."""
    start, tables, stream = game.set_up(game.seats[-1]), game.table.batch(4), stream_of(0)
    moves, weights = game.buffers()
    playing.random_games(start, tables, 1, moves, weights, stream)
    streams = np.zeros(4, np.uint64)
    playing.seed_streams(streams, np.uint64(0))
    tables[:] = start
    playing.batch_step(start, tables, moves, weights, streams)
    levels = np.array([game.buffers()[0] for _ in range(3)])
    tables[0] = start
    playing.perft(tables, 2, levels, weights, np.zeros(3, np.int64))
