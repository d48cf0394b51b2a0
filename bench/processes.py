"""What a person waits for: importing, the first command ever, and every command after it, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from smalti import games
from smalti.engine.game import Game
from smalti.engine.loops.simulation import random_record

# The peers bring scipy, which Numba loads wherever it finds it; who only plays does not have it, so it is hidden here.
AS_A_PLAYER = "import sys; sys.modules['scipy'] = None; "
IMPORTING = AS_A_PLAYER + "from time import perf_counter as now; a = now(); import smalti; print(now() - a)"
COMMAND_LINE = AS_A_PLAYER + "from smalti.cli import main; main()"


def import_time(rounds: int) -> float:
    """Return the seconds `import smalti` takes in a new interpreter."""
    return median(float(output(IMPORTING)) for _ in range(rounds))


def verify_times(rounds: int) -> dict[str, dict[str, float]]:
    """Return, by game, the seconds of `smalti verify` on one record: cold, compiling everything, and warm."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return {game.name: verify_game(game, folder, rounds) for game in games.everyone()}


def verify_game(game: Game, folder: Path, rounds: int) -> dict[str, float]:
    """Verify one random record of a game, so often with an empty cache, and so often with the last one's."""
    record = folder / f"{game.name}.json"
    record.write_text(random_record(game, game.seats[-1], {}, 1, 0).text())
    caches = [folder / f"{game.name}-{number}" for number in range(rounds)]
    cold = [verify_time(record, cache) for cache in caches]
    warm = [verify_time(record, caches[-1]) for _ in range(rounds)]
    return {"cold": median(cold), "warm": median(warm)}


def verify_time(record: Path, cache: Path) -> float:
    """Return the wall time of one `smalti verify`, from starting the interpreter to its end."""
    begin = perf_counter()
    output(COMMAND_LINE, "verify", str(record), cache=cache)
    return perf_counter() - begin


def output(program: str, *words: str, cache: Path | None = None) -> str:
    """Run a line of Python that must succeed, in a process of its own; return what it printed."""
    environment = dict(os.environ) | ({"SMALTI_CACHE_DIR": str(cache)} if cache else {})
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
