"""Multiplayer: what an arrangement gives every seat, and where to write it, judged again one round ahead."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from smalti.bots.bot import Budget, Choice, Seen, Thought
from smalti.bots.mosaix.evaluate import value_function
from smalti.bots.mosaix.evaluate.batch import FITS, NOTHING, Floats, judge_all, worth_of
from smalti.bots.mosaix.evaluate.features import Judgement, Work, live_cells
from smalti.bots.mosaix.evaluate.footprints import CELL_COUNT, EVERY_ROLL, FOOTPRINT_COUNT
from smalti.bots.mosaix.evaluate.opponents import (
    FORMATION_COUNT,
    HASTES,
    MOST_SEATS,
    Round,
    note_best,
    outlook_multiplayer,
)
from smalti.bots.mosaix.evaluate.position import MULTIPLAYER, Grid, Position, next_position, points_of
from smalti.bots.mosaix.evaluate.win_probability import win_probability, win_share
from smalti.bots.mosaix.strongest.solo import SHOWN, Candidate, Meter, grid_at, to_write
from smalti.games.mosaix.tables import ARRANGEMENT_COUNTS, DICE, FORMING, FORMS, PASS, WRITING

FORMS_AGAIN, AGAIN = 8, 24  # arrangements, and placements, that are looked at with the next round in mind, at most
MARGIN = 6.0  # points that a placement may seem worse
CHANCES_APART = 0.08  # chance of winning that an arrangement may seem to give less


class Prospect(NamedTuple):
    """What everybody's grid is worth after a move, and how many cells the game may still last; −1 at the end."""

    worths: list[float]
    left: int
    replies: list[int]  # that lead there

    def choice(self, move: int, seat: int) -> Choice:
        """Say what the move is worth to a seat."""
        if self.left < 0:
            return Choice(move, lead(self.worths, seat), win_share(self.worths, seat))
        return Choice(move, lead(self.worths, seat), win_probability(self.worths, seat, self.left))


def lead(worths: list[float], seat: int) -> float:
    """Return by how much a seat is ahead of the best other one."""
    return worths[seat] - max(worths[:seat] + worths[seat + 1 :])


def cells_to_write(grid: Grid) -> int:
    """Return how many empty cells of a grid can still be written on."""
    return int(live_cells(Work.blank(), grid))


def hastes_of(live: list[int]) -> list[int]:
    """Return for each seat how far the other grid that is nearest to its end is from it."""
    return [int(HASTES[min(live[:seat] + live[seat + 1 :])]) for seat in range(len(live))]


def positions_at(table: Any) -> list[Position]:
    """Return all seats' positions; whoever has written counts as if not yet, since the round is the same for all."""
    grids = [grid_at(table, seat) for seat in range(int(table.seats))]
    waiting = int(table.waiting) if table.phase == WRITING else (1 << len(grids)) - 1
    ahead = [0 if waiting >> seat & 1 else DICE for seat in range(len(grids))]
    live = [min(CELL_COUNT, cells_to_write(grid) + more) for grid, more in zip(grids, ahead, strict=True)]
    return [Position(grid, haste, MULTIPLAYER) for grid, haste in zip(grids, hastes_of(live), strict=True)]


def cells_left(positions: list[Position]) -> int:
    """Return how many cells of the grid nearest to its end are to be written after this round, if all dice are."""
    return max(0, min(cells_to_write(position.grid) for position in positions) - DICE)


