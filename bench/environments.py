"""Our games as the benchmark of the environments lays them out, framework by framework."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.research_peers import loaded


@dataclass(frozen=True)
class Entry:
    """One of our games with so many players."""

    game: str
    players: int
    title: str

    @property
    def key(self) -> str:
        """Its name among the figures."""
        return f"{self.game}.{self.players}"

    @property
    def spiel_name(self) -> str:
        """Its name in OpenSpiel."""
        return f"python_smalti_{self.game}(players={self.players})"


PATTERNS = Entry("patterns", 2, "Patterns")
SOLO = Entry("mosaix", 1, "Mosaix, solo")
MOZAIKA = Entry("mozaika", 4, "Mozaika, 4 players")
SINGLE = (PATTERNS, SOLO, Entry("mosaix", 2, "Mosaix, 2 players"), MOZAIKA)  # in environments of one game
MANY = (PATTERNS, SOLO, Entry("mosaix", 4, "Mosaix, 4 players"), MOZAIKA)  # many at once
MADE = {"Smalti/MosaixSolo-v0": "Mosaix, solo", "Smalti/Patterns-v0": "Patterns, against a random player"}

WARMING = 120  # steps before the games of a batch are at different points
STRAYS = 0.01  # of those, how many are illegal and so end a game: some games are all equally long


def aec(entry: Entry) -> Any:
    """Return the environment of PettingZoo with agents in turn."""
    from smalti.research import aec_env

    return aec_env(entry.game, entry.players)


def parallel(entry: Entry) -> Any:
    """Return the environment of PettingZoo with agents all at once."""
    from smalti.research import parallel_env

    return parallel_env(entry.game, entry.players)


def made(name: str) -> Any:
    """Return an environment as Gymnasium makes it, in its wrappers."""
    import gymnasium

    import smalti.research  # noqa: F401  # makes the names known

    return gymnasium.make(name)


def node_game(entry: Entry) -> Any:
    """Return the game of OpenSpiel."""
    import smalti.research  # noqa: F401

    return loaded(entry.spiel_name)


def mixed(entry: Entry, count: int, has_buffers: bool) -> tuple[Any, Any]:
    """Return a batch of games, played until they are all at different points, and the buffers for it, if any."""
    from smalti.research import vector_env

    env, strays = vector_env(entry.game, entry.players, count, seed=1), np.random.default_rng(1)
    env.reset()
    buffers = written(env.buffers()) if has_buffers else None
    for _ in range(WARMING):
        env.step(np.where(strays.random(count) < STRAYS, -1, env.sample()), out=buffers)
    return env, buffers


def written(buffers: Any) -> Any:
    """Write to all of some buffers once: the system gives memory only then."""
    for array in buffers:
        array.fill(0)
    return buffers
