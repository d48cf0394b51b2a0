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
from smalti.bots.mosaix import judgement
from smalti.bots.mosaix.alone import SHOWN, Meter, empty_cells, grid_at, think_alone, to_arrange, to_write
from smalti.bots.mosaix.among import TOGETHER, Desk, cells_left, lead, players_at, think_among
from smalti.bots.mosaix.beginner import points_only, simple_judgement
from smalti.bots.mosaix.chances import chance_alone, chance_among
from smalti.bots.mosaix.company import FORMATION_COUNT, note_best
from smalti.bots.mosaix.features import Grid, Judgement, Work
from smalti.bots.mosaix.footprints import FOOTPRINT_COUNT, FOOTPRINTS
from smalti.bots.mosaix.lookahead import FITS, judge_all
from smalti.bots.mosaix.scan import NOTHING, Floats, points_of
from smalti.engine.bits import neighbours
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, DICE, FORMING, FORMS, PASS, STOP

POINTS, PROSPECTS, EXPERIENCE = range(3)  # eyes for what counts now, for areas that can grow, for what usually becomes
ALONE = 1


class Level(NamedTuple):
    """How somebody thinks: what they have an eye for, how surely they judge, and how much they look ahead."""

    eyes: int
    notice: float  # share of the places away from one's symbols that are noticed
    opinion: float  # points by which a place is misjudged, for the whole game
    care: float  # points that are hardly told apart
    cap: float  # points that a move may seem worse than the best, and still be played
    envy: float  # what the others' gain of an arrangement counts, against one's own
    nodes: int = 0  # if none of the above blurs the judgement: grids judged alone
    each: int = 0  # and, among others, grids judged for each seat


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
    how, is_alone = LEVELS[number], int(seen.table.seats) == 1
    if how.nodes and is_alone:
        return think_alone(seen, Budget(nodes=how.nodes))
    if how.each:
        return think_among(seen, Budget(nodes=how.each * int(seen.table.seats)))
    if seen.legal == [PASS]:
        return Thought(PASS, ())
    return blurred_alone(seen, how) if is_alone else blurred_among(seen, how)


@cache
def sight(eyes: int, alone: int) -> Judgement:
    """Return how somebody with these eyes judges grids."""
    if eyes == EXPERIENCE:
        return judgement.alone() if alone else judgement.together()
    return simple_judgement() if eyes == PROSPECTS else points_only()


# --- Alone


def blurred_alone(seen: Seen, how: Level) -> Thought:
    """Judge what is noticed, and choose among what seems good; stop when all of it seems to lose."""
    table, grid, room = seen.table, grid_at(seen.table, 0), int(seen.table.boxes)
    worths = np.zeros((FOOTPRINT_COUNT, FITS + 1))
    nodes = judge_all(Work.blank(), grid, room, ALONE, int(table.dice), sight(how.eyes, ALONE), worths)
    worths = blurred(worths, grid, seen, how)
    if table.phase == FORMING:
        found = to_arrange(int(table.dice), worths)
    else:
        found = to_write(int(table.formation), int(table.arrangement), worths)
    believed: dict[int, float] = {}
    for one in found:
        believed.setdefault(one.move, one.worth)
    left = max(0, empty_cells(grid) - DICE)
    points = points_of(grid, room, ALONE)
    if table.phase == FORMING and (not believed or max(believed.values()) < points - how.care):
        return Thought(STOP, (Choice(STOP, points, chance_alone(points, 0)),), nodes=nodes)
    choices = [Choice(move, worth, chance_alone(worth, left)) for move, worth in believed.items()]
    return told(choices, seen, how, nodes)


# --- Among others


def blurred_among(seen: Seen, how: Level) -> Thought:
    """Judge one's own grid, and when arranging a little of what the others get out of it."""
    desk = Desk(sight(how.eyes, TOGETHER), Meter(Budget(nodes=1)))
    players, roll = players_at(seen.table), int(seen.table.dice)
    for seat, player in enumerate(players):
        desk.worths[seat] = blurred(desk.judge(player, seat, roll), player.grid, seen, how)
        note_best(desk.now, seat, roll, desk.worths[seat])
    choices = arranged(seen, desk, how) if seen.table.phase == FORMING else placed(seen, desk)
    return told(choices, seen, how, desk.meter.nodes)


def arranged(seen: Seen, desk: Desk, how: Level) -> list[Choice]:
    """List arrangements that the seat can write itself, as it sees them; all of them if it can write none."""
    roll, seats = int(seen.table.dice), int(seen.table.seats)
    left = cells_left(players_at(seen.table))
    choices, others = [], [other for other in range(seats) if other != seen.seat]
    now = desk.now.now[:seats]
    for form in range(FORMATION_COUNT * int(ARRANGEMENT_COUNTS[roll])):
        best = desk.now.best[:seats, form]
        if best[seen.seat] > NOTHING:
            worths = np.where(best > NOTHING, best, now)
            worths[others] = now[others] + how.envy * (worths[others] - now[others])
            expected = worths.tolist()
            chance = chance_among(expected, seen.seat, left)
            choices.append(Choice(int(FORMS[roll, form]), lead(expected, seen.seat), chance))
    return choices or [Choice(move, lead(now.tolist(), seen.seat), 1 / seats) for move in seen.legal]


def placed(seen: Seen, desk: Desk) -> list[Choice]:
    """List what the seat can write, as it sees it."""
    table, seats = seen.table, int(seen.table.seats)
    left = cells_left(players_at(table))
    worths, choices = desk.now.now[:seats].tolist(), []
    for one in to_write(int(table.formation), int(table.arrangement), desk.worths[seen.seat]):
        worths[seen.seat] = one.worth
        choices.append(Choice(one.move, lead(worths, seen.seat), chance_among(worths, seen.seat, left)))
    return choices or placed_anywhere(seen)


def placed_anywhere(seen: Seen) -> list[Choice]:
    """List all that is legal as equally good: nothing that was noticed fits."""
    return [Choice(move, 0.0, 1 / int(seen.table.seats)) for move in seen.legal]


# --- Erring


def blurred(worths: Floats, grid: Grid, seen: Seen, how: Level) -> Floats:
    """Return worths as somebody sees them: without the places they overlook, moved by what they like."""
    luck = np.random.default_rng([seen.seed % (1 << 63), seen.seat])
    likes, eyes = luck.standard_normal(FOOTPRINT_COUNT), luck.random(FOOTPRINT_COUNT)
    seems = np.where(worths > NOTHING, worths + how.opinion * likes[:, None], NOTHING)
    near = (FOOTPRINTS & np.uint64(neighbours(grid[0] | grid[1] | grid[2]))) != 0
    is_noticed = near | (eyes < how.notice)
    fits = worths[:, FITS] > NOTHING
    seems[:, FITS] = np.where(is_noticed & fits if (is_noticed & fits).any() else fits, 0.0, NOTHING)
    return seems


def told(choices: list[Choice], seen: Seen, how: Level, nodes: int) -> Thought:
    """Choose one of the moves that seem good, the better ones more often."""
    choices = sorted(choices, key=lambda choice: -choice.worth)
    best = choices[0].worth
    good = [choice for choice in choices if best - choice.worth <= how.cap]
    odds = [exp((choice.worth - best) / how.care) for choice in good]
    chosen = seen.luck.choices(good, odds)[0]
    return Thought(chosen.move, tuple(choices[:SHOWN]), nodes=nodes)


BOTS = levels("mosaix", level, {number: how.each for number, how in LEVELS.items()})
