"""Mozaika: events as text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from smalti.engine.errors import BadNotation, Refused, shown
from smalti.engine.geometry import cell_name
from smalti.games.mozaika.reasons import refusal
from smalti.games.mozaika.tables import BIDDING, CELLS, DEAL, DEALING, DRAW, HAND, MOST_COINS, SIDE, TYPES, Table

CELL_NAMES = tuple(cell_name(cell % SIDE, cell // SIDE) for cell in range(CELLS))
TEXTS = (
    *(f"bid {coins}" for coins in range(MOST_COINS + 1)),
    *(f"pick {tile}" for tile in TYPES),
    *(f"lay {tile} {cell}" for tile in TYPES for cell in CELL_NAMES),
    *(f"fly {cell}" for cell in CELL_NAMES),
    *(f"deal {tile}" for tile in TYPES),
    *(f"draw {tile}" for tile in TYPES),
)
HINTS = {
    "bid": "bid 3: a sealed bid; everybody pays theirs",
    "pick": "pick R1: take one of the open tiles",
    "lay": "lay R1 b3: lay a tile of your hand on a free cell",
    "fly": "fly b3: put the fly on one of your tiles",
}
BID_TEXT = re.compile(r"bid ([1-9]\d*)")
EXPECTED = {
    "bid": "a number of coins such as 'bid 3'",
    "pick": "a tile (R, B or Y and 1 to 4) such as 'pick R1'",
    "lay": "a tile and a cell from a1 to d4 such as 'lay R1 b3'",
    "fly": "a cell from a1 to d4 such as 'fly b3'",
}


def chance_text(moves: Sequence[int]) -> str:
    """Write a deal or a draw."""
    return " ".join([TEXTS[moves[0]][:4], *(TEXTS[move][5:] for move in moves)])


def chance_moves(table: Table, text: str) -> list[int]:
    """Read the deal or the draw that is due, and check that the bag holds these tiles. (MZ-1, MZ-3)"""
    verb, *tiles = text.split(" ")
    dealing, seats = table.phase == DEALING, int(table.seats)
    due, count = ("deal", HAND * seats) if dealing else ("draw", seats + 1)
    if verb != due or len(tiles) != count or not set(tiles) <= set(TYPES):
        raise BadNotation(f"expected '{due}' and {count} tiles such as R1 B2, not {shown(text)}")
    for tile, left in zip(TYPES, table.bag.tolist(), strict=True):
        if tiles.count(tile) > left:
            raise refusal("not-in-the-bag", tile=tile, left=left, given=tiles.count(tile))
    first = DEAL if dealing else DRAW
    return [first + TYPES.index(tile) for tile in tiles]


def shortened(number: str) -> str:
    """Return a number as it was typed, or only its length when nobody would read it."""
    return number if len(number) < 20 else f"a number of {len(number)} digits"


def misread(table: Table, seat: int, text: str) -> BadNotation | Refused:
    """Say what is wrong with a text that is no event, or a bid that nobody can ever pay."""
    bid = BID_TEXT.fullmatch(text)
    if bid and table.phase == BIDDING:
        return refusal("too-many-coins", bid=shortened(bid[1]), coins=int(table.coins[seat]))
    verb = text.partition(" ")[0]
    if verb in EXPECTED:
        return BadNotation(f"expected '{verb}' with {EXPECTED[verb]}, not {shown(text)}")
    return BadNotation(f"no such event: {shown(text)}; Mozaika has bid, pick, lay and fly")
