"""Loops that environments are made of, written once and compiled for each game: observe, take a turn, reward.

A seat is played from outside or by the house, and chance always by the house, with the game's own stream.
`StepBuffers` is what the loops need besides the tables: one for a single game, one for a whole batch of games.

Functions called from Python take the buffers as a plain tuple, its `Parts`, and the start as a batch of one: passing
named tuples and records takes longer than a whole turn. Many games at once are in `batching`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import count, lowest
from smalti.engine.chance import Stream
from smalti.engine.compiled import apart, compiled
from smalti.engine.game import Game
from smalti.engine.loops.playing import Lists, Tables, chance_move, greedy_move, random_move
from smalti.engine.planes import Planes
from smalti.engine.record import Record
from smalti.engine.rules import (
    CHANCE,
    NOBODY,
    Moves,
    Scores,
    Weights,
    acting,
    hide,
    legal,
    observe,
    play,
    score,
    winners,
)

Mask = npt.NDArray[np.int8]
Rewards = npt.NDArray[np.float32]
Counts = npt.NDArray[np.int32]

# Who plays a seat.
OUTSIDE, RANDOM, GREEDY = range(3)

# What becomes of a turn, where it is not a seat's number: the game is over, or the move is illegal.
OVER, ILLEGAL = -1, -2

# What a game's end is worth.
OUTCOME, MARGIN, POINTS = range(3)


Parts = tuple[Any, ...]


class StepBuffers(NamedTuple):
    """Who plays each seat, and buffers for the loops to work in."""

    players: npt.NDArray[np.int8]  # by seat
    scratch: Tables  # two tables
    lists: Lists  # two lists of moves
    weights: Weights
    scores: Scores  # by seat


def step_buffers(game: Game, seats: int, players: list[int] | None = None) -> StepBuffers:
    """Return new buffers; without players every seat is played from outside."""
    return StepBuffers(
        players=np.array(players or [OUTSIDE] * seats, np.int8),
        scratch=game.table.batch(2),
        lists=np.array([game.buffers()[0] for _ in range(2)]),
        weights=game.buffers()[1],
        scores=np.zeros(seats, np.int32),
    )


# --- Observing


@compiled
def write_mask(moves: Moves, count: int, mask: Mask) -> None:
    """Write 1 for each of these moves, 0 for all others."""
    mask[:] = 0
    for index in range(count):
        mask[moves[index]] = 1


@compiled
def write_observation(table: Record, seat: int, buffers: StepBuffers, planes: Planes) -> None:
    """Write what a seat may see."""
    buffers.scratch[0] = table
    hide(buffers.scratch[0], seat)
    observe(buffers.scratch[0], seat, planes)


@compiled
def list_moves(table: Record, seat: int, moves: Moves) -> int:
    """List what a seat may do, which is nothing unless it must act; return how many moves that are."""
    return legal(table, seat, moves) if (acting(table) >> seat) & 1 else 0


@compiled
def observe_seat(tables: Tables, seat: int, parts: Parts, planes: Planes, mask: Mask) -> None:
    """Write what a seat sees of tables[0], and what it may do."""
    buffers = StepBuffers(*parts)
    write_observation(tables[0], seat, buffers, planes)
    write_mask(buffers.lists[0], list_moves(tables[0], seat, buffers.lists[0]), mask)


@compiled
def who_acts(tables: Tables) -> int:
    """Return who must act on tables[0]."""
    return acting(tables[0])


# --- Taking turns


@apart
def house_move(table: Record, seat: int, buffers: StepBuffers, stream: Stream) -> int:
    """Return what the house does in a seat's place."""
    if buffers.players[seat] == GREEDY:
        return greedy_move(table, seat, buffers.scratch, buffers.lists, buffers.scores, stream)
    return random_move(table, seat, buffers.lists[0], stream)


@apart
def play_on(table: Record, buffers: StepBuffers, stream: Stream) -> int:
    """Let chance and the house play until a seat must be played from outside; return it, or that the game is over."""
    while True:
        who = acting(table)
        if who == 0:
            return OVER
        if who & CHANCE:
            seat = NOBODY
            move = chance_move(table, buffers.lists[0], buffers.weights, stream)
        else:
            seat = lowest(who)
            if buffers.players[seat] == OUTSIDE:
                return seat
            move = house_move(table, seat, buffers, stream)
        play(table, seat, move)


@compiled
def start_game(tables: Tables, start: Tables, parts: Parts, stream: Stream) -> int:
    """Start a game anew on tables[0]; return the seat that is next."""
    tables[0] = start[0]
    return play_on(tables[0], StepBuffers(*parts), stream)


@compiled
def turn(tables: Tables, seat: int, move: int, parts: Parts, stream: Stream) -> int:
    """Play a seat's move on tables[0] and go on; return the seat that is next, or what became of the turn."""
    table, buffers = tables[0], StepBuffers(*parts)
    if not has(buffers.lists[0], list_moves(table, seat, buffers.lists[0]), move):
        return ILLEGAL
    play(table, seat, move)
    return play_on(table, buffers, stream)


@compiled
def has(moves: Moves, count: int, move: int) -> bool:
    """Say whether a move is among these, which ascend."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if moves[middle] < move:
            low = middle + 1
        else:
            high = middle
    return low < count and moves[low] == move


# --- What it was worth


@compiled
def reward(table: Record, seat: int, kind: int, scores: Scores) -> float:
    """Return what the game is worth to a seat; the scores are written already.

    OUTCOME is 1 for the only winner and adds up to 0, shared by those who share the win; alone it is 1 or −1.
    MARGIN is how many points the seat has more than the others on average, POINTS its points.
    """
    seats = len(scores)
    if kind == POINTS:
        return float(scores[seat])
    if kind == MARGIN:
        return scores[seat] - (scores.sum() - scores[seat]) / max(1, seats - 1)
    won = winners(table)
    if seats == 1:
        return 1.0 if won else -1.0
    share = ((won >> seat) & 1) / count(won)
    return (seats * share - 1) / (seats - 1)


@apart
def write_rewards(tables: Tables, kind: int, scores: Scores, rewards: Rewards) -> None:
    """Write what the game on tables[0] is worth to each seat, as the boards stand."""
    score(tables[0], scores)
    for seat in range(len(scores)):
        rewards[seat] = reward(tables[0], seat, kind, scores)
