"""Mozaika: what a screen draws, from what the seat may see."""

from __future__ import annotations

from dataclasses import dataclass

from smalti.games.mozaika.drawing import tile_at, tiles_of
from smalti.games.mozaika.scoring import points
from smalti.games.mozaika.tables import BIDDING, LAYING, NO_SEAT, PICKING, SIDE, Table

PHASES = ("dealing", "drawing", "bidding", "picking", "laying", "flying", "over")


@dataclass(frozen=True)
class Place:
    """A seat's board, hand and purse; what may not be seen is None."""

    board: tuple[tuple[str, ...], ...]  # rows of tiles such as R1, R1* with a fly, a dot for an empty cell
    hand: tuple[str, ...] | None
    coins: int
    bid: int | None
    worth: int


@dataclass(frozen=True)
class View:
    """The table as one seat (or an onlooker) sees it."""

    phase: str
    round: int
    starter: int
    waiting: tuple[int, ...]  # seats that have yet to bid or lay
    order: tuple[int, ...] | None  # of picking, once bids are shown
    fly: int | None  # the seat that got it
    display: tuple[str, ...]
    places: tuple[Place, ...]


def sees_bid(table: Table, seat: int, other: int) -> bool:
    """Say whether a seat may see another's bid: its own once made, all once shown. (MZ-4)"""
    if table.phase == BIDDING:
        return seat == other and not table.waiting >> other & 1
    return bool(PICKING <= table.phase < len(PHASES) - 1 and table.round_number > 1)


def place(table: Table, seat: int, other: int) -> Place:
    """Describe one seat's things as another sees them."""
    seen = not table.secret_hands or seat == other
    return Place(
        board=tuple(
            tuple(tile_at(table, other, SIDE * row + column).token for column in range(SIDE)) for row in range(SIDE)
        ),
        hand=tuple(tiles_of(table.hands[other].tolist())) if seen else None,
        coins=int(table.coins[other]),
        bid=int(table.bids[other]) if sees_bid(table, seat, other) else None,
        worth=int(points(table, other)),
    )


def view(table: Table, seat: int) -> View:
    """Describe the table, from which `hide` has blanked what this seat may not see."""
    seats = range(int(table.seats))
    simultaneous = table.phase in (BIDDING, LAYING)
    return View(
        phase=PHASES[table.phase],
        round=int(table.round_number),
        starter=int(table.starter),
        waiting=tuple(s for s in seats if table.waiting >> s & 1) if simultaneous else (),
        order=tuple(table.order[: len(seats)].tolist()) if table.phase == PICKING else None,
        fly=None if table.flown == NO_SEAT else int(table.flown),
        display=tuple(tiles_of(table.display.tolist())),
        places=tuple(place(table, seat, s) for s in seats),
    )
