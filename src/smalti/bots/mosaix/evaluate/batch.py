"""Batch evaluation: all grids that a roll can lead to are judged at once, and what they share is judged only once.

The grids after one footprint share their empty cells; those in which a symbol got the same part of it share all of
that symbol's areas; those that filled a window alike share its worth.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.bots.mosaix.evaluate.features import (
    Judgement,
    Work,
    find_areas,
    find_pockets,
    is_finished,
    join_areas,
    list_grid,
    list_pockets,
    list_symbol,
    set_pace,
    triple_entry,
)
from smalti.bots.mosaix.evaluate.footprints import (
    FILLING_COUNT,
    FILLING_COUNTS,
    FILLING_PARTS,
    FILLINGS,
    FOOTPRINT_SIZES,
    FOOTPRINTS,
    NEEDED,
    PARTS,
    REACHED,
    SPREAD,
    SPREAD_COUNTS,
    SPREAD_PARTS,
    SPREADS,
    TOUCH_COUNTS,
    TOUCH_PARTS,
    TOUCH_SHIFTS,
    TOUCH_WINDOWS,
    USED,
    USED_COUNTS,
    WINDOW_CELLS,
    WINDOW_COUNT,
    WINDOW_STARTS,
)
from smalti.bots.mosaix.evaluate.position import MULTIPLAYER, Grid, Position, boxes_of, spare_dice, taken_cells
from smalti.engine.bits import EMPTY, ONE, whole
from smalti.engine.compiled import apart, compiled
from smalti.games.mosaix.tables import DICE, GRID

Floats = npt.NDArray[np.float64]
NOTHING = -1e9  # less than any grid is worth
FITS = FILLING_COUNT  # the column that says whether a footprint fits


@compiled
def read_windows(work: Work, grid: Grid) -> None:
    """Note what each window reads: two bits a cell, 0 for empty."""
    for window in range(WINDOW_COUNT):
        reading = 0
        for place in range(9):
            cell = np.uint64(WINDOW_CELLS[window, place])
            symbol = 0
            for number in range(3):
                symbol += (number + 1) * whole((grid[number] >> cell) & ONE)
            reading |= symbol << (2 * place)
        work.windows[window] = WINDOW_STARTS[window] + reading


@apart
def prepare(work: Work, grid: Grid, judged: Judgement) -> float:
    """Note what the grid before writing is like; return what its windows are worth."""
    for symbol in range(3):
        find_areas(work, symbol, grid[symbol])
    read_windows(work, grid)
    total = 0.0
    for window in range(WINDOW_COUNT):
        work.held[window] = judged.windows[work.windows[window]]
        total += work.held[window]
    work.all_held[0] = total
    return total


@compiled
def sum_listed(work: Work, listed: int, judged: Judgement) -> float:
    """Return what the listed entries are worth together."""
    total = 0.0
    for index in range(listed):
        total += judged.entries[work.listed[index]]
    return total


@compiled
def judge_parts(
    work: Work, symbol: int, footprint: int, needed: int, pockets: int, empty: np.uint64, judged: Judgement
) -> None:
    """Note what a symbol's areas are worth after it got each part of the footprint that it can get."""
    for part in range(16):
        if (needed >> part) & 1:
            areas = join_areas(work, symbol, PARTS[footprint, part])
            listed, points, outlook = list_symbol(work, areas, pockets, empty, 0)
            work.symbol_worths[symbol, part] = points + sum_listed(work, listed, judged)
            work.symbol_points[symbol, part] = points
            work.symbol_outlooks[symbol, part] = outlook


@compiled
def judge_windows(work: Work, footprint: int, roll: int, judged: Judgement) -> float:
    """Note what the windows are worth by what is written in them; return what those touched were worth before."""
    before = 0.0
    for index in range(USED_COUNTS[footprint]):
        part = USED[footprint, index]
        for number in range(SPREAD_COUNTS[roll, part]):
            work.part_worths[SPREADS[roll, part, number]] = 0.0
    for touch in range(TOUCH_COUNTS[footprint]):
        window, part = TOUCH_WINDOWS[footprint, touch], TOUCH_PARTS[footprint, touch]
        before += work.held[window]
        reading = work.windows[window]
        first, second = TOUCH_SHIFTS[footprint, touch, 0], TOUCH_SHIFTS[footprint, touch, 1]
        third, fourth = TOUCH_SHIFTS[footprint, touch, 2], TOUCH_SHIFTS[footprint, touch, 3]
        for number in range(SPREAD_COUNTS[roll, part]):
            spread = SPREADS[roll, part, number]
            written = ((spread & 3) << first) + (((spread >> 2) & 3) << second)
            written += (((spread >> 4) & 3) << third) + (((spread >> 6) & 3) << fourth)
            work.part_worths[spread] += judged.windows[reading + written]
    return before


@compiled
def fill_points(work: Work, size: int, roll: int, boxes: int) -> None:
    """Note as worth of each filling its points: nothing can follow."""
    for number in range(FILLING_COUNTS[roll, size]):
        filling = FILLINGS[roll, size, number]
        points = boxes
        for symbol in range(3):
            points += work.symbol_points[symbol, FILLING_PARTS[size, filling, symbol]]
        work.worths[filling] = points


