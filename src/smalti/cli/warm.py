"""`smalti warm`: compile everything once and keep the machine code."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

from smalti import games
from smalti.cli.screen import progress
from smalti.engine.compiled import CACHE
from smalti.engine.warming import steps

HELP = """Compile the rules of all games and keep the machine code, so that nothing waits later.

    smalti warm

    smalti warm --fresh   throws away the code of all versions first
"""


def warm(
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw away what is kept, of other versions too.")] = False,
) -> None:
    """Compile what is not compiled yet."""
    if fresh:
        shutil.rmtree(CACHE.parent, ignore_errors=True)
    work = [(game, step) for game in games.everyone() for step in steps(game)]
    with progress("compiling", len(work), show=True) as advance:
        for game, step in work:
            advance(0, f"compiling {game.title}")
            step()
            advance(1, f"compiling {game.title}")
