"""Patterns against itself, compiled: games of one move ahead, and what their ends teach about what came before.

Worths are in points, as the seat to move sees them: the lead at the end, and eight points more for winning.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.patterns.features import (
    FEATURES,
    OF_A_SEAT,
    WEIGHTS,
    Indices,
    Reach,
    last_flips,
    note_reach,
    points_lead,
    update_reach,
    write_features,
)
from smalti.bots.patterns.reading import worth
from smalti.engine.bits import whole
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.playing import Lists, Tables, chance_move
from smalti.engine.rules import NOBODY, Weights, legal, play
from smalti.games.patterns.rules import colour_at
from smalti.games.patterns.tables import CELL_OF_SPACE, DEALING, FLIPPING, GIVING, PLAYING, SPACES, SWAP, Table

WIN = 8  # points that winning is worth beside the lead
LONGEST = SPACES
TRACE = 0.7  # how much of a later surprise an earlier table takes over
MOST_EXPLORING = 30  # per cent of random moves, in half of the games
THOUSAND = 1000
STEPS = 256  # of a point, in the weights that are shipped

Floats = npt.NDArray[np.float32]


class Memory(NamedTuple):
    """What is learned: weights, and for each the sum of its errors and of their sizes, which set its pace."""

    weights: Floats
    drifts: Floats
    sizes: Floats


class Desk(NamedTuple):
    """Room to play a game: tables, lists of moves, and notes of every ply."""

    tables: Tables  # now, tried, the best of those tried, the start
    reach: Reach  # of the same
    lists: Lists
    weights: Weights
    indices: Indices  # by ply; the last one is for those tried
    leads: Floats  # by ply
    values: Floats  # by ply: what the best move was worth
    settled: npt.NDArray[np.bool_]  # by ply: whether that is all there is to learn


def new_memory() -> Memory:
    """Return the memory of somebody who knows nothing."""
    return Memory(*(np.zeros(WEIGHTS, np.float32) for _ in range(3)))


def new_desk(longest_list: int) -> Desk:
    """Return an empty desk."""
    return Desk(
        Table.batch(4),
        np.zeros((4, 2, 6), np.uint64),
        np.zeros((2, longest_list), np.int32),
        np.zeros(longest_list, np.int32),
        np.zeros((LONGEST + 1, FEATURES), np.int32),
        np.zeros(LONGEST + 1, np.float32),
        np.zeros(LONGEST + 1, np.float32),
        np.zeros(LONGEST + 1, np.bool_),
    )


@compiled
def promised(weights: Floats, indices: Indices) -> float:
    """Return what the seat to move may hope for beyond its lead."""
    total = np.float32(0.0)
    for place in range(OF_A_SEAT):
        total += weights[indices[place]] - weights[indices[OF_A_SEAT + place]]
    for place in range(2 * OF_A_SEAT, FEATURES):
        total += weights[indices[place]]
    return float(total)


@compiled
def with_win(lead: int) -> float:
    """Return what a final lead is worth."""
    return float(lead + WIN if lead > 0 else lead - WIN if lead < 0 else 0)


@compiled
def worth_after(table: Table, seat: int, reach: Reach, indices: Indices, weights: Floats) -> float:
    """Return what a table is worth to the seat that has just acted."""
    if table.phase == PLAYING:
        write_features(table, 1 - seat, reach, indices)
        return points_lead(table, seat) - promised(weights, indices)
    lead = points_lead(table, seat)
    if table.phase == FLIPPING:
        lead += last_flips(table, seat, reach)
    return with_win(lead)


@compiled
def is_flip_again(table: Table, seat: int, move: int) -> bool:
    """Say whether a move swaps a tile for one of its own colour, which is the same as flipping it. (PT-9)"""
    return move >= SWAP and colour_at(table, CELL_OF_SPACE[move - SWAP]) == table.bowls[seat]


@compiled
def play_noting(table: Table, reach: Reach, seat: int, move: int) -> None:
    """Play an action and note what has changed within reach."""
    found = colour_at(table, CELL_OF_SPACE[move % SPACES])
    bowl = whole(table.bowls[seat])
    play(table, seat, move)
    update_reach(table, reach, found)
    if bowl != found:
        update_reach(table, reach, bowl)


@compiled
def copy_place(desk: Desk, target: int, source: int) -> None:
    """Copy a table and what is within reach on it."""
    desk.tables[target] = desk.tables[source]
    for seat in range(2):
        for colour in range(6):
            desk.reach[target, seat, colour] = desk.reach[source, seat, colour]


@compiled
def try_all(desk: Desk, weights: Floats, found: int) -> float:
    """Try all moves that are listed for the table, leave the best one's result in place 2 and return its worth."""
    seat = whole(desk.tables[0].turn)
    best = -1e9
    for index in range(found):
        move = desk.lists[0, index]
        if is_flip_again(desk.tables[0], seat, move):
            continue
        copy_place(desk, 1, 0)
        play_noting(desk.tables[1], desk.reach[1], seat, move)
        value = worth_after(desk.tables[1], seat, desk.reach[1], desk.indices[LONGEST], weights)
        if value > best:
            best = value
            copy_place(desk, 2, 1)
    return best


