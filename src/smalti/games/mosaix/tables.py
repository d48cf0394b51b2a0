"""Mosaix: symbols, formations, every way to place them, the numbering of moves, and the table.

A grid is a set of cells on an 8-wide board (bit 8·row + column), one set for each symbol.

Placements are counted on a wider board of 10×10 *anchors*: the place of the turned formation's top left corner,
three rows and columns further left and up than the grid at most, so that dice can hang over every edge.

       -3 ... -1 0 ......... 6          anchor = 10·(row + 3) + (column + 3)
    -3  . . . .  . . . . . . .
     :  . . . .  . . . . . . .          The 100 anchors are two words of 50 bits: rows −3 to 1,
     0  . . . .  G G G G G G G          and rows 2 to 6. The grid (G) lies in the lower right
     :  . . . .  G G G G G G G          corner, so a shift moves cells onto anchors and nothing
     6  . . . .  G G G G G G G          ever wraps round.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations, product
from typing import Annotated

import numpy as np

from smalti.engine.game import Length
from smalti.engine.geometry import cell_place
from smalti.engine.record import Byte, Bytes, Record, Words

SIDE = 7
SYMBOLS = "otx"
SYMBOL_COUNT = len(SYMBOLS)
BOXES = 8  # on the scale of the solo game (MX-11)
DICE = 4
AREA = 5  # cells from which on an area counts (MX-9)
WON, BRILLIANT = 120, 130  # in the solo game (MX-13)

SHAPES = {
    "I": ("####",),
    "O": ("##", "##"),
    "T": ("###", ".#."),
    "S": (".##", "##."),
    "Z": ("##.", ".##"),
    "L": ("..#", "###"),
    "J": ("#..", "###"),
}
FORMATIONS = "".join(SHAPES)
FORMATION_COUNT = len(FORMATIONS)

CARDS = {"centre": ("d4",), "scattered": ("c3", "c4", "e4", "e5")}
PRINTED_CELLS = ("d4", "c3", "c4", "e4", "e5")

ROLLS = tuple("".join(dice) for dice in combinations_with_replacement(SYMBOLS, DICE))
SEQUENCES = tuple("".join(dice) for dice in product(SYMBOLS, repeat=DICE))
SEQUENCE_COUNT = len(SEQUENCES)

ANCHOR_SIDE = 10
OVERHANG = 3
ANCHORS = ANCHOR_SIDE * ANCHOR_SIDE
HALF = ANCHORS // 2

# Moves: the players' first, chance's last.
FORM = 0
PLACE = FORM + FORMATION_COUNT * SEQUENCE_COUNT
PASS = PLACE + 4 * ANCHORS
STOP = PASS + 1
ACTIONS = STOP + 1
ROLL = ACTIONS
CARD = ROLL + len(ROLLS)

# Phases.
DEALING, ROLLING, FORMING, WRITING, OVER = range(5)


def shape_cells(formation: str, turns: int) -> list[tuple[int, int]]:
    """List (column, row) of the four dice in the order of `form`, after so many quarter turns clockwise."""
    rows = SHAPES[formation]
    cells = [(column, row) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark == "#"]
    width, height = len(rows[0]), len(rows)
    for _ in range(turns):
        cells = [(height - 1 - row, column) for column, row in cells]
        width, height = height, width
    return cells


def landing(formation: str, turns: int, anchor: int) -> list[int]:
    """List the cell (bit number) each die lands on, −1 for one that hangs over the edge. (MX-4)"""
    left, top = anchor % ANCHOR_SIDE - OVERHANG, anchor // ANCHOR_SIDE - OVERHANG
    places = [(left + column, top + row) for column, row in shape_cells(formation, turns)]
    return [8 * row + column if 0 <= row < SIDE and 0 <= column < SIDE else -1 for column, row in places]


def landing_table() -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    """Tabulate `landing` by formation, turns, anchor and die."""
    return np.array(
        [[[landing(f, turns, anchor) for anchor in range(ANCHORS)] for turns in range(4)] for f in FORMATIONS], np.int8
    )


def halves(anchors: list[int]) -> list[int]:
    """Return a set of anchors as its two words."""
    whole = sum(1 << anchor for anchor in anchors)
    return [whole & (1 << HALF) - 1, whole >> HALF]


def allowed_table() -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    """Tabulate by formation, turns and spare (0 to 3) the anchors that leave out no more dice. (MX-4, MX-11)"""
    left_out = (LANDING < 0).sum(axis=3)
    return np.array(
        [
            [
                [halves([int(a) for a in np.flatnonzero(left_out[f, turns] <= spare)]) for spare in range(DICE)]
                for turns in range(4)
            ]
            for f in range(FORMATION_COUNT)
        ],
        np.uint64,
    )


def shift_table() -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    """Tabulate how far the anchor lies before each die, by formation, turns and die."""
    return np.array(
        [
            [[ANCHOR_SIDE * row + column for column, row in shape_cells(f, turns)] for turns in range(4)]
            for f in FORMATIONS
        ],
        np.uint64,
    )


def distinct_turns(formation: str) -> int:
    """Return after how many quarter turns a formation covers the same cells again."""
    unturned = sorted(shape_cells(formation, 0))
    return next(turns for turns in (1, 2, 4) if sorted(shape_cells(formation, turns)) == unturned)


def arrangements_of(roll: str) -> list[int]:
    """List the different orders of a roll's dice, as numbers of sequences in ascending order. (MX-2)"""
    return sorted({SEQUENCES.index("".join(order)) for order in permutations(roll)})


