"""Solo play: all grids that a roll leads to are judged, the best again by expectimax, one roll ahead and further."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from smalti.bots.bot import Budget, Choice, Seen, Thought
from smalti.bots.mosaix.evaluate import value_function
from smalti.bots.mosaix.evaluate.batch import FITS, NOTHING, Floats, judge_all
from smalti.bots.mosaix.evaluate.features import Judgement, Work
from smalti.bots.mosaix.evaluate.footprints import (
    CELL_COUNT,
    FILLING_COUNT,
    FOOTPRINT_COUNT,
    FOOTPRINTS,
    PLACINGS,
    REACHED,
    WAYS_OVER,
    Placing,
    digits,
    filling_by,
)
from smalti.bots.mosaix.evaluate.position import (
    SOLO,
    Grid,
    Position,
    next_position,
    points_of,
    spare_dice,
    taken_cells,
)
from smalti.bots.mosaix.evaluate.win_probability import solo_win_probability
from smalti.bots.mosaix.search.endgame import MOST_EMPTY, Ending, is_given_up, solve
from smalti.bots.mosaix.search.lookahead import DEEPEST, Memory, Search, outlook
from smalti.games.mosaix.tables import (
    DICE,
    DIE_SYMBOLS,
    FORM,
    FORMING,
    PLACE,
    ROLLS,
    SEQUENCES,
    STOP,
    SYMBOLS,
    WON,
)

USUAL = Budget(nodes=12_000_000)
LISTED = 40  # grids that are thought about at all
FIRST = 12  # of those, the ones that are looked at one roll ahead, at most
FIRST_MARGIN = 4.5  # points that they may seem worse
AGAIN = 4  # of those, the ones looked at further ahead
AGAIN_MARGIN = 1.0
SHOWN = 12
SHARE_FOR_SOLVING = 0.5  # of the budget
SOLVED_A_SECOND, JUDGED_WHILE_ONE_IS_SOLVED = 1_000_000, 10  # grids, about


class Breadth(NamedTuple):
    """How many replies to a roll are looked at again, and how many points they may seem worse."""

    width: int
    margin: float


BRIEFLY, CLOSELY = Breadth(1, 0.5), Breadth(4, 5.0)
GROWTH = 20.0  # about how many times dearer it is to look one roll further, for the least that makes sense
FEW_CELLS = 14  # empty ones, from which on one looks closely


class Candidate(NamedTuple):
    """A grid that the move leads to, what it is worth, and how many rolls ahead that was seen."""

    depth: int
    worth: float
    move: int
    reply: int  # 81 · footprint + filling


class Expected(NamedTuple):
    """What a seat may expect."""

    worth: float  # points ahead of the best other at the end; solo, the final score
    chance: float  # of winning


class Meter:
    """What has been spent of a budget."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget if budget != Budget() else USUAL
        self.memory = Memory.blank()
        self.began = time.monotonic()

    @property
    def nodes(self) -> int:
        """Grids judged so far."""
        return int(self.memory.nodes[0])

    @property
    def spent(self) -> float:
        """The share of the budget that is spent."""
        by_nodes = self.nodes / self.budget.nodes if self.budget.nodes else 0.0
        by_clock = (time.monotonic() - self.began) / self.budget.seconds if self.budget.seconds else 0.0
        return max(by_nodes, by_clock)


def grid_at(table: Any, seat: int) -> Grid:
    """Return a seat's grid."""
    cells = table.grids[seat]
    return cells[0], cells[1], cells[2]


def empty_cells(grid: Grid) -> int:
    """Return how many cells of a grid are empty."""
    return CELL_COUNT - int(grid[0] | grid[1] | grid[2]).bit_count()


def solo_position(table: Any) -> Position:
    """Return the position of the only seat."""
    return Position(grid_at(table, 0), int(table.boxes), SOLO)


