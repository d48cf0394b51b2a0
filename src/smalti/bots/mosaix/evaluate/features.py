"""The features of a linear value function: areas, what they can become, and empty cells, as indices into its table.

A grid is worth its points plus the sum of one entry for everything listed here, plus one for each 3×3 window (an
n-tuple network, see `batch`). Nothing depends on which symbol is which, or on how the grid is turned or mirrored.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.mosaix.evaluate.footprints import BORDER, FOOTPRINTS, REACHED
from smalti.bots.mosaix.evaluate.position import Grid, Position, spare_dice, taken_cells
from smalti.engine.bits import EMPTY, bit, connected, count, lowest, neighbours
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record, Words
from smalti.games.mosaix.tables import AREA, DICE, GRID

Numbers = Annotated[npt.NDArray[np.int64], np.int64]
Reals = Annotated[npt.NDArray[np.float64], np.float64]

Entries = npt.NDArray[np.float32]

VERSION = 2

# How many steps each quantity is told apart in.
STAGES, HALF_STAGES, SLACKS = 13, 7, 9
COUNTING = 5  # areas that count, 0 to 4
SIZES, LIBERTIES, REACHES = 12, 8, 9
COUNTED = 32
PROFILES = 4 * 3 * 3 * 3  # of live areas with 1, 2, 3, 4 cells
AREAS, CELLS = 8, 25
CLASSES = 6  # of sizes: 1, 2, 3, 4, 5 and 6, more
SHARED = 3
OUTLOOKS = 12  # of a symbol
POCKETS, EDGES = 16, 4
HOLES = 8
LEFT = 49

# Where the entries of each kind begin.
AREA_START = 0
REACH_START = AREA_START + STAGES * COUNTING * SIZES * LIBERTIES
TOTAL_START = REACH_START + HALF_STAGES * SIZES * LIBERTIES * REACHES
PROFILE_START = TOTAL_START + STAGES * COUNTING * COUNTED
CELLS_START = PROFILE_START + STAGES * COUNTING * PROFILES
PAIR_START = CELLS_START + STAGES * AREAS * CELLS
TRIPLE_START = PAIR_START + HALF_STAGES * CLASSES * CLASSES * SHARED
POCKET_START = TRIPLE_START + HALF_STAGES * OUTLOOKS**3
HOLE_START = POCKET_START + SLACKS * EDGES * POCKETS
LEFT_START = HOLE_START + STAGES * HOLES
ENTRIES = LEFT_START + LEFT * SLACKS

MOST_AREAS = 32
MOST_LISTED = 512
# By how far the other grids are from being full: the stage that is left to all.
LATEST = np.array([1, 2, 3, 4, 5, 6, 8, 11, 13], np.int64)
WINDOW_SHARES = np.array([0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0, 1.0, 1.0])
CLASS_OF = np.array([0, 0, 1, 2, 3, 4, 4, *[5] * 43], np.int64)


class Judgement(NamedTuple):
    """What the entries listed here are worth, and every reading of every kind of window."""

    entries: Entries
    windows: Entries


class Survey(NamedTuple):
    """A symbol's areas, counted."""

    counting: int  # areas that count
    counted: int  # their cells
    cells: int  # of all areas
    profile: int  # how many live areas there are with 1, 2, 3, 4 cells
    nearly: int  # live areas with 3 or 4


class Work(Record):
    """Scratch buffers for judging a grid and what can be written on it."""

    areas: Annotated[Words, 3, MOST_AREAS]  # of each symbol, before writing
    around: Annotated[Words, 3, MOST_AREAS]  # the cells beside them
    now: Annotated[Words, MOST_AREAS]  # areas of the symbol looked at
    beside: Annotated[Words, MOST_AREAS]
    pockets: Annotated[Words, MOST_AREAS]  # of empty cells
    area_counts: Annotated[Numbers, 3]
    latest: Annotated[Numbers, 1]  # the stage that counts at most, when others are nearly done; 0 if nobody hurries
    window_share: Annotated[Reals, 1]  # of what windows are worth: what they may become takes time
    listed: Annotated[Numbers, MOST_LISTED]  # entries
    windows: Annotated[Numbers, 25]  # what each window reads
    held: Annotated[Reals, 25]  # and its worth
    all_held: Annotated[Reals, 1]  # what they are worth together
    symbol_worths: Annotated[Reals, 3, 16]  # by part of the footprint
    symbol_points: Annotated[Numbers, 3, 16]
    symbol_outlooks: Annotated[Numbers, 3, 16]
    part_worths: Annotated[Reals, 256]  # of windows, by what is spread on a part
    worths: Annotated[Reals, 81]  # by filling


