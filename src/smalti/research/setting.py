"""What environments agree on: the game, its seats and options, what it is worth, and where it begins."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from smalti import games
from smalti.engine.chance import Stream, stream_of
from smalti.engine.errors import BadInput, shown
from smalti.engine.game import Game
from smalti.engine.loops.stepping import MARGIN, OUTCOME, POINTS
from smalti.engine.match import Match
from smalti.engine.planes import Plane, plane_count
from smalti.engine.record import bytes_of, tables_of

REWARDS = {"outcome": OUTCOME, "margin": MARGIN, "points": POINTS}
LONGEST_SEED = 1 << 64


@dataclass(frozen=True, eq=False)
class Setting:
    """A game as environments play it. Make one with `setting`."""

    game: Game
    seats: int
    options: Mapping[str, str]
    rewards: str
    start: Any  # the table every game begins with
    after: tuple[int, ...] = ()  # the moves that led there, chance's included

    @cached_property
    def planes(self) -> list[Plane]:
        """What the planes of an observation mean."""
        return self.game.observer.planes(self.seats)

    @cached_property
    def shape(self) -> tuple[int, int, int]:
        """The shape of an observation: planes, rows, columns."""
        return (plane_count(self.planes), *self.game.observer.SHAPE)

    @cached_property
    def tops(self) -> Any:
        """The highest value of every cell of an observation."""
        by_plane = np.repeat([plane.top for plane in self.planes], [plane.count for plane in self.planes])
        return np.broadcast_to(by_plane[:, None, None], self.shape).astype(np.int8)

    @property
    def kind(self) -> int:
        """The rewards, as compiled code calls them."""
        return REWARDS[self.rewards]

    @property
    def best(self) -> float:
        """The highest reward there can be."""
        return 1.0 if self.rewards == "outcome" else float(self.game.most_points)

    @property
    def worst(self) -> float:
        """The lowest reward there can be."""
        if self.rewards == "outcome":
            return -1.0 if self.seats < 3 else -1 / (self.seats - 1)
        return 0.0 if self.rewards == "points" else -float(self.game.most_points)

    @property
    def penalty(self) -> float:
        """The reward of an illegal move, which ends the game: never more than that of the worst result."""
        return min(-1.0, self.worst)

    def __deepcopy__(self, memo: object) -> Setting:
        """Return the same setting: it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the name of the game and the version of its rules, not the game."""
        kept = (dict(self.options), self.rewards, bytes_of(self.start), self.after)
        return restored, (self.game.name, self.game.version, self.seats, *kept)

    def starts(self) -> Any:
        """Return the table every game begins with, as a batch of one."""
        tables = self.game.table.batch(1)
        tables[0] = self.start
        return tables

    def named_planes(self) -> dict[str, slice]:
        """Return where the planes of each name lie in an observation."""
        ends = np.cumsum([plane.count for plane in self.planes]).tolist()
        return {plane.name: slice(end - plane.count, end) for plane, end in zip(self.planes, ends, strict=True)}


def setting(
    name: str,
    players: int | None = None,
    *,
    rewards: str | None = None,
    start: Match | None = None,
    options: Mapping[str, str] | None = None,
) -> Setting:
    """Check what somebody wants to play, and fill in the rest.

    `start` is a match that goes on from where it stands; it brings its own players, options and version of the rules.
    """
    if not isinstance(name, str):
        raise BadInput(f"a game is given by its name, one of {games.listed()}; not by {shown(name)}")
    game = games.find(name, None if start is None or start.game.name != name else start.game.version)
    match = Match(game, fewest(game) if players is None else players, options) if start is None else start
    if start is not None:
        check_start(game, players, options, start)
    chosen = rewards or ("points" if match.seats == 1 else "outcome")
    if chosen not in REWARDS:
        raise BadInput(f"rewards are one of {', '.join(REWARDS)}; not {shown(chosen)}")
    return Setting(game, match.seats, match.options, chosen, match.table, tuple(moves_of(match)))


def restored(
    name: str, version: int, seats: int, options: Mapping[str, str], rewards: str, start: bytes, after: tuple[int, ...]
) -> Setting:
    """Return the setting that was kept."""
    game = games.find(name, version)
    return Setting(game, seats, options, rewards, tables_of(start, game.table.dtype)[0], after)


def fewest(game: Game) -> int:
    """Return the smallest number of players above one."""
    return min(seats for seats in game.seats if seats > 1)


def check_start(game: Game, players: int | None, options: Mapping[str, str] | None, start: Match) -> None:
    """Refuse a start that is over, or of another game than was asked for."""
    if start.game is not game:
        raise BadInput(f"the start is a match of {start.game.name}, not of {game.name}")
    if players not in (None, start.seats):
        raise BadInput(f"the start has {start.seats} players, not {shown(players)}")
    if any(start.options.get(name) != value for name, value in (options or {}).items()):
        raise BadInput(f"the start is played with {dict(start.options)}, not with {dict(options or {})}")
    if start.is_over:
        raise BadInput("the start is a match that is over; give one that goes on")


def moves_of(match: Match) -> list[int]:
    """List all moves of a match as numbers, chance's one by one."""
    again, found = Match(match.game, match.seats, match.options), []
    for by, do in match.events:
        found += match.game.notation.chance_moves(again.table, do) if by is None else [match.game.numbers[do]]
        again.play(by, do)
    return found


def seeded_stream(seed: int | None) -> Stream:
    """Return the random numbers of a seed; without one, numbers nobody can foresee."""
    if seed is None:
        return stream_of(secrets.randbits(64))
    return stream_of(checked_seed(seed))


def checked_seed(seed: Any) -> int:
    """Return a seed if it is one."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < LONGEST_SEED:
        raise BadInput(f"a seed is a whole number from 0 to 2^64 − 1, not {shown(seed)}")
    return int(seed)
