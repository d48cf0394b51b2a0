"""Compiling the rules of a game in a process of its own: `python -m smalti.server.workers.compiling GAME`.

It writes a number after every function: the per cent that are there. What it compiles is kept for everybody, with a
mark that says so. It ends when whoever started it does, whatever it is doing.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from hashlib import sha256
from pathlib import Path

import llvmlite.binding
import numba
from numba.core.event import Event, Listener, install_listener

from smalti import games
from smalti.engine.compiled import CACHE, KEEPS_CODE, PACKAGE, settings
from smalti.engine.game import Game
from smalti.engine.loops import warming


def mark(game: Game) -> Path:
    """Return the file that says that the rules of a game are compiled, from these very files and for this machine.

    Numba knows its code again by the place and the age of the sources, so they are what counts here, too.
    """
    files = [file for part in ("engine", "games") for file in sorted((PACKAGE / part).rglob("*.py"))]
    states = [(str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files]
    machine = (sys.version, numba.__version__, llvmlite.binding.get_host_cpu_name())
    return CACHE / f"rules-{game.name}-{sha256(repr((machine, states)).encode()).hexdigest()[:16]}"


def is_compiled(game: Game) -> bool:
    """Say whether the rules of a game need only be loaded, or can only be compiled where they are used."""
    return bool(settings.DISABLE_JIT) or not KEEPS_CODE or mark(game).exists()


def compile_rules(game: Game) -> None:
    """Compile the rules of a game, or load them, and say that they are there."""
    warming.one_match(game)
    if KEEPS_CODE:
        mark(game).touch()


def share_compiled(game: Game) -> int:
    """Return the per cent of a game's functions that are compiled; some are for others, so it is seldom all."""
    package = f"smalti.games.{game.name}."
    modules = [module for name, module in sys.modules.items() if name.startswith(package)]
    found = {id(each): each for module in modules for each in vars(module).values() if hasattr(each, "overloads")}
    return 100 * sum(bool(each.overloads) for each in found.values()) // max(1, len(found))


class Teller(Listener):
    """Tells how far it is whenever a function is compiled."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def on_start(self, event: Event) -> None:
        """Say nothing yet."""

    def on_end(self, event: Event) -> None:
        """Write the per cent."""
        print(share_compiled(self.game), flush=True)


def end_with_input() -> None:
    """End this process when whoever started it is gone, even if it was killed."""
    sys.stdin.buffer.read()
    os._exit(0)


def work(name: str) -> None:
    """Compile the rules of a game, and tell how far it is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server says when it is time to go
    threading.Thread(target=end_with_input, daemon=True).start()
    game = games.find(name)
    with install_listener("numba:compile", Teller(game)):
        compile_rules(game)
    sys.stdout.flush()
    os._exit(0)  # the thread still reads


if __name__ == "__main__":
    work(sys.argv[1])
