"""Principal variation search (PVS) with learned weights, compiled, which can be interrupted and goes on later.

Alpha-beta in which only the first move of a table gets the full window; the others are searched with a null window and
again if they turn out better. With it come a transposition table, late move reductions and futility pruning. Worths
are those of the seat that is to move on a level (negamax). Each level has a frame; `search_on` is the one loop.
"""

from __future__ import annotations

from smalti.bots.patterns.search.stack import (
    Frame,
    Pruning,
    SearchStack,
    child_worth,
    list_moves,
    make_move,
)
from smalti.bots.patterns.search.transpositions import (
    EXACT,
    LOWER_BOUND,
    TO_THE_END,
    UPPER_BOUND,
    entry_bound,
    entry_depth,
    entry_move,
    entry_worth,
    new_entry,
    probe,
    store,
)
from smalti.engine.bits import whole
from smalti.engine.compiled import apart, compiled
from smalti.games.patterns.tables import PLAYING

INFINITE = 1 << 19

# States of a frame: no move is under way; or one with the full window, with a null window, or that and less deep.
READY, FULL_WINDOW, NULL_WINDOW, REDUCED = range(4)

CAREFUL = Pruning(late=3, very_late=10, futile_depth=0, futile_margin=0)


# --- Frames


@compiled
def open_frame(frame: Frame, depth: int, low: int, high: int, found: int) -> None:
    """Open a frame for so many moves with this window."""
    frame.low, frame.high, frame.first_low = low, high, low
    frame.best, frame.best_move, frame.depth = -INFINITE, -1, depth
    frame.found, frame.tried, frame.is_estimated, frame.state = found, 0, 0, READY


@compiled
def open_root(stack: SearchStack, depth: int, low: int, high: int, found: int) -> None:
    """Open the frame of level 0 for the moves that are listed there, in this order."""
    open_frame(stack.frames[0], depth, low, high, found)
    stack.frames[0].in_order = found
    stack.progress[0].level = 0


@compiled
def open_child(stack: SearchStack, level: int) -> None:
    """Open the frame for the move under way one level above: list the moves, the remembered one in front."""
    upper, frame, moves = stack.frames[level - 1], stack.frames[level], stack.moves[level]
    low, high = child_window(upper)
    found = list_moves(stack.tables[level], moves)
    open_frame(frame, child_depth(upper, stack.pruning), low, high, found)
    frame.in_order = 0
    first = entry_move(probe(stack.transpositions, stack.keys[level]))
    for index in range(found):
        if moves[index] == first:
            moves[index], moves[0] = moves[0], moves[index]
            frame.in_order = 1


@compiled
def close_frame(stack: SearchStack, level: int) -> None:
    """Remember what a frame has found, and hand it to the move of the level above."""
    frame, upper = stack.frames[level], stack.frames[level - 1]
    bound = LOWER_BOUND if frame.best >= frame.high else EXACT if frame.best > frame.first_low else UPPER_BOUND
    depth = frame.depth if frame.is_estimated else TO_THE_END
    store(stack.transpositions, stack.keys[level], new_entry(frame.best, depth, bound, frame.best_move))
    take_result(upper, stack.moves[level - 1, upper.tried], -frame.best, frame.is_estimated)


# --- Moves


@compiled
def order_moves(stack: SearchStack, level: int, start: int) -> None:
    """Sort the moves from that one on by what they promise, the best first."""
    moves, worths, found = stack.moves[level], stack.worths[level], stack.frames[level].found
    for index in range(start, found):
        move = moves[index]
        make_move(stack, level, move)
        worth = child_worth(stack, level)
        place = index
        while place > start and worths[place - 1] < worth:
            moves[place], worths[place] = moves[place - 1], worths[place - 1]
            place -= 1
        moves[place], worths[place] = move, worth
    stack.progress[0].nodes += found - start


@compiled
def make_next_move(stack: SearchStack, level: int, frame: Frame) -> None:
    """Play the next move of a level, and decide how closely to look at it."""
    tried = frame.tried
    if tried >= frame.in_order and frame.in_order < frame.found:
        order_moves(stack, level, tried)
        frame.in_order = frame.found
    make_move(stack, level, stack.moves[level, tried])
    stack.progress[0].nodes += 1
    is_late = tried >= stack.pruning.late and frame.depth >= 3
    frame.state = FULL_WINDOW if tried == 0 else REDUCED if is_late else NULL_WINDOW


@compiled
def is_futile(stack: SearchStack, level: int, frame: Frame) -> bool:
    """Say whether the moves that are left promise so little, this near to the last ply, that they are not searched."""
    depth, tried = frame.depth, frame.tried
    if depth > stack.pruning.futile_depth or tried < 2 or level == 0 or frame.in_order < frame.found:
        return False
    return stack.worths[level, tried] + stack.pruning.futile_margin * (depth - 1) <= frame.low


