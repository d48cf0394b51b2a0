"""Mozaika: what a screen draws, from what the seat may see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from smalti.engine.record import values_of
from smalti.engine.rules import room_for
from smalti.games.mozaika.drawing import tiles_of
from smalti.games.mozaika.notation import TEXTS
from smalti.games.mozaika.prospects import Prospect, prospects
from smalti.games.mozaika.rules import first_fly_round, list_incomes
from smalti.games.mozaika.scoring import seat_items
from smalti.games.mozaika.tables import (
    BIDDING,
    CELLS,
    COLOURS,
    LAY,
    LAYING,
    NO_SEAT,
    PICKING,
    SIDE,
    SYMBOLS,
    TYPES,
    Table,
)

PHASES = ("dealing", "drawing", "bidding", "picking", "laying", "flying", "over")


@dataclass(frozen=True)
class Place:
    """A seat's board, hand and purse; what may not be seen is None."""

    board: tuple[tuple[str, ...], ...]  # rows of tiles such as R1, R1* with a fly, a dot for an empty cell
    hand: tuple[str, ...] | None
    coins: int
    bid: int | None
    worth: int
    prospects: tuple[Prospect, ...]  # what the board can still become


@dataclass(frozen=True)
class View:
    """The table as one seat (or an onlooker) sees it."""

    phase: str
    round: int
    starter: int
    waiting: tuple[int, ...]  # seats that have yet to bid or lay
    order: tuple[int, ...] | None  # of picking, once bids are shown
    picked: int  # how many of them have picked
    fly: int | None  # the seat that got it
    flies_from: int  # the first round with a fly
    display: tuple[str, ...]
    places: tuple[Place, ...]
    incomes: dict[str, int] | None  # for a seat that lays: coins by move, such as "lay R1 b3"


@lru_cache(maxsize=4096)
def board_rows(colours: tuple[int, ...], symbols: tuple[int, ...], flies: int) -> tuple[tuple[str, ...], ...]:
    """Return a board as rows of tiles."""
    tiles = ["."] * CELLS
    for letter, cells in zip(COLOURS, colours, strict=True):
        tiles = [letter if cells >> cell & 1 else tile for cell, tile in enumerate(tiles)]
    for letter, cells in zip(SYMBOLS, symbols, strict=True):
        tiles = [tile + letter if cells >> cell & 1 else tile for cell, tile in enumerate(tiles)]
    tiles = [tile + "*" if flies >> cell & 1 else tile for cell, tile in enumerate(tiles)]
    return tuple(tuple(tiles[SIDE * row : SIDE * (row + 1)]) for row in range(SIDE))


def sees_bid(now: Any, seat: int, other: int) -> bool:
    """Say whether a seat may see another's bid: its own once made, all once shown. (MZ-4)"""
    if now.phase == BIDDING:
        return seat == other and not now.waiting >> other & 1
    return bool(PICKING <= now.phase < len(PHASES) - 1 and now.round_number > 1)


def place(now: Any, seat: int, other: int) -> Place:
    """Describe one seat's things as another sees them."""
    seen = not now.secret_hands or seat == other
    colours, symbols = tuple(now.colours[other]), tuple(now.symbols[other])
    return Place(
        board=board_rows(colours, symbols, now.flies[other]),
        hand=tuple(tiles_of(now.hands[other])) if seen else None,
        coins=now.coins[other],
        bid=now.bids[other] if sees_bid(now, seat, other) else None,
        worth=sum(item.points for item in seat_items(now, other)),
        prospects=prospects(colours, symbols),
    )


def incomes(table: Table, seat: int) -> dict[str, int]:
    """Return what each way of laying a tile of the hand brings at once. (MZ-9)"""
    taken = int(table.colours[seat].sum())
    free = [cell for cell in range(CELLS) if not taken >> cell & 1]
    tiles = [tile for tile, count in enumerate(table.hands[seat].tolist()) if count]
    coins = room_for(len(TYPES) * CELLS)
    list_incomes(table, seat, coins)
    found = coins.tolist()
    return {TEXTS[LAY + CELLS * tile + cell]: found[CELLS * tile + cell] for tile in tiles for cell in free}


def view(table: Table, seat: int) -> View:
    """Describe the table, from which `hide` has blanked what this seat may not see."""
    now = values_of(table)
    seats = range(now.seats)
    waiting = [s for s in seats if now.waiting >> s & 1] if now.phase in (BIDDING, LAYING) else []
    picking = now.phase == PICKING
    return View(
        phase=PHASES[now.phase],
        round=now.round_number,
        starter=now.starter,
        waiting=tuple(waiting),
        order=tuple(now.order[: now.seats]) if picking else None,
        picked=now.picked if picking else 0,
        fly=None if now.flown == NO_SEAT else now.flown,
        flies_from=int(first_fly_round(table)),
        display=tuple(tiles_of(now.display)),
        places=tuple(place(now, seat, s) for s in seats),
        incomes=incomes(table, seat) if now.phase == LAYING and seat in waiting else None,
    )
