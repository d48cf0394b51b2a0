"""The strongest bot for Patterns: principal variation search with learned weights, as deep as its budget goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from smalti.bots.bot import UNLIMITED, Budget, Choice, Seen, Thought
from smalti.bots.patterns.evaluate.win_probability import expected_lead, stage_of, win_probability
from smalti.bots.patterns.search.iterative_deepening import DeepeningSearch, RankedMove
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import legal, play, score
from smalti.games.patterns.tables import FLIPPING, GIVING, SEATS

USUAL = Budget(seconds=1.0)
CHOICES = 4  # that are returned, as far as the budget goes
FOR_THE_BEST = 0.9  # of the budget; the rest is for the other choices


def think(seen: Seen, budget: Budget) -> Thought:
    """Return the best move, and a few others."""
    budget = USUAL if budget == UNLIMITED else budget
    if seen.table.phase == FLIPPING:
        return flip_all(seen)
    if seen.table.phase == GIVING:
        return give_best(seen, budget)
    return search_best(seen, budget)


def share(budget: Budget, part: float) -> Budget:
    """Return a part of a budget."""
    return Budget(budget.seconds * part, int(budget.nodes * part))


def search_best(seen: Seen, budget: Budget) -> Thought:
    """Search, and return the best moves with what they are worth."""
    search = DeepeningSearch(seen.tables, budget)
    search.allow(share(budget, FOR_THE_BEST))
    search.deepen()
    search.allow(budget)
    return as_thought(seen, search.ranking(CHOICES), search.nodes)


def as_thought(seen: Seen, ranking: Sequence[RankedMove], nodes: int) -> Thought:
    """Return what a search has found as a thought, in points and chances; the first move is the one to play."""
    stage, chosen = stage_of(seen.table), ranking[0]
    return Thought(chosen.move, tuple(as_choice(ranked, stage) for ranked in ranking), chosen.is_proved, nodes)


def as_choice(ranked: RankedMove, stage: int) -> Choice:
    """Return a move with its worth in points and the chance of winning."""
    chance = win_probability(ranked.worth, stage, ranked.is_proved)
    return Choice(ranked.move, expected_lead(ranked.worth, chance), chance)


def flip_all(seen: Seen) -> Thought:
    """Flip one tile after the other: every flip scores. (PT-11)"""
    first, scores = seen.moves[0], np.zeros(SEATS, np.int32)
    table, moves = tables_after(seen, first)[0], seen.game.buffers()[0]
    while table.phase == FLIPPING:
        legal(table, seen.seat, moves)
        play(table, seen.seat, int(moves[0]))
    score(table, scores)
    lead = int(scores[seen.seat] - scores[1 - seen.seat])
    return Thought(first, (Choice(first, lead, win_probability(lead, 0, True)),), True, 1)


def give_best(seen: Seen, budget: Budget) -> Thought:
    """Give the start tiles so that the opponent, who begins, has the least of it. (PT-3)"""
    ranking, nodes = list[RankedMove](), 0
    for move in seen.legal:
        search = DeepeningSearch(tables_after(seen, move), share(budget, 1 / len(seen.legal)))
        search.deepen()
        ranking.append(RankedMove(move, -search.worth, search.is_proved))
        nodes += search.nodes
    return as_thought(seen, sorted(ranking, key=lambda ranked: -ranked.worth), nodes)


def tables_after(seen: Seen, move: int) -> Any:
    """Return the table after a move, as an array of one."""
    tables = tables_of(bytes_of(seen.table), seen.game.table.dtype)
    play(tables[0], seen.seat, move)
    return tables
