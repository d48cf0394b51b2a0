"""Thinking among others: what an arrangement gives everybody, and where to write it with the next round in mind."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from smalti.bots.bot import Budget, Choice, Seen, Thought
from smalti.bots.mosaix import judgement
from smalti.bots.mosaix.alone import SHOWN, Candidate, Meter, grid_after, grid_at, to_write
from smalti.bots.mosaix.chances import chance_among, chance_at_the_end
from smalti.bots.mosaix.company import (
    FORMATION_COUNT,
    HASTES,
    MOST_SEATS,
    Round,
    note_best,
    outlook_among,
)
from smalti.bots.mosaix.features import Grid, Judgement, Work, live_cells
from smalti.bots.mosaix.footprints import CELL_COUNT, EVERY_ROLL, FOOTPRINT_COUNT
from smalti.bots.mosaix.lookahead import FITS, judge_all
from smalti.bots.mosaix.scan import NOTHING, Floats, points_of, worth_of
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, DICE, FORMING, FORMS, PASS, WRITING

TOGETHER = 0
FORMS_AGAIN, AGAIN = 8, 24  # arrangements, and placements, that are looked at with the next round in mind, at most
MARGIN = 6.0  # points that a placement may seem worse
CHANCES_APART = 0.08  # chance of winning that an arrangement may seem to give less


class Player(NamedTuple):
    """A seat's grid, and how far the other one that is nearest to its end is from it."""

    grid: Grid
    haste: int


class Prospect(NamedTuple):
    """What everybody's grid is worth after a move, and how many cells the game may still last; −1 at the end."""

    worths: list[float]
    left: int
    replies: list[int]  # that lead there

    def choice(self, move: int, seat: int) -> Choice:
        """Say what the move is worth to a seat."""
        if self.left < 0:
            return Choice(move, lead(self.worths, seat), chance_at_the_end(self.worths, seat))
        return Choice(move, lead(self.worths, seat), chance_among(self.worths, seat, self.left))


def lead(worths: list[float], seat: int) -> float:
    """Return by how much a seat is ahead of the best other one."""
    return worths[seat] - max(worths[:seat] + worths[seat + 1 :])


def cells_to_write(grid: Grid) -> int:
    """Return how many empty cells of a grid can still be written on."""
    return int(live_cells(Work.blank(), grid))


def hastes_of(live: list[int]) -> list[int]:
    """Return for each seat how far the other grid that is nearest to its end is from it."""
    return [int(HASTES[min(live[:seat] + live[seat + 1 :])]) for seat in range(len(live))]


def players_at(table: Any) -> list[Player]:
    """Return all seats; whoever has written already counts as if not, since the round is the same for all."""
    grids = [grid_at(table, seat) for seat in range(int(table.seats))]
    waiting = int(table.waiting) if table.phase == WRITING else (1 << len(grids)) - 1
    ahead = [0 if waiting >> seat & 1 else DICE for seat in range(len(grids))]
    live = [min(CELL_COUNT, cells_to_write(grid) + more) for grid, more in zip(grids, ahead, strict=True)]
    return [Player(grid, haste) for grid, haste in zip(grids, hastes_of(live), strict=True)]


def cells_left(players: list[Player]) -> int:
    """Return how many cells of the grid nearest to its end are to be written after this round, if all dice are."""
    return max(0, min(cells_to_write(player.grid) for player in players) - DICE)


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
        self.now.now[seat] = self.worth(player)
        found: Floats = self.worths[seat]
        return found

    def worth(self, player: Player) -> float:
        """Return what a grid is worth as it is."""
        return float(worth_of(self.work, player.grid, player.haste, TOGETHER, self.judged))

    def best_reply(self, player: Player, seat: int, formation: int, arrangement: int) -> Candidate:
        """Return what a seat is likely to write, and what its grid is worth then; −1 if it cannot write."""
        found = to_write(formation, arrangement, self.worths[seat])
        return found[0] if found else Candidate(0, self.worth(player), PASS, -1)

    def is_finished(self, grid: Grid) -> bool:
        """Say whether nothing can ever be written on a grid. (MX-8)"""
        return int(live_cells(self.work, grid)) == 0

    def after_round(self, players: list[Player], replies: list[int], worths: list[float]) -> Prospect:
        """Return what everybody's grid is worth once these are written; if that was the last round, its points."""
        grids = grids_after(players, replies)
        if any(self.is_finished(grid) for grid in grids):
            return Prospect([float(points_of(grid, 0, TOGETHER)) for grid in grids], -1, replies)
        return Prospect(worths, cells_left(players), replies)

    def outlook(self, player: Player, seat: int, roller: int) -> float:
        """Return what a seat's grid is worth before somebody rolls."""
        self.judge(player, seat, EVERY_ROLL)
        return float(outlook_among(self.now, seat, roller, self.worths[seat]))


