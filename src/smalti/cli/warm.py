"""`smalti warm`: compile everything once and keep the machine code."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import numba
import typer

from smalti import bots, games
from smalti.cli.screen import progress
from smalti.engine import warming
from smalti.engine.compiled import CACHE, KEEPS_CODE, PACKAGE
from smalti.engine.errors import BadInput
from smalti.engine.game import Game

HELP = """Compile the rules of all games and keep the machine code, so that nothing waits later.

    smalti warm

    smalti warm --fresh      throws away the code of all versions first

    smalti warm --research   compiles what environments need besides
"""


def warm(
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw away what is kept, of other versions too.")] = False,
    research: Annotated[bool, typer.Option("--research", help="Compile for environments, too.")] = False,
) -> None:
    """Compile what is not compiled yet."""
    if fresh:
        shutil.rmtree(CACHE.parent, ignore_errors=True)
    compile_all(research)


def get_ready() -> None:
    """Compile what is not compiled yet; where all is, load the rules alone: bots think in processes of their own."""
    if not mark().exists():
        compile_all(research=False)
        return
    for game in games.everyone():
        warming.one_match(game)


def mark() -> Path:
    """Return the file that says that everything was compiled, from these very files and by this Python.

    Numba knows its code again by the place and the age of the sources, so they are what counts here, too.
    """
    files = [file for part in ("engine", "games", "bots") for file in sorted((PACKAGE / part).rglob("*.py"))]
    states = [(str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files]
    return CACHE / f"all-{sha256(repr((sys.version, numba.__version__, states)).encode()).hexdigest()[:16]}"


def compile_all(research: bool) -> None:
    """Compile what is not compiled yet, and show how far it is."""
    kinds = [warming.steps, bot_steps, *([research_steps()] if research else [])]
    work = [(game, step) for game in games.everyone() for steps in kinds for step in steps(game)]
    with progress("compiling", len(work), show=True) as advance:
        for game, step in work:
            advance(0, f"compiling {game.title}")
            step()
            advance(1, f"compiling {game.title}")
    if KEEPS_CODE:
        mark().touch()


def bot_steps(game: Game) -> list[Callable[[], object]]:
    """Return what compiles the bots of a game."""
    return [lambda: bots.warm(game.name)]


def research_steps() -> Callable[[Game], list[Callable[[], object]]]:
    """Return what compiles for environments, if they are installed."""
    from smalti.research import part

    try:
        steps: Callable[[Game], list[Callable[[], object]]] = part("warming").steps
    except ModuleNotFoundError as missing:
        raise BadInput(str(missing)) from missing
    return steps
