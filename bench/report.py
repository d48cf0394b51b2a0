"""Telling the figures: as tables on the screen, and the same tables as Markdown in `results.md`."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.peers import HOW_TO_INSTALL, PEERS
from smalti import __version__

RESULTS = Path(__file__).resolve().parent / "results.md"
SECTION = "figures"
PACKAGES = ("numba", "numpy", "open_spiel", "pgx", "jax")

Figures = dict[str, Any]
Titles = dict[str, str]
Sheet = tuple[str, list[str], list[list[str]]]  # title, heads, rows


# --- The machine


def machine(packages: Sequence[str] = PACKAGES) -> dict[str, str]:
    """Describe where this runs, and with what."""
    return {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "smalti": __version__,
        **{name: installed(name) for name in packages},
    }


def processor() -> str:
    """Return the processor's name as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def installed(package: str) -> str:
    """Return a package's version."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


# --- The sheets


def sheets(figures: Figures, titles: Titles) -> list[Sheet]:
    """Lay all figures out in tables."""
    return [sheet(figures, titles) for sheet in (speeds, ratios, small_things, records, waits)]


def speeds(figures: Figures, titles: Titles) -> Sheet:
    """Lay out everybody's decisions a second."""
    rates = figures["rates"]
    ours = [speed(rates, key, title) for key, title in titles.items()]
    ours.append(speed(rates, "patterns.dealt", "Patterns, from a dealt table"))
    ours.append(speed(rates, "mosaix.four", "Mosaix, 4 players"))
    ours += [speed(rates, f"{key}.batch", f"{title}: 1,024 games stepped together") for key, title in titles.items()]
    peers = [speed(rates, peer.key, peer.title) for peer in PEERS]
    return "Decisions a second", ["who", "million/s", "lowest – highest", "ns each"], ours + peers


def speed(rates: Figures, key: str, title: str) -> list[str]:
    """Lay out one speed, or how to get it."""
    if key not in rates:
        return [title, "not installed", f"`{HOW_TO_INSTALL}`", ""]
    found = rates[key]
    spread = f"{found['low'] / 1e6:.2f} – {found['high'] / 1e6:.2f}"
    return [title, f"{found['median'] / 1e6:.2f}", spread, f"{1e9 / found['median']:.0f}"]


def ratios(figures: Figures, titles: Titles) -> Sheet:
    """Lay out how many times each peer's speed ours is."""
    peers = {peer.key: peer.title for peer in PEERS}
    rows = [[titles[row["game"]], peers[row["peer"]], *verdict(row)] for row in figures["comparisons"]]
    return "Beside the peers", ["ours", "peer", "ratio", "floor", ""], rows


def verdict(row: Figures) -> list[str]:
    """Lay out a ratio, its floor, and whether it is met."""
    if row["ratio"] is None:
        return ["–", f"{row['floor']:g} ×", "not installed"]
    return [f"{row['ratio']:.2f} ×", f"{row['floor']:g} ×", "met" if row["met"] else "not met"]


def small_things(figures: Figures, titles: Titles) -> Sheet:
    """Lay out what a table weighs, and what copying and scoring it takes."""
    rates = figures["rates"]
    rows = [
        [
            title,
            str(figures["bytes"][key]),
            f"{rates[f'{key}.copy']['median']:.1f}",
            f"{rates[f'{key}.score']['median']:.0f}",
        ]
        for key, title in titles.items()
    ]
    return "A table", ["game", "bytes", "ns to copy", "ns to score the final boards"], rows


def records(figures: Figures, titles: Titles) -> Sheet:
    """Lay out how many records a second are written and verified."""
    rates = figures["rates"]
    rows = [
        [title, *(f"{rates[f'{key}.{what}']['median']:,.0f}" for what in ("written", "verified"))]
        for key, title in titles.items()
    ]
    return "Records a second", ["game", "played and written", "read and verified"], rows


def waits(figures: Figures, titles: Titles) -> Sheet:
    """Lay out what a person waits for."""
    rows = [["`import smalti`", f"{figures['import']:.2f}", ""]]
    for key in titles:
        found, ceiling = figures["verify"][key], figures["warm ceiling"]
        met = "met" if found["warm"] < ceiling else "not met"
        rows.append([f"`smalti verify`, one record of {key}, nothing compiled yet", f"{found['cold']:.1f}", ""])
        rows.append(["the same, warm", f"{found['warm']:.2f}", f"under {ceiling:g} s: {met}"])
    return "Waiting", ["what", "seconds", ""], rows


# --- Showing and writing


def show(figures: Figures, tables: list[Sheet]) -> None:
    """Draw the tables on the screen."""
    console = Console()
    console.print(", ".join(f"{name} {value}" for name, value in figures["machine"].items()))
    for title, heads, rows in tables:
        console.print(drawn(title, heads, rows))


def drawn(title: str, heads: list[str], rows: list[list[str]]) -> Table:
    """Draw one table, numbers to the right."""
    table = Table(title=title, title_justify="left")
    for place, head in enumerate(heads):
        table.add_column(head, justify="left" if place == 0 else "right")
    for row in rows:
        table.add_row(*(cell.replace("`", "") for cell in row))
    return table


def write(figures: Figures, tables: list[Sheet], section: str = SECTION) -> None:
    """Replace the figures between a section's markers in `results.md`; what people wrote round them stays."""
    begin, end = f"<!-- {section}: begin -->", f"<!-- {section}: end -->"
    text = RESULTS.read_text(encoding="utf-8")
    before, _, rest = text.partition(begin)
    after = rest.partition(end)[2]
    RESULTS.write_text(f"{before}{begin}\n{markdown(figures, tables)}\n{end}{after}", encoding="utf-8")


def markdown(figures: Figures, tables: list[Sheet]) -> str:
    """Write the figures as Markdown."""
    day = datetime.now(UTC).date().isoformat()
    command = " ".join([Path(sys.argv[0]).name, *sys.argv[1:]]).replace("smalti bench", HOW_TO_INSTALL)
    head = f"`{command}`, {day}; medians of {figures['rounds']} rounds."
    facts = "; ".join(f"{name} {value}" for name, value in figures["machine"].items())
    return "\n\n".join([head, f"Machine: {facts}.", *(written(*sheet) for sheet in tables)])


def written(title: str, heads: list[str], rows: list[list[str]]) -> str:
    """Write one table as Markdown."""
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return f"### {title}\n\n" + "\n".join("| " + " | ".join(line) + " |" for line in lines)
