"""The benchmark of the engine, beside its peers: `python3 dev.py bench`, or `python bench/engine.py --help`.

Everybody plays at random on one core and counts decisions: all legal moves generated, one chosen, played. All are
warm, and take turns round by round, so that whatever else the machine does hits all of them; seconds are of processor
time. What is shown are the medians, and the medians of the ratios within each round. Waiting for a command is measured
by the clock. Nothing here fails because something is slow.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import processes, report
from bench.peers import PEERS, Measurement, on_one_core
from smalti import games
from smalti.measure import SECONDS, Bench


@dataclass(frozen=True)
class Entry:
    """One of our games in the race, with what it must reach: so many times the C++ core."""

    key: str
    game: str
    seats: int
    title: str
    core_floor: float


ENTRIES = (
    Entry("patterns", "patterns", 2, "Patterns, the deal included", 1.5),
    Entry("mosaix", "mosaix", 1, "Mosaix, solo", 0.8),
    Entry("mozaika", "mozaika", 4, "Mozaika, 4 players", 1.5),
)
PYTHON_FLOOR = 4.0
PGX_FLOOR = 10.0
WARM_CEILING = 1.5  # seconds

Rates = dict[str, list[float]]
Figures = dict[str, Any]


def benches() -> dict[str, Bench]:
    """Lay out our games, compiled and warm."""
    found = {entry.key: Bench(games.find(entry.game), entry.seats) for entry in ENTRIES}
    for bench in found.values():
        bench.warm_up()
    return found


def contestants(ours: dict[str, Bench]) -> dict[str, Measurement]:
    """List everything that takes turns: our games, ways of measuring them, and the peers that are installed."""
    found: dict[str, Measurement] = {}
    for key, bench in ours.items():
        found[key] = bench.decisions
        found[f"{key}.batch"] = bench.decisions_in_a_batch
        found[f"{key}.copy"] = bench.copy_time
        found[f"{key}.score"] = bench.score_time
        found[f"{key}.written"] = bench.records_written
        found[f"{key}.verified"] = bench.records_verified
    found["patterns.dealt"] = ours["patterns"].decisions_after_the_deal
    found["mosaix.four"] = warm(Bench(games.find("mosaix"), 4)).decisions
    for peer in PEERS:
        try:
            found[peer.key] = peer.load()
        except ImportError:
            continue
    return found


def warm(bench: Bench) -> Bench:
    """Return a bench after its warm-up."""
    bench.warm_up()
    return bench


def race(running: dict[str, Measurement], rounds: int, say: Callable[[str], None]) -> Rates:
    """Let everybody take turns, round by round."""
    rates: Rates = {key: [] for key in running}
    for number in range(rounds):
        say(f"round {number + 1} of {rounds}")
        for key, measurement in running.items():
            rates[key].append(measurement(SECONDS))
    return rates


def ratio(rates: Rates, ours: str, peer: str) -> float | None:
    """Return how many times a peer's speed ours is: the median over the rounds."""
    if ours not in rates or peer not in rates:
        return None
    return median(mine / theirs for mine, theirs in zip(rates[ours], rates[peer], strict=True))


def comparison(rates: Rates, entry: Entry, peer: str, floor: float) -> Figures:
    """Compare one of our games with one peer."""
    found = ratio(rates, entry.key, peer)
    met = None if found is None else found >= floor
    return {"game": entry.key, "peer": peer, "ratio": found, "floor": floor, "met": met}


def comparisons(rates: Rates) -> list[Figures]:
    """Compare each of our games with each peer."""
    return [
        comparison(rates, entry, peer, floor)
        for entry in ENTRIES
        for peer, floor in (("core", entry.core_floor), ("python", PYTHON_FLOOR), ("pgx", PGX_FLOOR))
    ]


def summary(found: list[float]) -> Figures:
    """Return the median of some figures, and how far they spread."""
    return {"median": median(found), "low": min(found), "high": max(found)}


def measured(rounds: int, say: Callable[[str], None]) -> Figures:
    """Measure everything there is."""
    say("starting processes")
    waits = {"import": processes.import_time(rounds), "verify": processes.verify_times(rounds)}
    say("compiling, and loading the peers")
    cores = on_one_core()
    ours = benches()
    rates = race(contestants(ours), rounds, say)
    return {
        "rounds": rounds,
        "machine": report.machine() | {"cores used": cores},
        "rates": {key: summary(found) for key, found in rates.items()},
        "comparisons": comparisons(rates),
        "bytes": {key: bench.table_bytes() for key, bench in ours.items()},
        "warm ceiling": WARM_CEILING,
        **waits,
    }


def main(rounds: int, as_json: bool, write: bool) -> int:
    """Measure, show, and write into `results.md` if asked to."""
    figures = measured(rounds, lambda text: print(f"» {text}", file=sys.stderr, flush=True))
    sheets = report.sheets(figures, {entry.key: entry.title for entry in ENTRIES})
    if as_json:
        print(json.dumps(figures, indent=2))
    else:
        report.show(figures, sheets)
    if write:
        report.write(figures, sheets)
    return 0


def arguments(description: str) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=5, help="rounds; the medians are shown")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", action="store_true", help="write the figures into bench/results.md")
    return parser.parse_args()


if __name__ == "__main__":
    chosen = arguments("Measure the engine beside its peers.")
    sys.exit(main(chosen.rounds, chosen.json, chosen.write))
