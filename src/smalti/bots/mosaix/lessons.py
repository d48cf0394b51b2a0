"""Learning from games, compiled: straying from the best move on purpose, playing alone, and looking back.

Worths are learned with temporal differences on the grids after writing, from the last turn back to the first. In most
games the first turns are played in another way, so that odd grids are judged well too; what is learned there is the
worth of the best move, not of the one that was played. Playing among others is in `crowd`.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.mosaix.features import (
    ENTRIES,
    MOST_LISTED,
    Entries,
    Grid,
    Judgement,
    Numbers,
    Reals,
    Work,
    list_grid,
    set_pace,
)
from smalti.bots.mosaix.footprints import (
    FILLING_COUNT,
    FILLING_COUNTS,
    FILLINGS,
    FOOTPRINT_SIZES,
    FOOTPRINTS,
    REACHED,
    WINDOW_COUNT,
)
from smalti.bots.mosaix.lookahead import room_after, written
from smalti.bots.mosaix.scan import NOTHING, judge_footprint, prepare, read_windows, spare_of
from smalti.engine.bits import EMPTY, bit
from smalti.engine.chance import Stream, below, weighted
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record, Words
from smalti.games.mosaix.tables import BOXES, PRINTED_BITS, ROLL_WEIGHTS

Integers = npt.NDArray[np.int32]

MOST_TURNS = 64
TRACE = 0.5  # how far back a surprise reaches (lambda)
STRAYING = 3  # games of four whose first turns are played otherwise
LONGEST_STRAY = 12
MANNERS = 4  # of straying: half of them through noise, then
AT_RANDOM, SIMPLY = 2, 3
LEAST_SWAY, MOST_SWAY = 2.0, 20.0  # points
FINE = 1 << 20


class Trail(Record):
    """A game looked back on: after each turn what the grid was judged by, and what the next turn could make of it."""

    cells: Annotated[Words, 3]
    listed: Annotated[Numbers, MOST_TURNS, MOST_LISTED]
    windows: Annotated[Numbers, MOST_TURNS, WINDOW_COUNT]
    shares: Annotated[Reals, MOST_TURNS]  # of what windows are worth
    counts: Annotated[Numbers, MOST_TURNS]
    points: Annotated[Numbers, MOST_TURNS]
    over: Annotated[Numbers, MOST_TURNS]
    best: Annotated[Reals, MOST_TURNS]  # what the best next move was worth
    strayed: Annotated[Numbers, MOST_TURNS]  # whether another one was played
    reply: Annotated[Numbers, 2]  # the best, and the one that seemed best


class Experience(NamedTuple):
    """What an entry's errors add up to, with and without their signs; and which readings of windows mean the same."""

    sums: Entries
    sizes: Entries
    of: Integers
    members: Integers
    starts: Integers


@compiled
def noise(stream: Stream) -> float:
    """Return a random number of mean 0 and deviation 1, nearly normal."""
    total = below(stream, FINE) + below(stream, FINE) + below(stream, FINE)
    return 2.0 * total / FINE - 3.0


@compiled
def some_sway(stream: Stream) -> float:
    """Return how strong the noise of a game is."""
    return LEAST_SWAY + (MOST_SWAY - LEAST_SWAY) * below(stream, FINE) / FINE


@compiled
def some_stray(stream: Stream) -> int:
    """Return how many turns of a game are played otherwise than best; none in some games."""
    if below(stream, STRAYING + 1) == 0:
        return 0
    return 1 + below(stream, LONGEST_STRAY)


@compiled
def grid_of(trail: Trail) -> Grid:
    """Return the grid as it is by now."""
    return trail.cells[0], trail.cells[1], trail.cells[2]


@compiled
def take_card(trail: Trail, stream: Stream) -> None:
    """Begin with a symbol in the centre. (R1)"""
    for symbol in range(3):
        trail.cells[symbol] = EMPTY
    trail.cells[below(stream, 3)] = bit(PRINTED_BITS[0])


@compiled
def write_reply(trail: Trail, reply: int) -> None:
    """Write on the grid."""
    grid = written(grid_of(trail), reply)
    for symbol in range(3):
        trail.cells[symbol] = grid[symbol]


@apart
def find_best(work: Work, trail: Trail, room: int, roll: int, sway: float, judged: Judgement, stream: Stream) -> float:
    """Note the best way to write a roll alone, and the one that seems best through noise; return what it is worth."""
    grid = grid_of(trail)
    held = prepare(work, grid, judged)
    taken = grid[0] | grid[1] | grid[2]
    best, seeming = NOTHING, NOTHING
    for footprint in range(REACHED[spare_of(room, 1)]):
        if FOOTPRINTS[footprint] & taken == EMPTY:
            size = FOOTPRINT_SIZES[footprint]
            for number in range(judge_footprint(work, grid, room, 1, footprint, roll, held, judged)):
                filling = FILLINGS[roll, size, number]
                worth = work.worths[filling]
                if worth > best:
                    best, trail.reply[0] = worth, FILLING_COUNT * footprint + filling
                if sway > 0.0:
                    worth += sway * noise(stream)
                    if worth > seeming:
                        seeming, trail.reply[1] = worth, FILLING_COUNT * footprint + filling
    return best