def think_solo(seen: Seen, budget: Budget) -> Thought:
    """Think about what to arrange, or where to write it."""
    judged, meter = value_function.solo(), Meter(budget)
    position = solo_position(seen.table)
    points = points_of(position)
    solved = solved_moves(seen, position, meter) if empty_cells(position.grid) <= MOST_EMPTY else None
    if solved is not None:
        return proved_thought(seen, solved, points, meter)
    found = candidates(seen.table, position, judged, meter)
    found = looked_ahead(position, found, judged, meter)
    return estimated_thought(seen, found, points, meter)


# --- What can be done


def candidates(table: Any, position: Position, judged: Judgement, meter: Meter) -> list[Candidate]:
    """List the grids that can be reached, the best first."""
    worths = np.zeros((FOOTPRINT_COUNT, FITS + 1))
    meter.memory.nodes[0] += judge_all(Work.blank(), position, int(table.dice), judged, worths)
    if table.phase == FORMING:
        return to_arrange(int(table.dice), worths)
    return to_write(int(table.formation), int(table.arrangement), worths)


def to_arrange(roll: int, worths: Floats) -> list[Candidate]:
    """List the best grids that a roll leads to, however it is arranged."""
    flat = np.where(worths[:, FITS:] > NOTHING, worths[:, :FITS], NOTHING).ravel()
    likely = np.sort(np.argpartition(flat, -LISTED)[-LISTED:])
    best = likely[np.argsort(-flat[likely], kind="stable")].tolist()
    return [Candidate(0, float(flat[reply]), arranged(roll, reply), reply) for reply in best if flat[reply] > NOTHING]


