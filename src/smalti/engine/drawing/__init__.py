"""Boards as text, both ways, and as what a terminal or a picture can colour.

A game describes a board once, as rows of `Tile`s. The plain drawing is what tests and `smalti score` read; the
coloured one in the terminal and the pixels of environments are made from the same description.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from smalti.engine.errors import BadInput, shown


class Tile(NamedTuple):
    """One cell: its token in the plain drawing, and how a screen shows it."""

    token: str
    glyph: str  # one or two characters that tell the kind by shape
    colour: str  # a name of the palette, "" for none
    strong: bool = True  # laid for good (a back, a written symbol), or only lying there
    owner: int | None = None  # on a board that belongs to all: whose it is
    mark: bool = False  # printed, marked or with a fly: worth a second look


@dataclass(frozen=True)
class Board:
    """One board: rows of tiles, None where there is no cell; lines of text below it."""

    title: str
    seat: int | None  # whose it is; None where it belongs to all
    rows: tuple[tuple[Tile | None, ...], ...]
    notes: tuple[str, ...] = ()
    named: bool = True  # whether its cells have names; dice and open tiles have none
    legend: str = ""  # what the shapes mean


@dataclass(frozen=True)
class TextBoard:
    """A board as text: rows of tokens, None where there is no cell; lines of text below it."""

    title: str
    seat: int | None
    rows: tuple[tuple[str | None, ...], ...]
    notes: tuple[str, ...]
    named: bool  # whether its cells have names


@dataclass(frozen=True)
class TextView:
    """What is shown of a game for which nobody has drawn a board: all its boards as text."""

    boards: tuple[TextBoard, ...]


def in_words(boards: Iterable[Board]) -> TextView:
    """Describe boards without colours and shapes."""
    return TextView(
        tuple(TextBoard(board.title, board.seat, tokens(board), board.notes, board.named) for board in boards)
    )


def tokens(board: Board) -> tuple[tuple[str | None, ...], ...]:
    """Return the tokens of a board, row by row."""
    return tuple(tuple(tile and tile.token for tile in row) for row in board.rows)


def plain(board: Board) -> str:
    """Draw a board as rows of tokens, aligned, as `read_rows` takes them."""
    width = max(len(tile.token) for row in board.rows for tile in row if tile)
    gap = " " if width > 1 or any(None in row for row in board.rows) else ""
    lines = [gap.join((tile.token if tile else "").ljust(width) for tile in row).rstrip() for row in board.rows]
    return "\n".join(lines)


def split_notes(text: str, known: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Part a drawing from the lines `name: value` below it."""
    known, rows, notes = tuple(known), [], {}
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if not colon:
            rows.append(line)
            continue
        if name.strip() not in known:
            raise BadInput(f"a drawing has no line {shown(name.strip())}; it can have: {', '.join(known)}")
        if name.strip() in notes:
            raise BadInput(f"the line {shown(name.strip())} stands twice")
        notes[name.strip()] = value.strip()
    return "\n".join(rows), notes


def read_rows(text: str, widths: Iterable[int], joined: bool = False) -> list[list[str]]:
    """Split a drawing into rows of tokens; rows end with the line or with `/`.

    `joined` drawings have one character a cell and need no blanks.
    """
    widths = list(widths)
    lines = [line.strip() for part in text.splitlines() for line in part.split("/") if line.strip()]
    rows = [list(line.replace(" ", "")) if joined else line.split() for line in lines]
    if len(rows) != len(widths):
        raise BadInput(f"the board has {len(widths)} rows, the drawing has {len(rows)}")
    for number, (row, width) in enumerate(zip(rows, widths, strict=True), 1):
        if len(row) != width:
            raise BadInput(f"row {number} has {width} cells, the drawing has {len(row)}: {shown(' '.join(row))}")
    return rows
