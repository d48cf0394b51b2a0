"""How fast the engine is: our own figures, without anybody else's.

A `Bench` is one game laid out for measuring. Its methods take a moment each and return one figure; whoever wants
medians asks several times. The first call of each compiles, so call `warm_up` before.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from smalti.engine.chance import stream_of
from smalti.engine.compiled import compiled
from smalti.engine.game import Game
from smalti.engine.loops.playing import Tables, batch_step, random_games, random_step, seed_streams
from smalti.engine.loops.simulation import line_of, random_record
from smalti.engine.records import parse, verify
from smalti.engine.rules import CHANCE, Scores, acting, score

SECONDS = 0.3  # a figure's time
BATCH = 1024  # games stepped together
SHELF = 64  # tables to copy or score in turn: few enough to stay in the processor's nearest cache
LOT = 100  # games between two looks at the clock


@compiled
def copy_round(tables: Tables, times: int) -> int:
    """Copy every table onto another, here and there as a search does; return the number of copies."""
    for _ in range(times):
        for place in range(SHELF):
            tables[(7 * place) % SHELF] = tables[(7 * place + 29) % SHELF]
    return times * SHELF


@compiled
def score_round(tables: Tables, scores: Scores, times: int) -> int:
    """Score each table so many times over; return the number of tables scored."""
    for _ in range(times):
        for place in range(len(tables)):
            score(tables[place], scores)
    return times * len(tables)


def rate(run: Callable[[], float], seconds: float) -> float:
    """Return how many a second of processor time `run` does, each call of which returns how many it did."""
    done, begin = 0.0, process_time()
    while True:
        done += run()
        elapsed = process_time() - begin
        if elapsed > seconds:
            return done / elapsed


class Bench:
    """One game with so many seats, and the buffers its compiled loops work in."""

    def __init__(self, game: Game, seats: int, seed: int = 1) -> None:
        """Lay out a table before its first event."""
        self.game, self.seats = game, seats
        self.start = game.set_up(seats)
        self.moves, self.weights = game.buffers()
        self.stream = stream_of(seed)
        self.tables = game.table.batch(1)
        self.batch = game.table.batch(BATCH)
        self.streams = np.zeros(BATCH, np.uint64)
        seed_streams(self.streams, np.uint64(seed))
        self.batch[:] = self.start

    def warm_up(self) -> None:
        """Compile everything, and play the batch until its games are all at different points."""
        for figure in (self.decisions, self.decisions_after_the_deal, self.copy_time, self.score_time):
            figure(0)
        for _ in range(200):
            self.step_batch()

    def table_bytes(self) -> int:
        """Return the size of a table."""
        return int(self.game.table.dtype.itemsize)

    def decisions(self, seconds: float = SECONDS) -> float:
        """Return decisions a second in random games, chance's moves played but not counted."""
        return self.decisions_from(self.start, seconds)

    def decisions_after_the_deal(self, seconds: float = SECONDS) -> float:
        """Return decisions a second in random games that all go on from one table dealt at random."""
        return self.decisions_from(self.dealt()[0], seconds)

    def decisions_from(self, start: Any, seconds: float) -> float:
        """Return decisions a second in random games from a table on."""
        return rate(
            lambda: random_games(start, self.tables, LOT, self.moves, self.weights, self.stream),
            seconds,
        )

    def dealt(self) -> Tables:
        """Return a batch of one table on which chance has played until a seat must act."""
        tables = self.game.table.batch(1)
        tables[0] = self.start
        while acting(tables[0]) & CHANCE:
            random_step(tables[0], self.moves, self.weights, self.stream)
        return tables

    def step_batch(self) -> int:
        """Play one decision in every game of the batch; return how many that is."""
        batch_step(self.start, self.batch, self.moves, self.weights, self.streams)
        return len(self.batch)

    def decisions_in_a_batch(self, seconds: float = SECONDS) -> float:
        """Return decisions a second when 1,024 games are stepped together, finished ones starting anew."""
        return rate(self.step_batch, seconds)

    def copy_time(self, seconds: float = SECONDS) -> float:
        """Return nanoseconds to copy a table."""
        shelf = self.game.table.batch(SHELF)
        shelf[:] = self.start
        return 1e9 / rate(lambda: copy_round(shelf, LOT), seconds)

    def score_time(self, seconds: float = SECONDS) -> float:
        """Return nanoseconds to score the final boards of a random game, all seats."""
        shelf, scores = self.finished(), np.zeros(max(self.game.seats), np.int32)
        return 1e9 / rate(lambda: score_round(shelf, scores, LOT), seconds)

    def records_written(self, seconds: float = SECONDS) -> float:
        """Return records of random games made and written a second."""
        numbers = itertools.count()
        return rate(lambda: len(self.line(next(numbers))) > 0, seconds)

    def records_verified(self, seconds: float = SECONDS) -> float:
        """Return records read and verified a second."""
        lines = itertools.cycle([self.line(number) for number in range(SHELF)])
        return rate(lambda: verify(parse(next(lines)), lambda name, version: self.game).is_over, seconds)

    def line(self, number: int) -> str:
        """Return the record of a random game as a line."""
        return line_of(random_record(self.game, self.seats, {}, 1, number))

    def finished(self) -> Tables:
        """Return tables at the end of as many random games."""
        shelf = self.game.table.batch(SHELF)
        for place in range(SHELF):
            random_games(self.start, shelf[place : place + 1], 1, self.moves, self.weights, self.stream)
        return shelf
