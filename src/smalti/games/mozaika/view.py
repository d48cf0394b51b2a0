"""Mozaika: what a screen draws, from what the seat may see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

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


def sees_bid(table: Table, seat: int, other: int) -> bool:
    """Say whether a seat may see another's bid: its own once made, all once shown. (MZ-4)"""
    if table.phase == BIDDING:
        return seat == other and not table.waiting >> other & 1
    return bool(PICKING <= table.phase < len(PHASES) - 1 and table.round_number > 1)


def place(table: Table, seat: int, other: int) -> Place:
    """Describe one seat's things as another sees them."""
    seen = not table.secret_hands or seat == other
    colours, symbols = tuple(table.colours[other].tolist()), tuple(table.symbols[other].tolist())
    return Place(
        board=board_rows(colours, symbols, int(table.flies[other])),
        hand=tuple(tiles_of(table.hands[other].tolist())) if seen else None,
        coins=int(table.coins[other]),
        bid=int(table.bids[other]) if sees_bid(table, seat, other) else None,
        worth=sum(item.points for item in seat_items(table, other)),
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
    seats = range(int(table.seats))
    waiting = [s for s in seats if table.waiting >> s & 1] if table.phase in (BIDDING, LAYING) else []
    picking = table.phase == PICKING
    return View(
        phase=PHASES[table.phase],
        round=int(table.round_number),
        starter=int(table.starter),
        waiting=tuple(waiting),
        order=tuple(table.order[: len(seats)].tolist()) if picking else None,
        picked=int(table.picked) if picking else 0,
        fly=None if table.flown == NO_SEAT else int(table.flown),
        flies_from=int(first_fly_round(table)),
        display=tuple(tiles_of(table.display.tolist())),
        places=tuple(place(table, seat, s) for s in seats),
        incomes=incomes(table, seat) if table.phase == LAYING and seat in waiting else None,
    )
