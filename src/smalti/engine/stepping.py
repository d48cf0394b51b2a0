"""Loops that environments are made of, written once and compiled for each game: look, take a turn, step a batch.

A seat is played from outside or by the house, and chance always by the house, with the game's own stream. `Desk` is
what the loops need besides the tables; a game of its own has a desk, and so has a batch of games.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import count, lowest
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.game import Game
from smalti.engine.planes import Planes
from smalti.engine.playing import Lists, Tables, chance_move, greedy_move, random_move
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
Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int32]
Actions = npt.NDArray[np.int64]

# Who plays a seat.
OUTSIDE, RANDOM, GREEDY = range(3)

# What becomes of a turn, where it is not a seat's number: the game is over, was cut off, or the move is illegal.
OVER, CUT, ILLEGAL = -1, -2, -3

# What a game's end is worth.
OUTCOME, MARGIN, POINTS = range(3)


class Desk(NamedTuple):
    """Who plays each seat, after how many decisions a game is cut off, and room for the loops to work in."""

    players: npt.NDArray[np.int8]  # by seat
    limit: Counts  # one number
    scratch: Tables  # two tables
    lists: Lists  # two lists of moves
    weights: Weights
    scores: Scores  # by seat


def desk(game: Game, seats: int, limit: int, players: list[int] | None = None) -> Desk:
    """Lay out a desk; without players every seat is played from outside."""
    return Desk(
        players=np.array(players or [OUTSIDE] * seats, np.int8),
        limit=np.array([limit], np.int32),
        scratch=game.table.batch(2),
        lists=np.array([game.buffers()[0] for _ in range(2)]),
        weights=game.buffers()[1],
        scores=np.zeros(seats, np.int32),
    )


# --- Looking


@compiled
def write_mask(moves: Moves, count: int, mask: Mask) -> None:
    """Write 1 for each of these moves, 0 for all others."""
    mask[:] = 0
    for index in range(count):
        mask[moves[index]] = 1


@compiled
def see(table: Record, seat: int, desk: Desk, planes: Planes) -> None:
    """Write what a seat may see."""
    desk.scratch[0] = table
    hide(desk.scratch[0], seat)
    observe(desk.scratch[0], seat, planes)


@compiled
def list_moves(table: Record, seat: int, moves: Moves) -> int:
    """List what a seat may do, which is nothing unless it must act; return how many moves that are."""
    return legal(table, seat, moves) if (acting(table) >> seat) & 1 else 0


@compiled
def look(tables: Tables, seat: int, desk: Desk, planes: Planes, mask: Mask) -> None:
    """Write what a seat sees of tables[0], and what it may do."""
    see(tables[0], seat, desk, planes)
    write_mask(desk.lists[0], list_moves(tables[0], seat, desk.lists[0]), mask)


# --- Taking turns


@apart
def house_move(table: Record, seat: int, desk: Desk, stream: Stream) -> int:
    """Return what the house does in a seat's place."""
    if desk.players[seat] == GREEDY:
        return greedy_move(table, seat, desk.scratch, desk.lists, desk.scores, stream)
    return random_move(table, seat, desk.lists[0], stream)


@apart
def go_on(table: Record, desk: Desk, stream: Stream, age: Counts) -> int:
    """Let chance and the house play until a seat must be played from outside; return it, or how the game ended."""
    while True:
        who = acting(table)
        if who == 0:
            return OVER
        if who & CHANCE:
            seat = NOBODY
            move = chance_move(table, desk.lists[0], desk.weights, stream)
        else:
            seat = lowest(who)
            if age[0] >= desk.limit[0]:
                return CUT
            if desk.players[seat] == OUTSIDE:
                return seat
            move = house_move(table, seat, desk, stream)
            age[0] += 1
        play(table, seat, move)


@compiled
def begin(tables: Tables, start: Record, desk: Desk, stream: Stream, age: Counts) -> int:
    """Start a game anew on tables[0]; return the seat that is next."""
    tables[0] = start
    age[0] = 0
    return go_on(tables[0], desk, stream, age)


@compiled
def turn(tables: Tables, seat: int, move: int, desk: Desk, stream: Stream, age: Counts) -> int:
    """Play a seat's move on tables[0] and go on; return the seat that is next, or what became of the turn."""
    table = tables[0]
    if not has(desk.lists[0], list_moves(table, seat, desk.lists[0]), move):
        return ILLEGAL
    play(table, seat, move)
    age[0] += 1
    return go_on(table, desk, stream, age)


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


