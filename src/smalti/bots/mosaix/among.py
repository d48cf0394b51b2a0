"""Thinking among others: what an arrangement gives everybody, and where to write it with the next round in mind."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from smalti.bots.bot import Budget, Choice, Seen, Thought
from smalti.bots.mosaix import judgement
from smalti.bots.mosaix.alone import SHOWN, Candidate, Meter, grid_at, to_write
from smalti.bots.mosaix.chances import chance_among
from smalti.bots.mosaix.company import (
    FORMATION_COUNT,
    HASTES,
    MOST_SEATS,
    Round,
    likely_forms,
    note_best,
    outlook_among,
)
from smalti.bots.mosaix.features import Grid, Judgement, Work
from smalti.bots.mosaix.footprints import CELL_COUNT, EVERY_ROLL, FOOTPRINT_COUNT
from smalti.bots.mosaix.lookahead import FITS, judge_all, written
from smalti.bots.mosaix.scan import NOTHING, Floats, worth_of
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, DICE, FORMING, FORMS, PASS

TOGETHER = 0
AGAIN = 8  # placements that are looked at with the next round in mind
MARGIN = 6.0  # points that they may seem worse


class Player(NamedTuple):
    """A seat's grid and how far the fullest other one is from being full."""

    grid: Grid
    haste: int


def empty_cells(grid: Grid) -> int:
    """Return how many cells of a grid are empty."""
    return CELL_COUNT - int(grid[0] | grid[1] | grid[2]).bit_count()


def hastes_of(empties: list[int]) -> list[int]:
    """Return for each seat how far the fullest other grid is from being full."""
    return [int(HASTES[min(empties[:seat] + empties[seat + 1 :])]) for seat in range(len(empties))]


def players_at(table: Any) -> list[Player]:
    """Return all seats; whoever has written already counts as if not, since the round is the same for all."""
    grids = [grid_at(table, seat) for seat in range(int(table.seats))]
    waiting = int(table.waiting) if table.phase != FORMING else (1 << len(grids)) - 1
    ahead = [0 if waiting >> seat & 1 else DICE for seat in range(len(grids))]
    empties = [min(CELL_COUNT, empty_cells(grid) + more) for grid, more in zip(grids, ahead, strict=True)]
    return [Player(grid, haste) for grid, haste in zip(grids, hastes_of(empties), strict=True)]


class Desk:
    """Room to judge all grids of a table."""

    def __init__(self, judged: Judgement, meter: Meter) -> None:
        self.judged, self.meter = judged, meter
        self.work, self.now = Work.blank(), Round.blank()
        self.worths = np.zeros((MOST_SEATS, FOOTPRINT_COUNT, FITS + 1))

    def judge(self, player: Player, seat: int, roll: int) -> Floats:
        """Note and return what every filling of a roll makes of a seat's grid."""
        judged = judge_all(self.work, player.grid, player.haste, TOGETHER, roll, self.judged, self.worths[seat])
        self.meter.ahead.nodes[0] += judged
        self.now.now[seat] = worth_of(self.work, player.grid, player.haste, TOGETHER, self.judged)
        found: Floats = self.worths[seat]
        return found

    def best_reply(self, player: Player, seat: int, formation: int, arrangement: int) -> Candidate:
        """Return what a seat is likely to write, and what its grid is worth then; −1 if it cannot write."""
        now = float(worth_of(self.work, player.grid, player.haste, TOGETHER, self.judged))
        found = to_write(formation, arrangement, self.worths[seat])
        return found[0] if found else Candidate(0, now, PASS, -1)


def think_among(seen: Seen, budget: Budget) -> Thought:
    """Think about what to arrange, or where to write it."""
    desk = Desk(judgement.together(), Meter(budget))
    players = players_at(seen.table)
    if seen.table.phase == FORMING:
        return arrange(seen, players, desk)
    return write(seen, players, desk)


# --- Arranging


