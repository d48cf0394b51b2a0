"""Patterns: the deal, a turn, the end; in the rulebook's order."""

from __future__ import annotations

import numpy as np

from smalti.engine.bits import EMPTY, ONE, bit, count, lowest, neighbours, whole
from smalti.engine.chance import Stream
from smalti.engine.compiled import compiled
from smalti.engine.rules import CHANCE, Moves, Weights
from smalti.games.patterns.scoring import score, winners
from smalti.games.patterns.tables import (
    CELL_OF_SPACE,
    CENTRE,
    DEALING,
    DONE,
    FLIP,
    FLIPPING,
    GIVE,
    GIVING,
    OPEN,
    OVER,
    PLAYING,
    SPACE_OF_CELL,
    SPACES,
    SWAP,
    TILE,
    TILES_IN_THE_RING,
    Table,
)

__all__ = ["acting", "hide", "legal", "odds", "play", "redeal", "score", "set_up", "winners"]


def set_up(table: Table, seats: int, options: dict[str, str]) -> None:
    """Leave the mandala empty, before the deal."""
    table.phase = DEALING


@compiled
def acting(table: Table) -> int:
    """Return who acts: chance deals, seat 1 gives the start tiles, then the player to move. (PT-3, PT-10)"""
    if table.phase == DEALING:
        return CHANCE
    if table.phase == OVER:
        return 0
    return 1 << whole(table.turn)


# --- Setting up


@compiled
def is_centre(space: int) -> bool:
    """Say whether a space is one of the four in the middle."""
    return bit(CELL_OF_SPACE[space]) & CENTRE != EMPTY


@compiled
def tiles_left(table: Table, colour: int, centre: bool) -> int:
    """Return how many tiles of a colour are not dealt yet: of the ring's, or of the six set aside. (PT-1, PT-2)"""
    if centre:
        return 1 - count(table.front[colour] & CENTRE)
    return TILES_IN_THE_RING - count(table.front[colour] & ~CENTRE)


@compiled
def odds(table: Table, moves: Moves, weights: Weights) -> int:
    """Return the colours the next space can get. (PT-1, PT-2)"""
    centre = is_centre(table.dealt)
    found = 0
    for colour in range(6):
        left = tiles_left(table, colour, centre)
        if left > 0:
            moves[found] = TILE + colour
            weights[found] = left
            found += 1
    return found


@compiled
def deal_tile(table: Table, colour: int) -> None:
    """Lay the next tile in reading order; after the last one seat 1 decides about the bowls. (PT-1, PT-3)"""
    table.front[colour] |= bit(CELL_OF_SPACE[table.dealt])
    table.dealt += 1
    if table.dealt == SPACES:
        table.phase = GIVING
        table.turn = 1


@compiled
def give(table: Table, colour: int) -> None:
    """Put one start tile into seat 0's bowl and the other into seat 1's. (PT-3)"""
    table.bowls[0] = colour
    for other in range(6):
        if other != colour and tiles_left(table, other, True) > 0:
            table.bowls[1] = other
    table.phase = PLAYING
    table.turn = 0


# --- A turn


@compiled
def front_up(table: Table) -> np.uint64:
    """Return all spaces whose tile shows its front."""
    front = table.front
    return front[0] | front[1] | front[2] | front[3] | front[4] | front[5]


@compiled
def touching(group: np.uint64) -> np.uint64:
    """Return the cells where a tile of a group's colour would touch it: the opponent may not lay one there. (PT-8)"""
    return neighbours(group)


@compiled
def forbidden(table: Table, seat: int, colour: int) -> np.uint64:
    """Return the cells where a tile of this colour would touch the opponent's group of it. (PT-8)"""
    return touching(table.groups[1 - seat, colour])


@compiled
def open_targets(table: Table, seat: int) -> np.uint64:
    """Return where the exchange tile may open a group. (PT-4, PT-8)"""
    colour = table.bowls[seat]
    if table.markers[seat, colour] != 0:
        return EMPTY
    return front_up(table) & ~forbidden(table, seat, colour)


@compiled
def flip_targets(table: Table, seat: int) -> np.uint64:
    """Return the tiles that may be flipped. (PT-5, PT-8)"""
    targets = EMPTY
    for colour in range(6):
        beside = neighbours(table.groups[seat, colour])
        targets |= table.front[colour] & beside & ~forbidden(table, seat, colour)
    return targets


