"""The lobby in real browsers: sitting down with one click, quick match, who may look on, and tables that were left."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.people import CUT, LOST, TITLES, Person, start_again
from tests.browser.site import Site, SpareSite
from tests.browser.stages import Tables
from tests.browser.test_secrets import Audience, cookie_of, forbid_keys
from tests.server.site import is_bidding, play

LEFT = {"SMALTI_LOBBY_HIDES": "2", "SMALTI_LOBBY_CLOSES": "10"}  # seconds
NOBODY = "Nobody is waiting just now."


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of its own, at which tables do not stay open for long; it is killed here, too."""
    with SpareSite(tmp_path_factory.mktemp("lobby"), **LEFT).running() as running:
        yield running


def called(person: Person, name: str) -> Person:
    """Give somebody a name, as if they had used it before."""
    person.page.add_init_script(f"""{{
        const prefs = JSON.parse(localStorage.prefs ?? "{{}}");
        if (!prefs.name) localStorage.prefs = JSON.stringify({{ ...prefs, name: {json.dumps(name)} }});
    }}""")
    return person


def seeking(person: Person) -> Locator:
    """The tables that seek players."""
    return person.page.get_by_role("region", name="Seeking players").locator("li.card")


def to_watch(person: Person, table: str) -> Locator:
    """The link to a game in the list of games to watch."""
    return person.page.get_by_role("region", name="Games to watch").locator(f'a[href="/table/{table}"]')


def quick(person: Person, game: str) -> None:
    """Press the button for a quick match, on the first page or in the lobby."""
    name = re.compile(rf"^(Quick match ?: {TITLES[game]}|{TITLES[game]} ?: Quick match)$")
    person.press(person.page.get_by_role("button", name=name))


def plays(*people: Person) -> None:
    """Wait until the game has begun for everybody."""
    for person in people:
        person.sees_game()


# --- Sitting down


def test_one_click_leads_from_the_lobby_to_the_table(visit: Visit) -> None:
    ada, ben = visit(language="de-DE"), called(visit("phone"), "Ben")
    ben.open("/lobby")
    expect(ben.page.get_by_text(NOBODY)).to_be_visible()
    ada.open("/new/mozaika?for=friends")
    ada.page.get_by_role("textbox", name="Name").first.fill("Ada")
    ada.open_more("Weitere Einstellungen")
    ada.page.get_by_role("radio", name="Verdeckt").check()
    ada.page.get_by_role("radio", name="Offen: Alle können sich setzen").check()
    ada.press_button("Tisch aufstellen")
    ada.is_at_table()
    line = seeking(ben)
    expect(line).to_have_count(1)  # it comes by itself
    for words in ("Ada (host)", "2 seats free", "Hidden: you see only your own tiles", "Deutsch"):
        expect(line).to_contain_text(words)
    ben.press(ben.button("Patterns"))
    expect(line).to_have_count(0)
    ben.press(ben.button("Mozaika"))
    ben.press(line.get_by_role("button", name="Sit down"))
    ben.is_at_table()
    ada.until(lambda: ada.table and ada.table["seats"][1]["name"] == "Ben")


def test_who_has_no_name_is_asked_once_and_two_who_want_one_seat_do_not_get_it_both(visit: Visit) -> None:
    ada, ben, cleo = visit(), visit(), called(visit(), "Cleo")
    ada.make_table("patterns", "Ada", "link", listed=True)
    for person in (ben, cleo):
        person.open("/lobby")
        expect(seeking(person)).to_have_count(1)
    ben.press(seeking(ben).get_by_role("button", name="Sit down"))
    ben.page.get_by_role("textbox", name="Name").fill("Ben")
    ben.press_button("Sit down")
    cleo.expect_noise("403", "409")
    cleo.page.evaluate("[...document.querySelectorAll('main li button')].at(-1)?.click()")  # what is still shown
    ben.is_at_table()
    plays(ada, ben)
    expect(seeking(cleo)).to_have_count(0)
    assert ben.page.evaluate("JSON.parse(localStorage.prefs).name") == "Ben"
    assert [seat["name"] for seat in (ada.table or {})["seats"]] == ["Ada", "Ben"]


# --- Quick match


def test_two_who_press_at_once_play_with_each_other(visit: Visit) -> None:
    ada, ben = called(visit(), "Ada"), called(visit("phone"), "Ben")
    ada.open("/")
    ben.open("/lobby")
    for person in (ada, ben):
        expect(person.page.get_by_text("2 players").first).to_be_visible()
    quick(ada, "patterns")
    quick(ben, "patterns")
    assert ada.is_at_table() == ben.is_at_table()
    plays(ada, ben)
    assert {seat["name"] for seat in (ada.table or {})["seats"]} == {"Ada", "Ben"}


def test_quick_match_remembers_the_settings_and_waits_with_bots_at_hand(visit: Visit, site: Site) -> None:
    ada = visit("phone")
    ada.expect_noise(*CUT)
    ada.make_table("mozaika", "Ada", "link", "link", "link", hands="Hidden: you see only your own tiles")
    ada.open("/lobby")
    expect(ada.page.get_by_text("4 players · Hidden: you see only your own tiles")).to_be_visible()
    quick(ada, "mozaika")
    table = ada.is_at_table()
    expect(ada.page.get_by_text("Waiting for 3 more players.")).to_be_visible()
    site.kill()
    expect(ada.page.get_by_role("status").filter(has_text=LOST)).to_be_visible()
    start_again(site, [ada])
    expect(ada.page.get_by_role("status").filter(has_text=LOST)).to_be_hidden()
    expect(ada.page.get_by_text("Waiting for 3 more players.")).to_be_visible()
    ben = called(visit(), "Ben")
    ben.open("/")
    ben.page.evaluate("localStorage.quick = JSON.stringify({ mozaika: { seats: 4, options: { hands: 'hidden' } } })")
    quick(ben, "mozaika")
    assert ben.is_at_table() == table
    expect(ada.page.get_by_text("Waiting for 2 more players.")).to_be_visible()
    ada.press(ada.page.get_by_text("Fill free seats with bots"))
    ada.page.get_by_role("combobox", name="Level").select_option(label="1 · Snail")
    ada.press_button("Seat 2 bots and begin")
    plays(ada, ben)
    assert [seat["bot"] for seat in (ben.table or {})["seats"]] == [None, None, "level-1", "level-1"]