def grids_after(players: list[Player], replies: list[int]) -> list[Grid]:
    """Return all grids once these are written; −1 stands for nothing."""
    both = zip(players, replies, strict=True)
    return [grid_after(player.grid, reply) if reply >= 0 else player.grid for player, reply in both]


def players_after(players: list[Player], replies: list[int]) -> list[Player]:
    """Return all seats once these are written."""
    grids = grids_after(players, replies)
    hastes = hastes_of([cells_to_write(grid) for grid in grids])
    return [Player(grid, haste) for grid, haste in zip(grids, hastes, strict=True)]


def think_among(seen: Seen, budget: Budget) -> Thought:
    """Think about what to arrange, or where to write it."""
    if seen.legal == [PASS]:
        return Thought(PASS, ())
    desk, players = Desk(judgement.together(), Meter(budget)), players_at(seen.table)
    is_last = is_last_decision(seen, players, desk)
    choices = (arrange if seen.table.phase == FORMING else write_last if is_last else write)(seen, players, desk)
    return Thought(choices[0].move, tuple(choices[:SHOWN]), is_last, desk.meter.nodes)


def ranked(looked_at: list[Choice], others: list[Choice]) -> list[Choice]:
    """Return what was looked at closely, the best first, and then the rest, which is no better."""
    result = sorted(looked_at, key=lambda choice: (-choice.chance, -choice.worth))
    for choice in others:
        last = result[-1] if result else choice
        result.append(Choice(choice.move, min(choice.worth, last.worth), min(choice.chance, last.chance)))
    return result


# --- Arranging


def arrange(seen: Seen, players: list[Player], desk: Desk) -> list[Choice]:
    """List arrangements by how likely they make winning, everybody writing them as well as possible."""
    roll, seat = int(seen.table.dice), seen.seat
    forms = arrangements(seen, players, desk)
    prospects = note_round(desk, players, forms)
    choices = {form: prospects[form].choice(int(FORMS[roll, form]), seat) for form in forms}
    order = sorted(forms, key=lambda form: (-choices[form].chance, -choices[form].worth))
    near = [form for form in order[:FORMS_AGAIN] if choices[form].chance >= choices[order[0]].chance - CHANCES_APART]
    looked_at: list[Choice] = []
    for form in near if len(near) > 1 else []:
        if desk.meter.spent > 1:
            break
        ahead = prospects[form] if prospects[form].left < 0 else next_round(seen, players, prospects[form], desk)
        looked_at.append(ahead.choice(choices[form].move, seat))
    looked_at = looked_at if len(looked_at) > 1 else []
    return ranked(looked_at, [choices[form] for form in order[len(looked_at) :]])


def arrangements(seen: Seen, players: list[Player], desk: Desk) -> list[int]:
    """Judge all grids, and list the arrangements of the roll that the seat can write itself; or else all of them."""
    roll = int(seen.table.dice)
    for seat, player in enumerate(players):
        note_best(desk.now, seat, roll, desk.judge(player, seat, roll))
    forms = range(FORMATION_COUNT * int(ARRANGEMENT_COUNTS[roll]))
    return [form for form in forms if desk.now.best[seen.seat, form] > NOTHING] or list(forms)


