"""Games played to their end from where the tree ends, compiled: at random, but with an eye on points, and with habits.

Of two moves drawn at random the one is made after which its seat is further ahead. If there is no difference, it is the
one whose results were better on average in this search, wherever it was made (move-average sampling): what has done
well for a seat elsewhere is likely to do well here. That lasts until chance has a hand in a simulation: what was good
for other dice or tiles says little of these.

    habits   by seat and move: the sum of what came of it, and how often it was made
    trace    of one playout: who made which move
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.bots.mcts.results import Values, ahead
from smalti.engine.bits import lowest
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.playing import Tables, random_step
from smalti.engine.rules import CHANCE, Moves, Scores, Weights, acting, legal, play, score

TOTAL, COUNT = 0, 1
UNKNOWN = 0.5  # what a move is worth that was never made, as if it had been made once
DRAWN = 2  # moves one of which is made

Habits = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


def no_habits(seats: int, moves: int) -> Habits:
    """Return habits to begin with."""
    habits = np.ones((seats, moves, 2))
    habits[..., TOTAL] = UNKNOWN
    return habits


@compiled
def habit(habits: Habits, seat: int, move: int) -> float:
    """Return what came of a move on average."""
    return habits[seat, move, TOTAL] / habits[seat, move, COUNT]


@compiled
def lead_after(tables: Tables, seat: int, seats: int, move: int, scores: Scores) -> int:
    """Return how far a seat of tables[0] is ahead once it has made a move, on tables[1]."""
    tables[1] = tables[0]
    play(tables[1], seat, move)
    score(tables[1], scores)
    return ahead(scores, seat, seats)


@compiled
def better_move(
    tables: Tables, seat: int, seats: int, habits: Habits, scores: Scores, moves: Moves, found: int, stream: Stream
) -> int:
    """Return the better one of some moves drawn at random: by points, then by habit."""
    chosen = moves[below(stream, found)]
    most = lead_after(tables, seat, seats, chosen, scores)
    for _ in range(DRAWN - 1):
        move = moves[below(stream, found)]
        lead = lead_after(tables, seat, seats, move, scores)
        if lead > most or (lead == most and habit(habits, seat, move) > habit(habits, seat, chosen)):
            chosen, most = move, lead
    return chosen


@compiled
def note(habits: Habits, seat: int, move: int, worth: float) -> None:
    """Note what came of a move."""
    habits[seat, move, TOTAL] += worth
    habits[seat, move, COUNT] += 1.0


@apart
def play_out(
    tables: Tables,
    seats: int,
    is_certain: bool,
    habits: Habits,
    trace: Counts,
    scores: Scores,
    moves: Moves,
    weights: Weights,
    stream: Stream,
) -> int:
    """Play tables[0] to its end, with better moves as long as all is certain; return how many events that took.

    tables[1] is room to try moves. trace[0] is the number of moves that were chosen; they stand behind it.
    """
    table, events, made, most = tables[0], 0, 0, (len(trace) - 1) // 2
    while acting(table) != 0 and is_certain and made < most:
        if acting(table) & CHANCE:
            is_certain = False
        else:
            seat = lowest(acting(table))
            found = legal(table, seat, moves)
            move = better_move(tables, seat, seats, habits, scores, moves, found, stream)
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
    """Note what came of all moves that a playout has chosen."""
    for number in range(trace[0]):
        seat, move = trace[2 * number + 1], trace[2 * number + 2]
        note(habits, seat, move, values[seat])
