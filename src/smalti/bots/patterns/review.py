"""What a table of Patterns is worth before anybody has decided anything: the luck of the setup and of the seat."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from smalti import games
from smalti.bots.bot import Budget, Seen
from smalti.bots.patterns.chances import chance_of
from smalti.bots.patterns.thinking import think
from smalti.engine.record import tables_of
from smalti.engine.rules import score
from smalti.games.patterns.tables import DEALING, OVER, SEATS

USUAL = Budget(nodes=1_000_000)


class Expected(NamedTuple):
    """What seat 0 may expect."""

    worth: float  # points ahead at the end
    chance: float  # of winning; a tie is half a win
    is_proved: bool = False


# Of the one who begins, before the deal: measured in games of the strongest bot against itself.
UNDEALT = Expected(1.0, 0.6)


def expected(table: bytes, budget: Budget = USUAL) -> Expected:
    """Return what seat 0 may expect if both play well from here on."""
    game = games.find("patterns")
    now = tables_of(table, game.table.dtype)[0]
    if now.phase == DEALING:
        return UNDEALT
    if now.phase == OVER:
        return final(now)
    seat = int(now.turn)
    thought = think(Seen(game, table, seat, 0), budget)
    best, sign = thought.choices[0], 1 - 2 * seat
    return Expected(sign * best.worth, 0.5 + sign * (best.chance - 0.5), thought.is_proved)


def final(table: Any) -> Expected:
    """Return what came out."""
    scores = np.zeros(SEATS, np.int32)
    score(table, scores)
    lead = int(scores[0] - scores[1])
    return Expected(lead, chance_of(lead, 0, True), True)
