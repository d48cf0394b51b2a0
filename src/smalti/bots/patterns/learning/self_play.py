"""Games of Patterns against itself, compiled: both seats look one ply ahead, and `td` learns from what came of it.

Worths are in points, as the seat to move sees them: the lead at the end, and eight points more for winning.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from smalti.bots.patterns.evaluate.features import (
    Indices,
    Reach,
    last_flip_points,
    note_reach,
    points_lead,
    update_reach,
    write_features,
)
from smalti.bots.patterns.learning.td import (
    LONGEST_GAME,
    CoherentWeights,
    Episode,
    Floats,
    learn_from,
    learned_lead,
    new_episode,
)
from smalti.bots.patterns.simple.evaluation import static_worth
from smalti.engine.bits import whole
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled
from smalti.engine.loops.playing import Lists, Tables, chance_move
from smalti.engine.rules import NOBODY, Weights, legal, play
from smalti.games.patterns.rules import colour_at
from smalti.games.patterns.tables import CELL_OF_SPACE, DEALING, FLIPPING, GIVING, PLAYING, SPACES, SWAP, Table

WIN = 8  # points that winning is worth beside the lead
MOST_EXPLORING = 30  # per cent of random moves, in half of the games
THOUSAND = 1000
NOW, TRIED, BEST, START = range(4)  # the tables of a game: as it stands, after a move, after the best one, at first


class GameScratch(NamedTuple):
    """Buffers to play a game in, and its episode."""

    tables: Tables  # NOW, TRIED, BEST, START
    reach: Reach  # of the same
    lists: Lists
    odds: Weights
    episode: Episode


def new_scratch(longest_list: int) -> GameScratch:
    """Return empty buffers."""
    return GameScratch(
        Table.batch(4),
        np.zeros((4, 2, 6), np.uint64),
        np.zeros((2, longest_list), np.int32),
        np.zeros(longest_list, np.int32),
        new_episode(),
    )


@compiled
def final_value(lead: int) -> float:
    """Return what a final lead is worth."""
    return float(lead + WIN if lead > 0 else lead - WIN if lead < 0 else 0)


@compiled
def worth_after(table: Table, seat: int, reach: Reach, indices: Indices, weights: Floats) -> float:
    """Return what a table is worth to the seat that has just acted."""
    if table.phase == PLAYING:
        write_features(table, 1 - seat, reach, indices)
        return points_lead(table, seat) - learned_lead(weights, indices)
    lead = points_lead(table, seat)
    if table.phase == FLIPPING:
        lead += last_flip_points(table, seat, reach)
    return final_value(lead)


@compiled
def is_swap_for_flip(table: Table, seat: int, move: int) -> bool:
    """Say whether a move swaps a tile for one of its own colour, which is the same as flipping it. (PT-9)"""
    return move >= SWAP and colour_at(table, CELL_OF_SPACE[move - SWAP]) == table.bowls[seat]


@compiled
def play_with_reach(table: Table, reach: Reach, seat: int, move: int) -> None:
    """Play an action and note what has changed within reach."""
    found = colour_at(table, CELL_OF_SPACE[move % SPACES])
    bowl = whole(table.bowls[seat])
    play(table, seat, move)
    update_reach(table, reach, found)
    if bowl != found:
        update_reach(table, reach, bowl)


@compiled
def copy_table(scratch: GameScratch, target: int, source: int) -> None:
    """Copy a table and what is within reach on it."""
    scratch.tables[target] = scratch.tables[source]
    for seat in range(2):
        for colour in range(6):
            scratch.reach[target, seat, colour] = scratch.reach[source, seat, colour]


@compiled
def try_moves(scratch: GameScratch, weights: Floats, found: int) -> float:
    """Try all moves that are listed for the table, leave the best one's result in BEST and return its worth."""
    seat = whole(scratch.tables[NOW].turn)
    best = -1e9
    for index in range(found):
        move = scratch.lists[0, index]
        if is_swap_for_flip(scratch.tables[NOW], seat, move):
            continue
        copy_table(scratch, TRIED, NOW)
        play_with_reach(scratch.tables[TRIED], scratch.reach[TRIED], seat, move)
        value = worth_after(
            scratch.tables[TRIED], seat, scratch.reach[TRIED], scratch.episode.indices[LONGEST_GAME], weights
        )
        if value > best:
            best = value
            copy_table(scratch, BEST, TRIED)
    return best


