"""`smalti analyse`: review a record: what every move cost, and what was luck."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from smalti import bots, games
from smalti.bots.review import Review, SeatReview, Step, Value, reviewed
from smalti.cli.files import only_record
from smalti.cli.screen import console, headline, plots, progress
from smalti.engine.records import verify

HELP = """Review a game: the best moves, what every move cost, and how much was luck.

    smalti analyse game.json

    smalti analyse game.json --bot mcts@2000n --seat 0 --plot course.svg
"""

SECONDS = "0.2s"
NOTICED = 0.05  # points that a move must cost to be worth mentioning
LONGEST = 14  # characters of what chance did
LUCKY = 2.0  # points that people notice
NUMBERS = ("points", "chance")
PARTS = {
    "start": "expected at the start",
    "luck": "luck",
    "skill": "lost by own moves",
    "gifts": "brought by the others' moves",
    "sealed": "brought by what was sealed",
    "unclear": "unclear",
    "result": "result",
}


def analyse(
    record: Annotated[str, typer.Argument(help="A record; - for standard input.")],
    bot: Annotated[str | None, typer.Option(help=f"Who judges; the strongest, for {SECONDS}, if not given.")] = None,
    seat: Annotated[
        list[int] | None, typer.Option(help="Seat to report on; may be repeated; all if not given.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="File for a plot of the game's course: .png or .svg.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Review a record."""
    found = only_record(record)
    match = verify(found, games.find)
    judge = bot or f"{bots.strongest(match.game.name)}@{SECONDS}"
    bots.find(judge, match.game.name)
    for number in seat or []:
        match.check_seat(number)
    if plot:
        plots.check(plot)
    with progress("judging", len(match.events), show=True) as advance:
        advance(0, f"judging {len(match.events)} events with {judge}")
        review = reviewed(match, judge, seat, lambda done, events: advance(1))
    if as_json:
        print(json.dumps(review.document(), ensure_ascii=False))
    else:
        show(review)
    if plot:
        draw(plot, review)


# --- Telling


def show(review: Review) -> None:
    """Print a review for people."""
    headline(f"{games.find(review.game).title}, judged by {review.bot}")
    console.print(course_table(review))
    for seat in review.seats:
        console.print(seat_table(seat, review.players))
        console.print(in_words(seat, review))


def course_table(review: Review) -> Table:
    """List every event with what it cost or brought."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("", "", "played", "best", "points", "chance", ""):
        table.add_column(column, no_wrap=True, max_width=26, justify="right" if column in NUMBERS else "left")
    for step in review.steps:
        table.add_row(*row_of(step, review))
    return table


def row_of(step: Step, review: Review) -> list[str]:
    """Describe an event in one line."""
    if step.by is None:
        seat = luckiest(step, review)
        whose = "luck" if len(review.seats) == 1 else f"luck, seat {seat}"
        return [str(step.number), "chance", shortened(step.do), "", *value_texts(step.luck[seat]), whose]
    better = step.best and step.cost.points < -NOTICED and step.best[0].do != step.do
    best = f"{step.best[0].do} ({step.best[0].points:+z.1f})" if step.best and better else ""
    proved = "proved" if step.is_proved else ""
    mark = "forced" if step.is_forced else " ".join(filter(None, [step.mark, proved]))
    return [str(step.number), f"seat {step.by}", step.do, best, *(value_texts(step.cost) if better else ["", ""]), mark]


def luckiest(step: Step, review: Review) -> int:
    """Return the seat to which chance made the greatest difference; of two, what one gains the other one loses."""
    if review.players == 2:
        return review.seats[0].seat
    return max(step.luck, key=lambda seat: abs(step.luck[seat].points))


def value_texts(value: Value) -> list[str]:
    """Write points and chance."""
    return [f"{value.points:+z.1f}", "" if value.chance is None else f"{value.chance:+z.0%}"]


def shortened(text: str) -> str:
    """Return a text that fits into a column."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def seat_table(seat: SeatReview, players: int) -> Table:
    """Show how start, luck and skill add up to the result."""
    table = Table(title=f"seat {seat.seat}", title_justify="left", box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("", "points", "chance of winning"):
        table.add_column(column, justify="right" if column else "left")
    for part, label in PARTS.items():
        points, chance = value_texts(getattr(seat, part))
        if (part == "gifts" and players == 1) or (part == "sealed" and not any(seat.sealed)):
            continue
        if part in ("start", "result"):
            chance = chance.removeprefix("+")
        table.add_row(label, points, chance, style="bold" if part == "result" else "")
    return table


def in_words(seat: SeatReview, review: Review) -> str:
    """Say in a sentence how somebody played."""
    marks = [step.mark for step in review.steps if step.by == seat.seat]
    counted = [f"{marks.count(mark)} {plural}" for mark, plural in PLURALS.items() if mark in marks]
    how = f"accuracy {seat.accuracy:.0f} %" if seat.accuracy is not None else "nothing to decide"
    points = seat.luck.points
    luck = "lucky" if points > LUCKY else "unlucky" if points < -LUCKY else "neither lucky nor unlucky"
    return f"seat {seat.seat} was {luck} ({seat.luck.points:+z.1f} points); {', '.join([how, *counted])}\n"


PLURALS = {"blunder": "× blunder", "mistake": "× mistake", "inaccuracy": "× inaccuracy"}


Points = list[tuple[int, float]]


def course_of(review: Review, seat: SeatReview) -> tuple[Points, Points]:
    """Return what a seat could expect before every event, and the same where it went wrong."""
    known = [step for step in review.steps if seat.seat in step.expected]
    line = [(step.number - 1, step.expected[seat.seat].points) for step in known]
    bad = [(step.number - 1, step.expected[seat.seat].points) for step in known if step.mark and step.by == seat.seat]
    return [*line, (len(review.steps), seat.result.points)], bad


def draw(path: Path, review: Review) -> None:
    """Draw what the seats could expect, event by event."""
    shown = [seat for seat in review.seats if review.players != 2 or seat is review.seats[0]]
    with plots.drawn(path) as axes:
        for number, seat in enumerate(shown):
            line, bad = course_of(review, seat)
            axes.plot(*zip(*line, strict=True), color=plots.colour(number), label=f"seat {seat.seat}")
            if bad:
                axes.plot(*zip(*bad, strict=True), "x", color=plots.colour(number), label=f"errors of seat {seat.seat}")
        axes.set_xlabel("events")
        axes.set_ylabel("points expected" if review.players == 1 else "points ahead expected")
        axes.axhline(0, color="black", linewidth=0.5)
        axes.legend(frameon=False)
