"""A linear value function of one seat's board, hand and purse, compiled: the sum of the weights of its features.

`hold` weighs what stays the same once a tile has left the hand; then `worth_of_lay` weighs that tile on one cell, by
looking only at what changes. `worth_now` weighs everything as it is.
"""

from __future__ import annotations

import numpy as np

from smalti.bots.mozaika.evaluate.feature_index import (
    colour_feature,
    hand_feature,
    partition_now,
    partition_with,
    purse_feature,
    structure_feature,
    supply_feature,
    symbol_feature,
)
from smalti.bots.mozaika.evaluate.features import (
    COIN,
    FLIES,
    HOPE,
    MIXED,
    NONE,
    PARTED,
    PARTITIONS,
    ROW,
    STRUCTURE_COUNT,
    THROUGH,
    Floats,
)
from smalti.bots.mozaika.evaluate.scratch import BoardScratch, joined, note_hand, note_shares, note_wants
from smalti.engine.bits import count
from smalti.engine.compiled import apart, compiled
from smalti.games.mozaika.tables import COLOUR_OF, SYMBOL_OF


@compiled
def structure_worth(
    board: BoardScratch, number: int, fill: int, colour: int, symbol: int, flown: int, weights: Floats
) -> float:
    """Return what a structure in this state is worth; nothing if its tiles have nothing in common."""
    if colour == MIXED and symbol == MIXED:
        return 0.0
    worth = np.float64(weights[board.row + structure_feature(board, number, fill, colour, symbol, flown)])
    if 0 < fill < 4:
        worth += weights[board.row + supply_feature(board, fill, colour, symbol)]
    return worth


@apart
def hold(board: BoardScratch, held: int, weights: Floats) -> None:
    """Weigh everything that stays the same wherever the tile is laid that has left the hand (NONE: none has)."""
    note_hand(board, held)
    note_shares(board, held)
    board.row = ROW * (board.lying - (held == NONE))
    for partition in range(PARTITIONS):
        if board.broken[partition] == 0:
            note_wants(board, partition)
    flies = count(board.flies)
    base = np.float64(weights[board.row + hand_feature(board)]) + weights[board.row + FLIES + flies]
    for number in range(STRUCTURE_COUNT):
        fill, colour, symbol = board.filled[number], board.colour[number], board.symbol[number]
        board.part[number] = structure_worth(board, number, fill, colour, symbol, board.flown[number], weights)
        base += board.part[number]
    board.standing = base


@compiled
def worth_of_lay(board: BoardScratch, tile: int, cell: int, weights: Floats) -> float:
    """Return what the board is worth, coins apart, after laying the tile that is held."""
    colour, symbol, row = COLOUR_OF[tile], SYMBOL_OF[tile], board.row
    worth, place = board.standing, 0
    while THROUGH[cell, place] != NONE:
        number = THROUGH[cell, place]
        by_colour, by_symbol = joined(board.colour[number], colour), joined(board.symbol[number], symbol)
        fill, flown = board.filled[number] + 1, board.flown[number]
        worth += structure_worth(board, number, fill, by_colour, by_symbol, flown, weights) - board.part[number]
        place += 1
    hopes = 0
    for partition in range(PARTITIONS):
        feature = partition_with(board, partition, tile, cell)
        if feature != NONE:
            worth += weights[row + feature]
            hopes |= 1 << partition
    worth += weights[row + HOPE + hopes]
    return worth + weights[row + colour_feature(board, colour)] + weights[row + symbol_feature(board, symbol)]


@compiled
def coins_worth(row: int, rivals: int, coins: int, weights: Floats) -> float:
    """Return what so many coins are worth by a row when the others have so many."""
    worth = np.float64(weights[row + COIN + coins])
    for shift in range(PARTED):
        worth += weights[row + purse_feature(rivals, coins, shift)]
    return worth


@compiled
def worth_of_coins(board: BoardScratch, coins: int, weights: Floats) -> float:
    """Return what so many coins are worth with the tile held laid."""
    return coins_worth(board.row, board.rivals, coins, weights)


@compiled
def worth_now(board: BoardScratch, weights: Floats) -> float:
    """Return the points to expect with the board, hand and purse as they are; `hold(board, NONE, …)` comes first."""
    worth, hopes, row = board.standing, 0, board.row
    for partition in range(PARTITIONS):
        feature = partition_now(board, partition)
        if feature != NONE:
            worth += weights[row + feature]
            hopes |= 1 << partition
    worth += weights[row + HOPE + hopes] + worth_of_coins(board, board.coins, weights)
    return worth + weights[row + colour_feature(board, NONE)] + weights[row + symbol_feature(board, NONE)]
