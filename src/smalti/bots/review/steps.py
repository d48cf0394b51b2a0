"""What is told about every event of a game: a decision with what it cost, or chance with what it brought."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from smalti.bots.bot import Choice
from smalti.bots.review.judge import NOTHING, Value
from smalti.engine.game import Game

# What a loss of the chance of winning is called, from the largest on; the same steps as elsewhere on the web.
MARKS = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
SURELY = 2  # times the judge's noise that a loss must be, to be called anything


@dataclass(frozen=True)
class Option:
    """A move that could be played, and what it is worth to the seat that plays."""

    do: str
    points: float
    chance: float

    @classmethod
    def of(cls, game: Game, choice: Choice) -> Option:
        """Describe what a bot thinks of a move."""
        return cls(game.text(choice.move), float(choice.worth), float(choice.chance))


@dataclass(frozen=True)
class Step:
    """One event: a decision with what it cost, or chance with what it brought to each seat."""

    number: int
    by: int | None
    do: str
    best: tuple[Option, ...] = ()
    cost: Value = NOTHING  # of a decision, nothing or less
    doubt: Value | None = None  # by how much a second opinion about the cost differed
    luck: dict[int, Value] = field(default_factory=dict)
    gifts: dict[int, Value] = field(default_factory=dict)  # what a decision brought the other seats
    sealed: dict[int, Value] = field(default_factory=dict)  # what it was to the seats to see what all decided in secret
    expected: dict[int, Value] = field(default_factory=dict)  # by seat, before it happened, as far as it is known
    is_forced: bool = False
    is_proved: bool = False
    noise: float = 0.0  # of the judge, as a chance of winning

    @property
    def mark(self) -> str:
        """What people call a move that cost so much; nothing if it cost little, or if the judge is not sure."""
        lost = -(self.cost.chance or 0.0)
        if not self.is_proved and lost <= SURELY * self.noise:
            return ""
        return next((mark for least, mark in MARKS if lost >= least), "")

    def giving(self, gifts: dict[int, Value]) -> Step:
        """Return the step with what it brought the other seats."""
        return replace(self, gifts=gifts)

    def unsealing(self, sealed: dict[int, Value]) -> Step:
        """Return the step with what it was to the seats that everything was shown with it."""
        return replace(self, sealed=sealed)

    def at_best(self) -> Step:
        """Return the step as it would have been with the best move."""
        return replace(self, do=self.best[0].do) if self.best else self

    def document(self) -> dict[str, Any]:
        """Describe it for JSON."""
        found: dict[str, Any] = {"event": self.number, "by": self.by, "do": self.do}
        if self.by is None:
            return found | {"luck": by_seat(self.luck)}
        found |= {"best": [asdict(option) for option in self.best], "cost": self.cost._asdict(), "mark": self.mark}
        found |= {"gifts": by_seat(self.gifts), "sealed": by_seat(self.sealed)}
        return found | {"forced": self.is_forced, "proved": self.is_proved}


def by_seat(values: dict[int, Value]) -> dict[int, dict[str, float | None]]:
    """Describe what it was to each seat, for JSON."""
    return {seat: value._asdict() for seat, value in values.items()}
