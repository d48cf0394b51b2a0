"""What is looked at on a board of Mozaika, and where each of these things stands among the weights.

A board with its hand is worth the sum of one weight for each of its features. The weights of one number of seats stand
in rows, one for each number of tiles that lie; within a row:

    structures   place, tiles and what they share, tiles in hand of that colour, symbol, both, and flies
    supply       the same tiles, and how common that colour and symbol are in the bag and on the board
    partitions   five symmetries, and two sets of three of them: tiles lying, wanted, in hand, scarce
    hopes        which of these can still be reached
    colours      how many tiles lie of the two most common colours, in hand and in the bag of the most common
    symbols      likewise
    hand         pairs, colours and symbols in hand
    coins        their number, as a first guess; then three ways to part it in threes, by how many the others have
    flies        their number
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt

from smalti.games.mozaika.tables import (
    CELLS,
    COINS_PER_POINT,
    IMAGES,
    MOST_COINS,
    SIDE,
    STRUCTURE_KEYS,
    STRUCTURES,
    SYMMETRY_POINTS,
)

VERSION = 3
Floats = npt.NDArray[np.float32]

MIXED = 9  # colour or symbol of a structure whose tiles differ
NONE = -1

# --- Structures

# The states of a structure: empty, one tile, and for two, three, four tiles: nothing in common, symbol, colour, both.
STATES = 14
FLY_COUNTS = 5
HELD = 4 * 4 * 2  # tiles in hand of its colour, of its symbol, and whether there is one of both
STRUCTURE_COUNT = len(STRUCTURES)
STRUCTURE_CELLS = [[cell for cell in range(CELLS) if cells >> cell & 1] for cells in STRUCTURES.tolist()]


MIDDLE = [5, 6, 9, 10]


def place(number: int) -> int:
    """Return which places a structure shares with its mirror images: they are valued alike."""
    kind, cells = STRUCTURE_KEYS[number].partition(".")[0], STRUCTURE_CELLS[number]
    corners = sum(cell in (0, SIDE - 1, CELLS - SIDE, CELLS - 1) for cell in cells)
    if kind == "square":
        return 5 if cells == MIDDLE else 3 if corners else 4
    return 2 if kind == "diagonal" else 0 if corners else 1


PLACES = 6
PLACE = np.array([place(number) for number in range(STRUCTURE_COUNT)], np.int64)
# By cell: the structures it is part of, NONE behind the last one.
MOST_THROUGH = 7
THROUGH = np.full((CELLS, MOST_THROUGH + 1), NONE, np.int64)
for _cell in range(CELLS):
    _numbers = [number for number in range(STRUCTURE_COUNT) if _cell in STRUCTURE_CELLS[number]]
    THROUGH[_cell, : len(_numbers)] = _numbers

# --- Partitions: a symmetry holds when every orbit of cells shows one pattern

LEFT_RIGHT, TOP_BOTTOM, FALLING, RISING, HALF_TURN = range(5)
GENERATORS = (
    (LEFT_RIGHT,),
    (TOP_BOTTOM,),
    (FALLING,),
    (RISING,),
    (HALF_TURN,),
    (LEFT_RIGHT, TOP_BOTTOM),
    (FALLING, RISING),
)
PARTITIONS = len(GENERATORS)
KINDS = (0, 0, 1, 1, 2, 3, 4)  # mirrors are valued alike, and so are diagonals
MOST_ORBITS = 10


def orbits(generators: tuple[int, ...]) -> list[list[int]]:
    """Return the sets of cells that these symmetries carry into each other, the larger first."""
    found: list[list[int]] = []
    for cell in range(CELLS):
        reached = {cell}
        for _ in range(2):
            reached |= {int(IMAGES[number, other]) for number in generators for other in reached}
        if min(reached) == cell:
            found.append(sorted(reached))
    return sorted(found, key=lambda orbit: -len(orbit))


ORBITS = [orbits(generators) for generators in GENERATORS]
ORBIT_OF = np.array(
    [[next(i for i, orbit in enumerate(each) if cell in orbit) for cell in range(CELLS)] for each in ORBITS], np.int64
)
ORBIT_SIZE = np.zeros((PARTITIONS, MOST_ORBITS), np.int64)
for _partition, _orbits in enumerate(ORBITS):
    ORBIT_SIZE[_partition, : len(_orbits)] = [len(orbit) for orbit in _orbits]

# How far a partition is filled is a code: the sum of what each orbit adds by its fill.
IS_SINGLE = tuple(len(generators) == 1 for generators in GENERATORS)
HALVES = 9


def digits(partition: int) -> list[list[int]]:
    """Return what each orbit adds to the code for each fill: half pairs and single cells, or digits of a number."""
    sizes = [len(orbit) for orbit in ORBITS[partition]]
    if IS_SINGLE[partition]:
        return [[0, 1, 0] if size == 2 else [0, HALVES] for size in sizes]
    found, unit = [], 1
    for size in sizes:
        found.append([unit * fill for fill in range(size + 1)])
        unit *= size + 1
    return found


def alike(partition: int, fills: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return what orbits of these fills have in common with the same ones in another order."""
    sizes = [len(orbit) for orbit in ORBITS[partition]]
    return tuple(sorted(zip(sizes, fills, strict=True)))


MOST_CODES = 81 * 25
DIGITS = [digits(partition) for partition in range(PARTITIONS)]
STEP = np.zeros((PARTITIONS, MOST_ORBITS, 5), np.int64)  # by partition, orbit and fill: the code with one tile more
for _partition, _digits in enumerate(DIGITS):
    for _orbit, _row in enumerate(_digits):
        STEP[_partition, _orbit, : len(_row) - 1] = np.diff(_row)

