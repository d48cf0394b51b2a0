"""Playouts: games played to their end from where the tree ends, with move-average sampling (MAST), compiled.

Of two moves drawn at random the one is made after which its seat is further ahead. If there is no difference, it is the
one whose results were better on average in this search, wherever it was made: what has done well for a seat elsewhere
is likely to do well here. That lasts until chance has a hand in a simulation: what was good for other dice or tiles
says little of these.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.mcts.results import Values, ahead
from smalti.engine.bits import lowest
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.loops.playing import Tables, random_step
from smalti.engine.rules import CHANCE, Moves, Scores, Weights, acting, legal, play, score

TOTAL, COUNT = 0, 1
UNKNOWN = 0.5  # what a move is worth that was never made, as if it had been made once
DRAWN = 2  # moves one of which is made

Averages = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


class Playout(NamedTuple):
    """What a playout works with."""

    seats: int
    tables: Tables  # the one that is played on, and another to try moves
    averages: Averages  # by seat and move: the sum of what came of it, and how often it was made
    trace: Counts  # of one playout: how many moves were chosen, then the seat and the move of each
    moves: Moves
    weights: Weights
    scores: Scores
    stream: Stream


def no_averages(seats: int, moves: int) -> Averages:
    """Return move averages to begin with."""
    averages = np.ones((seats, moves, 2))
    averages[..., TOTAL] = UNKNOWN
    return averages


@compiled
def average(averages: Averages, seat: int, move: int) -> float:
    """Return what came of a move on average."""
    return averages[seat, move, TOTAL] / averages[seat, move, COUNT]


@compiled
def lead_after(playout: Playout, seat: int, move: int) -> int:
    """Return how far a seat of tables[0] is ahead once it has made a move, on tables[1]."""
    tables = playout.tables
    tables[1] = tables[0]
    play(tables[1], seat, move)
    score(tables[1], playout.scores)
    return ahead(playout.scores, seat, playout.seats)


@compiled
def better_move(playout: Playout, seat: int, found: int) -> int:
    """Return the better one of some moves drawn at random: by points, then by its average."""
    moves, averages, stream = playout.moves, playout.averages, playout.stream
    chosen = moves[below(stream, found)]
    most = lead_after(playout, seat, chosen)
    for _ in range(DRAWN - 1):
        move = moves[below(stream, found)]
        lead = lead_after(playout, seat, move)
        if lead > most or (lead == most and average(averages, seat, move) > average(averages, seat, chosen)):
            chosen, most = move, lead
    return chosen


@compiled
def add_result(averages: Averages, seat: int, move: int, worth: float) -> None:
    """Add what came of a move to its average."""
    averages[seat, move, TOTAL] += worth
    averages[seat, move, COUNT] += 1.0


@compiled
def play_better_moves(playout: Playout) -> int:
    """Play tables[0] with better moves until chance acts or the trace is full; return how many were made."""
    table, trace, made = playout.tables[0], playout.trace, 0
    most = (len(trace) - 1) // 2
    while acting(table) != 0 and (acting(table) & CHANCE) == 0 and made < most:
        seat = lowest(acting(table))
        move = better_move(playout, seat, legal(table, seat, playout.moves))
        play(table, seat, move)
        trace[2 * made + 1], trace[2 * made + 2] = seat, move
        made += 1
    return made


@apart
def play_out(playout: Playout, is_certain: bool) -> int:
    """Play tables[0] to its end, with better moves as long as all is certain; return how many events that took."""
    table, events = playout.tables[0], 0
    made = play_better_moves(playout) if is_certain else 0
    playout.trace[0] = made
    while acting(table) != 0:
        random_step(table, playout.moves, playout.weights, playout.stream)
        events += 1
    return made + events


@compiled
def add_playout(playout: Playout, values: Values) -> None:
    """Add what came of a playout to the averages of all moves it has chosen."""
    for number in range(playout.trace[0]):
        seat, move = playout.trace[2 * number + 1], playout.trace[2 * number + 2]
        add_result(playout.averages, seat, move, values[seat])
