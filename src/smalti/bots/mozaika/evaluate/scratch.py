"""Scratch for the evaluation of one seat: its board, hand and purse, and what has been worked out of them, compiled.

`set_out` copies them from a table and notes where every structure and partition stands; the rest notes what the hand
offers once a tile has left it.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.evaluate.features import (
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
Boards = npt.NDArray[Any]

TYPE_COUNT, COLOUR_COUNT, SYMBOL_COUNT = len(TYPES), len(COLOURS), len(SYMBOLS)


class BoardScratch(Record):
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
def note_bag(board: BoardScratch) -> None:
    """Note how common every colour and symbol is in the bag."""
    total = 1
    for tile in range(TYPE_COUNT):
        total += board.left[tile]
    for colour in range(COLOUR_COUNT):
        tiles = 0
        for symbol in range(SYMBOL_COUNT):
            tiles += board.left[SYMBOL_COUNT * colour + symbol]
        board.colour_ease[colour] = ease(tiles, COLOUR_COUNT, total)
    for symbol in range(SYMBOL_COUNT):
        tiles = 0
        for colour in range(COLOUR_COUNT):
            tiles += board.left[SYMBOL_COUNT * colour + symbol]
        board.symbol_ease[symbol] = ease(tiles, SYMBOL_COUNT, total)


@compiled
def clear(board: BoardScratch) -> None:
    """Take everything off the board."""
    board.tiles[:] = NONE
    board.lying = 0
    board.filled[:] = 0
    board.colour[:] = NONE
    board.symbol[:] = NONE
    board.colour_tiles[:] = 0
    board.symbol_tiles[:] = 0
    board.orbit_tile[:] = NONE
    board.orbit_fill[:] = 0
    board.wanted[:] = 0
    board.code[:] = 0
    board.broken[:] = 0


@compiled
def put_tile(board: BoardScratch, tile: int, cell: int) -> None:
    """Put a tile on a cell, and note what becomes of structures and partitions."""
    colour, symbol = COLOUR_OF[tile], SYMBOL_OF[tile]
    board.tiles[cell] = tile
    board.lying += 1
    board.colour_tiles[colour] += 1
    board.symbol_tiles[symbol] += 1
    place = 0
    while THROUGH[cell, place] != NONE:
        number = THROUGH[cell, place]
        board.filled[number] += 1
        board.colour[number] = joined(board.colour[number], colour)
        board.symbol[number] = joined(board.symbol[number], symbol)
        place += 1
    for partition in range(PARTITIONS):
        put_in_orbit(board, partition, ORBIT_OF[partition, cell], tile)


@compiled
def put_in_orbit(board: BoardScratch, partition: int, orbit: int, tile: int) -> None:
    """Note a tile in an orbit; the first one says what the others must be."""
    there, fill = board.orbit_tile[partition, orbit], board.orbit_fill[partition, orbit]
    if there == NONE:
        board.orbit_tile[partition, orbit] = tile
        board.wanted[partition, tile] += ORBIT_SIZE[partition, orbit] - 1
    elif there == tile:
        board.wanted[partition, tile] -= 1
    else:
        board.broken[partition] = 1
    board.code[partition] += STEP[partition, orbit, fill]
    board.orbit_fill[partition, orbit] = fill + 1


@compiled
def note_flies(board: BoardScratch, flies: int) -> None:
    """Put flies on these cells and no others."""
    board.flies = flies
    for number in range(STRUCTURE_COUNT):
        board.flown[number] = count(flies & STRUCTURES[number])


@compiled
def note_rivals(board: BoardScratch, table: Table, seat: int) -> None:
    """Note how many coins the others have on average."""
    coins = 0
    for other in range(whole(table.seats)):
        coins += whole(table.coins[other]) if other != seat else 0
    board.rivals = min(RIVALS - 1, coins // (RIVAL_STEP * (whole(table.seats) - 1)))


@apart
def set_out(board: BoardScratch, table: Table, seat: int) -> None:
    """Copy what a seat has from a table."""
    clear(board)
    board.seats = whole(table.seats)
    board.coins = whole(table.coins[seat])
    for tile in range(TYPE_COUNT):
        board.hand[tile] = whole(table.hands[seat, tile])
        board.left[tile] = whole(table.bag[tile])
        cells = whole(table.colours[seat, COLOUR_OF[tile]]) & whole(table.symbols[seat, SYMBOL_OF[tile]])
        for cell in range(CELLS):
            if (cells >> cell) & 1:
                put_tile(board, tile, cell)
    note_flies(board, whole(table.flies[seat]))
    note_rivals(board, table, seat)
    note_bag(board)


# --- What the hand offers


@compiled
def scarcity(board: BoardScratch, short: int, tile: int) -> int:
    """Return how hard it is to get so many more tiles of a type."""
    if short <= 0:
        return 0
    return max(0, 2 - (board.left[tile] - short))


@compiled
def note_hand(board: BoardScratch, held: int) -> None:
    """Note the colours, symbols and pairs in hand once a tile has left it."""
    board.held = held
    board.hand_colours[:] = 0
    board.hand_symbols[:] = 0
    board.twins = 0
    for tile in range(TYPE_COUNT):
        tiles = board.hand[tile] - (tile == held)
        board.hand_colours[COLOUR_OF[tile]] += tiles
        board.hand_symbols[SYMBOL_OF[tile]] += tiles
        if tiles > 1:
            board.twins = 1


@compiled
def note_shares(board: BoardScratch, held: int) -> None:
    """Note how common every colour and symbol is on the board, with the tile held lying there."""
    total = board.lying + (held != NONE)
    most = NONE
    for colour in range(COLOUR_COUNT):
        tiles = board.colour_tiles[colour] + (held != NONE and COLOUR_OF[held] == colour)
        share = 20 * tiles
        board.colour_share[colour] = (share >= 5 * total) + (share >= 9 * total) + (share >= 13 * total)
        if 8 * tiles + board.hand_colours[colour] > most:
            most, board.main_colour = 8 * tiles + board.hand_colours[colour], colour
    most = NONE
    for symbol in range(SYMBOL_COUNT):
        tiles = board.symbol_tiles[symbol] + (held != NONE and SYMBOL_OF[held] == symbol)
        share = 20 * tiles
        board.symbol_share[symbol] = (share >= 6 * total) + (share >= 10 * total)
        if 8 * tiles + board.hand_symbols[symbol] > most:
            most, board.main_symbol = 8 * tiles + board.hand_symbols[symbol], symbol


@compiled
def note_wants(board: BoardScratch, partition: int) -> None:
    """Note what a partition wants of all types but the one held: what is in hand, and what is hard to get."""
    matched, scarce, missing = 0, 0, 0
    for tile in range(TYPE_COUNT):
        wanted = board.wanted[partition, tile]
        if wanted > 0 and tile != board.held:
            short = wanted - board.hand[tile]
            matched += min(wanted, board.hand[tile])
            scarce += scarcity(board, short, tile)
            missing |= short > board.left[tile]
    board.matched[partition] = matched
    board.scarce[partition] = scarce
    board.out_of_reach[partition] = missing