@compiled
def set_up_game(start: Table, desk: Desk, stream: Stream) -> None:
    """Deal a mandala, and give the start tiles at random."""
    desk.tables[0] = start
    table = desk.tables[0]
    while table.phase == DEALING:
        play(table, NOBODY, chance_move(table, desk.lists[0], desk.weights, stream))
    if table.phase == GIVING:
        play(table, 1, desk.lists[0, below(stream, legal(table, 1, desk.lists[0]))])
    note_reach(table, desk.reach[0])


@compiled
def play_out(desk: Desk, weights: Floats, exploring: int, stream: Stream) -> int:
    """Play a game from place 0, with that many random moves in a thousand; note all plies and return how many."""
    ply = 0
    while desk.tables[0].phase == PLAYING:
        seat = whole(desk.tables[0].turn)
        write_features(desk.tables[0], seat, desk.reach[0], desk.indices[ply])
        desk.leads[ply] = points_lead(desk.tables[0], seat)
        found = legal(desk.tables[0], seat, desk.lists[0])
        desk.values[ply] = try_all(desk, weights, found)
        desk.settled[ply] = below(stream, THOUSAND) < exploring
        if desk.settled[ply]:
            play_noting(desk.tables[0], desk.reach[0], seat, desk.lists[0, below(stream, found)])
        else:
            copy_place(desk, 0, 2)
        ply += 1
    return ply


@compiled
def adjust(memory: Memory, index: int, error: float) -> None:
    """Move one weight towards what was found; the more its errors contradict each other, the less."""
    weights, drifts, sizes = memory
    size = sizes[index]
    pace = abs(drifts[index]) / size if size > 0 else np.float32(1.0)
    weights[index] += pace * error / FEATURES
    drifts[index] += error
    sizes[index] = size + abs(error)


@compiled
def learn_backwards(desk: Desk, memory: Memory, plies: int) -> None:
    """Go back from the end, and bring every table closer to what its best move was worth and to what became of it.

    What came after a random move says nothing about the table before it.
    """
    target = desk.values[plies - 1]
    for ply in range(plies - 1, -1, -1):
        target = -np.float32(TRACE) * target + np.float32(1 - TRACE) * desk.values[ply]
        if desk.settled[ply] or ply == plies - 1:
            target = desk.values[ply]
        indices = desk.indices[ply]
        error = target - desk.leads[ply] - promised(memory.weights, indices)
        for place in range(FEATURES):
            is_other = OF_A_SEAT <= place < 2 * OF_A_SEAT
            adjust(memory, indices[place], -error if is_other else error)


@apart
def learn_games(start: Table, desk: Desk, memory: Memory, games: int, stream: Stream) -> int:
    """Play games and learn from each; return how many plies there were."""
    plies = 0
    for _ in range(games):
        set_up_game(start, desk, stream)
        exploring = below(stream, 10 * MOST_EXPLORING) if below(stream, 2) == 0 else 0
        length = play_out(desk, memory.weights, exploring, stream)
        learn_backwards(desk, memory, length)
        plies += length
    return plies


@compiled
def try_all_by_hand(desk: Desk, found: int) -> None:
    """Leave in place 2 what the hand-made judgement likes best."""
    seat = whole(desk.tables[0].turn)
    best = -(1 << 40)
    for index in range(found):
        copy_place(desk, 1, 0)
        play_noting(desk.tables[1], desk.reach[1], seat, desk.lists[0, index])
        value = worth(desk.tables[1], seat)
        if value > best:
            best = value
            copy_place(desk, 2, 1)


@apart
def beaten_by_hand(start: Table, desk: Desk, weights: Floats, pairs: int, stream: Stream) -> int:
    """Play mandalas twice, from either seat, against the hand-made judgement; return twice the wins, ties once."""
    points = 0
    for game in range(2 * pairs):
        if game % 2 == 0:
            set_up_game(start, desk, stream)
            copy_place(desk, 3, 0)
        copy_place(desk, 0, 3)
        learned = game % 2
        while desk.tables[0].phase == PLAYING:
            found = legal(desk.tables[0], whole(desk.tables[0].turn), desk.lists[0])
            if whole(desk.tables[0].turn) == learned:
                try_all(desk, weights, found)
            else:
                try_all_by_hand(desk, found)
            copy_place(desk, 0, 2)
        lead = worth(desk.tables[0], learned)
        points += whole(lead > 0) + whole(lead >= 0)
    return points
