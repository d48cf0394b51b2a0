"""What a table is worth to a seat, by what a bot thinks of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from smalti import bots
from smalti.bots.bot import Choice, Seen, Thought
from smalti.bots.weights import NoWeights
from smalti.engine.errors import BadInput
from smalti.engine.match import Match
from smalti.engine.record import bytes_of
from smalti.engine.rules import NOBODY

SAMPLES = 8  # of what chance can do, where it can do too much to look at everything
MOST_OUTCOMES = 36  # that are all looked at
LITTLE, LITTLE_CHANCE = 0.5, 0.02  # points and chance that a move may cost before it is looked at again
SEED = 0  # a review is the same each time, as far as the bot's budget is


class Value(NamedTuple):
    """What a seat may expect: points ahead of the best other (alone: points), and the chance of winning if known."""

    points: float
    chance: float | None

    def __sub__(self, other: Value) -> Value:
        """Return by how much this one is more."""
        both = self.chance is not None and other.chance is not None
        return Value(self.points - other.points, self.chance - other.chance if both else None)  # type: ignore[operator]

    def mirrored(self) -> Value:
        """Return what it is to the other one of two."""
        return Value(-self.points, None if self.chance is None else 1 - self.chance)


NOTHING = Value(0.0, 0.0)


class Cost(NamedTuple):
    """What a move lost, and by how much a second opinion differed from the first, if there were two."""

    lost: Value
    doubt: Value | None = None


def total(values: list[Value]) -> Value:
    """Add values up."""
    chances = [value.chance for value in values]
    known = None if None in chances else sum(chance for chance in chances if chance is not None)
    return Value(sum(value.points for value in values), known)


def mean(values: list[tuple[float, Value]]) -> Value:
    """Return the mean of values by how likely they are."""
    chances = [value.chance for _, value in values]
    known = None if None in chances else sum(share * (value.chance or 0.0) for share, value in values)
    return Value(sum(share * value.points for share, value in values), known)


def final(match: Match, seat: int) -> Value:
    """Return what a game that is over was worth to a seat."""
    others = [score for other, score in enumerate(match.scores) if other != seat]
    won = (seat in match.winners) / max(1, len(match.winners))
    return Value(match.scores[seat] - max(others, default=0), won)


class Judge:
    """A bot that is asked about the tables of one game; what it said once it remembers."""

    def __init__(self, bot: str, game: str) -> None:
        bots.find(bot, game)
        self.bot, self.expected = bot, own_expectation(game)
        self.thoughts: dict[tuple[bytes, int], Thought] = {}
        self.values: dict[tuple[bytes, int], Value] = {}

    def thought(self, match: Match, seat: int) -> Thought:
        """Return what the bot thinks about a decision of a seat."""
        seen = bytes_of(match.seen_by(seat))
        if (seen, seat) not in self.thoughts:
            found = bots.think(self.bot, Seen(match.game, seen, seat, SEED))
            if not found.choices and len(match.legal_moves(seat)) > 1:
                raise BadInput(
                    f"{self.bot} plays {match.game.name} without saying what moves are worth; ask another bot"
                )
            self.thoughts[seen, seat] = found
        return self.thoughts[seen, seat]

    # --- What a table is worth

    def value(self, match: Match, seat: int) -> Value:
        """Return what a seat may expect at a table."""
        key = bytes_of(match.table), seat
        if key not in self.values:
            self.values[key] = self.judged(match, seat)
        return self.values[key]

    def judged(self, match: Match, seat: int) -> Value:
        """Find out: from the end, the game's own expectation, or the bot."""
        if match.is_over:
            return final(match, seat)
        if self.expected:
            try:
                return self.expected(bytes_of(match.table), seat)
            except NoWeights:
                self.expected = None  # the bot has a stand-in, and says so
        if match.awaits_chance:
            return mean([(share, self.value(after, seat)) for share, after in outcomes(match)])
        return self.thought_of(match, seat)

    def thought_of(self, match: Match, seat: int) -> Value:
        """Ask the bot on behalf of the seat, or of whoever acts, and play on where it cannot say."""
        acting = seat if seat in match.acting else min(match.acting)
        thought = self.thought(match, acting)
        if thought.choices and acting == seat:
            return value_of(thought.choices[0])
        if thought.choices and match.seats == 2:
            return value_of(thought.choices[0]).mirrored()
        return self.value(after(match, acting, thought.move), seat)

    # --- What a decision cost

    def cost(self, match: Match, seat: int, move: int) -> Cost:
        """Return what a seat lost by a move, nothing or less, compared with the best one.

        A first opinion is what the bot said when it was asked; what seems an error is looked at again, the move and
        the best one in the same way.
        """
        thought = self.thought(match, seat)
        choices = thought.choices
        if not choices or move == choices[0].move:
            return Cost(NOTHING)
        first = next((value_of(choice) - value_of(choices[0]) for choice in choices if choice.move == move), None)
        if first is not None and (thought.is_proved or not is_error(first) or not self.can_look_again(match)):
            return Cost(at_most(first, NOTHING))
        second = self.apart(match, seat, move, choices[0].move)
        if first is None:
            return Cost(at_most(second, NOTHING))
        again = Value(second.points, first.chance if second.chance is None else second.chance)
        return Cost(at_most(again, NOTHING), again - first)

    def can_look_again(self, match: Match) -> bool:
        """Say whether tables after a move can be judged alike: not where others decide in secret at the same time."""
        return (self.expected is not None or match.seats <= 2) and not is_sealing(match)

    def apart(self, match: Match, seat: int, move: int, other: int) -> Value:
        """Return how much more a move leads to than another one."""
        return self.value(after(match, seat, move), seat) - self.value(after(match, seat, other), seat)


