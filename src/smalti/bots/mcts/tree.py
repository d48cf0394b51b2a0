"""The search tree, compiled for each game: UCT with chance, simultaneous moves and hidden things dealt anew.

A node is a moment at which seats decide, reached by a certain series of moves, chance's included; it is found by a
hash of that series. Every seat that has to act there has edges of its own, one for each move, and chooses by them
alone: nobody knows what the others choose at the same moment. Before each simulation whatever the searching seat
cannot see is dealt anew, so a move may be possible in one simulation and not in the next.

    nodes    first edge, value and visits of each seat; node 0 is the root
    edges    a list for each seat and node: the move, what came of it, and the next edge of the list
    slots    the hash table: which node a series of moves leads to
    used     how many nodes and edges there are
    path     of one simulation: the edges that were chosen, and by whom

Where the tree ends, `playouts` go on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from smalti.bots.mcts.playouts import Counts, Habits, note, note_playout, play_out
from smalti.bots.mcts.results import Values, ahead, outcome
from smalti.engine.bits import whole
from smalti.engine.chance import Stream, below, mixed
from smalti.engine.compiled import apart, compiled, wrapping
from smalti.engine.playing import Tables, chance_move
from smalti.engine.record import Record
from smalti.engine.rules import CHANCE, MOST_SEATS, NOBODY, Moves, Scores, Weights, acting, legal, play, redeal

NONE = -1
EXPLORATION = 0.6


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

Nodes = npt.NDArray[Any]
STRIDE = np.uint64(0x9E3779B97F4A7C15)


@wrapping
def joined(key: np.uint64, seat: int, move: int) -> np.uint64:
    """Return the hash of a series of moves that is one move longer."""
    return mixed(key * STRIDE + np.uint64((seat + 1) * 65536 + move + 1))


# --- Growing


@compiled
def new_node(nodes: Nodes, used: Counts) -> int:
    """Take a blank node."""
    node = used[0]
    used[0] += 1
    nodes[node].visits = 0
    for seat in range(MOST_SEATS):
        nodes[node].first[seat] = NONE
        nodes[node].total[seat] = 0.0
    return node


@compiled
def new_edge(nodes: Nodes, edges: Nodes, used: Counts, node: int, seat: int, move: int) -> int:
    """Put a new edge before the others of a seat; −1 if there is no room."""
    if used[1] == len(edges):
        return NONE
    edge = used[1]
    used[1] += 1
    edges[edge].total = 0.0
    edges[edge].points = 0.0
    edges[edge].won = 0.0
    edges[edge].move = move
    edges[edge].visits = 0
    edges[edge].next = nodes[node].first[seat]
    edges[edge].seen = 0
    nodes[node].first[seat] = edge
    return edge


@compiled
def child(nodes: Nodes, slots: Nodes, used: Counts, key: np.uint64) -> int:
    """Return the node a series of moves leads to: −1 − node if it is new, the number of nodes if there is no room."""
    last = np.uint64(len(slots) - 1)
    place = key & last
    while slots[place].node != NONE:
        if slots[place].key == key:
            return slots[place].node
        place = (place + np.uint64(1)) & last
    if used[0] == len(nodes):
        return len(nodes)
    node = new_node(nodes, used)
    slots[place].key = key
    slots[place].node = node
    return -1 - node


@compiled
def shuffle(moves: Moves, found: int, stream: Stream) -> None:
    """Bring moves into any order, so that the first of equals is any of them."""
    for place in range(found - 1, 0, -1):
        other = below(stream, place + 1)
        moves[place], moves[other] = moves[other], moves[place]


@apart
def list_edges(
    table: Record,
    nodes: Nodes,
    edges: Nodes,
    used: Counts,
    node: int,
    seat: int,
    now: int,
    moves: Moves,
    stream: Stream,
) -> bool:
    """Make sure that a seat has an edge for every move it could make now, and mark these; False if room runs out."""
    found = legal(table, seat, moves)
    if nodes[node].first[seat] == NONE:
        shuffle(moves, found, stream)
    for index in range(found):
        edge = whole(nodes[node].first[seat])
        while edge != NONE and edges[edge].move != moves[index]:
            edge = whole(edges[edge].next)
        if edge == NONE:
            edge = new_edge(nodes, edges, used, node, seat, moves[index])
            if edge == NONE:
                return False
        edges[edge].seen = now
    return True


@apart
def all_edges(
    table: Record, nodes: Nodes, edges: Nodes, used: Counts, node: int, seat: int, moves: Moves, stream: Stream
) -> bool:
    """Give a seat an edge for every move where nothing is hidden, so that its moves stay the same; or say False."""
    if nodes[node].first[seat] != NONE:
        return True
    found = legal(table, seat, moves)
    if used[1] + found > len(edges):
        return False
    shuffle(moves, found, stream)
    for index in range(found):
        new_edge(nodes, edges, used, node, seat, moves[index])
    return True


# --- One simulation


@compiled
def preferred(nodes: Nodes, edges: Nodes, node: int, seat: int, now: int) -> int:
    """Return the edge with the best upper bound; one that was never tried counts as tried once, with the mean."""
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


@apart
def simulate(
    root: Tables,
    seat: int,
    seats: int,
    hidden: bool,
    simulations: int,
    work: Tables,
    nodes: Nodes,
    edges: Nodes,
    slots: Nodes,
    used: Counts,
    path: Counts,
    habits: Habits,
    trace: Counts,
    moves: Moves,
    weights: Weights,
    scores: Scores,
    shares: Values,
    values: Values,
    stream: Stream,
) -> int:
    """Play so many simulations from root[0] on, as a seat sees it; return how many events they had."""
    events = 0
    for _ in range(simulations):
        used[2] += 1
        now = used[2] if hidden else 0
        work[0] = root[0]
        table = work[0]
        redeal(table, seat, stream)
        node, key, length, certain = 0, np.uint64(0), 0, 0
        is_inside, is_certain = True, True
        while is_inside and acting(table) != 0:
            who = acting(table)
            for actor in range(seats):
                if (who >> actor) & 1 and is_inside:
                    if hidden:
                        is_inside = list_edges(table, nodes, edges, used, node, actor, now, moves, stream)
                    else:
                        is_inside = all_edges(table, nodes, edges, used, node, actor, moves, stream)
            if not is_inside:
                break
            start = length
            for actor in range(seats):
                if (who >> actor) & 1:
                    edge = preferred(nodes, edges, node, actor, now)
                    path[3 * length], path[3 * length + 1], path[3 * length + 2] = node, edge, actor
                    length += 1
                    key = joined(key, actor, whole(edges[edge].move))
            for step in range(start, length):
                play(table, path[3 * step + 2], edges[path[3 * step + 1]].move)
                events += 1
            if is_certain:
                certain = length
            while acting(table) == CHANCE:
                is_certain = False
                move = chance_move(table, moves, weights, stream)
                play(table, NOBODY, move)
                key = joined(key, NOBODY, move)
                events += 1
            if 3 * (length + seats) > len(path):
                is_inside = False
            elif acting(table) != 0:
                node = child(nodes, slots, used, key)
                if node < 0 or node == len(nodes):
                    is_inside = False
        events += play_out(work, seats, is_certain, habits, trace, scores, moves, weights, stream)
        outcome(table, seats, scores, shares, values)
        learn(nodes, edges, path, length, scores, shares, values, seats)
        note_path(edges, path, certain, habits, values)
        note_playout(habits, trace, values)
    return events


@compiled
def learn(
    nodes: Nodes, edges: Nodes, path: Counts, length: int, scores: Scores, shares: Values, values: Values, seats: int
) -> None:
    """Note what came of a simulation on all its nodes and edges."""
    last = NONE
    for step in range(length):
        node, edge, actor = path[3 * step], path[3 * step + 1], path[3 * step + 2]
        if node != last:
            nodes[node].visits += 1
            last = node
        nodes[node].total[actor] += values[actor]
        edges[edge].visits += 1
        edges[edge].total += values[actor]
        edges[edge].points += ahead(scores, actor, seats)
        edges[edge].won += shares[actor]


@compiled
def note_path(edges: Nodes, path: Counts, certain: int, habits: Habits, values: Values) -> None:
    """Note what came of the moves in the tree, as far as chance had no hand in it."""
    for step in range(certain):
        edge, actor = path[3 * step + 1], path[3 * step + 2]
        note(habits, actor, whole(edges[edge].move), values[actor])
