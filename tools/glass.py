"""Tiles of glass as SVG: lines and shapes, then one tile round its middle.

A tile is a body, four slanting edges, a sheen, a streak of light and an inlaid shape. Its little unevenness comes
from a stream of random numbers that the caller seeds. Colours, shapes and cuts are in `smalti.engine.glass`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from smalti.engine.drawing import Tile
from smalti.engine.glass import (
    BED,
    CORNERS,
    PALETTE,
    ROUND,
    ROUND_RADIUS,
    SHAPES,
    Point,
    cut,
    has_fly,
    is_dark,
    marker_of,
    mixed,
    shape_of,
)

# --- Lines and shapes


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


def outline(shape: str, radius: float, aside: float = 0) -> str:
    """Write a shape of that size as a line, a little to the lower right if asked for."""
    if shape == ROUND:
        edge = ROUND_RADIUS * radius
        return round_box(aside - edge, aside - edge, 2 * edge, 2 * edge, edge)
    return path((x * radius + aside, y * radius + aside) for x, y in SHAPES[shape])


# --- One tile


ROOMY = 60  # a tile so large gets an engraved line
GOLD, SILVER = "url(#gold)", "url(#silver)"


def glass(size: float, body: str, luck: random.Random) -> list[str]:
    """Draw a piece of glass: the body, four slanting edges, the sheen on its face and a streak of light."""
    piece = cut(size, body, luck)
    return [
        area(path(piece.outer), fill=piece.tint, stroke=piece.tint, stroke_width=2, stroke_linejoin="round"),
        *(area(path(line), fill=light, opacity=strength) for line, light, strength in piece.edges),
        area(path(piece.inner), fill="url(#sheen)"),
        area(path(piece.streak), fill="#fff", opacity=0.13),
    ]


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
    body, inlay = PALETTE[tile.colour]
    numbered, shadow = marker_of(tile), mixed(body, "#000000", 0.45)
    parts = glass(size, body, luck)
    if size > ROOMY:
        parts.append(engraved(size, inlay))
    parts += inlaid(shape_of(tile), size * (0.36 if numbered else 0.23), inlay, shadow)
    if numbered:
        parts.append(marker(numbered, size, "#ffffff" if is_dark(inlay) else shadow))
    elif tile.mark:
        parts += [fly(size, luck.uniform(-50, 40))] if has_fly(tile) else studs(size)
    return parts
