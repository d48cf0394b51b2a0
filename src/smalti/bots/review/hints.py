"""Hints: what somebody could play, the best first, with what it is worth."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from smalti import bots
from smalti.bots.review.judge import Judge
from smalti.bots.review.steps import Option
from smalti.engine.errors import BadInput
from smalti.engine.match import Match

SECONDS = "0.5s"  # that the strongest bot thinks if nobody is named


@dataclass(frozen=True)
class Hint:
    """The best moves of a seat, as a bot sees them that knows no more than the seat."""

    seat: int
    bot: str
    options: tuple[Option, ...]  # none if nothing is to choose
    only: str  # the move, if there is but one
    is_proved: bool  # the bot has seen the game to its end

    def document(self) -> dict[str, Any]:
        """Describe it for JSON."""
        return asdict(self)


def hint(match: Match, seat: int, bot: str = "", number: int = 3) -> Hint:
    """Return up to so many of the best moves that a seat has now, with what they are worth."""
    match.check_seat(seat)
    if seat not in match.acting:
        raise BadInput(f"seat {seat} has nothing to decide now")
    bot = bot or f"{bots.strongest(match.game.name)}@{SECONDS}"
    thought, moves = Judge(bot, match.game.name).thought(match, seat), match.legal_moves(seat)
    options = tuple(Option.of(match.game, choice) for choice in thought.choices[:number])
    only = match.game.text(moves[0]) if len(moves) == 1 else ""
    return Hint(seat, bot, () if only else options, only, thought.is_proved)
