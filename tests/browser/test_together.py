"""Several people at one table: one screen that goes from hand to hand, browsers that meet by links, onlookers."""

from __future__ import annotations

import random

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.mozaika import Mozaika
from tests.browser.patterns import Patterns, space
from tests.browser.people import Person, wait_for_all
from tests.browser.playing import play, take_turn
from tests.browser.stages import Tables
from tests.browser.test_secrets import cookie_of
from tests.server.site import play as play_at_random

AUCTIONS = 15  # of Mozaika: in every round but the first

# --- One screen


class Whispering(Mozaika):
    """Plays Mozaika at a shared screen and looks closely at what is in between."""

    def __init__(self) -> None:
        self.hand_overs = 0

    def look_between(self, screen: Person) -> None:
        """See that the page shows nothing of anybody while it is handed over."""
        name = hand_over_name(screen)
        page = screen.page.locator("main")
        why = "Something secret comes next. Nothing is shown until then."
        said = [line for line in page.inner_text().splitlines() if line.strip()]
        assert said[-3:] == [f"Hand the device to {name}", why, f"I am {name}"]
        assert "".join(said[:-3]).strip() in ("", *(str(seat + 1) for seat in range(5)))
        left = page.inner_html()
        assert not [word for word in ("data-cell", "data-spot", "Bid", "coin", "Mosaic of") if word in left]
        self.hand_overs += 1


def hand_over_name(screen: Person) -> str:
    """Return whom the page wants to be handed to."""
    expect(screen.hand_over_heading()).to_be_visible()
    return screen.hand_over_heading().inner_text().removeprefix("Hand the device to ")


def play_watching(screen: Person, hands: Whispering, luck: random.Random) -> None:
    """Play at a shared screen, looking closely whenever it is handed over."""
    while not screen.is_over:
        screen.until(lambda: screen.is_over or screen.is_ready or screen.is_handed_over)
        if screen.is_handed_over:
            hands.look_between(screen)
        if not screen.is_over:
            take_turn(screen, hands, luck)


def test_mozaika_at_one_screen_keeps_everybodys_secrets(visit: Visit, luck: random.Random) -> None:
    screen, hands = visit(), Whispering()
    screen.make_table("mozaika", "Ada", "Ben", "Cem")
    play_watching(screen, hands, luck)
    assert hands.hand_overs >= 2 * AUCTIONS  # who has just acted sits there already
    screen.reads_result()


# --- Links


def test_two_browsers_meet_by_a_link_and_see_the_same(visit: Visit, luck: random.Random) -> None:
    ada, ben = visit(), visit("phone")
    ada.make_table("patterns", "Ada", "link")
    expect(ada.page.get_by_role("status").filter(has_text="One seat is still free")).to_be_visible()
    link = ada.link(1)
    ben.open(link)
    expect(ben.heading("You are invited")).to_be_visible()
    ben.press_button("Sit down")
    expect(ben.page.get_by_role("textbox", name="Name")).to_have_attribute("aria-invalid", "true")
    ben.join(link, "Ben")
    play([ada, ben], Patterns(), luck)
    wait_for_all([ada, ben], lambda person: person.is_over)
    for person in (ada, ben):
        assert person.names == ["Ada", "Ben"]
        person.reads_result()
    assert ada.done == ben.done
    assert ada.state
    assert ben.state
    assert ada.state["view"] == ben.state["view"]


def test_a_link_works_once(visit: Visit) -> None:
    ada, ben, eve = visit(), visit(), visit()
    ada.make_table("patterns", "Ada", "link")
    link = ada.link(1)
    ben.join(link, "Ben")
    eve.expect_noise("the server responded with a status of 409")
    eve.open(link)
    expect(eve.heading("This link does not open the table")).to_be_visible()


