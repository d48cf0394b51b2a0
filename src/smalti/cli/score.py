"""`smalti score`: score a finished board typed as text."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from smalti import games
from smalti.cli import screen
from smalti.cli.files import text_of

HELP = """Score a board drawn as text, and show everything that counts.

Rows end with a line break or a slash. Lines such as `coins: 17` (Mozaika), `boxes: 3` (solo Mosaix) or
`river 0: K O` (Patterns) may follow the board. docs/games describes the drawings.

    smalti score mosaix grid.txt

    echo "R1 R1 R2 R3 / B1 B1 B1 B1 / Y1 Y2 Y3 Y4 / R1 B2* Y3 R4" | smalti score mozaika -
"""


def score(
    game: Annotated[str, typer.Argument(help=games.listed())],
    file: Annotated[str, typer.Argument(help="The drawing; - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Score a board."""
    found = games.find(game)
    table, seats = found.read_board(text_of(file))
    items = [item for item in found.breakdown(table) if item.seat in seats]
    totals = {seat: sum(item.points for item in items if item.seat == seat) for seat in seats}
    if as_json:
        print(json.dumps({"game": game, "scores": list(totals.values()), "items": [asdict(item) for item in items]}))
        return
    boards = [board for board in found.boards(table) if board.seat is None or board.seat in seats]
    screen.breakdown(boards, items, totals)
