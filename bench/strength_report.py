"""Telling how strong the bots are: the table of floors, and how they learned, as Markdown in `strength.md`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import report, strength_runs
from bench.strength_runs import Figures, Run
from smalti import games
from smalti.bots.weights import NoWeights, about_shipped

if TYPE_CHECKING:
    from bench.strength import Floor, Row

STRENGTH = Path(__file__).resolve().parent / "strength.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
PER_CENT = ("share", "120 or more", "130 or more", "par")
SHOWN = 11  # points of a learning curve
PACKAGES = ("numba", "numpy", "open_spiel")


# --- Floors


def said(found: dict[str, list[Run]]) -> Figures:
    """Return what the runs of every row say together."""
    return {name: strength_runs.joined(runs) for name, runs in found.items()}


def strength(rows: Sequence[Row], found: Figures) -> report.Sheet:
    """Lay out every floor with what was measured."""
    heads = ["game", "seats", "who", "floor", "measured, 95 %", "", "games", "ms a move, at most"]
    lines = [line for row in rows for line in lines_of(row, found.get(row.name))]
    return "Floors", heads, lines


def lines_of(row: Row, found: Figures | None) -> Iterator[list[str]]:
    """Lay out the floors of a row; the first line says whom they are about."""
    who = [row.game, str(row.seats), " – ".join(row.entrants)]
    for number, floor in enumerate(row.floors):
        what = f"{floor.figure} {'≥' if floor.is_least else '≤'} {told(floor.figure, floor.bound)}"
        start = who if number == 0 else ["", "", ""]
        yield [*start, what, *verdict(floor, found), *(effort(found) if number == 0 else ["", ""])]


def verdict(floor: Floor, found: Figures | None) -> list[str]:
    """Say what was measured, and whether that is enough."""
    figure = found["figures"].get(floor.figure) if found else None
    if figure is None:
        return ["not measured", ""]
    is_met = figure["value"] >= floor.bound if floor.is_least else figure["value"] <= floor.bound
    return [with_interval(floor.figure, figure), "met" if is_met else "**not met**"]


def with_interval(name: str, figure: Figures) -> str:
    """Write a figure with its error bars, where it has some."""
    ends = [told(name, figure[end]) for end in ("low", "high") if figure.get(end) is not None]
    return told(name, figure["value"]) + (f" [{', '.join(ends)}]" if len(ends) == 2 else "")


def told(name: str, value: float) -> str:
    """Write a figure in its unit."""
    if name in PER_CENT:
        return f"{100 * value:.4g} %"
    return f"{value:+.1f}" if name == "points" else f"{value:.4g}"


def effort(found: Figures | None) -> list[str]:
    """Say how many games were played, and how long the bots thought."""
    if not found:
        return ["", ""]
    times = found["ms a move"].values()
    return [f"{found['games']:,}", "; ".join(f"{each['mean']:.0f}, {each['most']:.0f}" for each in times)]


# --- Levels


def levels(steps: Sequence[Row], found: Figures) -> report.Sheet:
    """Lay out how much stronger every level is than the one below it."""
    heads = ["level", *dict.fromkeys(f"{row.game}, {row.seats} seats" for row in steps)]
    names = dict.fromkeys(row.entrants for row in steps)
    lines = [[" above ".join(name.removeprefix("level-") for name in pair)] for pair in names]
    for row in steps:
        lines[list(names).index(row.entrants)].append(step(found.get(row.name)))
    return "Levels: Elo above the one below", heads, lines


def step(found: Figures | None) -> str:
    """Write how much stronger a level is, with how many games that was."""
    if not found:
        return "not measured"
    elo = {name: value for name, value in found["figures"]["elo"].items() if value is not None}
    ends = f"[{elo['low']:+.0f}, {elo['high']:+.0f}]" if len(elo) == 3 else f"above {elo['low']:+.0f}"
    return " ".join([*([f"{elo['value']:+.0f}"] if "value" in elo else []), ends])


# --- Commands


def commands(rows: Sequence[Row], found: dict[str, list[Run]]) -> str:
    """List the commands that were run, with how long they took."""
    lines = [line for row in rows for line in strength_runs.commands(found.get(row.name, []))]
    return "\n".join(["### Commands", "", "```", *lines, "```"])


# --- Learning curves


def curves() -> str:
    """Write how the shipped weights were learned."""
    return "\n\n".join(["### Learning", *(curve(game) for game in games.names())])


def curve(game: str) -> str:
    """Write how one game was learned: the command, and how well it was played after how many games."""
    try:
        about = about_shipped(game)
    except NoWeights as problem:
        return f"**{game}**: {problem}"
    if "curve" not in about:
        return f"**{game}**: {about.get('games', 0):,} games; the weights do not say how they were learned."
    heads = f"**{game}**, `smalti train {game}`: {about['games']:,} games, seed {about['seed']}; {about['measure']}"
    points = thinned(about["curve"])
    lines = [["games", *(f"{at:,}" for at, _ in points)], ["---", *("---:" for _ in points)]]
    lines.append([f"in {about['measured_games']} games", *(f"{value:.4g}" for _, value in points)])
    return heads + ":\n\n" + "\n".join("| " + " | ".join(line) + " |" for line in lines)


def thinned(points: Sequence[Any]) -> list[Any]:
    """Return some points of a curve, evenly, with the first and the last."""
    if len(points) <= SHOWN:
        return list(points)
    return [points[round(place * (len(points) - 1) / (SHOWN - 1))] for place in range(SHOWN)]


# --- Writing


def write(rows: Sequence[Row], steps: Sequence[Row], found: dict[str, list[Run]]) -> None:
    """Replace what stands between the markers in `strength.md`; what people wrote round them stays."""
    before, _, rest = STRENGTH.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    facts = "; ".join(f"{name} {value}" for name, value in report.machine(PACKAGES).items())
    tables = [report.written(*sheet) for sheet in (strength(rows, said(found)), levels(steps, said(found)))]
    parts = [f"Machine: {facts}.", *tables, commands([*rows, *steps], found), curves()]
    STRENGTH.write_text(f"{before}{BEGIN}\n" + "\n\n".join(parts) + f"\n{END}{after}", encoding="utf-8")


def today() -> str:
    """Return the day, as it is written beside a figure."""
    return datetime.now(UTC).date().isoformat()