def is_error(cost: Value) -> bool:
    """Say whether a move seems to have cost something worth a second look."""
    return cost.points < -LITTLE or (cost.chance or 0.0) < -LITTLE_CHANCE


def is_sealing(match: Match) -> bool:
    """Say whether what is decided now is not shown until all have decided."""
    first = [(seat, match.legal_moves(seat)[0]) for seat in match.acting]
    return any(match.game.is_secret(match.table, seat, move, NOBODY) for seat, move in first)


def at_most(value: Value, limit: Value) -> Value:
    """Return a value, but not more than the limit."""
    known = value.chance is not None and limit.chance is not None
    return Value(
        min(value.points, limit.points),
        min(value.chance, limit.chance) if known else limit.chance,  # type: ignore[type-var]
    )


def value_of(choice: Choice) -> Value:
    """Return what a choice is worth."""
    return Value(float(choice.worth), float(choice.chance))


def after(match: Match, seat: int, move: int) -> Match:
    """Return the match after a move."""
    other = match.copy()
    other.play(seat, int(move))
    return other


def outcomes(match: Match) -> Iterator[tuple[float, Match]]:
    """Give what chance can do now, all of it with its probability, or a sample that is always the same."""
    chances = match.chances()
    if len(chances) <= MOST_OUTCOMES and is_one_move(match, next(iter(chances))):
        for move, share in chances.items():
            other = match.copy()
            other.play(None, match.game.notation.chance_text([move]))
            yield share, other
        return
    for number in range(SAMPLES):
        other = match.copy()
        other.draw(Random(number))
        yield 1 / SAMPLES, other


def is_one_move(match: Match, move: int) -> bool:
    """Say whether the event of chance that is due consists of a single move."""
    other = match.copy()
    other.draw(Random(SEED))
    drawn = match.game.notation.chance_moves(match.table, other.events[-1].do)
    return len(drawn) == 1


def own_expectation(game: str) -> Callable[[bytes, int], Value] | None:
    """Return what the game's own package says a table is worth, if it does."""
    expected: Any = getattr(bots.own_part(game, "review"), "expected", None)
    if expected is None or "seat" not in inspect.signature(expected).parameters:
        return None
    return lambda table, seat: read_value(expected(table, seat))


def read_value(found: Any) -> Value:
    """Read an expectation: points, or something with worth and chance."""
    return Value(float(found.worth), float(found.chance)) if hasattr(found, "worth") else Value(float(found), None)
