"""A game that the pages have never heard of, in Chromium: found, played and looked at again, all in words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.playing import play
from tests.browser.site import Site
from tests.browser.stages import Tables, lend
from tests.browser.test_access import AXE, violations
from tests.browser.words import InWords
from tests.fourth_game import Copy

# Texts that are missing show their keys.
KEY = re.compile(r"\b(?:bot|game|option|plain|reason|table|verb)\.[a-z]")


class WithoutPicture(InWords):
    """Hands at a table that is only ever shown in words."""

    act = InWords.play


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that has Heap among its games, with the pages as they were built without it."""
    with Copy(tmp_path_factory.mktemp("fourth")).site().running() as running:
        yield running


def misses_nothing(person: Person) -> None:
    """Check that every text is there, and that the page is not wider than the screen."""
    expect(person.page.locator("main h1").first).to_be_attached()
    assert not KEY.search(person.text())
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def left_on(person: Person) -> int:
    """Count the tiles of the heap that the page shows."""
    board = person.page.get_by_role("region", name="heap", exact=True)
    return len(board.get_by_role("cell", name="#", exact=True).all())


def test_it_is_played_on_a_phone_and_looked_at_again(visit: Visit, luck: random.Random) -> None:
    ada = visit("phone")
    ada.open("/")
    expect(ada.heading("Heap")).to_be_visible()
    expect(ada.page.get_by_text("A game in words")).to_be_visible()
    misses_nothing(ada)
    ada.press(ada.page.get_by_role("button", name=re.compile("^Play now ?: Heap$")))
    table = ada.is_at_table()
    expect(ada.page.get_by_text("Nobody has drawn a board for this game")).to_be_visible()
    expect(ada.button("In words")).to_have_count(0)
    assert left_on(ada) in range(19, 25)
    ada.page.evaluate(AXE.read_text())
    assert not violations(ada.page)
    misses_nothing(ada)
    play([ada], WithoutPicture(), luck)
    ada.reads_result()
    expect(ada.page.get_by_role("rowheader", name="The last tile", exact=True)).to_be_visible()
    misses_nothing(ada)
    ada.press(ada.page.get_by_role("link", name="Watch the replay"))
    ada.page.wait_for_url(re.compile(f"/game/{table}"))
    expect(ada.page.get_by_role("slider")).to_be_visible()
    assert left_on(ada) == 0
    ada.page.keyboard.press("Home")
    expect(ada.page.get_by_role("cell", name="#", exact=True).nth(18)).to_be_visible()
    misses_nothing(ada)


def test_a_refusal_is_read_in_english_whatever_the_language(visit: Visit) -> None:
    screen = visit(language="de-DE")
    screen.open("/new/heap?for=screen")
    for number, name in enumerate(("Ada", "Ben"), 1):
        screen.page.get_by_role("group", name=f"Platz {number}", exact=True).get_by_role("textbox").fill(name)
    screen.press_button("Tisch aufstellen")
    screen.is_at_table()
    expect(screen.page.get_by_text("Für dieses Spiel hat noch niemand einen Spielplan gezeichnet")).to_be_visible()
    while (left := left_on(screen)) > 4:
        seat, before = screen.sit_before(), screen.number
        move = f"take {min(5, left - 4)}"
        screen.press_button(move)
        screen.until_done(seat, move, before)
        expect(screen.page.get_by_role("cell", name="#", exact=True)).to_have_count(left - int(move[-1]))
    screen.page.get_by_role("textbox", name="Zug eintippen").fill("take 5")
    screen.press_button("Spielen")
    expect(screen.page.get_by_role("alert")).to_contain_text("There are not so many tiles: the heap has 4.")


def test_every_page_that_names_games_names_it(visit: Visit, tables: Tables) -> None:
    table = tables.gathering("heap", "Ada", "Ben", listed=True)
    played = tables.shared("heap", "Ada", "Ben")
    tables.look(played, range(2))
    played.play()
    ada = visit()
    lend(ada.page.context, played.host)
    key = table.host.keys(table.id)[1]
    for path in ("/lobby", "/archive", "/new/heap", f"/join/{table.id}/{key}", f"/continue/{played.id}/2"):
        ada.open(path)
        expect(ada.page.get_by_text("Heap", exact=path in ("/lobby", "/archive")).first).to_be_visible()
        misses_nothing(ada)
