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
from smalti.bots.training.worker_pool import end_with_parent, process_pool
from smalti.cli.screen import progress
from smalti.engine.compiled import CACHE, KEEPS_CODE
from smalti.engine.errors import BadInput
from smalti.engine.game import Game
from smalti.engine.loops import warming
from smalti.server.workers.compiling import compile_rules

Step = Callable[[], object]
Advance = tuple[str, int]  # the title of a game, and how many more of its steps are done
PATIENCE = 0.2  # seconds between two looks whether everything is done

progress_queue: Queue[Advance]  # by which a worker process reports its progress

HELP = """Compile the rules and bots of all games and keep the machine code, so that nothing waits for it later.

    smalti warm

    smalti warm --fresh      delete the code of all versions first

    smalti warm --research   compile for the research environments, too
"""


def warm(
    fresh: Annotated[bool, typer.Option("--fresh", help="Delete the kept code of all versions first.")] = False,
    research: Annotated[bool, typer.Option("--research", help="Compile for the research environments, too.")] = False,
) -> None:
    """Compile what is not compiled yet."""
    if fresh:
        shutil.rmtree(CACHE.parent, ignore_errors=True)
    compile_all(research)


def compile_all(research: bool) -> None:
    """Compile what is not compiled yet, and show the progress."""
    total = sum(len(steps(game, research)) for game in games.everyone())
    with progress("compiling", total, show=True) as advance:
        for title, done in compiled_apart(research) if KEEPS_CODE else compiled_here(research):
            advance(done, f"compiling {title}")


def compiled_here(research: bool) -> Iterator[Advance]:
    """Compile one game after the other in this process, if code cannot be kept for others."""
    for game in games.everyone():
        yield from compiled(game, research)


def compiled(game: Game, research: bool) -> Iterator[Advance]:
    """Compile a game step by step."""
    yield game.title, 0
    for step in steps(game, research):
        step()
        yield game.title, 1


def compiled_apart(research: bool) -> Iterator[Advance]:
    """Compile games at the same time, in processes that keep the code for everybody."""
    queue: Queue[Advance] = multiprocessing.get_context("spawn").Queue()
    with process_pool(min(os.cpu_count() or 1, len(games.names())), start_worker, queue) as pool:
        waiting = [pool.submit(compile_game, name, research) for name in games.names()]
        while not all(future.done() for future in waiting):
            with suppress(Empty):
                yield queue.get(timeout=PATIENCE)
        for future in waiting:
            future.result()


def start_worker(queue: Queue[Advance]) -> None:
    """Prepare a worker process."""
    global progress_queue
    end_with_parent()
    progress_queue = queue


def compile_game(name: str, research: bool) -> None:
    """Compile a game in a worker process, and report the progress."""
    for each in compiled(games.find(name), research):
        progress_queue.put(each)


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
    from smalti.research import load_module

    try:
        found: Callable[[Game], list[Step]] = load_module("warming").steps
    except ModuleNotFoundError as missing:
        raise BadInput(str(missing)) from missing
    return found
