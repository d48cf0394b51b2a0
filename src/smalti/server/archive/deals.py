"""The same deal for all: tables made from one code get the same draws and rolls, and can be compared.

The number of seats and the options belong to a deal as much as its code. What comes is known to whoever has played it
before, so such games count for nothing.
"""

from __future__ import annotations

from smalti.engine.game import Game
from smalti.server.actions.tables import checked_game, new_facts
from smalti.server.actions.text_input import checked_code
from smalti.server.archive.replays import lines
from smalti.server.problems import Problem
from smalti.server.rooms.rooms import Rooms
from smalti.server.table.entries import Facts
from smalti.server.table.terms import Terms
from smalti.server.wire.http import Deal, TableLine

MOST = 100  # tables in a comparison


async def deal_of(rooms: Rooms, name: str, seats: int, options: dict[str, str], code: str, holder: str | None) -> Deal:
    """Compare the finished tables of a deal; whoever still plays it is not led to their replays."""
    wanted = facts_of_deal(checked_game(name), seats, options, checked_code(code))
    playing = holder is not None and await rooms.store.is_playing_deal(wanted, holder)
    found = (await lines(rooms, await rooms.store.dealt_tables(wanted, holder or "", MOST), holder)).tables
    found.sort(key=lambda line: (-max(line.scores, default=0), line.last))
    for line in found:
        if not line.is_open and not any(seat.mine for seat in line.seats):
            tell_no_names(line)
        if playing:
            line.id = ""
    return Deal(name, seats, wanted.options, wanted.terms.code or "", playing, found)


def tell_no_names(line: TableLine) -> None:
    """Leave of somebody else's private game what it came to, and nothing that leads to it or to them."""
    line.id, line.host = "", None
    for seat in line.seats:
        seat.name = seat.owner = None


def facts_of_deal(game: Game, seats: int, options: dict[str, str], code: str) -> Facts:
    """Return what the tables of a deal have in common."""
    if seats not in game.seats:
        raise Problem("seats", wanted=", ".join(map(str, game.seats)))
    return new_facts(game, seats, options, "", Terms(code=code))
