"""Tiles as pixels, and text beside them.

Every kind of tile is drawn once, larger than needed, made smaller so that its edges are smooth, and kept. In order:
text, points, glass and what is let into it, tiles that only lie there, empty cells.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from PIL import Image, ImageColor, ImageDraw, ImageFont

from smalti.engine.drawing import Tile
from smalti.engine.drawing.glass import (
    BED,
    METALS,
    ROUND_RADIUS,
    SHAPES,
    Point,
    glass_of,
    has_fly,
    is_dark,
    marker_of,
    mixed,
    regular,
    shape_of,
)
from smalti.research.pixels.cutting import CORNERS, cut

INK, PALE, GOLD = "#eceef6", "#9297ab", METALS["gold"][0]
FINE = 3  # parts are drawn so many times larger
Pen = ImageDraw.ImageDraw

# --- Text

SMALLEST = 11


@lru_cache
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the font, so large."""
    return ImageFont.load_default(size)


@lru_cache(maxsize=1024)
def fitted(text: str, size: int, room: float) -> tuple[str, int]:
    """Return a text and its size, made smaller and then shortened until there is room for it."""
    while font(size).getlength(text) > room and size > SMALLEST:
        size -= 1
    while text and font(size).getlength(text) > room:
        text = text[:-1]
    return text, size


def written(text: str) -> str:
    """Return a text as the font can write it; it is only sure to have the letters of ASCII."""
    return text.encode("ascii", "replace").decode()


def write(pen: Pen, place: Point, text: str, size: int, colour: str, room: float = 999, anchor: str = "lm") -> None:
    """Write a line of text: `place` is its left end, or with anchor "mm" its middle."""
    line, fit = fitted(written(text), size, room)
    pen.text(place, line, colour, font(fit), anchor)


def write_note(pen: Pen, place: Point, note: str, size: int, room: float) -> None:
    """Write a note `name: value`, the name pale; without a colon all of it is value."""
    line, fit = fitted(written(note), size, room)
    name, colon, value = line.rpartition(":")
    pen.text(place, name + colon, PALE, font(fit), "lm")
    pen.text((place[0] + font(fit).getlength(name + colon), place[1]), value, INK, font(fit), "lm")


# --- One tile, in the middle of its cell

CUTS = 4  # of each kind, so that neighbours are not quite alike
NIGHT = "#1b1d27"
FLY = (  # middle, half width, half height, degrees turned, colour, strength
    (-4.6, 4, 3.4, 7.6, 28, "#f4f8ff", 0.85),
    (4.6, 4, 3.4, 7.6, -28, "#f4f8ff", 0.85),
    (0, 1.5, 2.6, 6.2, 0, NIGHT, 1),
    (0, -5.8, 3.5, 3.2, 0, NIGHT, 1),
    (-2.1, -7, 1.8, 1.7, 0, "#e8473f", 1),
    (2.1, -7, 1.8, 1.7, 0, "#e8473f", 1),
)


def seen(colour: str, strength: float) -> tuple[int, ...]:
    """Return a colour one can see through."""
    return (*ImageColor.getrgb(colour)[:3], round(255 * strength))


