"""Mozaika: the deal, and the five phases of a round: draw, auction, fly, laying, passing the bag."""

from __future__ import annotations

from smalti.engine.bits import count, whole
from smalti.engine.compiled import compiled
from smalti.engine.rules import CHANCE, Moves, Weights
from smalti.games.mozaika.hiding import hide, is_secret, redeal
from smalti.games.mozaika.scoring import score, winners
from smalti.games.mozaika.tables import (
    BESIDE,
    BID,
    BIDDING,
    CELLS,
    COLOUR_OF,
    COPIES,
    DEAL,
    DEALING,
    DRAW,
    DRAWING,
    FIRST_FLIES,
    FLY,
    FLYING,
    HAND,
    LAY,
    LAYING,
    NO_SEAT,
    OVER,
    PICK,
    PICKING,
    ROUNDS,
    START_COINS,
    SYMBOL_OF,
    TYPE_COUNT,
    Table,
)

__all__ = ["acting", "hide", "is_secret", "legal", "odds", "play", "redeal", "score", "set_up", "winners"]

EVERY_CELL = (1 << CELLS) - 1


def set_up(table: Table, seats: int, options: dict[str, str]) -> None:
    """Fill the bag and the purses, before anybody has tiles. (MZ-1)"""
    table.seats = seats
    table.secret_hands = options["hands"] == "hidden"
    table.bag[:] = COPIES[seats]
    table.coins[:seats] = START_COINS
    table.round_number = 1
    table.flown = NO_SEAT
    table.phase = DEALING


@compiled
def acting(table: Table) -> int:
    """Return who acts: chance, everybody who has yet to bid or lay, the next to pick, or who got the fly."""
    if table.phase == BIDDING or table.phase == LAYING:
        return whole(table.waiting)
    if table.phase == PICKING:
        return 1 << whole(table.order[table.picked])
    if table.phase == FLYING:
        return 1 << whole(table.flown)
    if table.phase == OVER:
        return 0
    return CHANCE


@compiled
def everybody(table: Table) -> int:
    """Return the set of all seats."""
    return (1 << whole(table.seats)) - 1


# --- Chance: deal and draw


@compiled
def odds(table: Table, moves: Moves, weights: Weights) -> int:
    """Return the tiles the bag can give. (MZ-1, MZ-3)"""
    first = DEAL if table.phase == DEALING else DRAW
    found = 0
    for tile in range(TYPE_COUNT):
        if table.bag[tile] > 0:
            moves[found] = first + tile
            weights[found] = table.bag[tile]
            found += 1
    return found


