"""Learning by reading ahead, compiled: what a deeper look says of a table is what a glance should have said."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.bots.patterns.features import points_lead, write_features
from smalti.bots.patterns.room import LEVELS, POINT, Room, lay_out, list_moves, new_room
from smalti.bots.patterns.searching import (
    BEST,
    BEST_MOVE,
    CLOSELY,
    ENDLESS,
    FIELDS,
    GUESSED,
    IS_PROVED,
    USED,
    WORTH,
    begin,
    go_on,
)
from smalti.bots.patterns.selfplay import (
    MOST_EXPLORING,
    STEPS,
    THOUSAND,
    Desk,
    Floats,
    Memory,
    learn_backwards,
    set_up_game,
)
from smalti.engine.bits import EMPTY, whole
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.rules import play
from smalti.games.patterns.tables import PLAYING, Table

LARGEST = np.iinfo(np.int16).max


def small(weights: Floats) -> npt.NDArray[np.int16]:
    """Return weights as the small numbers that reading uses."""
    return np.clip(np.rint(weights * STEPS), -LARGEST, LARGEST).astype(np.int16)


def new_lesson_room(weights: Floats, nodes: int) -> Room:
    """Return room to read that many tables with weights that are still learned."""
    return new_room(small(weights), 1 << nodes.bit_length(), FIELDS, CLOSELY)


@compiled
def put_first(room: Room, found: int, move: int) -> None:
    """Put a move of level 0 in front of the others."""
    moves = room.moves[0]
    for index in range(found):
        if moves[index] == move:
            for place in range(index, 0, -1):
                moves[place] = moves[place - 1]
            moves[0] = move


@compiled
def read_position(room: Room, nodes: int) -> int:
    """Read the table of level 0 deeper and deeper; return the best move."""
    lay_out(room)
    for slot in range(len(room.slots)):
        room.slots[slot, 0] = EMPTY
        room.slots[slot, 1] = EMPTY
    room.notes[USED], room.notes[WORTH], room.notes[IS_PROVED] = 0, 0, 0
    found = list_moves(room.tables[0], room.moves[0])
    chosen = whole(room.moves[0, 0])
    for depth in range(1, LEVELS):
        begin(room, depth, -ENDLESS, ENDLESS, found)
        if not go_on(room, nodes):
            break
        chosen = room.frames[0, BEST_MOVE]
        put_first(room, found, chosen)
        room.notes[WORTH], room.notes[IS_PROVED] = room.frames[0, BEST], room.frames[0, GUESSED] == 0
        if room.notes[IS_PROVED]:
            break
    return chosen


@compiled
def take_over(room: Room, memory: Memory, desk: Desk, plies: int) -> None:
    """Bring the weights that were just learned into the small numbers that reading uses."""
    for ply in range(plies):
        for index in desk.indices[ply]:
            room.weights[index] = whole(min(LARGEST, max(-LARGEST, np.rint(memory.weights[index] * STEPS))))


@compiled
def read_out(desk: Desk, room: Room, nodes: int, exploring: int, stream: Stream) -> int:
    """Play a game from place 0, reading that many tables for each move; note all plies and return how many."""
    ply = 0
    while desk.tables[0].phase == PLAYING:
        table = desk.tables[0]
        seat = whole(table.turn)
        room.tables[0] = table
        move = read_position(room, nodes)
        write_features(table, seat, room.reach[0], desk.indices[ply])
        desk.leads[ply] = points_lead(table, seat)
        desk.values[ply] = room.notes[WORTH] / POINT
        is_random = below(stream, THOUSAND) < exploring
        desk.settled[ply] = is_random or room.notes[IS_PROVED] != 0
        if is_random:
            move = whole(room.moves[0, below(stream, list_moves(table, room.moves[0]))])
        play(table, seat, move)
        ply += 1
    return ply


@apart
def learn_by_reading(
    start: Table, desk: Desk, room: Room, memory: Memory, games: int, nodes: int, stream: Stream
) -> int:
    """Play games, reading ahead, and learn from each; return how many plies there were."""
    plies = 0
    for _ in range(games):
        set_up_game(start, desk, stream)
        exploring = below(stream, 10 * MOST_EXPLORING) if below(stream, 2) == 0 else 0
        length = read_out(desk, room, nodes, exploring, stream)
        learn_backwards(desk, memory, length)
        take_over(room, memory, desk, length)
        plies += length
    return plies
