"""Mozaika: what boards and purses are worth, and who wins. (MZ-13 to MZ-19)

Tiles are written with a, b, c for the symbols and G for the third colour, as in the worked examples.
"""

from __future__ import annotations

import pytest

from smalti.games.mozaika import GAME
from tests.games.mozaika.mosaics import board
from tests.games.tables import check_sums, match_at, scored

EVERY_CELL = "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4"
ADAM_IN_FRENCH = """
    Ga Ga Gb Rb*
    Ra Ra Ba Rc*
    Ra Ra Ga Rb
    Ba Ba Bc Bb*
"""
ADAM_IN_GERMAN = """
    Ra Ra Rb Rc*
    Ra Ba Ba Rb
    Ga Ba Ba Rc*
    Ga Ga Bb Bc*
"""
SYMMETRIC = """
    Ba Gb Gb Ba
    Gb Rc Rc Gb
    Gb Rc Rc Gb
    Ba Gb Gb Ba
"""

# Drawing, and everything that scores as (rule, points, cells).
BOARDS = {
    "a column of one pattern and a row of one colour": (
        """
        Bc Ra Ra Rb
        Ga Ra Gb Ba
        Rc Ra Rc Ra
        Gc Ra Ga Ga
        """,
        [("MZ-14", 2, "a3 b3 c3 d3"), ("MZ-14", 4, "b1 b2 b3 b4")],
    ),
    "crossing diagonals with the centre": (
        """
        Rb Gc Bb Rc
        Bb Ra Rb Gc
        Gb Ra Rb Bc
        Rc Gc Ra Ra
        """,
        [("MZ-14", 2, "a1 b2 c3 d4"), ("MZ-14", 2, "d1 c2 b3 a4"), ("MZ-15", 2, "b2 c2 b3 c3")],
    ),
    "Adam, French and Hungarian": (
        ADAM_IN_FRENCH,
        [
            ("MZ-14", 2, "a4 b4 c4 d4"),
            ("MZ-17", -1, "d4"),
            ("MZ-14", 2, "a1 a2 a3 a4"),
            ("MZ-14", 2, "b1 b2 b3 b4"),
            ("MZ-15", 2, "a1 b1 a2 b2"),
            ("MZ-15", 4, "a2 b2 a3 b3"),
            ("MZ-15", 2, "b2 c2 b3 c3"),
            ("MZ-15", 2, "a3 b3 a4 b4"),
        ],
    ),
    "Adam, with a last column that three flies bring down to nothing": (
        ADAM_IN_FRENCH.replace("Bb*", "Rb*"),
        [
            ("MZ-14", 2, "a1 a2 a3 a4"),
            ("MZ-14", 2, "b1 b2 b3 b4"),
            ("MZ-14", 2, "d1 d2 d3 d4"),
            ("MZ-17", -2, "d1 d2 d4"),
            ("MZ-15", 2, "a1 b1 a2 b2"),
            ("MZ-15", 4, "a2 b2 a3 b3"),
            ("MZ-15", 2, "b2 c2 b3 c3"),
            ("MZ-15", 2, "a3 b3 a4 b4"),
        ],
    ),
    "Adam, German": (
        ADAM_IN_GERMAN,
        [
            ("MZ-14", 2, "a1 b1 c1 d1"),
            ("MZ-17", -1, "d1"),
            ("MZ-14", 2, "a1 a2 a3 a4"),
            ("MZ-14", 2, "b1 b2 b3 b4"),
            ("MZ-15", 2, "a1 b1 a2 b2"),
            ("MZ-15", 2, "a2 b2 a3 b3"),
            ("MZ-15", 4, "b2 c2 b3 c3"),
            ("MZ-15", 2, "a3 b3 a4 b4"),
        ],
    ),
    "Adam, German, with the last column in red": (
        ADAM_IN_GERMAN.replace("Bc*", "Rc*"),
        [
            ("MZ-14", 2, "a1 b1 c1 d1"),
            ("MZ-17", -1, "d1"),
            ("MZ-14", 2, "a1 a2 a3 a4"),
            ("MZ-14", 2, "b1 b2 b3 b4"),
            ("MZ-14", 2, "d1 d2 d3 d4"),
            ("MZ-17", -2, "d1 d3 d4"),
            ("MZ-15", 2, "a1 b1 a2 b2"),
            ("MZ-15", 2, "a2 b2 a3 b3"),
            ("MZ-15", 4, "b2 c2 b3 c3"),
            ("MZ-15", 2, "a3 b3 a4 b4"),
        ],
    ),
    "all five symmetries": (
        SYMMETRIC,
        [("MZ-15", 4, "b2 c2 b3 c3"), *(("MZ-18", points, EVERY_CELL) for points in (12, 12, 8, 8, 12))],
    ),
}
TOTALS = [6, 6, 15, 14, 15, 15, 56]


