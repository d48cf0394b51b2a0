"""Tiles of glass as SVG: lines and shapes, then one tile round its middle.

A tile is a body, four slanting edges, a sheen, a streak of light and an inlaid shape. Its little unevenness comes
from a stream of random numbers that the caller seeds.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from typing import NamedTuple

from smalti.engine.drawing import Tile

# --- Lines and shapes

Point = tuple[float, float]


def number(value: float) -> str:
    """Write a coordinate shortly."""
    return f"{round(value, 1) + 0:g}"


def path(points: Iterable[Point]) -> str:
    """Write a closed line through these points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def area(line: str, **style: object) -> str:
    """Draw an area inside a line; in names of attributes an underscore stands for a hyphen."""
    return f'<path d="{line}"' + "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items()) + "/>"


def round_box(left: float, top: float, width: float, height: float, radius: float) -> str:
    """Write a rectangle with round corners as a line."""
    r, across, down = number(radius), number(width - 2 * radius), number(height - 2 * radius)
    arc = f"a{r} {r} 0 0 1 "
    start = f"M{number(left + radius)} {number(top)}"
    return f"{start}h{across}{arc}{r} {r}v{down}{arc}-{r} {r}h-{across}{arc}-{r}-{r}v-{down}{arc}{r}-{r}z"


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


ROUND = "●"
SHAPES: dict[str, list[Point]] = {
    ROUND: [],
    "◆": regular(4, 0, 1.15),
    "■": regular(4, 45, 1.15),
    "▲": lowered(regular(3, 0, 1.2), 0.22),
    "▼": lowered(regular(3, 180, 1.2), -0.22),
    "★": lowered(regular(5, 0, 1.2, 0.58), 0.08),
    "✖": crossed([(0, -0.4), (0.58, -0.98), (0.98, -0.58)]),
}


def outline(shape: str, radius: float, aside: float = 0) -> str:
    """Write a shape of that size as a line, a little to the lower right if asked for."""
    if shape == ROUND:
        edge = 0.94 * radius
        return round_box(aside - edge, aside - edge, 2 * edge, 2 * edge, edge)
    return path((x * radius + aside, y * radius + aside) for x, y in SHAPES[shape])


# --- One tile


class Glass(NamedTuple):
    """A colour of glass, the colour of what is inlaid, and the shape that goes with a front-up tile of the colour."""

    body: str
    inlay: str
    shape: str = ""


PALETTE = {
    "black": Glass("#474b5e", "#d5daee", "◆"),
    "orange": Glass("#e0702a", "#ffe3c2", "●"),
    "green": Glass("#2f9560", "#d3f7dc", "▲"),
    "light blue": Glass("#5fb4dc", "#0f4468", "■"),
    "dark blue": Glass("#2f56b8", "#d3e0ff", "★"),
    "sand": Glass("#dcc391", "#6b4a1c", "▼"),
    "teal": Glass("#1f9a9a", "#d2fbf3"),
    "plum": Glass("#8d4396", "#f6d9f7"),
    "red": Glass("#c03a41", "#ffdcd2"),
    "blue": Glass("#2f5fbd", "#d3e4ff"),
    "ochre": Glass("#dda22f", "#5c3a08"),
}
BED = "#22242f"
ROOMY = 60  # a tile so large gets an engraved line
GOLD, SILVER = "url(#gold)", "url(#silver)"


def mixed(colour: str, other: str, share: float) -> str:
    """Mix two colours; the share is the second one's."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def is_dark(colour: str) -> bool:
    """Say whether light things show well on a colour."""
    return sum(bytes.fromhex(colour[1:])) < 3 * 128


def shape_of(tile: Tile) -> str:
    """Return the shape that tells a tile's kind."""
    return next((sign for sign in tile.glyph if sign in SHAPES), PALETTE[tile.colour].shape)


def marker_of(tile: Tile) -> str:
    """Return the number on a tile of somebody's group, if its marker lies there."""
    return tile.glyph.strip("".join(SHAPES) + " ") if tile.strong and tile.owner is not None else ""


CORNERS = [(-1, -1), (1, -1), (1, 1), (-1, 1)]  # clockwise from the top left


def cut(size: float, luck: random.Random) -> list[Point]:
    """Return the corners of a tile round its middle, as even as a hand cuts glass."""
    half, slip = size / 2, size * 0.022
    return [(x * half + luck.uniform(-slip, slip), y * half + luck.uniform(-slip, slip)) for x, y in CORNERS]


