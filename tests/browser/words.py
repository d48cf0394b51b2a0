"""Hands for the table in words: moves are typed as they stand in a record, or found in the list and pressed."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.browser.people import Person


class InWords:
    """Play any game without its picture."""

    def __init__(self, choose: Callable[[Person, random.Random], str] = lambda person, luck: luck.choice(person.legal)):
        self.choose = choose

    def act(self, person: Person, luck: random.Random) -> None:
        person.use_words()
        self.play(person, luck)

    def play(self, person: Person, luck: random.Random) -> None:
        """Make a decision where the table is shown in words already."""
        seat, number = person.eyes, person.number
        assert seat is not None
        move = self.choose(person, luck)
        if luck.random() < 0.5:
            self.type(person, move)
        else:
            self.find(person, move)
        person.until_done(seat, move, number)

    def type(self, person: Person, move: str) -> None:
        """Type a move as it stands in a record."""
        person.page.get_by_role("textbox", name="Type a move").fill(move)
        person.press_button("Play")

    def find(self, person: Person, move: str) -> None:
        """Press a move of the list, found by typing where the list is long."""
        moves = person.page.get_by_role("region", name="What you can do")
        place = person.legal.index(move)
        if len(person.legal) > 8:
            moves.get_by_role("searchbox", name="Find a move").fill(move)
            found = [legal for legal in person.legal if all(word in legal.lower() for word in move.lower().split())]
            place = found.index(move)
        person.press(moves.get_by_role("listitem").get_by_role("button").nth(place))