PATTERN = np.zeros((PARTITIONS, MOST_CODES), np.int64)  # by partition and code: where it stands among the patterns
_kind_starts = {0: 0, 1: HALVES, 2: HALVES + 5 * HALVES}
_next = 7 * HALVES
for _partition in range(PARTITIONS):
    if IS_SINGLE[_partition]:
        PATTERN[_partition, : 5 * HALVES] = _kind_starts[KINDS[_partition]] + np.arange(5 * HALVES)
        continue
    _known: dict[tuple[tuple[int, int], ...], int] = {}
    for _fills in product(*(range(len(row)) for row in DIGITS[_partition])):
        _code = sum(row[fill] for row, fill in zip(DIGITS[_partition], _fills, strict=True))
        _key = alike(_partition, _fills)
        PATTERN[_partition, _code] = _known.setdefault(_key, _next + len(_known))
    _next += len(_known)
PATTERNS = _next
MATCHES, SCARCITIES, TWINS = 4, 5, 2  # tiles in hand that are wanted; how hard the others are to get; a pair in hand
IN_PATTERN = MATCHES * SCARCITIES * TWINS

# --- Rows

EASES = 4  # how common a colour or symbol is in the bag
COLOUR_SHARES, SYMBOL_SHARES = 4, 3  # and on the board
PROFILES = 17 * 9 * 4 * EASES
RIVALS, RIVAL_STEP = 6, 2  # how many coins the others have on average, in steps of two
PARTED = 3  # coins are parted in threes beginning at 0, 1 and 2, so that neighbours are valued alike
PURSES = (MOST_COINS + PARTED - 1) // PARTED + 1

STRUCTURE = 0
SUPPLY = STRUCTURE + PLACES * STATES * HELD * FLY_COUNTS
PARTITION = SUPPLY + STATES * EASES * EASES * COLOUR_SHARES * SYMBOL_SHARES
HOPE = PARTITION + PATTERNS * IN_PATTERN
COLOUR = HOPE + (1 << PARTITIONS)
SYMBOL = COLOUR + PROFILES
HOLDING = SYMBOL + PROFILES
COIN = HOLDING + 3 * 3 * 3
PURSE = COIN + MOST_COINS + 1
FLIES = PURSE + PARTED * PURSES * RIVALS
ROW = FLIES + CELLS + 1
ROWS = CELLS
SIZE = ROWS * ROW
MOST_FEATURES = 64  # that a board can have at once

# --- Before anything is learned

LIKELY_COLOUR = (0.05, 0.17, 0.37, 0.6, 1.0)  # by tiles lying: that a structure becomes one of one colour
LIKELY_SYMBOL = (0.02, 0.045, 0.22, 0.5, 1.0)
FLY_COST = 0.25  # points, besides what it takes from structures that are begun
HOPEFUL = 0.75  # that a symmetry's missing tile is found: more than it is, so that symmetries are tried


def first_structures(lying: int) -> npt.NDArray[np.float64]:
    """Return what structures are worth before learning; exactly what they count when all tiles lie."""
    worths = np.zeros((PLACES, STATES, HELD, FLY_COUNTS))
    for state in range(STATES):
        tiles = min(state, 1) if state < 2 else 2 + (state - 2) // 4
        colour, symbol = (1, 1) if state < 2 else ((state - 2) % 4 // 2, (state - 2) % 2)
        likely = colour * LIKELY_COLOUR[tiles], symbol * LIKELY_SYMBOL[tiles]
        for flies in range(FLY_COUNTS):
            worths[:, state, :, flies] = max(0.0, 2 * sum(likely) - flies * max(likely))
    return worths if lying < CELLS else worths * (np.arange(STATES) >= STATES - 4)[None, :, None, None]


def first_symmetries(lying: int) -> npt.NDArray[np.float64]:
    """Return what symmetries are worth before learning."""
    worths = np.zeros((PATTERNS, MATCHES, SCARCITIES, TWINS))
    for partition in range(5):
        for code in range(5 * HALVES if KINDS[partition] == 1 else HALVES):
            halves, fixed = code % HALVES, code // HALVES
            pairs_left = (CELLS - lying - halves - (4 - fixed if KINDS[partition] == 1 else 0)) / 2
            if pairs_left >= 0:
                likely = HOPEFUL ** (max(0.0, halves - 1) + pairs_left) if lying < CELLS else float(halves == 0)
                worths[PATTERN[partition, code]] = SYMMETRY_POINTS[partition] * likely
    return worths


def first_row(lying: int) -> npt.NDArray[np.float64]:
    """Return a row before learning; the last one is what boards really score."""
    row = np.zeros(ROW)
    row[STRUCTURE:SUPPLY] = first_structures(lying).ravel()
    row[PARTITION:HOPE] = first_symmetries(lying).ravel()
    coins = np.arange(MOST_COINS + 1)
    row[COIN:PURSE] = coins // COINS_PER_POINT if lying == CELLS else coins * (0.2 + 0.15 * (CELLS - lying) / CELLS)
    if lying < CELLS:
        row[FLIES:] = -FLY_COST * np.arange(CELLS + 1)
    return row


def first_weights() -> Floats:
    """Return the weights before learning, for one number of seats."""
    return np.concatenate([first_row(lying) for lying in range(1, ROWS + 1)]).astype(np.float32)
