"""Mosaix: how a game of two to four ends, areas and scores. (MX-8 to MX-10)"""

from __future__ import annotations

import pytest

from smalti import Match
from smalti.games.mosaix import GAME
from smalti.games.mosaix.fitting import can_ever_write
from tests.games.mosaix.grids import EMPTY, FULL, finished, formed, full_but, grid, read
from tests.games.tables import check_sums, match_at, play_log, scored

THE_CASE = """
    oooooox
    xxxootx
    xoxtttx
    oooo.tx
    ottttox
    ttoxxoo
    xxxxxtx
"""


def test_the_game_ends_with_the_round_in_which_a_grid_becomes_full() -> None:
    """MX-8: everybody still writes."""
    match = formed(grid(full_but("g7")), "O ootx")
    match.play(0, "place 0 7,7")
    assert match.acting == {1}
    match.play(1, "place 0 1,1")
    assert match.is_over


def test_the_game_ends_when_somebody_can_never_write_again() -> None:
    """MX-8: a3 is the last border cell, and d4 is too small."""
    match = formed(grid(full_but("a3", "d4")), "I ootx")
    play_log(match, "0 place 0 -2,3\n1 place 0 1,1")
    assert match.is_over


def test_the_game_goes_on_while_four_inner_cells_are_left_in_one_piece() -> None:
    """MX-8."""
    match = formed(grid(full_but("a3", "d3", "d4", "d5", "c5")), "I ootx")
    play_log(match, "0 place 0 -2,3\n1 place 0 1,1")
    assert match.awaits_chance


# Empty cells of an otherwise full grid, and whether anything can ever be written there.
HOPES = {
    "nothing is empty": ((), False),
    "one cell on the border": (("c7",), True),
    "a corner": (("g1",), True),
    "every inner cell alone": (("b2", "d2", "f2", "c3", "e3", "b4", "d4"), False),
    "three inner cells in one piece": (("b2", "b3", "c3"), False),
    "four inner cells in one piece": (("b2", "b3", "c3", "c4"), True),
    "four inner cells joined by corners only": (("b2", "c3", "d4", "e5"), False),
}


@pytest.mark.parametrize(("holes", "hope"), HOPES.values(), ids=HOPES)
def test_whether_anything_can_ever_be_written(holes: tuple[str, ...], hope: bool) -> None:
    """MX-8."""
    assert bool(can_ever_write(read(full_but(*holes)), 0)) == hope


def test_with_end_blocked_the_game_ends_with_the_round_in_which_somebody_passes() -> None:
    """R2."""
    table = grid(full_but("a4")).table
    table.blockable = 1
    match = formed(match_at(GAME, table), "O ootx")
    match.play(0, "pass")
    assert match.acting == {1}
    match.play(1, "place 0 1,1")
    assert match.is_over


def test_with_end_blocked_a_round_without_a_pass_ends_nothing() -> None:
    """R2."""
    table = grid(full_but("a4", "a6")).table
    table.blockable = 1
    match = formed(match_at(GAME, table), "I ootx")
    play_log(match, "0 place 0 -2,4\n1 place 0 1,1")
    assert match.awaits_chance


def test_the_option_end_reaches_the_table() -> None:
    """R2."""
    assert Match(GAME, 2, {"end": "blocked"}).table.blockable == 1
    assert Match(GAME, 2).table.blockable == 0


def test_areas_of_the_case() -> None:
    """MX-9, MX-10: o 2 × 14, t 2 × 11, x 3 × 17."""
    match = finished(THE_CASE)
    assert scored(match.breakdown()) == [
        ("MX-10", 16, "a1 b1 c1 d1 e1 f1 d2 e2"),
        ("MX-10", 12, "b3 a4 b4 c4 d4 a5"),
        ("MX-10", 12, "b5 c5 d5 e5 a6 b6"),
        ("MX-10", 10, "f2 d3 e3 f3 f4"),
        ("MX-10", 21, "d6 e6 a7 b7 c7 d7 e7"),
        ("MX-10", 15, "g1 g2 g3 g4 g5"),
        ("MX-10", 15, "a2 b2 c2 a3 c3"),
    ]
    assert match.scores == [101, 0]
    check_sums(match)
    assert not can_ever_write(match.table, 0)


def test_small_areas_are_listed_and_count_nothing() -> None:
    """MX-9."""
    small = [item for item in finished(THE_CASE).breakdown() if item.rule == "MX-9"]
    assert {" ".join(item.cells): item.points for item in small} == {"f5 f6 g6": 0, "c6": 0, "f7": 0, "g7": 0}


# Drawing and score.
SCORES = {
    "MX-9 four cells are too few": ("tttt...", 0),
    "MX-9 five cells count": ("ttttt..", 5),
    "MX-9 corners do not join": ("tttt.../....tt.", 0),
    "MX-9 other symbols part": ("ttxtttt", 0),
    "MX-10 two areas count twice their cells": ("ttttt../......./xxxxx../......./ttttt..", 2 * 10 + 5),
    "MX-10 small areas do not count for the number of areas": ("ttttt../......./tttt...", 5),
    "MX-10 a grid of one symbol": ("ooooooo/" * 6 + "ooooooo", 49),
    "MX-10 a full grid of stripes": (FULL, 4 * 28 + 3 * 21),
    "MX-10 nothing": ("", 0),
}


@pytest.mark.parametrize(("drawing", "score"), SCORES.values(), ids=SCORES)
def test_the_score_of_a_grid(drawing: str, score: int) -> None:
    rows = [row for row in drawing.split("/") if row]
    match = finished("/".join([*rows, *["......."] * (7 - len(rows))]))
    assert match.scores == [score, 0]
    check_sums(match)


@pytest.mark.parametrize(
    ("grids", "winners"),
    [
        (["ttttt..", "oooo...", "oooooo."], [2]),
        (["ttttt..", "ooooo..", "oooo..."], [0, 1]),
        (["tttt...", "oooo...", "xxxx..."], [0, 1, 2]),
        (["tttt...", "oooo...", "xxxxx..", "....ttt"], [2]),
    ],
)
def test_most_points_win_and_a_tie_is_shared(grids: list[str], winners: list[int]) -> None:
    """MX-10."""
    table = read(EMPTY)
    table.seats = len(grids)
    for seat, row in enumerate(grids):
        table.grids[seat] = read(row + "/" + "......./" * 5 + ".......").grids[0]
    match = match_at(GAME, table)
    assert match.winners == winners
    check_sums(match)
