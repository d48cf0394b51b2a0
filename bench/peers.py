"""The peers: what others reach, on games as close to ours as they have, each treated as well as we know how.

Every peer is a function that loads it and returns a measurement: so many seconds in, decisions a second out. A
peer that is not installed raises ImportError when it is loaded.

Havannah on a board of side 5 has 61 cells and a rule about connections; Hex on 11×11 has 121. Neither has chance,
and both generate moves by listing empty cells, so nothing here is harder for them than our games are for us.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from smalti.measure import rate

Measurement = Callable[[float], float]

HOW_TO_INSTALL = "python3 dev.py bench"

HAVANNAH = "havannah(board_size=5)"
ROLLOUTS = 2000  # between two looks at the clock
GAMES_FOR_THE_MEAN = 4000
HEX_BATCHES = (256, 1024, 4096)
HEX_STEPS = 32  # fewer than the 121 cells of the board, so that games do not end and nothing is spent on new ones


@dataclass(frozen=True)
class Peer:
    """Somebody we measure beside."""

    key: str
    title: str
    load: Callable[[], Measurement]


def on_one_core() -> str:
    """Keep this process and everything it starts on one core; return how that was done. Before JAX is imported."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    if not hasattr(os, "sched_setaffinity"):
        return "one thread each"
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return "one thread each, pinned to one core"


# --- OpenSpiel


def one_havannah_game(game: Any, luck: random.Random) -> int:
    """Play a random game through OpenSpiel's Python interface; return its decisions."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(luck.choice(state.legal_actions()))
        decisions += 1
    return decisions


def open_spiel_core() -> Measurement:
    """Measure OpenSpiel's C++ core: rollouts of its tree search, driven from Python.

    A search of a single simulation does nothing but let the evaluator play its rollouts from the given state, all
    in C++; the search tree, which would only slow it down, stays a bare root. Rollouts are made into decisions by
    the mean length of random games, which is the same whoever plays them.
    """
    import pyspiel

    game, luck = pyspiel.load_game(HAVANNAH), random.Random(1)
    mean_length = sum(one_havannah_game(game, luck) for _ in range(GAMES_FOR_THE_MEAN)) / GAMES_FOR_THE_MEAN
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=1)
    search = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)
    state = game.new_initial_state()

    def rollouts() -> float:
        search.step(state)
        return ROLLOUTS * mean_length

    return lambda seconds: rate(rollouts, seconds)


def open_spiel_from_python() -> Measurement:
    """Measure OpenSpiel as a Python user drives it: legal actions, a random choice, apply."""
    import pyspiel

    game, luck = pyspiel.load_game(HAVANNAH), random.Random(1)
    return lambda seconds: rate(lambda: one_havannah_game(game, luck), seconds)


# --- Pgx


def pgx_hex() -> Measurement:
    """Measure Pgx's Hex on the CPU with the batch that is fastest here."""
    runs = [hex_run(batch) for batch in HEX_BATCHES]
    fastest = max(runs, key=lambda run: rate(run, 0.5))
    return lambda seconds: rate(fastest, seconds)


def hex_run(batch: int) -> Callable[[], int]:
    """Return a run of a batch of games, compiled to one piece: choose, step, repeat; it returns its decisions.

    An action is chosen by one random number and the running count of legal ones, half the price of the usual
    categorical draw. Only steps of games that are not over are counted.
    """
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make("hex")

    def choice(key: Any, mask: Any) -> Any:
        reached = jnp.cumsum(mask)
        return jnp.argmax(reached > jax.random.randint(key, (), 0, reached[-1]))

    def step(carried: Any, key: Any) -> Any:
        state, decisions = carried
        actions = jax.vmap(choice)(jax.random.split(key, batch), state.legal_action_mask)
        return (jax.vmap(env.step)(state, actions), decisions + jnp.sum(~state.terminated)), None

    def steps(state: Any, key: Any) -> Any:
        (state, decisions), _ = jax.lax.scan(step, (state, 0), jax.random.split(key, HEX_STEPS))
        return decisions, state.rewards

    play = jax.jit(steps)
    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    keys = iter(range(1 << 30))

    def run() -> int:
        return int(jax.block_until_ready(play(start, jax.random.PRNGKey(next(keys))))[0])

    run()
    return run


PEERS = (
    Peer("core", "OpenSpiel, C++ core", open_spiel_core),
    Peer("python", "OpenSpiel, from Python", open_spiel_from_python),
    Peer("pgx", "Pgx, Hex on the CPU", pgx_hex),
)
