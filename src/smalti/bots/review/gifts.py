"""What the decisions of others brought a seat; of more than two, what one loses does not simply go to another.

Decisions that several seats make at the same time are looked at together. What somebody decided in the open brought
each other seat what it is worth to that one, compared with the best move of whoever decided. What was decided in secret
is told apart: once everything is shown, a table is worth more or less to a seat than its own decision explains, and
whether that was skill of the others or their whim nobody can say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from smalti.bots.review.judge import NOTHING, Judge, Value, is_sealing, total
from smalti.bots.review.steps import Step
from smalti.engine.errors import SmaltiError
from smalti.engine.match import Event, Match

Gifts = dict[int, Value]


def with_gifts(judge: Judge, match: Match, steps: list[Step], seats: list[int]) -> list[Step]:
    """Return the steps of a match with what they brought the seats that did not decide them."""
    if match.seats == 2:
        return [step.giving(mirrored_gifts(step, seats)) for step in steps]
    found: list[Step] = []
    now = Match(match.game, match.seats, match.options)
    while len(found) < len(steps):
        moment = steps[len(found) :][: moment_length(now, match.events[len(found) :])]
        found += steps_with_gifts(judge, now, moment, seats)
        for step in moment:
            now.play(step.by, step.do)
    return found


def mirrored_gifts(step: Step, seats: list[int]) -> Gifts:
    """Return what a step brought the other one of two: what it cost."""
    return {seat: NOTHING - step.cost for seat in seats if step.by is not None and seat != step.by}


def moment_length(match: Match, events: Sequence[Event]) -> int:
    """Return how many of the events belong to one moment: every seat that must act does so once."""
    waiting, length = set(match.acting), 0
    for event in events:
        if event.by not in waiting:
            break
        waiting.remove(event.by)
        length += 1
    return max(1, length)


def steps_with_gifts(judge: Judge, match: Match, moment: list[Step], seats: list[int]) -> Iterator[Step]:
    """Give the steps of a moment with what they brought the others."""
    if moment[0].by is None or len(moment) < len(match.acting):  # chance, or not all have decided
        yield from moment
        return
    after = match_after(match, moment)
    if is_sealing(match):
        yield from moment[:-1]
        yield moment[-1].unsealing({seat: unsealed_value(judge, match, after, moment, seat) for seat in seats})
        return
    for number, step in enumerate(moment):
        instead = (
            match_after(match, [*moment[:number], step.at_best(), *moment[number + 1 :]]) if step.cost.points else None
        )
        yield step.giving(gifts_over(judge, after, instead, [seat for seat in seats if seat != step.by]))


def match_after(match: Match, moment: list[Step]) -> Match | None:
    """Return the match after a moment, if it can be played like that."""
    after = match.copy()
    with suppress(SmaltiError):
        for step in moment:
            after.play(step.by, step.do)
        return after
    return None


def gifts_over(judge: Judge, after: Match | None, instead: Match | None, seats: list[int]) -> Gifts:
    """Return how much more the seats may expect than if something else had been played."""
    if not after or not instead:
        return {}
    return {seat: judge.value(after, seat) - judge.value(instead, seat) for seat in seats}


def unsealed_value(judge: Judge, match: Match, after: Match | None, moment: list[Step], seat: int) -> Value:
    """Return what it brought a seat to see what all have decided in secret, besides what its own decision cost."""
    if not after:
        return NOTHING
    own = total([step.cost for step in moment if step.by == seat])
    return judge.value(after, seat) - total([judge.value(match, seat), own])
