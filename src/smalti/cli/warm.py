"""`smalti warm`: compile everything once and keep the machine code."""

from __future__ import annotations

import multiprocessing
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.queues import Queue
from queue import Empty
from typing import Annotated

import typer

from smalti import bots, games
from smalti.bots.training.crews import obedient, obey
from smalti.cli.screen import progress
from smalti.engine import warming
from smalti.engine.compiled import CACHE, KEEPS_CODE
from smalti.engine.errors import BadInput
from smalti.engine.game import Game
from smalti.server.compiling import compile_rules

Step = Callable[[], object]
News = tuple[str, int]  # the title of a game, and how many more of its steps are done
PATIENCE = 0.2  # seconds between two looks whether everything is done

told: Queue[News]  # where a process that compiles tells how far it is

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


def compile_all(research: bool) -> None:
    """Compile what is not compiled yet, and show how far it is."""
    total = sum(len(steps(game, research)) for game in games.everyone())
    with progress("compiling", total, show=True) as advance:
        for title, done in compiled_apart(research) if KEEPS_CODE else compiled_here(research):
            advance(done, f"compiling {title}")


def compiled_here(research: bool) -> Iterator[News]:
    """Compile one game after the other in this process, where nothing could be handed over."""
    for game in games.everyone():
        yield from compiled(game, research)


def compiled(game: Game, research: bool) -> Iterator[News]:
    """Compile a game step by step."""
    yield game.title, 0
    for step in steps(game, research):
        step()
        yield game.title, 1


def compiled_apart(research: bool) -> Iterator[News]:
    """Compile games at the same time, in processes that keep the code for everybody."""
    news: Queue[News] = multiprocessing.get_context("spawn").Queue()
    with obedient(min(os.cpu_count() or 1, len(games.names())), begin, news) as pool:
        waiting = [pool.submit(compile_game, name, research) for name in games.names()]
        while not all(future.done() for future in waiting):
            with suppress(Empty):
                yield news.get(timeout=PATIENCE)
        for future in waiting:
            future.result()


def begin(news: Queue[News]) -> None:
    """Prepare a process that compiles."""
    global told
    obey()
    told = news


def compile_game(name: str, research: bool) -> None:
    """Compile a game in a process of its own, and tell how far it is."""
    for each in compiled(games.find(name), research):
        told.put(each)


def steps(game: Game, research: bool) -> list[Step]:
    """List all there is to compile of a game."""
    kinds = [rule_steps, bot_steps, *([research_steps()] if research else [])]
    return [step for kind in kinds for step in kind(game)]


def rule_steps(game: Game) -> list[Step]:
    """Return what compiles the rules of a game; servers are told that they need not."""
    return [lambda: compile_rules(game), *warming.steps(game)[1:]]


def bot_steps(game: Game) -> list[Step]:
    """Return what compiles the bots of a game."""
    return [lambda: bots.warm(game.name)]


def research_steps() -> Callable[[Game], list[Step]]:
    """Return what compiles for environments, if they are installed."""
    from smalti.research import part

    try:
        found: Callable[[Game], list[Step]] = part("warming").steps
    except ModuleNotFoundError as missing:
        raise BadInput(str(missing)) from missing
    return found
