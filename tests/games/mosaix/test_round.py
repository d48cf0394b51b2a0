"""Mosaix: the cards, the roll, the formation, and who writes it. (MX-1 to MX-3, MX-6, MX-7)"""

from __future__ import annotations

import itertools
import random

import pytest

from smalti import BadNotation, Match
from smalti.games.mosaix import GAME
from tests.games.mosaix.grids import accepted, formed, full_but, grid, rows_of, symbols_of
from tests.games.tables import play_log, played
from tests.support import few

CENTRE = "- deal o@d4 x@d4 t@d4"


def test_everyone_gets_a_card_and_seat_0_rolls_first() -> None:
    """MX-1."""
    match = played("mosaix", 3, f"{CENTRE}\n- roll ootx")
    assert [symbols_of(match, seat) for seat in range(3)] == [{"d4": "o"}, {"d4": "x"}, {"d4": "t"}]
    assert match.acting == {0}


@pytest.mark.parametrize("seed", range(few(10)))
def test_by_default_the_symbol_is_printed_in_the_centre(seed: int) -> None:
    """R1."""
    match = Match(GAME, 4)
    match.draw(random.Random(seed))
    assert [list(symbols_of(match, seat)) for seat in range(4)] == [["d4"]] * 4


@pytest.mark.parametrize("seed", range(few(10)))
def test_scattered_cards_are_four_different_ones(seed: int) -> None:
    """R1."""
    match = Match(GAME, 4, {"cards": "scattered"})
    match.draw(random.Random(seed))
    assert {cell for seat in range(4) for cell in symbols_of(match, seat)} == {"c3", "c4", "e4", "e5"}


@pytest.mark.parametrize(("roll", "orders"), [("oooo", 1), ("ooox", 4), ("ooxx", 6), ("ootx", 12)])
def test_the_roller_may_choose_any_formation_and_any_order(roll: str, orders: int) -> None:
    """MX-2."""
    match = played("mosaix", 3, f"{CENTRE}\n- roll {roll}")
    arranged = {f"form {name} {''.join(order)}" for name in "IOTSZLJ" for order in itertools.permutations(roll)}
    assert set(match.legal(0)) == arranged
    assert len(match.legal(0)) == len(arranged) == 7 * orders


def test_a_roll_is_as_likely_as_its_dice() -> None:
    """MX-2: four equal dice come up once in 81 rolls, two equal ones and both others twelve times."""
    chances = {GAME.text(move): 81 * share for move, share in played("mosaix", 3, CENTRE).chances().items()}
    assert chances["roll oooo"] == pytest.approx(1)
    assert chances["roll ootx"] == pytest.approx(12)
    assert sum(chances.values()) == pytest.approx(81)


def test_everyone_writes_the_same_formation_each_where_they_like() -> None:
    """MX-3."""
    match = played("mosaix", 3, f"{CENTRE}\n- roll oott\n0 form I otto")
    assert match.acting == {0, 1, 2}
    play_log(match, "2 place 1 1,1\n0 place 0 4,7\n1 place 2 1,1")
    assert symbols_of(match, 0) == {"d4": "o", "d7": "o", "e7": "t", "f7": "t", "g7": "o"}
    assert symbols_of(match, 1) == {"d4": "x", "a1": "o", "b1": "t", "c1": "t", "d1": "o"}
    assert symbols_of(match, 2) == {"d4": "t", "a1": "o", "a2": "t", "a3": "t", "a4": "o"}


def test_the_order_of_writing_does_not_matter() -> None:
    """MX-3."""
    lines = ["0 place 0 4,7", "1 place 2 1,1", "2 place 1 1,1"]
    start = f"{CENTRE}\n- roll oott\n0 form I otto"
    ends = {played("mosaix", 3, "\n".join([start, *order])) for order in itertools.permutations(lines)}
    assert len(ends) == 1


