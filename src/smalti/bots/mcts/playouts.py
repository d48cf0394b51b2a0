"""Games played to their end from where the tree ends, compiled: at random, but with habits.

A move that has done well for a seat elsewhere in this search is likely to do well here. So of two moves drawn at
random the one is made whose results were better on average, wherever it was made (move-average sampling). That lasts
until chance has a hand in a simulation: what was good for other dice or tiles says little of these.

    habits   by seat and move: the sum of what came of it, and how often it was made
    trace    of one playout: who made which move
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import lowest
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.playing import random_step
from smalti.engine.record import Record
from smalti.engine.rules import CHANCE, Moves, Weights, acting, legal, play

TOTAL, COUNT = 0, 1
UNKNOWN = 0.5  # what a move is worth that was never made, as if it had been made once
DRAWN = 2  # moves one of which is made

Habits = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]


def no_habits(seats: int, moves: int) -> Habits:
    """Return habits to begin with."""
    habits = np.ones((seats, moves, 2))
    habits[..., TOTAL] = UNKNOWN
    return habits


@compiled
def habitual(habits: Habits, seat: int, moves: Moves, found: int, stream: Stream) -> int:
    """Return the better one of some moves drawn at random."""
    chosen, best = -1, -1.0
    for _ in range(DRAWN):
        move = moves[below(stream, found)]
        worth = habits[seat, move, TOTAL] / habits[seat, move, COUNT]
        if worth > best:
            chosen, best = move, worth
    return chosen


@compiled
def note(habits: Habits, seat: int, move: int, worth: float) -> None:
    """Note what came of a move."""
    habits[seat, move, TOTAL] += worth
    habits[seat, move, COUNT] += 1.0


@apart
def play_out(
    table: Record, is_certain: bool, habits: Habits, trace: Counts, moves: Moves, weights: Weights, stream: Stream
) -> int:
    """Play a table to its end, by habit as long as all is certain; return how many events that took.

    trace[0] is the number of moves that were made by habit; they stand behind it.
    """
    events, made, most = 0, 0, (len(trace) - 1) // 2
    while acting(table) != 0 and is_certain and made < most:
        if acting(table) & CHANCE:
            is_certain = False
        else:
            seat = lowest(acting(table))
            move = habitual(habits, seat, moves, legal(table, seat, moves), stream)
            play(table, seat, move)
            trace[2 * made + 1], trace[2 * made + 2] = seat, move
            made += 1
    trace[0] = made
    while acting(table) != 0:
        random_step(table, moves, weights, stream)
        events += 1
    return made + events


@compiled
def note_playout(habits: Habits, trace: Counts, values: Values) -> None:
    """Note what came of all moves that a playout made by habit."""
    for number in range(trace[0]):
        seat, move = trace[2 * number + 1], trace[2 * number + 2]
        note(habits, seat, move, values[seat])