def test_a_mixed_table_has_a_shared_screen_a_link_and_a_bot(visit: Visit, tables: Tables, luck: random.Random) -> None:
    screen, cem = visit(), visit("phone")
    table = screen.make_table("mozaika", "Ada", "Ben", "link", "bot:level-1")
    cem.join(screen.link(2), "Cem")
    wait_for_all([screen, cem], lambda person: person.state)

    play([screen, cem], Mozaika(), luck, stop=lambda: "bid 2" in cem.legal)

    number = cem.number
    Mozaika().do(cem, "bid 2", luck)
    cem.until_done(2, "bid 2", number)
    Mozaika().change_bid(cem, 1)
    cem.until(lambda: cem.state and cem.state["view"]["places"][2]["bid"] == 1)
    expect(cem.page.get_by_text("Sealed: 1 coin", exact=True)).to_be_visible()
    screen.until(lambda: any((by, do) == (2, None) for _, by, do in screen.done))
    assert '"by":2,"do":"bid' not in screen.told  # only that there is one

    # The rest is played with the same cookies, while the screens look on.
    cookies = [cookie_of(screen), cookie_of(screen), cookie_of(cem)]
    play_at_random([tables.somebody(cookie).open(table, seat) for seat, cookie in enumerate(cookies)], luck)
    wait_for_all([screen, cem], lambda person: person.is_over)
    assert {deed for _, by, deed in screen.done if by == 2} >= {"bid 1"}
    for person in (screen, cem):
        person.reads_result()
    assert screen.state
    assert cem.state
    assert screen.state["scores"] == cem.state["scores"]


# --- Again


def test_the_rematch_can_be_against_somebody_else(visit: Visit, luck: random.Random) -> None:
    ada = visit()
    first = ada.make_table("patterns", "Ada", "bot:level-1")
    play([ada], Patterns(), luck)
    ada.reads_result()
    ada.press(ada.page.get_by_text("Other opponents"))
    ada.page.get_by_role("combobox", name="Instead of Snail").select_option(label="2 · Sparrow")
    expect(ada.page.get_by_text("Hops to whatever lies nearest.")).to_be_visible()
    ada.press_button("Play again")
    ada.until(lambda: ada.table and ada.table["id"] != first)
    assert ada.table
    assert [(seat["kind"], seat["bot"]) for seat in ada.table["seats"]] == [("bot", "level-2"), ("person", None)]


# --- Onlookers


def test_an_onlooker_sees_a_whole_game_and_cannot_act(visit: Visit, luck: random.Random) -> None:
    ada, eve = visit(), visit()
    ada.make_table("patterns", "Ada", "bot:level-2")
    eve.open(ada.watch_link())
    eve.is_at_table()
    eve.until(lambda: eve.state)
    eve.press(space(eve, "d4"))
    play([ada], Patterns(), luck)
    eve.until(lambda: eve.is_over)
    assert eve.state
    assert ada.state
    assert eve.state["view"] == ada.state["view"]
    assert {event for event in ada.done if event[1] is not None} == {e for e in eve.done if e[1] is not None}
    assert not eve.mine
    assert not eve.legal
    assert {message["t"] for message in eve.sent} <= {"look", "eyes", "ping"}
    assert eve.eyes is None
    eve.reads_result()
    expect(eve.button("Play again")).to_have_count(0)


def test_onlookers_are_sent_away_when_the_host_closes_the_table(visit: Visit) -> None:
    ada, eve = visit(), visit()
    ada.make_table("patterns", "Ada", "link")
    eve.open(ada.watch_link())
    expect(eve.heading("Patterns")).to_be_visible()
    expect(ada.page.get_by_text("One onlooker.")).to_be_visible()
    ada.page.get_by_role("radio", name="Nobody", exact=True).check()
    expect(eve.heading("Looking on has ended here")).to_be_visible()
    expect(ada.page.get_by_role("textbox", name="Link for looking on")).to_have_count(0)


# --- Languages


def test_everybody_at_a_table_reads_their_own_language(visit: Visit, luck: random.Random) -> None:
    ada, ben = visit(), visit(language="fr-FR")
    ada.make_table("patterns", "Ada", "link")
    ben.open(ada.link(1))
    expect(ben.page.locator("html")).to_have_attribute("lang", "fr")
    ben.page.get_by_role("combobox", name="Langue").select_option(label="English")
    ben.page.get_by_role("textbox", name="Name").fill("Ben")
    ben.press_button("Sit down")
    ben.is_at_table()
    take_turn(ben, Patterns(), luck)
    ada.page.get_by_role("combobox", name="Language").select_option(label="Deutsch")
    expect(ada.page.get_by_role("heading", name="Was geschah")).to_be_visible()
    expect(ada.page.locator("html")).to_have_attribute("lang", "de")
    expect(ben.heading("What happened")).to_be_visible()
