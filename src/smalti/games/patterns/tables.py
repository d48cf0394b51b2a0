"""Patterns: the mandala, the colours, the numbering of moves, and the table.

  a b c d e f g h          52 spaces of an 8×8 grid; space numbers run
1     . . . .              in reading order, from d1's left neighbour c1
2   . . . . . .            (number 0) to f8 (number 51). The centre is
3 . . . . . . . .          d4 e4 d5 e5.
4 . . . # # . . .
5 . . . # # . . .
6 . . . . . . . .
7   . . . . . .
8     . . . .
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from smalti.engine.record import Byte, Bytes, Record, Words

SEATS = 2
COLOURS = "KOGLDS"
COLOUR_NAMES = ("black", "orange", "green", "light blue", "dark blue", "sand")  # in the palette of glass
TILES_OF_A_COLOUR = 9
TILES_IN_THE_RING = 8  # of each colour, outside the centre (PT-1)

ROW_WIDTHS = (4, 6, 8, 8, 8, 8, 6, 4)


def mandala_cells() -> list[int]:
    """List the cells of the mandala as bits of an 8-wide board, in reading order."""
    return [
        8 * row + column for row, width in enumerate(ROW_WIDTHS) for column in range(4 - width // 2, 4 + width // 2)
    ]


def bits_of(cells: list[int]) -> np.uint64:
    """Return the set of these cells."""
    return np.uint64(sum(1 << cell for cell in cells))


CELLS = mandala_cells()
SPACES = len(CELLS)
CENTRE_CELLS = [8 * row + column for row in (3, 4) for column in (3, 4)]
CENTRE = bits_of(CENTRE_CELLS)

CELL_OF_SPACE = np.array(CELLS, np.int64)
SPACE_OF_CELL = np.array([CELLS.index(cell) if cell in CELLS else -1 for cell in range(64)], np.int64)

# Moves: the players' first, chance's last.
OPEN = 0
FLIP = OPEN + SPACES
SWAP = FLIP + SPACES
GIVE = SWAP + SPACES
DONE = GIVE + len(COLOURS)
ACTIONS = DONE + 1
TILE = ACTIONS

# Phases.
DEALING, GIVING, PLAYING, FLIPPING, OVER = range(5)


class Table(Record):
    """The mandala and both players' bowls and rivers."""

    front: Annotated[Words, 6]  # by colour: spaces with that colour's front up
    groups: Annotated[Words, 2, 6]  # by seat and colour: spaces of the group, back up
    markers: Annotated[Bytes, 2, 6]  # by seat and colour: the marker's number, 0 before the group is opened
    marked: Annotated[Bytes, 2, 6]  # by seat and colour: the cell the marker lies on
    bowls: Annotated[Bytes, 2]  # by seat: colour of the exchange tile
    opened: Annotated[Bytes, 2]  # by seat: groups opened so far
    phase: Byte
    turn: Byte  # the seat that acts
    dealt: Byte  # tiles on the mandala while dealing
