"""`smalti train`: train a bot by self-play."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from smalti import games
from smalti.bots.training import Course, Processes, Ray, WorkerPool, course, learner_of
from smalti.cli import screen
from smalti.cli.files import check_writable
from smalti.cli.screen import plots
from smalti.cli.simulate import MOST_SEED, check
from smalti.engine.errors import BadInput, shown

HELP = """Train a bot by self-play, and write the weights it plays with.

A checkpoint is kept beside the weights: Ctrl+C finishes the round and writes it, and the same command resumes from it.
With one worker and a fixed number of games, the weights depend only on the seed.

    smalti train patterns

    smalti train mosaix --minutes 30 --out mosaix.npz --plot curve.svg

    smalti train mozaika --games 100000 --workers 2
"""

MOST_GAMES = 10**12


def train(
    game: Annotated[str, typer.Argument(help=games.listed())],
    number: Annotated[
        int | None, typer.Option("--games", help="Number of games; that of the shipped weights if not given.")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(help="Train for so many minutes instead of a number of games.")
    ] = None,
    seed: Annotated[int, typer.Option(help="From 0 to 2^64 − 1.")] = 0,
    out: Annotated[Path | None, typer.Option(help="File for the weights: .npz.")] = None,
    start: Annotated[Path | None, typer.Option("--from", help="Checkpoint to start from.")] = None,
    workers: Annotated[int, typer.Option(help="Number of processes that play and learn.")] = 1,
    on_ray: Annotated[bool, typer.Option("--ray", help="Use Ray workers, on this machine or a cluster.")] = False,
    measure: Annotated[int, typer.Option(help="Number of games that measure how well it plays.")] = 200,
    plot: Annotated[Path | None, typer.Option(help="File for a plot of the learning curve: .png or .svg.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Train, and write the weights."""
    learner = learner_of(game)
    check_arguments(number, minutes, seed, workers, measure)
    goal = None if minutes is not None else number or learner.usual_games
    weights = out or Path(f"{learner.name}.npz")
    checkpoint = checkpoint_of(weights)
    if plot:
        plots.check(plot)
    taught = new_or_resumed(game, checkpoint, start, seed, goal or learner.usual_games, workers, measure)
    pool = pool_of(workers, on_ray)
    try:
        with stopping_on_interrupt() as is_stopped:
            run(taught, minutes, goal, pool, checkpoint, is_stopped)
    finally:
        if pool:
            pool.close()
    taught.write_weights(weights)
    print_summary(taught, weights, checkpoint, as_json)
    if plot:
        plots.curve(plot, taught.curve, "games", learner.measure)
    raise typer.Exit(130 if is_stopped() else 0)


# --- Checking the arguments


def check_arguments(number: int | None, minutes: float | None, seed: int, workers: int, measure: int) -> None:
    """Refuse arguments that make no sense."""
    if number is not None and minutes is not None:
        raise BadInput("give --games or --minutes, not both")
    if number is not None:
        check("--games", number, MOST_GAMES, least=1)
    if minutes is not None and not 0 < minutes < 10**6:
        raise BadInput(f"--minutes must be above 0, not {minutes:g}")
    check("--seed", seed, MOST_SEED)
    check("--workers", workers, 1024, least=1)
    check("--measure", measure, MOST_GAMES, least=1)


def checkpoint_of(weights: Path) -> Path:
    """Return where the checkpoint of weights is kept."""
    if weights.suffix != ".npz":
        raise BadInput(f"weights are a file that ends with .npz, not {shown(weights.name)}")
    check_writable(weights, "weights")
    return weights.with_suffix(".checkpoint.npz")


def new_or_resumed(
    game: str, checkpoint: Path, start: Path | None, seed: int, goal: int, workers: int, measure: int
) -> Course:
    """Resume the course that this command began, or begin one, from nothing or from a checkpoint."""
    if checkpoint.exists():
        found = Course.resumed(checkpoint, game)
        if found.seed != seed:
            raise BadInput(
                f"{checkpoint} was made with seed {found.seed}, not {seed}; choose another --out, or delete it"
            )
        return found
    learner = Course.resumed(start, game).learner if start else learner_of(game)
    return Course(game, learner, seed, max(1, workers, goal // course.ROUNDS), measure)


def pool_of(workers: int, on_ray: bool) -> WorkerPool | None:
    """Return the pool of workers; none if this process learns alone."""
    if on_ray:
        return Ray(workers)
    return Processes(workers) if workers > 1 else None


# --- Doing it


@contextmanager
def stopping_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Let Ctrl+C finish the round first; a second one stops at once."""
    asked = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        print("ending this round; once more Ctrl+C ends at once", file=sys.stderr, flush=True)

    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def run(
    taught: Course,
    minutes: float | None,
    goal: int | None,
    pool: WorkerPool | None,
    checkpoint: Path,
    is_stopped: Callable[[], bool],
) -> None:
    """Train, and show the progress."""
    learner = taught.learner
    with screen.progress("learning", goal, show=True) as advance:
        advance(min(taught.games, goal or 0), f"learning {taught.game}: {learner.measure}")

        def report(taught: Course, games: int) -> None:
            at, value = taught.curve[-1]
            advance(games, f"{at} games: {value:.3f}")

        taught.run(course.until(minutes, is_stopped), goal, pool, checkpoint, report)


def print_summary(taught: Course, weights: Path, checkpoint: Path, as_json: bool) -> None:
    """Print the result."""
    learner = taught.learner
    found: dict[str, Any] = {
        "game": taught.game,
        "games": learner.games,
        "seed": taught.seed,
        "measure": learner.measure,
        "measured": taught.curve[-1][1],
        "curve": taught.curve,
        "weights": str(weights),
        "bytes": weights.stat().st_size,
        "checkpoint": str(checkpoint),
    }
    if as_json:
        print(json.dumps(found))
        return
    first, last = taught.curve[0], taught.curve[-1]
    lines = (
        f"{taught.game}: {learner.games} games, {learner.measure}: {last[1]:.3f} (was {first[1]:.3f} at {first[0]})",
        f"weights: {weights} ({found['bytes'] / 1000:.0f} kB); checkpoint to resume from: {checkpoint}",
    )
    for line in lines:
        screen.console.print(line, markup=False, soft_wrap=True)
