"""One simulation after the other, compiled for each game: select and expand in the tree, play out, back up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from smalti.bots.mcts.playouts import Playout, add_playout, add_result, play_out
from smalti.bots.mcts.results import Values, ahead, outcome
from smalti.bots.mcts.tree import (
    SIMULATIONS,
    Records,
    Tree,
    best_edge,
    child,
    joined,
    list_all_edges,
    list_possible_edges,
    record,
)
from smalti.engine.bits import whole
from smalti.engine.compiled import apart, compiled
from smalti.engine.loops.playing import Tables, chance_move
from smalti.engine.record import Record
from smalti.engine.rules import CHANCE, NOBODY, acting, play, redeal

CHOICE = record(("node", np.int64), ("edge", np.int64), ("actor", np.int64))


class Search(NamedTuple):
    """A search for a seat's move at root[0]: the tree it grows, and what its simulations work with."""

    root: Tables
    seat: int
    is_hidden: bool  # whether the moves of others depend on what the seat cannot see
    tree: Tree
    path: Records  # of one simulation: the edges that were chosen, and by whom
    playout: Playout
    shares: Values
    values: Values


class Descent(NamedTuple):
    """A way down the tree."""

    chosen: int  # edges on the path
    certain: int  # of these, the ones before chance had a hand in it
    is_certain: bool  # whether it has had none
    events: int


@apart
def simulate(search: Search, simulations: int) -> int:
    """Play so many simulations from root[0] on, as a seat sees it; return how many events they had."""
    tree, playout, events = search.tree, search.playout, 0
    for _ in range(simulations):
        # 1. Determinize: deal anew what the seat cannot see.
        tree.used[SIMULATIONS] += 1
        playout.tables[0] = search.root[0]
        table = playout.tables[0]
        redeal(table, search.seat, playout.stream)
        # 2. Select and expand: go down the tree, and beyond its edge by one node.
        descent = descend(search, table)
        # 3. Play out.
        events += descent.events + play_out(playout, descent.is_certain)
        outcome(table, playout.seats, playout.scores, search.shares, search.values)
        # 4. Back up: note the result on the way down, and in the averages of the moves that led to it.
        back_up(search, descent.chosen)
        add_path(search, descent.certain)
        add_playout(playout, search.values)
    return events


@compiled
def descend(search: Search, table: Record) -> Descent:
    """Play on the table what the tree suggests, up to a node that is new, the end, or the end of the room."""
    node, key, chosen, certain, events, is_certain = 0, np.uint64(0), 0, 0, 0, True
    while node >= 0 and acting(table) != 0 and expand(search, table, node):
        start = chosen
        chosen = select(search, whole(acting(table)), node, start)
        key = play_chosen(search, table, start, chosen, key)
        certain = chosen if is_certain else certain
        key, drawn = play_chance(search.playout, table, key)
        is_certain = is_certain and drawn == 0
        events += chosen - start + drawn
        if chosen + search.playout.seats > len(search.path):
            node = -1
        elif acting(table) != 0:
            node = child(search.tree, key)
    return Descent(chosen, certain, is_certain, events)


@compiled
def expand(search: Search, table: Record, node: int) -> bool:
    """Give everybody who acts at a node an edge for each of their moves; False if room runs out."""
    tree, moves, stream, who = search.tree, search.playout.moves, search.playout.stream, acting(table)
    has_room = True
    for actor in range(search.playout.seats):
        if (who >> actor) & 1 and has_room:
            if search.is_hidden:
                has_room = list_possible_edges(tree, table, node, actor, tree.used[SIMULATIONS], moves, stream)
            else:
                has_room = list_all_edges(tree, table, node, actor, moves, stream)
    return has_room


@compiled
def select(search: Search, who: int, node: int, chosen: int) -> int:
    """Put the edge that each of the acting seats prefers on the path; return how many edges it has then."""
    now = search.tree.used[SIMULATIONS] if search.is_hidden else 0
    for actor in range(search.playout.seats):
        if (who >> actor) & 1:
            choice = search.path[chosen]
            choice.node, choice.edge, choice.actor = node, best_edge(search.tree, node, actor, now), actor
            chosen += 1
    return chosen


@compiled
def play_chosen(search: Search, table: Record, start: int, end: int, key: np.uint64) -> np.uint64:
    """Play what was chosen at one node; return the hash of the longer series."""
    for step in range(start, end):
        choice = search.path[step]
        move = whole(search.tree.edges[choice.edge].move)
        play(table, choice.actor, move)
        key = joined(key, choice.actor, move)
    return key


@compiled
def play_chance(playout: Playout, table: Record, key: np.uint64) -> tuple[np.uint64, int]:
    """Let chance act as long as it has to; return the hash of the longer series, and how many moves it made."""
    drawn = 0
    while acting(table) == CHANCE:
        move = chance_move(table, playout.moves, playout.weights, playout.stream)
        play(table, NOBODY, move)
        key = joined(key, NOBODY, move)
        drawn += 1
    return key, drawn


@compiled
def back_up(search: Search, chosen: int) -> None:
    """Note what came of a simulation on all its nodes and edges."""
    nodes, edges, playout, last = search.tree.nodes, search.tree.edges, search.playout, -1
    for step in range(chosen):
        choice = search.path[step]
        node, edge, actor = choice.node, choice.edge, choice.actor
        if node != last:
            nodes[node].visits += 1
            last = node
        nodes[node].total[actor] += search.values[actor]
        edges[edge].visits += 1
        edges[edge].total += search.values[actor]
        edges[edge].points += ahead(playout.scores, actor, playout.seats)
        edges[edge].won += search.shares[actor]


@compiled
def add_path(search: Search, certain: int) -> None:
    """Add what came of a simulation to the averages of its moves in the tree, as far as chance had no hand in it."""
    for step in range(certain):
        choice = search.path[step]
        move = whole(search.tree.edges[choice.edge].move)
        add_result(search.playout.averages, choice.actor, move, search.values[choice.actor])
