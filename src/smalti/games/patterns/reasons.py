"""Patterns: why an event is refused."""

from __future__ import annotations

from smalti.engine.bits import EMPTY, bit, neighbours
from smalti.engine.errors import Reasons, Refused
from smalti.engine.geometry import cell_name
from smalti.engine.rules import NOBODY
from smalti.games.patterns.rules import colour_at, forbidden, front_up
from smalti.games.patterns.tables import (
    CELL_OF_SPACE,
    COLOURS,
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
from smalti.games.patterns.words import TEXTS, colour_word

refusal = Reasons(
    "patterns",
    TEXTS,
    {
        "over": "PT-10",
        "deal-first": "PT-1",
        "dealt-already": "PT-1",
        "ring-count": "PT-1",
        "centre-colours": "PT-2",
        "give-first": "PT-3",
        "given-already": "PT-3",
        "not-a-start-tile": "PT-3",
        "not-your-turn": "PT-10",
        "opened-already": "PT-4",
        "not-beside-own": "PT-5",
        "no-group-to-swap": "PT-6",
        "not-beside-group": "PT-6",
        "back-up": "PT-7",
        "touches-opponent": "PT-8",
        "no-passing": "PT-10",
        "only-flips": "PT-11",
    },
    {"colour": colour_word},
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
            return refusal("not-a-start-tile", colour=COLOURS[move - GIVE])
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
    letter = COLOURS[colour]
    has_group = table.markers[seat, colour] != 0
    is_beside = neighbours(table.groups[seat, colour]) & space != EMPTY
    if move < FLIP and has_group:
        return refusal("opened-already", colour=letter)
    if flips and not is_beside:
        return refusal("not-beside-own", cell=cell, colour=letter)
    if move >= SWAP and not has_group:
        return refusal("no-group-to-swap", colour=letter)
    if move >= SWAP and not is_beside:
        return refusal("not-beside-group", cell=cell, colour=letter)
    assert forbidden(table, seat, colour) & space != EMPTY
    return refusal("touches-opponent", colour=letter, cell=cell)
