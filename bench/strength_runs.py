"""What the arena says of a row, and how several runs of it speak as one: a long one can be measured piece by piece."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from smalti.arena.statistics import Range, Scale, finite, mean_range, share_range
from smalti.engine.errors import BadInput

Figures = dict[str, Any]
Run = dict[str, Any]  # command, games, figures, ms a move, minutes, day; and by block, where there were any

FASTER = "times the nodes a second"
SEED = re.compile(r" --seed (\d+)$")


# --- One run


def figures_of(document: Figures) -> Figures:
    """Pick what the floors speak of out of the arena's document: each figure with its interval."""
    if "solo" in document:
        return solo_figures(document["solo"][0])
    (met,) = document["encounters"]
    speeds = document["nodes a second"]
    found = {"share": met["share"], "points": met["points"], "elo": met["elo"], "par": {"value": met["par"]}}
    first, second = speeds[met["first"]], speeds[met["second"]]
    if first and second:
        found[FASTER] = {"value": first / second}
    return found


def solo_figures(solo: Figures) -> Figures:
    """Pick the same of games that were played alone."""
    mean, error = solo["mean"], solo["error"]
    return {
        "mean": {"value": mean, "low": mean - error, "high": mean + error},
        "deviation": {"value": solo["deviation"]},
        "120 or more": share_figure(solo["won"], solo["games"]),
        "130 or more": share_figure(solo["brilliant"], solo["games"]),
        "ms a turn": {"value": solo["ms a turn"]},
    }


def share_figure(share: float, games: int) -> Figures:
    """Return a share of games with its interval."""
    won = round(share * games)
    return figure(share_range([1.0] * won + [0.0] * (games - won)))


def figure(found: Range) -> Figures:
    """Write an estimate as JSON can hold it."""
    return {name: finite(value) for name, value in found._asdict().items()}


def blocks_of(document: Figures) -> Figures | None:
    """Return the share of the win and the lead of every block, where there was anybody to play against."""
    return document["encounters"][0]["by block"] if "encounters" in document else None


# --- Several runs


def continued(runs: Sequence[Run]) -> list[Run]:
    """Return runs that others can be added to; refuse those that do not tell their blocks."""
    for run in runs:
        if not run.get("by block"):
            raise BadInput(f"without its blocks nothing can be added to this run, only measured anew: {run['command']}")
    return list(runs)


def joined(runs: Sequence[Run]) -> Run:
    """Return what the runs of a row say together, as if they were one."""
    first, *more = runs
    if not more:
        return first
    return {
        "games": sum(run["games"] for run in runs),
        "figures": joined_figures(runs),
        "ms a move": {name: joined_times(runs, name) for name in first["ms a move"]},
    }


def joined_figures(runs: Sequence[Run]) -> Figures:
    """Work the figures out from all blocks."""
    shares = [share for run in runs for share in run["by block"]["shares"]]
    points = [lead for run in runs for lead in run["by block"]["points"]]
    par = runs[0]["figures"]["par"]["value"]
    scale = Scale(((1, round(1 / par)),))
    found = {"share": share_range(shares), "points": mean_range(points), "elo": scale.elo_range(shares)}
    ratios = [run["figures"].get(FASTER) for run in runs]
    faster = {FASTER: {"value": weighted(runs, lambda run: run["figures"][FASTER]["value"])}} if all(ratios) else {}
    return {name: figure(each) for name, each in found.items()} | {"par": {"value": par}} | faster


def joined_times(runs: Sequence[Run], name: str) -> Figures:
    """Return how long somebody thought about a move, on average and at most."""
    return {
        "mean": weighted(runs, lambda run: run["ms a move"][name]["mean"]),
        "most": max(run["ms a move"][name]["most"] for run in runs),
    }


def weighted(runs: Sequence[Run], value: Callable[[Run], float]) -> float:
    """Return the mean of something over all games."""
    games = [int(run["games"]) for run in runs]
    return sum(count * value(run) for count, run in zip(games, runs, strict=True)) / sum(games)


def next_seed(runs: Sequence[Run]) -> int:
    """Return a seed that no run of a row had."""
    return max((seed_of(run["command"]) for run in runs), default=-1) + 1


def seed_of(command: str) -> int:
    """Return the seed at the end of a command; without one it is 0."""
    found = SEED.search(command)
    return int(found[1]) if found else 0


def commands(runs: Sequence[Run]) -> Iterator[str]:
    """Give the commands of a row with when they were run, in one line where they differ in their seeds alone."""
    for command, same in groupby(runs, lambda run: SEED.sub("", run["command"])):
        alike = list(same)
        seeds = [seed_of(run["command"]) for run in alike]
        behind = f" --seed {seeds[0]}" + (f"…{seeds[-1]}" if len(seeds) > 1 else "")
        minutes = sum(run["minutes"] or 0 for run in alike)
        yield f"{command}{behind}  # {alike[-1]['day']}" + (f", {minutes:.4g} minutes" if minutes else "")
