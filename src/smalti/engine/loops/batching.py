"""Many games stepped together, compiled for each game: `Lanes` are the games, a `Batch` is what a step writes.

A step is `act_all`, `end_all`, `observe_all`. They take lanes, buffers and batch as plain tuples: see `stepping`. One
function that calls all three would be a little faster and take as long to compile as all of them together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.engine.chance import Stream, below
from smalti.engine.compiled import compiled
from smalti.engine.loops.playing import Lists, Tables
from smalti.engine.loops.stepping import (
    ILLEGAL,
    OVER,
    Counts,
    Parts,
    Rewards,
    StepBuffers,
    has,
    list_moves,
    play_on,
    start_game,
    write_mask,
    write_observation,
    write_rewards,
)
from smalti.engine.rules import play

Flags = npt.NDArray[np.bool_]
Actions = npt.NDArray[np.int64]


class Lanes(NamedTuple):
    """The games of a batch: a table and a stream each, the seat that is next, and what it may do."""

    tables: Tables
    streams: npt.NDArray[np.uint64]
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
    illegal: Flags  # ended by an illegal move
    final: npt.NDArray[np.int8]  # of games that ended: the last observation of the seat that acted; flat


@compiled
def observe_all(games: Parts, parts: Parts, output: Parts) -> None:
    """Write which seat of every game is next, what it sees and what it may do."""
    lanes, buffers, batch = Lanes(*games), StepBuffers(*parts), Batch(*output)
    for game in range(len(lanes.tables)):
        table, seat = lanes.tables[game], lanes.seats[game]
        lanes.counts[game] = list_moves(table, seat, lanes.lists[game])
        write_mask(lanes.lists[game], lanes.counts[game], batch.action_mask[game])
        write_observation(table, seat, buffers, batch.observation[game])
        batch.seat[game] = seat


@compiled
def start_all(start: Tables, games: Parts, parts: Parts) -> None:
    """Start all games anew."""
    lanes = Lanes(*games)
    for game in range(len(lanes.tables)):
        one, stream = slices(lanes, game)
        lanes.seats[game] = start_game(one, start, parts, stream)


@compiled
def slices(lanes: Lanes, game: int) -> tuple[Tables, Stream]:
    """Return one game's table and stream as arrays of one."""
    return lanes.tables[game : game + 1], lanes.streams[game : game + 1]


@compiled
def act_all(games: Parts, actions: Actions, parts: Parts, output: Parts) -> None:
    """Play one move in every game, and note which games end by it and how."""
    lanes, buffers, batch = Lanes(*games), StepBuffers(*parts), Batch(*output)
    for game in range(len(lanes.tables)):
        one, stream = slices(lanes, game)
        then = ILLEGAL
        if has(lanes.lists[game], lanes.counts[game], actions[game]):
            play(one[0], lanes.seats[game], actions[game])
            then = play_on(one[0], buffers, stream)
        batch.terminated[game] = then in (OVER, ILLEGAL)
        batch.illegal[game] = then == ILLEGAL
        batch.rewards[game] = 0
        batch.reward[game] = 0
        if then >= 0:
            lanes.seats[game] = then


@compiled
def end_all(start: Tables, games: Parts, kind: int, penalty: float, parts: Parts, output: Parts) -> None:
    """Reward the games that have ended, keep what was seen last, and start them anew."""
    lanes, buffers, batch = Lanes(*games), StepBuffers(*parts), Batch(*output)
    for game in range(len(lanes.tables)):
        if batch.terminated[game]:
            one, stream = slices(lanes, game)
            seat, rewards = lanes.seats[game], batch.rewards[game]
            if batch.illegal[game]:
                rewards[seat] = penalty
            else:
                write_rewards(one, kind, buffers.scores, rewards)
            batch.reward[game] = rewards[seat]
            write_observation(one[0], seat, buffers, batch.final[game])
            lanes.seats[game] = start_game(one, start, parts, stream)


@compiled
def sample_all(lists: Lists, counts: Counts, streams: npt.NDArray[np.uint64], actions: Actions) -> None:
    """Draw one of the listed moves of every game, each equally likely."""
    for game in range(len(counts)):
        actions[game] = lists[game, below(streams[game : game + 1], counts[game])]
