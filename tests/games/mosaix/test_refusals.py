"""Mosaix: everything that is refused, with its rule."""

from __future__ import annotations

import pytest

from smalti import Match
from smalti.games.mosaix import GAME
from smalti.games.mosaix.reasons import refusal as reasons
from tests.games.mosaix.grids import EMPTY, finished, formed, full_but, grid
from tests.games.tables import Refusal, check_refusal, played

DEAL = "- deal o@d4 x@d4"


def new() -> Match:
    return Match(GAME, 2)


def new_scattered() -> Match:
    return Match(GAME, 2, {"cards": "scattered"})


def dealt() -> Match:
    return played("mosaix", 2, DEAL)


def rolled() -> Match:
    return played("mosaix", 2, f"{DEAL}\n- roll ootx")


def arranged() -> Match:
    return played("mosaix", 2, f"{DEAL}\n- roll ootx\n0 form L xoot")


def half_written() -> Match:
    return played("mosaix", 2, f"{DEAL}\n- roll ootx\n0 form L xoot\n0 place 0 1,1")


def over() -> Match:
    return finished(EMPTY)


def solo_rolled() -> Match:
    return played("mosaix", 1, "- deal o@d4\n- roll ootx")


def solo_arranged() -> Match:
    return played("mosaix", 1, "- deal o@d4\n- roll ootx\n0 form L xoot")


def solo_over() -> Match:
    return played("mosaix", 1, "- deal o@d4\n- roll ootx\n0 stop")


def solo_with_one_box() -> Match:
    return formed(grid(f"{EMPTY}\nboxes: 1"), "I ootx")


def solo_with_a_border_cell() -> Match:
    match = grid(full_but("a4") + "\nboxes: 8")
    match.play(None, "roll ootx")
    return match


REFUSALS = [
    Refusal("over", "MX-8", over, 0, "place 0 1,1"),
    Refusal("over", "MX-8", over, None, "roll ootx"),
    Refusal("over-solo", "MX-12", solo_over, 0, "stop"),
    Refusal("over-solo", "MX-12", solo_over, None, "roll ootx"),
    Refusal("deal-first", "MX-1", new, 0, "form L xoot"),
    Refusal("roll-first", "MX-2", dealt, 0, "form L xoot"),
    Refusal("roll-first", "MX-2", dealt, 1, "pass"),
    Refusal("form-first", "MX-2", rolled, 0, "place 0 1,1"),
    Refusal("form-first", "MX-2", rolled, 0, "pass"),
    Refusal("form-first", "MX-2", rolled, 1, "form L xoot"),
    Refusal("form-first", "MX-2", rolled, 1, "place 0 1,1"),
    Refusal("form-first", "MX-2", rolled, None, "roll ootx"),
    Refusal("write-first", "MX-3", arranged, 0, "form L xoot"),
    Refusal("write-first", "MX-3", half_written, None, "roll ootx"),
    Refusal("wrote-already", "MX-3", half_written, 0, "place 0 4,1"),
    Refusal("not-a-card", "MX-1", new, None, "deal o@d4 x@c3"),
    Refusal("not-a-card", "MX-1", new_scattered, None, "deal o@d4 x@c3"),
    Refusal("not-a-card", "MX-1", new_scattered, None, "deal o@c3 x@c3"),
    Refusal("not-the-dice", "MX-2", rolled, 0, "form L xxot"),
    Refusal("not-the-dice", "MX-2", rolled, 0, "form L oooo"),
    Refusal("off-the-grid", "MX-4", arranged, 0, "place 0 -2,-1"),
    Refusal("off-the-grid", "MX-4", arranged, 0, "place 0 99,1"),
    Refusal("off-the-grid", "MX-4", arranged, 1, "place 0 7,-1"),
    Refusal("taken", "MX-5", arranged, 0, "place 0 4,3"),
    Refusal("taken", "MX-5", arranged, 1, "place 1 4,2"),
    Refusal("can-write", "MX-6", arranged, 1, "pass"),
    Refusal("can-write", "MX-6", solo_arranged, 0, "pass"),
    Refusal("boxes", "MX-11", solo_with_one_box, 0, "place 0 6,1"),
    Refusal("fits-nowhere", "MX-12", solo_with_a_border_cell, 0, "form O xoot"),
    Refusal("stop-solo-only", "MX-12", rolled, 0, "stop"),
    Refusal("stop-solo-only", "MX-12", arranged, 1, "stop"),
    Refusal("stop-too-late", "MX-12", solo_arranged, 0, "stop"),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda case: f"{case.rule} {case.key}: {case.do}")
def test_this_is_refused(refusal: Refusal) -> None:
    check_refusal("mosaix", refusal)


def test_every_reason_is_given_at_least_once() -> None:
    assert {case.key for case in REFUSALS} == set(reasons.rules)


def test_what_is_beside_the_refused_ones_is_legal() -> None:
    """So the refusals above are about one thing only."""
    assert {"place 0 -1,0", "place 0 7,0", "place 0 4,4"} <= set(arranged().legal(0))
    assert "place 0 5,1" in solo_with_one_box().legal(0)
    assert "form I xoot" in solo_with_a_border_cell().legal(0)
    assert "stop" in solo_rolled().legal(0)
