"""Mosaix: formations turned, and laid over the edge. (MX-3 to MX-5)"""

from __future__ import annotations

import pytest

from smalti.games.mosaix.tables import FORMATIONS
from tests.games.mosaix.grids import EMPTY, formed, grid, rows_of, symbols_of

# Each formation after no, one, two and three quarter turns clockwise; 1 to 4 are its symbols in the order of `form`.
TURNED = """
I 1234   1      4321   4
         2             3
         3             2
         4             1

O 12     31     43     24
  34     42     21     13

T 123    .1     .4.    3.
  .4.    42     321    24
         .3            1.

S .12    3.     .43    2.
  34.    41     21.    14
         .2            .3

Z 12.    .1     43.    .4
  .34    32     .21    23
         4.            1.

L ..1    2.     432    14
  234    3.     1..    .3
         41            .2

J 1..    21     432    .4
  234    3.     ..1    .3
         4.            12
"""


def picture(formation: str, turns: int) -> list[str]:
    """Return the lines of one picture above."""
    block = TURNED.strip("\n").split("\n\n")[FORMATIONS.index(formation)]
    column = (2, 9, 16, 23)[turns]
    lines = [line[column : column + 4].strip() for line in block.split("\n")]
    return [line for line in lines if line]


def symbols_like(picture: list[str], symbols: str) -> list[str]:
    """Put the symbols where a picture has their numbers."""
    return [line.translate(str.maketrans("1234", symbols)) for line in picture]


@pytest.mark.parametrize("symbols", ["xooo", "oxoo", "ooxo", "ooox", "otxt"])
@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("formation", FORMATIONS)
def test_every_symbol_travels_with_its_cell(formation: str, turns: int, symbols: str) -> None:
    """MX-3: the turned shape's top left corner lies on c2."""
    match = formed(grid(EMPTY), f"{formation} {symbols}")
    match.play(0, f"place {turns} 3,2")
    written = symbols_like(picture(formation, turns), symbols)
    drawn = [row[2 : 2 + len(written[0])] for row in rows_of(match)[1 : 1 + len(written)]]
    assert drawn == written
    assert len(symbols_of(match)) == 4


def test_the_top_right_cell_of_l_comes_to_the_bottom_right() -> None:
    """The example of the format: L turned once is two wide and three high."""
    match = formed(grid(EMPTY), "L xoot")
    match.play(0, "place 1 3,5")
    assert rows_of(match) == [".......", ".......", ".......", ".......", "..o....", "..o....", "..tx..."]


def test_o_turned_four_ways_makes_four_different_grids() -> None:
    """R5."""
    drawn = set()
    for turns in range(4):
        match = formed(grid(EMPTY), "O oxtt")
        match.play(0, f"place {turns} 1,1")
        drawn.add("".join(rows_of(match)))
    assert len(drawn) == 4


# Formation, placement, and what of it is written.
OVER_THE_EDGE = {
    "a line in row 1 from column f": ("I oxto", "place 0 6,1", {"f1": "o", "g1": "x"}),
    "a line that ends in column a": ("I oxto", "place 0 -2,1", {"a1": "o"}),
    "a line that ends in row 2": ("I oxto", "place 1 4,-1", {"d1": "t", "d2": "o"}),
    "a square over the top left corner": ("O oxtt", "place 0 0,0", {"a1": "t"}),
    "a square over the bottom right corner": ("O oxtt", "place 2 7,7", {"g7": "t"}),
    "only the foot of L over the right edge": ("L xoot", "place 1 7,3", {"g3": "o", "g4": "o", "g5": "t"}),
    "only the foot of L is on the grid": ("L xoot", "place 1 0,5", {"a7": "x"}),
    "T with its stem on the grid": ("T ootx", "place 0 3,0", {"d1": "x"}),
}


@pytest.mark.parametrize(("formation", "placement", "written"), OVER_THE_EDGE.values(), ids=OVER_THE_EDGE)
def test_symbols_over_the_edge_are_left_out(formation: str, placement: str, written: dict[str, str]) -> None:
    """MX-4."""
    match = formed(grid(EMPTY), formation)
    match.play(0, placement)
    assert symbols_of(match) == written


def test_on_an_empty_grid_a_formation_is_legal_wherever_it_touches_the_grid() -> None:
    """MX-4: a line has 10 places across in each of 7 rows, and as many down; each of them both ways round."""
    assert len(formed(grid(EMPTY), "I oxto").legal(0)) == 4 * 10 * 7
    assert len(formed(grid(EMPTY), "O oxto").legal(0)) == 4 * 8 * 8


def test_what_fits_may_touch_nothing_and_everything() -> None:
    """MX-3, MX-5: beside, between, but never on a symbol."""
    drawing = """
        .......
        .......
        ...o...
        ..oo...
        .......
        .......
        .......
    """
    legal = formed(grid(drawing), "L xoot").legal(0)
    assert "place 0 1,1" in legal  # a2 b2 c2 and c1
    assert "place 0 2,1" in legal  # right above
    assert "place 3 1,3" in legal  # a3 b3, b4 and b5: round the corner
    assert "place 0 2,2" not in legal  # d2 is free, but d3 is not
