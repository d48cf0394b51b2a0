"""`smalti simulate`: random legal games as JSON lines."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer

from smalti import games
from smalti.cli.screen import progress
from smalti.engine.errors import BadInput, shown
from smalti.engine.loops.simulation import line_of, random_record

HELP = """Play random legal games and write their records, one per line.

The same seed gives the same bytes on every machine, with any Python version and any number of jobs.

    smalti simulate patterns --games 1000 --seed 7 --out games.jsonl --jobs 2

    smalti simulate mosaix --players 1 --option cards=scattered
"""

CHUNK = 250  # games a worker plays at a time
MOST_SEED = 2**64 - 1

Task = tuple[str, int, dict[str, str], int, int, int]


def simulate(
    game: Annotated[str, typer.Argument(help=games.listed())],
    players: Annotated[int | None, typer.Option(help="Number of players; the fewest possible if not given.")] = None,
    number: Annotated[int, typer.Option("--games", help="Number of games.")] = 1,
    seed: Annotated[int, typer.Option(help="From 0 to 2^64 − 1.")] = 0,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the game as NAME=VALUE; may be repeated.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File to write; standard output if not given.")] = None,
    jobs: Annotated[int, typer.Option(help="Number of processes.")] = 1,
) -> None:
    """Write random games."""
    found = games.find(game)
    seats = found.checked_seats(found.seats[0] if players is None else players)
    options = found.checked_options(options_of(option or []))
    check("--games", number, 10**12)
    check("--seed", seed, MOST_SEED)
    check("--jobs", jobs, 1024, least=1)
    tasks = [(game, seats, options, seed, first, min(CHUNK, number - first)) for first in range(0, number, CHUNK)]
    with output(out) as file, progress("playing", number, show=out is not None) as advance:
        for lines in played(tasks, jobs):
            file.write(lines)
            advance(lines.count("\n"))


def options_of(words: list[str]) -> dict[str, str]:
    """Read options given as NAME=VALUE."""
    for word in words:
        if "=" not in word:
            raise BadInput(f"expected an option as NAME=VALUE, not {shown(word)}")
    return dict(word.split("=", 1) for word in words)


def check(name: str, value: int, most: int, least: int = 0) -> None:
    """Refuse a number that is out of range."""
    if not least <= value <= most:
        raise BadInput(f"{name} must be from {least} to {most}, not {value}")


def play_chunk(task: Task) -> str:
    """Play a chunk of games; return their lines."""
    name, seats, options, seed, first, count = task
    game = games.find(name)
    return "".join(line_of(random_record(game, seats, options, seed, first + n)) + "\n" for n in range(count))


def played(tasks: list[Task], jobs: int) -> Iterator[str]:
    """Play the chunks in order, in this process or in several."""
    if jobs == 1 or len(tasks) < 2:
        yield from map(play_chunk, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(min(jobs, len(tasks))) as pool:
        yield from pool.imap(play_chunk, tasks)


@contextmanager
def output(path: Path | None) -> Iterator[TextIO]:
    """Give standard output, or a file that appears only when it is complete."""
    if path is None:
        yield sys.stdout
        sys.stdout.flush()
        return
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
