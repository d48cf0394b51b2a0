"""TD(λ) with temporal coherence, compiled: what a game teaches about the worth of grids.

The values learned are those of afterstates, the grids after writing, from the last turn back to the first. Where a
turn was not played as well as possible, the target is the worth of the best move, not of the one that was played.
Temporal coherence gives every entry a learning rate of its own: the share of its net correction in the sum of their
sizes, so that an entry whose errors contradict each other hardly moves.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from smalti.bots.mosaix.evaluate.batch import read_windows
from smalti.bots.mosaix.evaluate.features import (
    ENTRIES,
    MOST_LISTED,
    Entries,
    Judgement,
    Numbers,
    Reals,
    Work,
    list_grid,
    set_pace,
)
from smalti.bots.mosaix.evaluate.footprints import WINDOW_COUNT
from smalti.bots.mosaix.evaluate.position import Position, boxes_of
from smalti.engine.compiled import apart, compiled
from smalti.engine.record import Record

Integers = npt.NDArray[np.int32]

MOST_TURNS = 64
LAMBDA = 0.5  # how far back a surprise reaches


class Episode(Record):
    """One game: after each turn the features of the grid, and what the best next move was worth."""

    listed: Annotated[Numbers, MOST_TURNS, MOST_LISTED]
    windows: Annotated[Numbers, MOST_TURNS, WINDOW_COUNT]
    shares: Annotated[Reals, MOST_TURNS]  # of what windows are worth
    counts: Annotated[Numbers, MOST_TURNS]
    points: Annotated[Numbers, MOST_TURNS]
    over: Annotated[Numbers, MOST_TURNS]
    best: Annotated[Reals, MOST_TURNS]  # what the best next move was worth
    strayed: Annotated[Numbers, MOST_TURNS]  # whether another one was played


class Coherence(NamedTuple):
    """By entry the sum of its errors and of their sizes, which set its learning rate; and classes of equal windows."""

    sums: Entries
    sizes: Entries
    of: Integers
    members: Integers
    starts: Integers


@apart
def note_turn(work: Work, episode: Episode, turn: int, position: Position) -> None:
    """Note the features of the grid after a turn."""
    set_pace(work, position.slack, position.is_solo)
    listed, points, is_over = list_grid(work, position)
    read_windows(work, position.grid)
    for index in range(listed):
        episode.listed[turn, index] = work.listed[index]
    for window in range(WINDOW_COUNT):
        episode.windows[turn, window] = work.windows[window]
    episode.shares[turn] = work.window_share[0]
    episode.counts[turn] = listed
    episode.points[turn] = points + boxes_of(position)
    episode.over[turn] = is_over
    episode.strayed[turn] = 0


@compiled
def recalled_worth(episode: Episode, turn: int, judged: Judgement) -> float:
    """Return what the grid after a turn is worth by now."""
    worth = 0.0
    if episode.over[turn] == 0:
        for index in range(episode.counts[turn]):
            worth += judged.entries[episode.listed[turn, index]]
        for window in range(WINDOW_COUNT):
            worth += episode.shares[turn] * judged.windows[episode.windows[turn, window]]
    return worth + episode.points[turn]


@compiled
def step_of(place: int, error: float, coherence: Coherence) -> float:
    """Return by how much an entry moves: all the way while its errors agree, little once they cancel out."""
    step, size = error, coherence.sizes[place]
    if size > 0:
        step *= abs(coherence.sums[place]) / size
    coherence.sums[place] += error
    coherence.sizes[place] += abs(error)
    return step


@apart
def improve(episode: Episode, turn: int, error: float, judged: Judgement, coherence: Coherence) -> None:
    """Spread an error over all that a grid was judged by."""
    share = error / (episode.counts[turn] + WINDOW_COUNT)
    for index in range(episode.counts[turn]):
        entry = episode.listed[turn, index]
        judged.entries[entry] += step_of(entry, share, coherence)
    for window in range(WINDOW_COUNT):
        alike = coherence.of[episode.windows[turn, window]]
        step = step_of(ENTRIES + alike, episode.shares[turn] * share, coherence)
        for index in range(coherence.starts[alike], coherence.starts[alike + 1]):
            judged.windows[coherence.members[index]] += step


@apart
def learn_from(episode: Episode, turns: int, rate: float, judged: Judgement, coherence: Coherence) -> None:
    """Learn from a game of so many turns, the last first."""
    target: float = 0.0 + episode.points[turns]
    for turn in range(turns, -1, -1):
        if turn < turns:
            if episode.strayed[turn]:
                target = episode.best[turn]
            else:
                target = LAMBDA * target + (1 - LAMBDA) * recalled_worth(episode, turn + 1, judged)
        if episode.over[turn] == 0:
            error = target - recalled_worth(episode, turn, judged)
            improve(episode, turn, rate * error, judged, coherence)
