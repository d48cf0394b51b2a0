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


def find(name: str, version: int | None = None) -> Game:
    """Return the game of that name, by the newest rules or by those of a version of theirs."""
    versions = versions_of(name)
    if version is None:
        return versions[max(versions)]
    if type(version) is not int or version not in versions:
        raise BadInput(f"{name} has no rules of version {shown(version)}; it has: {', '.join(map(str, versions))}")
    return versions[version]


@cache
def versions_of(name: str) -> dict[int, Game]:
    """Return the game of that name by each version of its rules, the newest last."""
    if name not in names():
        raise BadInput(f"there is no game {shown(name)}; there are: {listed()}")
    newest: Game = import_module(f"{__name__}.{name}").GAME
    return {number: newest if number == newest.version else newest.of(number) for number in newest.versions}


def everyone() -> list[Game]:
    """Return all games."""
    return [find(name) for name in names()]
