"""`smalti bench`: measure the engine, the environments or the server, compared with other libraries if installed."""

from __future__ import annotations

import importlib
import json
import sys
from enum import StrEnum
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from smalti import games
from smalti.cli import screen
from smalti.engine.errors import BadInput
from smalti.measure import Bench

HELP = """Measure the speed of the engine, the research environments or the server, compared with OpenSpiel, Pgx and
others; or the strength of the bots.

In a source checkout this runs bench/engine.py, bench/research.py, bench/server.py or bench/strength.py; `python3 dev.py
bench` installs the libraries to compare with first. Elsewhere only the engine is measured, and compared with nothing.

    smalti bench --rounds 5
    smalti bench research
    smalti bench server
    smalti bench strength --share 0.1 --only mosaix
"""

ROOT = Path(__file__).resolve().parents[3]


class Subject(StrEnum):
    """What can be measured, by the names of the modules that do it."""

    ENGINE = "engine"
    RESEARCH = "research"
    SERVER = "server"
    STRENGTH = "strength"


def bench(
    subject: Annotated[Subject, typer.Argument(help="What to measure.")] = Subject.ENGINE,
    rounds: Annotated[int, typer.Option(min=1, help="Number of rounds; medians are shown.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write the figures into bench/results.md.")] = False,
    share: Annotated[float, typer.Option(min=0.0, max=1.0, help="Strength: share of the games to play.")] = 1.0,
    only: Annotated[str, typer.Option(help="Strength: only rows with these words.")] = "",
    workers: Annotated[int, typer.Option(min=1, help="Strength: number of processes.")] = 1,
    more: Annotated[bool, typer.Option("--more", help="Strength: add to the games of earlier runs.")] = False,
) -> None:
    """Run the benchmark of the checkout, or measure what is installed."""
    if (ROOT / "bench" / "engine.py").exists():
        sys.path.insert(0, str(ROOT))
        main = importlib.import_module(f"bench.{subject}").main
        words = (share, only, workers, more) if subject is Subject.STRENGTH else (rounds,)
        raise typer.Exit(main(*words, as_json, write))
    if write or subject is not Subject.ENGINE:
        raise BadInput("this needs a source checkout, with its folder bench")
    measure_alone(rounds, as_json)


def measure_alone(rounds: int, as_json: bool) -> None:
    """Print decisions a second of each game."""
    speeds: dict[str, float] = {}
    for game in games.everyone():
        laid_out = Bench(game, game.seats[0])
        laid_out.warm_up()
        speeds[game.name] = median(laid_out.decisions() for _ in range(rounds))
        if not as_json:
            screen.console.print(f"{game.title}: {speeds[game.name] / 1e6:.2f} million decisions a second")
    if as_json:
        print(json.dumps(speeds))
