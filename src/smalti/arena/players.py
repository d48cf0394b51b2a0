"""Who can sit down in the arena: bots of ours by name, programs of others, OpenSpiel's search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from smalti import bots, games
from smalti.bots.bot import Budget, Seen
from smalti.engine.errors import SmaltiError
from smalti.engine.match import Match
from smalti.engine.record import bytes_of

PROGRAM, SPIEL = "program:", "openspiel-mcts"
SHORT = Budget(seconds=0.02, nodes=50)  # for a thought that only loads what thinking needs


class Forfeit(SmaltiError):
    """Somebody breaks off a match, and loses it."""

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(why)
        self.seat = seat


class Place(NamedTuple):
    """Who sits where, with which luck, and how many seconds a program may take for a move."""

    game: str
    name: str
    seat: int
    seed: int
    limit: float


class Player(Protocol):
    """Somebody who sits on a seat during one match."""

    nodes: int  # tables looked at so far, if that is known
    has_proved: bool  # whether the end of the match was seen with the last move

    def choose(self, match: Match, seat: int) -> str:
        """Return the text of a move."""

    def leave(self, match: Match) -> None:
        """Stand up, when the match is over or broken off."""


class BotPlayer:
    """A bot of ours: it sees its seat's table and nothing else. Nobody takes its place if its weights are missing."""

    def __init__(self, place: Place) -> None:
        self.bot, self.seed, self.nodes = bots.find(place.name, place.game), place.seed, 0
        self.has_proved = False

    def choose(self, match: Match, seat: int) -> str:
        """Let the bot think."""
        seen = Seen(match.game, bytes_of(match.seen_by(seat)), seat, self.seed)
        thought = self.bot.think(seen, self.bot.budget)
        self.nodes += thought.nodes
        self.has_proved = thought.is_proved
        return match.game.text(thought.move)

    def leave(self, match: Match) -> None:
        """Do nothing: there is nothing to clean up."""


def warm_up(name: str, match: Match, seat: int) -> None:
    """Let somebody load what thinking needs, within less than the budget."""
    if is_spiel(name):
        seated(Place(match.game.name, f"{SPIEL}@{SHORT.nodes}n", seat, 0, 0.0)).choose(match, seat)
    elif not name.startswith(PROGRAM):
        bot = bots.find(name, match.game.name)
        budget = Budget(min(bot.budget.seconds, SHORT.seconds), min(bot.budget.nodes, SHORT.nodes))
        bot.think(Seen(match.game, bytes_of(match.seen_by(seat)), seat, 0), budget)


def seated(place: Place) -> Player:
    """Let somebody sit down."""
    if place.name.startswith(PROGRAM):
        from smalti.arena.programs import ProgramPlayer

        return ProgramPlayer(place)
    if is_spiel(place.name):
        from smalti.arena.spiel import SpielPlayer

        return SpielPlayer(place)
    return BotPlayer(place)


def is_spiel(name: str) -> bool:
    """Say whether OpenSpiel's search is meant."""
    return name.partition("@")[0] == SPIEL


def check(name: str, game: str, seats: int, options: Mapping[str, str]) -> None:
    """Refuse an entrant that cannot play a game, before the first match."""
    if name.startswith(PROGRAM):
        from smalti.arena.programs import words_of

        words_of(name)
    elif is_spiel(name):
        from smalti.arena.spiel import check_spiel

        check_spiel(name, games.find(game), seats, options)
    else:
        bots.find(name, game)
