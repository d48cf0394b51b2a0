"""Glass: the colours and shapes of tiles, and the metals that hold them.

Only names and numbers. `smalti.research` makes pixels of them; for the pages `tools/components.py` writes them out.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Iterable
from typing import NamedTuple
from zlib import crc32

from smalti.engine.drawing import Tile

# --- Shapes: corners round a middle, about 1 away from it, x to the right and y down

Point = tuple[float, float]


def regular(corners: int, turned: float, *radii: float) -> list[Point]:
    """Return a regular polygon, or with two radii a star, its first corner so many degrees from the top."""
    steps = corners * len(radii)
    angles = [math.radians(turned - 90 + 360 * step / steps) for step in range(steps)]
    return [(radii[n % len(radii)] * math.cos(a), radii[n % len(radii)] * math.sin(a)) for n, a in enumerate(angles)]


def lowered(points: list[Point], by: float) -> list[Point]:
    """Move a shape down until it looks centred."""
    return [(x, y + by) for x, y in points]


def crossed(arm: list[Point]) -> list[Point]:
    """Return a cross made of one arm, turned four times."""
    return [*arm, *((-y, x) for x, y in arm), *((-x, -y) for x, y in arm), *((y, -x) for x, y in arm)]


ROUND = "round"  # has no corners
ROUND_RADIUS = 0.94
SHAPES: dict[str, list[Point]] = {
    ROUND: [],
    "diamond": regular(4, 0, 1.15),
    "square": regular(4, 45, 1.15),
    "triangle": lowered(regular(3, 0, 1.2), 0.22),
    "triangle-down": lowered(regular(3, 180, 1.2), -0.22),
    "star": lowered(regular(5, 0, 1.2, 0.58), 0.08),
    "cross": crossed([(0, -0.4), (0.58, -0.98), (0.98, -0.58)]),
}
GLYPHS = dict(zip("●◆■▲▼★✖", ("round", "diamond", "square", "triangle", "triangle-down", "star", "cross"), strict=True))
HOLLOW = dict(zip("○◇□△▽☆", "●◆■▲▼★", strict=True))  # only the line of a shape


def shape_of(tile: Tile) -> str:
    """Return the shape that tells a tile's kind, "" if its glyph has none that is known."""
    signs = (HOLLOW.get(sign, sign) for sign in tile.glyph)
    return next((GLYPHS[sign] for sign in signs if sign in GLYPHS), "")


def marker_of(tile: Tile) -> str:
    """Return the number on a tile of somebody's group, if its marker lies there."""
    return tile.glyph.strip("".join(GLYPHS) + " ") if tile.strong and tile.owner is not None else ""


def has_fly(tile: Tile) -> bool:
    """Say whether a fly sits on a tile."""
    return tile.mark and tile.token.endswith("*") and not marker_of(tile)


# --- Colours


class Glass(NamedTuple):
    """A colour of glass, and the colour of what is inlaid."""

    body: str
    inlay: str


PALETTE = {
    "black": Glass("#474b5e", "#d5daee"),
    "orange": Glass("#e0702a", "#ffe3c2"),
    "green": Glass("#2f9560", "#d3f7dc"),
    "light blue": Glass("#5fb4dc", "#0f4468"),
    "dark blue": Glass("#2f56b8", "#d3e0ff"),
    "sand": Glass("#dcc391", "#6b4a1c"),
    "teal": Glass("#1f9a9a", "#d2fbf3"),
    "plum": Glass("#8d4396", "#f6d9f7"),
    "red": Glass("#c03a41", "#ffdcd2"),
    "blue": Glass("#2f5fbd", "#d3e4ff"),
    "ochre": Glass("#dda22f", "#5c3a08"),
}
BED, BED_LIGHT = "#22242f", "#343747"  # of a bed's edge and of its middle
RIM = "#5a5e72"  # round a bed
METALS = {  # by seat: how light runs over what its groups are set in
    "gold": ("#ffdf85", "#e2a92c", "#ffd560"),
    "silver": ("#f4f7fc", "#a9b5cb", "#e3e9f4"),
    "copper": ("#ffc9a6", "#b96a3d", "#f0a679"),
    "verdigris": ("#c9f0de", "#5c9f88", "#9fdcc2"),
}


def mixed(colour: str, other: str, share: float) -> str:
    """Mix two colours; the share is the second one's."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def is_dark(colour: str) -> bool:
    """Say whether light things show well on a colour."""
    return sum(bytes.fromhex(colour[1:])) < 3 * 128


def glass_of(colour: str) -> Glass:
    """Return the glass of a colour; one that is not in the palette gets a hue of its own, from its name."""
    if colour in PALETTE:
        return PALETTE[colour]
    shares = colorsys.hls_to_rgb(crc32(colour.encode()) % 360 / 360, 0.42, 0.5)
    body = "#" + "".join(f"{round(255 * share):02x}" for share in shares)
    return Glass(body, mixed(body, "#ffffff", 0.8))


# --- For the pages


def page_colour(name: str) -> str:
    """Return a colour's name as the pages write it."""
    return name.replace(" ", "-")


def kinds(letters: Iterable[str], colours: Iterable[str], glyphs: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return by letter the glass and the shape of each kind of piece, as the pages name them."""
    return {
        letter: {"colour": page_colour(colour), "shape": GLYPHS[glyph]}
        for letter, colour, glyph in zip(letters, colours, glyphs, strict=True)
    }
