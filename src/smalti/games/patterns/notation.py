"""Patterns: events as text."""

from __future__ import annotations

from collections.abc import Sequence

from smalti.engine.errors import BadNotation, Refused, shown
from smalti.engine.geometry import cell_name
from smalti.games.patterns.reasons import refusal
from smalti.games.patterns.tables import (
    CELLS,
    CENTRE_CELLS,
    COLOURS,
    SPACES,
    TILE,
    TILES_IN_THE_RING,
    Table,
)

CELL_NAMES = tuple(cell_name(cell % 8, cell // 8) for cell in CELLS)
VERBS = ("open", "flip", "swap")
TEXTS = (
    *(f"{verb} {cell}" for verb in VERBS for cell in CELL_NAMES),
    *(f"give {colour}" for colour in COLOURS),
    "done",
    *(f"deal {colour}" for colour in COLOURS),
)
HINTS = {
    "give": "give K: this start tile goes into seat 0's bowl, the other into seat 1's",
    "open": "open d4: lay the exchange tile here and open its group; the tile there is yours to exchange next",
    "flip": "flip d4: turn over a tile next to a group of its colour",
    "swap": "swap d4: lay the exchange tile next to its group; the tile there is yours to exchange next",
    "done": "done: leave the other tiles as they are",
}
CENTRE_PLACES = [CELLS.index(cell) for cell in CENTRE_CELLS]


def chance_text(moves: Sequence[int]) -> str:
    """Write the deal, with the two start tiles behind it."""
    dealt = "".join(COLOURS[move - TILE] for move in moves)
    return f"deal {dealt} {''.join(start_tiles(dealt))}"


def start_tiles(dealt: str) -> list[str]:
    """List the colours that are not in the centre. (PT-2)"""
    centre = [dealt[place] for place in CENTRE_PLACES]
    return [colour for colour in COLOURS if colour not in centre]


def chance_moves(table: Table, text: str) -> list[int]:
    """Read a deal and check that these tiles exist. (PT-1, PT-2)"""
    words = text.split(" ")
    if words[0] != "deal":
        raise BadNotation(f"expected 'deal', 52 letters of {COLOURS} and the two start tiles, not {shown(text)}")
    if [len(word) for word in words] != [4, SPACES, 2] or not set(words[1] + words[2]) <= set(COLOURS):
        raise BadNotation(f"a deal is 'deal', 52 letters of {COLOURS} in reading order, and the two start tiles")
    dealt, start = words[1], words[2]
    ring = [colour for place, colour in enumerate(dealt) if place not in CENTRE_PLACES]
    for colour in COLOURS:
        if ring.count(colour) != TILES_IN_THE_RING:
            raise refusal("ring-count", colour=colour, tiles=ring.count(colour))
    if sorted(start) != sorted(start_tiles(dealt)):
        raise refusal("centre-colours")
    return [TILE + COLOURS.index(colour) for colour in dealt]


def misread(table: Table, seat: int, text: str) -> BadNotation | Refused:
    """Say what is wrong with a text that is no event."""
    verb, _, rest = text.partition(" ")
    if verb in VERBS:
        return BadNotation(f"{shown(rest)} is not a space of the mandala; expected for example '{verb} d4'")
    if verb == "give":
        return BadNotation(f"expected 'give' and one of {' '.join(COLOURS)}, not {shown(text)}")
    return BadNotation(f"no such event: {shown(text)}; Patterns has open, flip, swap, give and done")
