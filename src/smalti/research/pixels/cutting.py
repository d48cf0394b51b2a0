"""Glass for pixels: how a piece is cut, and which tiles a setting of metal holds together."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from smalti.engine.drawing import Board, Tile
from smalti.engine.drawing.glass import Point, mixed

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
