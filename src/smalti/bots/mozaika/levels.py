"""Eight levels for Mozaika, from one who has just heard the rules to the strongest.

Weak ones err like people: they see what counts now and little of what may come, they overlook cells away from their
tiles, they misjudge the same things all game long, and they do not tell apart what is nearly as good.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp
from random import Random
from typing import NamedTuple

import numpy as np

from smalti.bots.bot import Budget, Seen, Thought, levels
from smalti.bots.mozaika.evaluate.features import (
    COIN,
    FLIES,
    HOPE,
    PARTITION,
    PURSE,
    ROW,
    ROWS,
    STRUCTURE,
    SUPPLY,
    Floats,
    first_weights,
)
from smalti.bots.mozaika.search.context import SeatContext, Style, learned
from smalti.bots.mozaika.strongest import decide, think
from smalti.games.mozaika.tables import BESIDE, CELLS, COINS_PER_POINT, LAY, LAYING

POINTS, PROSPECTS, EXPERIENCE = range(3)  # judging by what counts now, by what can become of it, by what was learned

STYLE = Style(balance_rounds=300, bid_samples=100, bids_ahead=False, envy=0.2)


class Level(NamedTuple):
    """How a level thinks: what it judges boards by, how surely, and how far it looks ahead."""

    judges_by: int
    blur: float  # points by which each feature of a board is misjudged, for the whole game
    notice: float  # share of the cells away from one's tiles that are noticed
    care: float  # points that are hardly told apart
    cap: float  # points that a move may seem worse than the best, and still be played
    nodes: int  # looked at ahead
    style: Style = STYLE


LEVELS = {
    1: Level(POINTS, 0.05, 0.6, 0.4, 2.5, 1),
    2: Level(PROSPECTS, 0.28, 0.55, 0.7, 3.5, 1),
    3: Level(PROSPECTS, 0.15, 0.7, 0.4, 2.5, 1),
    4: Level(PROSPECTS, 0.065, 0.8, 0.25, 1.9, 1),
    5: Level(EXPERIENCE, 0.25, 1.0, 0.57, 2.25, 1),
    6: Level(EXPERIENCE, 0.165, 1.0, 0.36, 1.65, 1),
    7: Level(EXPERIENCE, 0.02, 1.0, 0.06, 0.5, 1),
    8: Level(EXPERIENCE, 0.0, 1.0, 0.0, 0.0, 3000, Style()),
}
ROUNDS_OF_ATTENTION = 3  # after which other cells are noticed


def level(seen: Seen, number: int) -> Thought:
    """Let somebody of a level from 1 to 8 think."""
    how = LEVELS[number]
    if how.nodes > 1:
        return think(seen, Budget(nodes=how.nodes), how.style)
    weights = weights_of(int(seen.table.seats), how.judges_by, how.blur, seen.seed << 3 | seen.seat)
    thought = decide(SeatContext(seen, how.style, weights), Budget(nodes=how.nodes))
    return Thought(one_of(thought, seen, how), thought.choices, thought.is_proved, thought.nodes)


@lru_cache(maxsize=16)
def weights_of(seats: int, judges_by: int, blur: float, person: int) -> Floats:
    """Return the weights that a person of a level judges by, who misjudges the same things all game long."""
    weights = points_only() if judges_by == POINTS else first_weights() if judges_by == PROSPECTS else learned(seats)[0]
    errors = np.random.default_rng(person).standard_normal((ROWS, ROW), np.float32)
    errors[:, COIN:FLIES] = 0
    errors *= blur * np.linspace(1, 0.2, ROWS, dtype=np.float32)[:, None]
    return weights + errors.ravel()


def points_only() -> Floats:
    """Return weights that count what is complete, and coins as if it were the last round."""
    rows = first_weights().reshape(ROWS, ROW)
    rows[:, STRUCTURE:SUPPLY] = rows[-1, STRUCTURE:SUPPLY]
    rows[:-1, PARTITION:HOPE] = 0
    rows[:, COIN:PURSE] = np.arange(PURSE - COIN) / COINS_PER_POINT
    return rows.ravel()


def is_noticed(seen: Seen, move: int, how: Level) -> bool:
    """Say whether somebody notices a lay: beside their tiles always, elsewhere at times."""
    if seen.table.phase != LAYING:
        return True
    cell, taken = (move - LAY) % CELLS, int(np.bitwise_or.reduce(seen.table.colours[seen.seat]))
    if int(BESIDE[cell]) & taken:
        return True
    when = int(seen.table.round_number) // ROUNDS_OF_ATTENTION
    return Random(f"{seen.seed} {when} {cell}").random() < how.notice


def one_of(thought: Thought, seen: Seen, how: Level) -> int:
    """Return one of the moves that are noticed and seem good, the better ones more often."""
    choices = [choice for choice in thought.choices if is_noticed(seen, choice.move, how)] or list(thought.choices)
    best = max(choice.worth for choice in choices)
    good = [choice for choice in choices if best - choice.worth <= how.cap]
    return seen.luck.choices([choice.move for choice in good], [exp((one.worth - best) / how.care) for one in good])[0]


BOTS = levels("mozaika", level, {number: how.nodes for number, how in LEVELS.items()})
