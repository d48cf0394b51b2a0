"""Every set of cells that one turn can fill, how symbols can fall on it, and the 3×3 windows it lies in.

A *footprint* is what lies inside the grid of a formation, turned and placed somehow: 572 of four cells and 188 that
the edge cuts off. A *filling* says which symbol each cell gets, as the number whose digits to the base of three are the
symbols of the cells, lowest cell first. So different pairs of footprint and filling are different grids.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from smalti.games.mosaix.tables import (
    ANCHORS,
    DICE,
    FORMATIONS,
    LANDING,
    ROLL_WEIGHTS,
    ROLLS,
    SIDE,
    SYMBOLS,
)

SYMBOL_COUNT = len(SYMBOLS)
FILLING_COUNT = SYMBOL_COUNT**DICE
CELL_COUNT = SIDE * SIDE
EVERY_ROLL = len(ROLLS)  # stands for all rolls at once
WAYS = float(ROLL_WEIGHTS.sum())  # four dice can fall
BORDER = np.uint64(sum(1 << 8 * row + column for row in range(7) for column in range(7) if {row, column} & {0, 6}))


class Placing(NamedTuple):
    """A way to place a formation: what it covers, and on which of those cells each die lands, −1 for none."""

    formation: int
    placement: int
    footprint: int
    cell_of_die: tuple[int, ...]


def placed(formation: int, placement: int) -> list[int]:
    """List the cell of each die, −1 for one that is left out."""
    cells: list[int] = LANDING[formation, placement // ANCHORS, placement % ANCHORS].tolist()
    return cells


def inside(cells: list[int]) -> tuple[int, ...]:
    """Return the cells on the grid, in ascending order."""
    return tuple(sorted(cell for cell in cells if cell >= 0))


EVERYWHERE = [(f, place) for f in range(len(FORMATIONS)) for place in range(4 * ANCHORS) if inside(placed(f, place))]
CELLS_OF = sorted({inside(placed(*way)) for way in EVERYWHERE}, key=lambda cells: (-len(cells), cells))
NUMBER_OF = {cells: number for number, cells in enumerate(CELLS_OF)}


def placing(formation: int, placement: int) -> Placing:
    """Describe one way to place a formation."""
    cells = placed(formation, placement)
    covered = inside(cells)
    on = tuple(covered.index(cell) if cell >= 0 else -1 for cell in cells)
    return Placing(formation, placement, NUMBER_OF[covered], on)


PLACINGS = [placing(*way) for way in EVERYWHERE]
WAYS_OVER: list[list[int]] = [[] for _ in CELLS_OF]
for number, way in enumerate(PLACINGS):
    WAYS_OVER[way.footprint].append(number)


def filling_by(way: Placing, symbols: list[int]) -> int:
    """Return how dice with these symbols fill what the placing covers."""
    return sum(symbol * 3**on for symbol, on in zip(symbols, way.cell_of_die, strict=True) if on >= 0)


PLACING_FORMATIONS = np.array([way.formation for way in PLACINGS], np.int64)
PLACING_FOOTPRINTS = np.array([way.footprint for way in PLACINGS], np.int64)
PLACING_FACTORS = np.array([[3**on if on >= 0 else 0 for on in way.cell_of_die] for way in PLACINGS], np.int64)

FOOTPRINT_COUNT = len(CELLS_OF)
FOOTPRINTS = np.array([sum(1 << cell for cell in cells) for cells in CELLS_OF], np.uint64)
FOOTPRINT_SIZES = np.array([len(cells) for cells in CELLS_OF], np.int64)
# How many footprints there are that leave out no more than 0, 1, 2, 3 dice: they stand first.
REACHED = np.array([(DICE - spare <= FOOTPRINT_SIZES).sum() for spare in range(DICE)], np.int64)
# The cells that parts of a footprint hold, by the four bits of the part.
PARTS = np.array(
    [[sum(1 << cell for i, cell in enumerate(cells) if part >> i & 1) for part in range(16)] for cells in CELLS_OF],
    np.uint64,
)

# --- Fillings


def digits(filling: int) -> list[int]:
    """List the symbols of a filling, lowest cell first."""
    return [filling // 3**cell % 3 for cell in range(DICE)]


def can_fill(roll: str, symbols: list[int]) -> bool:
    """Say whether the dice of a roll can show these symbols."""
    return all(roll.count(symbol) >= symbols.count(number) for number, symbol in enumerate(SYMBOLS))


def filling_lists() -> list[list[list[int]]]:
    """List by roll (the last: any roll) and number of cells the fillings that are possible."""
    return [
        [
            [
                filling
                for filling in range(3**size)
                if roll == EVERY_ROLL or can_fill(ROLLS[roll], digits(filling)[:size])
            ]
            for size in range(DICE + 1)
        ]
        for roll in range(EVERY_ROLL + 1)
    ]


def parts_of(filling: int, size: int) -> list[int]:
    """Return for each symbol the part of the footprint that gets it."""
    return [sum(1 << cell for cell in range(size) if digits(filling)[cell] == symbol) for symbol in range(3)]


LISTS = filling_lists()
FILLING_COUNTS = np.array([[len(found) for found in of_roll] for of_roll in LISTS], np.int64)
FILLINGS = np.array([[found + [0] * (81 - len(found)) for found in of_roll] for of_roll in LISTS], np.int64)
FILLING_PARTS = np.array([[parts_of(filling, size) for filling in range(81)] for size in range(DICE + 1)], np.int64)
# The same in two bits a cell: 0 is empty, 1 to 3 are the symbols.
SPREAD = np.array(
    [
        [sum(digits(filling)[cell] + 1 << 2 * cell for cell in range(size)) for filling in range(81)]
        for size in range(DICE + 1)
    ],
    np.int64,
)
SPREAD_PARTS = np.array(
    [sum(3 << 2 * cell for cell in range(DICE) if part >> cell & 1) for part in range(16)], np.int64
)
# The set of rolls that can show a filling, by number of cells.
ROLLS_SHOWING = np.array(
    [
        [sum(1 << roll for roll in range(EVERY_ROLL) if filling in LISTS[roll][size]) for filling in range(81)]
        for size in range(DICE + 1)
    ],
    np.int64,
)


def needed_parts(roll: int, size: int) -> list[int]:
    """Return for each symbol the set of parts it can get."""
    needed = [0, 0, 0]
    for filling in LISTS[roll][size]:
        for symbol, part in enumerate(FILLING_PARTS[size, filling].tolist()):
            needed[symbol] |= 1 << part
    return needed


NEEDED = np.array([[needed_parts(roll, size) for size in range(DICE + 1)] for roll in range(EVERY_ROLL + 1)], np.int64)


def spread_list(roll: int, part: int) -> list[int]:
    """List, spread, what can be written on this part alone."""
    cells = [cell for cell in range(DICE) if part >> cell & 1]
    return [
        sum(symbol + 1 << 2 * cell for symbol, cell in zip(symbols, cells, strict=True))
        for symbols in product(range(3), repeat=len(cells))
        if roll == EVERY_ROLL or can_fill(ROLLS[roll], list(symbols))
    ]


SPREAD_LISTS = [[spread_list(roll, part) for part in range(16)] for roll in range(EVERY_ROLL + 1)]
SPREAD_COUNTS = np.array([[len(found) for found in of_roll] for of_roll in SPREAD_LISTS], np.int64)
SPREADS = np.array([[found + [0] * (81 - len(found)) for found in of_roll] for of_roll in SPREAD_LISTS], np.int64)

# --- Windows: 3×3 cells, read so that mirrored and turned grids read the same.

WINDOW_SIDE = 3
WINDOW_COUNT = (SIDE - WINDOW_SIDE + 1) ** 2
KINDS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))  # row and column of the window, folded into one eighth
WINDOW_VALUES = 4**9


def folded(window: int) -> tuple[int, int]:
    """Return row and column of a window, folded into one eighth of the grid."""
    row, column = divmod(window, 5)
    low, high = sorted((min(row, 4 - row), min(column, 4 - column)))
    return low, high


def place_in(window: int, row: int, column: int) -> int:
    """Return which place of the window a cell has, read from the corner of the grid that is nearest."""
    down, across = divmod(window, 5)
    row, column = 2 - row if down > 2 else row, 2 - column if across > 2 else column
    if min(down, 4 - down) > min(across, 4 - across):
        row, column = column, row
    return 3 * row + column


def window_cells(window: int) -> list[int]:
    """List the cells (bit numbers) of a window by their places."""
    down, across = divmod(window, 5)
    found = {
        place_in(window, row, column): 8 * (down + row) + across + column for row in range(3) for column in range(3)
    }
    return [found[place] for place in range(9)]


WINDOW_CELLS = np.array([window_cells(window) for window in range(WINDOW_COUNT)], np.int64)
WINDOW_STARTS = np.array([KINDS.index(folded(w)) * WINDOW_VALUES for w in range(WINDOW_COUNT)], np.int64)


def touched(cells: tuple[int, ...]) -> list[tuple[int, int, list[int]]]:
    """List the windows that a footprint touches, with the part inside and how far to shift each cell's two bits."""
    found = []
    for window in range(WINDOW_COUNT):
        places: list[int] = WINDOW_CELLS[window].tolist()
        part = sum(1 << i for i, cell in enumerate(cells) if cell in places)
        shifts = [2 * places.index(cell) if cell in places else 0 for cell in cells]
        if part:
            found.append((window, part, shifts + [0] * (DICE - len(cells))))
    return found


TOUCHES = [touched(cells) for cells in CELLS_OF]
MOST_TOUCHED = max(map(len, TOUCHES))
TOUCH_COUNTS = np.array([len(found) for found in TOUCHES], np.int64)
BLANK = (0, 0, [0] * DICE)
FILLED_UP = [found + [BLANK] * (MOST_TOUCHED - len(found)) for found in TOUCHES]
TOUCH_WINDOWS = np.array([[window for window, _, _ in found] for found in FILLED_UP], np.int64)
TOUCH_PARTS = np.array([[part for _, part, _ in found] for found in FILLED_UP], np.int64)
TOUCH_SHIFTS = np.array([[shifts for _, _, shifts in found] for found in FILLED_UP], np.int64)


def distinct_parts(found: list[tuple[int, int, list[int]]]) -> list[int]:
    """List the different parts of a footprint that lie in windows together."""
    return sorted({part for _, part, _ in found})


USED_PARTS = [distinct_parts(found) for found in TOUCHES]
USED_COUNTS = np.array([len(parts) for parts in USED_PARTS], np.int64)
USED = np.array([parts + [0] * (16 - len(parts)) for parts in USED_PARTS], np.int64)
