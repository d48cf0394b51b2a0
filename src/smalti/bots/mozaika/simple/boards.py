"""What boards of Mozaika promise, compiled: structures and symmetries that are there or can still be.

A board is an array of sixteen tiles, −1 where there is none. `dials` are the weights of a player: by the number of
missing tiles how likely a structure is, of one colour, then of one symbol; then what a symmetry needs; then a coin,
and how much likelier a structure is when a tile for it is in hand.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import count
from smalti.engine.compiled import compiled
from smalti.games.mozaika.tables import (
    BESIDE,
    CELLS,
    COLOUR_OF,
    COLOURS,
    IMAGES,
    STRUCTURES,
    SYMBOL_OF,
    SYMMETRY_POINTS,
    TYPES,
)

# Dials behind the two lists of five: a pair of cells without tiles, with one and its like in hand, with one.
SYMBOL, PAIR_FREE, PAIR_IN_HAND, PAIR_HALF, COIN, IN_HAND = 5, 10, 11, 12, 13, 14

NOTHING = -1e9
TYPE_COUNT, COLOUR_COUNT = len(TYPES), len(COLOURS)
STRUCTURE_CELLS = np.array([[cell for cell in range(CELLS) if cells >> cell & 1] for cells in STRUCTURES.tolist()])

Tiles = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@compiled
def kinds_in(hand: Tiles) -> int:
    """Return the set of colours in a hand, and behind it the set of symbols."""
    kinds = 0
    for tile in range(TYPE_COUNT):
        if hand[tile] > 0:
            kinds |= (1 << COLOUR_OF[tile]) | (1 << (COLOUR_COUNT + SYMBOL_OF[tile]))
    return kinds


@compiled
def likelihood(dials: Floats, place: int, kind: int, kinds: int) -> float:
    """Return how likely a structure becomes all of one kind (−1: any, −2: no more), with these kinds in hand."""
    if kind == -2:
        return 0.0
    likely: float = dials[place]
    if kind >= 0 and (kinds >> kind) & 1:
        likely = min(1.0, likely * dials[IN_HAND])
    return likely


@compiled
def structure_promise(board: Tiles, flies: int, kinds: int, number: int, dials: Floats) -> float:
    """Return what a structure is worth, as likely as it is; a fly costs one of it. (MZ-14 to MZ-17)"""
    colour, symbol, missing = -1, -1, 0
    for cell in STRUCTURE_CELLS[number]:
        if board[cell] < 0:
            missing += 1
            continue
        here = COLOUR_OF[board[cell]]
        colour = here if colour == -1 or colour == here else -2
        here = SYMBOL_OF[board[cell]]
        symbol = here if symbol == -1 or symbol == here else -2
    by_colour = likelihood(dials, missing, colour, kinds)
    by_symbol = likelihood(dials, SYMBOL + missing, symbol, kinds >> COLOUR_COUNT)
    loss = count(flies & STRUCTURES[number]) * max(by_colour, by_symbol)
    return max(0.0, 2 * by_colour + 2 * by_symbol - loss)


@compiled
def symmetry_promise(board: Tiles, hand: Tiles, number: int, dials: Floats) -> float:
    """Return what a symmetry is worth, as likely as its pairs of cells let it be. (MZ-18)"""
    promise: float = 1.0 * SYMMETRY_POINTS[number]
    for cell in range(CELLS):
        here, there = board[cell], board[IMAGES[number, cell]]
        if cell >= IMAGES[number, cell] or (here >= 0 and here == there):
            continue
        if here >= 0 and there >= 0:
            return 0.0
        if here < 0 and there < 0:
            promise *= dials[PAIR_FREE]
        else:
            promise *= dials[PAIR_IN_HAND] if hand[max(here, there)] > 0 else dials[PAIR_HALF]
    return promise


@compiled
def board_promise(board: Tiles, flies: int, hand: Tiles, dials: Floats) -> float:
    """Return what a board promises with these tiles in hand."""
    total, kinds = 0.0, kinds_in(hand)
    for number in range(len(STRUCTURES)):
        total += structure_promise(board, flies, kinds, number, dials)
    for number in range(len(SYMMETRY_POINTS)):
        total += symmetry_promise(board, hand, number, dials)
    return total


@compiled
def income(board: Tiles, tile: int, cell: int) -> int:
    """Return the coins for laying a tile here. (MZ-9)"""
    coins = 0
    for other in range(CELLS):
        if (BESIDE[cell] >> other) & 1 and board[other] >= 0:
            coins += COLOUR_OF[board[other]] == COLOUR_OF[tile]
            coins += SYMBOL_OF[board[other]] == SYMBOL_OF[tile]
    return coins


@compiled
def list_lays(board: Tiles, flies: int, hand: Tiles, dials: Floats, worths: Floats) -> float:
    """Note what the board promises after laying each tile of the hand on each free cell; return the most."""
    best = NOTHING
    for tile in range(TYPE_COUNT):
        for cell in range(CELLS):
            worths[CELLS * tile + cell] = NOTHING
            if hand[tile] == 0 or board[cell] >= 0:
                continue
            coins = income(board, tile, cell)
            board[cell] = tile
            hand[tile] -= 1
            worth = dials[COIN] * coins + board_promise(board, flies, hand, dials)
            board[cell] = -1
            hand[tile] += 1
            worths[CELLS * tile + cell] = worth
            best = max(best, worth)
    return best


@compiled
def list_picks(
    board: Tiles, flies: int, hand: Tiles, display: Tiles, dials: Floats, worths: Floats, picks: Floats
) -> None:
    """Note for each open tile what the board can promise after laying with it in hand."""
    for tile in range(TYPE_COUNT):
        picks[tile] = NOTHING
        if display[tile] > 0:
            hand[tile] += 1
            picks[tile] = list_lays(board, flies, hand, dials, worths)
            hand[tile] -= 1
