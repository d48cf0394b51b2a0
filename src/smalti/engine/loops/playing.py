"""Loops that play, written once and compiled for each game: random games, whole logs of them, batches, perft."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import lowest
from smalti.engine.chance import Stream, below, seeded, weighted
from smalti.engine.compiled import compiled
from smalti.engine.record import Record
from smalti.engine.rules import (
    CHANCE,
    MOST_SEATS,
    NOBODY,
    Moves,
    Scores,
    Weights,
    acting,
    hide,
    legal,
    odds,
    play,
    score,
)

Tables = npt.NDArray[Any]
Seats = npt.NDArray[np.int8]
Lists = npt.NDArray[np.int32]  # of moves, one a row


# What becomes of a move that somebody wants to play.
PLAYED, NOT_ACTING, ILLEGAL = range(3)


@compiled
def who_acts(tables: Tables) -> int:
    """Return who must act on tables[0]."""
    return acting(tables[0])


@compiled
def list_legal(tables: Tables, seat: int, moves: Moves) -> int:
    """List a seat's moves on tables[0]."""
    return legal(tables[0], seat, moves)


@compiled
def blank_hidden(tables: Tables, seat: int) -> None:
    """Blank on tables[0] what a seat may not see."""
    hide(tables[0], seat)


@compiled
def attempt(tables: Tables, seat: int, move: int, moves: Moves) -> int:
    """Play a seat's move on tables[0] if the rules allow it; say what became of it."""
    table = tables[0]
    if not (acting(table) >> seat) & 1:
        return NOT_ACTING
    if not is_legal(table, seat, move, moves):
        return ILLEGAL
    play(table, seat, move)
    return PLAYED


@compiled
def attempt_chance(tables: Tables, drawn: Moves, moves: Moves, weights: Weights) -> int:
    """Play moves of chance on tables[0] as long as they are possible; say what became of them."""
    table = tables[0]
    for move in drawn:
        if acting(table) != CHANCE:
            return NOT_ACTING
        if not chance_can(table, move, moves, weights):
            return ILLEGAL
        play(table, NOBODY, move)
    return PLAYED


@compiled
def is_legal(table: Record, seat: int, move: int, moves: Moves) -> bool:
    """Say whether a seat that must act may play this move."""
    for index in range(legal(table, seat, moves)):
        if moves[index] == move:
            return True
    return False


@compiled
def chance_can(table: Record, move: int, moves: Moves, weights: Weights) -> bool:
    """Say whether chance can do this now."""
    for index in range(odds(table, moves, weights)):
        if moves[index] == move:
            return True
    return False


@compiled
def chance_move(table: Record, moves: Moves, weights: Weights, stream: Stream) -> int:
    """Draw what chance does now."""
    return moves[weighted(stream, weights, odds(table, moves, weights))]


@compiled
def random_move(table: Record, seat: int, moves: Moves, stream: Stream) -> int:
    """Draw one of a seat's legal moves, each equally likely."""
    return moves[below(stream, legal(table, seat, moves))]


@compiled
def lead(table: Record, seat: int, scores: Scores) -> int:
    """Return how many points a seat has more than the best of the others; alone, how many it has."""
    score(table, scores)
    best = 0
    for other in range(len(scores)):
        if other != seat and scores[other] > best:
            best = scores[other]
    return scores[seat] - best


@compiled
def settle(table: Record, seats: int, replies: Moves) -> None:
    """Let each of these seats that still has to act play its first move, so that what is sealed takes effect."""
    for seat in range(MOST_SEATS):
        if (seats >> seat) & (acting(table) >> seat) & 1 and legal(table, seat, replies) > 0:
            play(table, seat, replies[0])


@compiled
def greedy_move(table: Record, seat: int, scratch: Tables, lists: Lists, scores: Scores, stream: Stream) -> int:
    """Return the move after which a seat leads by most, one of the best at random; it sees what the seat sees.

    There is room for two tables, for two lists of moves and for every seat's points.
    """
    scratch[0] = table
    hide(scratch[0], seat)
    together = acting(table) & ~(1 << seat)
    chosen, best, ties = -1, 0, 0
    for index in range(legal(table, seat, lists[0])):
        scratch[1] = scratch[0]
        play(scratch[1], seat, lists[0, index])
        settle(scratch[1], together, lists[1])
        worth = lead(scratch[1], seat, scores)
        if chosen < 0 or worth > best:
            chosen, best, ties = lists[0, index], worth, 1
        elif worth == best:
            ties += 1
            if below(stream, ties) == 0:
                chosen = lists[0, index]
    return chosen


