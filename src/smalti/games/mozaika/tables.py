"""Mozaika: tiles, structures, symmetries, the numbering of moves, and the table.

A board is a set of cells on a 4-wide board: bit 4·row + column. It is kept as one set for each colour and one for
each symbol; a tile is in one of each.

      a  b  c  d
    1 0  1  2  3        structures: 4 rows, 4 columns, 2 long diagonals, 9 squares
    2 4  5  6  7        symmetries: left–right, top–bottom, both long diagonals, half turn
    3 8  9 10 11
    4 12 13 14 15
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Annotated

import numpy as np

from smalti.engine.game import Length
from smalti.engine.geometry import cell_name
from smalti.engine.record import Byte, Bytes, Halves, Record

SIDE = 4
CELLS = SIDE * SIDE
ROUNDS = 16
HAND = 4
START_COINS = 10
COINS_PER_POINT = 5
FIRST_FLIES = 7  # less the seats: the round from which on there are flies (MZ-6)

COLOURS = "RBY"
COLOUR_NAMES = ("red", "blue", "ochre")  # in the palette of glass
SYMBOLS = "1234"
TYPES = tuple(colour + symbol for colour in COLOURS for symbol in SYMBOLS)
TYPE_COUNT = len(TYPES)
COPIES = {3: 5, 4: 7, 5: 9}

# All that can ever be in one purse: the start, and 2 coins for each of the 24 pairs of neighbours (MZ-1, MZ-9).
MOST_COINS = START_COINS + 2 * 24

# Moves: the players' first, chance's last.
BID = 0
PICK = BID + MOST_COINS + 1
LAY = PICK + len(TYPES)
FLY = LAY + len(TYPES) * CELLS
ACTIONS = FLY + CELLS
DEAL = ACTIONS
DRAW = DEAL + len(TYPES)

# Phases.
DEALING, DRAWING, BIDDING, PICKING, LAYING, FLYING, OVER = range(7)

NO_SEAT = 255


def cells_bits(cells: list[tuple[int, int]]) -> int:
    """Return a set of (column, row) as bits."""
    return sum(1 << SIDE * row + column for column, row in cells)


def structure_cells() -> dict[str, list[tuple[int, int]]]:
    """List the cells of the 19 structures by key. (MZ-14, MZ-15)"""
    line = range(SIDE)
    found = {f"row.{row + 1}": [(column, row) for column in line] for row in line}
    found |= {f"column.{'abcd'[column]}": [(column, row) for row in line] for column in line}
    found |= {"diagonal.a1-d4": [(i, i) for i in line], "diagonal.d1-a4": [(3 - i, i) for i in line]}
    for row, column in product(range(SIDE - 1), repeat=2):
        corners = f"{cell_name(column, row)}-{cell_name(column + 1, row + 1)}"
        found[f"square.{corners}"] = [(column + dx, row + dy) for dy in (0, 1) for dx in (0, 1)]
    return found


def adjacency() -> list[int]:
    """List for each cell the set of its orthogonal neighbours."""
    return [
        cells_bits([(x, y) for x in range(4) for y in range(4) if abs(x - column) + abs(y - row) == 1])
        for row in range(SIDE)
        for column in range(SIDE)
    ]


MIRRORS: dict[str, tuple[int, Callable[[int, int], tuple[int, int]]]] = {
    "left-right": (12, lambda x, y: (3 - x, y)),
    "top-bottom": (12, lambda x, y: (x, 3 - y)),
    "diagonal.a1-d4": (8, lambda x, y: (y, x)),
    "diagonal.d1-a4": (8, lambda x, y: (3 - y, 3 - x)),
    "half-turn": (12, lambda x, y: (3 - x, 3 - y)),
}
SYMMETRY_KEYS = tuple(MIRRORS)
SYMMETRY_POINTS = np.array([points for points, _ in MIRRORS.values()], np.int64)
# By symmetry: pairs of cells that must show the same pattern.
IMAGES = np.array(
    [[4 * image(x, y)[1] + image(x, y)[0] for y in range(4) for x in range(4)] for _, image in MIRRORS.values()],
    np.int64,
)

STRUCTURE_KEYS = tuple(structure_cells())
STRUCTURES = np.array([cells_bits(cells) for cells in structure_cells().values()], np.int64)
BESIDE = np.array(adjacency(), np.int64)
COLOUR_OF = np.array([COLOURS.index(name[0]) for name in TYPES], np.int64)
SYMBOL_OF = np.array([SYMBOLS.index(name[1]) for name in TYPES], np.int64)


def longest(seats: int) -> Length:
    """Return how long a game can be: bids, picks, lays and a fly in every round. (MZ-3 to MZ-12)"""
    return Length(ROUNDS * (3 * seats + 1), HAND * seats + (ROUNDS - 1) * (seats + 1))


class Table(Record):
    """Boards, hands and purses, the open tiles, the bag, and how far the round has come."""

    colours: Annotated[Halves, 5, 3]  # by seat and colour: cells of the board
    symbols: Annotated[Halves, 5, 4]  # by seat and symbol: cells of the board
    flies: Annotated[Halves, 5]  # by seat: cells with a fly
    hands: Annotated[Bytes, 5, 12]  # by seat and type: tiles in hand
    bag: Annotated[Bytes, 12]  # by type; of a table as a seat sees it: all tiles that seat has not seen
    display: Annotated[Bytes, 12]  # by type: open tiles of this round
    coins: Annotated[Bytes, 5]
    bids: Annotated[Bytes, 5]  # of this round, paid when the last one is in
    order: Annotated[Bytes, 5]  # seats in the order of picking
    seats: Byte
    secret_hands: Byte  # option hands
    phase: Byte
    round_number: Byte  # 1 to 16
    starter: Byte  # holds the bag
    waiting: Byte  # set of seats that have yet to bid or lay
    drawn: Byte  # tiles dealt or drawn in this phase
    picked: Byte  # seats that have picked
    flown: Byte  # the seat that gets the fly, NO_SEAT for nobody
