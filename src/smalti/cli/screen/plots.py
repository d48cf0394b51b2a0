"""Pictures of results, drawn by matplotlib where it is installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from smalti.cli.files import check_writable
from smalti.engine.errors import BadInput, shown

ENDINGS = (".png", ".svg")
COLOURS = ("#2f56b8", "#c03a41", "#2f9560", "#dda22f", "#8d4396", "#1f9a9a")


def check(path: Path) -> None:
    """Refuse a plot that cannot be drawn, before long work begins."""
    if path.suffix.lower() not in ENDINGS:
        raise BadInput(f"the name of a plot must end with {' or '.join(ENDINGS)}, not {shown(path.name)}")
    if not find_spec("matplotlib"):
        raise BadInput("a plot needs matplotlib: pip install 'smalti[plots]'")
    check_writable(path, "plot")


@contextmanager
def drawn(path: Path, wide: float = 8.0, high: float = 4.5) -> Iterator[Any]:
    """Give axes to draw on, and write them to a file that appears when it is whole."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(wide, high), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    yield axes
    part = path.with_name(path.name + ".part")
    figure.savefig(part, format=path.suffix[1:].lower(), metadata={"Date": None} if path.suffix == ".svg" else None)
    part.replace(path)


def ladder(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw everybody's Elo with error bars, the strongest on top."""
    with drawn(path, high=1.5 + 0.4 * len(rows)) as axes:
        for height, row in enumerate(reversed(rows)):
            elo = row["elo"]
            errors = [[elo["value"] - elo["low"]], [elo["high"] - elo["value"]]]
            axes.errorbar(elo["value"], height, xerr=errors, fmt="o", color=COLOURS[0], capsize=4)
        axes.set_yticks(range(len(rows)), [row["bot"] for row in reversed(rows)])
        axes.set_xlabel(f"Elo above {next(row['bot'] for row in rows if row['anchor'])}, 95 %")
        axes.margins(y=0.2)
        axes.grid(axis="x", alpha=0.3)


def histogram(path: Path, scores: Mapping[str, Sequence[int]]) -> None:
    """Draw how often which score was reached."""
    with drawn(path) as axes:
        for number, (label, values) in enumerate(scores.items()):
            axes.hist(values, bins=range(0, max(values) + 6, 5), alpha=0.6, label=label, color=colour(number))
        axes.set_xlabel("points")
        axes.set_ylabel("games")
        axes.legend(frameon=False)


def colour(number: int) -> str:
    """Return a colour that differs from the ones before, as long as there are any."""
    return COLOURS[number % len(COLOURS)]


def curve(path: Path, points: Sequence[tuple[float, float]], across: str, up: str) -> None:
    """Draw how something grows."""
    with drawn(path) as axes:
        axes.plot([x for x, _ in points], [y for _, y in points], "o-", color=COLOURS[0], markersize=3)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.grid(alpha=0.3)