@compiled
def set_pace(work: Work, slack: int, is_solo: bool) -> None:
    """Note how long the game can still last, by what the fullest of the other grids says."""
    work.latest[0] = 0 if is_solo else LATEST[slack]
    work.window_share[0] = 1.0 if is_solo else WINDOW_SHARES[slack]


@compiled
def stage_of(work: Work, empty: np.uint64) -> int:
    """Return how far the grid is from being full, in fours, or the fullest other one if the game ends with that."""
    stage = (count(empty) + 3) >> 2
    return min(stage, work.latest[0]) if work.latest[0] > 0 else stage


@compiled
def find_areas(work: Work, symbol: int, cells: np.uint64) -> None:
    """Note the areas of a symbol and what lies around them."""
    found = 0
    while cells != EMPTY:
        area = connected(bit(lowest(cells)), cells)
        cells &= ~area
        work.areas[symbol, found] = area
        work.around[symbol, found] = neighbours(area)
        found += 1
    work.area_counts[symbol] = found


@compiled
def join_areas(work: Work, symbol: int, added: np.uint64) -> int:
    """Note as areas of now what the symbol's areas become when cells are added; return how many there are."""
    found, joined = 0, added
    for index in range(work.area_counts[symbol]):
        if work.around[symbol, index] & added != EMPTY:
            joined |= work.areas[symbol, index]
        else:
            work.now[found] = work.areas[symbol, index]
            work.beside[found] = work.around[symbol, index]
            found += 1
    while joined != EMPTY:
        area = connected(bit(lowest(joined)), joined)
        joined &= ~area
        work.now[found] = area
        work.beside[found] = neighbours(area)
        found += 1
    return found


@compiled
def find_pockets(work: Work, empty: np.uint64) -> int:
    """Note the pockets of empty cells; return how many there are."""
    found = 0
    while empty != EMPTY:
        pocket = connected(bit(lowest(empty)), empty)
        empty &= ~pocket
        work.pockets[found] = pocket
        found += 1
    return found


@apart
def live_cells(work: Work, grid: Grid) -> int:
    """Return how many empty cells can still be written on: those at the border, and pockets of four or more. (MX-8)"""
    live = 0
    for index in range(find_pockets(work, GRID & ~taken_cells(grid))):
        pocket = work.pockets[index]
        if count(pocket) >= DICE or pocket & BORDER != EMPTY:
            live += count(pocket)
    return live


@compiled
def list_pockets(work: Work, pockets: int, empty: np.uint64, slack: int) -> int:
    """List the entries of the empty cells, from the first on; return how many there are."""
    holes, listed = 0, 0
    for index in range(pockets):
        pocket = work.pockets[index]
        cells, edge = count(pocket), count(pocket & BORDER)
        if edge == 0 and cells < DICE:
            holes += cells
        work.listed[listed] = POCKET_START + (slack * EDGES + min(edge, EDGES - 1)) * POCKETS + min(cells, POCKETS) - 1
        listed += 1
    work.listed[listed] = HOLE_START + stage_of(work, empty) * HOLES + min(holes, HOLES - 1)
    work.listed[listed + 1] = LEFT_START + count(empty) * SLACKS + slack
    return listed + 2


@compiled
def is_finished(work: Work, pockets: int, empty: np.uint64, spare: int) -> bool:
    """Say whether nothing can be written any more when so many dice may be left out. (MX-8, MX-12)"""
    for index in range(pockets):
        if count(work.pockets[index]) >= DICE:
            return False
    for footprint in range(REACHED[0], REACHED[spare]):
        if FOOTPRINTS[footprint] & ~empty == EMPTY:
            return False
    return True


@compiled
def reach(work: Work, pockets: int, liberties: np.uint64) -> int:
    """Return how many empty cells an area could grow into."""
    cells = 0
    for index in range(pockets):
        if work.pockets[index] & liberties != EMPTY:
            cells += count(work.pockets[index])
    return cells


