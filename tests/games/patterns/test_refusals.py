"""Patterns: everything that is refused, with its rule."""

from __future__ import annotations

import pytest

from smalti import Match
from smalti.games.patterns import GAME
from smalti.games.patterns.reasons import refusal as reasons
from tests.games.patterns.mandalas import DEAL, DEALT, middle
from tests.games.tables import Refusal, check_refusal, played


def new() -> Match:
    return Match(GAME, 2)


def dealt() -> Match:
    return played("patterns", 2, DEAL)


def given() -> Match:
    return played("patterns", 2, f"{DEAL}\n1 give G")


def last_flips() -> Match:
    """Seat 1 is stuck; seat 0 may flip a4 and a6."""
    return played("patterns", 2, f"{DEAL}\n1 give G\n0 open a5\n1 open g7\n0 open f6")


def over() -> Match:
    match = last_flips()
    match.play(0, "done")
    return match


def between() -> Match:
    """Seat 0 has green and black groups and black in its bowl; e4 lies between the green groups, f6 beside nothing."""
    return middle("""
        . . . g
        . G1* g G0*
        . o k K0*
        k . . g
        river 0: G K
        river 1: G
        bowl 0: K
        bowl 1: O
    """)


def to_open() -> Match:
    """Seat 0 could open green, but not beside d4."""
    return middle("""
        . . . .
        . G1* g .
        . . k .
        . . . .
        river 1: G
        bowl 0: G
        bowl 1: O
    """)


def to_swap() -> Match:
    """Seat 0 could swap green onto f5, but not between the green groups."""
    return middle("""
        . . . .
        . G1* k G0*
        . . . k
        . . . .
        river 0: G
        river 1: G
        bowl 0: G
        bowl 1: O
    """)


ONE_BLACK_FOR_ORANGE = DEALT.replace("K", "O", 1)
TWO_BLACK_IN_THE_CENTRE = DEALT[:22] + "K" + DEALT[23:]

REFUSALS = [
    Refusal("over", "PT-10", over, 0, "flip a4"),
    Refusal("over", "PT-10", over, 1, "done"),
    Refusal("over", "PT-10", over, None, f"deal {DEALT} GD"),
    Refusal("deal-first", "PT-1", new, 0, "open a5"),
    Refusal("deal-first", "PT-1", new, 1, "give G"),
    Refusal("dealt-already", "PT-1", dealt, None, f"deal {DEALT} GD"),
    Refusal("dealt-already", "PT-1", given, None, f"deal {DEALT} GD"),
    Refusal("ring-count", "PT-1", new, None, f"deal {ONE_BLACK_FOR_ORANGE} GD"),
    Refusal("centre-colours", "PT-2", new, None, f"deal {TWO_BLACK_IN_THE_CENTRE} GD"),
    Refusal("centre-colours", "PT-2", new, None, f"deal {DEALT} GK"),
    Refusal("centre-colours", "PT-2", new, None, f"deal {DEALT} GG"),
    Refusal("give-first", "PT-3", dealt, 0, "give G"),
    Refusal("give-first", "PT-3", dealt, 0, "open a5"),
    Refusal("give-first", "PT-3", dealt, 1, "open a5"),
    Refusal("given-already", "PT-3", given, 0, "give G"),
    Refusal("given-already", "PT-3", last_flips, 0, "give G"),
    Refusal("not-a-start-tile", "PT-3", dealt, 1, "give K"),
    Refusal("not-your-turn", "PT-10", given, 1, "open a5"),
    Refusal("not-your-turn", "PT-10", last_flips, 1, "done"),
    Refusal("opened-already", "PT-4", between, 0, "open e5"),
    Refusal("not-beside-own", "PT-5", given, 0, "flip a5"),
    Refusal("not-beside-own", "PT-5", between, 0, "flip c6"),
    Refusal("not-beside-own", "PT-5", between, 0, "flip d5"),
    Refusal("not-beside-own", "PT-5", last_flips, 0, "flip h3"),
    Refusal("no-group-to-swap", "PT-6", given, 0, "swap a5"),
    Refusal("not-beside-group", "PT-6", between, 0, "swap f3"),
    Refusal("back-up", "PT-7", between, 0, "flip f4"),
    Refusal("back-up", "PT-7", between, 0, "open d4"),
    Refusal("back-up", "PT-7", between, 0, "swap f4"),
    Refusal("touches-opponent", "PT-8", to_open, 0, "open e4"),
    Refusal("touches-opponent", "PT-8", between, 0, "flip e4"),
    Refusal("touches-opponent", "PT-8", to_swap, 0, "swap e4"),
    Refusal("no-passing", "PT-10", given, 0, "done"),
    Refusal("only-flips", "PT-11", last_flips, 0, "open h3"),
    Refusal("only-flips", "PT-11", last_flips, 0, "swap a4"),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda case: f"{case.rule} {case.key}: {case.do[:12]}")
def test_this_is_refused(refusal: Refusal) -> None:
    check_refusal("patterns", refusal)


def test_every_reason_is_given_at_least_once() -> None:
    assert {case.key for case in REFUSALS} == set(reasons.rules)


def test_what_is_beside_the_refused_ones_is_legal() -> None:
    """So the refusals above are about one thing only."""
    assert {"swap e5", "flip e5", "flip f3", "swap f6"} <= set(between().legal(0))
    assert to_open().legal(0) == ["open e5"]
    assert to_swap().legal(0) == ["swap f5"]
