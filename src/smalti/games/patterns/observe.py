"""Patterns: what a network sees."""

from __future__ import annotations

from smalti.engine.bits import whole
from smalti.engine.compiled import compiled
from smalti.engine.planes import Plane, Planes, choose, draw, fill
from smalti.games.patterns.rules import acting
from smalti.games.patterns.tables import COLOURS, DEALING, FLIPPING, GIVING, PLAYING, SEATS, Table

SHAPE = (8, 8)
ORDER = "One's own things come first; colours in the order black, orange, green, light blue, dark blue, sand."
SIZE = 64
COLOUR_COUNT = len(COLOURS)


def planes(seats: int) -> list[Plane]:
    """Describe the planes."""
    return [
        Plane("front", 6, 1, "spaces with the front of this colour up"),
        Plane("groups", 12, 6, "number of the marker on all spaces of the group of this colour: mine, the opponent's"),
        Plane("bowls", 12, 1, "colour of the exchange tile: mine, the opponent's; none before it is given"),
        Plane("phase", 3, 1, "giving the start tiles; playing; flipping at the end"),
        Plane("turn", 1, 1, "it is my turn"),
    ]


@compiled
def observe(table: Table, seat: int, planes: Planes) -> None:
    """Write the mandala with this seat's things first."""
    at = 0
    for colour in range(COLOUR_COUNT):
        at = draw(planes, at, SIZE, table.front[colour])
    for place in range(SEATS):
        for colour in range(COLOUR_COUNT):
            group, marker = table.groups[seat ^ place, colour], table.markers[seat ^ place, colour]
            at = draw(planes, at, SIZE, group, whole(marker))
    given = table.phase != DEALING and table.phase != GIVING
    for place in range(SEATS):
        at = choose(planes, at, SIZE, COLOUR_COUNT, whole(table.bowls[seat ^ place]) if given else -1)
    at = fill(planes, at, SIZE, table.phase == GIVING)
    at = fill(planes, at, SIZE, table.phase == PLAYING)
    at = fill(planes, at, SIZE, table.phase == FLIPPING)
    fill(planes, at, SIZE, (acting(table) >> seat) & 1)
