"""How strong the bots are, by commands of the arena: `python3 dev.py bench strength --write`.

Every row of `ROWS` is one command, with what must come of it. A whole run takes hours: `--share 0.1` plays a tenth of
the games, `--only mosaix` the rows whose command has that word, `--more` adds games to those that were played. What was
found is kept in strength.json, so that rows can be measured one by one, and a long one piece by piece; strength.md is
written from it. Nothing here fails because somebody is weak.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from bench import report, strength_report
from bench.strength_runs import FASTER, Run, blocks_of, continued, figures_of, next_seed

HERE = Path(__file__).resolve().parent
KEPT = HERE / "strength.json"
FEWEST = 20  # games, however small the share
SETTLED = ("patterns",)  # games whose ends are proved early enough to save time


class Floor(NamedTuple):
    """What must be reached: a figure of the row, and how much of it at least (or at most)."""

    figure: str
    bound: float
    is_least: bool = True


class Row(NamedTuple):
    """One command of the arena, and its floors."""

    game: str
    entrants: tuple[str, ...]
    games: int
    floors: tuple[Floor, ...]
    seats: int = 2

    @property
    def contest(self) -> list[str]:
        """The words that say who meets where."""
        where = ["--solo"] if self.seats == 1 else ["--seats", str(self.seats)]
        return [self.game, *self.entrants, *where]

    def words(self, share: float, workers: int, seed: int) -> list[str]:
        """Return the command's words."""
        games = max(FEWEST, round(self.games * share))
        settled = ["--settled"] if self.game in SETTLED else []
        numbers = ["--games", str(games), "--workers", str(workers), *settled, "--seed", str(seed)]
        return ["arena", *self.contest, *numbers]

    @property
    def name(self) -> str:
        """What tells the row from the others, whatever its floors and games are."""
        return " ".join(self.contest)


def wins(share: float, *others: Floor) -> tuple[Floor, ...]:
    """Return floors of which the first is a share of the win."""
    return (Floor("share", share), *others)


AHEAD = Floor("points", 0.0)
MUCH_FASTER = Floor(FASTER, 20.0)

ROWS = (
    Row("mosaix", ("strongest@0.05s",), 2000,
        (Floor("mean", 145), Floor("120 or more", 0.96), Floor("ms a turn", 1000, False)), 1),
    Row("mosaix", ("strongest@1n",), 10_000, (Floor("mean", 138), Floor("ms a turn", 20, False)), 1),
    Row("patterns", ("strongest@0.1s", "mcts@0.1s"), 400, wins(0.96)),
    Row("patterns", ("strongest@1s", "mcts@1s"), 400, wins(0.96)),
    Row("patterns", ("strongest@0.01s", "mcts@0.1s"), 400, wins(0.90)),
    Row("patterns", ("strongest@0.1s", "mcts@1s"), 400, wins(0.90)),
    Row("patterns", ("strongest@1s", "openspiel-mcts@1s"), 100, wins(0.99)),
    Row("mosaix", ("strongest@0.2s", "mcts@0.2s"), 400, wins(0.60), 4),
    Row("mozaika", ("strongest@1s", "mcts@1s"), 120, wins(0.65, AHEAD), 3),
    Row("mozaika", ("strongest@1s", "mcts@1s"), 120, wins(0.60, AHEAD), 4),
    Row("mozaika", ("strongest@1s", "mcts@1s"), 120, wins(0.55, AHEAD), 5),
    Row("patterns", ("mcts@0.2s", "openspiel-mcts@0.2s"), 100, wins(0.90, MUCH_FASTER)),
    Row("mosaix", ("mcts@0.2s", "openspiel-mcts@0.2s"), 100, wins(0.90, MUCH_FASTER)),
)  # fmt: skip

# Every level against the one below it, at the table where people meet them most often; the top ones take their time.
STEPS = tuple(
    Row(game, (f"level-{number + 1}", f"level-{number}"), 400 if number < 6 else 100, (), seats)
    for game, seats in (("mosaix", 2), ("mozaika", 3), ("patterns", 2))
    for number in range(1, 8)
)


# --- Measuring


def measured(row: Row, share: float, workers: int, seed: int) -> Run:
    """Run a row's command, and return what came of it."""
    words, begun = row.words(share, workers, seed), time.monotonic()
    program = [sys.executable, "-m", "smalti", *words, "--json"]
    document = json.loads(subprocess.run(program, stdout=subprocess.PIPE, check=True, text=True).stdout)
    return {
        "command": " ".join(["smalti", *words]),
        "games": document["games"],
        "figures": figures_of(document),
        "ms a move": document["ms a move"],
        "minutes": round((time.monotonic() - begun) / 60, 1),
        "day": strength_report.today(),
        "by block": blocks_of(document),
    }


# --- Telling


def kept() -> dict[str, list[Run]]:
    """Return what was measured before: the runs of every row."""
    found: dict[str, list[Run]] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    return found


def as_kept(found: dict[str, list[Run]]) -> str:
    """Return it as it is kept: JSON with a line for every run, so that what is added can be seen."""
    rows = []
    for name, runs in found.items():
        lines = ",\n  ".join(json.dumps(run) for run in runs)
        rows.append(f"{json.dumps(name)}: [\n  {lines}\n ]")
    return "{\n " + ",\n ".join(rows) + "\n}\n"


def chosen(only: str) -> list[Row]:
    """Return the rows whose command has all of these words."""
    return [row for row in ROWS + STEPS if all(word in row.name for word in only.split())]


def main(share: float, only: str, workers: int, more: bool, as_json: bool, write: bool) -> int:
    """Measure the rows that are asked for, anew or some more, and tell or write what came of it."""
    found = kept()
    for row in chosen(only):
        before = continued(found.get(row.name, [])) if more else []
        found[row.name] = [*before, measured(row, share, workers, next_seed(before))]
        if write:
            KEPT.write_text(as_kept(found), encoding="utf-8")
    if as_json:
        print(json.dumps(found))
    else:
        said = strength_report.said(found)
        tables = [strength_report.strength(ROWS, said), strength_report.levels(STEPS, said)]
        report.show({"machine": report.machine()}, tables)
    if write:
        strength_report.write(ROWS, STEPS, found)
    return 0
