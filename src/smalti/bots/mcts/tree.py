"""The search tree: nodes, edges, and the choice among them by UCB1, compiled for each game.

A node is a moment at which seats decide, reached by a certain series of moves, chance's included; it is found by a
hash of that series. Every seat that has to act there has edges of its own, one for each move, and chooses by them
alone (decoupled UCT): nobody knows what the others choose at the same moment. Where things are hidden, a move may be
possible in one simulation and not in the next, so edges remember when theirs was possible last.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.mcts.playouts import Counts
from smalti.engine.bits import whole
from smalti.engine.chance import Stream, below, mixed
from smalti.engine.compiled import apart, compiled, wrapping
from smalti.engine.record import Record
from smalti.engine.rules import MOST_SEATS, Moves, legal

NONE = -1
EXPLORATION = 0.6
NODES, EDGES, SIMULATIONS = range(3)  # what `Tree.used` counts
STRIDE = np.uint64(0x9E3779B97F4A7C15)


def record(*fields: tuple[str, Any] | tuple[str, Any, int]) -> np.dtype[Any]:
    """Return a type with fields that compiled and plain code read in the same way."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


NODE = record(("first", np.int32, MOST_SEATS), ("visits", np.int32), ("total", np.float64, MOST_SEATS))
EDGE = record(
    ("total", np.float64),
    ("points", np.float64),
    ("won", np.float64),
    ("move", np.int32),
    ("visits", np.int32),
    ("next", np.int32),
    ("seen", np.int32),  # the last simulation in which the move was possible
)
SLOT = record(("key", np.uint64), ("node", np.int32))

Records = npt.NDArray[Any]


class Tree(NamedTuple):
    """A tree in arrays that are made once and used again and again."""

    nodes: Records  # first edge and total of each seat, visits; node 0 is the root
    edges: Records  # a list for each seat and node: the move, what came of it, and the next edge of the list
    slots: Records  # the hash table: which node a series of moves leads to
    used: Counts  # how many nodes and edges there are, and how many simulations there were


@wrapping
def joined(key: np.uint64, seat: int, move: int) -> np.uint64:
    """Return the hash of a series of moves that is one move longer."""
    return mixed(key * STRIDE + np.uint64((seat + 1) * 65536 + move + 1))


# --- Growing


@compiled
def new_node(tree: Tree) -> int:
    """Take a blank node."""
    node, nodes = tree.used[NODES], tree.nodes
    tree.used[NODES] += 1
    nodes[node].visits = 0
    for seat in range(MOST_SEATS):
        nodes[node].first[seat] = NONE
        nodes[node].total[seat] = 0.0
    return node


@compiled
def new_edge(tree: Tree, node: int, seat: int, move: int) -> int:
    """Put a new edge before the others of a seat; −1 if there is no room."""
    if tree.used[EDGES] == len(tree.edges):
        return NONE
    edge, edges = tree.used[EDGES], tree.edges
    tree.used[EDGES] += 1
    edges[edge].total = 0.0
    edges[edge].points = 0.0
    edges[edge].won = 0.0
    edges[edge].move = move
    edges[edge].visits = 0
    edges[edge].next = tree.nodes[node].first[seat]
    edges[edge].seen = 0
    tree.nodes[node].first[seat] = edge
    return edge


@compiled
def child(tree: Tree, key: np.uint64) -> int:
    """Return the node a series of moves leads to; −1 if it was not in the tree: then it is now, if there is room."""
    slots, last = tree.slots, np.uint64(len(tree.slots) - 1)
    place = key & last
    while slots[place].node != NONE:
        if slots[place].key == key:
            return slots[place].node
        place = (place + np.uint64(1)) & last
    if tree.used[NODES] < len(tree.nodes):
        slots[place].key = key
        slots[place].node = new_node(tree)
    return NONE


@compiled
def shuffle(moves: Moves, found: int, stream: Stream) -> None:
    """Bring moves into any order, so that the first of equals is any of them."""
    for place in range(found - 1, 0, -1):
        other = below(stream, place + 1)
        moves[place], moves[other] = moves[other], moves[place]


@apart
def list_possible_edges(
    tree: Tree, table: Record, node: int, seat: int, now: int, moves: Moves, stream: Stream
) -> bool:
    """Make sure that a seat has an edge for every move it could make now, and mark these; False if room runs out."""
    found, nodes, edges = legal(table, seat, moves), tree.nodes, tree.edges
    if nodes[node].first[seat] == NONE:
        shuffle(moves, found, stream)
    for index in range(found):
        edge = whole(nodes[node].first[seat])
        while edge != NONE and edges[edge].move != moves[index]:
            edge = whole(edges[edge].next)
        if edge == NONE:
            edge = new_edge(tree, node, seat, moves[index])
            if edge == NONE:
                return False
        edges[edge].seen = now
    return True


@apart
def list_all_edges(tree: Tree, table: Record, node: int, seat: int, moves: Moves, stream: Stream) -> bool:
    """Give a seat an edge for every move where nothing is hidden, so that its moves stay the same; or say False."""
    if tree.nodes[node].first[seat] != NONE:
        return True
    found = legal(table, seat, moves)
    if tree.used[EDGES] + found > len(tree.edges):
        return False
    shuffle(moves, found, stream)
    for index in range(found):
        new_edge(tree, node, seat, moves[index])
    return True


# --- Choosing


@compiled
def best_edge(tree: Tree, node: int, seat: int, now: int) -> int:
    """Return the edge with the highest upper bound (UCB1); one never tried counts as tried once, with the mean."""
    nodes, edges = tree.nodes, tree.edges
    visits = nodes[node].visits
    mean = nodes[node].total[seat] / max(1, visits)
    width = EXPLORATION * np.sqrt(np.log(visits + 1.0))
    best, chosen = -1e9, NONE
    edge = whole(nodes[node].first[seat])
    while edge != NONE:
        if now == 0 or edges[edge].seen == now:
            tried = edges[edge].visits
            bound = mean + width if tried == 0 else edges[edge].total / tried + width / np.sqrt(1.0 * tried)
            if bound > best:
                best, chosen = bound, edge
        edge = whole(edges[edge].next)
    return chosen
