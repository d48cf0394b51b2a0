"""What is on a desk, weighed, compiled: the sum of the weights of its features.

`hold` weighs what stays the same once a tile has left the hand; then `worth_of_lay` weighs that tile on one cell, by
looking only at what changes. `worth_now` weighs everything as it is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.desk import (
    COLOUR_COUNT,
    SYMBOL_COUNT,
    TYPE_COUNT,
    Desk,
    joined,
    note_hand,
    note_shares,
    note_wants,
    scarcity,
)
from smalti.bots.mozaika.features import (
    COIN,
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
    ROW,
    SCARCITIES,
    STATES,
    STEP,
    STRUCTURE_COUNT,
    SUPPLY,
    SYMBOL,
    SYMBOL_SHARES,
    THROUGH,
    TWINS,
    Floats,
)
from smalti.engine.bits import count
from smalti.engine.compiled import apart, compiled
from smalti.games.mozaika.tables import COLOUR_OF, SYMBOL_OF

# --- Where features stand


@compiled
def state_of(fill: int, colour: int, symbol: int) -> int:
    """Return the state of a structure."""
    if fill < 2:
        return fill
    return 2 + 4 * (fill - 2) + 2 * (colour != MIXED) + (symbol != MIXED)


@compiled
def structure_feature(desk: Desk, number: int, fill: int, colour: int, symbol: int, flown: int) -> int:
    """Return where a structure in this state stands in a row."""
    by_colour, by_symbol, by_both = 0, 0, 0
    if 0 < fill < 4:
        by_colour = desk.hand_colours[colour] if colour != MIXED else 0
        by_symbol = desk.hand_symbols[symbol] if symbol != MIXED else 0
        if by_colour > 0 and by_symbol > 0:
            tile = SYMBOL_COUNT * colour + symbol
            by_both = 1 * (desk.hand[tile] > (tile == desk.held))
    held = 2 * (4 * min(by_colour, 3) + min(by_symbol, 3)) + by_both
    return ((PLACE[number] * STATES + state_of(fill, colour, symbol)) * HELD + held) * FLY_COUNTS + flown


@compiled
def supply_feature(desk: Desk, fill: int, colour: int, symbol: int) -> int:
    """Return where the supply of a structure that is begun and not done stands in a row."""
    by_colour = desk.colour_ease[colour] if colour != MIXED else 0
    by_symbol = desk.symbol_ease[symbol] if symbol != MIXED else 0
    eases = (state_of(fill, colour, symbol) * EASES + by_colour) * EASES + by_symbol
    colours = desk.colour_share[colour] if colour != MIXED else 0
    symbols = desk.symbol_share[symbol] if symbol != MIXED else 0
    return SUPPLY + (eases * COLOUR_SHARES + colours) * SYMBOL_SHARES + symbols


@compiled
def structure_worth(desk: Desk, number: int, fill: int, colour: int, symbol: int, flown: int, weights: Floats) -> float:
    """Return what a structure in this state is worth; nothing if its tiles have nothing in common."""
    if colour == MIXED and symbol == MIXED:
        return 0.0
    worth = np.float64(weights[desk.row + structure_feature(desk, number, fill, colour, symbol, flown)])
    if 0 < fill < 4:
        worth += weights[desk.row + supply_feature(desk, fill, colour, symbol)]
    return worth


@compiled
def partition_feature(partition: int, code: int, matched: int, scarce: int, twins: int) -> int:
    """Return where a partition stands in a row."""
    inside = (min(matched, MATCHES - 1) * SCARCITIES + min(scarce, SCARCITIES - 1)) * TWINS + twins
    return PARTITION + PATTERN[partition, code] * IN_PATTERN + inside


@compiled
def profile_feature(most: int, second: int, in_hand: int, common: int) -> int:
    """Return where a profile of colours or symbols stands behind the first one."""
    return ((most * 9 + min(second, 8)) * 4 + min(in_hand, 3)) * EASES + common


@compiled
def colour_feature(desk: Desk, extra: int) -> int:
    """Return where the colours on the board stand in a row, with one tile more of colour `extra`."""
    first, most, second = 0, -1, 0
    for colour in range(COLOUR_COUNT):
        tiles = desk.colour_tiles[colour] + (colour == extra)
        if tiles > most:
            first, most, second = colour, tiles, max(most, 0)
        else:
            second = max(second, tiles)
    return COLOUR + profile_feature(most, second, desk.hand_colours[first], desk.colour_ease[first])


@compiled
def symbol_feature(desk: Desk, extra: int) -> int:
    """Return where the symbols on the board stand in a row, with one tile more of symbol `extra`."""
    first, most, second = 0, -1, 0
    for symbol in range(SYMBOL_COUNT):
        tiles = desk.symbol_tiles[symbol] + (symbol == extra)
        if tiles > most:
            first, most, second = symbol, tiles, max(most, 0)
        else:
            second = max(second, tiles)
    return SYMBOL + profile_feature(most, second, desk.hand_symbols[first], desk.symbol_ease[first])


@compiled
def hand_feature(desk: Desk) -> int:
    """Return where the hand stands in a row."""
    most, colours, symbols = 1, 0, 0
    for tile in range(TYPE_COUNT):
        most = max(most, desk.hand[tile] - (tile == desk.held))
    for colour in range(COLOUR_COUNT):
        colours += desk.hand_colours[colour] > 0
    for symbol in range(SYMBOL_COUNT):
        symbols += desk.hand_symbols[symbol] > 0
    return HOLDING + (min(most - 1, 2) * 3 + min(max(colours - 1, 0), 2)) * 3 + min(max(symbols - 1, 0), 2)


# --- Weighing


@apart
def hold(desk: Desk, held: int, weights: Floats) -> None:
    """Weigh everything that stays the same wherever the tile is laid that has left the hand (NONE: none has)."""
    note_hand(desk, held)
    note_shares(desk, held)
    desk.row = ROW * (desk.lying - (held == NONE))
    for partition in range(PARTITIONS):
        if desk.broken[partition] == 0:
            note_wants(desk, partition)
    flies = count(desk.flies)
    base = np.float64(weights[desk.row + hand_feature(desk)]) + weights[desk.row + FLIES + flies]
    for number in range(STRUCTURE_COUNT):
        fill, colour, symbol = desk.filled[number], desk.colour[number], desk.symbol[number]
        desk.part[number] = structure_worth(desk, number, fill, colour, symbol, desk.flown[number], weights)
        base += desk.part[number]
    desk.standing = base


@compiled
def partition_with(desk: Desk, partition: int, tile: int, cell: int) -> int:
    """Return where a partition stands in a row after laying a tile, NONE if it cannot be reached any more."""
    if desk.broken[partition] or desk.out_of_reach[partition]:
        return NONE
    orbit = ORBIT_OF[partition, cell]
    there, fill = desk.orbit_tile[partition, orbit], desk.orbit_fill[partition, orbit]
    if there != NONE and there != tile:
        return NONE
    wanted = desk.wanted[partition, tile] + (ORBIT_SIZE[partition, orbit] - 1 if there == NONE else -1)
    in_hand = desk.hand[tile] - 1
    short = wanted - in_hand
    if short > desk.left[tile]:
        return NONE
    code = desk.code[partition] + STEP[partition, orbit, fill]
    matched = desk.matched[partition] + min(wanted, in_hand)
    return partition_feature(partition, code, matched, desk.scarce[partition] + scarcity(desk, short, tile), desk.twins)


@compiled
def worth_of_lay(desk: Desk, tile: int, cell: int, weights: Floats) -> float:
    """Return what the board is worth, coins apart, after laying the tile that is held."""
    colour, symbol, row = COLOUR_OF[tile], SYMBOL_OF[tile], desk.row
    worth, place = desk.standing, 0
    while THROUGH[cell, place] != NONE:
        number = THROUGH[cell, place]
        by_colour, by_symbol = joined(desk.colour[number], colour), joined(desk.symbol[number], symbol)
        fill, flown = desk.filled[number] + 1, desk.flown[number]
        worth += structure_worth(desk, number, fill, by_colour, by_symbol, flown, weights) - desk.part[number]
        place += 1
    hopes = 0
    for partition in range(PARTITIONS):
        feature = partition_with(desk, partition, tile, cell)
        if feature != NONE:
            worth += weights[row + feature]
            hopes |= 1 << partition
    worth += weights[row + HOPE + hopes]
    return worth + weights[row + colour_feature(desk, colour)] + weights[row + symbol_feature(desk, symbol)]


@compiled
def purse_feature(rivals: int, coins: int, shift: int) -> int:
    """Return where so many coins stand in a row when they are parted from this one on."""
    return PURSE + (rivals * PARTED + shift) * PURSES + (coins + shift) // PARTED


@compiled
def coins_worth(row: int, rivals: int, coins: int, weights: Floats) -> float:
    """Return what so many coins are worth by a row when the others have so many."""
    worth = np.float64(weights[row + COIN + coins])
    for shift in range(PARTED):
        worth += weights[row + purse_feature(rivals, coins, shift)]
    return worth


@compiled
def worth_of_coins(desk: Desk, coins: int, weights: Floats) -> float:
    """Return what so many coins are worth with the tile held laid."""
    return coins_worth(desk.row, desk.rivals, coins, weights)


@compiled
def partition_now(desk: Desk, partition: int) -> int:
    """Return where a partition stands in a row as the board is, NONE if it cannot be reached any more."""
    if desk.broken[partition] or desk.out_of_reach[partition]:
        return NONE
    return partition_feature(
        partition, desk.code[partition], desk.matched[partition], desk.scarce[partition], desk.twins
    )


@compiled
def list_features(desk: Desk, features: npt.NDArray[np.int32]) -> int:
    """List all features that are learned, as they are after `hold(desk, NONE, …)`; return how many."""
    found, row, hopes = 0, desk.row, 0
    for number in range(STRUCTURE_COUNT):
        fill, colour, symbol = desk.filled[number], desk.colour[number], desk.symbol[number]
        if colour == MIXED and symbol == MIXED:
            continue
        features[found] = row + structure_feature(desk, number, fill, colour, symbol, desk.flown[number])
        found += 1
        if 0 < fill < 4:
            features[found] = row + supply_feature(desk, fill, colour, symbol)
            found += 1
    for partition in range(PARTITIONS):
        feature = partition_now(desk, partition)
        if feature != NONE:
            features[found] = row + feature
            hopes |= 1 << partition
            found += 1
    features[found] = row + HOPE + hopes
    features[found + 1] = row + colour_feature(desk, NONE)
    features[found + 2] = row + symbol_feature(desk, NONE)
    features[found + 3] = row + hand_feature(desk)
    features[found + 4] = row + FLIES + count(desk.flies)
    for shift in range(PARTED):
        features[found + 5 + shift] = row + purse_feature(desk.rivals, desk.coins, shift)
    return found + 5 + PARTED


@compiled
def worth_now(desk: Desk, weights: Floats) -> float:
    """Return the points to expect with the board, hand and purse as they are; `hold(desk, NONE, …)` comes first."""
    worth, hopes, row = desk.standing, 0, desk.row
    for partition in range(PARTITIONS):
        feature = partition_now(desk, partition)
        if feature != NONE:
            worth += weights[row + feature]
            hopes |= 1 << partition
    worth += weights[row + HOPE + hopes] + worth_of_coins(desk, desk.coins, weights)
    return worth + weights[row + colour_feature(desk, NONE)] + weights[row + symbol_feature(desk, NONE)]
