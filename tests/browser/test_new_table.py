"""The form of a new table: seats first, one button, and behind one door what most leave as it is."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.people import Person

USUAL = ["Usual rules", "Fresh deal", "No clock", "Watching with a link only", "Game found by link only"]


def door(person: Person) -> Locator:
    """What opens and closes the rest of the form."""
    return person.page.locator("summary")


def choices(person: Person) -> Locator:
    """What the door says is chosen."""
    return door(person).get_by_role("listitem")


def test_seats_and_one_button_are_enough(visit: Visit) -> None:
    ada = visit("phone")
    ada.open("/new/mozaika")
    ada.page.get_by_role("textbox", name="Name").fill("Ada")
    expect(choices(ada)).to_have_text(USUAL)
    expect(ada.page.get_by_label("Time to think")).to_be_hidden()
    ada.press_button("Set up the table")
    ada.is_at_table()
    assert ada.table
    assert ada.table["terms"] == {"language": "en", "fair": 1, "stand_in": "level-4"}
    assert (ada.table["onlookers"], ada.table["finders"]) == ("link", "link")


def test_the_rest_is_reached_by_keyboard_and_told_when_it_is_closed_again(visit: Visit) -> None:
    ada = visit()
    ada.open("/new/mozaika")
    ada.page.get_by_role("textbox", name="Name").fill("Ada")
    door(ada).focus()
    ada.page.keyboard.press("Enter")
    ada.page.get_by_role("radio", name="Hidden: you see only your own tiles").focus()
    ada.page.keyboard.press("Space")
    ada.page.get_by_label("Time to think").select_option(label="1 day a move")
    ada.page.get_by_role("radio", name="Nobody", exact=True).check()
    door(ada).focus()
    ada.page.keyboard.press("Space")
    expect(ada.page.get_by_label("Time to think")).to_be_hidden()
    expect(choices(ada)).to_have_text(
        [
            "Hidden: you see only your own tiles",
            "Fresh deal",
            "1 day a move",
            "Nobody may watch",
            "Game found by link only",
        ]
    )
    ada.press_button("Set up the table")
    ada.is_at_table()
    assert ada.table
    assert (ada.table["options"], ada.table["onlookers"]) == ({"hands": "hidden"}, "none")
    assert ada.table["terms"]["clock"] == {"kind": "slow", "seconds": 86_400}
    ada.open("/new/mozaika")
    expect(choices(ada)).to_have_text(USUAL)  # nothing is remembered


def test_what_is_wrong_behind_the_door_opens_it(visit: Visit) -> None:
    ada = visit("phone")
    ada.open("/new/patterns")
    ada.press_button("Set up the table")
    expect(ada.page.get_by_role("textbox", name="Name")).to_be_focused()
    code = ada.page.get_by_role("textbox", name="Code")
    expect(code).to_be_hidden()  # a name is missing, nothing in here
    ada.page.get_by_role("textbox", name="Name").fill("Ada")
    ada.open_more()
    ada.page.get_by_role("radio", name=re.compile("^Same deal for all")).check()
    code.fill("  ")
    ada.open_more()
    expect(code).to_be_hidden()
    ada.press_button("Set up the table")
    expect(code).to_be_focused()
    code.fill("Tuesday")
    expect(choices(ada)).to_have_text(["Deal by code: Tuesday", *USUAL[2:]])


def test_what_the_server_refuses_opens_it_too(visit: Visit) -> None:
    ada = visit()
    ada.expect_noise("400")
    ada.open("/new/patterns")
    ada.page.get_by_role("textbox", name="Name").fill("Ada")
    ada.open_more()
    ada.page.get_by_role("radio", name=re.compile("^Same deal for all")).check()
    code = ada.page.get_by_role("textbox", name="Code")
    code.fill("\u200b\u2028")  # looks like something to the page
    ada.open_more()
    ada.press_button("Set up the table")
    expect(ada.page.get_by_role("alert")).to_be_visible()
    expect(code).to_be_visible()


def test_a_deal_by_code_asks_only_for_what_is_not_given(visit: Visit) -> None:
    ada = visit()
    ada.open("/deal/mosaix/Tuesday?seats=2&cards=centre&end=stuck")
    expect(choices(ada)).to_have_text(USUAL[2:])
    ada.open_more()
    expect(ada.page.get_by_role("group", name="The printed symbol")).to_have_count(0)
    expect(ada.page.get_by_role("group", name="The deal")).to_have_count(0)
    expect(ada.page.get_by_label("Time to think")).to_be_visible()


def test_whoever_makes_a_table_says_who_may_find_its_game(visit: Visit) -> None:
    ada = visit("phone")
    ada.open("/new/patterns?for=friends")
    ada.page.get_by_role("textbox", name="Name").fill("Ada")
    ada.open_more()
    finders = ada.page.get_by_role("group", name="Who may find the finished game")
    expect(finders.get_by_role("radio", name="Those with its link")).to_be_checked()
    expect(finders.get_by_role("radio", name="Everybody")).to_have_count(0)
    ada.page.get_by_role("radio", name="Open: anybody can sit down").check()
    expect(finders.get_by_role("radio", name="Everybody")).to_be_checked()
    expect(choices(ada).last).to_have_text("Game in the archive")
    finders.get_by_role("radio", name="Only those who played").check()
    expect(choices(ada).last).to_have_text("Game for the players only")
    ada.press_button("Set up the table")
    ada.is_at_table()
    assert ada.table
    assert (ada.table["listed"], ada.table["finders"]) == (True, "players")
    expect(ada.page.get_by_text("Only those who play here can see the finished game.")).to_be_visible()


def test_two_at_one_screen_have_two_names(visit: Visit) -> None:
    ada = visit()
    ada.expect_noise(r"status of 409")
    ada.open("/new/patterns?for=screen")
    for place in range(2):
        ada.page.get_by_role("textbox", name="Name").nth(place).fill("Ada")
    ada.press_button("Set up the table")
    names = ada.page.get_by_role("textbox", name="Name")
    for place in range(2):
        told = re.compile("already has this name, or one that looks the same")
        expect(names.nth(place)).to_have_accessible_description(told)
    expect(names.first).to_be_focused()
    expect(ada.page.get_by_role("alert")).to_have_count(2)  # and not once more at the end of the form
    names.last.fill("Bo")
    expect(ada.page.get_by_role("alert")).to_have_count(0)
