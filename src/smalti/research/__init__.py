"""The games as environments for research, on the same rules as everything else.

    import smalti.research

    smalti.research.aec_env("mozaika", players=4)                     # PettingZoo, seats in turn
    smalti.research.parallel_env("mosaix", players=3)                 # PettingZoo, all at once
    smalti.research.vector_env("patterns", games=1024, seed=0)        # thousands of games, arrays only
    gymnasium.make("Smalti/MosaixSolo-v0")                            # Gymnasium, one seat
    pyspiel.load_game("python_smalti_patterns")                       # OpenSpiel

Importing this registers the names with those frameworks that are installed (`pip install smalti[research]`). Read
`setting` (what all have in common) and `play` (one game), then the framework you use: `zoo`, `gym`, `spiel`, `vector`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from smalti import games
from smalti.engine.match import Match
from smalti.research.setting import Setting, setting

if TYPE_CHECKING:
    from smalti.research.vector import GamesEnv
    from smalti.research.zoo import TogetherEnv, TurnsEnv

__all__ = ["Setting", "aec_env", "parallel_env", "setting", "vector_env"]


def aec_env(
    game: str,
    players: int | None = None,
    *,
    rewards: str | None = None,
    illegal: str = "end",
    render_mode: str | None = None,
    start: Match | None = None,
    **options: str,
) -> TurnsEnv:
    """Return a game for PettingZoo in which the seats act one after the other."""
    chosen = setting(game, players, rewards=rewards, start=start, options=options)
    env: TurnsEnv = load_module("zoo").TurnsEnv(chosen, render_mode, illegal)
    return env


def parallel_env(
    game: str,
    players: int | None = None,
    *,
    rewards: str | None = None,
    illegal: str = "end",
    render_mode: str | None = None,
    start: Match | None = None,
    **options: str,
) -> TogetherEnv:
    """Return a game for PettingZoo in which all seats that must act do so in one step."""
    chosen = setting(game, players, rewards=rewards, start=start, options=options)
    env: TogetherEnv = load_module("zoo").TogetherEnv(chosen, render_mode, illegal)
    return env


def vector_env(
    game: str, players: int | None = None, games: int = 1024, seed: int | None = None, **arguments: Any
) -> GamesEnv:
    """Return many games that are stepped together, a `gymnasium.vector.VectorEnv`."""
    env: GamesEnv = load_module("vector").GamesEnv(game, players, games, seed, **arguments)
    return env


def load_module(name: str) -> Any:
    """Load a module of this package, or say what it needs."""
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as missing:
        hint = f"{missing.name} is not installed: pip install 'smalti[research]'"
        raise ModuleNotFoundError(hint, name=missing.name) from missing


def register() -> None:
    """Make the games known to Gymnasium and OpenSpiel, where they are installed."""
    for framework, module in (("gymnasium", "gym"), ("pyspiel", "spiel")):
        if find_spec(framework):
            load_module(module).register()


def __getattr__(name: str) -> Any:
    """Return what PettingZoo calls an environment's module, such as `mosaix_v0`, with `env` and `parallel_env`."""
    game, _, version = name.rpartition("_")
    if version != "v0" or game not in games.names():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return SimpleNamespace(
        env=lambda **arguments: aec_env(game, **arguments),
        raw_env=lambda **arguments: aec_env(game, **arguments),
        parallel_env=lambda **arguments: parallel_env(game, **arguments),
    )


register()