@compiled
def prune_rest(frame: Frame) -> None:
    """Take it that the moves that are left are not worth more than is safe already."""
    frame.best = max(frame.best, frame.low)
    frame.tried, frame.is_estimated = frame.found, 1


@compiled
def child_depth(frame: Frame, pruning: Pruning) -> int:
    """Return how many plies the move under way is searched: late ones fewer."""
    if frame.state != REDUCED:
        return frame.depth - 1
    return max(1, frame.depth - (2 if frame.tried < pruning.very_late else 3))


@compiled
def child_window(frame: Frame) -> tuple[int, int]:
    """Return the window of the move under way as the other seat sees it: the full one, or a null window."""
    high = -frame.low
    return -frame.high if frame.state == FULL_WINDOW else high - 1, high


@compiled
def take_result(frame: Frame, move: int, worth: int, is_estimated: int) -> None:
    """Take over what a move is worth, or look at it more closely if it turned out better than thought."""
    frame.is_estimated |= is_estimated
    if frame.state == REDUCED and worth > frame.low:
        frame.state = NULL_WINDOW
        return
    if frame.state == NULL_WINDOW and frame.low < worth < frame.high:
        frame.state = FULL_WINDOW
        return
    frame.state = READY
    frame.tried += 1
    if worth > frame.best:
        frame.best, frame.best_move = worth, move
        frame.low = max(frame.low, worth)


# --- Tables that need no frame


@compiled
def last_ply_entry(stack: SearchStack, level: int, high: int) -> int:
    """Return what a table is worth by its moves alone, with the best one."""
    moves = stack.moves[level]
    best, best_move = -INFINITE, -1
    found, is_estimated, index = list_moves(stack.tables[level], moves), 0, 0
    while index < found and best < high:
        make_move(stack, level, moves[index])
        worth = child_worth(stack, level)
        is_estimated |= whole(stack.tables[level + 1].phase == PLAYING)
        if worth > best:
            best, best_move = worth, moves[index]
        index += 1
    stack.progress[0].nodes += index
    bound = LOWER_BOUND if best >= high else EXACT
    return new_entry(best, 1 if is_estimated else TO_THE_END, bound, best_move)


@compiled
def known_entry(stack: SearchStack, level: int, depth: int, low: int, high: int) -> int:
    """Return what is known of a table without a frame for it, if that is enough for the window; otherwise 0."""
    key = stack.keys[level]
    entry = probe(stack.transpositions, key)
    if entry != 0 and entry_depth(entry) >= depth:
        bound, worth = entry_bound(entry), entry_worth(entry)
        if bound == EXACT or (bound == LOWER_BOUND and worth >= high) or (bound == UPPER_BOUND and worth <= low):
            return entry
    if depth > 1:
        return 0
    entry = last_ply_entry(stack, level, high)
    store(stack.transpositions, key, entry)
    return entry


@compiled
def resolve_child(stack: SearchStack, level: int, frame: Frame) -> bool:
    """Take over what the move under way is worth if that needs no frame; say whether it was possible."""
    move, depth = stack.moves[level, frame.tried], child_depth(frame, stack.pruning)
    is_playing = stack.tables[level + 1].phase == PLAYING
    if depth == 0 or not is_playing:
        frame.state = FULL_WINDOW
        take_result(frame, move, child_worth(stack, level), whole(is_playing))
        return True
    low, high = child_window(frame)
    entry = known_entry(stack, level + 1, depth, low, high)
    if entry != 0:
        take_result(frame, move, -entry_worth(entry), whole(entry_depth(entry) != TO_THE_END))
    return entry != 0


# --- The loop


@apart
def search_on(stack: SearchStack, limit: int) -> bool:
    """Search on until the frame of level 0 is finished, or that many tables have been looked at; say whether it is."""
    level = stack.progress[0].level
    while stack.progress[0].nodes < limit:
        frame = stack.frames[level]
        if frame.state == READY:
            # Step 1. All moves are tried, or one is too good to be allowed: go back up.
            if frame.tried >= frame.found or frame.best >= frame.high:
                if level == 0:
                    return True
                close_frame(stack, level)
                level -= 1
                continue
            # Step 2. Make the next move, unless the rest is hopeless.
            if is_futile(stack, level, frame):
                prune_rest(frame)
                continue
            make_next_move(stack, level, frame)
        # Step 3. Find out what it is worth, or go down.
        if not resolve_child(stack, level, frame):
            level += 1
            open_child(stack, level)
    stack.progress[0].level = level
    return False
