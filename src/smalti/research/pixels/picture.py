"""Pictures of a table: its boards as pixels, glass in dark beds, every kind told by its shape and by its colour.

The size of a picture depends on nothing but how many boards have named cells and how large they are. What comes and
goes has its place kept: dice and open tiles lie in the tray on top, notes stand beside the titles. In order: what
holds tiles, the layout, one board, the tray, the picture; single tiles are in `tiles`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageColor, ImageDraw

from smalti.engine.drawing import Board
from smalti.engine.drawing.glass import BED, BED_LIGHT, GLYPHS, METALS, RIM, Point
from smalti.engine.geometry import COLUMNS
from smalti.research.pixels.cutting import Place, groups, setting, tiles_of
from smalti.research.pixels.tiles import (
    CUTS,
    FINE,
    GOLD,
    INK,
    PALE,
    Pen,
    cell_image,
    font,
    shape_mask,
    write,
    write_note,
)

GROUND = "#14151c"
Spot = tuple[int, int]  # pixels from the left and from the top

# --- What holds tiles: metal and beds


@lru_cache
def metal(seat: int, size: int) -> Image.Image:
    """Draw a sheet of a seat's metal."""
    stops = [ImageColor.getrgb(colour) for colour in list(METALS.values())[seat % len(METALS)]]
    way = np.add.outer(np.arange(size), np.arange(size)) / (2 * size)
    bands = [np.interp(way, (0, 0.5, 1), [stop[band] for stop in stops]) for band in range(3)]
    return Image.fromarray(np.stack(bands, axis=2).astype(np.uint8))


@lru_cache
def rounded(width: int, height: int, corner: int, rim: int = 0) -> Image.Image:
    """Return the mask of a box with round corners; with a rim, of that rim only."""
    mask = Image.new("L", (FINE * width, FINE * height))
    box = (0, 0, FINE * width - 1, FINE * height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, FINE * corner, 0 if rim else 255, 255, FINE * rim)
    return mask.resize((width, height), Image.Resampling.LANCZOS)


@lru_cache
def bed(width: int, height: int, lit: bool) -> Image.Image:
    """Draw a bed, lighter in its middle; the line round it is golden when it is lit."""
    down, across = np.linspace(-1, 1, height)[:, None], np.linspace(-1, 1, width)
    far = np.minimum(1, np.hypot(down, across))[..., None]
    inner, outer = (np.array(ImageColor.getrgb(colour)) for colour in (BED_LIGHT, BED))
    image = Image.fromarray((inner + (outer - inner) * far).astype(np.uint8))
    image.paste(GOLD if lit else RIM, (0, 0), rounded(width, height, 16, 2))
    image.putalpha(rounded(width, height, 16))
    return image


# --- The layout

MARGIN = 14  # between beds
PAD = 26  # inside a bed, left and right of the cells; the names of the rows stand there
HEADER, FOOT = 72, 18  # inside a bed, above and below the cells; title, notes and names of columns stand above
TRAY = 108  # its height
TITLE, TRAY_TITLE, LINE = 92, 118, 21  # widths of titles, height of a line of text
NARROWEST, WIDEST, HIGHEST = 480, 980, 980  # of the picture, as far as cells can be made to fit
SMALLEST_CELL, NAMED_CELL, LOOSE_CELL, LARGEST_CELL = 8, 24, 48, 64  # named: from which on names can be read


