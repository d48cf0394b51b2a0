"""A seat's board, hand and purse laid out on a desk for weighing, compiled.

`set_out` copies them from a table and notes where every structure and partition stands; the rest notes what the hand
offers once a tile has left it.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.features import (
    MIXED,
    NONE,
    ORBIT_OF,
    ORBIT_SIZE,
    PARTITIONS,
    RIVAL_STEP,
    RIVALS,
    STEP,
    STRUCTURE_COUNT,
    THROUGH,
)
from smalti.engine.bits import count, whole
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record
from smalti.games.mozaika.tables import CELLS, COLOUR_OF, COLOURS, STRUCTURES, SYMBOL_OF, SYMBOLS, TYPES, Table

Number = Annotated[int, np.int64]
Numbers = Annotated[npt.NDArray[np.int64], np.int64]
Points = Annotated[npt.NDArray[np.float64], np.float64]
Point = Annotated[float, np.float64]
Desks = npt.NDArray[Any]

TYPE_COUNT, COLOUR_COUNT, SYMBOL_COUNT = len(TYPES), len(COLOURS), len(SYMBOLS)


class Desk(Record):
    """What a seat has, and what of it has been worked out."""

    tiles: Annotated[Numbers, 16]  # by cell, NONE where there is none
    hand: Annotated[Numbers, 12]
    left: Annotated[Numbers, 12]  # by type: tiles in the bag
    flies: Number  # cells
    coins: Number
    rivals: Number  # how many coins the others have, in steps
    lying: Number  # tiles
    seats: Number

    filled: Annotated[Numbers, 19]  # by structure: its tiles, their colour and symbol, its flies
    colour: Annotated[Numbers, 19]
    symbol: Annotated[Numbers, 19]
    flown: Annotated[Numbers, 19]
    colour_tiles: Annotated[Numbers, 3]  # on the board
    symbol_tiles: Annotated[Numbers, 4]
    colour_ease: Annotated[Numbers, 3]  # to come from the bag
    symbol_ease: Annotated[Numbers, 4]
    orbit_tile: Annotated[Numbers, 7, 10]
    orbit_fill: Annotated[Numbers, 7, 10]
    wanted: Annotated[Numbers, 7, 12]  # by partition and type: tiles that its orbits want
    code: Annotated[Numbers, 7]
    broken: Annotated[Numbers, 7]

    held: Number  # the type that has left the hand, NONE for none
    row: Number  # where the weights for the tiles then lying begin
    hand_colours: Annotated[Numbers, 3]
    hand_symbols: Annotated[Numbers, 4]
    colour_share: Annotated[Numbers, 3]  # how common on the board
    symbol_share: Annotated[Numbers, 4]
    main_colour: Number  # the most common on the board and in hand
    main_symbol: Number
    twins: Number  # whether there is a pair in hand
    matched: Annotated[Numbers, 7]  # by partition, for all types but the one held
    scarce: Annotated[Numbers, 7]
    out_of_reach: Annotated[Numbers, 7]
    part: Annotated[Points, 19]  # by structure
    sting: Annotated[Points, 19]  # by structure: what one more fly changes
    standing: Point  # the sum of these, and what the hand is worth


# --- Setting out


@compiled
def joined(kind: int, other: int) -> int:
    """Return the colour or symbol of tiles of these two."""
    return other if kind in (NONE, other) else MIXED


@compiled
def ease(tiles: int, kinds: int, total: int) -> int:
    """Return how common a colour or symbol is in the bag, among so many kinds."""
    share = 6 * tiles * kinds
    return (share >= 4 * total) + (share >= 6 * total) + (share >= 8 * total)


@compiled
def note_bag(desk: Desk) -> None:
    """Note how common every colour and symbol is in the bag."""
    total = 1
    for tile in range(TYPE_COUNT):
        total += desk.left[tile]
    for colour in range(COLOUR_COUNT):
        tiles = 0
        for symbol in range(SYMBOL_COUNT):
            tiles += desk.left[SYMBOL_COUNT * colour + symbol]
        desk.colour_ease[colour] = ease(tiles, COLOUR_COUNT, total)
    for symbol in range(SYMBOL_COUNT):
        tiles = 0
        for colour in range(COLOUR_COUNT):
            tiles += desk.left[SYMBOL_COUNT * colour + symbol]
        desk.symbol_ease[symbol] = ease(tiles, SYMBOL_COUNT, total)


@compiled
def clear(desk: Desk) -> None:
    """Take everything off the board."""
    desk.tiles[:] = NONE
    desk.lying = 0
    desk.filled[:] = 0
    desk.colour[:] = NONE
    desk.symbol[:] = NONE
    desk.colour_tiles[:] = 0
    desk.symbol_tiles[:] = 0
    desk.orbit_tile[:] = NONE
    desk.orbit_fill[:] = 0
    desk.wanted[:] = 0
    desk.code[:] = 0
    desk.broken[:] = 0


@compiled
def put(desk: Desk, tile: int, cell: int) -> None:
    """Put a tile on a cell, and note what becomes of structures and partitions."""
    colour, symbol = COLOUR_OF[tile], SYMBOL_OF[tile]
    desk.tiles[cell] = tile
    desk.lying += 1
    desk.colour_tiles[colour] += 1
    desk.symbol_tiles[symbol] += 1
    place = 0
    while THROUGH[cell, place] != NONE:
        number = THROUGH[cell, place]
        desk.filled[number] += 1
        desk.colour[number] = joined(desk.colour[number], colour)
        desk.symbol[number] = joined(desk.symbol[number], symbol)
        place += 1
    for partition in range(PARTITIONS):
        put_in_orbit(desk, partition, ORBIT_OF[partition, cell], tile)


@compiled
def put_in_orbit(desk: Desk, partition: int, orbit: int, tile: int) -> None:
    """Note a tile in an orbit; the first one says what the others must be."""
    there, fill = desk.orbit_tile[partition, orbit], desk.orbit_fill[partition, orbit]
    if there == NONE:
        desk.orbit_tile[partition, orbit] = tile
        desk.wanted[partition, tile] += ORBIT_SIZE[partition, orbit] - 1
    elif there == tile:
        desk.wanted[partition, tile] -= 1
    else:
        desk.broken[partition] = 1
    desk.code[partition] += STEP[partition, orbit, fill]
    desk.orbit_fill[partition, orbit] = fill + 1


@compiled
def note_flies(desk: Desk, flies: int) -> None:
    """Put flies on these cells and no others."""
    desk.flies = flies
    for number in range(STRUCTURE_COUNT):
        desk.flown[number] = count(flies & STRUCTURES[number])


@compiled
def note_rivals(desk: Desk, table: Table, seat: int) -> None:
    """Note how many coins the others have on average."""
    coins = 0
    for other in range(whole(table.seats)):
        coins += whole(table.coins[other]) if other != seat else 0
    desk.rivals = min(RIVALS - 1, coins // (RIVAL_STEP * (whole(table.seats) - 1)))


@apart
def set_out(desk: Desk, table: Table, seat: int) -> None:
    """Copy what a seat has from a table."""
    clear(desk)
    desk.seats = whole(table.seats)
    desk.coins = whole(table.coins[seat])
    for tile in range(TYPE_COUNT):
        desk.hand[tile] = whole(table.hands[seat, tile])
        desk.left[tile] = whole(table.bag[tile])
        cells = whole(table.colours[seat, COLOUR_OF[tile]]) & whole(table.symbols[seat, SYMBOL_OF[tile]])
        for cell in range(CELLS):
            if (cells >> cell) & 1:
                put(desk, tile, cell)
    note_flies(desk, whole(table.flies[seat]))
    note_rivals(desk, table, seat)
    note_bag(desk)


# --- What the hand offers


@compiled
def scarcity(desk: Desk, short: int, tile: int) -> int:
    """Return how hard it is to get so many more tiles of a type."""
    if short <= 0:
        return 0
    return max(0, 2 - (desk.left[tile] - short))


@compiled
def note_hand(desk: Desk, held: int) -> None:
    """Note the colours, symbols and pairs in hand once a tile has left it."""
    desk.held = held
    desk.hand_colours[:] = 0
    desk.hand_symbols[:] = 0
    desk.twins = 0
    for tile in range(TYPE_COUNT):
        tiles = desk.hand[tile] - (tile == held)
        desk.hand_colours[COLOUR_OF[tile]] += tiles
        desk.hand_symbols[SYMBOL_OF[tile]] += tiles
        if tiles > 1:
            desk.twins = 1


@compiled
def note_shares(desk: Desk, held: int) -> None:
    """Note how common every colour and symbol is on the board, with the tile held lying there."""
    total = desk.lying + (held != NONE)
    most = NONE
    for colour in range(COLOUR_COUNT):
        tiles = desk.colour_tiles[colour] + (held != NONE and COLOUR_OF[held] == colour)
        share = 20 * tiles
        desk.colour_share[colour] = (share >= 5 * total) + (share >= 9 * total) + (share >= 13 * total)
        if 8 * tiles + desk.hand_colours[colour] > most:
            most, desk.main_colour = 8 * tiles + desk.hand_colours[colour], colour
    most = NONE
    for symbol in range(SYMBOL_COUNT):
        tiles = desk.symbol_tiles[symbol] + (held != NONE and SYMBOL_OF[held] == symbol)
        share = 20 * tiles
        desk.symbol_share[symbol] = (share >= 6 * total) + (share >= 10 * total)
        if 8 * tiles + desk.hand_symbols[symbol] > most:
            most, desk.main_symbol = 8 * tiles + desk.hand_symbols[symbol], symbol


@compiled
def note_wants(desk: Desk, partition: int) -> None:
    """Note what a partition wants of all types but the one held: what is in hand, and what is hard to get."""
    matched, scarce, missing = 0, 0, 0
    for tile in range(TYPE_COUNT):
        wanted = desk.wanted[partition, tile]
        if wanted > 0 and tile != desk.held:
            short = wanted - desk.hand[tile]
            matched += min(wanted, desk.hand[tile])
            scarce += scarcity(desk, short, tile)
            missing |= short > desk.left[tile]
    desk.matched[partition] = matched
    desk.scarce[partition] = scarce
    desk.out_of_reach[partition] = missing
