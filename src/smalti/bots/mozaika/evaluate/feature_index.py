"""Which features a board has, as places in a row of weights, compiled.

A row belongs to one number of tiles on the board; `smalti.bots.mozaika.evaluate.features` says how it is laid out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.evaluate.features import (
    COLOUR,
    COLOUR_SHARES,
    EASES,
    FLIES,
    FLY_COUNTS,
    HELD,
    HOLDING,
    HOPE,
    IN_PATTERN,
    MATCHES,
    MIXED,
    NONE,
    ORBIT_OF,
    ORBIT_SIZE,
    PARTED,
    PARTITION,
    PARTITIONS,
    PATTERN,
    PLACE,
    PURSE,
    PURSES,
    SCARCITIES,
    STATES,
    STEP,
    STRUCTURE_COUNT,
    SUPPLY,
    SYMBOL,
    SYMBOL_SHARES,
    TWINS,
)
from smalti.bots.mozaika.evaluate.scratch import COLOUR_COUNT, SYMBOL_COUNT, TYPE_COUNT, BoardScratch, scarcity
from smalti.engine.bits import count
from smalti.engine.compiled import compiled

Indices = npt.NDArray[np.int32]


@compiled
def state_of(fill: int, colour: int, symbol: int) -> int:
    """Return the state of a structure."""
    if fill < 2:
        return fill
    return 2 + 4 * (fill - 2) + 2 * (colour != MIXED) + (symbol != MIXED)


@compiled
def structure_feature(board: BoardScratch, number: int, fill: int, colour: int, symbol: int, flown: int) -> int:
    """Return where a structure in this state stands in a row."""
    by_colour, by_symbol, by_both = 0, 0, 0
    if 0 < fill < 4:
        by_colour = board.hand_colours[colour] if colour != MIXED else 0
        by_symbol = board.hand_symbols[symbol] if symbol != MIXED else 0
        if by_colour > 0 and by_symbol > 0:
            tile = SYMBOL_COUNT * colour + symbol
            by_both = 1 * (board.hand[tile] > (tile == board.held))
    held = 2 * (4 * min(by_colour, 3) + min(by_symbol, 3)) + by_both
    return ((PLACE[number] * STATES + state_of(fill, colour, symbol)) * HELD + held) * FLY_COUNTS + flown


@compiled
def supply_feature(board: BoardScratch, fill: int, colour: int, symbol: int) -> int:
    """Return where the supply of a structure that is begun and not done stands in a row."""
    by_colour = board.colour_ease[colour] if colour != MIXED else 0
    by_symbol = board.symbol_ease[symbol] if symbol != MIXED else 0
    eases = (state_of(fill, colour, symbol) * EASES + by_colour) * EASES + by_symbol
    colours = board.colour_share[colour] if colour != MIXED else 0
    symbols = board.symbol_share[symbol] if symbol != MIXED else 0
    return SUPPLY + (eases * COLOUR_SHARES + colours) * SYMBOL_SHARES + symbols


@compiled
def partition_feature(partition: int, code: int, matched: int, scarce: int, twins: int) -> int:
    """Return where a partition stands in a row."""
    inside = (min(matched, MATCHES - 1) * SCARCITIES + min(scarce, SCARCITIES - 1)) * TWINS + twins
    return PARTITION + PATTERN[partition, code] * IN_PATTERN + inside


@compiled
def partition_with(board: BoardScratch, partition: int, tile: int, cell: int) -> int:
    """Return where a partition stands in a row after laying a tile, NONE if it cannot be reached any more."""
    if board.broken[partition] or board.out_of_reach[partition]:
        return NONE
    orbit = ORBIT_OF[partition, cell]
    there, fill = board.orbit_tile[partition, orbit], board.orbit_fill[partition, orbit]
    if there != NONE and there != tile:
        return NONE
    wanted = board.wanted[partition, tile] + (ORBIT_SIZE[partition, orbit] - 1 if there == NONE else -1)
    in_hand = board.hand[tile] - 1
    short = wanted - in_hand
    if short > board.left[tile]:
        return NONE
    code = board.code[partition] + STEP[partition, orbit, fill]
    matched = board.matched[partition] + min(wanted, in_hand)
    return partition_feature(
        partition, code, matched, board.scarce[partition] + scarcity(board, short, tile), board.twins
    )


@compiled
def partition_now(board: BoardScratch, partition: int) -> int:
    """Return where a partition stands in a row as the board is, NONE if it cannot be reached any more."""
    if board.broken[partition] or board.out_of_reach[partition]:
        return NONE
    return partition_feature(
        partition, board.code[partition], board.matched[partition], board.scarce[partition], board.twins
    )


@compiled
def profile_feature(most: int, second: int, in_hand: int, common: int) -> int:
    """Return where a profile of colours or symbols stands behind the first one."""
    return ((most * 9 + min(second, 8)) * 4 + min(in_hand, 3)) * EASES + common


@compiled
def two_most_common(tiles: npt.NDArray[np.int64], extra: int) -> tuple[int, int, int]:
    """Return the most common kind with one tile more of kind `extra`, its tiles, and those of the second."""
    first, most, second = 0, -1, 0
    for kind in range(len(tiles)):
        number = tiles[kind] + (kind == extra)
        if number > most:
            first, most, second = kind, number, max(most, 0)
        else:
            second = max(second, number)
    return first, most, second


@compiled
def colour_feature(board: BoardScratch, extra: int) -> int:
    """Return where the colours on the board stand in a row, with one tile more of colour `extra`."""
    first, most, second = two_most_common(board.colour_tiles, extra)
    return COLOUR + profile_feature(most, second, board.hand_colours[first], board.colour_ease[first])


@compiled
def symbol_feature(board: BoardScratch, extra: int) -> int:
    """Return where the symbols on the board stand in a row, with one tile more of symbol `extra`."""
    first, most, second = two_most_common(board.symbol_tiles, extra)
    return SYMBOL + profile_feature(most, second, board.hand_symbols[first], board.symbol_ease[first])


@compiled
def hand_feature(board: BoardScratch) -> int:
    """Return where the hand stands in a row."""
    most, colours, symbols = 1, 0, 0
    for tile in range(TYPE_COUNT):
        most = max(most, board.hand[tile] - (tile == board.held))
    for colour in range(COLOUR_COUNT):
        colours += board.hand_colours[colour] > 0
    for symbol in range(SYMBOL_COUNT):
        symbols += board.hand_symbols[symbol] > 0
    return HOLDING + (min(most - 1, 2) * 3 + min(max(colours - 1, 0), 2)) * 3 + min(max(symbols - 1, 0), 2)


@compiled
def purse_feature(rivals: int, coins: int, shift: int) -> int:
    """Return where so many coins stand in a row when they are parted from this one on."""
    return PURSE + (rivals * PARTED + shift) * PURSES + (coins + shift) // PARTED


# --- All of them, for learning


@compiled
def list_structures(board: BoardScratch, features: Indices) -> int:
    """List the features of the structures; return how many."""
    found, row = 0, board.row
    for number in range(STRUCTURE_COUNT):
        fill, colour, symbol = board.filled[number], board.colour[number], board.symbol[number]
        if colour == MIXED and symbol == MIXED:
            continue
        features[found] = row + structure_feature(board, number, fill, colour, symbol, board.flown[number])
        found += 1
        if 0 < fill < 4:
            features[found] = row + supply_feature(board, fill, colour, symbol)
            found += 1
    return found


@compiled
def list_symmetries(board: BoardScratch, features: Indices, found: int) -> int:
    """List the features of the partitions behind so many others; return how many there are then."""
    row, hopes = board.row, 0
    for partition in range(PARTITIONS):
        feature = partition_now(board, partition)
        if feature != NONE:
            features[found] = row + feature
            hopes |= 1 << partition
            found += 1
    features[found] = row + HOPE + hopes
    return found + 1


@compiled
def list_features(board: BoardScratch, features: Indices) -> int:
    """List all features that are learned, as they are after `hold(board, NONE, …)`; return how many."""
    found, row = list_symmetries(board, features, list_structures(board, features)), board.row
    features[found] = row + colour_feature(board, NONE)
    features[found + 1] = row + symbol_feature(board, NONE)
    features[found + 2] = row + hand_feature(board)
    features[found + 3] = row + FLIES + count(board.flies)
    for shift in range(PARTED):
        features[found + 4 + shift] = row + purse_feature(board.rivals, board.coins, shift)
    return found + 4 + PARTED
