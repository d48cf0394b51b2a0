"""Patterns: why an event is refused."""

from __future__ import annotations

from smalti.engine.bits import EMPTY, bit, neighbours
from smalti.engine.errors import Reasons, Refused
from smalti.engine.geometry import cell_name
from smalti.engine.rules import NOBODY
from smalti.games.patterns.rules import colour_at, forbidden, front_up
from smalti.games.patterns.tables import (
    CELL_OF_SPACE,
    COLOUR_NAMES,
    DEALING,
    DONE,
    FLIP,
    FLIPPING,
    GIVE,
    GIVING,
    OVER,
    PLAYING,
    SPACES,
    SWAP,
    Table,
)

refusal = Reasons(
    "patterns",
    {
        "over": ("PT-10", "the game is over"),
        "deal-first": ("PT-1", "the tiles have to be dealt first"),
        "dealt-already": ("PT-1", "the tiles are dealt already; nothing is left to chance"),
        "ring-count": ("PT-1", "outside the centre there must be 8 tiles of each colour; {colour} has {tiles}"),
        "centre-colours": (
            "PT-2",
            "the centre needs four different colours, and the start tiles must be the other two",
        ),
        "give-first": ("PT-3", "seat 1 has to give the start tiles first"),
        "given-already": ("PT-3", "the start tiles are given already"),
        "not-a-start-tile": ("PT-3", "{colour} is not one of the two start tiles"),
        "not-your-turn": ("PT-10", "it is seat {seat}'s turn"),
        "opened-already": ("PT-4", "the {colour} group is opened already, and the exchange tile is {colour}"),
        "not-beside-own": ("PT-5", "{cell} is {colour} and not next to a {colour} group of yours"),
        "no-group-to-swap": ("PT-6", "the exchange tile is {colour}, and there is no {colour} group of yours yet"),
        "not-beside-group": ("PT-6", "{cell} is not next to your {colour} group"),
        "back-up": ("PT-7", "the tile on {cell} has its back up and never changes again"),
        "touches-opponent": ("PT-8", "{colour} on {cell} would touch the opponent's {colour} group"),
        "no-passing": ("PT-10", "there is no passing: an action is compulsory while one is legal"),
        "only-flips": ("PT-11", "after the end only flips are allowed"),
    },
)


def why_not_seat(table: Table, seat: int) -> Refused:
    """Say why this seat (or chance) cannot act now."""
    if table.phase == OVER:
        return refusal("over")
    if table.phase == DEALING:
        return refusal("deal-first")
    if seat == NOBODY:
        return refusal("dealt-already")
    if table.phase == GIVING:
        return refusal("give-first")
    return refusal("not-your-turn", seat=int(table.turn))


def why_not(table: Table, seat: int, move: int) -> Refused:
    """Say why the player to move may not do this."""
    if GIVE <= move < DONE:
        if table.phase == GIVING:
            return refusal("not-a-start-tile", colour=COLOUR_NAMES[move - GIVE])
        return refusal("given-already")
    if table.phase == GIVING:
        return refusal("give-first")
    if table.phase == PLAYING and move == DONE:
        return refusal("no-passing")
    if table.phase == FLIPPING and not FLIP <= move < SWAP:
        return refusal("only-flips")
    return why_not_here(table, seat, move)


def why_not_here(table: Table, seat: int, move: int) -> Refused:
    """Say why this space cannot be opened, flipped or swapped."""
    number = int(CELL_OF_SPACE[move % SPACES])
    cell, space = cell_name(number % 8, number // 8), bit(number)
    if front_up(table) & space == EMPTY:
        return refusal("back-up", cell=cell)
    flips = FLIP <= move < SWAP
    colour = int(colour_at(table, number) if flips else table.bowls[seat])
    name = COLOUR_NAMES[colour]
    has_group = table.markers[seat, colour] != 0
    is_beside = neighbours(table.groups[seat, colour]) & space != EMPTY
    if move < FLIP and has_group:
        return refusal("opened-already", colour=name)
    if flips and not is_beside:
        return refusal("not-beside-own", cell=cell, colour=name)
    if move >= SWAP and not has_group:
        return refusal("no-group-to-swap", colour=name)
    if move >= SWAP and not is_beside:
        return refusal("not-beside-group", cell=cell, colour=name)
    assert forbidden(table, seat, colour) & space != EMPTY
    return refusal("touches-opponent", colour=name, cell=cell)
