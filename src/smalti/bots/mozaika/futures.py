"""What becomes of one board, compiled: games are played to their end in which the others only bid and take tiles.

That is ten times as fast as playing everybody's board, and what the others lay is nothing to this one. Draws and bids
of a future depend on its number alone, so that all candidates have the same luck.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.desk import TYPE_COUNT, Desk, Desks, note_bag, note_flies, put, set_out
from smalti.bots.mozaika.features import NONE, ROW, Floats
from smalti.bots.mozaika.lavish import NO_FLY, news, spite
from smalti.bots.mozaika.laying import NOTHING, Worths, best_fly, best_lay, income
from smalti.bots.mozaika.street import (
    SPREAD,
    Street,
    draw_tiles,
    note_ahead,
    note_poorest,
    note_purses,
    others_bid,
    pick_in_turn,
)
from smalti.bots.mozaika.weighing import coins_worth, hold, worth_now
from smalti.engine.chance import Stream, below, mixed
from smalti.engine.compiled import apart, compiled, wrapping
from smalti.games.mozaika.tables import CELLS, MOST_COINS, Table

USUAL_INCOME = 2  # coins a round
THRIFT = 0.6  # what a coin is worth to who plays on, of what was learned; more or less of it makes little difference
MOST_BID = 8  # coins that who plays on ever bids
STRIDE = np.uint64(0x9E3779B97F4A7C15)


# --- One's own bid


@compiled
def weigh_open(desk: Desk, street: Street, weights: Floats, worths: Worths) -> None:
    """Note what every open tile makes of the board, and line their worths up."""
    found = 0
    for tile in range(TYPE_COUNT):
        if street.open[tile] == 0:
            continue
        desk.hand[tile] += 1
        street.lay[tile], street.worth[tile] = best_lay(desk, 0, NONE, weights, worths)
        desk.hand[tile] -= 1
        for _ in range(street.open[tile]):
            place = found
            while place > 0 and street.ranked[place - 1] < street.worth[tile]:
                street.ranked[place] = street.ranked[place - 1]
                place -= 1
            street.ranked[place] = street.worth[tile]
            found += 1


@compiled
def worth_behind(street: Street, others: int) -> float:
    """Return what is left to take on average when so many others have taken tiles: any, or what would be missed."""
    worth, likely = 0.0, 1.0
    for place in range(others + 1):
        first = others - place
        loss = street.ranked[place] - street.ranked[place + 1] if place < street.seats else 0.0
        spared = max(0.0, 1 - spite(street.seats) * loss / SPREAD) ** first
        left = (1 - first / (street.seats + 1 - place)) * spared
        worth += likely * left * street.ranked[place]
        likely *= 1 - left
    return worth


@compiled
def fly_cost(desk: Desk, weights: Floats, worths: Worths) -> float:
    """Return what a fly takes from the board as it is."""
    hold(desk, NONE, weights)
    return best_fly(desk, NONE, NONE, weights, worths)[1]


@compiled
def own_bid(desk: Desk, street: Street, starter: int, known: int, weights: Floats, worths: Worths) -> int:
    """Return the bid that pays best against what the others are thought to bid."""
    sting = fly_cost(desk, weights, worths) if known > NO_FLY else 0.0
    chosen, best = 0, NOTHING
    for bid in range(min(desk.coins, MOST_BID) + 1):
        note_ahead(street, bid, starter, known)
        worth = THRIFT * coins_worth(ROW * desk.lying, desk.rivals, desk.coins - bid + USUAL_INCOME, weights)
        for others in range(street.seats):
            worth += street.ahead[others] * worth_behind(street, others)
        worth += street.ahead[street.seats - 1] * sting
        if worth > best:
            chosen, best = bid, worth
    return chosen


# --- Rounds


@compiled
def lay_tile(desk: Desk, lay: int) -> None:
    """Lay a tile of the hand, and take the coins for it. (MZ-8, MZ-9)"""
    tile, cell = lay // CELLS, lay % CELLS
    desk.coins += income(desk, tile, cell)
    desk.hand[tile] -= 1
    put(desk, tile, cell)


@compiled
def place_fly(desk: Desk, weights: Floats, worths: Worths) -> None:
    """Put a fly where it hurts least. (MZ-10)"""
    hold(desk, NONE, weights)
    note_flies(desk, desk.flies | 1 << best_fly(desk, NONE, NONE, weights, worths)[0])


@compiled
def bid_all(
    desk: Desk, street: Street, bid: int, starter: int, known: int, weights: Floats, worths: Worths, stream: Stream
) -> None:
    """Let everybody bid and pay, the seat this much or (NONE) what pays best; the others earn what is usual."""
    for other in range(street.seats):
        street.bid[other] = others_bid(street, other, known, stream)
    street.bid[street.seat] = bid if bid != NONE else own_bid(desk, street, starter, known, weights, worths)
    desk.coins -= street.bid[street.seat]
    for other in range(street.seats):
        left = street.purse[other] - street.bid[other] + below(stream, 2 * USUAL_INCOME + 1)
        street.purse[other] = min(left, MOST_COINS)


@apart
def play_round(desk: Desk, street: Street, bid: int, weights: Floats, worths: Worths, stream: Stream) -> None:
    """Play one round of the game; with a bid (not NONE) the tiles lie open already."""
    starter, known = desk.lying % street.seats, news(desk.lying + 1, street.seats)
    street.is_now = 1 * (bid != NONE)
    if bid == NONE:
        draw_tiles(desk, street, stream)
    note_bag(desk)
    note_purses(desk, street)
    note_poorest(street, starter)
    weigh_open(desk, street, weights, worths)
    bid_all(desk, street, bid, starter, known, weights, worths, stream)
    is_last = pick_in_turn(desk, street, starter, stream)
    lay_tile(desk, street.lay[street.got])
    if is_last and known > NO_FLY:
        place_fly(desk, weights, worths)
    for tile in range(TYPE_COUNT):
        desk.left[tile] += street.open[tile]


@wrapping
def luck(key: np.uint64, round_number: int) -> np.uint64:
    """Return where the random numbers of a round begin."""
    return mixed(key * STRIDE + np.uint64(round_number))


@compiled
def play_on(
    desk: Desk, street: Street, bid: int, key: np.uint64, weights: Floats, worths: Worths, stream: Stream
) -> float:
    """Play until the board is full, and return its points; with a bid (not NONE) the tiles lie open already."""
    while desk.lying < CELLS:
        stream[0] = luck(key, desk.lying)
        play_round(desk, street, bid, weights, worths, stream)
        bid = NONE
    note_bag(desk)
    hold(desk, NONE, weights)
    return worth_now(desk, weights)


@apart
def futures(
    desks: Desks,
    candidates: int,
    bids: npt.NDArray[np.int64],
    streets: npt.NDArray[Any],
    first: int,
    number: int,
    seed: np.uint64,
    weights: Floats,
    worths: Worths,
    stream: Stream,
    totals: Worths,
) -> None:
    """Add to the totals what becomes of the candidates in so many futures, the same for all.

    The candidates are desks behind desks[0], which is room to work in, each with the bid it makes for the tiles that
    lie open (NONE: it has laid already). streets[1] are the others; streets[0] works.
    """
    for future in range(first, first + number):
        for candidate in range(candidates):
            desks[0] = desks[1 + candidate]
            streets[0] = streets[1]
            totals[candidate] += play_on(
                desks[0], streets[0], bids[candidate], luck(seed, future), weights, worths, stream
            )


@apart
def begin(
    desk: Desk, table: Table, seat: int, tile: int, lay: int, has_fly: bool, weights: Floats, worths: Worths
) -> None:
    """Set out a seat's things after it has got a tile (NONE: none), laid one (NONE: none yet), and placed its fly."""
    set_out(desk, table, seat)
    if tile != NONE:
        desk.hand[tile] += 1
    if lay != NONE:
        lay_tile(desk, lay)
    if has_fly:
        place_fly(desk, weights, worths)
