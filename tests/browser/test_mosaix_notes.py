"""The line under a Mosaix grid says what the rules say, with their numbers, which the page does not know."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.stages import Gathered, Stop, Tables, lend
from tests.server.site import Message, play

FORMATIONS = set("IOTSZLJ")
MOST_GAMES = 12  # the dice are the server's, and not every game comes to what is looked for


class Persistent(random.Random):
    """Chooses anything but to stop."""

    def choice(self, seq: Any) -> Any:
        return super().choice([move for move in seq if move != "stop"])


def announced(state: Message) -> set[str]:
    """Return the formations that can be announced."""
    return {move.split()[1] for move in state["legal"] if move.startswith("form ")}


def some_are_refused(state: Message) -> bool:
    """Say whether some formations can be announced and others cannot."""
    return 0 < len(announced(state)) < len(FORMATIONS)


def play_until(table: Gathered, wanted: Stop, seed: int) -> None:
    """Play until seat 0 comes to what is wanted, or to the end."""
    own = table.pages[0]
    play(table.pages, Persistent(seed), stop=lambda state: not state["acting"] or wanted(own.state))


def table_with(tables: Tables, names: Sequence[str], wanted: Stop) -> Gathered:
    """Play games until seat 0 comes to what is wanted."""
    for seed in range(MOST_GAMES):
        table = tables.playing("mosaix", *names)
        play_until(table, wanted, seed)
        if wanted(table.pages[0].state):
            return table
    raise AssertionError(f"none of {MOST_GAMES} games came to it")


def seated(visit: Visit, table: Gathered) -> Person:
    """Open the table on seat 0."""
    ada = visit()
    lend(ada.page.context, table.host)
    ada.open(f"/table/{table.id}")
    return ada


def test_a_formation_that_cannot_be_announced_is_refused_by_the_rules_when_it_is_pressed(
    visit: Visit, tables: Tables
) -> None:
    table = table_with(tables, ["Ada"], some_are_refused)
    said = f"Formation {min(FORMATIONS - announced(table.pages[0].state))} fits nowhere and cannot be chosen."
    ada = seated(visit, table)
    ada.page.get_by_role("button", name=said).click(force=True)
    note = ada.page.locator(".note")
    expect(note).to_contain_text(said)
    expect(note).to_contain_text("MX-12")


def test_who_can_only_pass_is_told_by_which_rule(visit: Visit, tables: Tables) -> None:
    table = table_with(tables, ["Ada", "Bo"], lambda state: bool(state["legal"] == ["pass"]))
    note = seated(visit, table).page.locator(".note")
    expect(note).to_contain_text("so you pass")
    expect(note).to_contain_text("MX-6")
