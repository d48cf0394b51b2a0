"""Playing and learning among several, compiled: what everybody can make of an arrangement, and whole games."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from smalti.bots.mosaix.features import Judgement, Numbers, Reals, Work, live_cells
from smalti.bots.mosaix.footprints import (
    CELL_COUNT,
    EVERY_ROLL,
    FILLING_COUNT,
    FOOTPRINT_SIZES,
    PLACING_FACTORS,
    PLACING_FOOTPRINTS,
    PLACING_FORMATIONS,
)
from smalti.bots.mosaix.lessons import (
    FINE,
    MOST_TURNS,
    Experience,
    grid_of,
    look_back,
    noise,
    remember,
    some_stray,
    some_sway,
    take_card,
    write_reply,
)
from smalti.bots.mosaix.lookahead import FITS, WAYS, judge_all
from smalti.bots.mosaix.scan import NOTHING, Floats, worth_of
from smalti.engine.chance import Stream, below, weighted
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, DICE, DIE_SYMBOLS, FORMATIONS, FORMS, ROLL_WEIGHTS, SEQUENCES

Trails = npt.NDArray[Any]
Forms = npt.NDArray[np.int64]

MOST_SEATS, MOST_FORMS = 4, 84
MOST_HURRY = 8.0  # points
FORMATION_COUNT, SEQUENCE_COUNT = len(FORMATIONS), len(SEQUENCES)
# How far the other grids are from their end, by the cells to be written on the one that is nearest, from 0 to 8.
HASTES = np.array([*[0] * 3, *[1] * 3, *[2] * 3, *[3] * 4, *[4] * 5, *[5] * 6, *[6] * 8, *[7] * 9, *[8] * 9], np.int64)


class Round(Record):
    """Room for a round: what each seat can make of each arrangement."""

    best: Annotated[Reals, MOST_SEATS, MOST_FORMS]
    replies: Annotated[Numbers, MOST_SEATS, MOST_FORMS]
    now: Annotated[Reals, MOST_SEATS]  # what the grids are worth as they are
    hastes: Annotated[Numbers, MOST_SEATS]
    strays: Annotated[Numbers, MOST_SEATS]  # how many rounds a seat writes otherwise than best
    sways: Annotated[Reals, MOST_SEATS]
    hurries: Annotated[Reals, MOST_SEATS]  # what a written symbol is worth to a seat that wants to be done


@compiled
def filling_of(placing: int, sequence: int) -> int:
    """Return how the dice in this order fill what the placing covers."""
    filling = 0
    for die in range(DICE):
        filling += PLACING_FACTORS[placing, die] * DIE_SYMBOLS[sequence, die]
    return filling


@apart
def note_best(now: Round, seat: int, roll: int, worths: Floats) -> None:
    """Note a seat's best placement of each arrangement of a roll, given what every filling makes of its grid."""
    orders = ARRANGEMENT_COUNTS[roll]
    for form in range(FORMATION_COUNT * orders):
        now.best[seat, form] = NOTHING
    for placing in range(len(PLACING_FOOTPRINTS)):
        footprint, first = PLACING_FOOTPRINTS[placing], PLACING_FORMATIONS[placing] * orders
        if worths[footprint, FITS] > NOTHING:
            for order in range(orders):
                filling = filling_of(placing, FORMS[roll, order] % SEQUENCE_COUNT)
                if worths[footprint, filling] > now.best[seat, first + order]:
                    now.best[seat, first + order] = worths[footprint, filling]
                    now.replies[seat, first + order] = FILLING_COUNT * footprint + filling


@compiled
def lead_of(now: Round, seats: int, seat: int, form: int) -> float:
    """Return what an arrangement gives a seat, less what it gives the others on average.

    One that the seat cannot write itself is worth nothing to it; otherwise a game might never end. (R3)
    """
    lead = now.best[seat, form]
    for other in range(seats):
        if other != seat:
            gain = now.best[other, form] if now.best[other, form] > NOTHING else now.now[other]
            lead -= gain / (seats - 1)
    return lead


@compiled
def best_form(now: Round, seats: int, roller: int, roll: int) -> int:
    """Return the arrangement, counted among those of its roll, that is best for the roller."""
    chosen, most = 0, 2 * NOTHING
    for form in range(FORMATION_COUNT * ARRANGEMENT_COUNTS[roll]):
        lead = lead_of(now, seats, roller, form)
        if lead > most:
            chosen, most = form, lead
    return chosen


@apart
def likely_forms(now: Round, seats: int, roller: int, worths: Floats, forms: Forms) -> None:
    """Note for each roll the arrangement that its roller would choose; `worths` are by seat, footprint and filling."""
    for roll in range(EVERY_ROLL):
        for seat in range(seats):
            note_best(now, seat, roll, worths[seat])
        forms[roll] = best_form(now, seats, roller, roll)


