"""Alpha-beta search with the hand-made evaluation, compiled: a loop over frames instead of recursion.

Worths are those of the seat to move at the root, so its levels maximise and the other seat's minimise.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.patterns.simple.evaluation import static_worth
from smalti.engine.bits import whole
from smalti.engine.compiled import compiled
from smalti.engine.loops.playing import Lists, Tables
from smalti.engine.record import Record
from smalti.engine.rules import legal, play
from smalti.games.patterns.tables import PLAYING, Table

INFINITE = 1 << 40

Number = Annotated[int, np.int64]
Numbers = npt.NDArray[np.int64]


class Frame(Record):
    """One level of the search: its moves, and the window."""

    found: Number  # moves
    tried: Number
    low: Number  # alpha: the root's seat can be sure of it
    high: Number  # beta: the other seat need not allow more


class SearchStack(NamedTuple):
    """Buffers by level; the table at the root is level 0."""

    tables: Tables
    moves: Lists
    worths: Numbers
    frames: npt.NDArray[Any]
    nodes: Numbers  # one number: tables looked at
    is_cut_off: npt.NDArray[np.bool_]  # one: whether the game could have gone on behind the last level


def new_stack(levels: int, longest_list: int) -> SearchStack:
    """Return buffers for so many levels, and one below them."""
    return SearchStack(
        Table.batch(levels + 1),
        np.zeros((levels + 1, longest_list), np.int32),
        np.zeros((levels + 1, longest_list), np.int64),
        Frame.batch(levels + 1),
        np.zeros(1, np.int64),
        np.zeros(1, np.bool_),
    )


@compiled
def sort_moves(moves: Lists, worths: Numbers, found: int, sign: int) -> None:
    """Put the moves first that look best to the one who plays."""
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
def open_frame(stack: SearchStack, level: int, root: int, low: int, high: int) -> None:
    """Open a level with this window: list its moves with their static worths, the best first."""
    frame, tables = stack.frames[level], stack.tables
    turn = whole(tables[level].turn)
    found = legal(tables[level], turn, stack.moves[level])
    for index in range(found):
        tables[level + 1] = tables[level]
        play(tables[level + 1], turn, stack.moves[level, index])
        stack.worths[level, index] = static_worth(tables[level + 1], root)
    sort_moves(stack.moves[level], stack.worths[level], found, 1 if turn == root else -1)
    frame.found, frame.tried, frame.low, frame.high = found, 0, low, high
    stack.nodes[0] += found


@compiled
def move_to_front(moves: Lists, worths: Numbers, found: int, move: int) -> None:
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
def make_next_move(stack: SearchStack, level: int, depth: int) -> bool:
    """Play the next move of a level onto the table below; say whether the search goes on there."""
    frame, tables = stack.frames[level], stack.tables
    tables[level + 1] = tables[level]
    play(tables[level + 1], whole(tables[level].turn), stack.moves[level, frame.tried])
    frame.tried += 1
    is_playing = tables[level + 1].phase == PLAYING
    stack.is_cut_off[0] |= is_playing and level + 1 == depth
    return is_playing and level + 1 < depth


@compiled
def narrow_window(stack: SearchStack, level: int, root: int, worth: int) -> bool:
    """Narrow the window of a level by what its last move is worth; say whether it is the best so far for the root."""
    frame = stack.frames[level]
    if whole(stack.tables[level].turn) != root:
        frame.high = min(frame.high, worth)
        return False
    is_best = worth > frame.low
    frame.low = max(frame.low, worth)
    return is_best


@compiled
def search_to_depth(stack: SearchStack, depth: int, first: int, budget: int) -> int:
    """Return the best move at level 0 after searching so many plies, −1 if that takes more tables than the budget."""
    root, best_move, level = whole(stack.tables[0].turn), -1, 0
    open_frame(stack, 0, root, -INFINITE, INFINITE)
    move_to_front(stack.moves[0], stack.worths[0], stack.frames[0].found, first)
    stack.nodes[0], stack.is_cut_off[0] = 0, False
    while stack.nodes[0] <= budget:
        frame = stack.frames[level]
        if frame.tried < frame.found and frame.low < frame.high:
            # Step 1. There is a move to try: go on below it, unless it is on the last ply or ends the game.
            if make_next_move(stack, level, depth):
                level += 1
                open_frame(stack, level, root, frame.low, frame.high)
                continue
            worth = stack.worths[level, frame.tried - 1]
        else:
            # Step 2. All moves are tried, or the rest is cut off: what was found counts for the move above.
            worth = frame.low if whole(stack.tables[level].turn) == root else frame.high
            level -= 1
            if level < 0:
                break
        # Step 3. Take over what the move is worth.
        if narrow_window(stack, level, root, worth) and level == 0:
            best_move = whole(stack.moves[0, stack.frames[0].tried - 1])
    return best_move if level < 0 else -1
