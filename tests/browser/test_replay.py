"""A finished game can be gone through move by move, and its record is right."""

from __future__ import annotations

import random
import re
from pathlib import Path

from playwright.sync_api import expect

import smalti
from tests.browser.conftest import Visit
from tests.browser.mosaix import Mosaix
from tests.browser.people import Person
from tests.browser.playing import take_turn


def played_briefly(person: Person) -> str:
    """Play a solo game of a few rounds, stop it, and return its table."""
    luck = random.Random(7)
    person.play_solo("mosaix")
    for _ in range(2):
        take_turn(person, Mosaix(announces=0), luck)
    person.sit_before()
    person.press_button("Stop the game")
    person.press_button("Play on")
    person.press_button("Stop the game")
    person.press_button("Stop and count")
    person.until(lambda: person.is_over)
    return person.is_at_table()


def test_a_game_is_stopped_replayed_and_verified(visit: Visit, tmp_path: Path) -> None:
    ada = visit("phone")
    table = played_briefly(ada)
    ada.reads_result()

    with ada.page.expect_download() as download:
        ada.press(ada.page.get_by_role("link", name="Download the record"))
    file = tmp_path / "record.json"
    download.value.save_as(file)
    match = smalti.verify(smalti.read(file.read_text()))
    assert ada.state
    assert match.is_over
    assert list(match.scores) == ada.state["scores"]

    ada.press(ada.page.get_by_role("link", name="Watch the replay"))
    ada.page.wait_for_url(f"**/game/{table}**")
    goes_through(ada, len(match.events))


def goes_through(person: Person, last: int) -> None:
    """Go from the end to the beginning and back, one move at a time, by buttons and keys."""
    place = person.page.get_by_role("slider", name="Place in the game")
    expect(place).to_have_value(str(last))
    person.press_button("To the beginning")
    expect(place).to_have_value("1")
    for number in range(2, last + 1):
        person.press_button("Forward")
        expect(place).to_have_value(str(number))
        expect(person.page.get_by_text(re.compile(rf"^{number} of {last}: ")).first).to_be_visible()
        expect(person.page.get_by_role("log").locator("[aria-current=true]")).to_have_count(1)
        assert person.page.url.endswith(f"#{number}")
    expect(person.page.get_by_role("row", name=re.compile("^Total "))).to_be_visible()
    person.press_button("Back")
    expect(place).to_have_value(str(last - 1))
