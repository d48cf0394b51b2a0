"""Reading ahead in Patterns, compiled: what a mandala promises each player, and an alpha-beta search.

Worths are in sixteenths of a point, as seat `root` sees them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.engine.bits import connected, count, neighbours, whole
from smalti.engine.compiled import compiled
from smalti.engine.playing import Lists, Tables
from smalti.engine.rules import legal, play
from smalti.games.patterns.rules import front_up
from smalti.games.patterns.tables import FLIPPING, OVER, PLAYING, Table

POINT = 16
WIN = 8 * POINT  # so that a narrow win is better than many points
ENDLESS = 1 << 40
FLIP_TO_COME = 11  # what a tile is worth that can be flipped some day, of the sixteen it will bring
ROOM = 2  # a space beside a group, where the exchange tile can go
MOST_ROOM = 4
NOT_OPENED = 2  # a tile of a colour that is not opened yet, for each point its marker will bring
IN_THE_BOWL = 6  # an exchange tile that can be used

Numbers = npt.NDArray[np.int64]


@compiled
def group_promise(table: Table, seat: int, colour: int, front: np.uint64, flip: int, room: int) -> int:
    """Return what a group is worth, and what its flips and the room around it promise."""
    group = table.groups[seat, colour]
    forbidden = neighbours(table.groups[1 - seat, colour])
    reached = connected(group, group | (table.front[colour] & ~forbidden))
    around = min(MOST_ROOM, count(front & neighbours(group) & ~forbidden))
    flips = count(reached) - count(group)
    return whole(table.markers[seat, colour]) * (POINT * (count(group) - 1) + flip * flips + room * around)


@compiled
def unopened_promise(table: Table, seat: int, colour: int) -> int:
    """Return what a colour promises that is not opened yet: later groups count more."""
    free = table.front[colour] & ~neighbours(table.groups[1 - seat, colour])
    return NOT_OPENED * count(free) * (7 + whole(table.opened[seat])) // 4


@compiled
def seat_promise(table: Table, seat: int, flip: int, room: int) -> int:
    """Return what a seat's groups are worth, with the flips and the room to come at these rates."""
    front = front_up(table)
    total = 0
    for colour in range(6):
        if table.markers[seat, colour] > 0:
            total += group_promise(table, seat, colour, front, flip, room)
        elif room > 0:
            total += unopened_promise(table, seat, colour)
    return total


@compiled
def bowl_promise(table: Table, seat: int) -> int:
    """Return what the exchange tile promises: its group's marker, or the next one."""
    colour = whole(table.bowls[seat])
    marker = whole(table.markers[seat, colour])
    return IN_THE_BOWL * (marker if marker > 0 else whole(table.opened[seat]) + 1)


@compiled
def ended_worth(table: Table, root: int) -> int:
    """Return what the end is worth; who has still tiles to flip will flip them all. (PT-11)"""
    flipper = whole(table.turn) if table.phase == FLIPPING else -1
    lead = seat_promise(table, root, POINT if flipper == root else 0, 0)
    lead -= seat_promise(table, 1 - root, POINT if flipper == 1 - root else 0, 0)
    if lead == 0:
        return 0
    return lead + (WIN if lead > 0 else -WIN)


@compiled
def worth(table: Table, root: int) -> int:
    """Return what a table is worth to a seat."""
    if table.phase == FLIPPING or table.phase == OVER:
        return ended_worth(table, root)
    own = seat_promise(table, root, FLIP_TO_COME, ROOM) + bowl_promise(table, root)
    other = seat_promise(table, 1 - root, FLIP_TO_COME, ROOM) + bowl_promise(table, 1 - root)
    return own - other


@compiled
def sort_moves(moves: Lists, worths: Numbers, found: int, sign: int) -> None:
    """Put the moves that look best to the one who plays first."""
    for index in range(1, found):
        move, value = moves[index], worths[index]
        place = index
        while place > 0 and worths[place - 1] * sign < value * sign:
            moves[place] = moves[place - 1]
            worths[place] = worths[place - 1]
            place -= 1
        moves[place] = move
        worths[place] = value


@compiled
def expand(tables: Tables, level: int, root: int, moves: Lists, worths: Numbers) -> int:
    """List the moves of one level with what each looks like, the best first."""
    turn = whole(tables[level].turn)
    found = legal(tables[level], turn, moves[level])
    for index in range(found):
        tables[level + 1] = tables[level]
        play(tables[level + 1], turn, moves[level, index])
        worths[level, index] = worth(tables[level + 1], root)
    sort_moves(moves[level], worths[level], found, 1 if turn == root else -1)
    return found


@compiled
def prefer(moves: Lists, worths: Numbers, found: int, move: int) -> None:
    """Put one move in front of all others."""
    for index in range(found):
        if moves[index] == move:
            value = worths[index]
            for place in range(index, 0, -1):
                moves[place] = moves[place - 1]
                worths[place] = worths[place - 1]
            moves[0] = move
            worths[0] = value


@compiled
def read_ahead(
    tables: Tables, depth: int, first: int, budget: int, moves: Lists, worths: Numbers, notes: Numbers
) -> int:
    """Return the best move at tables[0] reading that many moves ahead, −1 if the budget of tables is used up.

    `notes` has a column for each level: moves found, moves tried, the worth that is sure, the worth at most. Its last
    row says how many tables were looked at, and whether the game could have gone on behind the last of them.
    """
    found, tried, low, high = notes[0], notes[1], notes[2], notes[3]
    root = whole(tables[0].turn)
    chosen, level, used, goes_on = -1, 0, 0, 0
    low[0], high[0], tried[0] = -ENDLESS, ENDLESS, 0
    found[0] = expand(tables, 0, root, moves, worths)
    prefer(moves[0], worths[0], found[0], first)
    while used <= budget:
        if tried[level] < found[level] and low[level] < high[level]:
            tables[level + 1] = tables[level]
            play(tables[level + 1], whole(tables[level].turn), moves[level, tried[level]])
            value = worths[level, tried[level]]
            tried[level] += 1
            goes_on |= level + 1 == depth and tables[level + 1].phase == PLAYING
            if level + 1 < depth and tables[level + 1].phase == PLAYING:
                level += 1
                low[level], high[level], tried[level] = low[level - 1], high[level - 1], 0
                found[level] = expand(tables, level, root, moves, worths)
                used += found[level]
                continue
        else:
            value = low[level] if whole(tables[level].turn) == root else high[level]
            level -= 1
            if level < 0:
                notes[4, 0], notes[4, 1] = used, goes_on
                return chosen
        if whole(tables[level].turn) == root:
            if value > low[level]:
                low[level] = value
                if level == 0:
                    chosen = whole(moves[0, tried[0] - 1])
        else:
            high[level] = min(high[level], value)
    return -1
