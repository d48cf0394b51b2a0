"""Reading ahead with learned weights: a principal variation search that can be interrupted and goes on later.

Worths are those of the seat that is to move on a level. Each level has a frame of numbers; `go_on` is the one loop.
"""

from __future__ import annotations

from smalti.bots.patterns.room import (
    AT_LEAST,
    AT_MOST,
    EXACTLY,
    TO_THE_END,
    Numbers,
    Room,
    bound_of,
    depth_of,
    list_moves,
    move_of,
    packed,
    recall,
    remember,
    step_down,
    worth_below,
    worth_of,
)
from smalti.engine.bits import whole
from smalti.engine.compiled import apart, compiled
from smalti.games.patterns.tables import PLAYING

ENDLESS = 1 << 19

# The numbers of a frame: the window, what has been found, how far it goes, and what is under way.
LOW, HIGH, FIRST_LOW, BEST, BEST_MOVE, DEPTH, FOUND, TRIED, IN_ORDER, GUESSED, STATE = range(11)
FIELDS = 11

# States: no move is under way; or one that is read fully, only to refute it, or less deep than the others.
READY, FULLY, SCOUTING, REDUCED = range(4)

LEVEL, USED, WORTH, IS_PROVED = range(4)  # in the room's notes

# Habits: how many moves are read fully before the others are read less deep at first, and after how many still less;
# up to how many plies from the last one moves are given up that promise too little, and how much that is for each.
LATE, VERY_LATE, SHALLOW, HOPELESS = range(4)
CLOSELY = (3, 10, 0, 0)


@compiled
def enter(room: Room, level: int, depth: int, low: int, high: int, first: int) -> None:
    """Open a frame: list the moves, the remembered one in front."""
    frame, moves = room.frames[level], room.moves[level]
    frame[LOW], frame[HIGH], frame[FIRST_LOW] = low, high, low
    frame[BEST], frame[BEST_MOVE], frame[DEPTH] = -ENDLESS, -1, depth
    frame[TRIED], frame[GUESSED], frame[STATE], frame[IN_ORDER] = 0, 0, READY, 0
    found = list_moves(room.tables[level], moves)
    frame[FOUND] = found
    for index in range(found):
        if moves[index] == first:
            moves[index], moves[0] = moves[0], moves[index]
            frame[IN_ORDER] = 1


@compiled
def put_in_order(room: Room, level: int, start: int) -> None:
    """Sort the moves from that one on by what they promise, the best first."""
    moves, worths, found = room.moves[level], room.worths[level], room.frames[level, FOUND]
    seat = whole(room.tables[level].turn)
    for index in range(start, found):
        move = moves[index]
        step_down(room, level, move)
        value = worth_below(room, level, seat)
        place = index
        while place > start and worths[place - 1] < value:
            moves[place], worths[place] = moves[place - 1], worths[place - 1]
            place -= 1
        moves[place], worths[place] = move, value
    room.notes[USED] += found - start


@compiled
def next_move(room: Room, level: int, frame: Numbers) -> None:
    """Play the next move of a level, and decide how closely to look at it."""
    tried = frame[TRIED]
    if tried >= frame[IN_ORDER] and frame[IN_ORDER] < frame[FOUND]:
        put_in_order(room, level, tried)
        frame[IN_ORDER] = frame[FOUND]
    step_down(room, level, room.moves[level, tried])
    room.notes[USED] += 1
    is_late = tried >= room.habits[LATE] and frame[DEPTH] >= 3
    frame[STATE] = FULLY if tried == 0 else REDUCED if is_late else SCOUTING


@compiled
def is_hopeless(room: Room, level: int, frame: Numbers) -> bool:
    """Say whether the moves that are left promise so little, this near to the last ply, that they are not read."""
    depth, tried = frame[DEPTH], frame[TRIED]
    if depth > room.habits[SHALLOW] or tried < 2 or level == 0 or frame[IN_ORDER] < frame[FOUND]:
        return False
    return room.worths[level, tried] + room.habits[HOPELESS] * (depth - 1) <= frame[LOW]


@compiled
def give_up(frame: Numbers) -> None:
    """Take it that the moves that are left are not worth more than is safe already."""
    frame[BEST] = max(frame[BEST], frame[LOW])
    frame[TRIED], frame[GUESSED] = frame[FOUND], 1


@compiled
def depth_below(frame: Numbers, habits: Numbers) -> int:
    """Return how far the move under way is read."""
    if frame[STATE] != REDUCED:
        return frame[DEPTH] - 1
    return max(1, frame[DEPTH] - (2 if frame[TRIED] < habits[VERY_LATE] else 3))