class Evaluator:
    """What all grids of a table are judged by, and the buffers for it."""

    def __init__(self, judged: Judgement, meter: Meter) -> None:
        self.judged, self.meter = judged, meter
        self.work, self.now = Work.blank(), Round.blank()
        self.worths = np.zeros((MOST_SEATS, FOOTPRINT_COUNT, FITS + 1))

    def judge(self, position: Position, seat: int, roll: int) -> Floats:
        """Note and return what every filling of a roll makes of a seat's grid."""
        worths: Floats = self.worths[seat]
        self.meter.memory.nodes[0] += judge_all(self.work, position, roll, self.judged, worths)
        self.now.now[seat] = self.worth(position)
        return worths

    def worth(self, position: Position) -> float:
        """Return what a grid is worth as it is."""
        return float(worth_of(self.work, position, self.judged))

    def best_reply(self, position: Position, seat: int, formation: int, arrangement: int) -> Candidate:
        """Return what a seat is likely to write, and what its grid is worth then; −1 if it cannot write."""
        found = to_write(formation, arrangement, self.worths[seat])
        return found[0] if found else Candidate(0, self.worth(position), PASS, -1)

    def is_finished(self, grid: Grid) -> bool:
        """Say whether nothing can ever be written on a grid. (MX-8)"""
        return int(live_cells(self.work, grid)) == 0

    def after_round(self, positions: list[Position], replies: list[int], worths: list[float]) -> Prospect:
        """Return what everybody's grid is worth once these are written; if that was the last round, its points."""
        grids = grids_after(positions, replies)
        if any(self.is_finished(grid) for grid in grids):
            points = [float(points_of(Position(grid, 0, MULTIPLAYER))) for grid in grids]
            return Prospect(points, -1, replies)
        return Prospect(worths, cells_left(positions), replies)

    def outlook(self, position: Position, seat: int, roller: int) -> float:
        """Return what a seat's grid is worth before somebody rolls."""
        self.judge(position, seat, EVERY_ROLL)
        return float(outlook_multiplayer(self.now, seat, roller, self.worths[seat]))


def grids_after(positions: list[Position], replies: list[int]) -> list[Grid]:
    """Return all grids once these are written; −1 stands for nothing."""
    both = zip(positions, replies, strict=True)
    return [next_position(position, reply).grid if reply >= 0 else position.grid for position, reply in both]


def positions_after(positions: list[Position], replies: list[int]) -> list[Position]:
    """Return all seats once these are written."""
    grids = grids_after(positions, replies)
    hastes = hastes_of([cells_to_write(grid) for grid in grids])
    return [Position(grid, haste, MULTIPLAYER) for grid, haste in zip(grids, hastes, strict=True)]


def think_multiplayer(seen: Seen, budget: Budget) -> Thought:
    """Think about what to arrange, or where to write it."""
    if seen.legal == [PASS]:
        return Thought(PASS, ())
    evaluator, positions = Evaluator(value_function.multiplayer(), Meter(budget)), positions_at(seen.table)
    is_last = is_last_decision(seen, positions, evaluator)
    choices = (arrange if seen.table.phase == FORMING else write_last if is_last else write)(seen, positions, evaluator)
    return Thought(choices[0].move, tuple(choices[:SHOWN]), is_last, evaluator.meter.nodes)


def ranked(looked_at: list[Choice], others: list[Choice]) -> list[Choice]:
    """Return what was looked at closely, the best first, and then the rest, which is no better."""
    result = sorted(looked_at, key=lambda choice: (-choice.chance, -choice.worth))
    for choice in others:
        last = result[-1] if result else choice
        result.append(Choice(choice.move, min(choice.worth, last.worth), min(choice.chance, last.chance)))
    return result


# --- Arranging


def arrange(seen: Seen, positions: list[Position], evaluator: Evaluator) -> list[Choice]:
    """List arrangements by how likely they make winning, everybody writing them as well as possible."""
    roll, seat = int(seen.table.dice), seen.seat
    forms = arrangements(seen, positions, evaluator)
    prospects = note_round(evaluator, positions, forms)
    choices = {form: prospects[form].choice(int(FORMS[roll, form]), seat) for form in forms}
    order = sorted(forms, key=lambda form: (-choices[form].chance, -choices[form].worth))
    near = [form for form in order[:FORMS_AGAIN] if choices[form].chance >= choices[order[0]].chance - CHANCES_APART]
    looked_at: list[Choice] = []
    for form in near if len(near) > 1 else []:
        if evaluator.meter.spent > 1:
            break
        ahead = prospects[form] if prospects[form].left < 0 else next_round(seen, positions, prospects[form], evaluator)
        looked_at.append(ahead.choice(choices[form].move, seat))
    looked_at = looked_at if len(looked_at) > 1 else []
    return ranked(looked_at, [choices[form] for form in order[len(looked_at) :]])


def arrangements(seen: Seen, positions: list[Position], evaluator: Evaluator) -> list[int]:
    """Judge all grids, and list the arrangements of the roll that the seat can write itself; or else all of them."""
    roll = int(seen.table.dice)
    for seat, position in enumerate(positions):
        note_best(evaluator.now, seat, roll, evaluator.judge(position, seat, roll))
    forms = range(FORMATION_COUNT * int(ARRANGEMENT_COUNTS[roll]))
    return [form for form in forms if evaluator.now.best[seen.seat, form] > NOTHING] or list(forms)


