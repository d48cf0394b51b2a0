"""What a bot is, and all it ever gets: the table as its seat sees it, and luck of its own."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from smalti.engine.chance import Stream, stream_of
from smalti.engine.errors import BadInput, shown
from smalti.engine.game import Game
from smalti.engine.record import tables_of
from smalti.engine.rules import acting, legal

WORD = (1 << 64) - 1


class Seen:
    """A table as a seat sees it, in the middle of a match, with the seat to act."""

    def __init__(self, game: Game, seen: bytes, seat: int, seed: int) -> None:
        """Read the table; refuse bytes that are none, and a seat that has nothing to do."""
        if not isinstance(seen, bytes) or len(seen) != game.table.dtype.itemsize:
            raise BadInput(f"a table of {game.name} has {game.table.dtype.itemsize} bytes, not {shown(seen)}")
        if type(seed) is not int:
            raise BadInput(f"a seed is a whole number, not {shown(seed)}")
        self.game = game
        self.tables = tables_of(seen, game.table.dtype)
        if type(seat) is not int or seat not in range(8) or not acting(self.table) >> seat & 1:
            raise BadInput(f"seat {shown(seat)} does not have to act")
        self.seat = seat
        self.number = zlib.crc32(seen) << 3 | seat  # of the stream: another one for each table and seat
        self.seed = seed & WORD

    @property
    def table(self) -> Any:
        """The table itself."""
        return self.tables[0]

    @cached_property
    def luck(self) -> Random:
        """Random numbers for plain Python."""
        return Random(self.seed << 64 | self.number)

    @cached_property
    def stream(self) -> Stream:
        """Random numbers for compiled code."""
        return stream_of(self.seed, self.number)

    @cached_property
    def moves(self) -> list[int]:
        """The legal moves of the seat, as far as it keeps playing.

        A bot does not give up. Moves of a bare word (stop, done, pass) do nothing but end something; all others
        say what they do, and are preferred when there are any.
        """
        buffer = self.game.buffers()[0]
        found: list[int] = buffer[: legal(self.table, self.seat, buffer)].tolist()
        return [move for move in found if " " in self.game.text(move)] or found

    def best(self, worths: dict[int, float]) -> int:
        """Return the move that is worth most, one of the best at random."""
        most = max(worths.values())
        return self.luck.choice([move for move, worth in worths.items() if worth == most])


@dataclass(frozen=True)
class Bot:
    """Somebody who plays: a name, a place among the others, and how to choose a move."""

    name: str
    rank: int  # the higher the stronger
    move: Callable[[Seen], int]
    game: str = ""  # the one it knows; without one it plays them all
