"""Mozaika: thrift, structures, flies, symmetries; and who wins."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from smalti.engine.bits import count, whole
from smalti.engine.compiled import compiled
from smalti.engine.game import Item
from smalti.engine.geometry import cell_name
from smalti.engine.record import values_of
from smalti.engine.rules import Scores, ranked, room_for
from smalti.games.mozaika.tables import (
    CELLS,
    COINS_PER_POINT,
    COLOURS,
    IMAGES,
    SIDE,
    STRUCTURE_KEYS,
    STRUCTURES,
    SYMBOLS,
    SYMMETRY_KEYS,
    SYMMETRY_POINTS,
    Table,
)
from smalti.games.mozaika.words import TEXTS, structure_words, symmetry_words

COLOUR_COUNT, SYMBOL_COUNT = len(COLOURS), len(SYMBOLS)


@compiled
def is_one_colour(table: Table, seat: int, cells: int) -> bool:
    """Say whether all these cells have tiles of the same colour."""
    for colour in range(COLOUR_COUNT):
        if whole(table.colours[seat, colour]) & cells == cells:
            return True
    return False


@compiled
def is_one_symbol(table: Table, seat: int, cells: int) -> bool:
    """Say whether all these cells have tiles of the same symbol."""
    for symbol in range(SYMBOL_COUNT):
        if whole(table.symbols[seat, symbol]) & cells == cells:
            return True
    return False


@compiled
def structure_worth(table: Table, seat: int, cells: int) -> int:
    """Return 2 for one colour or one symbol, 4 for one pattern. (MZ-14, MZ-15)"""
    return 2 * is_one_colour(table, seat, cells) + 2 * is_one_symbol(table, seat, cells)


@compiled
def list_worths(table: Table, seat: int, worths: Scores) -> None:
    """Note what every structure is worth, flies apart."""
    for number in range(len(STRUCTURES)):
        worths[number] = structure_worth(table, seat, STRUCTURES[number])


@compiled
def fly_loss(table: Table, seat: int, cells: int) -> int:
    """Return what the flies on a structure cost: one each, but never more than it is worth. (MZ-17)"""
    return min(structure_worth(table, seat, cells), count(whole(table.flies[seat]) & cells))


@compiled
def image(cells: int, symmetry: int) -> int:
    """Return the mirror image of a set of cells."""
    mirrored = 0
    for cell in range(CELLS):
        mirrored |= ((cells >> cell) & 1) << IMAGES[symmetry, cell]
    return mirrored


@compiled
def is_symmetric(table: Table, seat: int, symmetry: int) -> bool:
    """Say whether every tile and its image show the same pattern; flies are ignored. (MZ-18)"""
    for colour in range(COLOUR_COUNT):
        cells = whole(table.colours[seat, colour])
        if image(cells, symmetry) != cells:
            return False
    for symbol in range(SYMBOL_COUNT):
        cells = whole(table.symbols[seat, symbol])
        if image(cells, symmetry) != cells:
            return False
    return True


@compiled
def is_full(table: Table, seat: int) -> bool:
    """Say whether a board has a tile on every cell."""
    tiles = 0
    for colour in range(COLOUR_COUNT):
        tiles += count(table.colours[seat, colour])
    return tiles == CELLS


@compiled
def points(table: Table, seat: int) -> int:
    """Return a seat's points; a symmetry counts on a full board only. (MZ-13 to MZ-18)"""
    total = whole(table.coins[seat]) // COINS_PER_POINT
    for cells in STRUCTURES:
        total += structure_worth(table, seat, cells) - fly_loss(table, seat, cells)
    if is_full(table, seat):
        for symmetry in range(len(SYMMETRY_POINTS)):
            if is_symmetric(table, seat, symmetry):
                total += SYMMETRY_POINTS[symmetry]
    return total


