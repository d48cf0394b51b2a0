"""What a seat of Mozaika can expect as the table stands: before a draw, after it, after the bids, after laying."""

from __future__ import annotations

import numpy as np

from smalti import games
from smalti.bots.mozaika.mind import SEATS, Room, learned
from smalti.bots.mozaika.winning import lead
from smalti.engine.chance import stream_of
from smalti.engine.record import tables_of
from smalti.engine.rules import CHANCE, acting, score
from smalti.games.mozaika.tables import OVER

DRAWS = 200  # that stand for all there can be
ROUNDS_OF_BALANCE = 200


def expected(table: bytes, seat: int) -> float:
    """Return how many points a seat can expect to be ahead of the best other; before a draw, on average over draws."""
    return expected_leads(table)[seat]


def expected_leads(table: bytes) -> list[float]:
    """Return for every seat how many points it can expect to be ahead of the best other."""
    game = games.find("mozaika")
    now = tables_of(table, game.table.dtype)[0]
    seats = range(int(now.seats))
    if now.phase == OVER:
        return final_leads(now)
    weights, spreads = learned(len(seats))
    room, spread = Room(game, len(seats), weights, 1), float(spreads[int(now.round_number)])
    draws = DRAWS if acting(now) == CHANCE else 1
    totals = np.zeros(len(seats))
    for draw in range(draws):
        room.tables[0] = now
        means = room.expected(ROUNDS_OF_BALANCE, stream_of(0, draw))
        totals += [lead(means, seat, spread) for seat in seats]
    return [float(total) / draws for total in totals]


def final_leads(table: object) -> list[float]:
    """Return what came out."""
    points = np.zeros(SEATS, np.int32)
    score(table, points)  # type: ignore[arg-type]
    scores = points.tolist()[: int(table.seats)]  # type: ignore[attr-defined]
    return [float(own - max(scores[:seat] + scores[seat + 1 :])) for seat, own in enumerate(scores)]