def arranged(roll: int, reply: int) -> int:
    """Return a move that arranges the roll so that the reply can be written."""
    way = PLACINGS[WAYS_OVER[reply // FILLING_COUNT][0]]
    inside = [digits(reply % FILLING_COUNT)[on] if on >= 0 else -1 for on in way.cell_of_die]
    outside = [SYMBOLS.index(symbol) for symbol in ROLLS[roll]]
    for symbol in inside:
        if symbol >= 0:
            outside.remove(symbol)
    symbols = [symbol if symbol >= 0 else outside.pop() for symbol in inside]
    return FORM + len(SEQUENCES) * way.formation + SEQUENCES.index("".join(SYMBOLS[symbol] for symbol in symbols))


def to_write(formation: int, arrangement: int, worths: Floats) -> list[Candidate]:
    """List the grids that an arrangement leads to, the best first, each once."""
    found: dict[int, Candidate] = {}
    for way in PLACINGS:
        if way.formation == formation and worths[way.footprint, FITS] > NOTHING:
            filling = filling_by(way, DIE_SYMBOLS[arrangement].tolist())
            reply = FILLING_COUNT * way.footprint + filling
            worth = float(worths[way.footprint, filling])
            found.setdefault(reply, Candidate(0, worth, PLACE + way.placement, reply))
    return sorted(found.values(), key=lambda one: -one.worth)


# --- Looking ahead


def looked_ahead(position: Position, found: list[Candidate], judged: Judgement, meter: Meter) -> list[Candidate]:
    """Look at the best candidates again, further ahead each time, as long as the budget lasts; the best first."""
    most, margin = FIRST, FIRST_MARGIN
    for depth in range(1, DEEPEST + 1):
        near = [one for one in found[:most] if one.depth == depth - 1 and one.worth >= found[0].worth - margin]
        if depth > 1 and len(near) < 2:
            break
        before = meter.spent
        again = looked_again(position, near, depth, judged, meter)
        if depth > 1 and len(again) < 2:
            break
        found = sorted(again, key=lambda one: -one.worth) + found[len(again) :]
        if meter.spent + (meter.spent - before) / max(1, len(again)) * GROWTH > 1:
            break
        most, margin = AGAIN, AGAIN_MARGIN
    return found


def looked_again(
    position: Position, near: list[Candidate], depth: int, judged: Judgement, meter: Meter
) -> list[Candidate]:
    """Look so many rolls ahead from each of the candidates, or from the first of them if the budget ends."""
    search = Search(judged, Work.blank(), meter.memory, *breadth_for(position.grid))
    again, dearest = list[Candidate](), 0.0
    for one in near:
        before = meter.spent
        if before + dearest > 1:
            break
        worth = outlook(search, next_position(position, one.reply), depth)
        again.append(one._replace(depth=depth, worth=worth))
        dearest = max(dearest, meter.spent - before)
    return again


def breadth_for(grid: Grid) -> Breadth:
    """Look closely once there is little left to look at."""
    return CLOSELY if empty_cells(grid) <= FEW_CELLS else BRIEFLY


# --- Seeing the end


def solved_moves(seen: Seen, position: Position, meter: Meter) -> dict[int, Expected] | None:
    """Return what comes of every move exactly, or nothing if that takes too long."""
    ending, solved, budget = Ending.blank(), dict[int, Expected](), meter.budget
    nodes = budget.nodes / JUDGED_WHILE_ONE_IS_SOLVED if budget.nodes else budget.seconds * SOLVED_A_SECOND
    ending.most[0] = int(SHARE_FOR_SOLVING * nodes)
    for move, replies in replies_by_move(seen, position).items():
        ends = [solve(ending, 0, next_position(position, one)) for one in replies]
        solved[move] = Expected(*max(ends))
    meter.memory.nodes[0] += JUDGED_WHILE_ONE_IS_SOLVED * ending.nodes[0]
    return None if is_given_up(ending) else solved


def replies_by_move(seen: Seen, position: Position) -> Mapping[int, Iterable[int]]:
    """List what can be written after each arrangement, or by each placement; of placements alike only the first."""
    table, taken, reached = seen.table, np.uint64(taken_cells(position.grid)), REACHED[spare_dice(position.slack, SOLO)]
    fitting = [way for way in PLACINGS if way.footprint < reached and not FOOTPRINTS[way.footprint] & taken]
    if table.phase == FORMING:
        arranging = [(move, *divmod(move - FORM, len(SEQUENCES))) for move in seen.legal if move != STOP]
        return {move: replies_to(formation, dice, fitting).keys() for move, formation, dice in arranging}
    written_by = replies_to(int(table.formation), int(table.arrangement), fitting)
    return {PLACE + placement: {reply} for reply, placement in written_by.items()}


def replies_to(formation: int, arrangement: int, fitting: list[Placing]) -> dict[int, int]:
    """List all that an arrangement can be written as, each with the first placement that does it."""
    symbols, found = DIE_SYMBOLS[arrangement].tolist(), dict[int, int]()
    for way in fitting:
        if way.formation == formation:
            found.setdefault(FILLING_COUNT * way.footprint + filling_by(way, symbols), way.placement)
    return found


# --- What to say


def stopped(points: int) -> Expected:
    """Return what comes of stopping."""
    return Expected(float(points), float(points >= WON))


def proved_thought(seen: Seen, solved: dict[int, Expected], points: int, meter: Meter) -> Thought:
    """Return the best move when all are solved to the end."""
    if seen.table.phase == FORMING:
        solved[STOP] = stopped(points)
    choices = [Choice(move, *expected) for move, expected in solved.items()]
    choices.sort(key=lambda choice: (-choice.worth, -choice.chance))
    return Thought(choices[0].move, tuple(choices[:SHOWN]), True, meter.nodes)


def capped(found: list[Candidate]) -> list[Candidate]:
    """Return the candidates so that none seems better than one before it, which was looked at more closely."""
    most, result = float("inf"), []
    for one in found:
        most = min(most, one.worth)
        result.append(one._replace(worth=most))
    return result


def estimated_thought(seen: Seen, found: list[Candidate], points: int, meter: Meter) -> Thought:
    """Return the best move and what the others seem to be worth; stopping is one of them. (MX-12)"""
    worths: dict[int, float] = {}
    for one in capped(found):
        worths.setdefault(one.move, one.worth)
    if seen.table.phase == FORMING:
        worths[STOP] = float(points)
    ranked = sorted(worths.items(), key=lambda item: -item[1])
    left = max(0, empty_cells(grid_at(seen.table, 0)) - DICE)
    choices = tuple(Choice(move, worth, solo_win_probability(worth, left)) for move, worth in ranked[:SHOWN])
    return Thought(choices[0].move, choices, nodes=meter.nodes)