@compiled
def score(table: Table, scores: Scores) -> None:
    """Score every board and purse. (MZ-13 to MZ-18)"""
    for seat in range(whole(table.seats)):
        scores[seat] = points(table, seat)


@compiled
def winners(table: Table) -> int:
    """Return who has most points, then most coins, then all of those. (MZ-19)"""
    best, won = -1, 0
    for seat in range(whole(table.seats)):
        best, won = ranked(best, won, 256 * points(table, seat) + whole(table.coins[seat]), seat)
    return won


def tie_break(table: Table, seat: int) -> int:
    """Return what decides between seats with the same points: their coins. (MZ-19)"""
    return int(table.coins[seat])


# --- The breakdown


def names(cells: int) -> tuple[str, ...]:
    """Return the names of a set of cells."""
    return tuple(cell_name(cell % SIDE, cell // SIDE) for cell in range(CELLS) if cells >> cell & 1)


def breakdown(table: Table) -> list[Item]:
    """List thrift, every structure, what flies take from it, and every symmetry, seat by seat. (MZ-13 to MZ-18)"""
    now = values_of(table)
    return [item for seat in range(now.seats) for item in seat_items(now, seat)]


def seat_items(now: Any, seat: int) -> list[Item]:
    """List what one seat scores, from the table's values."""
    board = board_items(seat, tuple(now.colours[seat]), tuple(now.symbols[seat]), now.flies[seat])
    return [thrift(seat, now.coins[seat]), *board]


@lru_cache(maxsize=4096)
def board_items(seat: int, colours: tuple[int, ...], symbols: tuple[int, ...], flies: int) -> tuple[Item, ...]:
    """List what a board scores; remembered, because screens ask again and again."""
    table = Table.blank()
    table.colours[seat], table.symbols[seat], table.flies[seat] = colours, symbols, flies
    worths, items = room_for(len(STRUCTURES)), []
    list_worths(table, seat, worths)
    for key, cells, worth in zip(STRUCTURE_KEYS, STRUCTURES.tolist(), worths.tolist(), strict=False):
        items += structure_items(table, seat, key, cells, worth) if worth else []
    if is_full(table, seat):
        items += [symmetry_item(seat, number) for number in range(len(IMAGES)) if is_symmetric(table, seat, number)]
    return tuple(items)


def thrift(seat: int, coins: int) -> Item:
    """Describe the points for coins left. (MZ-13)"""
    label = TEXTS("mozaika.item.thrift", coins=coins)
    return Item(seat, "MZ-13", "thrift", coins // COINS_PER_POINT, (), label, {"coins": coins})


def structure_items(table: Table, seat: int, key: str, cells: int, worth: int) -> list[Item]:
    """Describe a structure, and what the flies take. (MZ-14 to MZ-17)"""
    same = "pattern" if worth == 4 else "colour" if is_one_colour(table, seat, cells) else "symbol"
    rule = "MZ-15" if key.startswith("square") else "MZ-14"
    label = TEXTS("mozaika.of", structure=structure_words(key), of=TEXTS(f"mozaika.same.{same}"))
    items = [Item(seat, rule, "structure", worth, names(cells), label, {"structure": key, "same": same})]
    loss = int(fly_loss(table, seat, cells))
    if loss:
        flies = names(int(table.flies[seat]) & cells)
        label = TEXTS("mozaika.item.flies", structure=structure_words(key), flies=len(flies))
        items.append(Item(seat, "MZ-17", "flies", -loss, flies, label, {"structure": key, "flies": len(flies)}))
    return items


def symmetry_item(seat: int, number: int) -> Item:
    """Describe a symmetry of the whole board. (MZ-18)"""
    key, worth = SYMMETRY_KEYS[number], int(SYMMETRY_POINTS[number])
    every = names((1 << CELLS) - 1)
    label = TEXTS("mozaika.item.symmetry", symmetry=symmetry_words(key))
    return Item(seat, "MZ-18", "symmetry", worth, every, label, {"symmetry": key})
