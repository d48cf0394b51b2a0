"""The games, found by looking at the folders."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from smalti.engine.errors import BadInput, shown
from smalti.engine.game import Game


def names() -> list[str]:
    """List the names of all games."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


def listed() -> str:
    """Return the names of all games in one line."""
    return ", ".join(names())


@cache
def find(name: str) -> Game:
    """Return the game of that name."""
    if name not in names():
        raise BadInput(f"there is no game {shown(name)}; there are: {listed()}")
    game: Game = import_module(f"{__name__}.{name}").GAME
    return game


def everyone() -> list[Game]:
    """Return all games."""
    return [find(name) for name in names()]
