"""`smalti arena`: let bots play against each other, and say who is stronger and how sure that is."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from smalti import games
from smalti.arena import contest as contests
from smalti.arena import crowd, players
from smalti.arena.contest import Contest
from smalti.arena.matches import Played
from smalti.arena.standings import Encounter, Standings, solo_document
from smalti.arena.statistics import SequentialTest
from smalti.cli import contest_screen, plots
from smalti.cli.screen import progress
from smalti.cli.simulate import MOST_SEED, check, options_of, written
from smalti.cli.writing import check_writable
from smalti.engine.errors import BadInput, shown

HELP = """Let bots play against each other, or alone, and say who is stronger and how sure that is.

Everybody sits on every seat with the same deals. A budget may stand behind a bot's name, as seconds or as nodes: only
with nodes the same seed gives the same matches. `program:COMMAND` is a program of yours, `openspiel-mcts` OpenSpiel's
search. docs/arena.md tells more.

    smalti arena patterns mcts@1000n greedy --games 200 --seed 1

    smalti arena mozaika level-3 greedy random --games 300 --seats 4 --plot elo.svg

    smalti arena patterns mcts@2000n mcts@1000n --games 4000 --sprt 0,20

    smalti arena mosaix --solo strongest --games 100
"""

MOST_GAMES = 10**9
Pair = tuple[int, int]


def arena(
    game: Annotated[str, typer.Argument(help=games.listed())],
    entrants: Annotated[list[str], typer.Argument(metavar="BOT...", help="Who takes part.")],
    number: Annotated[int, typer.Option("--games", help="Matches of every pair, or of everybody alone.")] = 100,
    seed: Annotated[int, typer.Option(help="From 0 to 2^64 − 1.")] = 0,
    seats: Annotated[
        int | None, typer.Option(help="How many sit at a table; the fewest above one if not given.")
    ] = None,
    solo: Annotated[bool, typer.Option("--solo", help="Everybody plays alone.")] = False,
    mixed: Annotated[bool, typer.Option("--mixed", help="Play tables with any number of copies of each.")] = False,
    settled: Annotated[
        bool, typer.Option("--settled", help="Let whoever has proved the end of a match play it for everybody.")
    ] = False,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the game as NAME=VALUE; may be repeated.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes; as many as there are cores if not given.")] = None,
    sprt: Annotated[
        str | None, typer.Option(metavar="ELO0,ELO1", help="Stop as soon as it is clear which of the two is right.")
    ] = None,
    limit: Annotated[float, typer.Option(help="Seconds a program may take for a move.")] = 10.0,
    records: Annotated[Path | None, typer.Option(help="File for the records, one a line.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Picture of the result: .png or .svg.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play a contest and tell its result."""
    if solo and seats not in (None, 1):
        raise BadInput("--solo is played by one; --seats says something else")
    contest = contest_of(game, entrants, seed, 1 if solo else seats, option, limit, records is not None, mixed, settled)
    deals = deals_of(contest, number)
    processes = min(workers_of(workers), deals * len(contests.pairs_of(contest)))
    bounds = bounds_of(sprt, contest) if sprt is not None else None
    if records:
        check_writable(records, "records")
    if plot:
        plots.check(plot)
    outcome = Outcome(contest, bounds)
    interrupted = play_all(outcome, deals, processes, records)
    if not outcome.can_be_judged:
        raise typer.Exit(130)
    outcome.tell(as_json)
    if plot:
        outcome.draw(plot)
    raise typer.Exit(130 if interrupted else 0)


# --- What is asked for


def contest_of(
    name: str,
    entrants: list[str],
    seed: int,
    seats: int | None,
    option: list[str] | None,
    limit: float,
    keeps_records: bool,
    mixed: bool,
    settles: bool,
) -> Contest:
    """Check everything that can be wrong before the first match."""
    game = games.find(name)
    count = game.checked_seats(min(n for n in game.seats if n > 1) if seats is None else seats)
    options = game.checked_options(options_of(option or []))
    check("--seed", seed, MOST_SEED)
    if not 0 < limit < float("inf"):
        raise BadInput(f"--limit must be a number of seconds above 0, not {limit:g}")
    if count > 1 and len(entrants) < 2:
        raise BadInput("it takes two to play: name at least two bots, or --solo where the game can be played alone")
    for entrant in dict.fromkeys(entrants):
        players.check(entrant, name, count, options)
    return Contest(name, count, tuple(entrants), seed, tuple(options.items()), limit, keeps_records, mixed, settles)


