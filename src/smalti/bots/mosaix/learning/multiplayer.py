"""Self-play of several players, compiled: one grid is played well, the others only fill up and so set the pace.

Others do not arrange dice to please: what they choose is the less useful of any two arrangements. Whoever writes all
they can, closely packed, ends games about when tree searches and people do.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from smalti.bots.mosaix.evaluate.batch import FITS, NOTHING, Floats, judge_all, judge_filling, prepare, worth_of
from smalti.bots.mosaix.evaluate.features import Judgement, Numbers, Work, live_cells
from smalti.bots.mosaix.evaluate.footprints import (
    BORDER,
    CELL_COUNT,
    FILLING_COUNT,
    FOOTPRINTS,
    PLACING_FOOTPRINTS,
    PLACING_FORMATIONS,
)
from smalti.bots.mosaix.evaluate.opponents import (
    FORMATION_COUNT,
    HASTES,
    MOST_SEATS,
    SEQUENCE_COUNT,
    Round,
    filling_of,
    note_best,
)
from smalti.bots.mosaix.evaluate.position import MULTIPLAYER, Position, position_after, taken_cells
from smalti.bots.mosaix.learning.self_play import Exploration, SelfPlay, first_grid, noise, some_stray, some_sway
from smalti.bots.mosaix.learning.td import MOST_TURNS, Coherence, learn_from, note_turn
from smalti.engine.bits import EMPTY, bit, count, neighbours, whole
from smalti.engine.chance import Stream, below, weighted
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record, Words
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, FORMS, PRINTED_BITS, ROLL_WEIGHTS

BUFFERS = 2
# How others like a place: for each cell it writes on, for each taken cell beside it, and by how much they do not care.
WRITTEN, BESIDE, CARELESS = 8, 2, 6
PAUSES = 10  # rounds of which they write nothing in one, instead of leaving out a symbol now and then
DONE = 1  # cells that are left when somebody who wants to end the game surely can


class Opponents(Record):
    """The others: the cells that are taken on their grids, and how many they are."""

    taken: Annotated[Words, MOST_SEATS]
    number: Annotated[Numbers, 1]


class MultiplayerGame(NamedTuple):
    """A game of several players."""

    play: SelfPlay
    opponents: Opponents
    now: Round
    worths: Floats  # what can be made of arrangements, in two buffers: others' are compared


class Arranged(NamedTuple):
    """An arrangement: the move, what the seat can make of it, or `NOTHING`, and which of the buffers tells how."""

    move: int
    worth: float
    buffer: int


@compiled
def cells_after_filling(taken: np.uint64, formation: int, stream: Stream) -> np.uint64:
    """Return the cells that are taken after somebody has written as much as possible, closely packed."""
    chosen, most = EMPTY, -1
    for placing in range(len(PLACING_FOOTPRINTS)):
        cells = FOOTPRINTS[PLACING_FOOTPRINTS[placing]]
        if PLACING_FORMATIONS[placing] == formation and cells & taken == EMPTY:
            liked = WRITTEN * count(cells) + BESIDE * count(neighbours(cells) & taken) + count(cells & BORDER)
            liked += below(stream, CARELESS)
            if liked > most:
                chosen, most = cells, liked
    return taken | chosen


@apart
def fill_up(opponents: Opponents, formation: int, stream: Stream) -> None:
    """Let the others write."""
    for other in range(opponents.number[0]):
        if below(stream, PAUSES) > 0:
            opponents.taken[other] = cells_after_filling(opponents.taken[other], formation, stream)


@apart
def least_live(work: Work, opponents: Opponents) -> int:
    """Return how many cells can still be written on that grid of the others which is nearest to its end."""
    least = CELL_COUNT
    for other in range(opponents.number[0]):
        least = min(least, live_cells(work, (opponents.taken[other], EMPTY, EMPTY)))
    return least


@apart
def judge_form(work: Work, position: Position, move: int, judged: Judgement, worths: Floats) -> float:
    """Note what every placement of one arrangement makes of a grid, as for a roll; return the most, or `NOTHING`."""
    formation, sequence, most = move // SEQUENCE_COUNT, move % SEQUENCE_COUNT, NOTHING
    prepare(work, position.grid, judged)
    taken = taken_cells(position.grid)
    for footprint in range(len(worths)):
        worths[footprint, FITS] = NOTHING
    for placing in range(len(PLACING_FOOTPRINTS)):
        footprint = PLACING_FOOTPRINTS[placing]
        if PLACING_FORMATIONS[placing] == formation and FOOTPRINTS[footprint] & taken == EMPTY:
            if worths[footprint, FITS] == NOTHING:
                worths[footprint] = NOTHING
                worths[footprint, FITS] = 0.0
            filling = filling_of(placing, sequence)
            if worths[footprint, filling] == NOTHING:
                worths[footprint, filling] = judge_filling(work, position, footprint, filling, judged)
            most = max(most, worths[footprint, filling])
    return most


@compiled
def best_of_roll(now: Round, roll: int) -> int:
    """Return the arrangement of a roll that is best for the seat that was judged."""
    best = 0
    for form in range(FORMATION_COUNT * ARRANGEMENT_COUNTS[roll]):
        if now.best[0, form] > now.best[0, best]:
            best = form
    return whole(FORMS[roll, best])


@apart
def own_arrangement(game: MultiplayerGame, position: Position, roll: int) -> Arranged:
    """Return the seat's own arrangement of a roll."""
    judge_all(game.play.work, position, roll, game.play.judged, game.worths[0])
    note_best(game.now, 0, roll, game.worths[0])
    most = NOTHING
    for form in range(FORMATION_COUNT * ARRANGEMENT_COUNTS[roll]):
        most = max(most, game.now.best[0, form])
    return Arranged(best_of_roll(game.now, roll), most, 0)