@compiled
def swap_targets(table: Table, seat: int) -> np.uint64:
    """Return the tiles that may be swapped with the exchange tile. (PT-6, PT-8)"""
    colour = table.bowls[seat]
    group = table.groups[seat, colour]
    if group == EMPTY:
        return EMPTY
    return front_up(table) & neighbours(group) & ~forbidden(table, seat, colour)


@compiled
def list_targets(targets: np.uint64, first: int, moves: Moves, found: int) -> int:
    """Append one move for each target."""
    while targets != EMPTY:
        moves[found] = first + SPACE_OF_CELL[lowest(targets)]
        targets &= targets - ONE
        found += 1
    return found


@compiled
def legal(table: Table, seat: int, moves: Moves) -> int:
    """List the actions of the player to move; after the end only flips and to be done. (PT-3 to PT-11)"""
    if table.phase == GIVING:
        return list_start_tiles(table, moves)
    if table.phase == FLIPPING:
        found = list_targets(flip_targets(table, seat), FLIP, moves, 0)
        moves[found] = DONE
        return found + 1
    flips = flip_targets(table, seat)
    if table.markers[seat, table.bowls[seat]] == 0:  # an exchange tile opens a group or is swapped, never both
        found = list_targets(open_targets(table, seat), OPEN, moves, 0)
        return list_targets(flips, FLIP, moves, found)
    found = list_targets(flips, FLIP, moves, 0)
    return list_targets(swap_targets(table, seat), SWAP, moves, found)


@compiled
def list_start_tiles(table: Table, moves: Moves) -> int:
    """List the two tiles that were left over. (PT-2, PT-3)"""
    found = 0
    for colour in range(6):
        if tiles_left(table, colour, True) > 0:
            moves[found] = GIVE + colour
            found += 1
    return found


@compiled
def play(table: Table, seat: int, move: int) -> None:
    """Play an action, then see whether the other player can answer. (PT-4 to PT-6, PT-10)"""
    if move >= TILE:
        deal_tile(table, move - TILE)
    elif move == DONE:
        table.phase = OVER
    elif move >= GIVE:
        give(table, move - GIVE)
    else:
        act(table, seat, move)
        if table.phase == FLIPPING:
            end_when_nothing_flips(table)
        else:
            pass_the_turn(table)


@compiled
def act(table: Table, seat: int, move: int) -> None:
    """Open, flip or swap on one space. (PT-4, PT-5, PT-6)"""
    cell = CELL_OF_SPACE[move % SPACES]
    space = bit(cell)
    found = colour_at(table, cell)
    table.front[found] &= ~space
    if FLIP <= move < SWAP:
        table.groups[seat, found] |= space
        return
    colour = table.bowls[seat]
    table.groups[seat, colour] |= space
    table.bowls[seat] = found
    if move < FLIP:
        table.opened[seat] += 1
        table.markers[seat, colour] = table.opened[seat]
        table.marked[seat, colour] = cell


@compiled
def colour_at(table: Table, cell: int) -> int:
    """Return the colour of the front on this cell; summed, because a branch here could not be foreseen."""
    found = 0
    for colour in range(6):
        found += colour * whole((table.front[colour] >> np.uint64(cell)) & ONE)
    return found


# --- The end


@compiled
def can_act(table: Table, seat: int) -> bool:
    """Say whether the player has any legal action. (PT-10)"""
    return (
        open_targets(table, seat) != EMPTY or swap_targets(table, seat) != EMPTY or flip_targets(table, seat) != EMPTY
    )


@compiled
def pass_the_turn(table: Table) -> None:
    """Give the turn to the other player; if they are stuck, the one who acted may still flip. (PT-10, PT-11)"""
    table.turn = 1 - table.turn
    if not can_act(table, table.turn):
        table.turn = 1 - table.turn
        table.phase = FLIPPING
        end_when_nothing_flips(table)


@compiled
def end_when_nothing_flips(table: Table) -> None:
    """End the game once the last flips are done. (PT-11)"""
    if flip_targets(table, table.turn) == EMPTY:
        table.phase = OVER


@compiled
def hide(table: Table, seat: int) -> None:
    """Hide nothing: everything lies open."""


@compiled
def redeal(table: Table, seat: int, stream: Stream) -> None:
    """Deal nothing anew: nothing was hidden."""
