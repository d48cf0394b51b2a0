"""What `smalti arena` prints."""

from __future__ import annotations

import math
from typing import Any

from rich.table import Table

from smalti import games
from smalti.arena.standings import Standings, ranged
from smalti.arena.statistics import Range, range_text
from smalti.cli.screen import console

LONGEST = 24  # characters of a name


def elo_text(found: Range) -> str:
    """Write Elo with its interval."""
    return range_text(found, lambda value: "∞" if math.isinf(value) else f"{value:+z.0f}")


def range_of(document: dict[str, float | None]) -> Range:
    """Read an estimate as JSON holds it; what is missing is infinite."""
    value, low, high = document["value"], document["low"], document["high"]
    low = -math.inf if low is None else low
    high = math.inf if high is None else high
    if value is None:
        value = math.inf if high == math.inf else -math.inf
    return Range(value, low, high)


def table_document(standings: Standings) -> list[dict[str, Any]]:
    """List everybody with their Elo, the strongest first, for JSON."""
    labels, anchor = standings.contest.labels, standings.anchor
    return [
        {"bot": labels[n], "elo": ranged(elo), "anchor": n == anchor, "share": share_of(standings, n)}
        for n, elo in standings.table()
    ]


def share_of(standings: Standings, entrant: int) -> float:
    """Return which part of the win somebody got in all matches it took part in."""
    matches = [match for met in standings.encounters.values() for block in met.blocks for match in block]
    shares = [
        sum(share for who, share in zip(match.seating, match.shares, strict=True) if who == entrant)
        for match in matches
        if entrant in match.seating
    ]
    return sum(shares) / len(shares)


def show(document: dict[str, Any]) -> None:
    """Print a result for people."""
    if "solo" in document:
        console.print(solo_table(document))
    else:
        if document["table"]:
            console.print(standings_table(document))
        console.print(encounter_table(document))
        for met in document["encounters"]:
            print_test(met)
        console.print(time_table(document))
    for lost in document["forfeits"][:10]:
        reason = f"{short(lost['bot'])} lost a game: {lost['why']}"
        console.print(reason, style="yellow", markup=False, soft_wrap=True)


def short(label: str) -> str:
    """Return a name that leaves room for numbers; of a program's command the end says most."""
    return label if len(label) <= LONGEST else f"…{label[1 - LONGEST :]}"


def listing(title: str, *columns: str) -> Table:
    """Return a table whose first column is words, the others numbers."""
    table = Table(title=title or None, title_justify="left", box=None, padding=(0, 2, 0, 0), header_style="dim")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=number > 0, overflow="fold")
    return table


def encounter_table(document: dict[str, Any]) -> Table:
    """List who met whom, and what came of it."""
    par = document["encounters"][0]["par"]
    title = f"{document['game']}, {document['seats']} seats, {document['games']} games, par {par:.1%}"
    table = listing(title, "", "won/shared/lost", "share", "points ahead", "Elo, 95 %")
    for met in document["encounters"]:
        table.add_row(
            f"{short(met['first'])} – {short(met['second'])}",
            "/".join(str(met[key]) for key in ("won", "shared", "lost")),
            f"{met['share']['value']:.1%}",
            f"{met['points']['value']:+.1f} ± {met['points']['high'] - met['points']['value']:.1f}",
            elo_text(range_of(met["elo"])),
        )
    return table


def print_test(met: dict[str, Any]) -> None:
    """Say what a sequential test has found."""
    if "sprt" in met:
        test = met["sprt"]
        low, high = test["elo"]
        answers = {"better": f"{met['first']} is stronger by {high:g} Elo rather than by {low:g}"}
        answers["not better"] = f"{met['first']} is stronger by {low:g} Elo rather than by {high:g}"
        said = answers.get(test["verdict"], f"not decided between {low:g} and {high:g} Elo")
        console.print(f"{said} (ratio {test['ratio']:+.2f}, bounds ±{test['bound']:.2f})")


def standings_table(document: dict[str, Any]) -> Table:
    """List everybody, the strongest first."""
    table = listing("", "bot", "Elo, 95 %", "share")
    for row in document["table"]:
        elo = "0 (anchor)" if row["anchor"] else elo_text(range_of(row["elo"]))
        table.add_row(short(row["bot"]), elo, f"{row['share']:.1%}")
    return table


def solo_table(document: dict[str, Any]) -> Table:
    """List who played alone, and how well."""
    goals = games.find(document["game"]).goals
    reached = [f"≥ {points}" for points in goals.values()]
    columns = ("bot", "mean, 95 %", "deviation", "range", *reached, "ms a turn")
    table = listing(f"{document['game']}, alone, {document['games']} games", *columns)
    for row in document["solo"]:
        table.add_row(
            short(row["bot"]),
            f"{row['mean']:.2f} ± {row['error']:.2f}",
            f"{row['deviation']:.1f}",
            f"{row['least']}–{row['most']}",
            *(f"{row[key]:.1%}" for key in goals),
            f"{row['ms a turn']:.1f}",
        )
    return table


def time_table(document: dict[str, Any]) -> Table:
    """List how long everybody thinks."""
    table = listing("", "bot", "ms a move", "at most", "nodes a second")
    for label, times in document["ms a move"].items():
        speed = document["nodes a second"][label]
        said = "" if speed is None else f"{speed:,.0f}"
        table.add_row(short(label), f"{times['mean']:.1f}", f"{times['most']:.1f}", said)
    return table