@apart
def outlook_among(now: Round, seat: int, roller: int, worths: Floats, forms: Forms) -> float:
    """Return what a seat's grid is worth before a roll, if these are the arrangements that the roller will choose.

    Of its own roll a seat makes the best itself.
    """
    total = 0.0
    for roll in range(EVERY_ROLL):
        note_best(now, seat, roll, worths)
        best = now.best[seat, forms[roll]]
        if roller == seat:
            for form in range(FORMATION_COUNT * ARRANGEMENT_COUNTS[roll]):
                best = max(best, now.best[seat, form])
        total += ROLL_WEIGHTS[roll] * (best if best > NOTHING else now.now[seat])
    return total / WAYS


@compiled
def some_hurry(stream: Stream) -> float:
    """Return how much a seat hurries: half of them not at all, so that grids are judged well at any pace."""
    if below(stream, 2) == 0:
        return 0.0
    return MOST_HURRY * below(stream, FINE) / FINE


@compiled
def swayed_reply(worths: Floats, move: int, sway: float, hurry: float, stream: Stream) -> int:
    """Return the placement of an arrangement that looks best through noise, and in a hurry."""
    chosen, seeming = 0, NOTHING
    formation, sequence = move // SEQUENCE_COUNT, move % SEQUENCE_COUNT
    for placing in range(len(PLACING_FOOTPRINTS)):
        footprint = PLACING_FOOTPRINTS[placing]
        if PLACING_FORMATIONS[placing] == formation and worths[footprint, FITS] > NOTHING:
            filling = filling_of(placing, sequence)
            worth = worths[footprint, filling] + sway * noise(stream) + hurry * FOOTPRINT_SIZES[footprint]
            if worth > seeming:
                chosen, seeming = FILLING_COUNT * footprint + filling, worth
    return chosen


@compiled
def haste_of(work: Work, trails: Trails, seats: int, seat: int) -> int:
    """Return how far the other grid that is nearest to its end is from it."""
    least = CELL_COUNT
    for other in range(seats):
        if other != seat:
            least = min(least, live_cells(work, grid_of(trails[other])))
    return HASTES[least]


@apart
def judge_round(
    work: Work, trails: Trails, now: Round, seats: int, roll: int, judged: Judgement, worths: Floats
) -> None:
    """Note what each seat can make of a roll; `worths` are by seat, footprint and filling."""
    for seat in range(seats):
        grid, haste = grid_of(trails[seat]), haste_of(work, trails, seats, seat)
        now.hastes[seat] = haste
        now.now[seat] = worth_of(work, grid, haste, 0, judged)
        judge_all(work, grid, haste, 0, roll, judged, worths[seat])
        note_best(now, seat, roll, worths[seat])


@apart
def write_round(
    work: Work,
    trails: Trails,
    now: Round,
    seats: int,
    turn: int,
    roll: int,
    form: int,
    worths: Floats,
    stream: Stream,
) -> bool:
    """Let everybody write, some of them otherwise than best; say whether that was the last round. (MX-8)"""
    is_last = turn + 2 >= MOST_TURNS
    for seat in range(seats):
        trail = trails[seat]
        trail.best[turn] = now.now[seat]
        if now.best[seat, form] > NOTHING:
            trail.best[turn], reply = now.best[seat, form], now.replies[seat, form]
            sway = now.sways[seat] if turn < now.strays[seat] else 0.0
            if sway > 0 or now.hurries[seat] > 0:
                reply = swayed_reply(worths[seat], FORMS[roll, form], sway, now.hurries[seat], stream)
                trail.strayed[turn] = reply != now.replies[seat, form]
            write_reply(trail, reply)
        remember(work, trail, turn + 1, now.hastes[seat], 0)
        is_last = is_last or trail.over[turn + 1] == 1
    return is_last


@apart
def play_together(
    work: Work,
    trails: Trails,
    now: Round,
    seats: int,
    judged: Judgement,
    worths: Floats,
    stream: Stream,
) -> int:
    """Play a game among several; return its rounds."""
    for seat in range(seats):
        take_card(trails[seat], stream)
        remember(work, trails[seat], 0, HASTES[CELL_COUNT], 0)
    turn, is_last = 0, False
    while not is_last:
        roll = weighted(stream, ROLL_WEIGHTS, len(ROLL_WEIGHTS))
        judge_round(work, trails, now, seats, roll, judged, worths)
        form = best_form(now, seats, turn % seats, roll)
        is_last = write_round(work, trails, now, seats, turn, roll, form, worths, stream)
        turn += 1
    for seat in range(seats):
        trails[seat].over[turn] = 1
    return turn


@apart
def learn_together(
    work: Work,
    trails: Trails,
    now: Round,
    games: int,
    rate: float,
    judged: Judgement,
    experience: Experience,
    worths: Floats,
    stream: Stream,
) -> None:
    """Play games among two to four and learn from every seat's grid."""
    for _ in range(games):
        seats = 2 + below(stream, MOST_SEATS - 1)
        for seat in range(seats):
            now.strays[seat], now.sways[seat] = some_stray(stream), some_sway(stream)
            now.hurries[seat] = some_hurry(stream)
        turns = play_together(work, trails, now, seats, judged, worths, stream)
        for seat in range(seats):
            look_back(trails[seat], turns, rate, judged, experience)
