"""Fair luck in the browser: bound before, shared by every page, secret meanwhile, checked afterwards; deals by code."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Route, expect

from smalti.server.luck import derive
from tests.browser.conftest import Visit
from tests.browser.people import CUT, LOST, Person, start_again
from tests.browser.site import Site, SpareSite
from tests.browser.stages import Tables, lend
from tests.browser.test_secrets import bid_on_the_board, cookie_of, hidden, is_sealed
from tests.server.site import is_bidding, play

FITS = "Everything fits: every draw follows from what was fixed before the game"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of its own: here it is killed."""
    with SpareSite(tmp_path_factory.mktemp("fair")).running() as running:
        yield running


def commitment(person: Person) -> Locator:
    """Open what is said about luck, and find the fingerprint."""
    person.press(person.page.get_by_text("Fair luck", exact=True).first)
    return person.page.locator("main code, dialog code").first


def check(person: Person) -> Locator:
    """Press the button, and find what was found out."""
    person.press_button("Check the luck")
    return person.page.locator(".checked")


def test_a_game_is_bound_shared_and_checked(visit: Visit, tables: Tables, site: Site) -> None:
    ada, bo, cleo = visit(), visit("phone"), tables.somebody()
    for person in (ada, bo):
        person.expect_noise(*CUT)
    table = ada.make_table("mozaika", "Ada", "link", "link")
    shown = commitment(ada).inner_text()
    assert shown == derive.commitment(table, bytes.fromhex(hidden(site, table)["secret"]))
    links = [ada.link(1), ada.link(2)]

    # 1. Somebody sits down whose page never comes: it is not dealt, and everybody is told for whom they wait.
    cleo.claim(table, "Cleo", links[1].rpartition("/")[2])
    somebody = tables.somebody()
    somebody.post(f"/api/tables/{table}/seats", name="Bo", key=links[0].rpartition("/")[2])
    expect(ada.page.get_by_role("status").filter(has_text="Waiting for the page of Bo")).to_be_visible()
    assert ada.table
    assert ada.table["stage"] == "gathering"

    # 2. The page comes, adds its share by itself, and the game begins.
    lend(bo.page.context, somebody)
    bo.open(f"/table/{table}")
    for person in (ada, bo):
        person.sees_game()

    # 3. A bid is sealed on the board; the server dies meanwhile; nothing of this is told to anybody.
    pages = [tables.somebody(cookie_of(ada)).open(table, 0), somebody.open(table, 1), cleo.open(table, 2)]
    play(pages, random.Random(1), stop=is_bidding)
    ada.until(lambda: ada.legal and ada.legal[0].startswith("bid"))
    bid_on_the_board(ada, 1)
    is_sealed(ada, 1)
    expect(bo.page.locator(".table .play")).to_be_visible()
    site.kill()
    start_again(site, [ada, bo])
    for person in (ada, bo):
        person.sees_game()
    is_sealed(ada, 1)
    secret = hidden(site, table)
    assert len(secret) == 5
    assert [sent["nonce"] for sent in ada.sent if sent["t"] == "do"] == [secret[key] for key in secret if "seal" in key]
    assert not [part for person in (ada, bo) for part in secret.values() if part in person.told]

    # 4. To the end; then everything is shown and checked, by those who played and by whoever looks at the replay.
    pages = [tables.somebody(cookie_of(ada)).open(table, 0), somebody.open(table, 1), cleo.open(table, 2)]
    play(pages, random.Random(2))
    found = check(ada)
    expect(found.get_by_role("heading", name=FITS)).to_be_visible()
    for line in ("this browser remembers 1 of 1", "from this browser that went in 1 of 1", "as it sealed them"):
        expect(found).to_contain_text(re.compile(line.replace(" ", r"\s*")))
    expect(found).to_contain_text(shown)
    bo.open(f"/game/{table}")
    expect(check(bo).get_by_role("heading", name=FITS)).to_be_visible()


def tampered(route: Route) -> None:
    """Answer with another secret and a commitment that fits it."""
    told = route.fetch().json()
    told["proof"]["secret"] = "01" * 32
    told["proof"]["commitment"] = told["commitment"] = derive.commitment(told["proof"]["table"], b"\1" * 32)
    route.fulfill(json=told)


