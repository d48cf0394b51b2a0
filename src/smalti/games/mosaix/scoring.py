"""Mosaix: areas, and what they are worth."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from smalti.engine.bits import EMPTY, bit, connected, count, lowest, numbers, whole
from smalti.engine.compiled import compiled
from smalti.engine.game import Item
from smalti.engine.geometry import cell_name
from smalti.engine.record import values_of
from smalti.engine.rules import Scores, ranked
from smalti.games.mosaix.tables import AREA, BRILLIANT, SYMBOLS, WON, Table
from smalti.games.mosaix.words import TEXTS, symbol_word


@compiled
def symbol_worth(cells: np.uint64) -> int:
    """Return (areas of five or more) × (cells in them) of one symbol. (MX-9, MX-10)"""
    areas, counted = 0, 0
    while cells != EMPTY:
        area = connected(bit(lowest(cells)), cells)
        cells &= ~area
        size = count(area)
        if size >= AREA:
            areas += 1
            counted += size
    return areas * counted


@compiled
def points(table: Table, seat: int) -> int:
    """Return a seat's points; free boxes count only in the solo game. (MX-10, MX-13)"""
    total = 0
    for symbol in range(len(SYMBOLS)):
        total += symbol_worth(table.grids[seat, symbol])
    if table.seats == 1:
        total += table.boxes
    return total


@compiled
def score(table: Table, scores: Scores) -> None:
    """Score every grid. (MX-10, MX-13)"""
    for seat in range(whole(table.seats)):
        scores[seat] = points(table, seat)


@compiled
def winners(table: Table) -> int:
    """Return who has most points, all of them if tied; alone, whoever reaches 120. (MX-10, MX-13)"""
    if table.seats == 1:
        return 1 if points(table, 0) >= WON else 0
    best, won = -1, 0
    for seat in range(whole(table.seats)):
        best, won = ranked(best, won, points(table, seat), seat)
    return won


def verdict(table: Table) -> str:
    """Say how good a solo result is. (MX-13)"""
    if table.seats > 1:
        return ""
    mine = points(table, 0)
    return "brilliant" if mine >= BRILLIANT else "won" if mine >= WON else "lost"


def areas_of(cells: int) -> list[int]:
    """List the areas of one symbol, largest first."""
    areas = []
    while cells:
        area = int(connected(np.uint64(cells & -cells), np.uint64(cells)))
        cells &= ~area
        areas.append(area)
    return sorted(areas, key=lambda area: (-count(area), lowest(area)))


def breakdown(table: Table) -> list[Item]:
    """List every area with its cells and its share: areas of the symbol × its own cells. (MX-9, MX-10, MX-13)"""
    now = values_of(table)
    items = [item for seat in range(now.seats) for item in grid_items(seat, tuple(now.grids[seat]))]
    if now.seats == 1:
        free = now.boxes
        items.append(Item(0, "MX-13", "boxes", free, (), TEXTS("mosaix.item.boxes", boxes=free), {"boxes": free}))
    return items


@lru_cache(maxsize=4096)
def grid_items(seat: int, grid: tuple[int, int, int]) -> tuple[Item, ...]:
    """List the areas of a grid, given as the cells of each symbol; remembered, because screens ask again and again."""
    return tuple(item for symbol, cells in enumerate(grid) for item in symbol_items(seat, symbol, cells))


def symbol_items(seat: int, symbol: int, cells: int) -> list[Item]:
    """List the areas of one symbol on one grid."""
    areas = areas_of(cells)
    counting = sum(count(area) >= AREA for area in areas)
    return [area_item(seat, SYMBOLS[symbol], area, counting) for area in areas]


def area_item(seat: int, symbol: str, area: int, counting: int) -> Item:
    """Describe one area; a small one is worth nothing."""
    size = count(area)
    cells = tuple(cell_name(cell % 8, cell // 8) for cell in numbers(area))
    values: dict[str, object] = {"symbol": symbol, "areas": counting, "cells": size}
    said = {**values, "symbol": symbol_word(symbol), "points": counting * size, "least": AREA}
    if size < AREA:
        return Item(seat, "MX-9", "small-area", 0, cells, TEXTS("mosaix.item.small", **said), values)
    return Item(seat, "MX-10", "area", counting * size, cells, TEXTS("mosaix.item.area", **said), values)
