"""Zobrist hashing and a transposition table, compiled.

A table's key is the exclusive or of one random word for each thing on it, so a move changes only a few words. The
transposition table remembers under each key what a search has found: a worth, how far it was read, whether it is a
bound, and the best move. A newer entry replaces an older one.
"""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import EMPTY, lowest, whole, without_lowest
from smalti.engine.compiled import compiled
from smalti.games.patterns.tables import Table

Keys = npt.NDArray[np.uint64]
TranspositionTable = npt.NDArray[np.uint64]  # by slot: a key, and what is known about its table as one number

UPPER_BOUND, LOWER_BOUND, EXACT = 1, 2, 3  # how the worth of an entry is meant
TO_THE_END = 255  # as a depth: the ending is proved, nothing behind it was estimated


def random_words(count: int) -> Keys:
    """Return words that have nothing to do with each other, the same ones every time."""
    luck = Random(52)
    return np.array([luck.getrandbits(64) for _ in range(count)], np.uint64)


WORDS = random_words(6 * 64 + 2 * 6 * 64 + 2 * 6 + 2 * 6 * 7 + 1)
FRONT_WORDS = WORDS[:384].reshape(6, 64)
GROUP_WORDS = WORDS[384:1152].reshape(2, 6, 64)
BOWL_WORDS = WORDS[1152:1164].reshape(2, 6)
MARKER_WORDS = WORDS[1164:1248].reshape(2, 6, 7)
TURN_WORD = WORDS[1248]


@compiled
def key_of_cells(cells: np.uint64, words: Keys) -> np.uint64:
    """Return the key of a set of cells."""
    key = EMPTY
    while cells != EMPTY:
        key ^= words[lowest(cells)]
        cells = without_lowest(cells)
    return key


@compiled
def zobrist_key(table: Table) -> np.uint64:
    """Return the key of a table: of all that matters for what is to come."""
    key = TURN_WORD if table.turn == 1 else EMPTY
    for colour in range(6):
        key ^= key_of_cells(table.front[colour], FRONT_WORDS[colour])
    for seat in range(2):
        key ^= BOWL_WORDS[seat, table.bowls[seat]]
        for colour in range(6):
            key ^= key_of_cells(table.groups[seat, colour], GROUP_WORDS[seat, colour])
            key ^= MARKER_WORDS[seat, colour, table.markers[seat, colour]]
    return key


@compiled
def probe(transpositions: TranspositionTable, key: np.uint64) -> int:
    """Return the entry of a key, 0 if there is none."""
    slot = whole(key & np.uint64(len(transpositions) - 1))
    return whole(transpositions[slot, 1]) if transpositions[slot, 0] == key else 0


@compiled
def store(transpositions: TranspositionTable, key: np.uint64, entry: int) -> None:
    """Store an entry; it takes the place of another one."""
    slot = whole(key & np.uint64(len(transpositions) - 1))
    transpositions[slot, 0] = key
    transpositions[slot, 1] = np.uint64(entry)


@compiled
def new_entry(worth: int, depth: int, bound: int, move: int) -> int:
    """Return an entry as one number."""
    return ((worth + (1 << 20)) << 20) | (depth << 12) | (bound << 10) | (move + 1)


@compiled
def entry_worth(entry: int) -> int:
    """Return the worth."""
    return (entry >> 20) - (1 << 20)


@compiled
def entry_depth(entry: int) -> int:
    """Return how far was read."""
    return (entry >> 12) & 255


@compiled
def entry_bound(entry: int) -> int:
    """Return how the worth is meant."""
    return (entry >> 10) & 3


@compiled
def entry_move(entry: int) -> int:
    """Return the best move, −1 of no entry."""
    return (entry & 1023) - 1
