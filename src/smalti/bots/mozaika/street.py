"""The others as far as they matter to one board, compiled: what they own, bid and take away."""

from __future__ import annotations

from typing import Annotated

from smalti.bots.mozaika.desk import TYPE_COUNT, Desk, Desks, Number, Numbers, Points, set_out
from smalti.bots.mozaika.features import NONE, RIVAL_STEP, RIVALS, Floats
from smalti.bots.mozaika.lavish import CAREFULLY, FINE, drawn_above, lavish_above, lavish_drawn, spite
from smalti.bots.mozaika.laying import NOTHING, Worths, best_lay
from smalti.engine.bits import whole
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record
from smalti.games.mozaika.tables import Table

SPREAD = 3.0  # points by which open tiles may differ for somebody whose board is not known


class Street(Record):
    """The others as far as they matter to a board: what they own and like; and an auction among them."""

    seats: Number
    seat: Number  # whose board it is
    purse: Annotated[Numbers, 5]
    lavish: Annotated[Points, 5]  # how likely each is
    poorest: Number  # the seat that all others can outbid
    liking: Annotated[Points, 5, 12]  # by seat and type: what it is worth to them, as their boards are now

    is_now: Number  # whether the others still are as when they were met
    open: Annotated[Numbers, 12]  # by type: tiles
    worth: Annotated[Points, 12]  # by type: of the board with its best lay
    lay: Annotated[Numbers, 12]
    got: Number  # the type that was picked
    ranked: Annotated[Points, 6]  # worths of all open tiles, the best first
    bid: Annotated[Numbers, 5]
    ahead: Annotated[Points, 6]  # by number of others: how likely so many pick before


# --- The others


@compiled
def rank_in_line(street: Street, seat: int, bid: int, starter: int) -> int:
    """Return a number that is higher for whoever picks earlier. (MZ-5)"""
    return 8 * bid - (seat - starter + street.seats) % street.seats


@compiled
def note_purses(desk: Desk, street: Street) -> None:
    """Note how many coins the others have on average."""
    coins = 0
    street.purse[street.seat] = desk.coins
    for other in range(street.seats):
        coins += street.purse[other] if other != street.seat else 0
    desk.rivals = min(RIVALS - 1, coins // (RIVAL_STEP * (street.seats - 1)))


@compiled
def note_poorest(street: Street, starter: int) -> None:
    """Note whom all others can outbid."""
    least = 0
    for distance in range(street.seats):
        seat = (starter + distance) % street.seats
        if distance == 0 or street.purse[seat] <= least:
            least, street.poorest = street.purse[seat], seat


@compiled
def likely_above(street: Street, other: int, bid: int, known: int) -> float:
    """Return how likely another bids more than so much; everybody bids more than −1."""
    if bid < 0:
        return 1.0
    lavish, purse, is_poorest = street.lavish[other], street.purse[other], 1 * (other == street.poorest)
    by_lavish = lavish_above(street.seats, known, is_poorest, purse, bid)
    return lavish * by_lavish + (1 - lavish) * CAREFULLY[known, purse, bid]


@compiled
def others_bid(street: Street, other: int, known: int, stream: Stream) -> int:
    """Draw what another bids."""
    purse, is_poorest = street.purse[other], 1 * (other == street.poorest)
    if below(stream, FINE) < FINE * street.lavish[other]:
        return lavish_drawn(street.seats, known, is_poorest, purse, stream)
    return drawn_above(CAREFULLY[known, purse], stream)


@compiled
def note_ahead(street: Street, bid: int, starter: int, known: int) -> None:
    """Note how likely so many of the others pick before a seat with this bid."""
    street.ahead[:] = 0.0
    street.ahead[0] = 1.0
    near, others = (street.seat - starter + street.seats) % street.seats, 0
    for other in range(street.seats):
        if other == street.seat:
            continue
        is_nearer = (other - starter + street.seats) % street.seats < near
        likely = likely_above(street, other, bid - is_nearer, known)
        for number in range(others, -1, -1):
            street.ahead[number + 1] += likely * street.ahead[number]
            street.ahead[number] *= 1 - likely
        others += 1


@compiled
def dearest(street: Street) -> tuple[int, float]:
    """Return the open tile that the seat would miss most, and what it would lose with it."""
    first, best, second = NONE, NOTHING, NOTHING
    for tile in range(TYPE_COUNT):
        if street.open[tile] == 0:
            continue
        worth = street.worth[tile]
        if worth > best:
            first, best, second = tile, worth, worth if street.open[tile] > 1 else best
        else:
            second = max(second, worth)
    return first, best - second


@compiled
def take_liked(street: Street, other: int, missed: int, loss: float, stream: Stream) -> None:
    """Let another take a tile: what its board wants now, or, because boards change, any other; or what is missed."""
    by_liking = street.is_now == 1 or below(stream, 2) == 0
    chosen, most = NONE, NOTHING
    for tile in range(TYPE_COUNT):
        if street.open[tile] > 0:
            worth = street.liking[other, tile] if by_liking else SPREAD * below(stream, FINE) / FINE
            if tile == missed:
                worth += spite(street.seats) * loss
            if worth > most:
                chosen, most = tile, worth
    street.open[chosen] -= 1


# --- Tiles


@compiled
def draw_tiles(desk: Desk, street: Street, stream: Stream) -> None:
    """Draw the open tiles of a round. (MZ-3)"""
    street.open[:] = 0
    total = 0
    for tile in range(TYPE_COUNT):
        total += desk.left[tile]
    for _ in range(min(street.seats + 1, total)):
        rest, tile = below(stream, total), 0
        while rest >= desk.left[tile]:
            rest -= desk.left[tile]
            tile += 1
        desk.left[tile] -= 1
        street.open[tile] += 1
        total -= 1


@compiled
def pick_in_turn(desk: Desk, street: Street, starter: int, stream: Stream) -> bool:
    """Let everybody take a tile, the seat the best one that is left; say whether it came last."""
    done, is_last = 0, False
    for turn in range(street.seats):
        first, most = NONE, NONE
        for seat in range(street.seats):
            rank = rank_in_line(street, seat, street.bid[seat], starter) + 8
            if (done >> seat) & 1 == 0 and rank > most:
                first, most = seat, rank
        done |= 1 << first
        if first != street.seat:
            missed, loss = dearest(street) if (done >> street.seat) & 1 == 0 else (NONE, 0.0)
            take_liked(street, first, missed, loss, stream)
            continue
        chosen, best = NONE, NOTHING
        for tile in range(TYPE_COUNT):
            if street.open[tile] > 0 and street.worth[tile] > best:
                chosen, best = tile, street.worth[tile]
        street.open[chosen] -= 1
        desk.hand[chosen] += 1
        street.got = chosen
        is_last = turn == street.seats - 1
    return is_last


# --- Beginning


@apart
def meet(
    street: Street, table: Table, seat: int, lavish: Worths, desks: Desks, weights: Floats, worths: Worths
) -> None:
    """Note what the others own, how likely they are lavish, and what they would like to have."""
    desk = desks[0]
    street.seats, street.seat = whole(table.seats), seat
    for tile in range(TYPE_COUNT):
        street.open[tile] = whole(table.display[tile])
    for other in range(whole(table.seats)):
        street.purse[other], street.lavish[other] = whole(table.coins[other]), lavish[other]
        if other == seat:
            continue
        set_out(desk, table, other)
        for tile in range(TYPE_COUNT):
            desk.hand[tile] += 1
            street.liking[other, tile] = best_lay(desk, 0, NONE, weights, worths)[1]
            desk.hand[tile] -= 1
