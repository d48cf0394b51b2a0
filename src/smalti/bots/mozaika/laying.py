"""Lays and flies weighed on a desk, compiled: what each is worth, and which is best."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.desk import TYPE_COUNT, Desk, joined
from smalti.bots.mozaika.features import FLIES, NONE, ORBIT_OF, PARTITIONS, STRUCTURE_COUNT, THROUGH, Floats
from smalti.bots.mozaika.weighing import hold, partition_with, structure_worth, worth_of_coins, worth_of_lay
from smalti.engine.bits import count
from smalti.engine.compiled import apart, compiled
from smalti.games.mozaika.tables import BESIDE, CELLS, COLOUR_OF, SYMBOL_OF

Worths = npt.NDArray[np.float64]

NOTHING = -1e9
LAYS = TYPE_COUNT * CELLS
# What somebody may lean towards besides: one of the partitions, coins, or the main colour or symbol.
TO_COINS, TO_COLOUR, TO_SYMBOL = PARTITIONS, PARTITIONS + 1, PARTITIONS + 2
LEANS = PARTITIONS + 3
BROKEN, FILLED, COIN_LEAN, KIND_LEAN = -8.0, 3.0, 1.5, 2.5


def _neighbours() -> npt.NDArray[np.int64]:
    """List each cell's neighbours, NONE behind the last one."""
    lists = [[other for other in range(CELLS) if int(BESIDE[cell]) >> other & 1] for cell in range(CELLS)]
    return np.array([cells + [NONE] * (5 - len(cells)) for cells in lists], np.int64)


NEIGHBOURS = _neighbours()


@compiled
def income(desk: Desk, tile: int, cell: int) -> int:
    """Return the coins for laying a tile here. (MZ-9)"""
    coins, place = 0, 0
    while NEIGHBOURS[cell, place] != NONE:
        other = desk.tiles[NEIGHBOURS[cell, place]]
        if other != NONE:
            coins += (COLOUR_OF[other] == COLOUR_OF[tile]) + (SYMBOL_OF[other] == SYMBOL_OF[tile])
        place += 1
    return coins


@compiled
def leaning(desk: Desk, tile: int, cell: int, lean: int) -> float:
    """Return what somebody adds to the worth of a lay who leans towards a partition or towards coins."""
    if lean == NONE:
        return 0.0
    if lean == TO_COINS:
        return COIN_LEAN * income(desk, tile, cell)
    if lean == TO_COLOUR:
        return KIND_LEAN * (desk.colour_tiles[COLOUR_OF[tile]] >= desk.colour_tiles[desk.main_colour])
    if lean == TO_SYMBOL:
        return KIND_LEAN * (desk.symbol_tiles[SYMBOL_OF[tile]] >= desk.symbol_tiles[desk.main_symbol])
    if desk.broken[lean]:
        return 0.0
    if partition_with(desk, lean, tile, cell) == NONE:
        return BROKEN
    return FILLED if desk.orbit_tile[lean, ORBIT_OF[lean, cell]] == tile else 0.0


@apart
def best_lay(desk: Desk, paid: int, lean: int, weights: Floats, worths: Worths) -> tuple[int, float]:
    """Note what every lay is worth after paying so many coins, coins included; return the best one and its worth.

    Lays are numbered by tile and cell. The desk is left with the best one's tile held.
    """
    worths[:LAYS] = NOTHING
    best, chosen = NOTHING, 0
    purse = desk.coins - paid
    for tile in range(TYPE_COUNT):
        if desk.hand[tile] == 0:
            continue
        hold(desk, tile, weights)
        for cell in range(CELLS):
            if desk.tiles[cell] != NONE:
                continue
            worth = worth_of_lay(desk, tile, cell, weights)
            worth += worth_of_coins(desk, purse + income(desk, tile, cell), weights) + leaning(desk, tile, cell, lean)
            worths[CELLS * tile + cell] = worth
            if worth > best:
                best, chosen = worth, CELLS * tile + cell
    if desk.held != chosen // CELLS:
        hold(desk, chosen // CELLS, weights)
    return chosen, best


@compiled
def note_stings(desk: Desk, tile: int, cell: int, weights: Floats) -> None:
    """Note what one more fly changes on each structure, after laying the tile held (NONE: as the board is)."""
    for number in range(STRUCTURE_COUNT):
        fill, colour, symbol = desk.filled[number], desk.colour[number], desk.symbol[number]
        flown, before = desk.flown[number], desk.part[number]
        desk.sting[number] = structure_worth(desk, number, fill, colour, symbol, min(flown + 1, 4), weights) - before
    if tile == NONE:
        return
    place = 0
    while THROUGH[cell, place] != NONE:
        number = THROUGH[cell, place]
        fill, flown = desk.filled[number] + 1, desk.flown[number]
        colour = joined(desk.colour[number], COLOUR_OF[tile])
        symbol = joined(desk.symbol[number], SYMBOL_OF[tile])
        before = structure_worth(desk, number, fill, colour, symbol, flown, weights)
        desk.sting[number] = structure_worth(desk, number, fill, colour, symbol, min(flown + 1, 4), weights) - before
        place += 1


@compiled
def sting(desk: Desk, cell: int) -> float:
    """Return what a fly on this cell changes, by what was noted for its structures."""
    change, place = 0.0, 0
    while THROUGH[cell, place] != NONE:
        change += desk.sting[THROUGH[cell, place]]
        place += 1
    return change


@apart
def best_fly(desk: Desk, tile: int, cell: int, weights: Floats, worths: Worths) -> tuple[int, float]:
    """Note what a fly changes on each cell, after laying the tile held (NONE: as the board is); return the best."""
    note_stings(desk, tile, cell, weights)
    flies = count(desk.flies)
    always = np.float64(weights[desk.row + FLIES + flies + 1]) - weights[desk.row + FLIES + flies]
    chosen, best = 0, NOTHING
    for place in range(CELLS):
        worths[place] = NOTHING
        lies = desk.tiles[place] != NONE or (tile != NONE and place == cell)
        if lies and (desk.flies >> place) & 1 == 0:
            worths[place] = always + sting(desk, place)
            if worths[place] > best:
                chosen, best = place, worths[place]
    return chosen, best
