"""Hands for Mosaix: arrange the dice, hold the formation over the grid, write."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from playwright.sync_api import Locator

from tests.browser.people import Message, Person

SIDE = 7
SIZES = {"I": (4, 1), "O": (2, 2)}  # columns and rows; the others have three and two
FORMATIONS = "IOTSZLJ"


@dataclass(frozen=True)
class Placement:
    """A formation turned by quarters, and the column and row of its top left corner, from 1."""

    formation: str
    turns: int
    column: int
    row: int

    @classmethod
    def read(cls, formation: str, text: str) -> Placement:
        turns, column, row = (int(number) for number in re.split("[ ,]", text))
        return cls(formation, turns, column, row)

    @property
    def text(self) -> str:
        return f"{self.turns} {self.column},{self.row}"

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows as it lies."""
        columns, rows = SIZES.get(self.formation, (3, 2))
        return (rows, columns) if self.turns % 2 else (columns, rows)

    @property
    def is_inside(self) -> bool:
        """Whether no symbol is lost."""
        ends = (self.column + self.size[0] - 1, self.row + self.size[1] - 1)
        return min(self.column, self.row) >= 1 and max(ends) <= SIDE

    @property
    def point(self) -> tuple[float, float]:
        """Where to point at on the grid, in cells: the formation slides along under the pointer."""
        return middle(self.column, self.size[0]), middle(self.row, self.size[1])


def middle(start: int, length: int) -> float:
    """Return the middle of the stretch, in cells from 0 to 7, that holds a formation at this column or row."""
    return (start - 1 + length - 0.5) * SIDE / (SIDE + length - 1)


@dataclass(frozen=True)
class Plan:
    """What somebody has in mind while forming: the order of the dice, and where to write, if anywhere."""

    formation: str
    arrangement: str
    placement: Placement | None

    @property
    def form(self) -> str:
        return f"form {self.formation} {self.arrangement}"


def planned(person: Person, luck: random.Random) -> Plan:
    """Choose a formation that fits, if one does; rather one that loses no symbol."""
    assert person.state
    fits: Message = person.state["view"]["fits"] or {}
    forms = [move.split()[1:] for move in person.legal if move.startswith("form ")]
    placements = [
        Placement.read(form, text) for form in sorted({form for form, _ in forms}) for text in fits.get(form, ())
    ]
    chosen = preferred(placements, luck)
    formation, arrangement = luck.choice([form for form in forms if chosen is None or form[0] == chosen.formation])
    return Plan(formation, arrangement, chosen)


def preferred(placements: list[Placement], luck: random.Random) -> Placement | None:
    """Choose a placement, rather one that loses no symbol."""
    inside = [placement for placement in placements if placement.is_inside]
    return luck.choice(inside or placements) if placements else None


def swaps(dice: str, wanted: str) -> list[tuple[int, int]]:
    """List the pairs of dice to exchange until they lie as wanted."""
    lying, pairs = list(dice), []
    for place, symbol in enumerate(wanted):
        if lying[place] != symbol:
            other = lying.index(symbol, place + 1)
            lying[place], lying[other] = lying[other], lying[place]
            pairs.append((place, other))
    return pairs


class Mosaix:
    """Play by mouse or finger. `announces` says how often to announce first and write afterwards."""

    def __init__(self, announces: float = 0.25) -> None:
        self.announces = announces

    def act(self, person: Person, luck: random.Random) -> None:
        seat, number = person.eyes, person.number
        assert person.state
        assert seat is not None
        if "pass" in person.legal:
            self.push(person, "Pass")
            person.until_done(seat, "pass", number)
        elif person.state["view"]["phase"] == "forming":
            self.form(person, seat, number, luck)
        else:
            self.write_announced(person, seat, number, luck)

    def form(self, person: Person, seat: int, number: int, luck: random.Random) -> None:
        plan = planned(person, luck)
        self.arrange(person, plan)
        if plan.placement is None or luck.random() < self.announces:
            self.push(person, "Announce only")
            person.until_done(seat, plan.form, number)
        else:
            self.write(person, plan.placement)
            person.until_done(seat, f"place {plan.placement.text}", number)

    def write_announced(self, person: Person, seat: int, number: int, luck: random.Random) -> None:
        assert person.state
        formation = str(person.state["view"]["formation"])
        places = [move.removeprefix("place ") for move in person.legal if move.startswith("place ")]
        chosen = preferred([Placement.read(formation, text) for text in places], luck)
        assert chosen
        self.write(person, chosen)
        person.until_done(seat, f"place {chosen.text}", number)

    # --- On the page

    def grid(self, person: Person) -> Locator:
        return person.page.get_by_role("application", name="Your grid")

    def push(self, person: Person, name: str) -> None:
        """Press a button."""
        person.press_button(name)

    def arrange(self, person: Person, plan: Plan) -> None:
        """Choose the formation, then exchange dice until they lie as wanted."""
        assert person.state
        name = re.compile(rf"^Formation {plan.formation}(: fits nowhere on your grid)?$")
        person.press(person.page.get_by_role("group", name="Formations").get_by_role("button", name=name))
        lying = person.page.get_by_role("group", name="Dice").get_by_role("button")
        for one, other in swaps(str(person.state["view"]["dice"]), plan.arrangement):
            person.press(lying.nth(one))
            person.press(lying.nth(other))

    def write(self, person: Person, placement: Placement) -> None:
        """Turn the formation, then press where it is to lie; a finger says again that it means it."""
        if placement.turns == 3:
            person.press_button("Turn anticlockwise")
        else:
            for _ in range(placement.turns):
                person.press_button("Turn clockwise")
        grid = self.grid(person)
        person.press(grid, position=spot(grid, placement))
        if person.is_touching:
            person.press_button("Write")


def spot(grid: Locator, placement: Placement) -> dict[str, float]:
    """Return where on the picture of the grid to press; it has a rim of half a cell."""
    box = grid.bounding_box()
    assert box
    cell = box["width"] / (SIDE + 1)
    x, y = placement.point
    return {"x": (x + 0.5) * cell, "y": (y + 0.5) * cell}
