"""`smalti arena`: let bots play against each other, and measure who is stronger."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from smalti import games
from smalti.arena import contest as contests
from smalti.arena import parallel, players
from smalti.arena.contest import Contest
from smalti.arena.matches import Played
from smalti.arena.standings import Encounter, Standings, solo_document
from smalti.arena.statistics import SequentialTest
from smalti.cli.files import check_writable
from smalti.cli.screen import contest as contest_screen
from smalti.cli.screen import plots, progress
from smalti.cli.simulate import MOST_SEED, check, options_of, output
from smalti.engine.errors import BadInput, shown

HELP = """Let bots play against each other, or alone, and measure who is stronger, with error bars.

Every bot plays the same deals from every seat. A budget in seconds or nodes may follow a bot's name (`mcts@0.2s`,
`mcts@1000n`); only with nodes does the same seed give the same matches. `program:COMMAND` is a program of your own,
`openspiel-mcts` is OpenSpiel's search. See docs/arena.md.

    smalti arena patterns mcts@1000n greedy --games 200 --seed 1

    smalti arena mozaika level-3 greedy random --games 300 --seats 4 --plot elo.svg

    smalti arena patterns mcts@2000n mcts@1000n --games 4000 --sprt 0,20

    smalti arena mosaix --solo strongest --games 100
"""

MOST_GAMES = 10**9
Pair = tuple[int, int]


def arena(
    game: Annotated[str, typer.Argument(help=games.listed())],
    entrants: Annotated[list[str], typer.Argument(metavar="BOT...", help="The bots that take part.")],
    number: Annotated[int, typer.Option("--games", help="Matches of every pair, or of every bot alone.")] = 100,
    seed: Annotated[int, typer.Option(help="From 0 to 2^64 − 1.")] = 0,
    seats: Annotated[int | None, typer.Option(help="Seats at a table; the fewest above one if not given.")] = None,
    solo: Annotated[bool, typer.Option("--solo", help="Every bot plays alone.")] = False,
    mixed: Annotated[bool, typer.Option("--mixed", help="Also play tables with several copies of each bot.")] = False,
    settled: Annotated[
        bool, typer.Option("--settled", help="Let a bot that has proved the end of a match play it for all seats.")
    ] = False,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the game as NAME=VALUE; may be repeated.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Number of processes; one per core if not given.")] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1", help="Stop when a sequential test has decided between these two differences."
        ),
    ] = None,
    limit: Annotated[float, typer.Option(help="Seconds a program may take per move.")] = 10.0,
    records: Annotated[Path | None, typer.Option(help="File for the records, one per line.")] = None,
    plot: Annotated[Path | None, typer.Option(help="File for a plot of the result: .png or .svg.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play a contest and print its result."""
    if solo and seats not in (None, 1):
        raise BadInput("--solo means one seat; leave out --seats")
    count, options = table_size(game, 1 if solo else seats), tuple(options_of(option or []).items())
    contest = checked(Contest(game, count, tuple(entrants), seed, options, limit, records is not None, mixed, settled))
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
    outcome.print_result(as_json)
    if plot:
        outcome.draw(plot)
    raise typer.Exit(130 if interrupted else 0)


# --- Checking the arguments


def table_size(name: str, seats: int | None) -> int:
    """Return how many sit at a table: as many as asked for, or the fewest above one."""
    game = games.find(name)
    return game.checked_seats(min(n for n in game.seats if n > 1) if seats is None else seats)


def checked(contest: Contest) -> Contest:
    """Return a contest with all its options, after checking everything that can be wrong before the first match."""
    options = contest.rules.checked_options(dict(contest.options))
    check("--seed", contest.seed, MOST_SEED)
    if not 0 < contest.limit < float("inf"):
        raise BadInput(f"--limit must be a number of seconds above 0, not {contest.limit:g}")
    if contest.seats > 1 and len(contest.entrants) < 2:
        raise BadInput("name at least two bots, or add --solo if the game can be played alone")
    for entrant in dict.fromkeys(contest.entrants):
        players.check(entrant, contest.game, contest.seats, options)
    return replace(contest, options=tuple(options.items()))


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
        raise BadInput(f"--sprt takes two Elo differences, the smaller one first, such as 0,10; not {shown(text)}")
    if len(contest.entrants) != 2 or contest.seats == 1:
        raise BadInput("--sprt compares exactly two bots that play against each other")
    return float(found[1]), float(found[2])


# --- Playing


def play_all(outcome: Outcome, deals: int, workers: int, records: Path | None) -> bool:
    """Play until all is played, a test stops it or Ctrl+C does; say whether it was Ctrl+C."""
    contest = outcome.contest
    total = deals * len(contests.pairs_of(contest)) * contests.block_size(contest)
    results = parallel.results(contest, contests.blocks_of(contest, deals), workers)
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
    with output(path) as file:
        yield file.write


class Outcome:
    """What has been played so far."""

    def __init__(self, contest: Contest, bounds: tuple[float, float] | None) -> None:
        self.contest, self.bounds = contest, bounds
        self.standings = Standings(contest)
        self.solo: dict[int, list[Played]] = {}
        self.games, self.last_report = 0, (-1, "")

    def add(self, pair: Pair, played: list[Played]) -> None:
        """Count a block."""
        self.games += len(played)
        if self.contest.seats == 1:
            self.solo.setdefault(pair[0], []).extend(played)
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
            return all(len(self.solo.get(n, [])) > 1 for n in range(len(self.contest.entrants)))
        pairs = contests.pairs_of(self.contest)
        return (
            all(pair in self.standings.encounters for pair in pairs)
            and min(len(met.shares) for met in self.standings.encounters.values()) > 1
        )

    def so_far(self, total: int) -> str:
        """Return a progress line that changes with every tenth of the games."""
        tenth = 10 * self.games // total
        if tenth != self.last_report[0]:
            elo = f", {contest_screen.elo_text(self.only.elo)} Elo" if self.only else ""
            self.last_report = tenth, f"playing, {self.games} of {total} games{elo}"
        return self.last_report[1]

    # --- Reporting

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
            found["solo"] = [solo_document(labels[n], matches, contest.rules.goals) for n, matches in self.solo.items()]
        else:
            met = self.standings.encounters.values()
            found["encounters"] = [each.document(labels, self.bounds) for each in met]
            found["table"] = contest_screen.table_document(self.standings) if len(labels) > 2 else []
        times = {labels[n]: self.standings.times(n) for n in range(len(labels))}
        speeds = {labels[n]: self.standings.speed(n) for n in range(len(labels))}
        return found | {"ms a move": times, "nodes a second": speeds, "forfeits": self.standings.forfeits}

    def print_result(self, as_json: bool) -> None:
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
            plots.histogram(path, {labels[n]: [m.scores[0] for m in played] for n, played in self.solo.items()})
        else:
            plots.ladder(path, contest_screen.table_document(self.standings))