def between(start: Point, end: Point, share: float) -> Point:
    """Return a point on the way from one to another."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


EDGES = (("#fff", 0.4), ("#000", 0.12), ("#000", 0.3), ("#fff", 0.22))  # how light falls on the slanting edges


def glass(size: float, body: str, luck: random.Random) -> list[str]:
    """Draw a piece of glass: the body, four slanting edges, the sheen on its face and a streak of light."""
    tint = mixed(body, luck.choice(("#ffffff", "#000000")), luck.uniform(0, 0.09))
    outer = cut(size, luck)
    inner = [(x * 0.84, y * 0.84) for x, y in outer]
    parts = [area(path(outer), fill=tint, stroke=tint, stroke_width=2, stroke_linejoin="round")]
    for side, (light, strength) in enumerate(EDGES):
        after = (side + 1) % 4
        parts.append(area(path([outer[side], outer[after], inner[after], inner[side]]), fill=light, opacity=strength))
    return [*parts, area(path(inner), fill="url(#sheen)"), area(path(streak(inner, luck)), fill="#fff", opacity=0.13)]


def streak(face: list[Point], luck: random.Random) -> list[Point]:
    """Return a slanting stripe across the upper left of a face."""
    near, far = luck.uniform(0.1, 0.3), luck.uniform(0.5, 0.75)
    left, right = (face[0], face[3]), (face[0], face[1])
    return [between(*right, near), between(*right, far), between(*left, far), between(*left, near)]


def inlaid(shape: str, radius: float, colour: str, shadow: str) -> list[str]:
    """Draw a shape let into the glass."""
    rim = {"stroke_width": number(radius * 0.14), "stroke_linejoin": "round"}
    below, above = outline(shape, radius, radius * 0.12), outline(shape, radius)
    return [area(below, fill=shadow, stroke=shadow, **rim), area(above, fill=colour, stroke=colour, **rim)]


def lying(tile: Tile, size: float) -> list[str]:
    """Draw a tile that only lies there: dull, with the outline of its shape."""
    body = PALETTE[tile.colour].body
    line = mixed(body, "#ffffff", 0.35)
    box = round_box(-size / 2, -size / 2, size, size, size * 0.1)
    return [
        area(box, fill=mixed(body, BED, 0.55), stroke=mixed(body, BED, 0.2), stroke_width=1.2),
        area(outline(shape_of(tile), size * 0.22), fill="none", stroke=line, stroke_width=1.8, stroke_linejoin="round"),
    ]


FLY = (
    '<path d="M-3-2l-4-3M3-2l4-3M-3 1l-5 0M3 1l5 0M-3 5l-4 4M3 5l4 4" stroke="#1b1d27" stroke-width="1.1"/>'
    '<ellipse cy="1.5" rx="3.2" ry="6.4" fill="#1b1d27"/><circle cy="-6" r="3.1" fill="#1b1d27"/>'
    '<g fill="#f4f8ff" fill-opacity=".82" stroke="#3a4152" stroke-width=".7">'
    '<ellipse cx="-4" cy="3" rx="3.4" ry="8" transform="rotate(28)"/>'
    '<ellipse cx="4" cy="3" rx="3.4" ry="8" transform="rotate(-28)"/></g>'
    '<g fill="#d8433c"><circle cx="-1.9" cy="-7.4" r="1.4"/><circle cx="1.9" cy="-7.4" r="1.4"/></g>'
)


def fly(size: float, turned: float) -> str:
    """Draw a fly in the upper right corner of a tile."""
    place = f"translate({number(size * 0.27)} {number(-size * 0.26)})"
    return f'<g transform="{place} rotate({number(turned)}) scale({size / 50:.2f})">{FLY}</g>'


def engraved(size: float, colour: str) -> str:
    """Draw the line on the face of a large tile."""
    box = round_box(-size * 0.34, -size * 0.34, size * 0.68, size * 0.68, size * 0.06)
    return area(box, fill="none", stroke=colour, stroke_width=1.6, opacity=0.45)


def studs(size: float) -> list[str]:
    """Draw the four golden studs of a printed symbol."""
    place, radius = size * 0.33, size * 0.07
    return [
        area(round_box(x * place - radius, y * place - radius, 2 * radius, 2 * radius, radius), fill=GOLD)
        for x, y in CORNERS
    ]


def marker(text: str, size: float, colour: str) -> str:
    """Write the number of a marker."""
    place = f'y="{number(size * 0.16)}" font-size="{number(size * 0.46)}"'
    return f'<text {place} font-weight="700" fill="{colour}">{text}</text>'


def drawn_tile(tile: Tile, size: float, luck: random.Random) -> list[str]:
    """Draw one tile round its middle."""
    if not tile.strong:
        return lying(tile, size * 0.84)
    body, inlay, _ = PALETTE[tile.colour]
    numbered, shadow = marker_of(tile), mixed(body, "#000000", 0.45)
    parts = glass(size, body, luck)
    if size > ROOMY:
        parts.append(engraved(size, inlay))
    parts += inlaid(shape_of(tile), size * (0.36 if numbered else 0.23), inlay, shadow)
    if numbered:
        parts.append(marker(numbered, size, "#ffffff" if is_dark(inlay) else shadow))
    elif tile.mark:
        parts += [fly(size, luck.uniform(-50, 40))] if tile.token.endswith("*") else studs(size)
    return parts
