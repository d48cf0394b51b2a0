"""What holds for the judgement of grids of Mosaix: it is what it says, however it is worked out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from smalti.bots.mosaix.evaluate import features
from smalti.bots.mosaix.evaluate.batch import FITS, NOTHING, judge_all, worth_of
from smalti.bots.mosaix.evaluate.features import ENTRIES, Judgement, Work, list_grid
from smalti.bots.mosaix.evaluate.footprints import (
    EVERY_ROLL,
    FILLINGS,
    FOOTPRINT_COUNT,
    FOOTPRINT_SIZES,
    FOOTPRINTS,
    PLACINGS,
    REACHED,
    filling_by,
)
from smalti.bots.mosaix.evaluate.opponents import FORMATION_COUNT, Round, note_best
from smalti.bots.mosaix.evaluate.position import (
    MULTIPLAYER,
    SOLO,
    Grid,
    Position,
    next_position,
    points_of,
    spare_dice,
)
from smalti.bots.mosaix.evaluate.symmetry import classes
from smalti.bots.mosaix.learning.multiplayer import judge_form
from smalti.bots.mosaix.search.lookahead import Memory, Search, outlook
from smalti.engine.compiled import settings
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, DICE, FORMS, ROLL_WEIGHTS, ROLLS

pytestmark = pytest.mark.skipif(bool(settings.DISABLE_JIT), reason="looks at thousands of grids")

Cells = set[tuple[int, int]]
EVERYWHERE: Cells = {(row, column) for row in range(7) for column in range(7)}
BORDER = {(row, column) for row, column in EVERYWHERE if {row, column} & {0, 6}}
GRIDS = 40


def any_grid(seed: int) -> Grid:
    """Return a grid with symbols anywhere, a few or many, in clusters."""
    luck = random.Random(seed)
    share, cells = luck.uniform(0.1, 0.9), [0, 0, 0]
    for row, column in sorted(EVERYWHERE):
        if luck.random() < share:
            cells[(row // 2 + column // 3 + (luck.random() < 0.4)) % 3] |= 1 << 8 * row + column
    return np.uint64(cells[0]), np.uint64(cells[1]), np.uint64(cells[2])


def any_judgement() -> Judgement:
    """Return a judgement of random worths, with the symmetries that learned ones have."""
    luck = np.random.default_rng(1)
    by_class = luck.standard_normal(classes().number).astype(np.float32)
    return Judgement(luck.standard_normal(ENTRIES).astype(np.float32), by_class[classes().of])


def as_words(cells: Sequence[int | np.uint64]) -> Grid:
    """Return a grid from what compiled code gave back as plain numbers."""
    return np.uint64(cells[0]), np.uint64(cells[1]), np.uint64(cells[2])


def cells_of(word: Any) -> Cells:
    return {(bit // 8, bit % 8) for bit in range(64) if int(word) >> bit & 1}


def around(cells: Cells) -> Cells:
    beside = {(row + y, column + x) for row, column in cells for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return (beside & EVERYWHERE) - cells


def parts(cells: Cells) -> list[Cells]:
    """List the connected parts of a set of cells."""
    found, rest = [], set(cells)
    while rest:
        part = {rest.pop()}
        while grown := around(part) & rest:
            part |= grown
            rest -= grown
        found.append(part)
    return found


# --- The same, worked out plainly


def entries_of_symbol(cells: Cells, empty: Cells, pockets: list[Cells]) -> tuple[list[int], int]:
    """List a symbol's entries, and say what its outlook is."""
    stage, areas = (len(empty) + 3) // 4, parts(cells)
    counting = [area for area in areas if len(area) >= 5]
    live = Counter(len(area) for area in areas if len(area) < 5 and around(area) & empty)
    group = stage * features.COUNTING + min(len(counting), features.COUNTING - 1)
    found = []
    for area in areas:
        free = around(area) & empty
        size, liberties = min(len(area), features.SIZES) - 1, min(len(free), features.LIBERTIES - 1)
        reach = min(sum(len(pocket) for pocket in pockets if pocket & free), features.REACHES - 1)
        found.append(features.AREA_START + (group * features.SIZES + size) * features.LIBERTIES + liberties)
        near = (stage // 2 * features.SIZES + size) * features.LIBERTIES + liberties
        found.append(features.REACH_START + near * features.REACHES + reach)
    profile = ((min(live[1], 3) * 3 + min(live[2], 2)) * 3 + min(live[3], 2)) * 3 + min(live[4], 2)
    counted = min(sum(map(len, counting)), features.COUNTED - 1)
    known = min(len(areas), features.AREAS - 1), min(len(cells), features.CELLS - 1)
    found.append(features.TOTAL_START + group * features.COUNTED + counted)
    found.append(features.PROFILE_START + group * features.PROFILES + profile)
    found.append(features.CELLS_START + (stage * features.AREAS + known[0]) * features.CELLS + known[1])
    found += pair_entries(areas, empty, stage)
    return found, min(len(counting), 3) * 3 + min(live[3] + live[4], 2)


def pair_entries(areas: list[Cells], empty: Cells, stage: int) -> list[int]:
    found = []
    for number, area in enumerate(areas):
        for other in areas[:number]:
            shared = len(around(area) & around(other) & empty)
            if shared:
                low, high = sorted(int(features.CLASS_OF[len(one)]) for one in (area, other))
                pair = (stage // 2 * features.CLASSES + low) * features.CLASSES + high
                found.append(features.PAIR_START + pair * features.SHARED + min(shared, features.SHARED) - 1)
    return found


def entries_of(grid: Grid, slack: int) -> list[int]:
    symbols = [cells_of(word) for word in grid]
    empty = EVERYWHERE - symbols[0] - symbols[1] - symbols[2]
    pockets, stage = parts(empty), (len(empty) + 3) // 4
    found, holes = [], 0
    for pocket in pockets:
        edge = len(pocket & BORDER)
        holes += len(pocket) if edge == 0 and len(pocket) < 4 else 0
        entry = (slack * features.EDGES + min(edge, features.EDGES - 1)) * features.POCKETS
        found.append(features.POCKET_START + entry + min(len(pocket), features.POCKETS) - 1)
    found.append(features.HOLE_START + stage * features.HOLES + min(holes, features.HOLES - 1))
    found.append(features.LEFT_START + len(empty) * features.SLACKS + slack)
    of_symbols = [entries_of_symbol(cells, empty, pockets) for cells in symbols]
    low, middle, high = sorted(outlook for _, outlook in of_symbols)
    triple = (low * features.OUTLOOKS + middle) * features.OUTLOOKS + high
    found.append(features.TRIPLE_START + stage // 2 * features.OUTLOOKS**3 + triple)
    return found + [entry for entries, _ in of_symbols for entry in entries]


def points_on(grid: Grid) -> int:
    areas = [[area for area in parts(cells_of(word)) if len(area) >= 5] for word in grid]
    return sum(len(counting) * sum(map(len, counting)) for counting in areas)


@pytest.mark.parametrize("seed", range(GRIDS))
def test_grids_are_judged_by_what_is_on_them(seed: int) -> None:
    grid, slack, work = any_grid(seed), seed % 9, Work.blank()
    listed, points, is_over = list_grid(work, Position(grid, slack, SOLO))
    taken = grid[0] | grid[1] | grid[2]
    fits = [int(FOOTPRINTS[number] & taken) == 0 for number in range(REACHED[spare_dice(slack, SOLO)])]
    assert Counter(work.listed[:listed].tolist()) == Counter(entries_of(grid, slack))
    assert points == points_on(grid)
    assert is_over == (not any(fits))


# --- Together and singly


@pytest.mark.parametrize("is_solo", [MULTIPLAYER, SOLO])
@pytest.mark.parametrize("seed", range(0, GRIDS, 4))
def test_what_is_judged_together_is_the_same_as_singly(seed: int, is_solo: bool) -> None:
    position, roll = Position(any_grid(seed), seed % 9, is_solo), seed % (EVERY_ROLL + 1)
    worths, judged = np.zeros((FOOTPRINT_COUNT, FITS + 1)), any_judgement()
    count = judge_all(Work.blank(), position, roll, judged, worths)
    found = np.argwhere(np.where(worths[:, FITS:] > NOTHING, worths[:, :FITS], NOTHING) > NOTHING).tolist()
    assert len(found) == count
    for footprint, filling in random.Random(seed).sample(found, min(60, count)):
        single = worth_of(Work.blank(), next_position(position, 81 * footprint + filling), judged)
        assert worths[footprint, filling] == pytest.approx(single, abs=1e-3)


@pytest.mark.parametrize("seed", range(0, GRIDS, 4))
def test_one_arrangement_is_judged_as_the_roll_it_is_of(seed: int) -> None:
    position, roll, judged = Position(any_grid(seed), seed % 9, MULTIPLAYER), seed % EVERY_ROLL, any_judgement()
    of_roll, of_form = np.zeros((2, FOOTPRINT_COUNT, FITS + 1))
    judge_all(Work.blank(), position, roll, judged, of_roll)
    note_best(now := Round.blank(), 0, roll, of_roll)
    forms = FORMATION_COUNT * int(ARRANGEMENT_COUNTS[roll])
    for form in random.Random(seed).sample(range(forms), 6):
        most = judge_form(Work.blank(), position, int(FORMS[roll, form]), judged, of_form)
        assert most == pytest.approx(now.best[0, form], abs=1e-3)
        known = (of_form[:, FITS:] > NOTHING) & (of_form[:, :FITS] > NOTHING)
        assert known.any() == (most > NOTHING)
        assert of_form[:, :FITS][known] == pytest.approx(of_roll[:, :FITS][known], abs=1e-3)


@pytest.mark.parametrize("seed", range(0, GRIDS, 8))
def test_before_a_roll_a_grid_is_worth_the_mean_of_the_best_replies(seed: int) -> None:
    position, judged = Position(any_grid(seed), seed % 9, SOLO), any_judgement()
    total, points = 0.0, points_of(position)
    for roll in range(EVERY_ROLL):
        worths = np.zeros((FOOTPRINT_COUNT, FITS + 1))
        judge_all(Work.blank(), position, roll, judged, worths)
        fitting = np.where(worths[:, FITS:] > NOTHING, worths[:, :FITS], NOTHING)
        total += ROLL_WEIGHTS[roll] * max(points, fitting.max())
    seen = outlook(Search(judged, Work.blank(), Memory.blank(), width=1, margin=0.0), position, 1)
    assert seen == pytest.approx(total / 81, abs=1e-6)


# --- Symmetry


def turned(word: Any, quarters: int, is_mirrored: bool) -> np.uint64:
    result = 0
    for cell in cells_of(word):
        row, column = cell
        for _ in range(quarters):
            row, column = column, 6 - row
        result |= 1 << 8 * row + (6 - column if is_mirrored else column)
    return np.uint64(result)


@pytest.mark.parametrize("seed", range(0, GRIDS, 8))
def test_symbols_turns_and_mirrors_make_no_difference(seed: int) -> None:
    grid, judged = any_grid(seed), any_judgement()
    worth = worth_of(Work.blank(), Position(grid, 5, SOLO), judged)
    for quarters, is_mirrored in ((1, False), (2, True), (3, True), (0, True)):
        for order in permutations(range(3)):
            other = [turned(grid[symbol], quarters, is_mirrored) for symbol in order]
            assert worth_of(Work.blank(), Position(as_words(other), 5, SOLO), judged) == pytest.approx(worth, abs=1e-3)


# --- Footprints


def test_there_are_760_footprints_and_the_whole_ones_come_first() -> None:
    assert FOOTPRINT_COUNT == 760
    assert FOOTPRINT_SIZES[: REACHED[0]].tolist() == [DICE] * 572
    assert len({int(cells) for cells in FOOTPRINTS}) == 760


def test_a_filling_says_which_symbol_each_cell_gets() -> None:
    way = next(way for way in PLACINGS if FOOTPRINT_SIZES[way.footprint] == DICE)
    filling = filling_by(way, [0, 1, 2, 1])
    assert [filling // 3**on % 3 for on in way.cell_of_die] == [0, 1, 2, 1]


def test_a_roll_is_written_with_the_symbols_it_shows() -> None:
    fillings = FILLINGS[ROLLS.index("ootx"), DICE, :12].tolist()
    assert {tuple(sorted(filling // 3**cell % 3 for cell in range(4))) for filling in fillings} == {(0, 0, 1, 2)}
