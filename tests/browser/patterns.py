"""Hands for Patterns: press the tiles of the mandala, and say which action is meant where there are several."""

from __future__ import annotations

import random
import re

from playwright.sync_api import Locator

from tests.browser.people import Person

COLOURS = {"K": "black", "O": "orange", "G": "green", "L": "light blue", "D": "dark blue", "S": "sand"}
ACTIONS = {"open": "Open", "flip": "Flip", "swap": "Swap"}


def actions_on(person: Person, cell: str) -> list[str]:
    """List what can be done on a space."""
    return [move.split()[0] for move in person.legal if move.endswith(f" {cell}") and not move.startswith("give")]


def space(person: Person, cell: str) -> Locator:
    """Find a space of the mandala."""
    mandala = person.page.get_by_role("group", name="Mandala")
    return mandala.get_by_role("button", name=re.compile(rf"^{cell}, "))


class Patterns:
    """Play by mouse or finger."""

    def act(self, person: Person, luck: random.Random) -> None:
        seat, number = person.eyes, person.number
        assert person.state
        assert seat is not None
        if person.state["view"]["phase"] == "flipping" and luck.random() < 0.7:
            self.flip_all(person)
            return
        move = luck.choice(person.legal)
        self.do(person, move, luck)
        person.until_done(seat, move, number)

    def do(self, person: Person, move: str, luck: random.Random) -> None:
        verb, _, what = move.partition(" ")
        if verb == "done":
            person.press_button("Done")
        elif verb == "give":
            self.give(person, what)
        else:
            self.turn(person, verb, what, luck)

    def give(self, person: Person, first: str) -> None:
        """Press the way in which the other one gets this start tile."""
        assert person.state
        other = next(colour for colour in person.state["view"]["start"] if colour != first)
        ways = person.page.get_by_role("group", name="Give out the start tiles")
        person.press(ways.get_by_role("button", name=re.compile(rf"You: {COLOURS[other]}\b")))

    def turn(self, person: Person, verb: str, cell: str, luck: random.Random) -> None:
        """Press a space; where several actions are possible, say before or after which one is meant."""
        wished = person.page.get_by_role("button", name=re.compile(r"^(Open|Flip|Swap) \d+$"), pressed=True)
        is_wish = wished.count() > 0  # an action that was chosen stays so
        if is_wish or (len(actions_on(person, cell)) > 1 and luck.random() < 0.5):
            self.wish(person, verb)
            person.press(space(person, cell))
            return
        person.press(space(person, cell))
        if len(actions_on(person, cell)) > 1:
            chooser = person.page.get_by_role("group", name=f"What do you do on {cell}?")
            person.press(chooser.get_by_role("button", name=ACTIONS[verb], exact=True))

    def wish(self, person: Person, verb: str) -> None:
        """Choose an action before the space."""
        action = person.page.get_by_role("button", name=re.compile(rf"^{ACTIONS[verb]} \d+$"))
        if action.get_attribute("aria-pressed") != "true":
            person.press(action)

    def flip_all(self, person: Person) -> None:
        """Flip everything that can be flipped, also what becomes possible by it."""
        flips = person.button(re.compile(r"^Flip (all \(\d+\)|1 tile)$"))
        if any(move.startswith("flip ") for move in person.legal):
            person.press(flips)
            person.until(lambda: not any(move.startswith("flip ") for move in person.legal))
        if "done" in person.legal:
            number = person.number
            person.press_button("Done")
            person.until(lambda: person.number > number)