@compiled
def set_up_game(start: Table, scratch: GameScratch, stream: Stream) -> None:
    """Deal a mandala, and give the start tiles at random."""
    scratch.tables[NOW] = start
    table = scratch.tables[NOW]
    while table.phase == DEALING:
        play(table, NOBODY, chance_move(table, scratch.lists[0], scratch.odds, stream))
    if table.phase == GIVING:
        play(table, 1, scratch.lists[0, below(stream, legal(table, 1, scratch.lists[0]))])
    note_reach(table, scratch.reach[NOW])


@compiled
def play_game(scratch: GameScratch, weights: Floats, exploring: int, stream: Stream) -> int:
    """Play the game in NOW, with that many random moves in a thousand; note all plies and return how many."""
    ply = 0
    while scratch.tables[NOW].phase == PLAYING:
        seat = whole(scratch.tables[NOW].turn)
        write_features(scratch.tables[NOW], seat, scratch.reach[NOW], scratch.episode.indices[ply])
        scratch.episode.leads[ply] = points_lead(scratch.tables[NOW], seat)
        found = legal(scratch.tables[NOW], seat, scratch.lists[0])
        scratch.episode.values[ply] = try_moves(scratch, weights, found)
        scratch.episode.is_final[ply] = below(stream, THOUSAND) < exploring
        if scratch.episode.is_final[ply]:
            play_with_reach(scratch.tables[NOW], scratch.reach[NOW], seat, scratch.lists[0, below(stream, found)])
        else:
            copy_table(scratch, NOW, BEST)
        ply += 1
    return ply


@apart
def learn_games(start: Table, scratch: GameScratch, learned: CoherentWeights, games: int, stream: Stream) -> int:
    """Play games and learn from each; return how many plies there were."""
    plies = 0
    for _ in range(games):
        set_up_game(start, scratch, stream)
        exploring = below(stream, 10 * MOST_EXPLORING) if below(stream, 2) == 0 else 0
        length = play_game(scratch, learned.weights, exploring, stream)
        learn_from(scratch.episode, learned, length)
        plies += length
    return plies


@compiled
def try_hand_made(scratch: GameScratch, found: int) -> None:
    """Leave in BEST what the hand-made evaluation likes best."""
    seat = whole(scratch.tables[NOW].turn)
    best = -(1 << 40)
    for index in range(found):
        copy_table(scratch, TRIED, NOW)
        play_with_reach(scratch.tables[TRIED], scratch.reach[TRIED], seat, scratch.lists[0, index])
        value = static_worth(scratch.tables[TRIED], seat)
        if value > best:
            best = value
            copy_table(scratch, BEST, TRIED)


@apart
def points_against_hand_made(start: Table, scratch: GameScratch, weights: Floats, pairs: int, stream: Stream) -> int:
    """Play mandalas twice, from either seat, against the hand-made evaluation; return twice the wins, ties once."""
    points = 0
    for game in range(2 * pairs):
        if game % 2 == 0:
            set_up_game(start, scratch, stream)
            copy_table(scratch, START, NOW)
        copy_table(scratch, NOW, START)
        learned = game % 2
        while scratch.tables[NOW].phase == PLAYING:
            found = legal(scratch.tables[NOW], whole(scratch.tables[NOW].turn), scratch.lists[0])
            if whole(scratch.tables[NOW].turn) == learned:
                try_moves(scratch, weights, found)
            else:
                try_hand_made(scratch, found)
            copy_table(scratch, NOW, BEST)
        lead = static_worth(scratch.tables[NOW], learned)
        points += whole(lead > 0) + whole(lead >= 0)
    return points
