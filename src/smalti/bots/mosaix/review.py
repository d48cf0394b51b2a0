"""What a seat may expect at a table of Mosaix, by what was learned; before chance acts, the mean over what can come."""

from __future__ import annotations

from typing import Any

import numpy as np

from smalti import games
from smalti.bots.bot import Seen
from smalti.bots.mosaix.evaluate import value_function
from smalti.bots.mosaix.evaluate.batch import NOTHING
from smalti.bots.mosaix.evaluate.features import Work
from smalti.bots.mosaix.evaluate.footprints import EVERY_ROLL
from smalti.bots.mosaix.evaluate.opponents import FORMATION_COUNT, note_best
from smalti.bots.mosaix.evaluate.position import Position, points_of
from smalti.bots.mosaix.evaluate.win_probability import solo_win_probability
from smalti.bots.mosaix.search.endgame import FEW_EMPTY, Ending, solve
from smalti.bots.mosaix.search.lookahead import Memory, Search, find_replies
from smalti.bots.mosaix.strongest.multiplayer import Evaluator, Prospect, lead, note_round, positions_at, reply_of
from smalti.bots.mosaix.strongest.solo import (
    USUAL,
    Candidate,
    Expected,
    Meter,
    candidates,
    empty_cells,
    solo_position,
    solved_moves,
    stopped,
)
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import odds, play, score, winners
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, DEALING, DICE, FORMING, OVER, ROLL_WEIGHTS, ROLLING, WON


def expected(table: bytes, seat: int) -> Expected:
    """Return what a seat may expect if everybody plays well from here on."""
    tables = tables_of(table, games.find("mosaix").table.dtype)
    now = tables[0]
    if now.phase == OVER:
        return final(now, seat)
    if now.phase == DEALING:
        return before_cards(tables, seat)
    return expected_solo(now) if int(now.seats) == 1 else expected_multiplayer(now, seat)


def final(table: Any, seat: int) -> Expected:
    """Return what came out."""
    scores = np.zeros(4, np.int32)
    score(table, scores)
    points = scores[: int(table.seats)].tolist()
    if len(points) == 1:
        return Expected(points[0], float(points[0] >= WON))
    won = int(winners(table))
    return Expected(lead(points, seat), (won >> seat & 1) / won.bit_count())


def before_cards(tables: Any, seat: int) -> Expected:
    """Return the mean over the cards that the next seat can get, the last ones being any."""
    moves, weights = games.find("mosaix").buffers()
    found = []
    for number in range(int(odds(tables[0], moves, weights))):
        after = tables.copy()
        play(after[0], 0, int(moves[number]))
        while after[0].phase == DEALING:
            others, likely = games.find("mosaix").buffers()
            odds(after[0], others, likely)
            play(after[0], 0, int(others[0]))
        found.append((1, expected(after.tobytes(), seat)))
    return mean(found)


def mean(found: list[tuple[int, Expected]]) -> Expected:
    """Return the mean of what may come, by how often it does."""
    total = sum(weight for weight, _ in found)
    worth = sum(weight * one.worth for weight, one in found) / total
    return Expected(worth, sum(weight * one.chance for weight, one in found) / total)


# --- Solo


def expected_solo(table: Any) -> Expected:
    """Return what the best move leads to, or what the best moves do on average over the rolls."""
    position = solo_position(table)
    empty = empty_cells(position.grid)
    if empty <= FEW_EMPTY:
        return solved_solo(table, position)
    points, left = points_of(position), max(0, empty - DICE)
    if table.phase != ROLLING:
        found: list[Candidate] = candidates(table, position, value_function.solo(), Meter(USUAL))
        worth = max((one.worth for one in found), default=NOTHING)
        return best_solo(worth, points, left) if table.phase == FORMING else best_solo(worth, NOTHING, left)
    memory = Memory.blank()
    find_replies(Search(value_function.solo(), Work.blank(), memory, width=1, margin=0.0), position, 0)
    rolls = [(int(ROLL_WEIGHTS[roll]), float(memory.worths[0, roll, 0])) for roll in range(EVERY_ROLL)]
    return mean([(weight, best_solo(worth, points, left)) for weight, worth in rolls])


def solved_solo(table: Any, position: Position) -> Expected:
    """Return what comes of playing as well as possible, near the end, where that is known."""
    if table.phase == ROLLING:
        ending = Ending.blank()
        ending.most[0] = USUAL.nodes
        return Expected(*solve(ending, 0, position))
    found = solved_moves(Seen(games.find("mosaix"), bytes_of(table), 0, 0), position, Meter(USUAL)) or {}
    stopping = [stopped(points_of(position))] if table.phase == FORMING else []
    return max([*found.values(), *stopping])


def best_solo(worth: float, points: float, left: int) -> Expected:
    """Return what going on is worth, or stopping if that is more. (MX-12)"""
    if worth <= points:
        return Expected(points, float(points >= WON))
    return Expected(worth, solo_win_probability(worth, left))


# --- Multiplayer


def expected_multiplayer(table: Any, seat: int) -> Expected:
    """Return what comes of an arrangement that is written, or of those that the roller is likely to choose."""
    evaluator, positions = Evaluator(value_function.multiplayer(), Meter(USUAL)), positions_at(table)
    if table.phase not in (ROLLING, FORMING):
        return expectation(written_by_all(table, positions, evaluator), seat)
    for one, position in enumerate(positions):
        evaluator.judge(position, one, EVERY_ROLL)  # whatever was rolled, so that both phases agree to the last digit
    rolls = range(EVERY_ROLL) if table.phase == ROLLING else [int(table.dice)]
    found = [(int(ROLL_WEIGHTS[roll]), likely(evaluator, positions, int(table.roller), roll)) for roll in rolls]
    return mean([(weight, expectation(prospect, seat)) for weight, prospect in found])


def likely(evaluator: Evaluator, positions: list[Position], roller: int, roll: int) -> Prospect:
    """Return what comes of a roll if its roller arranges it well."""
    for seat in range(len(positions)):
        note_best(evaluator.now, seat, roll, evaluator.worths[seat])
    forms = range(FORMATION_COUNT * int(ARRANGEMENT_COUNTS[roll]))
    can_write = [form for form in forms if evaluator.now.best[roller, form] > NOTHING]
    prospects = note_round(evaluator, positions, can_write or list(forms))
    return max(prospects.values(), key=lambda one: expectation(one, roller).chance)


def written_by_all(table: Any, positions: list[Position], evaluator: Evaluator) -> Prospect:
    """Return what all grids are worth once everybody who has yet to write has done so."""
    found = [reply_of(table, seat, position, evaluator) for seat, position in enumerate(positions)]
    return evaluator.after_round(positions, [one.reply for one in found], [one.worth for one in found])


def expectation(prospect: Prospect, seat: int) -> Expected:
    """Return what these grids are worth to a seat."""
    return Expected(*prospect.choice(0, seat)[1:])