# --- Tables that were left


def test_a_table_that_was_left_closes_and_its_host_opens_it_again(visit: Visit) -> None:
    ada, ben = called(visit(), "Ada"), called(visit(), "Ben")
    ada.open("/")
    quick(ada, "mosaix")
    table = ada.is_at_table()
    ben.open("/lobby")
    expect(seeking(ben)).to_have_count(1)
    ada.open("/about")
    expect(seeking(ben)).to_have_count(0)
    ben.until(lambda: ben.page.request.get(f"/api/tables/{table}").json()["lapsed"])
    ada.open(f"/table/{table}")
    expect(ada.page.get_by_text("your table was taken out of the lobby")).to_be_visible()
    ada.press_button("Show it in the lobby again")
    expect(ada.page.get_by_text("Waiting for one more player.")).to_be_visible()
    ben.press(seeking(ben).get_by_role("button", name="Sit down"))
    plays(ada, ben)


# --- Who may look on


def test_a_public_game_is_found_and_watched_until_its_host_ends_it(
    visit: Visit, tables: Tables, luck: random.Random
) -> None:
    ada, eve, ida = visit(), visit("phone"), visit()
    table = ada.make_table("mozaika", "Ada", "Bo", "Cleo", onlookers="all", hands="Hidden: you see only your own tiles")
    link = f"/watch/{table}/" + str(tables.somebody(cookie_of(ada)).table(table)["watch_link"]).rpartition("/")[2]
    eve.open("/lobby")
    eve.press(to_watch(eve, table))
    ida.open(link)
    plays(eve, ida)
    pages = [tables.somebody(cookie_of(ada)).open(table, seat) for seat in range(3)]
    play(pages, luck, stop=is_bidding)
    pages[0].do("bid 3")
    pages[1].do("bid 2")
    play(pages, luck, 40)
    number = pages[0].state["n"]
    for person in (eve, ida):
        person.until(lambda person=person: person.number >= number)  # type: ignore[misc]
        audience = Audience("hidden")
        for frame in person.frames:
            audience.hear(frame)
        assert audience.seen > 10
        assert audience.sealed > 2
    forbid_keys(ada, eve, ida, cookies=[cookie_of(ada)], links=[link])
    assert pages[0].newest["presence"]["watching"] == 2

    host = tables.somebody(cookie_of(ada))
    assert host.patch(f"/api/tables/{table}", onlookers="link").status_code == 204
    expect(eve.heading("Looking on has ended here")).to_be_visible()
    eve.press(eve.page.get_by_role("link", name="Other tables"))
    expect(eve.heading("Games to watch")).to_be_visible()
    expect(to_watch(eve, table)).to_have_count(0)
    told = len(eve.frames)
    play(pages, luck, 3)
    ida.until(lambda: ida.number >= pages[0].state["n"])
    assert len(eve.frames) == told
    assert host.patch(f"/api/tables/{table}", onlookers="none").status_code == 204
    expect(ida.heading("Looking on has ended here")).to_be_visible()


def test_who_may_look_on_outlives_a_killed_server_and_the_host_ends_it(
    visit: Visit, tables: Tables, site: Site
) -> None:
    ada, eve, ida = visit(), visit("phone", language="hu-HU"), visit()
    for person in (ada, eve, ida):
        person.expect_noise(*CUT)
    table = ada.make_table("patterns", "Ada", "Bo", onlookers="all")
    known = tables.shared("patterns", "Cleo", "Dara", onlookers="link")
    link = known.host.table(known.id)["watch_link"]
    closed = tables.shared("patterns", "Enno", "Bo", onlookers="link")
    old = closed.host.table(closed.id)["watch_link"]
    assert closed.host.patch(f"/api/tables/{closed.id}", onlookers="none").status_code == 204
    eve.open(f"/table/{table}")
    ida.open(link)
    plays(ada, eve, ida)
    for person in (ada, eve, ida):
        expect(person.page.locator(".table .play")).to_be_visible()

    site.kill()
    for person in (ada, ida):
        expect(person.page.get_by_text(LOST)).to_be_visible()
    start_again(site, (ada, eve, ida))
    for person in (ada, ida):
        expect(person.page.get_by_text(LOST)).to_have_count(0)
    tables.look(known, range(2))
    known.play(moves=2)
    ida.until(lambda: ida.number >= known.state["n"])
    ida.open(f"/table/{known.id}")
    expect(ida.heading("This table is private")).to_be_visible()
    ida.open(old)
    expect(ida.heading("This table is private")).to_be_visible()

    plays(eve)
    ada.press_button("More")
    expect(ada.page.get_by_text("One onlooker.")).to_be_visible()
    ada.page.get_by_role("radio", name="Nobody", exact=True).check()
    expect(eve.heading("Itt már nem lehetsz néző")).to_be_visible()
    expect(ada.page.get_by_text("Nobody is looking on.")).to_be_visible()
    ida.open(f"/table/{table}")
    expect(ida.heading("This table is private")).to_be_visible()
