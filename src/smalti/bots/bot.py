"""What a bot is: it gets the table as its seat sees it, a budget and luck of its own, and answers with a thought."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from smalti.engine.chance import Stream, stream_of
from smalti.engine.errors import BadInput, shown
from smalti.engine.game import Game
from smalti.engine.record import tables_of
from smalti.engine.rules import MOST_SEATS, acting, legal

WORD = (1 << 64) - 1
MOST_SECONDS, MOST_NODES = 86_400, 10**12


class Budget(NamedTuple):
    """What a move may cost: seconds, or nodes (tables looked at), which always buy the same move; 0 is no limit."""

    seconds: float = 0.0
    nodes: int = 0

    def __str__(self) -> str:
        """Write it as it is read."""
        return f"{self.nodes}n" if self.nodes else f"{self.seconds:g}s"


UNLIMITED = Budget()


def read_budget(text: str) -> Budget:
    """Read a budget such as 0.2s or 1000n."""
    found = re.fullmatch(r"([0-9]{1,20}(?:\.[0-9]{1,20})?)s|([0-9]{1,20})n", text)
    if not found:
        raise BadInput(f"a budget is a number of seconds or nodes, such as 0.2s or 1000n; not {shown(text)}")
    budget = Budget(float(found[1] or 0), int(found[2] or 0))
    if budget == UNLIMITED:
        raise BadInput("a budget must be more than nothing")
    if budget.seconds > MOST_SECONDS or budget.nodes > MOST_NODES:
        raise BadInput(f"a budget is at most {MOST_SECONDS} s or {MOST_NODES} nodes, not {shown(text)}")
    return budget


class Choice(NamedTuple):
    """A move and what comes of it, as the bot sees it."""

    move: int
    worth: float  # points: how far ahead of the best other at the end; alone, the final score
    chance: float  # of winning, from 0 to 1; a shared win counts its share


@dataclass(frozen=True)
class Thought:
    """What a bot found out."""

    move: int
    choices: tuple[Choice, ...]  # those it looked at closely, the best first
    is_proved: bool = False  # whether the game has been seen to its end
    nodes: int = 0  # tables looked at


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
        if type(seat) is not int or seat not in range(MOST_SEATS) or not acting(self.table) >> seat & 1:
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
    def legal(self) -> list[int]:
        """All legal moves of the seat."""
        buffer = self.game.buffers()[0]
        found: list[int] = buffer[: legal(self.table, self.seat, buffer)].tolist()
        return found

    @cached_property
    def moves(self) -> list[int]:
        """The legal moves of the seat, as far as it keeps playing.

        Moves of a bare word (stop, done, pass) do nothing but end something, as every game promises; all others say
        what they do, and are preferred by whoever cannot judge what giving up is worth.
        """
        return [move for move in self.legal if " " in self.game.text(move)] or self.legal

    def best(self, worths: dict[int, float]) -> int:
        """Return the move that is worth most, one of the best at random."""
        most = max(worths.values())
        return self.luck.choice([move for move, worth in worths.items() if worth == most])


Think = Callable[[Seen, Budget], Thought]


@dataclass(frozen=True)
class Bot:
    """A player: a name, a rank among the others, and how to think."""

    name: str
    rank: int  # the higher the stronger
    think: Think
    game: str = ""  # the one it knows; without one it plays them all
    budget: Budget = UNLIMITED  # what it takes if nobody says otherwise
    effort: int = 0  # tables it looks at for a move whatever a budget says: to be compared within a game


def plain(move: Callable[[Seen], int]) -> Think:
    """Turn a function that only chooses a move into one that thinks."""
    return lambda seen, budget: Thought(move(seen), ())


# Where the levels stand among the bots that need no weights: without weights the next weaker bot plays instead.
LEVEL_RANKS = {1: 40, 2: 80, 3: 120, 4: 150, 5: 250, 6: 350, 7: 400, 8: 450}


def levels(game: str, think_at: Callable[[Seen, int], Thought], efforts: Mapping[int, int]) -> tuple[Bot, ...]:
    """Return the eight levels of a game, given how to think at each and how many tables it looks at.

    They ignore budgets.
    """

    def levelled(number: int) -> Bot:
        name, rank = f"level-{number}", LEVEL_RANKS[number]
        return Bot(name, rank, lambda seen, budget: think_at(seen, number), game, effort=efforts[number])

    return tuple(levelled(number) for number in LEVEL_RANKS)
