"""Learning among others, compiled: one grid is played well, the others only fill up and so set the pace.

Others do not arrange dice to please: what they choose is the less useful of any two arrangements. Whoever writes all
they can, closely packed, ends games about when tree searches and people do.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from smalti.bots.mosaix.company import (
    FORMATION_COUNT,
    HASTES,
    MOST_SEATS,
    SEQUENCE_COUNT,
    Round,
    filling_of,
    note_best,
)
from smalti.bots.mosaix.features import Grid, Judgement, Numbers, Work, live_cells
from smalti.bots.mosaix.footprints import (
    BORDER,
    CELL_COUNT,
    FILLING_COUNT,
    FOOTPRINTS,
    PLACING_FOOTPRINTS,
    PLACING_FORMATIONS,
)
from smalti.bots.mosaix.lessons import (
    MOST_TURNS,
    Experience,
    Trail,
    grid_of,
    look_back,
    noise,
    remember,
    some_stray,
    some_sway,
    take_card,
    write_reply,
)
from smalti.bots.mosaix.lookahead import FITS, judge_all
from smalti.bots.mosaix.scan import NOTHING, Floats, judge_filling, prepare, worth_of
from smalti.engine.bits import EMPTY, bit, count, neighbours
from smalti.engine.chance import Stream, below, weighted
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record, Words
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, FORMS, PRINTED_BITS, ROLL_WEIGHTS

BUFFERS = 2  # for what can be made of arrangements: others' are compared
# How others like a place: for each cell it writes on, for each taken cell beside it, and by how much they do not care.
WRITTEN, BESIDE, CARELESS = 8, 2, 6
PAUSES = 10  # rounds of which they write nothing in one, instead of leaving out a symbol now and then
DONE = 1  # cells that are left when somebody who wants to end the game surely can


class Crowd(Record):
    """The others: the cells that are taken on their grids, and how many they are."""

    taken: Annotated[Words, MOST_SEATS]
    others: Annotated[Numbers, 1]


@compiled
def filled(taken: np.uint64, formation: int, stream: Stream) -> np.uint64:
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
def fill_up(crowd: Crowd, formation: int, stream: Stream) -> None:
    """Let the others write."""
    for other in range(crowd.others[0]):
        if below(stream, PAUSES) > 0:
            crowd.taken[other] = filled(crowd.taken[other], formation, stream)


@apart
def least_live(work: Work, crowd: Crowd) -> int:
    """Return how many cells can still be written on that grid of the others which is nearest to its end."""
    least = CELL_COUNT
    for other in range(crowd.others[0]):
        least = min(least, live_cells(work, (crowd.taken[other], EMPTY, EMPTY)))
    return least


@apart
def judge_form(work: Work, grid: Grid, haste: int, move: int, judged: Judgement, worths: Floats) -> float:
    """Note what every placement of one arrangement makes of a grid, as for a roll; return the most, or `NOTHING`."""
    formation, sequence, most = move // SEQUENCE_COUNT, move % SEQUENCE_COUNT, NOTHING
    held, taken = prepare(work, grid, judged), grid[0] | grid[1] | grid[2]
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
                worths[footprint, filling] = judge_filling(work, grid, haste, footprint, filling, held, judged)
            most = max(most, worths[footprint, filling])
    return most


@compiled
def best_of_roll(now: Round, roll: int) -> int:
    """Return the arrangement of a roll that is best for the seat that was judged."""
    best = 0
    for form in range(FORMATION_COUNT * ARRANGEMENT_COUNTS[roll]):
        if now.best[0, form] > now.best[0, best]:
            best = form
    return FORMS[roll, best]


@apart
def own_form(
    work: Work, grid: Grid, now: Round, haste: int, roll: int, judged: Judgement, worths: Floats
) -> tuple[int, float, int]:
    """Return one's own arrangement of a roll, what it makes of the grid, and which of `worths` tells how."""
    judge_all(work, grid, haste, 0, roll, judged, worths[0])
    note_best(now, 0, roll, worths[0])
    most = NOTHING
    for form in range(FORMATION_COUNT * ARRANGEMENT_COUNTS[roll]):
        most = max(most, now.best[0, form])
    return best_of_roll(now, roll), most, 0


@apart
def others_form(
    work: Work, grid: Grid, haste: int, roll: int, judged: Judgement, worths: Floats, stream: Stream
) -> tuple[int, float, int]:
    """Return the same of somebody else's arrangement, the less useful of any two."""
    forms = FORMATION_COUNT * ARRANGEMENT_COUNTS[roll]
    one, other = FORMS[roll, below(stream, forms)], FORMS[roll, below(stream, forms)]
    first = judge_form(work, grid, haste, one, judged, worths[0])
    second = judge_form(work, grid, haste, other, judged, worths[1])
    if first < second:
        return one, first, 0
    return other, second, 1


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
def write_form(trail: Trail, turn: int, move: int, most: float, sway: float, worths: Floats, stream: Stream) -> None:
    """Write an arrangement that makes so much of the grid at best, or otherwise than best."""
    trail.best[turn] = most
    reply = likely_reply(worths, move, sway, stream)
    trail.strayed[turn] = worths[reply // FILLING_COUNT, reply % FILLING_COUNT] < most
    write_reply(trail, reply)


@apart
def play_in_crowd(
    work: Work,
    trail: Trail,
    crowd: Crowd,
    now: Round,
    stray: int,
    sway: float,
    judged: Judgement,
    worths: Floats,
    stream: Stream,
) -> int:
    """Play a game among others, so many rounds through noise; return its rounds."""
    take_card(trail, stream)
    for other in range(crowd.others[0]):
        crowd.taken[other] = bit(PRINTED_BITS[0])
    seats = 1 + crowd.others[0]
    seat, turn, live = below(stream, seats), 0, CELL_COUNT
    remember(work, trail, 0, HASTES[live], 0)
    while trail.over[turn] == 0:
        haste, roll, grid = HASTES[live], weighted(stream, ROLL_WEIGHTS, len(ROLL_WEIGHTS)), grid_of(trail)
        if turn % seats == seat:
            move, most, place = own_form(work, grid, now, haste, roll, judged, worths)
        else:
            move, most, place = others_form(work, grid, haste, roll, judged, worths, stream)
        trail.best[turn] = worth_of(work, grid, haste, 0, judged)
        if most > NOTHING:
            write_form(trail, turn, move, most, sway if turn < stray else 0.0, worths[place], stream)
        fill_up(crowd, move // SEQUENCE_COUNT, stream)
        live, turn = least_live(work, crowd), turn + 1
        remember(work, trail, turn, haste, 0)
        if live <= DONE or turn == MOST_TURNS - 1:
            trail.over[turn] = 1
    return turn


@apart
def learn_in_crowd(
    work: Work,
    trail: Trail,
    crowd: Crowd,
    now: Round,
    games: int,
    rate: float,
    judged: Judgement,
    experience: Experience,
    worths: Floats,
    stream: Stream,
) -> None:
    """Play games among one to three others and learn from each."""
    for _ in range(games):
        crowd.others[0] = 1 + below(stream, MOST_SEATS - 1)
        stray, sway = some_stray(stream), some_sway(stream)
        turns = play_in_crowd(work, trail, crowd, now, stray, sway, judged, worths, stream)
        look_back(trail, turns, rate, judged, experience)
