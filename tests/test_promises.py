"""The promises every game keeps, checked all along random games with every number of players and every option."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smalti
from smalti.engine.bits import count
from smalti.engine.game import Game
from smalti.engine.match import Match
from smalti.engine.promises import (
    CHECKS,
    bare_words_only_end_something,
    chance_names_its_pieces,
    tables_know_their_seats,
)
from smalti.engine.record import bytes_of, copy_of
from smalti.engine.rules import CHANCE, NOBODY, acting, hide
from smalti.games.mozaika.tables import COLOUR_OF, SYMBOL_OF
from smalti.games.patterns import notation
from tests.support import (
    EVERY_SETTING,
    EVERY_SETTING_OF_EVERY_VERSION,
    SETTING_NAMES,
    few,
    name_of,
    random_match,
    step,
)

Setting = tuple[Game, int, dict[str, str]]
seeds = st.integers(0, 2**32 - 1)
steady = settings(max_examples=few(12))
every_setting = pytest.mark.parametrize("setting", EVERY_SETTING, ids=SETTING_NAMES)


every_version = pytest.mark.parametrize("setting", EVERY_SETTING_OF_EVERY_VERSION, ids=name_of)


@every_version
@steady
@given(seed=seeds)
def test_every_promise_holds_somewhere_in_a_random_game(setting: Setting, seed: int) -> None:
    luck = random.Random(seed)
    match = random_match(*setting, luck, events=luck.randrange(120))
    for check in CHECKS:
        check(match, luck)


def test_a_bare_word_that_brings_points_breaks_a_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    match, luck = random_match(smalti.games.find("patterns"), 2, {}, random.Random(1), 9), random.Random(1)
    bare_words_only_end_something(match, luck)
    monkeypatch.setattr(notation, "TEXTS", tuple(text.replace(" ", "") for text in notation.TEXTS))
    with pytest.raises(AssertionError):
        bare_words_only_end_something(match, luck)


def test_two_moves_of_chance_that_bring_the_same_break_a_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    match, luck = Match(smalti.games.find("patterns"), 2), random.Random(1)
    chance_names_its_pieces(match, luck)
    for same in ("deal K", "deal"):
        texts = tuple(same if text.startswith("deal") else text for text in notation.TEXTS)
        monkeypatch.setattr(notation, "TEXTS", texts)
        with pytest.raises(AssertionError):
            chance_names_its_pieces(match, luck)


def test_a_table_that_does_not_know_its_seats_breaks_a_promise() -> None:
    match, luck = Match(smalti.games.find("mozaika"), 3), random.Random(1)
    tables_know_their_seats(match, luck)
    table = match.table
    table.seats = 4
    with pytest.raises(AssertionError):
        tables_know_their_seats(match.at(table), luck)


@every_version
@steady
@given(seed=seeds)
def test_every_game_ends_and_its_record_verifies(setting: Setting, seed: int) -> None:
    match = random_match(*setting, random.Random(seed))
    record = smalti.record_of(match)
    assert smalti.verify(record) == match
    assert record.winners == match.winners
    assert match.seats == 1 or match.winners_among(range(match.seats)) == match.winners
    assert not match.acting
    assert not match.awaits_chance


def lengths(match: Match) -> tuple[int, int]:
    """Count the moves of the seats, and those of chance one by one."""
    again, chances = Match(match.game, match.seats, match.options), 0
    for by, do in match.events:
        chances += len(match.game.notation.chance_moves(again.table, do)) if by is None else 0
        again.play(by, do)
    return sum(by is not None for by, _ in match.events), chances


@every_setting
@steady
@given(seed=seeds)
def test_no_game_is_longer_than_declared(setting: Setting, seed: int) -> None:
    game, seats, _ = setting
    decisions, chances = lengths(random_match(*setting, random.Random(seed)))
    assert decisions <= game.longest(seats).decisions
    assert chances <= game.longest(seats).chances


@every_setting
def test_probabilities_of_chance_add_up_to_one(setting: Setting) -> None:
    luck = random.Random(5)
    match = Match(*setting)
    for _ in range(60):
        if match.awaits_chance:
            assert sum(match.chances().values()) == pytest.approx(1)
        if match.is_over:
            break
        step(match, luck)


# --- Nothing is lost


def patterns_stock(table: Any) -> dict[str, int]:
    """Nine tiles of each colour once all are dealt: on the mandala, in bowls, or waiting to be given."""
    if table.phase == 0:
        return {"spaces": 52}
    given = table.phase > 1
    stock = {}
    for colour in range(6):
        on_board = count(table.front[colour]) + sum(count(table.groups[seat, colour]) for seat in range(2))
        in_bowls = sum(int(table.bowls[seat]) == colour for seat in range(2)) if given else 0
        waiting = 0 if given else 9 - on_board
        stock["KOGLDS"[colour]] = on_board + in_bowls + waiting
    return stock


def mozaika_stock(table: Any) -> dict[str, int]:
    """The same number of each tile, wherever it lies."""
    stock = {}
    for tile in range(12):
        hidden = int(table.bag[tile]) + int(table.display[tile]) + int(table.hands[:, tile].sum())
        laid = sum(
            count(int(table.colours[seat, COLOUR_OF[tile]]) & int(table.symbols[seat, SYMBOL_OF[tile]]))
            for seat in range(table.seats)
        )
        stock[str(tile)] = hidden + laid
    return stock


def mosaix_stock(table: Any) -> dict[str, int]:
    """No cell has two symbols, and every cell is on the grid."""
    grids = [[int(table.grids[seat, symbol]) for symbol in range(3)] for seat in range(table.seats)]
    grid = sum(1 << 8 * row + column for row in range(7) for column in range(7))
    return {
        "cells with two symbols": sum(count(a & b) + count(a & c) + count(b & c) for a, b, c in grids),
        "cells off the grid": sum(count(cells & ~grid) for three in grids for cells in three),
    }


STOCKS: dict[str, Callable[[Any], dict[str, int]]] = {
    "patterns": patterns_stock,
    "mozaika": mozaika_stock,
    "mosaix": mosaix_stock,
}


@every_setting
def test_nothing_is_lost(setting: Setting) -> None:
    game, _, _ = setting
    for seed in range(few(10)):
        luck, match = random.Random(seed), Match(*setting)
        dealt = None
        while not match.is_over:
            step(match, luck)
            dealt = dealt or STOCKS[game.name](match.table)
            assert STOCKS[game.name](match.table) == dealt, match.events[-1]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_coins_come_only_from_income_and_go_only_into_bids(seats: int) -> None:
    for seed in range(few(10)):
        luck, match = random.Random(seed), Match(smalti.games.find("mozaika"), seats)
        purse, bids = [10] * seats, dict[int, int]()
        while not match.is_over:
            before = match.copy()
            step(match, luck)
            by, do = match.events[-1]
            if by is not None and do.startswith("lay"):
                purse[by] += income(before, by, do)
            if by is not None and do.startswith("bid"):
                bids[by] = int(do[4:])
            if len(bids) == seats:
                purse = [coins - bids[seat] for seat, coins in enumerate(purse)]
                bids = {}
            if not bids:
                assert match.table.coins[:seats].tolist() == purse


def income(match: Match, seat: int, event: str) -> int:
    """Count MZ-9 on the drawing, without the rules' code."""
    _, tile, cell = event.split()
    board = match.view(seat).places[seat].board
    column, row = "abcd".index(cell[0]), int(cell[1]) - 1
    beside = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
    tiles = [board[y][x] for x, y in beside if 0 <= x < 4 and 0 <= y < 4 and board[y][x] != "."]
    return sum((other[0] == tile[0]) + (other[1] == tile[1]) for other in tiles)


