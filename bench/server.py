"""The benchmark of the server, beside boardgame.io's: `python3 dev.py bench server`, or `bench/server.py --help`.

A move goes in over a WebSocket, is checked, stored, and told to everybody at the table; its time is taken from sending
it to its confirmation at the mover, and to its arrival at the second listener. One program makes the same load for all
servers, in a process of its own. They take turns, level by level and round by round; what is shown are the medians,
and the medians of the ratios within each round. Nothing here fails because something is slow.
"""

from __future__ import annotations

import argparse
import json
import pstats
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import report, server_process, server_report
from bench.engine import summary
from bench.server_load import WARM_UP, Job
from bench.server_process import ROOT, NoPeer, Server, boardgame_io, install_peer, smalti
from bench.server_wire import Smalti

Figures = dict[str, Any]
Say = Callable[[str], None]

LEVELS = (1, 50, 500)
MIDDLE = 50
MOVES = 33  # of a random game of Patterns; a match of boardgame.io is left after as many
SECONDS = 4.0
PATIENCE = 300.0  # seconds for one run, with making its tables
IDLE_TABLES, CONNECTIONS = 1000, 500


@dataclass(frozen=True)
class Entry:
    """Something that is measured, with the moves a second for which tables are made beforehand."""

    key: str
    server: str
    game: str = "patterns"
    seats: int = 2
    most: int = 5000
    levels: tuple[int, ...] = LEVELS
    what: str = "play"


ENTRIES = (
    Entry("smalti", "smalti"),
    Entry("memory", "memory"),
    Entry("files", "files", most=1200),
    Entry("mosaix", "smalti", "mosaix", levels=(MIDDLE,)),
    Entry("mozaika", "smalti", "mozaika", 3, levels=(MIDDLE,)),
    Entry("ping", "smalti", levels=(MIDDLE,), what="ping"),
)


# --- One run


def job_for(entry: Entry, matches: int, server: Server, seed: int, seconds: float) -> Job:
    """Say what the load is to do; one match alone is measured for half as long, because its tables are many."""
    lasting = seconds / 2 if matches == 1 else seconds
    moves = min(entry.most, 2500 * matches) * (lasting + WARM_UP)
    tables = 1 if entry.what == "ping" else ceil(moves / MOVES / matches) + 1
    longest = 10_000 if entry.server == "smalti" else MOVES
    job = Job(server.name, server.port, matches, lasting, tables, entry.game, entry.seats, longest, seed)
    job.what, job.process = entry.what, server.process.pid
    return job


def run(job: Job) -> Figures:
    """Let the load do its job in a process of its own, and return what it found."""
    command = [sys.executable, "-m", "bench.server_load", json.dumps(asdict(job))]
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, timeout=PATIENCE)
    except subprocess.SubprocessError as error:
        raise RuntimeError(f"the load on {job.server} with {job.matches} matches failed") from error
    found: Figures = json.loads(done.stdout)
    return found


# --- All rounds


def one_round(seed: int, seconds: float, has_peer: bool, say: Say) -> dict[str, Figures]:
    """Measure everything once, with fresh servers that take turns."""
    found = {}
    with ExitStack() as stack:
        servers = {"smalti": stack.enter_context(smalti())}
        if has_peer:
            servers["memory"] = stack.enter_context(boardgame_io(files=False))
            servers["files"] = stack.enter_context(boardgame_io(files=True))
        for matches in LEVELS:
            for entry in ENTRIES:
                if entry.server in servers and matches in entry.levels:
                    job = job_for(entry, matches, servers[entry.server], seed, seconds)
                    found[f"{entry.key}.{matches}"] = run(job)
                    say(f"{entry.key}, {matches} at once: {found[f'{entry.key}.{matches}']['rate']:,.0f} a second")
    return found


def idle_memory() -> dict[str, float]:
    """Return the bytes our server takes for a table that nobody looks at, and for a connected page."""
    with smalti() as server, ThreadPoolExecutor(4) as pool:

        def make(tables: int) -> int:
            list(pool.map(lambda _: Smalti(server.port).new_table("patterns", 2), range(tables)))
            return server.memory()

        before = make(200)
        with_tables = make(IDLE_TABLES)
        table = (with_tables - before) / IDLE_TABLES
        job = Job("smalti", server.port, CONNECTIONS // 2, 0, 1, what="hold")
        command = [sys.executable, "-m", "bench.server_load", json.dumps(asdict(job))]
        with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holding:
            assert holding.stdout
            holding.stdout.readline()
            with_pages = server.memory()
            holding.communicate()
        page = (with_pages - with_tables - table * CONNECTIONS / 2) / CONNECTIONS
    return {"start": before, "table": table, "page": page}


def measured(rounds: int, seconds: float, say: Say) -> Figures:
    """Measure everything there is."""
    missing = ""
    try:
        install_peer()
    except NoPeer as error:
        missing = str(error)
        say(missing)
    syncs, runs = [], defaultdict(list)
    for number in range(rounds):
        say(f"round {number + 1} of {rounds}")
        syncs.append(server_process.sync_time())
        for key, found in one_round(number + 1, seconds, not missing, say).items():
            runs[key].append(found)
    say("memory")
    return {
        "rounds": rounds,
        "machine": report.machine(server_report.PACKAGES) | server_report.node_versions(),
        "disk": {"file system": server_process.file_system(), "sync": summary(syncs)},
        "runs": {
            key: {name: summary([run[name] for run in found]) for name in found[0]} for key, found in runs.items()
        },
        "ratios": {key: ratio(runs, key) for key in server_report.COMPARED},
        "memory": idle_memory(),
        "missing": missing,
    }


def ratio(runs: dict[str, list[Figures]], peer: str) -> float | None:
    """Return the median of how many times the peer's moves a second ours were, round by round."""
    ours, theirs = runs.get(f"smalti.{peer.partition('.')[2]}"), runs.get(peer)
    if not ours or not theirs:
        return None
    return median(float(one["rate"] / other["rate"]) for one, other in zip(ours, theirs, strict=True))


# --- Where the time goes


def profile(seconds: float, rows: int = 30) -> None:
    """Print where the main thread of our server spends its time; the profile itself slows everything down."""
    with server_process.folder() as kept:
        file = kept / "profile"
        with smalti(file) as server:
            job = job_for(ENTRIES[0], MIDDLE, server, 1, seconds)
            job.profile = True
            found = run(job)
        print(json.dumps(found, indent=2, ensure_ascii=False))
        for order in ("tottime", "cumtime"):
            pstats.Stats(str(file)).sort_stats(order).print_stats(rows)


def main(rounds: int, as_json: bool, write: bool, seconds: float = SECONDS) -> int:
    """Measure, show, and write into `results.md` if asked to."""
    figures = measured(rounds, seconds, lambda text: print(f"» {text}", file=sys.stderr, flush=True))
    sheets = server_report.sheets(figures)
    if as_json:
        print(json.dumps(figures, indent=2, ensure_ascii=False))
    else:
        report.show(figures, sheets)
    if write:
        report.write(figures, sheets, server_report.SECTION)
    return 0


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure the server beside boardgame.io's.")
    parser.add_argument("--rounds", type=int, default=5, help="rounds; the medians are shown")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each run")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", action="store_true", help="write the figures into bench/results.md")
    parser.add_argument("--profile", action="store_true", help="print where our server spends its time, instead")
    return parser.parse_args()


if __name__ == "__main__":
    chosen = arguments()
    if chosen.profile:
        profile(chosen.seconds)
    else:
        main(chosen.rounds, chosen.json, chosen.write, chosen.seconds)
