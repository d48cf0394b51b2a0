"""Hands that only use the keyboard: Tab to what is meant, arrows on the boards, Enter."""

from __future__ import annotations

import random
import re

from playwright.sync_api import Locator

from tests.browser.mosaix import FORMATIONS, SIDE, Mosaix, Placement, Plan
from tests.browser.patterns import ACTIONS, actions_on
from tests.browser.people import Person

MOST_TABS = 120
FOCUS = "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''"
IS_FOCUSED = "node => node === document.activeElement"
HAS_FOCUS = "node => node.contains(document.activeElement)"


def press(person: Person, *keys: str) -> None:
    """Press keys one after the other."""
    for key in keys:
        person.page.keyboard.press(key)


def tab_to(person: Person, wanted: Locator, within: bool = False) -> None:
    """Press Tab until something has the focus, or something within it."""
    wanted.wait_for()
    for _ in range(MOST_TABS):
        if wanted.evaluate(HAS_FOCUS if within else IS_FOCUSED):
            return
        press(person, "Tab")
    raise AssertionError(f"Tab does not lead to {wanted}; it is at {person.page.evaluate(FOCUS)!r}")


def choose(person: Person, wanted: Locator) -> None:
    """Go to a button or link and press Enter."""
    tab_to(person, wanted)
    press(person, "Enter")


def walk(before: tuple[int, int], to: tuple[int, int]) -> list[str]:
    """List the arrow keys between two spaces of the mandala, by way of the rows that go all the way across."""
    (column, row), (to_column, to_row) = before, to
    across = row if 2 <= row <= 5 else 3
    return [*vertical(row, across), *horizontal(column, to_column), *vertical(across, to_row)]


def vertical(before: int, to: int) -> list[str]:
    """List the arrow keys between two rows."""
    return ["ArrowDown" if to > before else "ArrowUp"] * abs(to - before)


def horizontal(before: int, to: int) -> list[str]:
    """List the arrow keys between two columns."""
    return ["ArrowRight" if to > before else "ArrowLeft"] * abs(to - before)


def place_of(cell: str) -> tuple[int, int]:
    """Return column and row of a cell, from 0."""
    return "abcdefgh".index(cell[0]), int(cell[1]) - 1


class PatternsByKeys:
    """Play Patterns without a mouse."""

    def act(self, person: Person, luck: random.Random) -> None:
        seat, number = person.eyes, person.number
        assert seat is not None
        move = luck.choice([move for move in person.legal if move != "done"] or person.legal)
        self.do(person, move)
        person.until_done(seat, move, number)

    def do(self, person: Person, move: str) -> None:
        verb, _, what = move.partition(" ")
        if verb == "done":
            choose(person, person.button("Done"))
        elif verb == "give":
            ways = person.page.get_by_role("group", name="Give out the start tiles").get_by_role("button")
            choose(person, ways.nth(person.legal.index(move)))
        else:
            self.turn(person, verb, what)

    def turn(self, person: Person, verb: str, cell: str) -> None:
        """Walk to a space and press Enter; where several actions are possible, choose one."""
        tab_to(person, person.page.get_by_role("group", name="Mandala"), within=True)
        here = str(person.page.evaluate(FOCUS))[:2]
        press(person, *walk(place_of(here), place_of(cell)))
        assert str(person.page.evaluate(FOCUS)).startswith(f"{cell}, ")
        press(person, "Enter")
        if len(actions_on(person, cell)) > 1:
            chooser = person.page.get_by_role("group", name=f"What do you do on {cell}?")
            choose(person, chooser.get_by_role("button", name=ACTIONS[verb], exact=True))


class MosaixByKeys(Mosaix):
    """Play Mosaix without a mouse."""

    def __init__(self) -> None:
        super().__init__(announces=0)

    def push(self, person: Person, name: str) -> None:
        choose(person, person.button(name))

    def arrange(self, person: Person, plan: Plan) -> None:
        """Choose the formation by its number, which leads to the grid, then go through the orders of the dice."""
        assert person.state
        tab_to(person, person.page.get_by_role("group", name="Mosaix board"), within=True)
        press(person, str(FORMATIONS.index(plan.formation) + 1))
        orders = list(dict.fromkeys(move.split()[2] for move in person.legal if move.startswith("form ")))
        steps = orders.index(plan.arrangement) - orders.index(person.state["view"]["dice"])
        press(person, *["]"] * (steps % len(orders)))
        assert self.grid(person).evaluate(IS_FOCUSED)

    def write(self, person: Person, placement: Placement) -> None:
        """Turn with R, move with the arrows, write with Enter. The first arrow lays it in the middle."""
        tab_to(person, self.grid(person))
        press(person, *["r"] * placement.turns, "ArrowUp")
        columns, rows = placement.size
        press(person, *horizontal(middle_corner(columns), placement.column))
        press(person, *vertical(middle_corner(rows), placement.row), "Enter")


def middle_corner(length: int) -> int:
    """Return the column or row, from 1, at which a formation begins that is held in the middle of the grid."""
    return int(3.5 / SIDE * (SIDE + length - 1)) - (length - 1) + 1


def named(person: Person, pattern: str) -> Locator:
    """Find a button whose name looks like this."""
    return person.page.get_by_role("button", name=re.compile(pattern))