# --- What is hidden stays hidden


@steady
@given(seed=seeds, seats=st.sampled_from([3, 4, 5]))
def test_tables_that_differ_only_in_a_secret_look_the_same(seed: int, seats: int) -> None:
    luck = random.Random(seed)
    match = random_match(smalti.games.find("mozaika"), seats, {"hands": "hidden"}, luck, luck.randrange(200))
    while match.awaits_chance:
        match.draw(luck)
    seat = luck.randrange(seats)
    other = with_other_secrets(match.table, seat, luck)
    views = []
    for table in (match.table, other):
        hide(table, seat)
        views.append((bytes_of(table), match.game.shown(table, seat), match.game.boards(table)))
    assert views[0] == views[1]


def test_secrets_that_are_dealt_anew_are_others() -> None:
    """Else the tests of what is hidden would compare a table with itself."""
    luck = random.Random(1)
    match = random_match(smalti.games.find("mozaika"), 3, {"hands": "hidden"}, luck, 12)
    others = {bytes_of(with_other_secrets(match.table, 0, luck)) for _ in range(20)}
    assert len(others | {bytes_of(match.table)}) > 10


def with_other_secrets(table: Any, seat: int, luck: random.Random) -> Any:
    """Re-deal what this seat cannot see: the others' hands and the bag, and the others' sealed bids."""
    changed = copy_of(table)
    others = [s for s in range(table.seats) if s != seat]
    pool = [tile for tile in range(12) for _ in range(int(table.bag[tile]) + int(table.hands[others, tile].sum()))]
    luck.shuffle(pool)
    for other in others:
        size = int(table.hands[other].sum())
        hand, pool = pool[:size], pool[size:]
        changed.hands[other] = [hand.count(tile) for tile in range(12)]
    changed.bag[:] = [pool.count(tile) for tile in range(12)]
    if table.phase == 2:
        for other in others:
            if not table.waiting >> other & 1:
                changed.bids[other] = luck.randrange(int(table.coins[other]) + 1)
    return changed


def test_an_onlooker_sees_no_sealed_bid_and_no_hidden_hand() -> None:
    match = random_match(smalti.games.find("mozaika"), 3, {"hands": "hidden"}, random.Random(2), 4)
    assert match.awaits_chance
    match.draw(random.Random(3))
    match.play(0, "bid 4")
    for view in (match.view(None), match.view(1)):
        assert view.places[0].bid is None
        assert view.places[0].hand is None
        assert view.waiting == (1, 2)
    assert match.view(0).places[0].bid == 4
    assert match.view(0).places[0].hand is not None


def test_chance_and_nobody_are_no_seats() -> None:
    match = Match(smalti.games.find("mosaix"), 2)
    assert acting(match.table) == CHANCE
    assert NOBODY not in match.acting
