"""The stack of the search, compiled: the tables on the way down with their keys and reach, and the frames of `pvs`."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.patterns.evaluate.evaluation import SmallWeights, final_worth, static_worth
from smalti.bots.patterns.evaluate.features import FEATURES, Indices, Reach, note_reach, update_reach
from smalti.bots.patterns.search.transpositions import (
    BOWL_WORDS,
    FRONT_WORDS,
    GROUP_WORDS,
    MARKER_WORDS,
    TURN_WORD,
    Keys,
    TranspositionTable,
    zobrist_key,
)
from smalti.engine.bits import whole
from smalti.engine.compiled import compiled
from smalti.engine.loops.playing import Lists, Tables
from smalti.engine.record import Record
from smalti.engine.rules import Moves, play
from smalti.games.patterns.rules import colour_at, flip_targets, list_targets, open_targets, swap_targets
from smalti.games.patterns.tables import CELL_OF_SPACE, FLIP, OPEN, PLAYING, SPACES, SWAP, Table

LEVELS = SPACES + 4
LONGEST_LIST = 2 * SPACES + 8

Number = Annotated[int, np.int64]
Numbers = npt.NDArray[np.int64]


class Frame(Record):
    """One level of the search: the window, what has been found, and what is under way."""

    low: Number  # alpha, which rises with what is found
    high: Number  # beta
    first_low: Number  # alpha when the frame was opened
    best: Number
    best_move: Number
    depth: Number  # plies to search
    found: Number  # moves
    tried: Number
    in_order: Number  # moves whose order is final
    is_estimated: Number  # whether anything below was not read to the end of the game
    state: Number


class Progress(Record):
    """How far a search has come, so that it can be interrupted and go on."""

    level: Number
    nodes: Number  # tables looked at


class Pruning(NamedTuple):
    """How closely late moves are searched: a trade of certainty for depth."""

    late: int  # moves searched fully before the others are reduced by a ply
    very_late: int  # moves after which the others are reduced by two
    futile_depth: int  # plies from the last one up to which moves are given up that promise too little
    futile_margin: int  # how much that is for each ply


class SearchStack(NamedTuple):
    """Buffers by level; the table at the root is level 0."""

    tables: Tables
    reach: Reach
    keys: Keys
    moves: Lists
    worths: Numbers
    frames: npt.NDArray[Any]
    transpositions: TranspositionTable
    indices: Indices
    weights: SmallWeights
    progress: npt.NDArray[Any]  # one
    pruning: Pruning


def new_stack(weights: SmallWeights, slots: int, pruning: Pruning) -> SearchStack:
    """Return a stack whose transposition table has that many slots, a power of two."""
    return SearchStack(
        Table.batch(LEVELS),
        np.zeros((LEVELS, 2, 6), np.uint64),
        np.zeros(LEVELS, np.uint64),
        np.zeros((LEVELS, LONGEST_LIST), np.int32),
        np.zeros((LEVELS, LONGEST_LIST), np.int64),
        Frame.batch(LEVELS),
        np.zeros((slots, 2), np.uint64),
        np.zeros(FEATURES, np.int32),
        weights,
        Progress.batch(1),
        pruning,
    )


@compiled
def set_root(stack: SearchStack) -> None:
    """Work out key and reach of the table at level 0."""
    stack.keys[0] = zobrist_key(stack.tables[0])
    note_reach(stack.tables[0], stack.reach[0])


@compiled
def make_move(stack: SearchStack, level: int, move: int) -> None:
    """Play a move of one level, and leave the table, its key and its reach on the next."""
    stack.tables[level + 1] = stack.tables[level]
    table = stack.tables[level + 1]
    seat, cell = whole(table.turn), CELL_OF_SPACE[move % SPACES]
    colour, bowl = colour_at(table, cell), whole(table.bowls[seat])
    play(table, seat, move)
    copy_reach(stack, level)
    update_reach(table, stack.reach[level + 1], colour)
    key = stack.keys[level] ^ TURN_WORD ^ FRONT_WORDS[colour, cell]
    if FLIP <= move < SWAP:
        stack.keys[level + 1] = key ^ GROUP_WORDS[seat, colour, cell]
        return
    if bowl != colour:
        update_reach(table, stack.reach[level + 1], bowl)
    key ^= GROUP_WORDS[seat, bowl, cell] ^ BOWL_WORDS[seat, bowl] ^ BOWL_WORDS[seat, colour]
    if move < FLIP:
        key ^= MARKER_WORDS[seat, bowl, 0] ^ MARKER_WORDS[seat, bowl, table.opened[seat]]
    stack.keys[level + 1] = key


@compiled
def copy_reach(stack: SearchStack, level: int) -> None:
    """Copy the reach of one level to the next."""
    for seat in range(2):
        for colour in range(6):
            stack.reach[level + 1, seat, colour] = stack.reach[level, seat, colour]


@compiled
def list_moves(table: Table, moves: Moves) -> int:
    """List the actions of the seat to move, without swaps that are flips. (PT-4 to PT-6, PT-9)"""
    seat = whole(table.turn)
    found = list_targets(flip_targets(table, seat), FLIP, moves, 0)
    found = list_targets(swap_targets(table, seat) & ~table.front[table.bowls[seat]], SWAP, moves, found)
    return list_targets(open_targets(table, seat), OPEN, moves, found)


@compiled
def child_worth(stack: SearchStack, level: int) -> int:
    """Return what the table one level down seems to be worth to the seat that has just acted."""
    seat, child, reach = whole(stack.tables[level].turn), stack.tables[level + 1], stack.reach[level + 1]
    if child.phase == PLAYING:
        return -static_worth(child, 1 - seat, reach, stack.indices, stack.weights)
    return final_worth(child, seat, reach)
