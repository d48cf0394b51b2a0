"""Matches between bots, the same on every run."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from smalti import bots, games
from smalti.engine.match import Match
from smalti.engine.record import bytes_of


def chosen(bot: str, match: Match, seat: int, seed: int) -> str:
    """Return what a bot plays for a seat, given what that seat sees."""
    return bots.choose(bot, match.game.name, bytes_of(match.seen_by(seat)), seat, seed)


def played(game: str, seated: Sequence[str], seed: int, options: Mapping[str, str] | None = None) -> Match:
    """Play a whole match; `Match` refuses whatever is illegal."""
    match, luck = Match(games.find(game), len(seated), options), random.Random(seed)
    while not match.is_over:
        if match.awaits_chance:
            match.draw(luck)
        else:
            seat = min(match.acting)
            match.play(seat, chosen(seated[seat], match, seat, seed))
    return match


def wins(game: str, seats: int, strong: str, weak: str, matches: int) -> float:
    """Return how many matches one bot wins against others, sitting everywhere in turn; a tie is shared."""
    total = 0.0
    for number in range(matches):
        seat = number % seats
        match = played(game, [strong if other == seat else weak for other in range(seats)], number // seats)
        total += (seat in match.winners) / len(match.winners)
    return total


def points_alone(bot: str, matches: int) -> float:
    """Return the mean points of a bot in the solo game of Mosaix."""
    return sum(played("mosaix", [bot], seed).scores[0] for seed in range(matches)) / matches
