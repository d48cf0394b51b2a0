"""Solo self-play, compiled: games to learn from and to measure by.

Most games explore: their first turns are not the best ones, so that odd grids are judged well too. Games of several
players are in `multiplayer`.
"""

from __future__ import annotations

from typing import NamedTuple

from smalti.bots.mosaix.evaluate.batch import NOTHING, judge_footprint, prepare
from smalti.bots.mosaix.evaluate.features import Judgement, Work
from smalti.bots.mosaix.evaluate.footprints import (
    FILLING_COUNT,
    FILLING_COUNTS,
    FILLINGS,
    FOOTPRINT_SIZES,
    FOOTPRINTS,
    REACHED,
    SYMBOL_COUNT,
)
from smalti.bots.mosaix.evaluate.position import SOLO, Grid, Position, position_after, spare_dice, taken_cells
from smalti.bots.mosaix.learning.td import Coherence, Episode, Integers, learn_from, note_turn
from smalti.engine.bits import EMPTY, bit
from smalti.engine.chance import Stream, below, weighted
from smalti.engine.compiled import apart, compiled
from smalti.games.mosaix.tables import BOXES, PRINTED_BITS, ROLL_WEIGHTS

STRAYING = 3  # games of four whose first turns are played otherwise
LONGEST_STRAY = 12
MANNERS = 4  # of straying: half of them through noise, then
AT_RANDOM, SIMPLY = 2, 3
LEAST_SWAY, MOST_SWAY = 2.0, 20.0  # points
FINE = 1 << 20


class SelfPlay(NamedTuple):
    """What games are played with: the judgement by which moves are chosen, buffers, and chance."""

    judged: Judgement
    work: Work
    episode: Episode
    stream: Stream


class Exploration(NamedTuple):
    """How a game strays from the best moves."""

    turns: int  # how many, from the first on
    manner: int
    sway: float  # how strong the noise is, in points


class Replies(NamedTuple):
    """The best way to write a roll."""

    worth: float
    best: int
    seeming: int  # what seems best through noise, if there is any


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
def first_grid(stream: Stream) -> Grid:
    """Begin with a symbol in the centre. (R1)"""
    symbol, centre = below(stream, SYMBOL_COUNT), bit(PRINTED_BITS[0])
    return (
        centre if symbol == 0 else EMPTY,
        centre if symbol == 1 else EMPTY,
        centre if symbol == 2 else EMPTY,
    )


@apart
def find_best(game: SelfPlay, judged: Judgement, position: Position, roll: int, sway: float) -> Replies:
    """Return the best way to write a roll, and the one that seems best through noise."""
    work, taken = game.work, taken_cells(position.grid)
    prepare(work, position.grid, judged)
    worth, most, best, seeming = NOTHING, NOTHING, 0, 0
    for footprint in range(REACHED[spare_dice(position.slack, SOLO)]):
        if FOOTPRINTS[footprint] & taken == EMPTY:
            for number in range(judge_footprint(work, position, footprint, roll, judged)):
                filling = FILLINGS[roll, FOOTPRINT_SIZES[footprint], number]
                reply, seen = FILLING_COUNT * footprint + filling, work.worths[filling]
                if seen > worth:
                    worth, best = seen, reply
                if sway > 0.0:
                    seen += sway * noise(game.stream)
                    if seen > most:
                        most, seeming = seen, reply
    return Replies(worth, best, seeming)


@compiled
def any_reply(position: Position, roll: int, stream: Stream) -> int:
    """Return any way to write the whole roll, or if there is none, any way at all."""
    taken = taken_cells(position.grid)
    reply, found = 0, 0
    for footprint in range(REACHED[spare_dice(position.slack, SOLO)]):
        if footprint == REACHED[0] and found > 0:
            break
        if FOOTPRINTS[footprint] & taken == EMPTY:
            found += 1
            if below(stream, found) == 0:
                size = FOOTPRINT_SIZES[footprint]
                filling = FILLINGS[roll, size, below(stream, FILLING_COUNTS[roll, size])]
                reply = FILLING_COUNT * footprint + filling
    return reply


@compiled
def straying_reply(
    game: SelfPlay, exploration: Exploration, simple: Judgement, position: Position, roll: int, seeming: int
) -> int:
    """Return an exploring reply: at random, by the simple judgement, or what seems best through noise."""
    if exploration.manner == AT_RANDOM:
        return any_reply(position, roll, game.stream)
    if exploration.manner == SIMPLY:
        return find_best(game, simple, position, roll, exploration.sway / 4).seeming
    return seeming


@apart
def play_solo(game: SelfPlay, exploration: Exploration, simple: Judgement) -> int:
    """Play a solo game, and note it as the episode; return its turns."""
    episode, stream = game.episode, game.stream
    position, turn = Position(first_grid(stream), BOXES, SOLO), 0
    note_turn(game.work, episode, turn, position)
    while episode.over[turn] == 0:
        roll = weighted(stream, ROLL_WEIGHTS, len(ROLL_WEIGHTS))
        is_straying = turn < exploration.turns
        sway = exploration.sway if is_straying and exploration.manner < AT_RANDOM else 0.0
        found = find_best(game, game.judged, position, roll, sway)
        episode.best[turn] = max(found.worth, episode.points[turn])
        reply, is_worth_it = found.best, found.worth > episode.points[turn]
        if is_straying:
            reply = straying_reply(game, exploration, simple, position, roll, found.seeming)
            episode.strayed[turn] = reply != found.best or not is_worth_it
        elif not is_worth_it:
            break
        position = position_after(position, reply)
        turn += 1
        note_turn(game.work, episode, turn, position)
    return turn


@apart
def learn_solo(game: SelfPlay, games: int, rate: float, simple: Judgement, coherence: Coherence) -> None:
    """Play solo games and learn from each."""
    for _ in range(games):
        turns, manner = some_stray(game.stream), below(game.stream, MANNERS)
        exploration = Exploration(turns, manner, some_sway(game.stream))
        learn_from(game.episode, play_solo(game, exploration, simple), rate, game.judged, coherence)


@apart
def play_best(game: SelfPlay, results: Integers) -> None:
    """Play solo games by the best move each turn, and note their points."""
    for number in range(len(results)):
        turns = play_solo(game, Exploration(0, 0, 0.0), game.judged)
        results[number] = game.episode.points[turns]