def form_table() -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """Tabulate for each roll all moves that arrange it, formation after formation, filled up with −1."""
    rows = [
        [FORM + SEQUENCE_COUNT * f + order for f in range(FORMATION_COUNT) for order in arrangements_of(roll)]
        for roll in ROLLS
    ]
    longest = max(map(len, rows))
    return np.array([row + [-1] * (longest - len(row)) for row in rows], np.int32)


LANDING = landing_table()
ALLOWED = allowed_table()
SHIFTS = shift_table()
DISTINCT_TURNS = np.array([distinct_turns(formation) for formation in FORMATIONS], np.int64)
FORMS = form_table()
ARRANGEMENT_COUNTS = np.array([len(arrangements_of(roll)) for roll in ROLLS], np.int64)
ROLL_WEIGHTS = np.array([len(arrangements_of(roll)) for roll in ROLLS], np.int32)  # out of SEQUENCE_COUNT
DIE_SYMBOLS = np.array([[SYMBOLS.index(symbol) for symbol in sequence] for sequence in SEQUENCES], np.int64)


def cell_bit(name: str) -> int:
    """Return the bit number of a cell's name."""
    place = cell_place(name)
    assert place
    return 8 * place[1] + place[0]


PRINTED_BITS = np.array([cell_bit(name) for name in PRINTED_CELLS], np.int64)
GRID = np.uint64(sum(1 << 8 * row + column for row in range(SIDE) for column in range(SIDE)))


def longest(seats: int) -> Length:
    """Return how long a game can be: writing fills a cell at least, and idle rounds in a row are few. (MX-4, R4, R6)"""
    rounds = seats * (SIDE * SIDE - 1)
    if seats > 1:
        rounds += (rounds + 1) * (seats - 1) + 1  # the idle ones before, between and after those, and the one too many
    return Length(rounds * (1 + seats), seats + rounds)


class Table(Record):
    """Everybody's grid, the dice, and the scale of the solo game."""

    grids: Annotated[Words, 4, 3]  # by seat and symbol
    printed: Annotated[Bytes, 4]  # by seat: the cell (bit number) of the printed symbol
    seats: Byte
    scattered: Byte  # option cards
    blockable: Byte  # option end
    phase: Byte
    dealt: Byte  # seats that have their card
    roller: Byte
    dice: Byte  # number of the roll
    formation: Byte
    arrangement: Byte  # number of the sequence
    waiting: Byte  # set of seats that have yet to write
    passed: Byte  # somebody passed in this round
    boxes: Byte  # free boxes of the scale, solo only
    fitting: Byte  # solo: set of formations that still fit somewhere (MX-12)
    patience: Byte  # after so many rounds in a row without anything written the game is over; 0: never (R6)
    idle: Byte  # rounds in a row without anything written, this one included until somebody writes (R6)
