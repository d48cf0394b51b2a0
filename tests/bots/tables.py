"""Fixed tables of all games, and bots that think about them in nodes, never by the clock."""

from __future__ import annotations

import random
from typing import NamedTuple

from smalti import bots, games
from smalti.bots.bot import Seen
from smalti.engine.match import Match
from smalti.engine.record import bytes_of

BRIEF = {"mcts": "mcts@100n", "strongest": "strongest@300n"}  # who thinks by the clock if nobody says otherwise


class Setting(NamedTuple):
    """A kind of table."""

    game: str
    seats: int
    options: dict[str, str]

    def __str__(self) -> str:
        return "-".join([self.game, str(self.seats), *self.options.values()])


SETTINGS = (
    Setting("patterns", 2, {}),
    Setting("mosaix", 1, {}),
    Setting("mosaix", 3, {}),
    Setting("mozaika", 3, {}),
    Setting("mozaika", 4, {"hands": "hidden"}),
)


def everybody(game: str) -> list[str]:
    """List all bots of a game, with a budget of nodes for those that have none."""
    return [BRIEF.get(name, name) for name in bots.names(game)]


def table_after(setting: Setting, events: int, seed: int = 1) -> Match:
    """Return a random match after so many events and then up to a decision between several moves."""
    luck = random.Random(seed)
    match = new_match(setting)
    while match.awaits_chance or len(match.events) < events or not can_decide(match):
        match = new_match(setting) if match.is_over else match
        go_on(match, luck)
    return match


def new_match(setting: Setting) -> Match:
    """Sit down at a new table."""
    return Match(games.find(setting.game), setting.seats, setting.options)


def can_decide(match: Match) -> bool:
    """Say whether the seat that is asked first has a choice."""
    return not match.is_over and len(match.legal_moves(min(match.acting))) > 1


def go_on(match: Match, luck: random.Random) -> None:
    """Let chance, or any seat that must act, do something at random that does not give up."""
    if match.awaits_chance:
        match.draw(luck)
    else:
        seat = luck.choice(sorted(match.acting))
        texts = match.legal(seat)
        match.play(seat, luck.choice([text for text in texts if " " in text] or texts))


def seen_by(match: Match, seat: int, seed: int = 7) -> Seen:
    """Return the table as a seat sees it."""
    return Seen(match.game, bytes_of(match.seen_by(seat)), seat, seed)
