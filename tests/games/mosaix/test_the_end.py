"""Mosaix: how a game of two to four ends, areas and scores. (MX-8 to MX-10)"""

from __future__ import annotations

import os
import random

import pytest

from smalti import Match, games
from smalti.games.mosaix import GAME
from smalti.games.mosaix.fitting import EVERY_FORMATION, can_ever_write
from smalti.games.mosaix.tables import ROLLING
from tests.games.mosaix.grids import EMPTY, FULL, finished, formed, full_but, grid, read, symbols_of
from tests.games.tables import check_sums, match_at, play_log, scored

PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"

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


# --- R6: nobody could write


def dead_end(seats: int, version: int = 2, options: dict[str, str] | None = None) -> Match:
    """Return a match before a roll in which O fits nobody: every grid has one border cell left and four inner ones."""
    match = Match(games.find("mosaix", version), seats, options)
    table = match.table
    table.phase, table.fitting = ROLLING, EVERY_FORMATION
    for seat in range(seats):
        table.grids[seat] = read(full_but("a3", "c3", "d3", "d4", "e4")).grids[0]
    return match.at(table)


def idle_round(match: Match) -> None:
    """Let the roller arrange what fits nobody, and everybody pass."""
    formed(match, "O ootx")
    for seat in range(match.seats):
        match.play(seat, "pass")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_game_ends_when_nobody_has_written_in_as_many_rounds_as_there_are_seats(seats: int) -> None:
    """R6."""
    match = dead_end(seats)
    for number in range(seats):
        assert match.awaits_chance, number
        assert (match.view(None).idle, match.view(None).patience) == (number, seats)
        idle_round(match)
    assert match.is_over
    assert match.view(None).idle == seats


def test_a_round_in_which_anybody_writes_begins_the_count_anew() -> None:
    """R6."""
    match = dead_end(2)
    idle_round(match)
    formed(match, "I ootx")
    assert match.view(None).idle == 1  # the round is not over
    match.play(1, "place 0 -2,3")
    assert match.view(None).idle == 0
    match.play(0, "place 0 -2,3")
    assert match.view(None).idle == 0
    idle_round(match)
    assert match.awaits_chance
    idle_round(match)
    assert match.is_over


def test_whoever_writes_alone_keeps_the_game_going_in_whatever_order_seats_act() -> None:
    """R6: one grid takes the O in a corner."""
    for order in ((0, 1), (1, 0)):
        match = dead_end(2)
        table = match.table
        table.grids[0] = read(full_but("a1", "c3", "d3", "d4", "e4")).grids[0]
        match = match.at(table)
        idle_round_of_others(match, order)
        assert match.table.idle == 0


def idle_round_of_others(match: Match, order: tuple[int, ...]) -> None:
    """Let only seat 0 write, in the corner a1."""
    formed(match, "O ootx")
    for seat in order:
        match.play(seat, "pass" if seat else "place 0 0,0")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_by_version_1_rounds_in_which_nobody_writes_end_nothing(seats: int) -> None:
    """R6, which version 1 does not have."""
    match = dead_end(seats, version=1)
    for _ in range(300):  # more than a byte can count
        idle_round(match)
    assert match.awaits_chance
    assert (match.view(None).idle, match.view(None).patience) == (0, 0)


def test_alone_and_with_end_blocked_nothing_is_counted() -> None:
    """R6 is for several players who would go on."""
    assert Match(GAME, 1).table.patience == 0
    blocked = dead_end(2, options={"end": "blocked"})
    assert blocked.table.patience == 0
    idle_round(blocked)
    assert blocked.is_over


def fewest_symbols(match: Match, seat: int) -> str:
    """Return the placement that writes least, or the pass."""
    return min(match.legal(seat), key=lambda text: len(symbols_of(after(match, seat, text), seat)))


def after(match: Match, seat: int, text: str) -> Match:
    """Return the match after a move."""
    trial = match.copy()
    trial.play(seat, text)
    return trial


def formation_for_nobody(match: Match, seat: int) -> str:
    """Return an arrangement that nobody can write, or any."""
    first = {text.split()[1]: text for text in match.legal(seat)}
    ends = {text: after(match, seat, text) for text in first.values()}
    fits = {text: sum(end.legal(other) != ["pass"] for other in range(match.seats)) for text, end in ends.items()}
    return min(fits, key=lambda text: fits[text])


@pytest.mark.parametrize("seats", [2, 3] if PLAIN else [2, 3, 4])
def test_every_game_ends_even_if_all_conspire_to_go_on_for_ever(seats: int) -> None:
    """R6: rollers arrange what fits as few as possible, and everybody writes as little as possible."""
    match, luck = Match(GAME, seats), random.Random(3)
    while not match.is_over:
        if match.awaits_chance:
            match.draw(luck)
            continue
        seat = min(match.acting)
        is_rolling = match.legal(seat)[0].startswith("form")
        match.play(seat, formation_for_nobody(match, seat) if is_rolling else fewest_symbols(match, seat))
    made = sum(by is not None for by, _ in match.events)
    assert 60 < made <= GAME.longest(seats).decisions


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