def test_a_server_that_lies_is_found_out(visit: Visit, tables: Tables) -> None:
    ada = visit()
    table = ada.make_table("patterns", "Ada", "Bo")
    ada.sees_game()
    somebody = tables.somebody(cookie_of(ada))
    play([somebody.open(table, seat) for seat in range(2)], random.Random(1))
    ada.page.route("**/fairness", tampered)
    found = check(ada)
    expect(found.get_by_role("heading", name="Something does not fit")).to_be_visible()
    expect(found.get_by_role("img", name="does not fit", exact=True)).to_have_count(2)
    expect(found.get_by_role("listitem").filter(has_text="this browser remembers")).to_contain_text("0 of 1")
    ada.page.unroute("**/fairness")


def finish(tables: Tables, code: str, seed: int) -> str:
    """Let a group without a screen play a deal to the end."""
    group = tables.playing("mosaix", "Cleo", "Dara", listed=True, terms={"code": code})  # open: they may be named
    return group.play(seed=seed).id


def test_several_groups_play_the_same_deal_and_compare(visit: Visit, tables: Tables, site: Site) -> None:
    ada, bo = visit(), visit("phone")
    for person in (ada, bo):
        person.expect_noise(*CUT)
    ada.open("/new/mosaix")
    ada.open_more()
    ada.page.get_by_role("radio", name=re.compile("^Same deal for all")).check()
    ada.page.get_by_role("textbox", name="Code").fill("our Tuesday")
    for seat, name in enumerate(("Ada", "Ann"), 1):
        group = ada.page.get_by_role("group", name=f"Seat {seat}", exact=True)
        group.get_by_role("combobox", name="Who").select_option(label="At this screen")
        group.get_by_role("textbox", name="Name").fill(name)
    ada.press_button("Set up the table")
    table = ada.is_at_table()
    expect(ada.page.get_by_text("Deal by code: our Tuesday")).to_be_visible()
    expect(ada.page.get_by_text("Known beforehand, so it counts for nothing.")).to_be_visible()
    other = finish(tables, "our Tuesday", 5)
    site.kill()  # what is dealt from here on, another process deals
    start_again(site, [ada])
    expect(ada.page.get_by_text(LOST)).to_have_count(0)

    # While one plays it oneself, one sees how others fared, but is not led to their replays.
    ada.press(ada.page.get_by_role("link", name="Compare with other tables"))
    expect(ada.page.get_by_text("You are playing this deal yourself just now.", exact=False)).to_be_visible()
    expect(ada.page.get_by_role("listitem").filter(has_text="Cleo").first).to_be_visible()
    expect(ada.page.locator(f'a[href="/game/{other}"]')).to_have_count(0)
    address = ada.page.url

    somebody = tables.somebody(cookie_of(ada))
    pages = [somebody.open(table, seat) for seat in range(2)]
    play(pages, random.Random(1))
    first, second = (somebody.get(f"/api/tables/{name}/replay")["events"] for name in (table, other))
    draws = [[event["do"] for event in events if event["by"] is None] for events in (first, second)]
    least = min(map(len, draws))
    assert least > 3
    assert draws[0][:least] == draws[1][:least]

    bo.open(address)
    expect(bo.page.locator(f'a[href="/game/{other}"]')).to_be_visible()
    expect(bo.page.locator(f'a[href="/game/{table}"]')).to_have_count(0)  # a private table's game is told, not shown
    bo.page.get_by_role("group", name="Seat 1", exact=True).get_by_role("textbox", name="Name").fill("Bo")
    bo.press_button("Set up the table")
    bo.is_at_table()
    assert bo.table
    assert bo.table["terms"]["code"] == "our Tuesday"
    bo.open(f"/game/{table}")
    expect(bo.page.get_by_text("Deal by code: our Tuesday")).to_be_visible()
    found = check(bo)
    expect(found.get_by_role("heading", name="Everything follows from the code")).to_be_visible()


def test_the_page_that_explains_it_is_short(visit: Visit) -> None:
    ada = visit("phone")
    ada.open("/")
    ada.press(ada.page.get_by_role("link", name="Fair luck"))
    expect(ada.heading("Fair luck, and how to check it")).to_be_visible()
    assert len(ada.page.locator("main").inner_text().split()) < 400
