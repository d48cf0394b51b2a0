"""What holds for the bots of Mozaika that learned: boards are weighed right, and bids are in balance."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from smalti import games
from smalti.bots.mozaika.evaluate.board_value import hold, worth_now
from smalti.bots.mozaika.evaluate.feature_index import list_features
from smalti.bots.mozaika.evaluate.features import (
    COIN,
    FLY_COUNTS,
    MOST_FEATURES,
    NONE,
    ROW,
    ROWS,
    SIZE,
    VERSION,
    first_weights,
)
from smalti.bots.mozaika.evaluate.moves import LAYS, NOTHING, best_fly, best_lay, income
from smalti.bots.mozaika.evaluate.scratch import BoardScratch, note_flies, put_tile, set_out
from smalti.bots.mozaika.evaluate.win_probability import envies, lead, win_probability
from smalti.bots.mozaika.search.auction import Auction
from smalti.bots.mozaika.search.picking import envious_pick, line_up, note_places, take_from, would_miss
from smalti.bots.mozaika.search.regret_matching import balance
from smalti.bots.weights import shipped
from smalti.engine.chance import stream_of
from smalti.engine.compiled import settings
from smalti.engine.match import Match
from smalti.engine.rules import score
from smalti.games.mozaika.tables import CELLS, LAYING, PICKING
from tests.support import few, step

GAME = games.find("mozaika")


def any_weights() -> Any:
    return np.random.default_rng(1).normal(size=SIZE).astype(np.float32)


def tables_on_the_way(seats: int, seed: int, phase: int) -> Iterator[Any]:
    """Give the tables of a random match in one phase, the first of each round."""
    match, luck, known = Match(GAME, seats), random.Random(seed), 0
    while not match.is_over:
        if match.table.phase == phase and match.table.round_number > known:
            known = int(match.table.round_number)
            yield match.table
        step(match, luck)


def ended(seats: int, seed: int) -> Match:
    match, luck = Match(GAME, seats), random.Random(seed)
    while not match.is_over:
        step(match, luck)
    return match


def board_of(table: Any, seat: int) -> Any:
    board = BoardScratch.batch(1)[0]
    set_out(board, table, seat)
    return board


def worth_from_scratch(board: Any, weights: Any) -> float:
    hold(board, NONE, weights)
    return float(worth_now(board, weights))


# --- Weighing


def test_a_lay_is_weighed_by_what_it_changes_as_the_board_after_it() -> None:
    weights, worths = any_weights(), np.zeros(LAYS)
    for table in list(tables_on_the_way(4, 1, LAYING))[:: 3 if few(2) > 1 else 8]:
        best_lay(board_of(table, 0), 0, NONE, weights, worths)
        for lay in np.flatnonzero(worths > NOTHING)[::3]:
            tile, cell = divmod(int(lay), CELLS)
            board = board_of(table, 0)
            board.coins += income(board, tile, cell)
            put_tile(board, tile, cell)
            board.hand[tile] -= 1
            assert worths[lay] == pytest.approx(worth_from_scratch(board, weights), abs=1e-4)


def test_a_fly_is_weighed_by_what_it_changes_as_the_board_with_it() -> None:
    weights, changes = any_weights(), np.zeros(LAYS)
    for table in list(tables_on_the_way(5, 2, PICKING))[::4]:
        board = board_of(table, 1)
        before = worth_from_scratch(board, weights)
        best_fly(board, NONE, NONE, weights, changes)
        for cell in np.flatnonzero(changes[:CELLS] > NOTHING):
            other = board_of(table, 1)
            note_flies(other, int(board.flies) | 1 << int(cell))
            assert int(board.flown.max()) < FLY_COUNTS
            assert changes[cell] == pytest.approx(worth_from_scratch(other, weights) - before, abs=1e-4)


@pytest.mark.parametrize("weights", [first_weights(), shipped("mozaika", VERSION)["worths"][1] / np.float32(256)])
def test_a_full_board_is_worth_what_it_scores(weights: Any) -> None:
    for seed in range(few(20)):
        match, points = ended(4, seed), np.zeros(5, np.int32)
        score(match.table, points)
        for seat in range(4):
            assert worth_from_scratch(board_of(match.table, seat), weights) == points[seat]


def test_features_are_few_and_stand_in_their_row() -> None:
    weights, features = any_weights(), np.zeros(MOST_FEATURES, np.int32)
    for table in tables_on_the_way(3, 3, PICKING):
        board = board_of(table, 2)
        worth = worth_from_scratch(board, weights)
        found = features[: list_features(board, features)]
        row = ROW * (int(board.lying) - 1)
        assert len(found) < MOST_FEATURES
        assert row <= found.min() <= found.max() < row + ROW <= ROWS * ROW
        assert worth == pytest.approx(weights[found].sum() + weights[row + COIN + board.coins], abs=1e-3)


# --- Auctions


def small_auction(coins: list[int], coin: float) -> Any:
    """Return an auction without flies: one tile is worth a point to all, the others nothing; seat 0 starts."""
    auction = Auction.batch(1)[0]
    auction.seats, auction.kinds = len(coins), 2
    auction.tiles[:2] = 1, len(coins)
    auction.worth[:, 0] = 1.0
    auction.liking[:, 1] = 1
    auction.coins[: len(coins)] = auction.most[: len(coins)] = coins
    auction.purse[:] = coin * np.arange(auction.purse.shape[1])
    return auction


def mixture(auction: Any, seat: int) -> Any:
    bids = auction.balanced[seat, : int(auction.most[seat]) + 1]
    return bids / bids.sum()


def test_bids_find_the_balance_of_a_small_auction() -> None:
    """Who wins ties must bid 0 as often as a coin is worth of the tile, the other must bid 1 as often."""
    auction = small_auction([1, 1, 0], 0.3)
    balance(auction, 500 if settings.DISABLE_JIT else 20_000, stream_of(1))
    off = 0.15 if settings.DISABLE_JIT else 0.03
    assert mixture(auction, 0)[0] == pytest.approx(0.3, abs=off)
    assert mixture(auction, 1)[1] == pytest.approx(0.3, abs=off)


def test_who_alone_has_coins_pays_as_little_as_will_do() -> None:
    auction = small_auction([0, 5, 0], 0.1)
    balance(auction, 300, stream_of(1))
    assert mixture(auction, 1)[1] > 0.95


def test_who_reckons_with_aggressive_bids_bids_more() -> None:
    auction = small_auction([6, 6, 6], 0.1)
    means = []
    for auction.aggression in (0.0, 0.9):
        balance(auction, 1000, stream_of(2))
        means.append(mixture(auction, 1) @ np.arange(7))
    assert means[1] > means[0] + 1


def test_seats_pick_in_the_order_of_the_rules() -> None:
    """MZ-5: seats 0 to 3, seat 3 starts, bids 2, 3, 3, 4."""
    auction = small_auction([9, 9, 9, 9], 0.1)
    auction.starter = 3
    auction.bid[:4] = 2, 3, 3, 4
    line_up(auction, NONE)
    assert auction.line[:4].tolist() == [3, 1, 2, 0]


def test_the_envious_take_what_others_need() -> None:
    """Seat 0 likes the first tile a little better, but the second one is worth far more to whoever is behind."""
    auction = small_auction([0, 0, 0], 0.1)
    auction.tiles[:2] = 1, 1
    auction.kinds, auction.tiles[2] = 3, 2
    auction.worth[:, :3] = [[1.0, 0.9, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, 0.0], [0, 0, 0], [0, 0, 0]]
    auction.liking[:, :3] = [[0, 1, 2], [1, 0, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]
    line_up(auction, NONE)
    assert envious_pick(auction, 0, 0) == 0
    auction.taken[:] = 0
    auction.envy[0, 1] = 0.5
    assert envious_pick(auction, 0, 0) == 1


def test_those_in_front_take_what_somebody_behind_would_miss() -> None:
    """Seat 0 likes the first tile better by two points, which is what it gives for four that another loses."""
    auction = small_auction([0, 0, 0], 0.1)
    auction.kinds, auction.tiles[:3] = 3, (1, 1, 2)
    auction.liking[:2, :3] = [[0, 1, 2], [1, 0, 2]]
    for worth, kind, left in ((3.0, 0, 3.0), (5.0, 1, 0.0)):
        auction.worth[:2, :3] = [[3.0, 1.0, 0.0], [0.0, worth, 0.0]]
        auction.taken[:] = 0
        assert would_miss(auction, 1) == (1, worth)
        assert take_from(auction, 0, 1) == kind
        note_places(auction, 1)
        assert auction.place_own[:2].tolist() == [worth, left]
    auction.taken[:], auction.tiles[1] = 0, 2
    assert would_miss(auction, 1) == (1, 0.0)


# --- Winning


def test_chances_add_up() -> None:
    means = np.array([20.0, 24.0, 23.0, 15.0])
    chances = [win_probability(means, seat, 8.0) for seat in range(4)]
    assert sum(chances) == pytest.approx(1, abs=0.01)
    assert sorted(chances) == [chances[seat] for seat in np.argsort(means)]


def test_who_is_sure_of_a_lead_has_it() -> None:
    assert lead(np.array([30.0, 20.0, 10.0]), 0, 0.4) == pytest.approx(10, abs=0.1)
    assert lead(np.array([20.0, 20.0, 20.0]), 0, 8.0) < 0


def test_those_in_front_are_envied_most() -> None:
    envy = envies(np.array([20.0, 22.0, 2.0]), 6.0)
    assert envy.sum(axis=1) == pytest.approx(1)
    assert envy[0, 1] > 0.8
    assert envy.diagonal() == pytest.approx(0)
