"""What a seat of Mozaika can expect as the table stands: before a draw, after it, after the bids, after laying."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from smalti import games
from smalti.bots.mozaika.evaluate.win_probability import Expected, final, lead, win_probability
from smalti.bots.mozaika.search.context import RoundEvaluator, learned
from smalti.engine.chance import stream_of
from smalti.engine.record import tables_of
from smalti.engine.rules import CHANCE, acting
from smalti.games.mozaika.tables import OVER

DRAWS = 100  # that stand for all there can be
ROUNDS_OF_BALANCE = 200


def expected(table: bytes, seat: int) -> Expected:
    """Return what a seat can expect; before a draw, on average over draws."""
    return expected_by_all(table)[seat]


@lru_cache(maxsize=64)
def expected_by_all(table: bytes) -> list[Expected]:
    """Return what every seat can expect; remembered, because all of them ask."""
    game = games.find("mozaika")
    now = tables_of(table, game.table.dtype)[0]
    seats = range(int(now.seats))
    if now.phase == OVER:
        return final(now)
    weights, spreads = learned(len(seats))
    evaluator, spread = RoundEvaluator(game, len(seats), weights, 1), float(spreads[max(1, int(now.round_number))])
    draws = DRAWS if acting(now) == CHANCE else 1
    totals = np.zeros((len(seats), 2))
    for draw in range(draws):
        evaluator.tables[0] = now
        means = evaluator.expected(ROUNDS_OF_BALANCE, stream_of(0, draw))
        totals += [(lead(means, seat, spread), win_probability(means, seat, spread)) for seat in seats]
    return [Expected(float(worth) / draws, float(share) / draws) for worth, share in totals]
