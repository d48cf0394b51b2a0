"""What a seat may expect at a table of Mosaix, by what was learned; before chance acts, the mean over what can come."""

from __future__ import annotations

from typing import Any

import numpy as np

from smalti import games
from smalti.bots.bot import Seen
from smalti.bots.mosaix import judgement
from smalti.bots.mosaix.alone import (
    USUAL,
    Candidate,
    Expected,
    Meter,
    candidates,
    empty_cells,
    grid_at,
    solved_moves,
    stopped,
)
from smalti.bots.mosaix.among import Desk, Player, Prospect, lead, note_round, players_at, reply_of
from smalti.bots.mosaix.chances import chance_alone
from smalti.bots.mosaix.company import FORMATION_COUNT, note_best
from smalti.bots.mosaix.ending import ALONE, FEW_EMPTY, Ending, solve
from smalti.bots.mosaix.features import Grid, Work
from smalti.bots.mosaix.footprints import EVERY_ROLL
from smalti.bots.mosaix.lookahead import Ahead, find_replies
from smalti.bots.mosaix.scan import NOTHING, points_of
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import odds, play, score, winners
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, DEALING, DICE, FORMING, OVER, ROLL_WEIGHTS, ROLLING, WON

WAYS = int(ROLL_WEIGHTS.sum())


def expected(table: bytes, seat: int) -> Expected:
    """Return what a seat may expect if everybody plays well from here on."""
    tables = tables_of(table, games.find("mosaix").table.dtype)
    now = tables[0]
    if now.phase == OVER:
        return final(now, seat)
    if now.phase == DEALING:
        return before_cards(tables, seat)
    return expected_alone(now) if int(now.seats) == 1 else expected_among(now, seat)


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


# --- Alone


def expected_alone(table: Any) -> Expected:
    """Return what the best move leads to, or what the best moves do on average over the rolls."""
    grid, room = grid_at(table, 0), int(table.boxes)
    if empty_cells(grid) <= FEW_EMPTY:
        return known_alone(table, grid, room)
    points, left = points_of(grid, room, ALONE), max(0, empty_cells(grid) - DICE)
    if table.phase != ROLLING:
        found: list[Candidate] = candidates(table, grid, room, judgement.alone(), Meter(USUAL))
        worth = max((one.worth for one in found), default=NOTHING)
        return best_alone(worth, points, left) if table.phase == FORMING else best_alone(worth, NOTHING, left)
    ahead = Ahead.blank()
    find_replies(Work.blank(), ahead, 0, 1, grid, room, ALONE, judgement.alone())
    rolls = [(int(ROLL_WEIGHTS[roll]), float(ahead.worths[0, roll, 0])) for roll in range(EVERY_ROLL)]
    return mean([(weight, best_alone(worth, points, left)) for weight, worth in rolls])


def known_alone(table: Any, grid: Grid, room: int) -> Expected:
    """Return what comes of playing as well as possible, near the end, where that is known."""
    if table.phase == ROLLING:
        ending = Ending.blank()
        ending.most[0] = USUAL.nodes
        return Expected(*solve(ending, 0, grid, room))
    found = solved_moves(Seen(games.find("mosaix"), bytes_of(table), 0, 0), grid, room, Meter(USUAL)) or {}
    stopping = [stopped(points_of(grid, room, ALONE))] if table.phase == FORMING else []
    return max([*found.values(), *stopping])


def best_alone(worth: float, points: float, left: int) -> Expected:
    """Return what going on is worth, or stopping if that is more. (MX-12)"""
    if worth <= points:
        return Expected(points, float(points >= WON))
    return Expected(worth, chance_alone(worth, left))


# --- Among others


def expected_among(table: Any, seat: int) -> Expected:
    """Return what comes of an arrangement that is written, or of those that the roller is likely to choose."""
    desk, players = Desk(judgement.together(), Meter(USUAL)), players_at(table)
    if table.phase not in (ROLLING, FORMING):
        return told(written_by_all(table, players, desk), seat)
    for one, player in enumerate(players):
        desk.judge(player, one, EVERY_ROLL)  # whatever was rolled, so that both phases agree to the last digit
    rolls = range(EVERY_ROLL) if table.phase == ROLLING else [int(table.dice)]
    found = [(int(ROLL_WEIGHTS[roll]), likely(desk, players, int(table.roller), roll)) for roll in rolls]
    return mean([(weight, told(prospect, seat)) for weight, prospect in found])


def likely(desk: Desk, players: list[Player], roller: int, roll: int) -> Prospect:
    """Return what comes of a roll if its roller arranges it well."""
    for seat in range(len(players)):
        note_best(desk.now, seat, roll, desk.worths[seat])
    forms = range(FORMATION_COUNT * int(ARRANGEMENT_COUNTS[roll]))
    can_write = [form for form in forms if desk.now.best[roller, form] > NOTHING]
    prospects = note_round(desk, players, can_write or list(forms))
    return max(prospects.values(), key=lambda one: told(one, roller).chance)


def written_by_all(table: Any, players: list[Player], desk: Desk) -> Prospect:
    """Return what all grids are worth once everybody who has yet to write has done so."""
    found = [reply_of(table, seat, player, desk) for seat, player in enumerate(players)]
    return desk.after_round(players, [one.reply for one in found], [one.worth for one in found])


def told(prospect: Prospect, seat: int) -> Expected:
    """Say what these grids are worth to a seat."""
    return Expected(*prospect.choice(0, seat)[1:])
