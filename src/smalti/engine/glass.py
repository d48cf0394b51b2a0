"""Glass: the colours and shapes of tiles, how a piece is cut, and which tiles a setting of metal holds together.

Only names and numbers. Whoever draws makes a picture of them: `tools/draw_board.py` SVGs, `smalti.research` pixels.
"""

from __future__ import annotations

import colorsys
import math
import random
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple
from zlib import crc32

from smalti.engine.drawing import Board, Tile

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


ROUND = "●"  # has no corners
ROUND_RADIUS = 0.94
SHAPES: dict[str, list[Point]] = {
    ROUND: [],
    "◆": regular(4, 0, 1.15),
    "■": regular(4, 45, 1.15),
    "▲": lowered(regular(3, 0, 1.2), 0.22),
    "▼": lowered(regular(3, 180, 1.2), -0.22),
    "★": lowered(regular(5, 0, 1.2, 0.58), 0.08),
    "✖": crossed([(0, -0.4), (0.58, -0.98), (0.98, -0.58)]),
}
HOLLOW = dict(zip("○◇□△▽☆", "●◆■▲▼★", strict=True))  # only the line of a shape


def shape_of(tile: Tile) -> str:
    """Return the shape that tells a tile's kind, "" if its glyph has none that is known."""
    signs = (HOLLOW.get(sign, sign) for sign in tile.glyph)
    return next((sign for sign in signs if sign in SHAPES), "")


def marker_of(tile: Tile) -> str:
    """Return the number on a tile of somebody's group, if its marker lies there."""
    return tile.glyph.strip("".join(SHAPES) + " ") if tile.strong and tile.owner is not None else ""


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


# --- How a piece of glass is cut

CORNERS = [(-1, -1), (1, -1), (1, 1), (-1, 1)]  # clockwise from the top left
EDGES = (("#fff", 0.4), ("#000", 0.12), ("#000", 0.3), ("#fff", 0.22))  # light on the slanting edges


class Piece(NamedTuple):
    """A piece of glass: its tint, the corners of the piece and of its face, a streak of light across the face."""

    tint: str
    outer: list[Point]
    inner: list[Point]
    streak: list[Point]

    @property
    def edges(self) -> list[tuple[list[Point], str, float]]:
        """The four slanting edges, each with the colour and the strength of the light on it."""
        beside = [[self.outer[n], self.outer[(n + 1) % 4], self.inner[(n + 1) % 4], self.inner[n]] for n in range(4)]
        return [(line, *light) for line, light in zip(beside, EDGES, strict=True)]


def cut(size: float, body: str, luck: random.Random) -> Piece:
    """Cut a piece of glass round its middle, as even as a hand cuts it."""
    tint = mixed(body, luck.choice(("#ffffff", "#000000")), luck.uniform(0, 0.09))
    half, slip = size / 2, size * 0.022
    outer = [(x * half + luck.uniform(-slip, slip), y * half + luck.uniform(-slip, slip)) for x, y in CORNERS]
    inner = [(x * 0.84, y * 0.84) for x, y in outer]
    return Piece(tint, outer, inner, streak(inner, luck))


def streak(face: list[Point], luck: random.Random) -> list[Point]:
    """Return a slanting stripe across the upper left of a face."""
    near, far = luck.uniform(0.1, 0.3), luck.uniform(0.5, 0.75)
    left, right = (face[0], face[3]), (face[0], face[1])
    return [between(*right, near), between(*right, far), between(*left, far), between(*left, near)]


def between(start: Point, end: Point, share: float) -> Point:
    """Return a point on the way from one to another."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


# --- What hangs together on a board

Place = tuple[int, int]  # column and row


def tiles_of(board: Board) -> dict[Place, Tile]:
    """Return a board's tiles by place, without the empty cells."""
    return {(x, y): tile for y, row in enumerate(board.rows) for x, tile in enumerate(row) if tile and tile.colour}


def groups(tiles: dict[Place, Tile]) -> list[list[Place]]:
    """Part the tiles that lie for good into groups of one owner and colour that hang together."""
    found, left = [], {place: (tile.owner, tile.colour) for place, tile in tiles.items() if tile.strong}
    while left:
        group = [next(iter(left))]
        kind = left.pop(group[0])
        for x, y in group:
            beside = [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]
            group += [place for place in beside if left.get(place) == kind and left.pop(place)]
        found.append(group)
    return found


def setting(group: list[Place]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the boxes of one, two or four cells that together hold a group: column, row, width, height."""
    for (x, y), (wide, high) in product(group, ((1, 1), (2, 1), (1, 2), (2, 2))):
        if all((x + dx, y + dy) in group for dx in range(wide) for dy in range(high)):
            yield x, y, wide, high
