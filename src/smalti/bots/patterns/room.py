"""Room to read ahead in Patterns: the tables on the way down, and what is remembered of tables met before."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.patterns.features import (
    FEATURES,
    OF_A_SEAT,
    Indices,
    Reach,
    last_flips,
    note_reach,
    points_lead,
    update_reach,
    write_features,
)
from smalti.engine.bits import EMPTY, lowest, whole, without_lowest
from smalti.engine.compiled import compiled
from smalti.engine.playing import Lists, Tables
from smalti.engine.rules import Moves, play
from smalti.games.patterns.rules import (
    colour_at,
    flip_targets,
    list_targets,
    open_targets,
    swap_targets,
)
from smalti.games.patterns.tables import CELL_OF_SPACE, FLIP, FLIPPING, OPEN, PLAYING, SPACES, SWAP, Table

POINT = 16  # worths are in sixteenths of a point
WIN = 8 * POINT  # so that a narrow win is better than many points
STEPS_OF_A_WORTH = 16  # the weights are finer
LEVELS = SPACES + 4
LONGEST_LIST = 2 * SPACES + 8

Numbers = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint64]

# Of a table that is remembered: how its worth is meant.
AT_MOST, AT_LEAST, EXACTLY = 1, 2, 3
TO_THE_END = 255  # as a depth: nothing behind it was guessed


def random_words(*shape: int) -> Keys:
    """Return words that have nothing to do with each other, the same ones every time."""
    luck = Random(52)
    return np.array([luck.getrandbits(64) for _ in range(int(np.prod(shape)))], np.uint64).reshape(shape)


WORDS = random_words(6 * 64 + 2 * 6 * 64 + 2 * 6 + 2 * 6 * 7 + 1)
FRONT_WORDS = WORDS[:384].reshape(6, 64)
GROUP_WORDS = WORDS[384:1152].reshape(2, 6, 64)
BOWL_WORDS = WORDS[1152:1164].reshape(2, 6)
MARKER_WORDS = WORDS[1164:1248].reshape(2, 6, 7)
TURN_WORD = WORDS[1248]


class Room(NamedTuple):
    """Room to read ahead, by level: the table at hand is level 0."""

    tables: Tables
    reach: Reach
    keys: Keys
    moves: Lists
    worths: Numbers
    frames: Numbers
    slots: Keys  # what is remembered: key, and worth with depth and best move
    indices: Indices
    weights: npt.NDArray[np.int16]
    notes: Numbers  # level, tables looked at, and what was found
    habits: Numbers  # how closely late moves are looked at


def new_room(weights: npt.NDArray[np.int16], slots: int, fields: int, habits: Sequence[int]) -> Room:
    """Return room with that many slots, a power of two."""
    return Room(
        Table.batch(LEVELS),
        np.zeros((LEVELS, 2, 6), np.uint64),
        np.zeros(LEVELS, np.uint64),
        np.zeros((LEVELS, LONGEST_LIST), np.int32),
        np.zeros((LEVELS, LONGEST_LIST), np.int64),
        np.zeros((LEVELS, fields), np.int64),
        np.zeros((slots, 2), np.uint64),
        np.zeros(FEATURES, np.int32),
        weights,
        np.zeros(4, np.int64),
        np.array(habits, np.int64),
    )


@compiled
def words_of(cells: np.uint64, words: Keys) -> np.uint64:
    """Return the word of a set of cells."""
    key = EMPTY
    while cells != EMPTY:
        key ^= words[lowest(cells)]
        cells = without_lowest(cells)
    return key


@compiled
def key_of(table: Table) -> np.uint64:
    """Return a word that stands for a table: all that matters for what is to come."""
    key = TURN_WORD if table.turn == 1 else EMPTY
    for colour in range(6):
        key ^= words_of(table.front[colour], FRONT_WORDS[colour])
    for seat in range(2):
        key ^= BOWL_WORDS[seat, table.bowls[seat]]
        for colour in range(6):
            key ^= words_of(table.groups[seat, colour], GROUP_WORDS[seat, colour])
            key ^= MARKER_WORDS[seat, colour, table.markers[seat, colour]]
    return key


@compiled
def lay_out(room: Room) -> None:
    """Note key and reach of the table at level 0."""
    room.keys[0] = key_of(room.tables[0])
    note_reach(room.tables[0], room.reach[0])


@compiled
def step_down(room: Room, level: int, move: int) -> None:
    """Play a move of one level, and leave the table, its key and its reach on the next."""
    room.tables[level + 1] = room.tables[level]
    table = room.tables[level + 1]
    seat, cell = whole(table.turn), CELL_OF_SPACE[move % SPACES]
    found, bowl = colour_at(table, cell), whole(table.bowls[seat])
    play(table, seat, move)
    reach = room.reach[level + 1]
    for who in range(2):
        for colour in range(6):
            reach[who, colour] = room.reach[level, who, colour]
    update_reach(table, reach, found)
    key = room.keys[level] ^ TURN_WORD ^ FRONT_WORDS[found, cell]
    if FLIP <= move < SWAP:
        room.keys[level + 1] = key ^ GROUP_WORDS[seat, found, cell]
        return
    if bowl != found:
        update_reach(table, reach, bowl)
    key ^= GROUP_WORDS[seat, bowl, cell] ^ BOWL_WORDS[seat, bowl] ^ BOWL_WORDS[seat, found]
    if move < FLIP:
        key ^= MARKER_WORDS[seat, bowl, 0] ^ MARKER_WORDS[seat, bowl, table.opened[seat]]
    room.keys[level + 1] = key


@compiled
def list_moves(table: Table, moves: Moves) -> int:
    """List the actions of the seat to move, without swaps that are flips. (PT-4 to PT-6, PT-9)"""
    seat = whole(table.turn)
    found = list_targets(flip_targets(table, seat), FLIP, moves, 0)
    found = list_targets(swap_targets(table, seat) & ~table.front[table.bowls[seat]], SWAP, moves, found)
    return list_targets(open_targets(table, seat), OPEN, moves, found)


@compiled
def ended_worth(table: Table, seat: int, reach: Reach) -> int:
    """Return what the end is worth to a seat; who has still tiles to flip will flip them all. (PT-11)"""
    lead = points_lead(table, seat)
    if table.phase == FLIPPING:
        flipper = whole(table.turn)
        lead += last_flips(table, flipper, reach) * (1 if flipper == seat else -1)
    return POINT * lead + (WIN if lead > 0 else -WIN if lead < 0 else 0)


@compiled
def judged(table: Table, seat: int, reach: Reach, indices: Indices, weights: npt.NDArray[np.int16]) -> int:
    """Return what a table seems to be worth to the seat that is to move."""
    write_features(table, seat, reach, indices)
    total = 0
    for place in range(OF_A_SEAT):
        total += whole(weights[indices[place]]) - whole(weights[indices[OF_A_SEAT + place]])
    for place in range(2 * OF_A_SEAT, FEATURES):
        total += whole(weights[indices[place]])
    return POINT * points_lead(table, seat) + total // STEPS_OF_A_WORTH


@compiled
def worth_below(room: Room, level: int, seat: int) -> int:
    """Return what the table one level down seems to be worth to the seat that has just acted."""
    table = room.tables[level + 1]
    if table.phase == PLAYING:
        return -judged(table, 1 - seat, room.reach[level + 1], room.indices, room.weights)
    return ended_worth(table, seat, room.reach[level + 1])


@compiled
def recall(room: Room, key: np.uint64) -> int:
    """Return what is remembered of a table, 0 if nothing."""
    place = whole(key & np.uint64(len(room.slots) - 1))
    return whole(room.slots[place, 1]) if room.slots[place, 0] == key else 0


@compiled
def packed(worth: int, depth: int, bound: int, move: int) -> int:
    """Return what is remembered of a table as one number."""
    return ((worth + (1 << 20)) << 20) | (depth << 12) | (bound << 10) | (move + 1)


@compiled
def remember(room: Room, key: np.uint64, memory: int) -> None:
    """Remember a table; it takes the place of another one."""
    place = whole(key & np.uint64(len(room.slots) - 1))
    room.slots[place, 0] = key
    room.slots[place, 1] = np.uint64(memory)


@compiled
def depth_of(memory: int) -> int:
    """Return how far was read."""
    return (memory >> 12) & 255


@compiled
def bound_of(memory: int) -> int:
    """Return how the worth is meant."""
    return (memory >> 10) & 3


@compiled
def move_of(memory: int) -> int:
    """Return the best move, −1 if nothing is remembered."""
    return (memory & 1023) - 1


@compiled
def worth_of(memory: int) -> int:
    """Return the worth."""
    return (memory >> 20) - (1 << 20)
