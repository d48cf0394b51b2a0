"""Patterns: the deal and the start tiles. (PT-1 to PT-3)"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from smalti import BadNotation, Match
from smalti.games.patterns import GAME
from tests.games.patterns.mandalas import DEAL, DEALT, ROWS
from tests.games.tables import played
from tests.support import few

CENTRE = ("d4", "e4", "d5", "e5")


def test_tiles_lie_front_up_in_reading_order() -> None:
    """PT-1."""
    fronts = played("patterns", 2, DEAL).view(0).fronts
    rows = [line.split() for line in ROWS.strip().splitlines()]
    expected = {
        f"{'abcdefgh'[4 - len(row) // 2 + column]}{number}": colour
        for number, row in enumerate(rows, 1)
        for column, colour in enumerate(row)
    }
    assert fronts == expected


@pytest.mark.parametrize("seed", range(few(20)))
def test_every_deal_has_eight_of_each_colour_round_four_different_ones(seed: int) -> None:
    """PT-1, PT-2."""
    match = Match(GAME, 2)
    match.draw(random.Random(seed))
    fronts = match.view(None).fronts
    assert len(fronts) == 52
    assert Counter(colour for cell, colour in fronts.items() if cell not in CENTRE) == dict.fromkeys("KOGLDS", 8)
    assert len({fronts[cell] for cell in CENTRE}) == 4


def test_the_two_colours_that_are_not_in_the_centre_remain() -> None:
    """PT-2."""
    assert played("patterns", 2, DEAL).legal(1) == ["give G", "give D"]


def test_the_start_tiles_may_be_named_in_either_order() -> None:
    assert played("patterns", 2, f"- deal {DEALT} DG") == played("patterns", 2, DEAL)


@pytest.mark.parametrize(("given", "bowls"), [("G", ("G", "D")), ("D", ("D", "G"))])
def test_seat_1_decides_about_the_bowls_and_seat_0_starts(given: str, bowls: tuple[str, str]) -> None:
    """PT-3."""
    match = played("patterns", 2, DEAL)
    assert match.acting == {1}
    match.play(1, f"give {given}")
    assert match.view(None).bowls == bowls
    assert match.acting == {0}


def test_before_anything_is_opened_every_space_and_nothing_else_can_be() -> None:
    """PT-4, PT-5, PT-6."""
    match = played("patterns", 2, f"{DEAL}\n1 give G")
    assert len(match.legal(0)) == 52
    assert all(event.startswith("open ") for event in match.legal(0))


@pytest.mark.parametrize(
    "text",
    ["deal", f"deal {DEALT}", f"deal {DEALT[:-1]} GD", f"deal {DEALT.lower()} GD", f"deal {DEALT} G D", "roll ootx"],
)
def test_what_is_no_deal_is_not_understood(text: str) -> None:
    with pytest.raises(BadNotation):
        Match(GAME, 2).play(None, text)


@pytest.mark.parametrize("text", ["open a1", "open i5", "flip", "swap d9", "give X", "give", "pass", "", "Open d4"])
def test_what_is_no_event_is_not_understood(text: str) -> None:
    """Of the row 1 only c1 to f1 are spaces."""
    with pytest.raises(BadNotation):
        played("patterns", 2, DEAL).play(1, text)
