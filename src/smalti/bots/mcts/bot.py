"""The generic bot: simulations until the budget is used up."""

from __future__ import annotations

from functools import cache
from time import perf_counter
from typing import Any

import numpy as np

from smalti.bots.bot import Bot, Budget, Choice, Seen, Thought
from smalti.bots.mcts.playouts import Playout, no_averages
from smalti.bots.mcts.simulation import CHOICE, Search, simulate
from smalti.bots.mcts.tree import EDGE, NODE, SLOT, Tree, new_node
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import hide

RANK = 300
USUAL = Budget(seconds=1.0)
MOST_NODES, MOST_EDGES, SLOTS = 1 << 18, 1 << 21, 1 << 19
DEEPEST = 400
SLICE = 32  # simulations between two looks at the clock, at first
SHOWN = 8


# --- What a search works with


@cache
def tree() -> Tree:
    """Return the tree of this process."""
    records = np.zeros(MOST_NODES, NODE), np.zeros(MOST_EDGES, EDGE), np.zeros(SLOTS, SLOT)
    return Tree(*records, np.zeros(3, np.int64))


def cleared(tree: Tree) -> Tree:
    """Leave nothing but a root."""
    tree.slots["node"] = -1
    tree.used[:] = 0
    new_node(tree)
    return tree


def edges_of(tree: Tree, seat: int) -> list[Any]:
    """List the edges of a seat at the root."""
    found, edge = [], int(tree.nodes[0]["first"][seat])
    while edge >= 0:
        found.append(tree.edges[edge])
        edge = int(tree.edges[edge]["next"])
    return found


def seats_at(seen: Seen) -> int:
    """Return how many seats there are; a table that does not say so is always for the same number."""
    return int(seen.table.seats) if "seats" in seen.table.dtype.names else seen.game.seats[-1]


def is_hidden(seen: Seen, seats: int) -> bool:
    """Say whether the moves of others depend on what the seat cannot see."""
    for other in range(seats):
        sight = tables_of(bytes_of(seen.table), seen.game.table.dtype)
        hide(sight[0], other)
        if other != seen.seat and bytes_of(sight[0]) != bytes_of(seen.table):
            return True
    return False


def new_playout(seen: Seen, seats: int) -> Playout:
    """Return what the playouts of a search work with."""
    game = seen.game
    averages, trace = no_averages(seats, game.actions), np.zeros(2 * game.usual_length + 1, np.int64)
    scores = np.zeros(game.seats[-1], np.int32)
    return Playout(seats, game.table.batch(2), averages, trace, *game.buffers(), scores, seen.stream)


def new_search(seen: Seen) -> Search:
    """Return a search that has yet to begin."""
    seats = seats_at(seen)
    path, (shares, values) = np.zeros(DEEPEST, CHOICE), np.zeros((2, seen.game.seats[-1]))
    hidden, playout = is_hidden(seen, seats), new_playout(seen, seats)
    return Search(seen.tables, seen.seat, hidden, cleared(tree()), path, playout, shares, values)


# --- Searching


def think(seen: Seen, budget: Budget) -> Thought:
    """Return the move that was tried most often."""
    if len(seen.legal) == 1:
        return Thought(seen.legal[0], ())
    search = new_search(seen)
    simulations = run(search, budget)
    return thought(search, simulations)


def run(search: Search, budget: Budget) -> int:
    """Simulate until the budget is used up; return how many simulations that were."""
    begin, done, some = perf_counter(), 0, SLICE
    while not budget.nodes or done < budget.nodes:
        some = min(some, budget.nodes - done) if budget.nodes else some
        simulate(search, some)
        done += some
        spent = perf_counter() - begin
        if budget.seconds:
            left = budget.seconds - spent
            if left <= 0:
                break
            some = max(1, min(2 * some, int(done / spent * left / 2)))
    return done


def thought(search: Search, simulations: int) -> Thought:
    """Return what the simulations have shown."""
    edges = [edge for edge in edges_of(search.tree, search.seat) if edge["visits"]]
    choices = tuple(choice(edge) for edge in sorted(edges, key=lambda edge: -edge["visits"])[:SHOWN])
    return Thought(choices[0].move, choices, nodes=simulations)


def choice(edge: Any) -> Choice:
    """Describe a move at the root."""
    return Choice(int(edge["move"]), float(edge["points"] / edge["visits"]), float(edge["won"] / edge["visits"]))


BOTS = (Bot("mcts", RANK, think, budget=USUAL),)
