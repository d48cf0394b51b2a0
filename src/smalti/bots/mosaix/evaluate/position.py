"""A position as one seat has it: its grid, how long the game can go on for it, and what writing makes of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from smalti.bots.mosaix.evaluate.footprints import FILLING_COUNT, FILLING_PARTS, FOOTPRINT_SIZES, PARTS
from smalti.engine.compiled import compiled
from smalti.games.mosaix.scoring import symbol_worth
from smalti.games.mosaix.tables import DICE

Grid = tuple[np.uint64, np.uint64, np.uint64]  # the cells of each symbol

SOLO, MULTIPLAYER = True, False


class Position(NamedTuple):
    """A grid before a roll."""

    grid: Grid
    slack: int  # free boxes of the solo game, or how far the other grids are from being full; both from 0 to 8
    is_solo: bool


@compiled
def taken_cells(grid: Grid) -> np.uint64:
    """Return the cells that hold a symbol."""
    return grid[0] | grid[1] | grid[2]


@compiled
def spare_dice(slack: int, is_solo: bool) -> int:
    """Return how many dice may be left out: all but one, and solo no more than free boxes. (MX-4, MX-11)"""
    return min(slack, DICE - 1) if is_solo else DICE - 1


@compiled
def boxes_of(position: Position) -> int:
    """Return how many boxes count for the score: those that are free in the solo game. (MX-13)"""
    return position.slack if position.is_solo else 0


@compiled
def points_of(position: Position) -> int:
    """Return the points of a grid as it stands. (MX-10, MX-13)"""
    grid = position.grid
    return symbol_worth(grid[0]) + symbol_worth(grid[1]) + symbol_worth(grid[2]) + boxes_of(position)


@compiled
def position_after(position: Position, reply: int) -> Position:
    """Return the position after a reply; in the solo game each die left out takes a box. (MX-11)"""
    grid, footprint, filling = position.grid, reply // FILLING_COUNT, reply % FILLING_COUNT
    size = FOOTPRINT_SIZES[footprint]
    after = (
        grid[0] | PARTS[footprint, FILLING_PARTS[size, filling, 0]],
        grid[1] | PARTS[footprint, FILLING_PARTS[size, filling, 1]],
        grid[2] | PARTS[footprint, FILLING_PARTS[size, filling, 2]],
    )
    slack = position.slack - (DICE - size) if position.is_solo else position.slack
    return Position(after, slack, position.is_solo)


def next_position(position: Position, reply: int) -> Position:
    """Return the same outside compiled code, which hands cells back as plain numbers: as words again."""
    (first, second, third), slack, is_solo = position_after(position, reply)
    return Position((np.uint64(first), np.uint64(second), np.uint64(third)), int(slack), is_solo)