@compiled
def take_from_bag(table: Table, tile: int) -> None:
    """Deal a tile into the next hand, or draw it into the display. (MZ-1, MZ-3)"""
    table.bag[tile] -= 1
    if table.phase == DEALING:
        table.hands[table.drawn // HAND, tile] += 1
        table.drawn += 1
        if table.drawn == HAND * table.seats:
            start_laying(table)
    else:
        table.display[tile] += 1
        table.drawn += 1
        if table.drawn == table.seats + 1:
            start_bidding(table)


# --- Auction


@compiled
def start_bidding(table: Table) -> None:
    """Ask everybody for a sealed bid. (MZ-4)"""
    table.bids[:] = 0
    table.waiting = everybody(table)
    table.phase = BIDDING


@compiled
def bid(table: Table, seat: int, coins: int) -> None:
    """Seal a bid; the last one reveals all. (MZ-4)"""
    table.bids[seat] = coins
    table.waiting = whole(table.waiting) & ~(1 << seat)
    if table.waiting == 0:
        reveal_bids(table)


@compiled
def reveal_bids(table: Table) -> None:
    """Let everybody pay, and line the seats up for picking; the last one gets the fly. (MZ-4 to MZ-6)"""
    seats = whole(table.seats)
    for distance in range(seats):
        seat = (table.starter + distance) % seats
        table.coins[seat] -= table.bids[seat]
        place = distance
        while place > 0 and table.bids[table.order[place - 1]] < table.bids[seat]:
            table.order[place] = table.order[place - 1]
            place -= 1
        table.order[place] = seat
    if table.round_number >= first_fly_round(table):
        table.flown = table.order[table.seats - 1]
    table.picked = 0
    table.phase = PICKING


@compiled
def first_fly_round(table: Table) -> int:
    """Return the round from which on there are flies: 4, 3, 2 with 3, 4, 5 players. (MZ-6)"""
    return FIRST_FLIES - table.seats


@compiled
def pick(table: Table, seat: int, tile: int) -> None:
    """Take an open tile; after the last pick the tile left over goes back into the bag. (MZ-5, MZ-7)"""
    table.display[tile] -= 1
    table.hands[seat, tile] += 1
    table.picked += 1
    if table.picked == table.seats:
        for other in range(TYPE_COUNT):
            table.bag[other] += table.display[other]
            table.display[other] = 0
        start_laying(table)


# --- Laying


@compiled
def start_laying(table: Table) -> None:
    """Ask everybody to lay a tile. (MZ-8)"""
    table.waiting = everybody(table)
    table.phase = LAYING


@compiled
def taken_cells(table: Table, seat: int) -> int:
    """Return the cells of a board that have a tile."""
    return whole(table.colours[seat, 0]) | whole(table.colours[seat, 1]) | whole(table.colours[seat, 2])


@compiled
def income(table: Table, seat: int, tile: int, cell: int) -> int:
    """Return the coins for laying a tile here: one for each neighbour of its colour and each of its symbol. (MZ-9)"""
    same_colour = whole(table.colours[seat, COLOUR_OF[tile]]) & BESIDE[cell]
    same_symbol = whole(table.symbols[seat, SYMBOL_OF[tile]]) & BESIDE[cell]
    return count(same_colour) + count(same_symbol)


@compiled
def list_incomes(table: Table, seat: int, coins: Moves) -> None:
    """Note for each type of tile and each cell what laying it there would bring."""
    for tile in range(TYPE_COUNT):
        for cell in range(CELLS):
            coins[CELLS * tile + cell] = income(table, seat, tile, cell)


@compiled
def lay(table: Table, seat: int, tile: int, cell: int) -> None:
    """Lay a tile for good and take its income; when all have laid, the fly is next. (MZ-8, MZ-9)"""
    table.coins[seat] += income(table, seat, tile, cell)
    table.colours[seat, COLOUR_OF[tile]] |= 1 << cell
    table.symbols[seat, SYMBOL_OF[tile]] |= 1 << cell
    table.hands[seat, tile] -= 1
    table.waiting = whole(table.waiting) & ~(1 << seat)
    if table.waiting == 0:
        if table.flown == NO_SEAT:
            pass_the_bag(table)
        else:
            table.phase = FLYING


@compiled
def place_fly(table: Table, seat: int, cell: int) -> None:
    """Put the fly on a tile. (MZ-10)"""
    table.flies[seat] |= 1 << cell
    table.flown = NO_SEAT
    pass_the_bag(table)


@compiled
def pass_the_bag(table: Table) -> None:
    """Start the next round with the next start player, or end the game. (MZ-11, MZ-12)"""
    if table.round_number == ROUNDS:
        table.phase = OVER
        return
    table.round_number += 1
    table.starter = (table.starter + 1) % table.seats
    table.drawn = 0
    table.phase = DRAWING


# --- Legal moves and playing them


@compiled
def legal(table: Table, seat: int, moves: Moves) -> int:
    """List what a seat can do in this phase."""
    if table.phase == LAYING:
        return list_lays(table, seat, moves)
    if table.phase == BIDDING:
        for coins in range(whole(table.coins[seat]) + 1):
            moves[coins] = BID + coins
        return whole(table.coins[seat]) + 1
    if table.phase == PICKING:
        return list_picks(table, moves)
    return list_flies(table, seat, moves)


@compiled
def list_cells(cells: int, first: int, moves: Moves, found: int) -> int:
    """Append one move for each cell; no branches, because which cells they are cannot be foreseen."""
    for cell in range(CELLS):
        moves[found] = first + cell
        found += (cells >> cell) & 1
    return found


@compiled
def list_lays(table: Table, seat: int, moves: Moves) -> int:
    """List each kind of tile in hand on each free cell. (MZ-8)"""
    free = EVERY_CELL & ~taken_cells(table, seat)
    found = 0
    for tile in range(TYPE_COUNT):
        if table.hands[seat, tile] > 0:
            found = list_cells(free, LAY + CELLS * tile, moves, found)
    return found


@compiled
def list_picks(table: Table, moves: Moves) -> int:
    """List the kinds of open tiles. (MZ-5)"""
    found = 0
    for tile in range(TYPE_COUNT):
        moves[found] = PICK + tile
        found += table.display[tile] > 0
    return found


@compiled
def list_flies(table: Table, seat: int, moves: Moves) -> int:
    """List the tiles of a board on which the fly can sit: those without one. (MZ-10)"""
    return list_cells(taken_cells(table, seat) & ~whole(table.flies[seat]), FLY, moves, 0)


@compiled
def play(table: Table, seat: int, move: int) -> None:
    """Play one event of chance or of a seat."""
    if move >= DEAL:
        take_from_bag(table, (move - DEAL) % TYPE_COUNT)
    elif move >= FLY:
        place_fly(table, seat, move - FLY)
    elif move >= LAY:
        lay(table, seat, (move - LAY) // CELLS, (move - LAY) % CELLS)
    elif move >= PICK:
        pick(table, seat, move - PICK)
    else:
        bid(table, seat, move - BID)