@compiled
def random_step(table: Record, moves: Moves, weights: Weights, stream: Stream) -> int:
    """Let chance, or the lowest seat that must act, play at random; return the seat."""
    who = acting(table)
    if who & CHANCE:
        seat = NOBODY
        move = chance_move(table, moves, weights, stream)
    else:
        seat = lowest(who)
        move = random_move(table, seat, moves, stream)
    play(table, seat, move)
    return seat


@compiled
def random_games(start: Record, tables: Tables, games: int, moves: Moves, weights: Weights, stream: Stream) -> int:
    """Play that many random games from the start on; return the seats' decisions. The last one stays in tables[0]."""
    decisions = 0
    for _ in range(games):
        tables[0] = start
        table = tables[0]
        while acting(table) != 0:
            if random_step(table, moves, weights, stream) != NOBODY:
                decisions += 1
    return decisions


@compiled
def random_log(table: Record, moves: Moves, weights: Weights, stream: Stream, who: Seats, what: Moves) -> int:
    """Play one random game to its end, or until the log is full, and log who played what; return its length.

    Where several seats must act, any of them may be next.
    """
    length = 0
    while length < len(who):
        active = acting(table)
        if active == 0:
            break
        if active & CHANCE:
            seat = NOBODY
            move = chance_move(table, moves, weights, stream)
        else:
            seat = random_seat(active, stream)
            move = random_move(table, seat, moves, stream)
        play(table, seat, move)
        who[length] = seat
        what[length] = move
        length += 1
    return length


@compiled
def random_seat(seats: int, stream: Stream) -> int:
    """Draw one seat of a set."""
    if seats & (seats - 1) == 0:
        return lowest(seats)
    size = 0
    for seat in range(MOST_SEATS):
        size += (seats >> seat) & 1
    rest = below(stream, size)
    for seat in range(MOST_SEATS):
        if (seats >> seat) & 1:
            if rest == 0:
                return seat
            rest -= 1
    return NOBODY


@compiled
def seed_streams(streams: npt.NDArray[np.uint64], seed: np.uint64) -> None:
    """Start a stream of its own for each game of a batch."""
    for game in range(len(streams)):
        seeded(streams[game : game + 1], seed, np.uint64(game))


@compiled
def batch_step(start: Record, tables: Tables, moves: Moves, weights: Weights, streams: npt.NDArray[np.uint64]) -> int:
    """Play one decision in every game of the batch, chance before it; restart the finished ones and return how many."""
    ended = 0
    for game in range(len(tables)):
        table = tables[game]
        stream = streams[game : game + 1]
        while random_step(table, moves, weights, stream) == NOBODY:
            pass
        if acting(table) == 0:
            tables[game] = start
            ended += 1
    return ended


@compiled
def perft(tables: Tables, depth: int, moves: Moves, weights: Weights, left: npt.NDArray[np.int64]) -> int:
    """Count the distinct lines of that many moves from tables[0]; chance's moves count like any other.

    Where several seats must act, the lowest one is next: their order makes no difference. `tables`, `moves` and
    `left` have a row for each level.
    """
    lines = 0
    level = 0
    left[0] = fill(tables[0], moves[0], weights)
    while level >= 0:
        if level == depth or left[level] == 0:
            lines += level == depth
            level -= 1
            continue
        left[level] -= 1
        tables[level + 1] = tables[level]
        child = tables[level + 1]
        who = acting(child)
        play(child, NOBODY if who & CHANCE else lowest(who), moves[level, left[level]])
        level += 1
        left[level] = fill(child, moves[level], weights) if level < depth else 0
    return lines


@compiled
def fill(table: Record, moves: Moves, weights: Weights) -> int:
    """List what can happen next, whoever is next."""
    who = acting(table)
    if who == 0:
        return 0
    if who & CHANCE:
        return odds(table, moves, weights)
    return legal(table, lowest(who), moves)
