"""Pictures of a table: one size for a whole game, and whatever differs on the table can be seen."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest

import smalti
from smalti.engine.drawing import Board, Tile
from smalti.engine.game import Game
from smalti.engine.match import Match
from smalti.research.pixels.picture import picture
from tests.support import step, unfinished_match

EMPTY = Tile(".", "·", "", strong=False)
BALL = Tile("a", "●", "red")
SIZES = [(game, seats) for game in smalti.games.everyone() for seats in game.seats]
EVERY = 7  # events from one picture to the next, so that the tests are quick


def shown(match: Match) -> npt.NDArray[np.uint8]:
    """Return the picture an onlooker gets."""
    return picture(match.boards(None), match.seats, match.acting)


def board_of(*tiles: Tile | None, title: str = "board", notes: tuple[str, ...] = ()) -> Board:
    """Return a board of one row that belongs to all."""
    return Board(title, None, (tiles,), notes)


def differ(tile: Tile, other: Tile) -> bool:
    """Say whether two tiles look different on the same cell."""
    return not np.array_equal(picture([board_of(tile, EMPTY)], 2), picture([board_of(other, EMPTY)], 2))


@pytest.mark.parametrize(("game", "seats"), SIZES, ids=[f"{game.name}-{seats}" for game, seats in SIZES])
def test_all_pictures_of_a_game_have_one_size(game: Game, seats: int) -> None:
    match, luck = Match(game, seats), random.Random(seats)
    shapes = {shown(match).shape}
    while not match.is_over:
        step(match, luck)
        if match.is_over or len(match.events) % EVERY == 0:
            shapes.add(shown(match).shape)
    ((height, width, bands),) = shapes
    assert bands == 3
    assert 480 <= width <= 1000
    assert (480 if game.view else 240) <= height <= 1000  # a board that the pages do not draw may be small


@pytest.mark.parametrize("game", smalti.games.everyone(), ids=lambda game: game.name)
def test_the_same_table_gives_the_same_picture_and_another_one_another(game: Game) -> None:
    luck = random.Random(1)
    match = unfinished_match(game, game.seats[-1], {}, luck, 12)
    before, again = shown(match), shown(match.copy())
    assert before.dtype == np.uint8
    assert np.array_equal(before, again)
    step(match, luck)
    assert not np.array_equal(before, shown(match))


@pytest.mark.parametrize(
    "other",
    [
        Tile("a", "●", "blue"),
        Tile("a", "▲", "red"),
        Tile("a", "●", "red", strong=False),
        Tile("a", "●", "red", mark=True),
        Tile("a*", "●*", "red", mark=True),
        Tile("a", "●", "red", owner=0),
        EMPTY,
    ],
    ids=["colour", "shape", "lying", "marked", "fly", "owned", "none"],
)
def test_a_tile_that_differs_looks_different(other: Tile) -> None:
    assert differ(BALL, other)


def test_owners_and_the_numbers_on_their_markers_look_different() -> None:
    mine = Tile("A0*", "●1", "red", owner=0, mark=True)
    assert differ(mine, mine._replace(owner=1))
    assert differ(mine, mine._replace(glyph="●2"))


def test_colours_and_glyphs_nobody_foresaw_are_drawn_all_the_same() -> None:
    strange = Tile("q", "⬟", "octarine")
    assert differ(strange, EMPTY)
    assert differ(strange, strange._replace(colour="ulfire"))
    assert differ(strange, strange._replace(glyph="%"))
    assert differ(strange, strange._replace(token="p"))  # stands for a glyph the font lacks
    assert differ(EMPTY, EMPTY._replace(glyph="?"))


def test_titles_notes_and_the_seats_that_act_are_seen() -> None:
    plain = picture([board_of(BALL)], 2)
    for other in (board_of(BALL, title="other"), board_of(BALL, notes=("coins: 3",))):
        assert not np.array_equal(plain, picture([other], 2))
    assert not np.array_equal(plain, picture([board_of(BALL)], 2, acting={1}))


def test_dice_and_notes_do_not_change_the_size() -> None:
    dice = Board("dice, open", None, ((BALL,) * 9,) * 4, named=False)
    long = board_of(BALL, title="a title – too long for its room", notes=("and such notes: " + "x" * 99,) * 9)
    assert picture([board_of(BALL)], 2).shape == picture([dice, dice, long], 2).shape


def test_a_large_table_still_fits() -> None:
    height, width, _ = picture([Board(f"seat {seat}", seat, ((BALL,) * 9,) * 9) for seat in range(8)], 8).shape
    assert max(height, width) <= 1000