@compiled
def any_reply(trail: Trail, room: int, roll: int, stream: Stream) -> int:
    """Return any way to write the whole roll alone, or if there is none, any way at all."""
    taken = trail.cells[0] | trail.cells[1] | trail.cells[2]
    reply, found = 0, 0
    for footprint in range(REACHED[spare_of(room, 1)]):
        if footprint == REACHED[0] and found > 0:
            break
        if FOOTPRINTS[footprint] & taken == EMPTY:
            found += 1
            if below(stream, found) == 0:
                size = FOOTPRINT_SIZES[footprint]
                filling = FILLINGS[roll, size, below(stream, FILLING_COUNTS[roll, size])]
                reply = FILLING_COUNT * footprint + filling
    return reply


@apart
def remember(work: Work, trail: Trail, turn: int, room: int, alone: int) -> None:
    """Note what the grid is judged by."""
    grid = grid_of(trail)
    set_pace(work, room, alone)
    listed, points, is_over = list_grid(work, grid, room, spare_of(room, alone))
    read_windows(work, grid)
    for index in range(listed):
        trail.listed[turn, index] = work.listed[index]
    for window in range(WINDOW_COUNT):
        trail.windows[turn, window] = work.windows[window]
    trail.shares[turn] = work.window_share[0]
    trail.counts[turn] = listed
    trail.points[turn] = points + (room if alone else 0)
    trail.over[turn] = is_over
    trail.strayed[turn] = 0


@compiled
def recalled_worth(trail: Trail, turn: int, judged: Judgement) -> float:
    """Return what the grid after a turn is worth by now."""
    worth = 0.0
    if trail.over[turn] == 0:
        for index in range(trail.counts[turn]):
            worth += judged.entries[trail.listed[turn, index]]
        for window in range(WINDOW_COUNT):
            worth += trail.shares[turn] * judged.windows[trail.windows[turn, window]]
    return worth + trail.points[turn]


@compiled
def step_of(place: int, error: float, experience: Experience) -> float:
    """Return by how much an entry moves: all the way while its errors agree, little once they cancel out."""
    step, size = error, experience.sizes[place]
    if size > 0:
        step *= abs(experience.sums[place]) / size
    experience.sums[place] += error
    experience.sizes[place] += abs(error)
    return step


@apart
def improve(trail: Trail, turn: int, error: float, judged: Judgement, experience: Experience) -> None:
    """Spread an error over all that a grid was judged by."""
    share = error / (trail.counts[turn] + WINDOW_COUNT)
    for index in range(trail.counts[turn]):
        entry = trail.listed[turn, index]
        judged.entries[entry] += step_of(entry, share, experience)
    for window in range(WINDOW_COUNT):
        alike = experience.of[trail.windows[turn, window]]
        step = step_of(ENTRIES + alike, trail.shares[turn] * share, experience)
        for index in range(experience.starts[alike], experience.starts[alike + 1]):
            judged.windows[experience.members[index]] += step


@apart
def look_back(trail: Trail, turns: int, rate: float, judged: Judgement, experience: Experience) -> None:
    """Learn from a game of so many turns, the last first."""
    target: float = 0.0 + trail.points[turns]
    for turn in range(turns, -1, -1):
        if turn < turns:
            if trail.strayed[turn]:
                target = trail.best[turn]
            else:
                target = TRACE * target + (1 - TRACE) * recalled_worth(trail, turn + 1, judged)
        if trail.over[turn] == 0:
            error = target - recalled_worth(trail, turn, judged)
            improve(trail, turn, rate * error, judged, experience)


@apart
def play_alone(
    work: Work,
    trail: Trail,
    stray: int,
    manner: int,
    sway: float,
    judged: Judgement,
    simple: Judgement,
    stream: Stream,
) -> int:
    """Play a solo game, so many turns in another manner; return its turns."""
    take_card(trail, stream)
    room, turn = BOXES, 0
    remember(work, trail, 0, room, 1)
    while trail.over[turn] == 0:
        roll = weighted(stream, ROLL_WEIGHTS, len(ROLL_WEIGHTS))
        seen = sway if turn < stray and manner < AT_RANDOM else 0.0
        best = find_best(work, trail, room, roll, seen, judged, stream)
        trail.best[turn] = max(best, trail.points[turn])
        reply = trail.reply[0]
        if turn < stray:
            if manner == AT_RANDOM:
                trail.reply[1] = any_reply(trail, room, roll, stream)
            elif manner == SIMPLY:
                find_best(work, trail, room, roll, sway / 4, simple, stream)
            trail.strayed[turn] = trail.reply[1] != reply or best <= trail.points[turn]
            reply = trail.reply[1]
        elif best <= trail.points[turn]:
            break
        write_reply(trail, reply)
        room = room_after(room, 1, reply)
        turn += 1
        remember(work, trail, turn, room, 1)
    return turn


@apart
def learn_alone(
    work: Work,
    trail: Trail,
    games: int,
    rate: float,
    judged: Judgement,
    simple: Judgement,
    experience: Experience,
    stream: Stream,
) -> None:
    """Play solo games and learn from each."""
    for _ in range(games):
        stray, manner = some_stray(stream), below(stream, MANNERS)
        turns = play_alone(work, trail, stray, manner, some_sway(stream), judged, simple, stream)
        look_back(trail, turns, rate, judged, experience)


@apart
def results_alone(work: Work, trail: Trail, results: Integers, judged: Judgement, stream: Stream) -> None:
    """Play solo games by the best move each turn, and note their points."""
    for game in range(len(results)):
        turns = play_alone(work, trail, 0, 0, 0.0, judged, judged, stream)
        results[game] = trail.points[turns]