def note_round(evaluator: Evaluator, positions: list[Position], forms: list[int]) -> dict[int, Prospect]:
    """Return for each arrangement what the grids are worth once all have written it as well as possible."""
    best, now = evaluator.now.best[: len(positions)], evaluator.now.now[: len(positions), None]
    worths = np.where(best > NOTHING, best, now)
    replies = np.where(best > NOTHING, evaluator.now.replies[: len(positions)], -1)
    return {
        form: evaluator.after_round(positions, replies[:, form].tolist(), worths[:, form].tolist()) for form in forms
    }


def next_round(seen: Seen, positions: list[Position], after: Prospect, evaluator: Evaluator) -> Prospect:
    """Return the prospect seen through the next roll."""
    roller = (int(seen.table.roller) + 1) % len(positions)
    then = positions_after(positions, after.replies)
    return after._replace(worths=[evaluator.outlook(position, seat, roller) for seat, position in enumerate(then)])


# --- Writing


def is_last_decision(seen: Seen, positions: list[Position], evaluator: Evaluator) -> bool:
    """Say whether all others have written, and one of them has ended the game. (MX-8)"""
    table, own = seen.table, positions[seen.seat]
    is_only_one = table.phase == WRITING and int(table.waiting) == 1 << seen.seat
    return is_only_one and any(evaluator.is_finished(position.grid) for position in positions if position is not own)


def write_last(seen: Seen, positions: list[Position], evaluator: Evaluator) -> list[Choice]:
    """List placements by what comes out, which is known."""
    table, seat = seen.table, seen.seat
    seats, unknown = range(len(positions)), [0.0] * len(positions)
    found = to_write(
        int(table.formation), int(table.arrangement), evaluator.judge(positions[seat], seat, int(table.dice))
    )
    replies = [[one.reply if other == seat else -1 for other in seats] for one in found]
    ends = [evaluator.after_round(positions, each, unknown) for each in replies]
    return ranked([end.choice(one.move, seat) for one, end in zip(found, ends, strict=True)], [])


def write(seen: Seen, positions: list[Position], evaluator: Evaluator) -> list[Choice]:
    """List placements, with the next roll and its roller in mind."""
    table, seat = seen.table, seen.seat
    likely = [reply_of(table, other, position, evaluator) for other, position in enumerate(positions)]
    found = to_write(int(table.formation), int(table.arrangement), evaluator.worths[seat])
    worths, replies = [one.worth for one in likely], [one.reply for one in likely]

    def prospect(one: Candidate, seen_as: list[float]) -> Prospect:
        own = [one.reply if other == seat else reply for other, reply in enumerate(replies)]
        return evaluator.after_round(
            positions, own, [one.worth if o == seat else worth for o, worth in enumerate(seen_as)]
        )

    near = [one for one in found[:AGAIN] if one.worth >= found[0].worth - MARGIN]
    looked_at = with_next_round(seen, positions, replies, near, evaluator)
    ahead = [prospect(one, seen_as).choice(one.move, seat) for one, seen_as in looked_at]
    return ranked(ahead, [prospect(one, worths).choice(one.move, seat) for one in found[len(ahead) : SHOWN]])


def reply_of(table: Any, seat: int, position: Position, evaluator: Evaluator) -> Candidate:
    """Return what a seat is likely to write, or has written."""
    if not int(table.waiting) >> seat & 1:
        return Candidate(0, evaluator.worth(position), PASS, -1)
    evaluator.judge(position, seat, int(table.dice))
    return evaluator.best_reply(position, seat, int(table.formation), int(table.arrangement))


def with_next_round(
    seen: Seen, positions: list[Position], replies: list[int], near: list[Candidate], evaluator: Evaluator
) -> list[tuple[Candidate, list[float]]]:
    """Look at placements again, after the next roll; with each comes what the other grids are worth then."""
    seat, seats = seen.seat, len(positions)
    if len(near) < 2 or evaluator.meter.spent > 1:
        return []
    roller = (int(seen.table.roller) + 1) % seats
    then = positions_after(positions, replies)
    worths = [evaluator.outlook(position, other, roller) for other, position in enumerate(then)]
    again = []
    for one in near:
        if evaluator.meter.spent > 1:
            break
        own = Position(next_position(positions[seat], one.reply).grid, then[seat].slack, MULTIPLAYER)
        again.append((one._replace(depth=1, worth=evaluator.outlook(own, seat, roller)), worths))
    return again if len(again) > 1 else []