def arrange(seen: Seen, players: list[Player], desk: Desk) -> Thought:
    """Choose the arrangement that makes winning most likely, everybody writing it as well as possible."""
    roll, seats = int(seen.table.dice), len(players)
    for seat, player in enumerate(players):
        note_best(desk.now, seat, roll, desk.judge(player, seat, roll))
    left = max(0, empty_cells(players[seen.seat].grid) - DICE)
    choices = []
    for form in range(FORMATION_COUNT * int(ARRANGEMENT_COUNTS[roll])):
        best = [float(desk.now.best[seat, form]) for seat in range(seats)]
        worths = [worth if worth > NOTHING else float(desk.now.now[seat]) for seat, worth in enumerate(best)]
        can_write = best[seen.seat] > NOTHING
        chance = chance_among(worths, seen.seat, left)
        choices.append((can_write, Choice(int(FORMS[roll, form]), lead(worths, seen.seat), chance)))
    choices.sort(key=lambda choice: (not choice[0], -choice[1].chance))
    found = tuple(choice for _, choice in choices[:SHOWN])
    return Thought(found[0].move, found, nodes=desk.meter.nodes)


def lead(worths: list[float], seat: int) -> float:
    """Return by how much a seat is ahead of the best other one."""
    return worths[seat] - max(worths[:seat] + worths[seat + 1 :])


# --- Writing


def write(seen: Seen, players: list[Player], desk: Desk) -> Thought:
    """Choose where to write, with the next roll and its roller in mind."""
    table, seat = seen.table, seen.seat
    if seen.legal == [PASS]:
        return Thought(PASS, ())
    formation, arrangement, roll = int(table.formation), int(table.arrangement), int(table.dice)
    replies = []
    for other, player in enumerate(players):
        if int(table.waiting) >> other & 1:
            desk.judge(player, other, roll)
            replies.append(desk.best_reply(player, other, formation, arrangement))
        else:
            worth = float(worth_of(desk.work, player.grid, player.haste, TOGETHER, desk.judged))
            replies.append(Candidate(0, worth, PASS, -1))
    found = to_write(formation, arrangement, desk.worths[seat])
    found = with_next_round(seen, players, replies, found, desk)
    worths = [reply.worth for reply in replies]
    left = max(0, empty_cells(players[seat].grid) - DICE)
    choices = []
    for one in found[:SHOWN]:
        worths[seat] = min(one.worth, found[0].worth)
        choices.append(Choice(one.move, lead(worths, seat), chance_among(worths, seat, left)))
    return Thought(found[0].move, tuple(choices), nodes=desk.meter.nodes)


def with_next_round(
    seen: Seen, players: list[Player], replies: list[Candidate], found: list[Candidate], desk: Desk
) -> list[Candidate]:
    """Look at the best placements again: what will be left of them after the next roll, arranged by its roller."""
    table, seat, seats = seen.table, seen.seat, len(players)
    budget = desk.meter.budget
    near = [one for one in found[:AGAIN] if one.worth > found[0].worth - MARGIN]
    if len(near) == 1 or desk.meter.spent > 1 or budget.nodes == 1:
        return found
    grids = [
        written(player.grid, reply.reply) if reply.reply >= 0 else player.grid
        for player, reply in zip(players, replies, strict=True)
    ]
    empties = [empty_cells(grid) for grid in grids]
    hastes = hastes_of(empties)
    for other in range(seats):
        desk.judge(Player(grids[other], hastes[other]), other, EVERY_ROLL)
    roller = (int(table.roller) + 1) % seats
    forms = np.zeros(EVERY_ROLL, np.int64)
    likely_forms(desk.now, seats, roller, desk.worths, forms)
    again: list[Candidate] = []
    for one in near:
        if again and desk.meter.spent > 1:
            break
        after = written(players[seat].grid, one.reply)
        own = desk.judge(Player(after, hastes[seat]), seat, EVERY_ROLL)
        worth = outlook_among(desk.now, seat, roller, own, forms)
        again.append(one._replace(depth=1, worth=float(worth)))
    return sorted(again, key=lambda one: -one.worth) + found[len(again) :]
