"""What holds for playing Mosaix among others: what may be expected of their rolls, and the pace they set."""

from __future__ import annotations

import random
from statistics import mean

import numpy as np
import pytest

from smalti.bots.mosaix.evaluate.batch import FITS, NOTHING, judge_all, worth_of
from smalti.bots.mosaix.evaluate.features import Work
from smalti.bots.mosaix.evaluate.footprints import EVERY_ROLL, FOOTPRINT_COUNT
from smalti.bots.mosaix.evaluate.opponents import FORMATION_COUNT, Round, note_best, outlook_multiplayer
from smalti.bots.mosaix.evaluate.position import MULTIPLAYER, Position
from smalti.bots.mosaix.learning.multiplayer import DONE, Opponents, cells_after_filling, fill_up, least_live
from smalti.engine.chance import stream_of
from smalti.engine.compiled import settings
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, FORMATIONS, GRID, PRINTED_BITS, ROLL_WEIGHTS
from tests.bots.test_mosaix_evaluate import any_grid, any_judgement

pytestmark = pytest.mark.skipif(bool(settings.DISABLE_JIT), reason="looks at thousands of grids")

PRINTED = np.uint64(1 << int(PRINTED_BITS[0]))


# --- What may be expected


@pytest.mark.parametrize("is_own", [True, False])
@pytest.mark.parametrize("seed", range(3, 40, 12))
def test_of_others_rolls_one_expects_the_less_useful_of_any_two(seed: int, is_own: bool) -> None:
    position, judged = Position(any_grid(seed), seed % 9, MULTIPLAYER), any_judgement()
    worths, now = np.zeros((FOOTPRINT_COUNT, FITS + 1)), Round.blank()
    judge_all(Work.blank(), position, EVERY_ROLL, judged, worths)
    now.now[0] = worth_of(Work.blank(), position, judged)
    total = 0.0
    for roll in range(EVERY_ROLL):
        note_best(now, 0, roll, worths)
        best = now.best[0, : FORMATION_COUNT * ARRANGEMENT_COUNTS[roll]]
        gains = np.where(best > NOTHING, best, now.now[0])
        own = best.max() if best.max() > NOTHING else now.now[0]
        total += ROLL_WEIGHTS[roll] * (own if is_own else np.minimum.outer(gains, gains).mean())
    assert outlook_multiplayer(now, 0, 0 if is_own else 1, worths) == pytest.approx(total / 81, abs=1e-6)


# --- The pace of others


def test_others_write_as_many_symbols_as_fit() -> None:
    stream, taken = stream_of(1), PRINTED
    for formation in range(len(FORMATIONS)):
        after = np.uint64(cells_after_filling(taken, formation, stream))
        assert int(after).bit_count() == int(taken).bit_count() + 4
        taken = after
    full = np.uint64(GRID)
    corner = full & ~np.uint64(1)
    assert all(cells_after_filling(full, formation, stream) == full for formation in range(len(FORMATIONS)))
    assert all(cells_after_filling(corner, formation, stream) == full for formation in range(len(FORMATIONS)))


def rounds_among(others: int, seed: int) -> int:
    """Return how many rounds a game lasts that others end."""
    luck, stream, opponents, work = random.Random(seed), stream_of(seed), Opponents.blank(), Work.blank()
    opponents.number[0], opponents.taken[:], rounds = others, PRINTED, 0
    while least_live(work, opponents) > DONE:
        fill_up(opponents, luck.randrange(len(FORMATIONS)), stream)
        rounds += 1
    return rounds


def test_the_more_others_there_are_the_sooner_a_game_ends() -> None:
    few, many = (mean(rounds_among(others, seed) for seed in range(40)) for others in (1, 3))
    assert 12 < many < few - 0.5
    assert few < 17
