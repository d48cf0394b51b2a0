"""Elo, error bars and sequential tests are what the formulas say."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from smalti.arena.standings import fitted
from smalti.arena.statistics import Range, Scale, SequentialTest, finite, mean_range, range_text, share_range

TWO = Scale(((1, 2), (1, 2)))
FOUR = Scale(((1, 4),) * 4)


def tossed(share: float, blocks: int, seed: int) -> list[float]:
    """Return the shares of pairs of coins."""
    luck = random.Random(seed)
    return [sum(luck.random() < share for _ in range(2)) / 2 for _ in range(blocks)]


@pytest.mark.parametrize(("share", "elo"), [(0.5, 0), (0.64, 99.95), (0.926, 439), (0.0909090909, -400)])
def test_elo_of_two_seats_is_the_usual_one(share: float, elo: float) -> None:
    assert TWO.elo(share) == pytest.approx(elo, abs=0.6)
    assert TWO.share(TWO.elo(share)) == pytest.approx(share)


def test_equals_share_the_win_at_every_table() -> None:
    assert (TWO.par, FOUR.par, FOUR.elo(0.25)) == pytest.approx((0.5, 0.25, 0), abs=1e-5)
    assert Scale(((1, 3), (2, 3))).elo(0.5) == pytest.approx(0, abs=1e-5)
    assert FOUR.elo(0.5) == pytest.approx(400 * math.log10(3), abs=1e-4)


def test_all_or_nothing_is_infinite_with_one_end() -> None:
    found = TWO.elo_range([1.0] * 20)
    assert (found.value, found.high) == (math.inf, math.inf)
    assert 200 < found.low < 400
    assert range_text(found, str).startswith("above")
    assert range_text(TWO.elo_range([0.0] * 20), str).startswith("below")
    assert finite(found.value) is None


def test_error_bars_hold_the_truth_nineteen_times_in_twenty() -> None:
    for share in (0.5, 0.7, 0.95):
        ranges = [share_range(tossed(share, 60, seed)) for seed in range(400)]
        held = sum(found.low <= share <= found.high for found in ranges) / len(ranges)
        assert 0.92 < held <= 0.99, share


def test_luck_that_cancels_out_within_a_pair_makes_the_error_smaller() -> None:
    alternating, even = [0.0, 1.0] * 50, [0.5] * 100
    assert share_range(even).low > 0.48
    assert share_range(alternating).low < 0.42


def test_the_mean_of_points_has_an_error_bar() -> None:
    assert mean_range([1.0, 3.0]) == pytest.approx(Range(2.0, 2 - 1.96, 2 + 1.96), abs=1e-9)


def test_a_sequential_test_is_right_nineteen_times_in_twenty() -> None:
    test = SequentialTest(TWO, 0, 50)
    for share, right in ((TWO.share(0), "not better"), (TWO.share(50), "better")):
        verdicts = []
        for seed in range(60):
            shares = tossed(share, 1500, seed)
            stops = (test.verdict(shares[:blocks]) for blocks in range(10, 1500, 10))
            verdicts.append(next((verdict for verdict in stops if verdict), ""))
        assert verdicts.count(right) >= 54
    assert test.verdict([1.0] * 3) == ""


def test_strengths_that_made_the_results_are_found_again() -> None:
    strengths = np.array([1.0, 3.0, 10.0])
    tables = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 2]], float)
    wins = 1000 * tables * strengths / (tables @ strengths)[:, None]
    found = fitted(tables, wins)
    assert found / found[0] == pytest.approx(strengths, rel=1e-4)
