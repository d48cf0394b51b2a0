"""`smalti show`: draw the table of a record at any point."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from smalti import games
from smalti.cli import screen
from smalti.cli.files import only_record
from smalti.engine.errors import BadInput
from smalti.engine.records import replay

HELP = """Draw the table of a record, at its end or after any event.

    smalti show game.json

    smalti show game.json --event 12
"""


def show(
    file: Annotated[str, typer.Argument(help="A record; - for standard input.")],
    event: Annotated[int | None, typer.Option(help="Show the table after this many events; all if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the view as JSON.")] = False,
) -> None:
    """Draw the table."""
    record = only_record(file)
    last = len(record.events)
    if event is not None and not 0 <= event <= last:
        raise BadInput(f"--event must be from 0 to {last}, the number of events; not {event}")
    match = replay(record, games.find, event)
    if as_json:
        print(json.dumps(asdict(match.view(None)), ensure_ascii=False))
        return
    shown = last if event is None else event
    screen.headline(f"{match.game.title}, event {shown} of {last}")
    if shown:
        screen.print_event(match.events[-1])
    screen.table(match.boards(None))
    if match.is_over:
        screen.breakdown(match.boards(None), match.breakdown(), dict(enumerate(match.scores)))
        screen.result(match)
