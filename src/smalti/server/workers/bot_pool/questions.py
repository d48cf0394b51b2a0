"""What a server asks the processes that think, and what they answer: each a line of JSON."""

from __future__ import annotations

import msgspec


class Think(msgspec.Struct, tag="think"):
    """Let a bot choose a move, given what its seat may see and nothing else."""

    bot: str
    game: str
    seen: bytes
    seat: int
    luck: int


class Warm(msgspec.Struct, tag="warm"):
    """Load the bots of these games beside, in this order."""

    games: list[str]


class Chosen(msgspec.Struct, tag="chosen"):
    """The move."""

    do: str


class Failed(msgspec.Struct, tag="failed"):
    """Why there is none."""

    error: str


class Warmed(msgspec.Struct, tag="warmed"):
    """The bots of a game are loaded; it comes between answers."""

    game: str


Question = Think | Warm
Answer = Chosen | Failed | Warmed
