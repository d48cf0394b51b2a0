"""Loops in which environments are played at random, by everybody alike, and how fast that goes.

As in `peers`, a measurement takes so many seconds and returns how many a second there were. The loops are as short as
a framework's interface allows, so that what they measure is the environment.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bench.peers import Measurement
from smalti.measure import rate

CHANCE = -1  # as OpenSpiel numbers players
GAMES = 300  # enough for a mean


def any_of(moves: Sequence[Any], luck: random.Random) -> Any:
    """Draw one of these, each equally likely."""
    return moves[int(luck.random() * len(moves))]


def allowed(seen: Any) -> Any:
    """Return the actions that a mask allows."""
    return seen["action_mask"].nonzero()[0]


# --- PettingZoo and Gymnasium


def game_in_turns(env: Any, luck: random.Random) -> int:
    """Play a game with agents in turn; return the decisions, without the steps by which agents leave."""
    env.reset()
    decisions = 0
    for _ in env.agent_iter():
        seen, _, is_over, was_cut, _ = env.last()
        if is_over or was_cut:
            env.step(None)
        else:
            env.step(any_of(allowed(seen), luck))
            decisions += 1
    return decisions


def game_together(env: Any, luck: random.Random) -> int:
    """Play a game in which all agents act at once; return its steps."""
    seen, _ = env.reset()
    steps = 0
    while env.agents:
        seen, *_ = env.step({agent: any_of(allowed(seen[agent]), luck) for agent in env.agents})
        steps += 1
    return steps


def game_of_one_seat(env: Any, luck: random.Random) -> int:
    """Play a game of Gymnasium; return its steps."""
    _, told = env.reset()
    is_over, steps = False, 0
    while not is_over:
        _, _, ended, was_cut, told = env.step(any_of(allowed(told), luck))
        is_over = ended or was_cut
        steps += 1
    return steps


def played(env: Any, game: Callable[[Any, random.Random], int]) -> Measurement:
    """Measure an environment by a loop that plays one game, warm."""
    luck = random.Random(1)
    env.reset(seed=1)
    game(env, luck)
    return lambda seconds: rate(lambda: game(env, luck), seconds)


def reset(env: Any, count: int, **arguments: Any) -> Measurement:
    """Measure games begun a second, so many by each reset."""
    env.reset(seed=1)

    def begin() -> int:
        env.reset(**arguments)
        return count

    return lambda seconds: rate(begin, seconds)


# --- OpenSpiel


class Played(NamedTuple):
    """Calls that applied actions in a game, the actions, how many of them players chose, and among how many in all."""

    calls: int
    actions: int
    decisions: int
    choices: int


def drawn(outcomes: Sequence[tuple[int, float]], share: float) -> int:
    """Return what chance does when this share of all probability lies before it."""
    for outcome, probability in outcomes:
        share -= probability
        if share < 0:
            return outcome
    return outcomes[-1][0]


def game_of_nodes(game: Any, luck: random.Random) -> Played:
    """Play a game of OpenSpiel; where several act together, one call applies as many actions as act."""
    state, calls, chances, decisions, choices = game.new_initial_state(), 0, 0, 0, 0
    seats = range(game.num_players())
    while not state.is_terminal():
        calls += 1
        player = state.current_player()
        if player >= 0:
            moves = state.legal_actions()
            state.apply_action(any_of(moves, luck))
            decisions, choices = decisions + 1, choices + len(moves)
        elif player == CHANCE:
            state.apply_action(drawn(state.chance_outcomes(), luck.random()))
            chances += 1
        else:
            lists = [state.legal_actions(seat) for seat in seats]
            state.apply_actions([any_of(moves, luck) if moves else 0 for moves in lists])
            decisions, choices = decisions + sum(map(bool, lists)), choices + sum(map(len, lists))
    return Played(calls, chances + decisions, decisions, choices)


def of_nodes(game: Any) -> Measurement:
    """Measure a game of OpenSpiel, warm: calls that apply actions a second."""
    luck = random.Random(1)
    game_of_nodes(game, luck)
    return lambda seconds: rate(lambda: game_of_nodes(game, luck).calls, seconds)


def sum_of_games(game: Any) -> Played:
    """Play many games of OpenSpiel, and add up what was played."""
    luck = random.Random(1)
    games = [game_of_nodes(game, luck) for _ in range(GAMES)]
    return Played(*(sum(counts) for counts in zip(*games, strict=True)))
