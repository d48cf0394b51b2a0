"""What a log is made of: its entries, and what never changes about its table.

Everything that ever happens at a table is an entry, numbered in the order it was stored; `kinds` has all kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from smalti.server.table.kinds import What, body_of, from_row, kind_of
from smalti.server.table.terms import Terms

GATHERING, PLAYING, OVER = "gathering", "playing", "over"
NEW, FORK, IMPORT = "new", "fork", "import"  # where a table comes from


class Row(NamedTuple):
    """One line of a log as it is stored."""

    n: int
    at: float
    kind: str
    seat: int | None
    body: str  # of a play the text of the event, else JSON
    id: str | None  # of the message that asked for it

    def entry(self) -> Entry:
        """Return what it says."""
        return Entry(self.n, self.at, self.seat, from_row(self.kind, self.body), self.id)


class Entry(NamedTuple):
    """One line of a log."""

    n: int
    at: float
    seat: int | None
    what: What
    id: str | None  # of the message that asked for it

    def row(self) -> Row:
        """Return the line as it is stored."""
        return Row(self.n, self.at, kind_of(self.what), self.seat, body_of(self.what), self.id)


@dataclass(frozen=True)
class Facts:
    """What never changes about a table."""

    id: str
    game: str
    seats: int
    options: Mapping[str, str]
    rules: int
    made: float
    secret: bytes  # of chance
    key: bytes  # of links
    host: str  # hash of the browser's secret that made it
    terms: Terms
    origin: str = NEW
    revision: int = 0  # how often its rows were changed from outside when they were read
