"""The small parts: bits, records of tables, streams of chance, drawings, the compiled cache."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import smalti
from smalti.engine.bits import bit, connected, count, lowest, neighbours, numbers
from smalti.engine.chance import below, stream_of, weighted
from smalti.engine.compiled import CACHE, is_writable, source_signature
from smalti.engine.drawing import Board, Tile, plain, read_rows, split_notes
from smalti.engine.errors import shown
from smalti.engine.geometry import cell_name, cell_place
from smalti.engine.record import Byte, Record, Words, bytes_of, copy_of
from tests.support import few

words = st.integers(0, 2**64 - 1)


@given(words)
def test_bits_are_counted_and_listed(word: int) -> None:
    assert count(np.uint64(word)) == len(numbers(word)) == word.bit_count()
    if word:
        assert lowest(np.uint64(word)) == numbers(word)[0]


@given(st.integers(0, 63))
def test_neighbours_share_an_edge(cell: int) -> None:
    row, column = divmod(cell, 8)
    beside = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    expected = sorted(8 * y + x for y, x in beside if 0 <= y < 8 and 0 <= x < 8)
    assert numbers(neighbours(np.uint64(bit(cell)))) == expected


def test_connected_cells_are_found_round_corners() -> None:
    #   # # .
    #   . # .
    #   # . #
    cells = np.uint64(0b11 | 0b10 << 8 | 0b101 << 16)
    assert numbers(connected(bit(0), cells)) == [0, 1, 9]
    assert numbers(connected(bit(18), cells)) == [18]


def test_a_record_lays_fields_out_without_gaps() -> None:
    class Small(Record):
        first: Byte
        second: Annotated[Words, 2]

    assert Small.dtype.itemsize == 24
    table = Small.blank()
    table.second[1] = 7
    twin = copy_of(table)
    twin.second[1] = 8
    assert (table.second[1], twin.second[1]) == (7, 8)
    assert bytes_of(table) != bytes_of(twin)


def test_a_field_cannot_have_a_name_that_numpy_uses() -> None:
    with pytest.raises(TypeError, match="'shape'"):

        class Wrong(Record):
            shape: Byte


def test_streams_are_the_same_on_every_machine() -> None:
    stream = stream_of(7, 3)
    assert [int(below(stream, 100)) for _ in range(8)] == STREAM_OF_7_3


STREAM_OF_7_3 = [37, 44, 6, 2, 47, 81, 36, 86]


def test_streams_of_neighbouring_numbers_differ() -> None:
    first = {int(below(stream_of(1, number), 2**31)) for number in range(100)}
    assert len(first) == 100


def test_draws_are_even_and_follow_weights() -> None:
    games = few(20_000)
    stream, weights = stream_of(1), np.array([1, 0, 3], np.int32)
    drawn = [int(weighted(stream, weights, 3)) for _ in range(games)]
    assert set(drawn) <= {0, 2}
    assert abs(drawn.count(0) / games - 1 / 4) < 3 / games**0.5


def test_cells_have_names() -> None:
    assert cell_name(0, 0) == "a1"
    assert cell_place("h8") == (7, 7)
    assert [cell_place(name) for name in ("i1", "a9", "a0", "A1", "a", "a11", "")] == [None] * 7


@pytest.mark.parametrize("game", smalti.games.everyone(), ids=str)
def test_a_drawing_reads_back_as_the_same_board(game: smalti.Game) -> None:
    drawn = DRAWINGS[game.name]
    table, seats = game.read_board(drawn)
    board = next(b for b in game.boards(table) if b.seat in (None, seats[0]))
    notes = [note for note in board.notes if note.partition(":")[0] in KEPT_NOTES]
    again, _ = game.read_board("\n".join([plain(board), *notes]))
    assert bytes_of(again) == bytes_of(table)


KEPT_NOTES = ("coins", "boxes", "river 0", "river 1", "bowl 0", "bowl 1")
DRAWINGS = {
    "mosaix": "oooooox/xxxootx/xoxtttx/oooo.tx/ottttox/ttoxxoo/xxxxxtx\nboxes: 3",
    "mozaika": "Y1 Y1 Y2 R2*/R1 R1 B1 R3*/R1 . Y1 R2/B1 B1 B3 B2*\ncoins: 17",
    "patterns": """
            d k l d
          g l k o s l
        o l l s k s k k
       G0 s l k s g l s
      G0* d s o l D0* g o
       G0 k o d s o d g
          o o l s d D1*
            k o g g
        river 0: G D
        river 1: D
        bowl 0: D
        bowl 1: K
    """,
}


MANDALA = "{}/" + ". " * 6 + "/" + (". " * 8 + "/") * 4 + ". " * 6 + "/. . . ."


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("mosaix", "", "7 rows, the drawing has 0"),
        ("mosaix", "ooooooo/" * 6 + "oo", "row 7 has 7 cells"),
        ("mosaix", "ooooooo/" * 6 + "oooooo?", "expected o, t, x or a dot"),
        ("mosaix", "ooooooo/" * 7 + "\nboxes: 9", "from 0 to 8"),
        ("mosaix", "ooooooo/" * 7 + "\nboxes: ٣", "from 0 to 8"),
        ("mosaix", "ooooooo/" * 7 + "\ncoins: 9", "no line 'coins'"),
        ("mozaika", "R1 R1 R1 R1/" * 3, "4 rows, the drawing has 3"),
        ("mozaika", "R1 R1 R1 R9/" * 4, "expected a tile such as R1"),
        ("mozaika", "R1 R1 Y1 G1/" * 4, "three colours"),
        ("mozaika", "R1 R1 R1 R1/" * 4 + "\ncoins: 1000000000", "from 0 to 58"),
        ("patterns", "kkkk", "8 rows"),
        ("patterns", MANDALA.replace(".", "k").format("k k k k"), "the drawing has 52 black ones"),
        ("patterns", MANDALA.format(". . . .") + "\nriver 0:\nriver 0:", "stands twice"),
        ("patterns", MANDALA.format("X0 k k k"), "expected a front"),
        ("patterns", MANDALA.format("K0 k k k"), "not in its river"),
        ("patterns", MANDALA.format("K0 k K0 k") + "\nriver 0: K", "several pieces"),
        ("patterns", MANDALA.format("k k k k") + "\nriver 0: K", "no tile K0"),
    ],
)
def test_a_wrong_drawing_gets_a_clear_answer(game: str, text: str, message: str) -> None:
    with pytest.raises(smalti.BadInput, match=message):
        smalti.games.find(game).read_board(text)


def test_rows_end_with_lines_or_slashes() -> None:
    assert read_rows("a b / c d", [2, 2]) == read_rows("a b\n\n c  d \n", [2, 2]) == [["a", "b"], ["c", "d"]]
    assert split_notes("a b\nx: 1", ("x",)) == ("a b", {"x": "1"})


def test_a_board_with_gaps_is_drawn_in_columns() -> None:
    tile = Tile("k", "k", "black")
    assert plain(Board("", None, ((None, tile), (tile, tile)))) == "  k\nk k"


def test_what_strangers_type_is_shown_short_and_printable() -> None:
    assert shown("a\nb") == r"'a\nb'"
    assert shown("\ud800é") == r"'\ud800\xe9'"
    assert len(shown("x" * 10**6)) == 60


def test_the_cache_is_named_by_the_sources() -> None:
    assert CACHE.name.startswith(source_signature())


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert is_writable(tmp_path / "new" / "folder")
    assert not is_writable(tmp_path / "file" / "folder")


def test_tables_are_small() -> None:
    sizes: dict[str, Any] = {game.name: game.table.dtype.itemsize for game in smalti.games.everyone()}
    assert all(size <= 200 for size in sizes.values()), sizes