@compiled
def list_pairs(work: Work, areas: int, stage: int, listed: int) -> int:
    """List the pairs of areas that a single symbol would join; `beside` holds their liberties."""
    for index in range(1, areas):
        for other in range(index):
            shared = count(work.beside[index] & work.beside[other])
            if shared > 0:
                low, high = CLASS_OF[count(work.now[index])], CLASS_OF[count(work.now[other])]
                if low > high:
                    low, high = high, low
                pair = ((stage >> 1) * CLASSES + low) * CLASSES + high
                work.listed[listed] = PAIR_START + pair * SHARED + min(shared, SHARED) - 1
                listed += 1
    return listed


@compiled
def survey_areas(work: Work, areas: int, empty: np.uint64) -> Survey:
    """Count a symbol's areas by size, and leave only their liberties in `beside`."""
    counting, counted, cells = 0, 0, 0
    ones, twos, threes, fours = 0, 0, 0, 0
    for index in range(areas):
        work.beside[index] &= empty
        size = count(work.now[index])
        cells += size
        if size >= AREA:
            counting += 1
            counted += size
        elif work.beside[index] != EMPTY:
            ones += size == 1
            twos += size == 2
            threes += size == 3
            fours += size == 4
    profile = ((min(ones, 3) * 3 + min(twos, 2)) * 3 + min(threes, 2)) * 3 + min(fours, 2)
    return Survey(counting, counted, cells, profile, threes + fours)


@compiled
def list_areas(work: Work, areas: int, pockets: int, stage: int, group: int, listed: int) -> int:
    """List the entries of single areas: by size and liberties, and by how far they could grow."""
    for index in range(areas):
        size = min(count(work.now[index]), SIZES) - 1
        liberties = min(count(work.beside[index]), LIBERTIES - 1)
        reached = min(reach(work, pockets, work.beside[index]), REACHES - 1)
        work.listed[listed] = AREA_START + (group * SIZES + size) * LIBERTIES + liberties
        near = ((stage >> 1) * SIZES + size) * LIBERTIES + liberties
        work.listed[listed + 1] = REACH_START + near * REACHES + reached
        listed += 2
    return listed


@apart
def list_symbol(work: Work, areas: int, pockets: int, empty: np.uint64, listed: int) -> tuple[int, int, int]:
    """List the entries of one symbol's areas; return how many there are then, its points and its outlook."""
    stage, survey = stage_of(work, empty), survey_areas(work, areas, empty)
    group = stage * COUNTING + min(survey.counting, COUNTING - 1)
    listed = list_areas(work, areas, pockets, stage, group, listed)
    known = (stage * AREAS + min(areas, AREAS - 1)) * CELLS + min(survey.cells, CELLS - 1)
    work.listed[listed] = TOTAL_START + group * COUNTED + min(survey.counted, COUNTED - 1)
    work.listed[listed + 1] = PROFILE_START + group * PROFILES + survey.profile
    work.listed[listed + 2] = CELLS_START + known
    listed = list_pairs(work, areas, stage, listed + 3)
    return listed, survey.counting * survey.counted, min(survey.counting, 3) * 3 + min(survey.nearly, 2)


@compiled
def triple_entry(work: Work, empty: np.uint64, first: int, second: int, third: int) -> int:
    """Return the entry of the three symbols' outlooks, in whatever order."""
    low, high = min(first, second), max(first, second)
    middle = max(low, min(high, third))
    triple = (min(low, third) * OUTLOOKS + middle) * OUTLOOKS + max(high, third)
    return TRIPLE_START + (stage_of(work, empty) >> 1) * OUTLOOKS**3 + triple


@apart
def list_grid(work: Work, position: Position) -> tuple[int, int, bool]:
    """List all entries of a grid but the windows'; return how many, its points, and whether it is finished."""
    grid, slack = position.grid, position.slack
    empty = GRID & ~taken_cells(grid)
    pockets = find_pockets(work, empty)
    listed = list_pockets(work, pockets, empty, slack)
    for symbol in range(3):
        find_areas(work, symbol, grid[symbol])
    first = list_symbol(work, join_areas(work, 0, EMPTY), pockets, empty, listed)
    second = list_symbol(work, join_areas(work, 1, EMPTY), pockets, empty, first[0])
    third = list_symbol(work, join_areas(work, 2, EMPTY), pockets, empty, second[0])
    work.listed[third[0]] = triple_entry(work, empty, first[2], second[2], third[2])
    is_over = is_finished(work, pockets, empty, spare_dice(slack, position.is_solo))
    return third[0] + 1, first[1] + second[1] + third[1], is_over