def turned(points: Iterable[Point], degrees: float) -> list[Point]:
    """Turn points clockwise round 0, 0."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(x * cos - y * sin, x * sin + y * cos) for x, y in points]


def placed(points: Iterable[Point], middle: Point, size: float = 1) -> list[Point]:
    """Move points to a middle and make them so large."""
    return [(middle[0] + x * size, middle[1] + y * size) for x, y in points]


def corners_of(shape: str) -> list[Point]:
    """Return the corners of a shape; a round one has many."""
    return SHAPES[shape] or regular(36, 0, ROUND_RADIUS)


def soft_area(pen: Pen, line: list[Point], colour: str, width: float) -> None:
    """Fill an area whose corners are rounded by a pen of that width."""
    pen.polygon(line, colour)
    pen.line([*line, *line[:2]], colour, round(width), "curve")


@lru_cache
def sheen(size: int) -> Image.Image:
    """Draw the light that falls on glass from the upper left and leaves a shade at the lower right."""
    way = np.add.outer(np.arange(size), np.arange(size)) / (2 * size)
    light = np.interp(way, (0.05, 0.5, 0.95), (0.3, 0.04, -0.22))
    pixels = np.where(light[..., None] > 0, 255.0, 0.0).repeat(4, axis=2)
    pixels[..., 3] = 255 * abs(light)
    return Image.fromarray(pixels.astype(np.uint8))


def glass(tile: Tile, size: int, luck: random.Random) -> Image.Image:
    """Draw a tile that lies for good: a piece of glass with what is let into it."""
    middle, body = (size / 2, size / 2), glass_of(tile.colour).body
    width = size * (0.87 if tile.owner is None else 0.8)
    piece = cut(width, body, luck)
    image, mask = Image.new("RGB", (size, size), piece.tint), Image.new("L", (size, size))
    pen = ImageDraw.Draw(image, "RGBA")
    for line, light, strength in piece.edges:
        pen.polygon(placed(line, middle), seen(light, strength))
    image.paste(sheen(size), mask=sheen(size))
    pen.polygon(placed(piece.streak, middle), seen("#fff", 0.13))
    inlay(pen, tile, middle, width)
    marks(pen, tile, middle, width, luck)
    soft_area(ImageDraw.Draw(mask), placed(piece.outer, middle), "white", size * 0.04)
    image.putalpha(mask)
    return image


def inlay(pen: Pen, tile: Tile, middle: Point, width: float) -> None:
    """Draw the shape that is let into the glass; if there is none that is known, write the glyph."""
    body, colour = glass_of(tile.colour)
    shape, shade = shape_of(tile), mixed(body, "#000000", 0.45)
    if not shape:
        write(pen, middle, glyph_text(tile), round(width * 0.5), colour, width * 0.8, "mm")
        return
    radius = width * (0.37 if marker_of(tile) else 0.26)
    corners, below = corners_of(shape), (middle[0] + radius * 0.12, middle[1] + radius * 0.12)
    soft_area(pen, placed(corners, below, radius), shade, radius * 0.14)
    soft_area(pen, placed(corners, middle, radius), colour, radius * 0.14)
    number = "#ffffff" if is_dark(colour) else mixed(body, "#000000", 0.6)
    write(pen, middle, marker_of(tile), round(width * 0.46), number, width, "mm")


def glyph_text(tile: Tile) -> str:
    """Return what to write on a tile without a shape: its glyph, or its token where the font lacks the glyph."""
    return tile.glyph if tile.glyph.isascii() else tile.token


def marks(pen: Pen, tile: Tile, middle: Point, width: float, luck: random.Random) -> None:
    """Draw the fly on a tile, or the four golden studs of a marked one; a number is mark enough."""
    if has_fly(tile):
        fly(pen, (middle[0] + width * 0.25, middle[1] - width * 0.24), width / 36, luck.uniform(-50, 40))
    elif tile.mark and not marker_of(tile):
        for corner in placed(CORNERS, middle, width * 0.335):
            pen.circle(corner, width * 0.075, GOLD, METALS["gold"][1], round(width * 0.02))


def fly(pen: Pen, middle: Point, size: float, direction: float) -> None:
    """Draw a fly that looks in a direction."""
    for x, y, half_width, half_height, degrees, colour, strength in FLY:
        oval = [(half_width * a, half_height * b) for a, b in regular(16, 0, 1)]
        part = turned(placed(turned(oval, degrees), (x, y)), direction)
        pen.polygon(placed(part, middle, size), seen(colour, strength), NIGHT, round(size * 0.7))


def lying(tile: Tile, size: int) -> Image.Image:
    """Draw a tile that only lies there: dull, with the line of its shape."""
    body, width, middle = glass_of(tile.colour).body, size * 0.76, (size / 2, size / 2)
    image, light = Image.new("RGBA", (size, size)), mixed(body, "#ffffff", 0.45)
    pen, shape, rim = ImageDraw.Draw(image), shape_of(tile), round(size * 0.025)
    box = (*placed([(-0.5, -0.5), (0.5, 0.5)], middle, width),)
    pen.rounded_rectangle(box, size * 0.08, mixed(body, BED, 0.55), mixed(body, BED, 0.2), rim)
    if shape:
        line = placed(corners_of(shape), middle, width * 0.25)
        pen.line([*line, *line[:2]], light, 2 * rim, "curve")
    else:
        write(pen, middle, glyph_text(tile), round(width * 0.5), light, width * 0.8, "mm")
    return image


def socket(tile: Tile, size: int) -> Image.Image:
    """Draw an empty cell; if its glyph is more than a dot, write it."""
    image, inset = Image.new("RGBA", (size, size)), size * 0.09
    pen, box = ImageDraw.Draw(image), (inset, inset, size - inset, size - inset)
    pen.rounded_rectangle(box, size * 0.1, seen("#000", 0.2), seen("#fff", 0.1), round(size * 0.02))
    if tile.glyph.strip(" ·."):
        write(pen, (size / 2, size / 2), glyph_text(tile), size // 3, PALE, size * 0.7, "mm")
    return image


@lru_cache(maxsize=1024)
def cell_image(tile: Tile, size: int, number: int) -> Image.Image:
    """Draw one cell with what is on it; the number tells tiles of a kind apart."""
    large = FINE * size
    if not tile.colour:
        image = socket(tile, large)
    elif not tile.strong:
        image = lying(tile, large)
    else:
        image = glass(tile, large, random.Random(f"{tile.token} {number}"))
    return image.resize((size, size), Image.Resampling.LANCZOS)


@lru_cache
def shape_mask(shape: str, size: int) -> Image.Image:
    """Return the mask of a shape, for text."""
    large = FINE * size
    mask = Image.new("L", (large, large))
    soft_area(
        ImageDraw.Draw(mask), placed(corners_of(shape), (large / 2, large / 2), large * 0.38), "white", large / 20
    )
    return mask.resize((size, size), Image.Resampling.LANCZOS)