@pytest.mark.parametrize(
    ("drawing", "items", "total"),
    [(*case, total) for case, total in zip(BOARDS.values(), TOTALS, strict=True)],
    ids=BOARDS,
)
def test_everything_that_scores(drawing: str, items: list[tuple[str, int, str]], total: int) -> None:
    """MZ-14 to MZ-18, R2 to R5, R8."""
    match = match_at(GAME, board(drawing))
    assert scored(match.breakdown()) == items
    assert match.scores[0] == total
    check_sums(match)


def test_every_structure_counts() -> None:
    """MZ-14 to MZ-16, R3: 4 rows, 4 columns, 2 diagonals and 9 squares of one pattern, and every symmetry."""
    match = match_at(GAME, board(" / ".join(["Ra Ra Ra Ra"] * 4)))
    items = scored(match.breakdown())
    assert sum(item[:2] == ("MZ-14", 4) for item in items) == 10
    assert sum(item[:2] == ("MZ-15", 4) for item in items) == 9
    assert match.scores[0] == 19 * 4 + 52


# Row 1 and its worth; nothing else lies on the board.
ROWS = {
    "MZ-14 one colour, different symbols": ("Ra Rb Rc Rd", 2),
    "R2 one colour, not all symbols different": ("Ra Ra Ra Rb", 2),
    "MZ-14 one symbol, not one colour": ("Ra Ba Ga Ra", 2),
    "MZ-14 one pattern is 4, not 2 + 2 + 4": ("Ra Ra Ra Ra", 4),
    "MZ-14 neither": ("Ra Ra Ra Bb", 0),
    "MZ-14 three tiles are no row": ("Ra Ra Ra .", 0),
    "MZ-17 one fly": ("Ra Rb Rc* Rd", 1),
    "MZ-17 two flies": ("Ra Rb* Rc* Rd", 0),
    "MZ-17 never below nothing": ("Ra* Rb* Rc* Rd*", 0),
    "MZ-17 three flies on a pattern": ("Ra* Ra* Ra* Ra", 1),
    "MZ-17 a fly on what is worth nothing": ("Ra* Rb Ba Bb", 0),
}


@pytest.mark.parametrize(("row", "worth"), ROWS.values(), ids=ROWS)
def test_the_worth_of_a_row(row: str, worth: int) -> None:
    match = match_at(GAME, board(f"{row} / . . . . / . . . . / . . . ."))
    assert match.scores[0] == worth
    check_sums(match)


def test_a_fly_counts_against_every_structure_it_sits_in() -> None:
    """MZ-17, R8: b2 lies in a row, a column, a diagonal and four squares."""
    plain = match_at(GAME, board(" / ".join(["Ra Ra Ra Ra"] * 4))).scores[0]
    match = match_at(GAME, board("Ra Ra Ra Ra / Ra Ra* Ra Ra / Ra Ra Ra Ra / Ra Ra Ra Ra"))
    assert plain - match.scores[0] == 7
    assert [item[1:] for item in scored(match.breakdown()) if item[0] == "MZ-17"] == [(-1, "b2")] * 7


