"""Mozaika: laying, income, the fly, and the last round. (MZ-8 to MZ-12)"""

from __future__ import annotations

import itertools

import pytest

from smalti import Match
from smalti.games.mozaika import GAME
from tests.games.mozaika.mosaics import at_auction, bid_all, coins_of, dealt, finish_round, to_lay
from tests.games.tables import check_sums, match_at, play_log, refusal_of


def test_everyone_lays_one_tile_of_the_hand_on_any_free_cell() -> None:
    """MZ-8."""
    match = dealt(3)
    assert match.acting == {0, 1, 2}
    cells = [f"{column}{row}" for row in "1234" for column in "abcd"]
    assert set(match.legal(1)) == {f"lay {tile} {cell}" for tile in ("B1", "B2", "B3", "B4") for cell in cells}
    match.play(1, "lay B3 c2")
    place = match.view(None).places[1]
    assert place.board[1] == (".", ".", "B3", ".")
    assert place.hand == ("B1", "B2", "B4")
    assert match.acting == {0, 2}


def test_the_order_of_laying_does_not_matter() -> None:
    """MZ-8."""
    lines = ["0 lay R1 a1", "1 lay B3 c2", "2 lay Y4 d4"]
    ends = {play_log(dealt(3), "\n".join(order)) for order in itertools.permutations(lines)}
    assert len(ends) == 1


def test_a_tile_never_moves_again() -> None:
    """MZ-8: a cell that is taken is never offered again, whatever the tile."""
    match = play_log(dealt(3), "0 lay R1 a1\n1 lay B3 c2\n2 lay Y4 d4\n- draw R1 R1 B1 B1")
    bid_all(match, [0, 0, 0])
    while match.view(None).phase == "picking":
        seat = min(match.acting)
        match.play(seat, match.legal_moves(seat)[0])
    assert not [event for event in match.legal(0) if event.endswith("a1")]
    assert refusal_of(match, 0, "lay R2 a1").rule == "MZ-8"


# The board before, the tile and the cell, and the coins it brings.
INCOMES = {
    "the case: 2 above, 1 at the left, 1 at the right, nothing at the corners": (
        """
        Ya Ra Ra .
        Ba .  Rb .
        Ra .  Ra .
        .  .  .  .
        """,
        "R1",
        "b2",
        4,
    ),
    "nothing beside it": (
        """
        .  .  .  .
        .  Ra .  .
        .  .  .  .
        .  .  .  .
        """,
        "R1",
        "c3",
        0,
    ),
    "four of the same pattern": (
        """
        .  Ra .  .
        Ra .  Ra .
        .  Ra .  .
        .  .  .  .
        """,
        "R1",
        "b2",
        8,
    ),
    "neither colour nor symbol": (
        """
        .  Bb .  .
        Yc .  Bd .
        .  Yb .  .
        .  .  .  .
        """,
        "R1",
        "b2",
        0,
    ),
    "flies do not matter": (
        """
        .  Ra* .  .
        .  .   .  .
        .  .   .  .
        .  .   .  .
        """,
        "R1",
        "b2",
        2,
    ),
    "the board does not wrap round": (
        """
        .  .  .  Ra
        .  .  .  .
        .  .  .  .
        Ra .  .  .
        """,
        "R1",
        "a1",
        0,
    ),
    "nor from row to row": (
        """
        .  .  .  Ra
        .  .  .  .
        .  .  .  .
        .  .  .  .
        """,
        "R1",
        "a2",
        0,
    ),
}


@pytest.mark.parametrize(("drawing", "tile", "cell", "coins"), INCOMES.values(), ids=INCOMES)
def test_income_is_paid_at_once(drawing: str, tile: str, cell: str, coins: int) -> None:
    """MZ-9."""
    match = to_lay(f"{drawing}\ncoins: 7", tile)
    match.play(0, f"lay {tile} {cell}")
    assert coins_of(match)[0] == 7 + coins


def test_coins_are_not_limited_by_what_is_in_the_box() -> None:
    """R7: five players begin with 50 of the 60 coins; here they get 12 each without paying any."""
    match = Match(GAME, 5)
    tiles = ("R1", "B1", "Y1", "R2", "B2")
    match.play(None, "deal " + " ".join(f"{tile} " * 3 + tile for tile in tiles))
    for cell in ("a1", "b1", "b2", "a2"):
        if match.awaits_chance:
            match.play(None, "draw Y3 Y3 Y4 Y4 B3 B4")
        while match.acting:
            seat = min(match.acting)
            lays = match.view(None).phase == "laying"
            match.play(seat, f"lay {tiles[seat]} {cell}" if lays else match.legal(seat)[0])
    assert coins_of(match) == [18] * 5


def test_the_fly_is_placed_when_everyone_has_laid() -> None:
    """MZ-10."""
    match = bid_all(at_auction(5, 2), [3, 2, 1, 0, 4])
    while match.view(None).phase != "flying":
        seat = min(match.acting)
        assert match.view(None).phase in ("picking", "laying")
        match.play(seat, match.legal_moves(seat)[0])
    assert match.acting == {3}


def test_a_fly_goes_on_an_own_tile_that_has_none() -> None:
    """MZ-10, R6: the tile just laid is allowed, and it cannot be declined."""
    match = bid_all(at_auction(5, 4), [0, 1, 2, 2, 1])
    while match.view(None).phase != "flying":
        seat = min(match.acting)
        match.play(seat, match.legal_moves(seat)[0])
    places = match.view(None).places
    tiles = {f"{'abcd'[x]}{y + 1}": places[0].board[y][x] for y in range(4) for x in range(4)}
    free = {cell for cell, tile in tiles.items() if tile != "." and not tile.endswith("*")}
    just_laid = next(event.do for event in reversed(match.events) if event.by == 0).split()[2]
    assert just_laid in free
    assert set(match.legal(0)) == {f"fly {cell}" for cell in free}
    match.play(0, f"fly {just_laid}")
    assert match.view(None).places[0].board[int(just_laid[1]) - 1]["abcd".index(just_laid[0])].endswith("*")
    assert [place.board for place in match.view(None).places[1:]] == [place.board for place in places[1:]]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_after_round_16_the_boards_are_full_and_three_tiles_are_left(seats: int) -> None:
    """MZ-2, MZ-12."""
    match = at_auction(seats, 16)
    finish_round(match)
    assert match.is_over
    for place in match.view(None).places:
        assert not [tile for row in place.board for tile in row if tile == "."]
        assert place.hand is not None
        assert len(place.hand) == 3
    check_sums(match)


def test_tiles_left_in_hand_are_worth_nothing() -> None:
    """MZ-12."""
    table = to_lay("Ra Ra Ra . / . . . . / . . . . / . . . .", "R1").table
    worth = match_at(GAME, table).scores
    table.hands[:] = 0
    assert match_at(GAME, table).scores == worth
