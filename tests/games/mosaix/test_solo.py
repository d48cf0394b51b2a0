"""Mosaix: the solo game. (MX-11 to MX-13)"""

from __future__ import annotations

import pytest

from smalti.games.mosaix.tables import BRILLIANT, WON
from tests.games.mosaix.grids import EMPTY, FULL, finished, formed, full_but, grid, symbols_of
from tests.games.tables import check_sums, play_log, played, refusal_of, scored

START = "- deal x@d4\n- roll ootx"


def with_boxes(drawing: str, boxes: int) -> str:
    """Add the scale to a drawing."""
    return f"{drawing}\nboxes: {boxes}"


def test_the_scale_has_eight_boxes() -> None:
    """MX-11."""
    assert played("mosaix", 1, START).view(0).boxes == 8


def test_each_symbol_left_out_ticks_a_box() -> None:
    """MX-11: a line laid in row 1 from column f leaves two out."""
    match = played("mosaix", 1, f"{START}\n0 form I oxto\n0 place 0 6,1")
    assert symbols_of(match) == {"d4": "x", "f1": "o", "g1": "x"}
    assert match.view(0).boxes == 6


@pytest.mark.parametrize("boxes", range(5))
def test_a_placement_needs_a_free_box_for_every_symbol_it_leaves_out(boxes: int) -> None:
    """MX-11."""
    for left_out, placement in enumerate(["place 0 4,1", "place 0 5,1", "place 0 6,1", "place 0 7,1"]):
        match = formed(grid(with_boxes(EMPTY, boxes)), "I oxto")
        if left_out <= boxes:
            match.play(0, placement)
            assert match.view(0).boxes == boxes - left_out
        else:
            assert refusal_of(match, 0, placement).reason == "mosaix.boxes"


def test_with_several_players_nobody_has_boxes() -> None:
    """MX-11."""
    match = formed(grid(EMPTY), "I oxto")
    match.play(0, "place 0 7,1")
    assert match.view(0).boxes is None


def test_a_formation_that_fits_nowhere_cannot_be_chosen() -> None:
    """R4."""
    match = grid(with_boxes(full_but("a4"), 8))
    match.play(None, "roll oooo")
    assert match.legal(0) == [*(f"form {name} oooo" for name in "ITSZLJ"), "stop"]


# The cells that are still empty, the free boxes, where a line of circles is laid, and whether the game is over then.
ENDS = {
    "MX-12 the grid is full": (("a4",), 8, "place 0 -2,4", True),
    "MX-12 too few boxes for the cell that is left": (("a1", "a4"), 5, "place 0 -2,1", True),
    "MX-12 enough boxes for the cell that is left": (("a1", "a4"), 6, "place 0 -2,1", False),
    "MX-12 no box is needed inside": (("a1", "c3", "c4", "d3", "d4"), 3, "place 0 -2,1", False),
    "MX-12 three cells and no box": (("a1", "a4", "a5", "a6"), 3, "place 0 -2,1", True),
    "MX-12 an inner hole, boxes or not": (("a1", "d4"), 8, "place 0 -2,1", True),
}


@pytest.mark.parametrize(("holes", "boxes", "placement", "over"), ENDS.values(), ids=ENDS)
def test_when_the_solo_game_ends(holes: tuple[str, ...], boxes: int, placement: str, over: bool) -> None:
    match = formed(grid(with_boxes(full_but(*holes), boxes)), "I oooo")
    match.play(0, placement)
    assert match.is_over == over


def test_the_solo_game_may_be_stopped_before_a_roll_is_arranged() -> None:
    """MX-12."""
    match = played("mosaix", 1, START)
    assert "stop" in match.legal(0)
    match.play(0, "stop")
    assert match.is_over
    assert (match.scores, match.winners) == ([8], [])


def test_the_solo_player_never_passes() -> None:
    """R4: whatever can be chosen fits somewhere."""
    match = play_log(grid(with_boxes(full_but("a4"), 3)), "- roll oooo\n0 form J oooo")
    assert "pass" not in match.legal(0)


WORTH_114 = """
    ooxxxxx
    ooxoooo
    ootxxoo
    xotxxxx
    oottoxx
    ooxtooo
    ooxoooo
"""
WORTH_119 = """
    oxooxxo
    oooxtxx
    oxtxxtx
    oxoxxtx
    xxoooto
    txooott
    xoxxxxx
"""


@pytest.mark.parametrize(
    ("drawing", "boxes", "score", "winners"),
    [
        (WORTH_114, 6, 120, [0]),
        (WORTH_114, 5, 119, []),
        (WORTH_119, 0, 119, []),
        (WORTH_119, 1, 120, [0]),
        (FULL, 0, 175, [0]),
    ],
)
def test_free_boxes_count_and_120_is_a_win(drawing: str, boxes: int, score: int, winners: list[int]) -> None:
    """MX-13."""
    match = finished(with_boxes(drawing, boxes))
    assert (match.scores, match.winners) == ([score], winners)
    check_sums(match)


def test_free_boxes_are_an_item_of_their_own() -> None:
    """MX-13."""
    assert scored(finished(with_boxes(EMPTY, 5)).breakdown()) == [("MX-13", 5, "")]


def test_what_is_won_and_what_is_brilliant() -> None:
    """MX-13."""
    assert (WON, BRILLIANT) == (120, 130)
