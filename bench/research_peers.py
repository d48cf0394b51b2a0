"""The peers of the environments: their frameworks' own games, each treated as well as we know how.

As in `peers`, a framework that is not installed raises ImportError when something of it is loaded. Connect Four is
PettingZoo's nearest game with a mask of what is legal. OpenSpiel's games in Python are all small. 2048 is the fastest
game of Pgx on the CPU that we found, and has chance as ours do; Hex is the nearest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from bench.loops import game_in_turns, of_nodes, played
from bench.peers import Measurement, Peer
from smalti.measure import BATCH, rate

SCAN = 64  # steps that JAX compiles into one piece
MIXING = 6  # such pieces before games are at different points


def connect_four(is_wrapped: bool) -> Measurement:
    """Measure Connect Four, as users are told to make it, or without the wrappers that check its use."""
    from pettingzoo.classic import connect_four_v3

    return played(connect_four_v3.env() if is_wrapped else connect_four_v3.raw_env(), game_in_turns)


def loaded(name: str) -> Any:
    """Load a game of OpenSpiel."""
    import open_spiel.python.games  # noqa: F401  # makes those in Python known
    import pyspiel

    return pyspiel.load_game(name)


def spiel_peer(name: str, title: str) -> Peer:
    """Return a peer that OpenSpiel has written in Python."""
    key = f"python_{name}"
    return Peer(key, title, lambda: of_nodes(loaded(key)))


# --- Pgx


def pgx_batch(name: str) -> Measurement:
    """Measure a game of Pgx on the CPU, 1,024 at once, with the draw of actions that is faster here."""
    runs = [pgx_run(name, draw) for draw in (by_logits, by_count)]
    fastest = max(runs, key=lambda run: rate(run, 0.5))
    return lambda seconds: rate(fastest, seconds)


def by_logits(key: Any, masks: Any) -> Any:
    """Draw a legal action for each game, as Pgx's documentation does."""
    import jax
    import jax.numpy as jnp

    return jax.random.categorical(key, jnp.log(masks.astype(jnp.float32)), axis=1)


def by_count(key: Any, masks: Any) -> Any:
    """Draw a legal action for each game by one random number and the running count of legal ones."""
    import jax
    import jax.numpy as jnp

    reached = jnp.cumsum(masks, axis=1)
    chosen = (jax.random.uniform(key, (BATCH,)) * reached[:, -1]).astype(jnp.int32)
    return jnp.argmax(reached > chosen[:, None], axis=1)


def pgx_run(name: str, draw: Callable[[Any, Any], Any]) -> Callable[[], int]:
    """Return a run of 1,024 games, in one piece: choose, step, start anew what has ended; it returns its steps.

    Observations are a part of the state that goes in and comes out, so the compiler cannot leave them out.
    """
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step_one = auto_reset(env.step, env.init)

    def step(state: Any, key: Any) -> Any:
        chosen, fate = jax.random.split(key)
        actions = draw(chosen, state.legal_action_mask)
        return jax.vmap(step_one)(state, actions, jax.random.split(fate, BATCH)), None

    play = jax.jit(lambda state, key: jax.lax.scan(step, state, jax.random.split(key, SCAN))[0])
    latest = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BATCH))]
    keys = iter(range(1 << 30))

    def run() -> int:
        latest[0] = jax.block_until_ready(play(latest[0], jax.random.PRNGKey(next(keys))))
        return BATCH * SCAN

    for _ in range(MIXING):
        run()
    return run


# --- All of them

ZOO_PEERS = (
    Peer("zoo.connect_four", "Connect Four of PettingZoo", partial(connect_four, is_wrapped=True)),
    Peer("zoo.connect_four.raw", "the same without its wrappers", partial(connect_four, is_wrapped=False)),
)
SPIEL_PEERS = (
    spiel_peer("tic_tac_toe", "Tic-tac-toe"),
    spiel_peer("block_dominoes", "Block dominoes"),
    spiel_peer("team_dominoes", "Team dominoes"),
    spiel_peer("iterated_prisoners_dilemma", "Prisoners' dilemma"),
    spiel_peer("liars_poker", "Liar's poker"),
    spiel_peer("kuhn_poker", "Kuhn poker"),
)
PGX_PEERS = (
    Peer("pgx.2048", "2048 of Pgx", partial(pgx_batch, "2048")),
    Peer("pgx.hex", "Hex of Pgx", partial(pgx_batch, "hex")),
)