@apart
def others_arrangement(game: MultiplayerGame, position: Position, roll: int) -> Arranged:
    """Return somebody else's arrangement, the less useful of any two."""
    work, judged, stream = game.play.work, game.play.judged, game.play.stream
    forms = FORMATION_COUNT * ARRANGEMENT_COUNTS[roll]
    one, other = whole(FORMS[roll, below(stream, forms)]), whole(FORMS[roll, below(stream, forms)])
    first = judge_form(work, position, one, judged, game.worths[0])
    second = judge_form(work, position, other, judged, game.worths[1])
    return Arranged(one, first, 0) if first < second else Arranged(other, second, 1)


@compiled
def arrangement(game: MultiplayerGame, position: Position, roll: int, is_own: bool) -> Arranged:
    """Return how a roll is arranged, by the seat itself or by somebody else."""
    return own_arrangement(game, position, roll) if is_own else others_arrangement(game, position, roll)


@compiled
def likely_reply(worths: Floats, move: int, sway: float, stream: Stream) -> int:
    """Return the placement of an arrangement that looks best, through noise if there is any."""
    chosen, seeming = 0, NOTHING
    formation, sequence = move // SEQUENCE_COUNT, move % SEQUENCE_COUNT
    for placing in range(len(PLACING_FOOTPRINTS)):
        footprint = PLACING_FOOTPRINTS[placing]
        if PLACING_FORMATIONS[placing] == formation and worths[footprint, FITS] > NOTHING:
            filling = filling_of(placing, sequence)
            worth = worths[footprint, filling]
            if sway > 0.0:
                worth += sway * noise(stream)
            if worth > seeming:
                chosen, seeming = FILLING_COUNT * footprint + filling, worth
    return chosen


@apart
def choose_reply(game: MultiplayerGame, turn: int, arranged: Arranged, sway: float) -> int:
    """Return how an arrangement that fits is written, and note what the best way was worth."""
    episode, worths = game.play.episode, game.worths[arranged.buffer]
    reply = likely_reply(worths, arranged.move, sway, game.play.stream)
    episode.best[turn] = arranged.worth
    episode.strayed[turn] = worths[reply // FILLING_COUNT, reply % FILLING_COUNT] < arranged.worth
    return reply


@compiled
def deal_cards(opponents: Opponents) -> None:
    """Give everybody else a symbol in the centre. (R1)"""
    for other in range(opponents.number[0]):
        opponents.taken[other] = bit(PRINTED_BITS[0])


@apart
def play_multiplayer(game: MultiplayerGame, exploration: Exploration) -> int:
    """Play a game of several players, and note it as the episode; return its rounds."""
    work, episode, stream, seats = game.play.work, game.play.episode, game.play.stream, 1 + game.opponents.number[0]
    position, turn = Position(first_grid(stream), HASTES[CELL_COUNT], MULTIPLAYER), 0
    deal_cards(game.opponents)
    seat = below(stream, seats)
    note_turn(work, episode, turn, position)
    while episode.over[turn] == 0:
        # 1. Roll, and arrange the dice: the seat itself, or one of the others.
        roll = weighted(stream, ROLL_WEIGHTS, len(ROLL_WEIGHTS))
        arranged = arrangement(game, position, roll, turn % seats == seat)
        # 2. Write, as well as possible or exploring, and let the others write.
        episode.best[turn] = worth_of(work, position, game.play.judged)
        if arranged.worth > NOTHING:
            sway = exploration.sway if turn < exploration.turns else 0.0
            position = position_after(position, choose_reply(game, turn, arranged, sway))
        fill_up(game.opponents, arranged.move // SEQUENCE_COUNT, stream)
        # 3. Note the grid, and see how far the others are from the end.
        turn += 1
        note_turn(work, episode, turn, position)
        live = least_live(work, game.opponents)
        position = Position(position.grid, HASTES[live], MULTIPLAYER)
        if live <= DONE or turn == MOST_TURNS - 1:
            episode.over[turn] = 1
    return turn


@apart
def learn_multiplayer(game: MultiplayerGame, games: int, rate: float, coherence: Coherence) -> None:
    """Play games against one to three others and learn from each."""
    stream = game.play.stream
    for _ in range(games):
        game.opponents.number[0] = 1 + below(stream, MOST_SEATS - 1)
        turns = some_stray(stream)
        rounds = play_multiplayer(game, Exploration(turns, 0, some_sway(stream)))
        learn_from(game.play.episode, rounds, rate, game.play.judged, coherence)
