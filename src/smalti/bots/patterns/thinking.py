"""The strongest bot for Patterns: it reads ahead, deeper and deeper, as long as its budget lasts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from smalti.bots.bot import UNLIMITED, Budget, Choice, Seen, Thought
from smalti.bots.patterns.chances import chance_of, lead_of, stage_of
from smalti.bots.patterns.reader import Reader, Worth
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import legal, play, score
from smalti.games.patterns.tables import FLIPPING, GIVING, SEATS

USUAL = Budget(seconds=1.0)
CHOICES = 4  # that are told, as far as the budget goes
FOR_THE_BEST = 0.9  # of the budget; the rest is for the other choices


def think(seen: Seen, budget: Budget) -> Thought:
    """Return the best move, and a few others."""
    budget = USUAL if budget == UNLIMITED else budget
    if seen.table.phase == FLIPPING:
        return flip_all(seen)
    if seen.table.phase == GIVING:
        return give_best(seen, budget)
    return read_best(seen, budget)


def share(budget: Budget, part: float) -> Budget:
    """Return a part of a budget."""
    return Budget(budget.seconds * part, int(budget.nodes * part))


def read_best(seen: Seen, budget: Budget) -> Thought:
    """Read ahead, and return the best moves with what they are worth."""
    reader = Reader(seen.tables, budget)
    reader.allow(share(budget, FOR_THE_BEST))
    reader.deepen()
    reader.allow(budget)
    return told(seen, reader.ranked(CHOICES), reader.used)


def told(seen: Seen, worths: Sequence[Worth], used: int) -> Thought:
    """Tell what was found out, in points and chances."""
    stage = stage_of(seen.table)
    return Thought(worths[0][0], tuple(choice(*worth, stage) for worth in worths), worths[0][2], used)


def choice(move: int, worth: int, is_proved: bool, stage: int) -> Choice:
    """Tell what a move is worth in points and chances."""
    chance = chance_of(worth, stage, is_proved)
    return Choice(move, lead_of(worth, chance), chance)


def flip_all(seen: Seen) -> Thought:
    """Flip one tile after the other: every flip scores. (PT-11)"""
    first, scores = seen.moves[0], np.zeros(SEATS, np.int32)
    table, moves = after(seen, first)[0], seen.game.buffers()[0]
    while table.phase == FLIPPING:
        legal(table, seen.seat, moves)
        play(table, seen.seat, int(moves[0]))
    score(table, scores)
    lead = int(scores[seen.seat] - scores[1 - seen.seat])
    return Thought(first, (Choice(first, lead, chance_of(lead, 0, True)),), True, 1)


def give_best(seen: Seen, budget: Budget) -> Thought:
    """Give the start tiles so that the opponent, who begins, has the least of it. (PT-3)"""
    worths, used = list[Worth](), 0
    for move in seen.legal:
        reader = Reader(after(seen, move), share(budget, 1 / len(seen.legal)))
        reader.deepen()
        worths.append((move, -reader.worth, reader.is_proved))
        used += reader.used
    return told(seen, sorted(worths, key=lambda worth: -worth[1]), used)


def after(seen: Seen, move: int) -> Any:
    """Return the table after a move, as an array of one."""
    tables = tables_of(bytes_of(seen.table), seen.game.table.dtype)
    play(tables[0], seen.seat, move)
    return tables
