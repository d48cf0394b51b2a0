"""Eight levels for Mosaix, from one who has just heard the rules to the strongest.

Weak ones err like people: they see what counts now and little of what may come, they overlook places away from what
they have written, they like or dislike places all game long, and they do not tell apart what is nearly as good.
"""

from __future__ import annotations

from functools import cache
from math import exp
from typing import NamedTuple

import numpy as np

from smalti.bots.bot import Budget, Choice, Seen, Thought, levels
from smalti.bots.mosaix.evaluate import value_function
from smalti.bots.mosaix.evaluate.batch import FITS, NOTHING, Floats, judge_all
from smalti.bots.mosaix.evaluate.features import Judgement, Work
from smalti.bots.mosaix.evaluate.footprints import FOOTPRINT_COUNT, FOOTPRINTS
from smalti.bots.mosaix.evaluate.opponents import FORMATION_COUNT, note_best
from smalti.bots.mosaix.evaluate.position import MULTIPLAYER, SOLO, Grid, points_of, taken_cells
from smalti.bots.mosaix.evaluate.win_probability import solo_win_probability, win_probability
from smalti.bots.mosaix.simple.hand_tuned import points_only, simple_judgement
from smalti.bots.mosaix.strongest.multiplayer import Evaluator, cells_left, lead, positions_at, think_multiplayer
from smalti.bots.mosaix.strongest.solo import (
    SHOWN,
    Meter,
    empty_cells,
    solo_position,
    think_solo,
    to_arrange,
    to_write,
)
from smalti.engine.bits import neighbours
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, DICE, FORMING, FORMS, PASS, STOP

POINTS, PROSPECTS, EXPERIENCE = range(3)  # judging by what counts now, by areas that can grow, by what was learned


class Level(NamedTuple):
    """How a level thinks: what it judges grids by, how surely, and how far it looks ahead."""

    judges_by: int
    notice: float  # share of the places away from one's symbols that are noticed
    opinion: float  # points by which a place is misjudged, for the whole game
    care: float  # points that are hardly told apart
    cap: float  # points that a move may seem worse than the best, and still be played
    envy: float  # what the others' gain of an arrangement counts, against one's own
    nodes: int = 0  # if none of the above blurs the judgement: grids judged in solo games
    each: int = 0  # and, with several players, grids judged for each seat


LEVELS = {
    1: Level(POINTS, 0.1, 6.0, 6.0, 15.0, 0.0),
    2: Level(POINTS, 0.8, 0.5, 0.6, 3.0, 0.0),
    3: Level(PROSPECTS, 0.65, 1.8, 1.1, 4.5, 0.0),
    4: Level(PROSPECTS, 1.0, 0.5, 0.5, 2.0, 0.3),
    5: Level(EXPERIENCE, 1.0, 1.2, 0.75, 2.5, 0.5),
    6: Level(EXPERIENCE, 1.0, 0.0, 0.0, 0.0, 1.0, 1, 1),
    7: Level(EXPERIENCE, 1.0, 0.0, 0.0, 0.0, 1.0, 50_000, 6_000),
    8: Level(EXPERIENCE, 1.0, 0.0, 0.0, 0.0, 1.0, 3_000_000, 3_000_000),
}


def level(seen: Seen, number: int) -> Thought:
    """Let somebody of a level from 1 to 8 think."""
    how, is_solo = LEVELS[number], int(seen.table.seats) == 1
    if how.nodes and is_solo:
        return think_solo(seen, Budget(nodes=how.nodes))
    if how.each:
        return think_multiplayer(seen, Budget(nodes=how.each * int(seen.table.seats)))
    if seen.legal == [PASS]:
        return Thought(PASS, ())
    return blurred_solo(seen, how) if is_solo else blurred_multiplayer(seen, how)


@cache
def judgement_by(judges_by: int, is_solo: bool) -> Judgement:
    """Return the value function of a level that judges by this."""
    if judges_by == EXPERIENCE:
        return value_function.solo() if is_solo else value_function.multiplayer()
    return simple_judgement() if judges_by == PROSPECTS else points_only()


# --- Solo


def blurred_solo(seen: Seen, how: Level) -> Thought:
    """Judge what is noticed, and choose among what seems good; stop when all of it seems to lose."""
    table, position = seen.table, solo_position(seen.table)
    worths = np.zeros((FOOTPRINT_COUNT, FITS + 1))
    nodes = judge_all(Work.blank(), position, int(table.dice), judgement_by(how.judges_by, SOLO), worths)
    worths = blurred(worths, position.grid, seen, how)
    if table.phase == FORMING:
        found = to_arrange(int(table.dice), worths)
    else:
        found = to_write(int(table.formation), int(table.arrangement), worths)
    believed: dict[int, float] = {}
    for one in found:
        believed.setdefault(one.move, one.worth)
    left, points = max(0, empty_cells(position.grid) - DICE), points_of(position)
    if table.phase == FORMING and (not believed or max(believed.values()) < points - how.care):
        return Thought(STOP, (Choice(STOP, points, solo_win_probability(points, 0)),), nodes=nodes)
    choices = [Choice(move, worth, solo_win_probability(worth, left)) for move, worth in believed.items()]
    return blurred_thought(choices, seen, how, nodes)


