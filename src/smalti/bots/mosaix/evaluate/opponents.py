"""Multiplayer evaluation, compiled: what every seat can make of an arrangement, and of a roll to come."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from smalti.bots.mosaix.evaluate.batch import FITS, NOTHING, Floats
from smalti.bots.mosaix.evaluate.features import Numbers, Reals
from smalti.bots.mosaix.evaluate.footprints import (
    EVERY_ROLL,
    FILLING_COUNT,
    PLACING_FACTORS,
    PLACING_FOOTPRINTS,
    PLACING_FORMATIONS,
    WAYS,
)
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, DICE, DIE_SYMBOLS, FORMATIONS, FORMS, ROLL_WEIGHTS, SEQUENCES

MOST_SEATS, MOST_FORMS = 4, 84
FORMATION_COUNT, SEQUENCE_COUNT = len(FORMATIONS), len(SEQUENCES)
# How far the other grids are from their end, by the cells to be written on the one that is nearest, from 0 to 8.
HASTES = np.array([*[0] * 3, *[1] * 3, *[2] * 3, *[3] * 4, *[4] * 5, *[5] * 6, *[6] * 8, *[7] * 9, *[8] * 9], np.int64)


class Round(Record):
    """Scratch buffers for a round: what each seat can make of each arrangement."""

    best: Annotated[Reals, MOST_SEATS, MOST_FORMS]
    replies: Annotated[Numbers, MOST_SEATS, MOST_FORMS]
    now: Annotated[Reals, MOST_SEATS]  # what the grids are worth as they are


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
def gain_of(now: Round, seat: int, form: int) -> float:
    """Return what an arrangement makes of a seat's grid, which stays as it is if nothing fits."""
    return now.best[seat, form] if now.best[seat, form] > NOTHING else now.now[seat]


@compiled
def own_choice(now: Round, seat: int, forms: int) -> float:
    """Return what a seat makes of its own roll."""
    best = NOTHING
    for form in range(forms):
        best = max(best, now.best[seat, form])
    return best if best > NOTHING else now.now[seat]


@compiled
def others_choice(now: Round, seat: int, forms: int) -> float:
    """Return what a seat may expect of somebody else's roll: the less useful of any two arrangements, on average."""
    total = 0.0
    for form in range(forms):
        gain = gain_of(now, seat, form)
        for other in range(forms):
            total += min(gain, gain_of(now, seat, other))
    return total / (forms * forms)


@apart
def outlook_multiplayer(now: Round, seat: int, roller: int, worths: Floats) -> float:
    """Return what a seat's grid is worth before a roll, given what every filling of every roll makes of it."""
    total = 0.0
    for roll in range(EVERY_ROLL):
        note_best(now, seat, roll, worths)
        forms = FORMATION_COUNT * ARRANGEMENT_COUNTS[roll]
        chosen = own_choice(now, seat, forms) if roller == seat else others_choice(now, seat, forms)
        total += ROLL_WEIGHTS[roll] * chosen
    return total / WAYS
