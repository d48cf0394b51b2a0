"""Playing: people take their turns until the game is over, each with hands that know how to do things on the page.

What is legal they read from what their page was told; what they do, they do by pressing and typing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tests.browser.people import Person

Question = Callable[[], Any]


class Hands(Protocol):
    """Somebody's way of playing a game: make one decision for the seat in sight, and wait until it is done."""

    def act(self, person: Person, luck: random.Random) -> None: ...


def take_turn(person: Person, hands: Hands, luck: random.Random) -> None:
    """Make one decision."""
    person.sit_before()
    hands.act(person, luck)


def play(
    people: Sequence[Person],
    hands: Hands | Sequence[Hands],
    luck: random.Random,
    stop: Question = lambda: False,
) -> None:
    """Let people play until the game is over for all of them, or this is true. Others, such as bots, are waited for."""
    by_person = list(hands) if isinstance(hands, Sequence) else [hands] * len(people)
    while not stop() and not all(person.is_over for person in people):
        turns = [n for n, person in enumerate(people) if person.is_my_turn]
        if turns:
            chosen = luck.choice(turns)
            take_turn(people[chosen], by_person[chosen], luck)
        else:
            people[0].until(lambda: stop() or any(p.is_my_turn or p.is_over for p in people))
            if not any(person.is_my_turn for person in people):
                people[0].until(lambda: stop() or any(p.is_my_turn for p in people) or all(p.is_over for p in people))