def note_round(desk: Desk, players: list[Player], forms: list[int]) -> dict[int, Prospect]:
    """Return for each arrangement what the grids are worth once all have written it as well as possible."""
    best, now = desk.now.best[: len(players)], desk.now.now[: len(players), None]
    worths = np.where(best > NOTHING, best, now)
    replies = np.where(best > NOTHING, desk.now.replies[: len(players)], -1)
    return {form: desk.after_round(players, replies[:, form].tolist(), worths[:, form].tolist()) for form in forms}


def next_round(seen: Seen, players: list[Player], after: Prospect, desk: Desk) -> Prospect:
    """Return the prospect seen through the next roll."""
    roller = (int(seen.table.roller) + 1) % len(players)
    then = players_after(players, after.replies)
    return after._replace(worths=[desk.outlook(player, seat, roller) for seat, player in enumerate(then)])


# --- Writing


def is_last_decision(seen: Seen, players: list[Player], desk: Desk) -> bool:
    """Say whether all others have written, and one of them has ended the game. (MX-8)"""
    table, own = seen.table, players[seen.seat]
    is_alone = table.phase == WRITING and int(table.waiting) == 1 << seen.seat
    return is_alone and any(desk.is_finished(player.grid) for player in players if player is not own)


def write_last(seen: Seen, players: list[Player], desk: Desk) -> list[Choice]:
    """List placements by what comes out, which is known."""
    table, seat = seen.table, seen.seat
    seats, unknown = range(len(players)), [0.0] * len(players)
    found = to_write(int(table.formation), int(table.arrangement), desk.judge(players[seat], seat, int(table.dice)))
    replies = [[one.reply if other == seat else -1 for other in seats] for one in found]
    ends = [desk.after_round(players, each, unknown) for each in replies]
    return ranked([end.choice(one.move, seat) for one, end in zip(found, ends, strict=True)], [])


def write(seen: Seen, players: list[Player], desk: Desk) -> list[Choice]:
    """List placements, with the next roll and its roller in mind."""
    table, seat = seen.table, seen.seat
    likely = [reply_of(table, other, player, desk) for other, player in enumerate(players)]
    found = to_write(int(table.formation), int(table.arrangement), desk.worths[seat])
    worths, replies = [one.worth for one in likely], [one.reply for one in likely]

    def prospect(one: Candidate, seen_as: list[float]) -> Prospect:
        own = [one.reply if other == seat else reply for other, reply in enumerate(replies)]
        return desk.after_round(players, own, [one.worth if o == seat else worth for o, worth in enumerate(seen_as)])

    near = [one for one in found[:AGAIN] if one.worth >= found[0].worth - MARGIN]
    looked_at = with_next_round(seen, players, replies, near, desk)
    ahead = [prospect(one, seen_as).choice(one.move, seat) for one, seen_as in looked_at]
    return ranked(ahead, [prospect(one, worths).choice(one.move, seat) for one in found[len(ahead) : SHOWN]])


def reply_of(table: Any, seat: int, player: Player, desk: Desk) -> Candidate:
    """Return what a seat is likely to write, or has written."""
    if not int(table.waiting) >> seat & 1:
        return Candidate(0, desk.worth(player), PASS, -1)
    desk.judge(player, seat, int(table.dice))
    return desk.best_reply(player, seat, int(table.formation), int(table.arrangement))


def with_next_round(
    seen: Seen, players: list[Player], replies: list[int], near: list[Candidate], desk: Desk
) -> list[tuple[Candidate, list[float]]]:
    """Look at placements again, after the next roll; with each comes what the other grids are worth then."""
    seat, seats = seen.seat, len(players)
    if len(near) < 2 or desk.meter.spent > 1:
        return []
    roller = (int(seen.table.roller) + 1) % seats
    then = players_after(players, replies)
    worths = [desk.outlook(player, other, roller) for other, player in enumerate(then)]
    again = []
    for one in near:
        if desk.meter.spent > 1:
            break
        own = Player(grid_after(players[seat].grid, one.reply), then[seat].haste)
        again.append((one._replace(depth=1, worth=desk.outlook(own, seat, roller)), worths))
    return again if len(again) > 1 else []
