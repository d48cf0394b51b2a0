"""Laying out the figures of the server: moves a second, how long they take, and what it weighs."""

from __future__ import annotations

import json
import subprocess

from bench.report import Figures, Sheet
from bench.server_process import PEER, NoPeer, node

SECTION = "figures of the server"
PACKAGES = ("uvicorn", "websockets", "uvloop", "fastapi", "sqlalchemy", "aiosqlite")
LEVELS = (1, 50, 500)
FLOOR, CEILING = 2.0, 50.0  # times boardgame.io in memory, and milliseconds, at 50 matches

OURS = {"smalti": "Smalti: Patterns, every move synced to the disk"}
PEERS = {"memory": "boardgame.io: a counter, in memory", "files": "boardgame.io: a counter, in files, not synced"}
COMPARED = [f"{peer}.{matches}" for peer in PEERS for matches in LEVELS]
OTHERS = {"mosaix": "Smalti: Mosaix, 2 seats", "mozaika": "Smalti: Mozaika, 3 seats"}


def node_versions() -> dict[str, str]:
    """Name the versions of what the peer runs with."""
    lock = json.loads((PEER / "package-lock.json").read_text())["packages"]
    try:
        told = subprocess.run([node(), "--version"], capture_output=True, text=True, check=False).stdout.strip()
    except (NoPeer, OSError):
        told = "not installed"
    return {"node": told.removeprefix("v"), "boardgame.io": lock["node_modules/boardgame.io"]["version"]}


def sheets(figures: Figures) -> list[Sheet]:
    """Lay all figures out in tables."""
    return [speeds(figures), *(times(figures, what) for what in TIMES), beside(figures), work(figures), sizes(figures)]


def rows_of(figures: Figures) -> list[tuple[str, str, int]]:
    """List everybody at every level: the key among the figures, title, matches."""
    everybody = OURS | PEERS | OTHERS
    found = [(f"{key}.{matches}", title, matches) for matches in LEVELS for key, title in everybody.items()]
    return [row for row in found if row[0] in figures["runs"]]


def speeds(figures: Figures) -> Sheet:
    """Lay out moves a second."""
    rows = []
    for key, title, matches in rows_of(figures):
        found = figures["runs"][key]["rate"]
        rows.append([title, str(matches), f"{found['median']:,.0f}", f"{found['low']:,.0f} – {found['high']:,.0f}"])
    if figures["missing"]:
        rows.append([figures["missing"], "", "", ""])
    return "Moves a second", ["who", "matches at once", "moves/s", "lowest – highest"], rows


TIMES = {
    "confirmed": "Milliseconds from sending a move to its confirmation",
    "arrived": "Milliseconds from sending a move to its arrival at the second listener",
}


def times(figures: Figures, what: str) -> Sheet:
    """Lay out how long moves take, to one end."""
    rows = [[title, str(matches), *both(figures["runs"][key], what)] for key, title, matches in rows_of(figures)]
    return TIMES[what], ["who", "matches at once", "p50", "p99", "p99, lowest – highest"], rows


def both(run: Figures, what: str) -> list[str]:
    """Lay out the median and the slowest of a hundred."""
    half, most = run[f"{what} p50"], run[f"{what} p99"]
    return [f"{half['median']:.1f}", f"{most['median']:.1f}", f"{most['low']:.1f} – {most['high']:.1f}"]


def beside(figures: Figures) -> Sheet:
    """Lay out how many times the peer's moves a second ours are, and what was promised."""
    rows = []
    for key, found in figures["ratios"].items():
        peer, matches = key.split(".")
        promised = key == "memory.50"
        told = "not measured" if found is None else f"{found:.2f} ×"
        met = "" if not promised or found is None else verdict(found >= FLOOR)
        rows.append([PEERS[peer], matches, told, f"{FLOOR:g} ×" if promised else "", met])
    slowest = figures["runs"]["smalti.50"]["confirmed p99"]["median"]
    rows.append(["our p99 to confirmation", "50", f"{slowest:.1f} ms", f"{CEILING:g} ms", verdict(slowest < CEILING)])
    return "Ours beside boardgame.io", ["beside", "matches at once", "ratio", "promised", ""], rows


def verdict(met: bool) -> str:
    """Say whether a promise is kept."""
    return "met" if met else "not met"


def work(figures: Figures) -> Sheet:
    """Lay out what a move takes of the processors, and whether it was the load that could not keep up."""
    rows = []
    for key, title, matches in [*rows_of(figures), ("ping.50", "Smalti: `ping` answered by `pong`, nothing else", 50)]:
        run = {name: found["median"] for name, found in figures["runs"][key].items()}
        busy = [f"{run[name]:.0%}" for name in ("main thread", "load busy")]
        rows.append([title, str(matches), f"{run['rate']:,.0f}", f"{run['server µs']:.0f}", *busy])
    heads = ["who", "matches at once", "a second", "µs of processor each", "main thread busy", "load busy"]
    return "What the servers compute, and the load", heads, rows


def sizes(figures: Figures) -> Sheet:
    """Lay out the disk, memory and messages."""
    sync, memory = figures["disk"]["sync"], figures["memory"]
    rows = [
        [f"write and sync 4 kB on {figures['disk']['file system']}, median", f"{1000 * sync['median']:.2f} ms"],
        ["the server after its first tables", f"{memory['start'] / 2**20:.0f} MB"],
        ["a table that nobody looks at", f"{memory['table'] / 1024:.1f} kB"],
        ["a connected page", f"{memory['page'] / 1024:.1f} kB"],
    ]
    for key, title, matches in rows_of(figures):
        if matches == 50:
            run = figures["runs"][key]
            told = f"{run['sent']['median']:,.0f} / {run['told']['median']:,.0f} bytes"
            rows.append([f"{title}: a move sent / a state told", told])
    return "The disk, memory and messages", ["what", ""], rows
