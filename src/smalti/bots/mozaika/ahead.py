"""Looking a round ahead: what comes of some moves on average over draws that are the same for all of them."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import numpy.typing as npt

from smalti.bots.bot import Budget
from smalti.bots.mozaika.foresight import finish_round, look_ahead, move_on
from smalti.bots.mozaika.mind import SEATS, Mind
from smalti.bots.mozaika.winning import Means
from smalti.engine.chance import stream_of
from smalti.games.mozaika.tables import BID, BIDDING

DRAWS_A_DEAL = 16
FEWEST = 2  # candidates that are never given up
FIRST_CUT = 0.3  # of the budget, before the first candidates are given up


def ahead(mind: Mind, candidates: list[int], budget: Budget, fewest: int = FEWEST) -> dict[int, Means]:
    """Return what all can expect a round after each of these moves; the worse ones are given up on the way."""
    cut, left, first = FIRST_CUT, list(candidates), mind.nodes
    begin, draws, totals = perf_counter(), 0, np.zeros((len(left), SEATS))
    while True:
        spent = share_spent(mind.nodes - first if draws % DRAWS_A_DEAL == 0 else 0, perf_counter() - begin, budget)
        if spent >= 1 and draws:
            return {move: totals[number, : mind.seats] / draws for number, move in enumerate(left)}
        if draws % DRAWS_A_DEAL == 0:
            if spent > cut and draws and len(left) > fewest:
                kept, cut = best_half(mind, totals[:, : mind.seats] / draws), (1 + cut) / 2
                left, totals = [left[number] for number in kept], totals[kept]
            set_candidates(mind, left)
        draw_once(mind, len(left), draws, totals)
        draws += 1


def share_spent(nodes: int, seconds: float, budget: Budget) -> float:
    """Return which share of the budget has been used up."""
    return max(nodes / budget.nodes if budget.nodes else 0.0, seconds / budget.seconds if budget.seconds else 0.0)


def best_half(mind: Mind, means: npt.NDArray[np.float64]) -> list[int]:
    """Return the numbers of the better half of the candidates."""
    ranked = sorted(range(len(means)), key=lambda number: -mind.utility(means[number]))
    return sorted(ranked[: max(FEWEST, len(means) // 2)])


def draw_once(mind: Mind, candidates: int, draw: int, totals: npt.NDArray[np.float64]) -> None:
    """Add what all can expect after one draw, the same for all candidates."""
    streams = np.zeros(2, np.uint64)
    streams[:1] = stream_of(mind.seen.seed, mind.seen.number + draw)
    rounds, room = mind.style.ahead_rounds, (mind.weights, mind.worths, mind.moves, mind.odds)
    look_ahead(mind.tables, candidates, mind.desks, mind.auctions, rounds, *room, streams, mind.sums, totals)
    mind.nodes += candidates


def set_candidates(mind: Mind, candidates: list[int]) -> None:
    """Put the table after each of these moves into its place, at the end of the round."""
    mind.deal()
    spare = len(candidates) + 1
    mind.tables[spare] = mind.table
    for number, move in enumerate(candidates):
        mind.tables[0] = mind.tables[spare]
        if mind.table.phase == BIDDING:
            bid_first(mind)
        move_on(mind.table, mind.seat, move)
        finish_round(mind.tables, mind.desks, mind.weights, mind.worths)
        mind.tables[number + 1] = mind.tables[0]


def bid_first(mind: Mind) -> None:
    """Let everybody bid so that the seat picks first, and all keep what coins they can."""
    own = min(1, int(mind.table.coins[mind.seat]))
    for seat in range(mind.seats):
        move_on(mind.table, seat, BID + (own if seat == mind.seat else 0))