def test_the_dice_go_round_clockwise() -> None:
    """MX-7."""
    match = played("mosaix", 3, CENTRE)
    rollers = []
    for row in range(4):
        formed(match, "I oooo")
        rollers.append(match.events[-1].by)
        for seat in range(3):
            match.play(seat, f"place 1 {row + (row > 2) + 1},1")
    assert rollers == [0, 1, 2, 0]


def test_who_cannot_write_passes_and_the_game_goes_on() -> None:
    """MX-6, R2, R3: the roller, too, may arrange what fits nowhere on the own grid."""
    match = formed(grid(full_but("a4")), "O ootx")
    assert match.legal(0) == ["pass"]
    play_log(match, "0 pass\n1 place 0 1,1")
    assert match.awaits_chance
    formed(match, "I ootx")
    assert "pass" not in match.legal(0)


def test_only_who_can_write_nothing_is_told_the_rule_of_passing() -> None:
    """MX-6: a page shows the number it is given, and knows none."""
    match = formed(grid(full_but("a4")), "O ootx")
    assert [match.view(seat).passes for seat in (0, 1, None)] == ["MX-6", None, None]
    match.play(0, "pass")
    assert match.view(0).passes is None


# Which formations a nearly full grid still takes.
HOLES = {
    "a border cell that is no corner takes every formation but O": (("a4",), "ITSZLJ"),
    "so does one at the top": (("d1",), "ITSZLJ"),
    "and one at the right, beside a corner": (("g2",), "ITSZLJ"),
    "and one at the bottom": (("c7",), "ITSZLJ"),
    "a corner takes all seven": (("a1",), "IOTSZLJ"),
    "every corner does": (("g7",), "IOTSZLJ"),
    "two border cells side by side take O": (("d1", "e1"), "IOTSZLJ"),
    "a lone inner cell takes none": (("d4",), ""),
    "nor do three inner cells": (("c4", "d4", "d5"), ""),
    "four inner cells in a square take only O": (("c3", "d3", "c4", "d4"), "O"),
    "four inner cells in a line take only I": (("b2", "b3", "b4", "b5"), "I"),
    "S is not Z, for nothing is mirrored": (("c3", "d3", "b4", "c4"), "S"),
    "L is not J": (("d3", "b4", "c4", "d4"), "L"),
}


@pytest.mark.parametrize(("holes", "formations"), HOLES.values(), ids=HOLES)
def test_what_fits_into_holes(holes: tuple[str, ...], formations: str) -> None:
    """MX-3 to MX-6."""
    assert accepted(full_but(*holes)) == formations


def test_what_was_written_stays() -> None:
    match = formed(grid(full_but("a4")), "I ootx")
    before = rows_of(match)
    match.play(0, "place 0 -2,4")
    assert [row.replace(".", "x") for row in before] == rows_of(match)


@pytest.mark.parametrize("text", ["roll xtoo", "roll oot", "roll oooz", "roll  ootx", "deal o@d4", "ootx", ""])
def test_what_is_no_roll_is_not_understood(text: str) -> None:
    """MX-2: a roll is written with its dice sorted."""
    with pytest.raises(BadNotation):
        played("mosaix", 3, CENTRE).play(None, text)


@pytest.mark.parametrize("text", ["deal o@d4 x@d4", "deal o@d4 x@d4 t@d4 t@d4", "deal z@d4 x@d4 t@d4", "roll ootx"])
def test_what_is_no_deal_is_not_understood(text: str) -> None:
    with pytest.raises(BadNotation):
        Match(GAME, 3).play(None, text)


@pytest.mark.parametrize(
    "text", ["form X ootx", "form L oot", "place 4 1,1", "place 1 1", "place 01 1,1", "flip a1", ""]
)
def test_what_is_no_event_is_not_understood(text: str) -> None:
    with pytest.raises(BadNotation):
        played("mosaix", 3, f"{CENTRE}\n- roll ootx").play(0, text)
