"""Mozaika: what a board can still become, for screens: structures and symmetries that no tile has spoilt yet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from smalti.games.mozaika.scoring import names
from smalti.games.mozaika.tables import (
    CELLS,
    COLOURS,
    IMAGES,
    STRUCTURE_KEYS,
    STRUCTURES,
    SYMBOLS,
    SYMMETRY_KEYS,
    SYMMETRY_POINTS,
)

EVERY_CELL = (1 << CELLS) - 1
FEWEST_TILES = 2  # of a structure: with fewer everything is possible


@dataclass(frozen=True)
class Prospect:
    """Something that is not complete and can still be."""

    kind: str  # "structure" or "symmetry"
    name: str  # a key, such as "row.1" or "left-right"
    same: str | None  # of a structure: "colour", "symbol" or "pattern"
    of: str | None  # of a structure: which, such as R, 3 or R3
    worth: int
    cells: tuple[str, ...]  # of a structure: all four; of a symmetry: the free cells whose image has a tile
    missing: int  # tiles


@lru_cache(maxsize=4096)
def prospects(colours: tuple[int, ...], symbols: tuple[int, ...]) -> tuple[Prospect, ...]:
    """List what can still come of a board, structures first; remembered, because screens ask again and again."""
    taken = sum(colours)
    found = []
    for name, cells in zip(STRUCTURE_KEYS, STRUCTURES.tolist(), strict=True):
        found += structure_prospects(name, cells, taken, colours, symbols)
    if taken != EVERY_CELL:
        for number in range(len(IMAGES)):
            found += symmetry_prospects(number, taken, colours, symbols)
    return tuple(found)


def only_one(sets: tuple[int, ...], letters: str, cells: int) -> str:
    """Return the letter of the one set that has all these cells, "" if they are in several."""
    return next((letter for letter, found in zip(letters, sets, strict=True) if found & cells == cells), "")


def structure_prospects(
    name: str, cells: int, taken: int, colours: tuple[int, ...], symbols: tuple[int, ...]
) -> list[Prospect]:
    """Describe a structure that has two or three tiles which go together. (MZ-14, MZ-15)"""
    lying = cells & taken
    if not FEWEST_TILES <= lying.bit_count() < cells.bit_count():
        return []
    colour, symbol = only_one(colours, COLOURS, lying), only_one(symbols, SYMBOLS, lying)
    if not colour and not symbol:
        return []
    same = "pattern" if colour and symbol else "colour" if colour else "symbol"
    worth = 4 if same == "pattern" else 2
    missing = (cells & ~taken).bit_count()
    return [Prospect("structure", name, same, colour + symbol, worth, names(cells), missing)]


def symmetry_prospects(number: int, taken: int, colours: tuple[int, ...], symbols: tuple[int, ...]) -> list[Prospect]:
    """Describe a symmetry that no pair of tiles contradicts. (MZ-18)"""
    images = IMAGES[number].tolist()
    pairs = [(cell, images[cell]) for cell in range(CELLS) if taken >> cell & 1 and taken >> images[cell] & 1]
    if any(pattern(cell, colours, symbols) != pattern(other, colours, symbols) for cell, other in pairs):
        return []
    wanted = sum(1 << images[cell] for cell in range(CELLS) if taken >> cell & 1) & ~taken
    missing = (EVERY_CELL & ~taken).bit_count()
    worth = int(SYMMETRY_POINTS[number])
    return [Prospect("symmetry", SYMMETRY_KEYS[number], None, None, worth, names(wanted), missing)]


def pattern(cell: int, colours: tuple[int, ...], symbols: tuple[int, ...]) -> tuple[int, int]:
    """Return the numbers of a tile's colour and symbol."""
    return (
        next(number for number, cells in enumerate(colours) if cells >> cell & 1),
        next(number for number, cells in enumerate(symbols) if cells >> cell & 1),
    )