# --- Multiplayer


def blurred_multiplayer(seen: Seen, how: Level) -> Thought:
    """Judge the own grid and, when arranging, partly what the others gain."""
    evaluator = Evaluator(judgement_by(how.judges_by, MULTIPLAYER), Meter(Budget(nodes=1)))
    positions, roll = positions_at(seen.table), int(seen.table.dice)
    for seat, position in enumerate(positions):
        evaluator.worths[seat] = blurred(evaluator.judge(position, seat, roll), position.grid, seen, how)
        note_best(evaluator.now, seat, roll, evaluator.worths[seat])
    choices = arranged(seen, evaluator, how) if seen.table.phase == FORMING else placed(seen, evaluator)
    return blurred_thought(choices, seen, how, evaluator.meter.nodes)


def arranged(seen: Seen, evaluator: Evaluator, how: Level) -> list[Choice]:
    """List arrangements that the seat can write itself, as it sees them; all of them if it can write none."""
    roll, seats = int(seen.table.dice), int(seen.table.seats)
    left = cells_left(positions_at(seen.table))
    choices, others = [], [other for other in range(seats) if other != seen.seat]
    now = evaluator.now.now[:seats]
    for form in range(FORMATION_COUNT * int(ARRANGEMENT_COUNTS[roll])):
        best = evaluator.now.best[:seats, form]
        if best[seen.seat] > NOTHING:
            worths = np.where(best > NOTHING, best, now)
            worths[others] = now[others] + how.envy * (worths[others] - now[others])
            expected = worths.tolist()
            chance = win_probability(expected, seen.seat, left)
            choices.append(Choice(int(FORMS[roll, form]), lead(expected, seen.seat), chance))
    return choices or [Choice(move, lead(now.tolist(), seen.seat), 1 / seats) for move in seen.legal]


def placed(seen: Seen, evaluator: Evaluator) -> list[Choice]:
    """List what the seat can write, as it sees it."""
    table, seats = seen.table, int(seen.table.seats)
    left = cells_left(positions_at(table))
    worths, choices = evaluator.now.now[:seats].tolist(), []
    for one in to_write(int(table.formation), int(table.arrangement), evaluator.worths[seen.seat]):
        worths[seen.seat] = one.worth
        choices.append(Choice(one.move, lead(worths, seen.seat), win_probability(worths, seen.seat, left)))
    return choices or placed_anywhere(seen)


def placed_anywhere(seen: Seen) -> list[Choice]:
    """List all that is legal as equally good: nothing that was noticed fits."""
    return [Choice(move, 0.0, 1 / int(seen.table.seats)) for move in seen.legal]


# --- Erring


def blurred(worths: Floats, grid: Grid, seen: Seen, how: Level) -> Floats:
    """Return worths as somebody sees them: without the places they overlook, moved by what they like."""
    luck = np.random.default_rng([seen.seed % (1 << 63), seen.seat])
    likes, attention = luck.standard_normal(FOOTPRINT_COUNT), luck.random(FOOTPRINT_COUNT)
    seems = np.where(worths > NOTHING, worths + how.opinion * likes[:, None], NOTHING)
    near = (FOOTPRINTS & np.uint64(neighbours(np.uint64(taken_cells(grid))))) != 0
    is_noticed = near | (attention < how.notice)
    fits = worths[:, FITS] > NOTHING
    seems[:, FITS] = np.where(is_noticed & fits if (is_noticed & fits).any() else fits, 0.0, NOTHING)
    return seems


def blurred_thought(choices: list[Choice], seen: Seen, how: Level, nodes: int) -> Thought:
    """Choose one of the moves that seem good, the better ones more often."""
    choices = sorted(choices, key=lambda choice: -choice.worth)
    best = choices[0].worth
    good = [choice for choice in choices if best - choice.worth <= how.cap]
    odds = [exp((choice.worth - best) / how.care) for choice in good]
    chosen = seen.luck.choices(good, odds)[0]
    return Thought(chosen.move, tuple(choices[:SHOWN]), nodes=nodes)


BOTS = levels("mosaix", level, {number: how.each for number, how in LEVELS.items()})