def deals_of(contest: Contest, number: int) -> int:
    """Return how many deals make that many matches; two at least, because one says nothing about errors."""
    size = contests.block_size(contest)
    check("--games", number, MOST_GAMES, least=2 * size)
    return -(-number // size)


def workers_of(workers: int | None) -> int:
    """Return how many processes to use."""
    if workers is None:
        return os.cpu_count() or 1
    check("--workers", workers, 1024, least=1)
    return workers


def bounds_of(text: str, contest: Contest) -> tuple[float, float]:
    """Read the two numbers of a sequential test."""
    found = re.fullmatch(r"\s*([-+]?\d+(?:\.\d+)?)\s*,\s*([-+]?\d+(?:\.\d+)?)\s*", text)
    if not found or float(found[1]) >= float(found[2]):
        raise BadInput(f"--sprt wants two numbers of Elo, the smaller one first, such as 0,10; not {shown(text)}")
    if len(contest.entrants) != 2 or contest.seats == 1:
        raise BadInput("--sprt compares exactly two bots that play against each other")
    return float(found[1]), float(found[2])


# --- Playing


def play_all(outcome: Outcome, deals: int, workers: int, records: Path | None) -> bool:
    """Play until all is played, a test stops it or somebody does; say whether it was somebody."""
    contest = outcome.contest
    total = deals * len(contests.pairs_of(contest)) * contests.block_size(contest)
    results = crowd.results(contest, contests.blocks_of(contest, deals), workers)
    with recorded(records) as record, progress("playing", total, show=True) as advance:
        advance(0, f"playing {total} games")
        try:
            for block, played in results:
                record("".join(f"{match.line}\n" for match in played))
                outcome.add(block.pair, [match._replace(line="") for match in played])
                advance(len(played), outcome.so_far(total))
                if outcome.is_decided:
                    break
        except KeyboardInterrupt:
            return True
        finally:
            results.close()
    return False


@contextmanager
def recorded(path: Path | None) -> Iterator[Callable[[str], Any]]:
    """Write records to a file that appears when it is whole, if there is to be one."""
    if path is None:
        yield lambda text: None
        return
    with written(path) as file:
        yield file.write


class Outcome:
    """What has been played so far."""

    def __init__(self, contest: Contest, bounds: tuple[float, float] | None) -> None:
        self.contest, self.bounds = contest, bounds
        self.standings = Standings(contest)
        self.alone: dict[int, list[Played]] = {}
        self.games, self.said = 0, (-1, "")

    def add(self, pair: Pair, played: list[Played]) -> None:
        """Count a block."""
        self.games += len(played)
        if self.contest.seats == 1:
            self.alone.setdefault(pair[0], []).extend(played)
            for match in played:
                self.standings.note(match)
        else:
            self.standings.add(pair, played)

    @property
    def only(self) -> Encounter | None:
        """The encounter of a contest between two."""
        return next(iter(self.standings.encounters.values()), None) if len(self.contest.entrants) == 2 else None

    @property
    def is_decided(self) -> bool:
        """Whether a sequential test has its answer; of many blocks it looks at a hundred numbers only."""
        only = self.only
        if not self.bounds or not only or len(only.shares) % max(1, len(only.shares) // 100):
            return False
        return bool(SequentialTest(only.scale, *self.bounds).verdict(only.shares))

    @property
    def can_be_judged(self) -> bool:
        """Whether enough has been played to say anything."""
        if self.contest.seats == 1:
            return all(len(self.alone.get(n, [])) > 1 for n in range(len(self.contest.entrants)))
        pairs = contests.pairs_of(self.contest)
        return (
            all(pair in self.standings.encounters for pair in pairs)
            and min(len(met.shares) for met in self.standings.encounters.values()) > 1
        )

    def so_far(self, total: int) -> str:
        """Say how far it is, another thing with every tenth."""
        tenth = 10 * self.games // total
        if tenth != self.said[0]:
            elo = f", {contest_screen.elo_text(self.only.elo)} Elo" if self.only else ""
            self.said = tenth, f"playing, {self.games} of {total} games{elo}"
        return self.said[1]

    # --- Telling

    def document(self) -> dict[str, Any]:
        """Describe everything for JSON."""
        contest, labels = self.contest, self.contest.labels
        found: dict[str, Any] = {
            "game": contest.game,
            "seats": contest.seats,
            "options": dict(contest.options),
            "seed": contest.seed,
            "games": self.games,
        }
        if contest.seats == 1:
            found["solo"] = [
                solo_document(labels[n], matches, contest.rules.goals) for n, matches in self.alone.items()
            ]
        else:
            met = self.standings.encounters.values()
            found["encounters"] = [each.document(labels, self.bounds) for each in met]
            found["table"] = contest_screen.table_document(self.standings) if len(labels) > 2 else []
        times = {labels[n]: self.standings.times(n) for n in range(len(labels))}
        speeds = {labels[n]: self.standings.speed(n) for n in range(len(labels))}
        return found | {"ms a move": times, "nodes a second": speeds, "forfeits": self.standings.forfeits}

    def tell(self, as_json: bool) -> None:
        """Print the result."""
        document = self.document()
        if as_json:
            print(json.dumps(document, allow_nan=False))
        else:
            contest_screen.show(document)

    def draw(self, path: Path) -> None:
        """Draw the result."""
        if self.contest.seats == 1:
            labels = self.contest.labels
            plots.histogram(path, {labels[n]: [m.scores[0] for m in played] for n, played in self.alone.items()})
        else:
            plots.ladder(path, contest_screen.table_document(self.standings))