# Drawing, and the points of each symmetry.
SYMMETRIES = {
    "left–right": ("Ra Bb Bb Ra / Gc Ra Ra Gc / Bd Gb Gb Bd / Ga Ra Ra Ga", [12]),
    "top–bottom": ("Ra Bb Gd Ra / Gc Ra Bb Gd / Gc Ra Bb Gd / Ra Bb Gd Ra", [12]),
    "diagonal a1–d4": ("Ra Bb Gc Bd / Bb Ga Ra Gb / Gc Ra Bc Ba / Bd Gb Ba Rd", [8]),
    "diagonal d1–a4": ("Bd Gc Bb Ra / Gb Ra Ga Bb / Ba Bc Ra Gc / Rd Ba Gb Bd", [8]),
    "half turn": ("Ra Bb Gc Bd / Ga Rb Bc Gd / Gd Bc Rb Ga / Bd Gc Bb Ra", [12]),
    "R5 both diagonals, and so the half turn": ("Ra Bb Gc Bd / Bb Ga Ra Gc / Gc Ra Ga Bb / Bd Gc Bb Ra", [8, 8, 12]),
    "R4 both mirrors, and so the half turn": ("Ra Bb Bb Ra / Gc Gd Gd Gc / Gc Gd Gd Gc / Ra Bb Bb Ra", [12, 12, 12]),
    "a colour alone is not enough": ("Ra Bb Bb Rb / Gc Ra Ra Gc / Bd Gb Gb Bd / Ga Ra Ra Ga", []),
    "a symbol alone is not enough": ("Ra Bb Bb Ba / Gc Ra Ra Gc / Bd Gb Gb Bd / Ga Ra Ra Ga", []),
    "flies are ignored": ("Ra* Bb Bb Ra / Gc Ra* Ra Gc / Bd Gb Gb Bd / Ga Ra Ra Ga", [12]),
}


@pytest.mark.parametrize(("drawing", "points"), SYMMETRIES.values(), ids=SYMMETRIES)
def test_symmetries(drawing: str, points: list[int]) -> None:
    """MZ-18."""
    match = match_at(GAME, board(drawing))
    assert [worth for rule, worth, _ in scored(match.breakdown()) if rule == "MZ-18"] == points
    check_sums(match)


@pytest.mark.parametrize(("coins", "points"), [(0, 0), (4, 0), (5, 1), (9, 1), (10, 2), (14, 2), (58, 11)])
def test_thrift_is_a_point_for_every_full_five_coins(coins: int, points: int) -> None:
    """MZ-13."""
    match = match_at(GAME, board(f". . . . / . . . . / . . . . / . . . .\ncoins: {coins}"))
    assert match.scores[0] == points
    thrift = [item for item in match.breakdown() if item.seat == 0]
    assert [(item.rule, item.points, item.cells) for item in thrift] == [("MZ-13", points, ())]


# Coins of three seats with empty boards, and who wins.
RESULTS = {
    "most points": ([4, 15, 9], [1]),
    "most points, though another has nearly as many coins": ([14, 15, 14], [1]),
    "equal points: most coins": ([12, 14, 3], [1]),
    "equal points and coins: shared": ([14, 3, 14], [0, 2]),
    "all equal": ([7, 7, 7], [0, 1, 2]),
}


@pytest.mark.parametrize(("coins", "winners"), RESULTS.values(), ids=RESULTS)
def test_who_wins(coins: list[int], winners: list[int]) -> None:
    """MZ-19."""
    table = board(". . . . / . . . . / . . . . / . . . .")
    table.coins[:3] = coins
    assert match_at(GAME, table).winners == winners


@pytest.mark.parametrize(
    ("coins", "among", "winners"),
    [([19, 12, 14], [1, 2], [2]), ([19, 14, 14], [1, 2], [1, 2]), ([4, 15, 9], [0, 2], [2]), ([7, 7, 7], [], [])],
)
def test_who_wins_among_some(coins: list[int], among: list[int], winners: list[int]) -> None:
    """MZ-19, where others have given up."""
    table = board(". . . . / . . . . / . . . . / . . . .")
    table.coins[:3] = coins
    assert match_at(GAME, table).winners_among(among) == winners


def test_points_come_before_coins() -> None:
    """MZ-19: a row is worth more than all the coins of another."""
    table = board("Ra Ra Ra Ra / . . . . / . . . . / . . . .")
    table.coins[:3] = [0, 19, 19]
    match = match_at(GAME, table)
    assert (match.scores, match.winners) == ([4, 3, 3], [0])
