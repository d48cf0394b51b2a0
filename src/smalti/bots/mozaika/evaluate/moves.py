"""Lays and flies weighed on a board, compiled: what each is worth, and which is best."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.evaluate.board_value import hold, structure_worth, worth_of_coins, worth_of_lay
from smalti.bots.mozaika.evaluate.feature_index import partition_with
from smalti.bots.mozaika.evaluate.features import FLIES, NONE, ORBIT_OF, PARTITIONS, STRUCTURE_COUNT, THROUGH, Floats
from smalti.bots.mozaika.evaluate.scratch import TYPE_COUNT, BoardScratch, joined
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
def income(board: BoardScratch, tile: int, cell: int) -> int:
    """Return the coins for laying a tile here. (MZ-9)"""
    coins, place = 0, 0
    while NEIGHBOURS[cell, place] != NONE:
        other = board.tiles[NEIGHBOURS[cell, place]]
        if other != NONE:
            coins += (COLOUR_OF[other] == COLOUR_OF[tile]) + (SYMBOL_OF[other] == SYMBOL_OF[tile])
        place += 1
    return coins


@compiled
def leaning(board: BoardScratch, tile: int, cell: int, lean: int) -> float:
    """Return what somebody adds to the worth of a lay who leans towards a partition or towards coins."""
    if lean == NONE:
        return 0.0
    if lean == TO_COINS:
        return COIN_LEAN * income(board, tile, cell)
    if lean == TO_COLOUR:
        return KIND_LEAN * (board.colour_tiles[COLOUR_OF[tile]] >= board.colour_tiles[board.main_colour])
    if lean == TO_SYMBOL:
        return KIND_LEAN * (board.symbol_tiles[SYMBOL_OF[tile]] >= board.symbol_tiles[board.main_symbol])
    if board.broken[lean]:
        return 0.0
    if partition_with(board, lean, tile, cell) == NONE:
        return BROKEN
    return FILLED if board.orbit_tile[lean, ORBIT_OF[lean, cell]] == tile else 0.0


@apart
def best_lay(board: BoardScratch, paid: int, lean: int, weights: Floats, worths: Worths) -> tuple[int, float]:
    """Note what every lay is worth after paying so many coins, coins included; return the best one and its worth.

    Lays are numbered by tile and cell. The board is left with the best one's tile held.
    """
    worths[:LAYS] = NOTHING
    best, chosen = NOTHING, 0
    purse = board.coins - paid
    for tile in range(TYPE_COUNT):
        if board.hand[tile] == 0:
            continue
        hold(board, tile, weights)
        for cell in range(CELLS):
            if board.tiles[cell] != NONE:
                continue
            worth = worth_of_lay(board, tile, cell, weights)
            worth += worth_of_coins(board, purse + income(board, tile, cell), weights) + leaning(
                board, tile, cell, lean
            )
            worths[CELLS * tile + cell] = worth
            if worth > best:
                best, chosen = worth, CELLS * tile + cell
    if board.held != chosen // CELLS:
        hold(board, chosen // CELLS, weights)
    return chosen, best


@compiled
def note_stings(board: BoardScratch, tile: int, cell: int, weights: Floats) -> None:
    """Note what one more fly changes on each structure, after laying the tile held (NONE: as the board is)."""
    for number in range(STRUCTURE_COUNT):
        fill, colour, symbol = board.filled[number], board.colour[number], board.symbol[number]
        flown, before = board.flown[number], board.part[number]
        board.sting[number] = structure_worth(board, number, fill, colour, symbol, min(flown + 1, 4), weights) - before
    if tile == NONE:
        return
    place = 0
    while THROUGH[cell, place] != NONE:
        number = THROUGH[cell, place]
        fill, flown = board.filled[number] + 1, board.flown[number]
        colour = joined(board.colour[number], COLOUR_OF[tile])
        symbol = joined(board.symbol[number], SYMBOL_OF[tile])
        before = structure_worth(board, number, fill, colour, symbol, flown, weights)
        board.sting[number] = structure_worth(board, number, fill, colour, symbol, min(flown + 1, 4), weights) - before
        place += 1


@compiled
def sting(board: BoardScratch, cell: int) -> float:
    """Return what a fly on this cell changes, by what was noted for its structures."""
    change, place = 0.0, 0
    while THROUGH[cell, place] != NONE:
        change += board.sting[THROUGH[cell, place]]
        place += 1
    return change


@apart
def best_fly(board: BoardScratch, tile: int, cell: int, weights: Floats, worths: Worths) -> tuple[int, float]:
    """Note what a fly changes on each cell, after laying the tile held (NONE: as the board is); return the best."""
    note_stings(board, tile, cell, weights)
    flies = count(board.flies)
    always = np.float64(weights[board.row + FLIES + flies + 1]) - weights[board.row + FLIES + flies]
    chosen, best = 0, NOTHING
    for place in range(CELLS):
        worths[place] = NOTHING
        lies = board.tiles[place] != NONE or (tile != NONE and place == cell)
        if lies and (board.flies >> place) & 1 == 0:
            worths[place] = always + sting(board, place)
            if worths[place] > best:
                chosen, best = place, worths[place]
    return chosen, best
