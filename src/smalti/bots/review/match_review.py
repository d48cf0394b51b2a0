"""A game judged event by event, so that result = start + luck + skill + gifts + sealed + unclear, exactly.

*Luck* is what chance did compared with what it could have done; whoever plays and whoever judges, it is nothing on
average. *Skill* is what a seat's own decisions lost, *gifts* what the decisions of the others brought it, *sealed*
what it was to it to see what all had decided in secret. What is *unclear* is the judge's own doing: it thought
differently later.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from smalti.bots.review.gifts import with_gifts
from smalti.bots.review.judge import NOTHING, Cost, Judge, Value, final, total
from smalti.bots.review.steps import Option, Step
from smalti.engine.errors import BadInput
from smalti.engine.match import Event, Match

SHOWN = 3  # best moves that are kept

Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class SeatReview:
    """What became of a seat, and why."""

    seat: int
    start: Value
    luck: Value
    skill: Value
    gifts: Value
    sealed: Value
    unclear: Value
    result: Value
    accuracy: float | None  # in per cent; nothing if there was nothing to decide

    def document(self) -> dict[str, Any]:
        """Describe it for JSON."""
        parts = ("start", "luck", "skill", "gifts", "sealed", "unclear", "result")
        return {"seat": self.seat, **{part: getattr(self, part)._asdict() for part in parts}, "accuracy": self.accuracy}


@dataclass(frozen=True)
class Review:
    """A whole game, judged."""

    game: str
    players: int
    bot: str
    is_over: bool
    noise: float  # of the judge: by how much its opinions about a loss differ, as a chance of winning
    steps: tuple[Step, ...]
    seats: tuple[SeatReview, ...]

    def document(self) -> dict[str, Any]:
        """Describe it for JSON."""
        facts: dict[str, Any] = {"game": self.game, "players": self.players, "bot": self.bot, "over": self.is_over}
        facts["noise"] = self.noise
        steps = [step.document() for step in self.steps]
        return {**facts, "events": steps, "seats": [seat.document() for seat in self.seats]}


def reviewed(match: Match, bot: str, seats: list[int] | None = None, tell: Tell = lambda done, total: None) -> Review:
    """Judge a match that was played, finished or not, for all seats or some of them."""
    if not match.events:
        raise BadInput("nothing has happened in this game, so there is nothing to judge")
    judge, chosen = Judge(bot, match.game.name), list(range(match.seats)) if seats is None else seats
    now, steps = Match(match.game, match.seats, match.options), []
    start = {seat: judge.value(now, seat) for seat in chosen}
    for number, event in enumerate(match.events, 1):
        steps.append(judged_step(judge, now, number, event, chosen))
        tell(number, len(match.events))
    result = {seat: final(now, seat) if now.is_over else judge.value(now, seat) for seat in chosen}
    noise = noise_of(steps)
    steps = [replace(step, noise=noise) for step in with_gifts(judge, match, steps, chosen)]
    seat_reviews = tuple(seat_review(seat, steps, start[seat], result[seat]) for seat in chosen)
    return Review(match.game.name, match.seats, bot, now.is_over, noise, tuple(steps), seat_reviews)


def noise_of(steps: list[Step]) -> float:
    """Return by how much second opinions of losses differed from first ones, as a chance of winning."""
    doubts = [step.doubt.chance for step in steps if step.doubt and step.doubt.chance is not None]
    return math.sqrt(sum(doubt * doubt for doubt in doubts) / len(doubts)) if doubts else 0.0


def judged_step(judge: Judge, match: Match, number: int, event: Event, seats: list[int]) -> Step:
    """Judge an event, and play it."""
    if event.by is None:
        before = {seat: judge.value(match, seat) for seat in seats}
        match.play(*event)
        luck = {seat: judge.value(match, seat) - before[seat] for seat in seats}
        return Step(number, None, event.do, luck=luck, expected=before)
    step = judged_decision(judge, match, number, event.by, event.do)
    match.play(*event)
    return step


def judged_decision(judge: Judge, match: Match, number: int, seat: int, do: str) -> Step:
    """Judge a decision that is about to be played."""
    thought = judge.thought(match, seat)
    best = tuple(Option.of(match.game, choice) for choice in thought.choices[:SHOWN])
    is_forced = len(match.legal_moves(seat)) == 1
    cost = Cost(NOTHING) if is_forced else judge.cost(match, seat, match.game.numbers[do])
    expected = {seat: Value(best[0].points, best[0].chance)} if best else {}
    if expected and match.seats == 2:
        expected[1 - seat] = expected[seat].mirrored()
    found = Step(number, seat, do, best, cost.lost, cost.doubt, expected=expected)
    return replace(found, is_forced=is_forced, is_proved=thought.is_proved)


def seat_review(seat: int, steps: list[Step], start: Value, result: Value) -> SeatReview:
    """Add up what chance and decisions did to a seat; the rest is unclear."""
    luck = total([step.luck[seat] for step in steps if step.by is None])
    skill = total([step.cost for step in steps if step.by == seat])
    gifts = total([step.gifts[seat] for step in steps if seat in step.gifts])
    sealed = total([step.sealed[seat] for step in steps if seat in step.sealed])
    unclear = result - total([start, luck, skill, gifts, sealed])
    decided = [step for step in steps if step.by == seat and not step.is_forced and step.cost.chance is not None]
    accuracies = [accuracy(-100 * (step.cost.chance or 0.0)) for step in decided]
    accurate = sum(accuracies) / len(accuracies) if accuracies else None
    return SeatReview(seat, start, luck, skill, gifts, sealed, unclear, result, accurate)


def accuracy(lost: float) -> float:
    """Return how good a move is that lost so many per cent of the chance of winning; the curve that Lichess uses."""
    return min(100.0, max(0.0, 103.1668 * math.exp(-0.04354 * lost) - 3.1669))