@compiled
def fill_worths(work: Work, footprint: int, roll: int, base: float, empty: np.uint64, judged: Judgement) -> None:
    """Note what each filling of the footprint is worth."""
    size = FOOTPRINT_SIZES[footprint]
    for number in range(FILLING_COUNTS[roll, size]):
        filling = FILLINGS[roll, size, number]
        o, t, x = FILLING_PARTS[size, filling, 0], FILLING_PARTS[size, filling, 1], FILLING_PARTS[size, filling, 2]
        worth = base + work.symbol_worths[0, o] + work.symbol_worths[1, t] + work.symbol_worths[2, x]
        outlooks = work.symbol_outlooks
        worth += judged.entries[triple_entry(work, empty, outlooks[0, o], outlooks[1, t], outlooks[2, x])]
        spread = SPREAD[size, filling]
        for index in range(USED_COUNTS[footprint]):
            worth += work.window_share[0] * work.part_worths[spread & SPREAD_PARTS[USED[footprint, index]]]
        work.worths[filling] = worth


@apart
def judge_footprint(work: Work, position: Position, footprint: int, roll: int, judged: Judgement) -> int:
    """Note in `worths` what the grid is worth after each filling that the roll allows; return how many there are.

    The grid has been prepared, and the footprint is empty on it.
    """
    size = FOOTPRINT_SIZES[footprint]
    empty = GRID & ~(taken_cells(position.grid) | FOOTPRINTS[footprint])
    left, is_solo = position.slack, position.is_solo
    if is_solo:
        left -= DICE - size
    set_pace(work, left, is_solo)
    pockets = find_pockets(work, empty)
    base = sum_listed(work, list_pockets(work, pockets, empty, left), judged)
    for symbol in range(3):
        judge_parts(work, symbol, footprint, NEEDED[roll, size, symbol], pockets, empty, judged)
    boxes = left if is_solo else 0
    if is_finished(work, pockets, empty, spare_dice(left, is_solo)):
        fill_points(work, size, roll, boxes)
    else:
        base += work.window_share[0] * (work.all_held[0] - judge_windows(work, footprint, roll, judged)) + boxes
        fill_worths(work, footprint, roll, base, empty, judged)
    return FILLING_COUNTS[roll, size]


@apart
def judge_all(work: Work, position: Position, roll: int, judged: Judgement, worths: Floats) -> int:
    """Note what every footprint (row) and filling makes of a grid; return how many grids that are.

    The last column holds `NOTHING` where the footprint does not fit, and then the rest of the row holds nothing new.
    """
    prepare(work, position.grid, judged)
    taken, reached, total = taken_cells(position.grid), REACHED[spare_dice(position.slack, position.is_solo)], 0
    for footprint in range(len(worths)):
        worths[footprint, FITS] = NOTHING
        if footprint < reached and FOOTPRINTS[footprint] & taken == EMPTY:
            worths[footprint] = NOTHING
            worths[footprint, FITS] = 0.0
            fillings = judge_footprint(work, position, footprint, roll, judged)
            for number in range(fillings):
                filling = FILLINGS[roll, FOOTPRINT_SIZES[footprint], number]
                worths[footprint, filling] = work.worths[filling]
            total += fillings
    return total


@compiled
def windows_gain(work: Work, footprint: int, filling: int, judged: Judgement) -> float:
    """Return what the windows gain by one filling of a footprint."""
    gain, spread = 0.0, SPREAD[FOOTPRINT_SIZES[footprint], filling]
    for touch in range(TOUCH_COUNTS[footprint]):
        window = TOUCH_WINDOWS[footprint, touch]
        inside = spread & SPREAD_PARTS[TOUCH_PARTS[footprint, touch]]
        reading = work.windows[window]
        for cell in range(DICE):
            reading += ((inside >> (2 * cell)) & 3) << TOUCH_SHIFTS[footprint, touch, cell]
        gain += judged.windows[reading] - work.held[window]
    return gain


@apart
def judge_filling(work: Work, position: Position, footprint: int, filling: int, judged: Judgement) -> float:
    """Return what a grid of a multiplayer game is worth after one filling of a footprint, on the same terms."""
    slack, size = position.slack, FOOTPRINT_SIZES[footprint]
    empty = GRID & ~(taken_cells(position.grid) | FOOTPRINTS[footprint])
    set_pace(work, slack, MULTIPLAYER)
    pockets = find_pockets(work, empty)
    worth, points = sum_listed(work, list_pockets(work, pockets, empty, slack), judged), 0
    for symbol in range(3):
        part = FILLING_PARTS[size, filling, symbol]
        areas = join_areas(work, symbol, PARTS[footprint, part])
        listed, counted, outlook = list_symbol(work, areas, pockets, empty, 0)
        worth += sum_listed(work, listed, judged)
        points += counted
        work.symbol_outlooks[symbol, 0] = outlook
    if is_finished(work, pockets, empty, spare_dice(slack, MULTIPLAYER)):
        return 1.0 * points
    outlooks = work.symbol_outlooks
    worth += judged.entries[triple_entry(work, empty, outlooks[0, 0], outlooks[1, 0], outlooks[2, 0])]
    return worth + points + work.window_share[0] * (work.all_held[0] + windows_gain(work, footprint, filling, judged))


@apart
def worth_of(work: Work, position: Position, judged: Judgement) -> float:
    """Return what one grid is worth; the same as if it had been judged together with others."""
    set_pace(work, position.slack, position.is_solo)
    listed, points, is_over = list_grid(work, position)
    worth: float = points + boxes_of(position)
    if is_over:
        return worth
    worth += sum_listed(work, listed, judged)
    return worth + work.window_share[0] * prepare(work, position.grid, judged)