class Layout(NamedTuple):
    """How many boards lie side by side and one below the other, all with room for so many cells."""

    columns: int
    lines: int
    across: int
    down: int

    @property
    def cell(self) -> int:
        """The size of a cell."""
        wide = (WIDEST - MARGIN) // self.columns - MARGIN - 2 * PAD
        high = (HIGHEST - TRAY - 2 * MARGIN) // self.lines - MARGIN - HEADER - FOOT
        return max(SMALLEST_CELL, min(LARGEST_CELL, wide // self.across, high // self.down))

    @property
    def bed(self) -> tuple[int, int]:
        """The size of a bed."""
        width = max((NARROWEST - MARGIN) // self.columns - MARGIN, self.cell * self.across + 2 * PAD)
        return width, self.cell * self.down + HEADER + FOOT

    @property
    def size(self) -> tuple[int, int]:
        """The size of the picture."""
        wide, high = self.bed
        return self.columns * (wide + MARGIN) + MARGIN, TRAY + self.lines * (high + MARGIN) + 2 * MARGIN

    def place(self, number: int, boards: int) -> Spot:
        """Return where the bed of a board lies; a last line that is not full lies in the middle."""
        line, column = divmod(number, self.columns)
        missing = max(0, (line + 1) * self.columns - boards)
        wide, high = self.bed
        left = MARGIN + column * (wide + MARGIN) + missing * (wide + MARGIN) // 2
        return left, TRAY + 2 * MARGIN + line * (high + MARGIN)


def layout_of(boards: Sequence[Board]) -> Layout:
    """Lay boards out: up to three in a line, more in two lines."""
    columns = len(boards) if len(boards) < 4 else (len(boards) + 1) // 2
    across = max((len(row) for board in boards for row in board.rows), default=1)
    down = max((len(board.rows) for board in boards), default=1)
    return Layout(max(1, columns), 1 if len(boards) < 4 else 2, across, down)


# --- One board


def draw_cells(image: Image.Image, board: Board, place: Spot, cell: int) -> None:
    """Draw the cells of a board and the metal round the groups of its owners."""
    tiles = tiles_of(board)
    for group in groups(tiles):
        owner = tiles[group[0]].owner
        if owner is not None:
            set_in_metal(image, group, owner, place, cell)
    for y, row in enumerate(board.rows):
        for x, tile in enumerate(row):
            if tile:
                drawn = cell_image(tile, cell, (x + 2 * y) % CUTS)
                image.paste(drawn, (place[0] + x * cell, place[1] + y * cell), drawn)


def set_in_metal(image: Image.Image, group: list[Place], owner: int, place: Spot, cell: int) -> None:
    """Draw the metal that holds a group together."""
    for x, y, wide, high in setting(group):
        size = (wide * cell - 2, high * cell - 2)
        sheet = metal(owner, 12 * cell).crop((x * cell, y * cell, x * cell + size[0], y * cell + size[1]))
        image.paste(sheet, (place[0] + x * cell + 1, place[1] + y * cell + 1), rounded(*size, cell // 7))


def draw_names(pen: Pen, board: Board, place: Spot, cell: int) -> None:
    """Write the names of columns and rows beside the cells."""
    columns = max(len(row) for row in board.rows)
    for number, letter in enumerate(COLUMNS[:columns]):
        write(pen, (place[0] + (number + 0.5) * cell, place[1] - 9), letter, 12, PALE, anchor="mm")
    for number in range(len(board.rows)):
        write(pen, (place[0] - 12, place[1] + (number + 0.5) * cell), str(number + 1), 12, PALE, anchor="mm")


def draw_title(pen: Pen, board: Board, place: Point, room: float, lit: bool) -> None:
    """Write a title round the height of a place; what follows a comma stands below it."""
    title, _, rest = board.title.partition(", ")
    x, y = place
    write(pen, (x, y - (LINE / 2 if rest else 0)), title, 20, GOLD if lit else INK, room)
    write(pen, (x, y + LINE / 2), rest, 15, PALE, room)


def draw_notes(pen: Pen, notes: Sequence[str], place: Point, room: float) -> None:
    """Write notes in two lines, column by column; one with nothing beside it may be longer."""
    columns, top = max(2, (len(notes) + 1) // 2), place[1] - (LINE / 2 if len(notes) > 1 else 0)
    for number, note in enumerate(notes):
        column, line = divmod(number, 2)
        free = 1 if number + 2 < len(notes) else columns - column
        spot = (place[0] + column * room / columns, top + line * LINE)
        write_note(pen, spot, note, 15, free * room / columns - 8)


def draw_board(image: Image.Image, board: Board, corner: Spot, layout: Layout, lit: bool) -> None:
    """Draw a board in its bed, with title, notes and names."""
    (left, top), (width, height) = corner, layout.bed
    drawn, pen = bed(width, height, lit), ImageDraw.Draw(image)
    image.paste(drawn, corner, drawn)
    inset = (width - layout.cell * max(len(row) for row in board.rows)) // 2
    cells = (left + inset, top + HEADER)
    draw_title(pen, board, (left + PAD, top + 31), TITLE - 8, lit)
    draw_notes(pen, board.notes, (left + PAD + TITLE, top + 31), width - 2 * PAD - TITLE)
    if layout.cell >= NAMED_CELL:
        draw_names(pen, board, cells, layout.cell)
    draw_cells(image, board, cells, layout.cell)


# --- The tray


def draw_tray(image: Image.Image, boards: Sequence[Board], seats: int, acting: Collection[int]) -> None:
    """Draw the tray on top: whose metal is which, dice or open tiles, and what the shapes mean."""
    drawn = bed(image.width - 2 * MARGIN, TRAY, False)
    image.paste(drawn, (MARGIN, MARGIN), drawn)
    left, right = MARGIN + PAD, draw_legend(image, boards, image.width - MARGIN - PAD)
    if any(board.named and board.seat is None for board in boards):
        left = draw_owners(image, seats, acting, left)
    loose = [board for board in boards if not board.named]
    for number, board in enumerate(loose):
        room = (right - left) // (len(loose) - number)
        draw_loose(image, board, left, room)
        left += room


def draw_loose(image: Image.Image, board: Board, left: int, room: int) -> None:
    """Draw dice or open tiles, as large as there is room."""
    across, down, title = max(len(row) for row in board.rows), len(board.rows), min(TRAY_TITLE, room // 2)
    cell = max(SMALLEST_CELL, min(LOOSE_CELL, (TRAY - 16) // down, (room - title - 8) // across))
    draw_title(ImageDraw.Draw(image), board, (left, MARGIN + TRAY / 2), title - 8, False)
    draw_cells(image, board, (left + title, MARGIN + (TRAY - down * cell) // 2), cell)


def draw_owners(image: Image.Image, seats: int, acting: Collection[int], left: int) -> int:
    """Show which metal is whose, where a board belongs to all, and return where that ends."""
    pen, apart = ImageDraw.Draw(image), min(30, (TRAY - 16) / seats)
    for seat in range(seats):
        height = MARGIN + TRAY / 2 + (seat - (seats - 1) / 2) * apart
        image.paste(metal(seat, 22), (left, round(height) - 11), rounded(22, 22, 5, 4))
        write(pen, (left + 32, height), f"seat {seat}", 18, GOLD if seat in acting else INK)
    return left + TITLE + PAD


def draw_legend(image: Image.Image, boards: Sequence[Board], right: int) -> int:
    """Write what the shapes mean in columns of three, up to the right end, and return where that begins."""
    pen = ImageDraw.Draw(image)
    legends = dict.fromkeys(board.legend for board in boards if board.legend)
    entries = [entry for legend in legends for entry in legend.split("   ")]
    width = max((round(font(14).getlength(entry[1:])) for entry in entries), default=0) + 34
    left = right + 14 - (len(entries) + 2) // 3 * width
    for number, entry in enumerate(entries):
        spot = left + number // 3 * width, MARGIN + TRAY // 2 + (number % 3 - 1) * 25
        draw_entry(image, pen, entry, spot)
    return left - 14


def draw_entry(image: Image.Image, pen: Pen, entry: str, spot: Spot) -> None:
    """Draw the shape an entry of a legend begins with, and write what it means."""
    known = entry[:1] in GLYPHS
    if known:
        image.paste(PALE, (spot[0], spot[1] - 8), shape_mask(GLYPHS[entry[0]], 16))
    write(pen, (spot[0] + 20, spot[1]), entry[1:] if known else entry, 14, PALE)


# --- The picture


def picture(boards: Sequence[Board], seats: int, acting: Collection[int] = ()) -> npt.NDArray[np.uint8]:
    """Return a picture of a table's boards as height, width and RGB; the seats that must act are lit up.

    All pictures of one game, with as many seats, have the same size.
    """
    named = [board for board in boards if board.named]
    layout = layout_of(named)
    image = Image.new("RGB", layout.size, GROUND)
    draw_tray(image, boards, seats, acting)
    for number, board in enumerate(named):
        draw_board(image, board, layout.place(number, len(named)), layout, board.seat in acting)
    return np.array(image)