@compiled
def last_ply(room: Room, level: int, low: int, high: int) -> int:
    """Return what a table is worth by its moves alone, and note the best one."""
    moves = room.moves[level]
    seat, best, chosen = whole(room.tables[level].turn), -ENDLESS, -1
    found, guessed, index = list_moves(room.tables[level], moves), 0, 0
    while index < found and best < high:
        step_down(room, level, moves[index])
        value = worth_below(room, level, seat)
        guessed |= whole(room.tables[level + 1].phase == PLAYING)
        if value > best:
            best, chosen = value, moves[index]
        index += 1
    room.notes[USED] += index
    bound = AT_LEAST if best >= high else EXACTLY
    return packed(best, 1 if guessed else TO_THE_END, bound, chosen)


@compiled
def known(room: Room, level: int, depth: int, low: int, high: int) -> int:
    """Return what is known of a table without a frame for it, if that is enough for the window; otherwise 0."""
    key = room.keys[level]
    memory = recall(room, key)
    if memory != 0 and depth_of(memory) >= depth:
        bound, worth = bound_of(memory), worth_of(memory)
        if bound == EXACTLY or (bound == AT_LEAST and worth >= high) or (bound == AT_MOST and worth <= low):
            return memory
    if depth > 1:
        return 0
    memory = last_ply(room, level, low, high)
    remember(room, key, memory)
    return memory


@compiled
def take_over(frame: Numbers, move: int, worth: int, guessed: int) -> None:
    """Take over what a move is worth, or look at it more closely if it turned out better than thought."""
    frame[GUESSED] |= guessed
    if frame[STATE] == REDUCED and worth > frame[LOW]:
        frame[STATE] = SCOUTING
        return
    if frame[STATE] == SCOUTING and frame[LOW] < worth < frame[HIGH]:
        frame[STATE] = FULLY
        return
    frame[STATE] = READY
    frame[TRIED] += 1
    if worth > frame[BEST]:
        frame[BEST], frame[BEST_MOVE] = worth, move
        frame[LOW] = max(frame[LOW], worth)


@compiled
def close(room: Room, level: int, frame: Numbers) -> None:
    """Remember what a frame has found."""
    best = frame[BEST]
    bound = AT_LEAST if best >= frame[HIGH] else EXACTLY if best > frame[FIRST_LOW] else AT_MOST
    depth = frame[DEPTH] if frame[GUESSED] else TO_THE_END
    remember(room, room.keys[level], packed(best, depth, bound, frame[BEST_MOVE]))


@compiled
def begin(room: Room, depth: int, low: int, high: int, found: int) -> None:
    """Open the frame of level 0 for the moves that are listed there, in this order."""
    frame = room.frames[0]
    frame[LOW], frame[HIGH], frame[FIRST_LOW] = low, high, low
    frame[BEST], frame[BEST_MOVE], frame[DEPTH] = -ENDLESS, -1, depth
    frame[FOUND], frame[IN_ORDER] = found, found
    frame[TRIED], frame[GUESSED], frame[STATE] = 0, 0, READY
    room.notes[LEVEL] = 0


@apart
def go_on(room: Room, limit: int) -> bool:
    """Read on until the frame of level 0 is closed, or that many tables have been looked at; say whether it is."""
    level = room.notes[LEVEL]
    while room.notes[USED] < limit:
        frame = room.frames[level]
        if frame[STATE] == READY and (frame[TRIED] >= frame[FOUND] or frame[BEST] >= frame[HIGH]):
            if level == 0:
                return True
            close(room, level, frame)
            level -= 1
            upper = room.frames[level]
            take_over(upper, room.moves[level, upper[TRIED]], -frame[BEST], frame[GUESSED])
            continue
        if frame[STATE] == READY:
            if is_hopeless(room, level, frame):
                give_up(frame)
                continue
            next_move(room, level, frame)
        move = room.moves[level, frame[TRIED]]
        if room.tables[level + 1].phase != PLAYING:
            frame[STATE] = FULLY
            take_over(frame, move, worth_below(room, level, whole(room.tables[level].turn)), 0)
            continue
        depth = depth_below(frame, room.habits)
        if depth == 0:
            frame[STATE] = FULLY
            take_over(frame, move, worth_below(room, level, whole(room.tables[level].turn)), 1)
            continue
        high = -frame[LOW]
        low = -frame[HIGH] if frame[STATE] == FULLY else high - 1
        memory = known(room, level + 1, depth, low, high)
        if memory != 0:
            take_over(frame, move, -worth_of(memory), whole(depth_of(memory) != TO_THE_END))
            continue
        enter(room, level + 1, depth, low, high, move_of(recall(room, room.keys[level + 1])))
        level += 1
    room.notes[LEVEL] = level
    return False
