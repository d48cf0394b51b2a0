"""Patterns: which actions are legal. (PT-4 to PT-9)

Drawings show c3 to f6: k is a black front, K0 a black back of seat 0, K0* has the marker.
"""

from __future__ import annotations

import pytest

from tests.games.patterns.mandalas import middle
from tests.games.tables import refusal_of

# Name, drawing, all legal actions of seat 0.
CHOICES = {
    "PT-5 beside a group, not at its corner": (
        """
        k . . .
        . K0* k .
        . o k .
        . . . .
        river 0: K
        bowl 0: K
        bowl 1: S
        """,
        {"flip e4", "swap e4", "swap d5"},
    ),
    "PT-5 only in the colour of the group it touches": (
        """
        . . . .
        k O0* . .
        . . k K0*
        . . . .
        river 0: O K
        bowl 0: O
        """,
        {"flip e5", "swap c4"},
    ),
    "PT-4 open anywhere, but only a colour that is not opened": (
        """
        k . . o
        . . . .
        . K0* . .
        g . . .
        river 0: K
        bowl 0: S
        """,
        {"open c3", "open f3", "open c6"},
    ),
    "PT-7 backs never change, whoever they belong to": (
        """
        . . . .
        . K0* K0 .
        . O1* o .
        . . . .
        river 0: K
        river 1: O
        bowl 0: K
        """,
        {"swap e5"},
    ),
    "PT-7 a front makes no group and no link": (
        """
        . . . .
        K0* k k .
        . . . .
        . . . .
        river 0: K
        bowl 0: K
        """,
        {"flip d4", "swap d4"},
    ),
    "PT-8 beside the opponent's group nothing opens in its colour, at its corner it may": (
        """
        . o . .
        o K1* o .
        . o o .
        . . . .
        river 1: K
        bowl 0: K
        """,
        {"open e5"},
    ),
    "PT-8 any other colour may touch the opponent's group": (
        """
        . o . .
        o K1* o .
        . o o .
        . . . .
        river 1: K
        bowl 0: G
        """,
        {"open d3", "open c4", "open e4", "open d5", "open e5"},
    ),
    "PT-8 a tile between two green groups turns green for nobody": (
        """
        . . . .
        . G1* g G0*
        . . . .
        . . . .
        river 0: G
        river 1: G
        bowl 0: G
        bowl 1: G
        """,
        set(),
    ),
    "PT-8 but another colour can go between them": (
        """
        . . . .
        . G1* g G0*
        . . K0* .
        . . . .
        river 0: G K
        river 1: G
        bowl 0: K
        """,
        {"swap e4"},
    ),
}


@pytest.mark.parametrize(("drawing", "actions"), CHOICES.values(), ids=CHOICES)
def test_these_actions_are_legal_and_no_others(drawing: str, actions: set[str]) -> None:
    assert set(middle(drawing).legal(0)) == actions


def test_a_tile_between_two_groups_is_closed_to_both_seats() -> None:
    """PT-8."""
    drawing = CHOICES["PT-8 a tile between two green groups turns green for nobody"][0]
    for seat in (0, 1):
        for action in ("flip e4", "swap e4"):
            assert refusal_of(middle(drawing, seat), seat, action).rule == "PT-8"


def test_flipping_brings_the_next_tile_within_reach() -> None:
    """PT-5: a black group at d4; the black tile on e4 may be flipped, the one on e5 only after it."""
    match = middle(CHOICES["PT-5 beside a group, not at its corner"][0])
    assert refusal_of(match, 0, "flip e5").reason == "patterns.not-beside-own"
    match.play(0, "flip e4")
    match.play(1, "open d5")
    match.play(0, "flip e5")
    assert match.scores == [2, 0]


def test_swapping_onto_the_same_colour_is_the_same_as_flipping() -> None:
    """PT-9."""
    drawing = CHOICES["PT-5 beside a group, not at its corner"][0]
    flipped, swapped = middle(drawing), middle(drawing)
    flipped.play(0, "flip e4")
    swapped.play(0, "swap e4")
    assert flipped == swapped


def test_both_seats_act_by_the_same_rules() -> None:
    """PT-4 to PT-9: exchange the seats in a drawing, and the same actions are legal."""
    exchanged = str.maketrans("01", "10")
    for drawing, actions in CHOICES.values():
        assert set(middle(drawing.translate(exchanged), turn=1).legal(1)) == actions