# --- Many games at once


class Lanes(NamedTuple):
    """The games of a batch: a table, a stream, an age each, the seat that is next, and what it may do."""

    tables: Tables
    streams: npt.NDArray[np.uint64]
    ages: Counts
    seats: npt.NDArray[np.int8]
    lists: Lists
    counts: Counts


class Batch(NamedTuple):
    """What a step of many games writes, by game, into arrays of the caller."""

    observation: npt.NDArray[np.int8]  # of the seat that is next; flat
    action_mask: npt.NDArray[np.int8]
    seat: npt.NDArray[np.int8]  # that is next
    reward: Rewards  # of the seat that acted
    rewards: Rewards  # by game and seat
    terminated: Flags
    truncated: Flags
    illegal: Flags  # ended by an illegal move
    final: npt.NDArray[np.int8]  # of games that ended: the last observation of the seat that acted; flat


@apart
def look_all(lanes: Lanes, desk: Desk, batch: Batch) -> None:
    """Write which seat of every game is next, what it sees and what it may do."""
    for game in range(len(lanes.tables)):
        table, seat = lanes.tables[game], lanes.seats[game]
        lanes.counts[game] = list_moves(table, seat, lanes.lists[game])
        write_mask(lanes.lists[game], lanes.counts[game], batch.action_mask[game])
        see(table, seat, desk, batch.observation[game])
        batch.seat[game] = seat


@apart
def begin_all(start: Record, lanes: Lanes, chosen: Flags, desk: Desk) -> None:
    """Start the chosen games anew."""
    for game in range(len(lanes.tables)):
        if chosen[game]:
            one, stream, age = slices(lanes, game)
            lanes.seats[game] = begin(one, start, desk, stream, age)


@compiled
def slices(lanes: Lanes, game: int) -> tuple[Tables, Stream, Counts]:
    """Return one game's table, stream and age as arrays of one."""
    return lanes.tables[game : game + 1], lanes.streams[game : game + 1], lanes.ages[game : game + 1]


@apart
def act_all(lanes: Lanes, actions: Actions, desk: Desk, batch: Batch) -> None:
    """Play one move in every game, and note which games end by it and how."""
    for game in range(len(lanes.tables)):
        one, stream, age = slices(lanes, game)
        then = ILLEGAL
        if has(lanes.lists[game], lanes.counts[game], actions[game]):
            play(one[0], lanes.seats[game], actions[game])
            age[0] += 1
            then = go_on(one[0], desk, stream, age)
        batch.terminated[game] = then in (OVER, ILLEGAL)
        batch.truncated[game] = then == CUT
        batch.illegal[game] = then == ILLEGAL
        batch.rewards[game] = 0
        batch.reward[game] = 0
        if then >= 0:
            lanes.seats[game] = then


@apart
def end_all(start: Record, lanes: Lanes, kind: int, penalty: float, desk: Desk, batch: Batch) -> None:
    """Reward the games that have ended, keep what was seen last, and start them anew."""
    for game in range(len(lanes.tables)):
        if batch.terminated[game] or batch.truncated[game]:
            one, stream, age = slices(lanes, game)
            seat, rewards = lanes.seats[game], batch.rewards[game]
            if batch.illegal[game]:
                rewards[seat] = penalty
            else:
                write_rewards(one, kind, desk.scores, rewards)
            batch.reward[game] = rewards[seat]
            see(one[0], seat, desk, batch.final[game])
            lanes.seats[game] = begin(one, start, desk, stream, age)


@compiled
def step_all(
    start: Record, lanes: Lanes, actions: Actions, kind: int, penalty: float, desk: Desk, batch: Batch
) -> None:
    """Play one move in every game, start those anew that end by it, and look at all of them."""
    act_all(lanes, actions, desk, batch)
    end_all(start, lanes, kind, penalty, desk, batch)
    look_all(lanes, desk, batch)


@compiled
def random_all(lanes: Lanes, streams: npt.NDArray[np.uint64], actions: Actions) -> None:
    """Draw one of the legal moves of every game, each equally likely."""
    for game in range(len(lanes.tables)):
        actions[game] = lanes.lists[game, below(streams[game : game + 1], lanes.counts[game])]
