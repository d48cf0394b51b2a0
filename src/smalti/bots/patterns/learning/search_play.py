"""Games of Patterns against itself with search, compiled: TD(λ) towards what the search says of every table.

What a search of a few hundred tables finds is what the static evaluation should have said.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.bots.patterns.evaluate.evaluation import POINT
from smalti.bots.patterns.evaluate.features import points_lead, write_features
from smalti.bots.patterns.learning.self_play import MOST_EXPLORING, NOW, THOUSAND, GameScratch, set_up_game
from smalti.bots.patterns.learning.td import CoherentWeights, Episode, Floats, learn_from
from smalti.bots.patterns.search.pvs import CAREFUL, INFINITE, open_root, search_on
from smalti.bots.patterns.search.stack import LEVELS, SearchStack, list_moves, new_stack, set_root
from smalti.engine.bits import EMPTY, whole
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.rules import play
from smalti.games.patterns.tables import PLAYING, Table

STEPS = 256  # of a point, in the weights that are shipped
LARGEST = np.iinfo(np.int16).max


def small(weights: Floats) -> npt.NDArray[np.int16]:
    """Return weights as the small whole numbers that the search uses."""
    return np.clip(np.rint(weights * STEPS), -LARGEST, LARGEST).astype(np.int16)


def new_search(weights: Floats, nodes: int) -> SearchStack:
    """Return a stack to search that many tables with weights that are still learned."""
    return new_stack(small(weights), 1 << nodes.bit_length(), CAREFUL)


@compiled
def refresh_weights(stack: SearchStack, learned: CoherentWeights, episode: Episode, plies: int) -> None:
    """Bring the weights that a game has changed into the small whole numbers that the search uses."""
    for ply in range(plies):
        for index in episode.indices[ply]:
            stack.weights[index] = whole(min(LARGEST, max(-LARGEST, np.rint(learned.weights[index] * STEPS))))


@compiled
def reset(stack: SearchStack) -> None:
    """Forget all tables but the one at level 0."""
    set_root(stack)
    for slot in range(len(stack.transpositions)):
        stack.transpositions[slot, 0] = EMPTY
        stack.transpositions[slot, 1] = EMPTY
    stack.progress[0].nodes = 0


@compiled
def move_to_front(stack: SearchStack, found: int, move: int) -> None:
    """Put a move of level 0 in front of the others."""
    moves = stack.moves[0]
    for index in range(found):
        if moves[index] == move:
            for place in range(index, 0, -1):
                moves[place] = moves[place - 1]
            moves[0] = move


@compiled
def search_position(stack: SearchStack, nodes: int) -> tuple[int, int, bool]:
    """Search the table of level 0 deeper and deeper; return the best move, its worth, and whether that is proved."""
    reset(stack)
    found = list_moves(stack.tables[0], stack.moves[0])
    chosen, worth, is_proved = whole(stack.moves[0, 0]), 0, False
    for depth in range(1, LEVELS):
        open_root(stack, depth, -INFINITE, INFINITE, found)
        if not search_on(stack, nodes):
            break
        frame = stack.frames[0]
        chosen, worth, is_proved = frame.best_move, frame.best, frame.is_estimated == 0
        move_to_front(stack, found, chosen)
        if is_proved:
            break
    return chosen, worth, is_proved


@compiled
def play_searching(scratch: GameScratch, stack: SearchStack, nodes: int, exploring: int, stream: Stream) -> int:
    """Play the game in NOW, searching that many tables for each move; note all plies and return how many."""
    ply, episode = 0, scratch.episode
    while scratch.tables[NOW].phase == PLAYING:
        table = scratch.tables[NOW]
        seat = whole(table.turn)
        stack.tables[0] = table
        move, worth, is_proved = search_position(stack, nodes)
        write_features(table, seat, stack.reach[0], episode.indices[ply])
        episode.leads[ply] = points_lead(table, seat)
        episode.values[ply] = worth / POINT
        is_random = below(stream, THOUSAND) < exploring
        episode.is_final[ply] = is_random or is_proved
        if is_random:
            move = whole(stack.moves[0, below(stream, list_moves(table, stack.moves[0]))])
        play(table, seat, move)
        ply += 1
    return ply


@apart
def learn_by_search(
    start: Table,
    scratch: GameScratch,
    stack: SearchStack,
    learned: CoherentWeights,
    games: int,
    nodes: int,
    stream: Stream,
) -> int:
    """Play games with search, and learn from each; return how many plies there were."""
    plies = 0
    for _ in range(games):
        set_up_game(start, scratch, stream)
        exploring = below(stream, 10 * MOST_EXPLORING) if below(stream, 2) == 0 else 0
        length = play_searching(scratch, stack, nodes, exploring, stream)
        learn_from(scratch.episode, learned, length)
        refresh_weights(stack, learned, scratch.episode, length)
        plies += length
    return plies
