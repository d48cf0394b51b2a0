"""The generic bot: simulations until the budget is used up."""

from __future__ import annotations

from functools import cache
from time import perf_counter
from typing import Any

import numpy as np

from smalti.bots.bot import Bot, Budget, Choice, Seen, Thought
from smalti.bots.mcts.playouts import no_habits
from smalti.bots.mcts.tree import EDGE, NODE, SLOT, new_node, simulate
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import hide

RANK = 300
USUAL = Budget(seconds=1.0)
NODES, EDGES, SLOTS = 1 << 18, 1 << 21, 1 << 19
DEEPEST = 400
SLICE = 32  # simulations between two looks at the clock, at first
SHOWN = 8


class Tree:
    """Room for a tree, made once and used again and again."""

    def __init__(self) -> None:
        self.nodes, self.edges, self.slots = np.zeros(NODES, NODE), np.zeros(EDGES, EDGE), np.zeros(SLOTS, SLOT)
        self.used = np.zeros(3, np.int64)  # nodes, edges, simulations

    def clear(self) -> None:
        """Begin with a root."""
        self.slots["node"] = -1
        self.used[:] = 0
        new_node(self.nodes, self.used)

    def edges_of(self, seat: int) -> list[Any]:
        """List the edges of a seat at the root."""
        found, edge = [], int(self.nodes[0]["first"][seat])
        while edge >= 0:
            found.append(self.edges[edge])
            edge = int(self.edges[edge]["next"])
        return found


@cache
def tree() -> Tree:
    """Return the tree of this process."""
    return Tree()


def is_hidden(seen: Seen, seats: int) -> bool:
    """Say whether the moves of others depend on what the seat cannot see."""
    for other in range(seats):
        sight = tables_of(bytes_of(seen.table), seen.game.table.dtype)
        hide(sight[0], other)
        if other != seen.seat and bytes_of(sight[0]) != bytes_of(seen.table):
            return True
    return False


def search(seen: Seen, budget: Budget) -> Thought:
    """Return the move that was tried most often."""
    if len(seen.legal) == 1:
        return Thought(seen.legal[0], ())
    game, room, seats = seen.game, tree(), int(seen.table.seats) if "seats" in seen.table.dtype.names else 2
    room.clear()
    work, (moves, weights) = game.table.batch(2), game.buffers()
    path, trace = np.zeros(3 * DEEPEST, np.int64), np.zeros(2 * game.usual_length + 1, np.int64)
    habits = no_habits(seats, game.actions)
    scores, (shares, values) = np.zeros(game.seats[-1], np.int32), np.zeros((2, game.seats[-1]))
    hidden, begin, done, some = is_hidden(seen, seats), perf_counter(), 0, SLICE
    while not budget.nodes or done < budget.nodes:
        some = min(some, budget.nodes - done) if budget.nodes else some
        simulate(
            seen.tables, seen.seat, seats, hidden, some, work, room.nodes, room.edges, room.slots, room.used,
            path, habits, trace, moves, weights, scores, shares, values, seen.stream,
        )  # fmt: skip
        done += some
        spent = perf_counter() - begin
        if budget.seconds:
            left = budget.seconds - spent
            if left <= 0:
                break
            some = max(1, min(2 * some, int(done / spent * left / 2)))
    return thought(seen, room, done)


def thought(seen: Seen, room: Tree, simulations: int) -> Thought:
    """Tell what the simulations have shown."""
    tried = sorted((edge for edge in room.edges_of(seen.seat) if edge["visits"]), key=lambda edge: -edge["visits"])
    choices = tuple(choice(edge) for edge in tried[:SHOWN])
    return Thought(choices[0].move, choices, nodes=simulations)


def choice(edge: Any) -> Choice:
    """Describe a move at the root."""
    return Choice(int(edge["move"]), float(edge["points"] / edge["visits"]), float(edge["won"] / edge["visits"]))


BOTS = (Bot("mcts", RANK, search, budget=USUAL),)
