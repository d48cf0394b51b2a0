"""What goes wrong is told in the reader's language, with a way on: links, names, cookies, moves, stores, lines."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.line import Line
from tests.browser.people import CUT, Person
from tests.browser.site import Site, SpareSite
from tests.browser.stages import Gathered, Tables, after, asks, lend
from tests.server.site import ROOT

REFUSED = r"the server responded with a status of 4\d\d"
HOSTILE = "<script>alert(1)</script>"
COLOURFUL = "🎲🧿🀄🎴🃏" * 6


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of its own: here its database is taken away."""
    running = SpareSite(tmp_path_factory.mktemp("tried"))
    running.start()
    yield running
    running.stop()


def words(language: str, key: str) -> str:
    """A text of the pages."""
    of_pages = (ROOT / "web" / "src" / "texts" / language).glob("*.json")
    for file in (*of_pages, *(ROOT / "src" / "smalti").rglob(f"texts/{language}.json")):
        texts: dict[str, str] = json.loads(file.read_text())
        if key in texts:
            return texts[key]
    raise KeyError(key)


def has_way_home(person: Person, language: str = "de") -> None:
    """There is a link to the first page, and it leads there."""
    ways = [words(language, key) for key in ("app.back", "table.home")]
    person.page.locator("main").get_by_role("link", name=re.compile("|".join(map(re.escape, ways)))).click()
    expect(person.heading(words(language, "home.title"))).to_be_visible()


def alert(person: Person) -> Locator:
    """What the page says has gone wrong."""
    return person.page.get_by_role("alert")


# --- Links


def sit(person: Person, name: str, language: str = "de") -> None:
    """Ask for a seat."""
    person.page.get_by_role("textbox", name=words(language, "common.name")).fill(name)
    person.press_button(words(language, "join.sit"))


def test_a_link_that_was_used_or_is_wrong_says_so(visit: Visit, tables: Tables) -> None:
    table = tables.gathering("mozaika")
    key = table.host.keys(table.id)[1]
    assert tables.somebody().claim(table.id, "Bo", key).status_code == 200
    eve = visit(language="de-DE", size="phone")
    eve.expect_noise(REFUSED)
    for opened in (key, "x" * 20):
        eve.open(f"/join/{table.id}/{opened}")
        expect(eve.heading(words("de", "join.closed"))).to_be_visible()
        has_way_home(eve)


def test_a_link_to_a_full_table_says_so(visit: Visit, tables: Tables) -> None:
    table = tables.gathering("patterns")
    key = table.host.keys(table.id)[1]
    assert tables.somebody().claim(table.id, "Bo", key).status_code == 200
    eve = visit(language="fr-FR")
    eve.expect_noise(REFUSED)
    eve.open(f"/join/{table.id}/{key}")
    expect(eve.heading(words("fr", "join.closed"))).to_be_visible()
    has_way_home(eve, "fr")


def test_a_table_that_is_gone_says_so_wherever_it_is_asked_for(visit: Visit) -> None:
    eve = visit(language="de-DE")
    eve.expect_noise(REFUSED)
    eve.open("/table/nosuchtable")
    expect(eve.heading(words("de", "table.gone"))).to_be_visible()
    eve.page.locator("main").get_by_role("link", name=words("de", "table.home")).click()
    expect(eve.heading(words("de", "home.title"))).to_be_visible()
    eve.open("/join/nosuchtable/nokey")
    expect(eve.heading(words("de", "table.gone"))).to_be_visible()
    has_way_home(eve)
    eve.open("/game/nosuchtable")
    expect(eve.heading(words("de", "table.gone"))).to_be_visible()
    has_way_home(eve)


def test_a_closed_table_lets_nobody_look_and_sends_away_who_did(visit: Visit, tables: Tables) -> None:
    table = tables.playing("patterns").play(after(6))
    watch = table.host.table(table.id)["watch_link"]
    eve = visit(language="pl-PL")
    eve.expect_noise(*CUT)
    eve.open(watch)
    eve.sees_game()
    assert table.host.patch(f"/api/tables/{table.id}", onlookers="none").status_code < 300
    expect(eve.heading(words("pl", "lobby.ended"))).to_be_visible()
    eve.page.reload()
    expect(eve.heading(words("pl", "table.barred"))).to_be_visible()
    eve.page.locator("main").get_by_role("link", name=words("pl", "table.home")).click()
    expect(eve.heading(words("pl", "home.title"))).to_be_visible()


# --- Names


@pytest.mark.parametrize("name", [HOSTILE, COLOURFUL])
def test_any_name_is_text_and_nothing_but_text(name: str, visit: Visit, tables: Tables) -> None:
    listed = tables.gathering("mozaika", name, "Bo", "Cleo", listed=True)
    table = tables.playing("patterns", name, "Bo").play(after(8))
    eve = visit(size="phone")
    eve.page.on("dialog", lambda dialog: pytest.fail(f"a name opened a window: {dialog.message}"))
    lend(eve.page.context, table.host)
    eve.open("/")
    shows(eve, name, 2)  # among the games of mine, and among the open tables
    eve.open(f"/table/{listed.id}")
    shows(eve, name, 1)
    eve.open(f"/table/{table.id}")
    shows(eve, name, 2)  # in the strip, and on the board
    expect(eve.page.get_by_role("log")).to_contain_text(name)
    eve.use_words()
    shows(eve, name, 2)
    table.play()
    expect(eve.heading(re.compile("win"))).to_be_visible()
    for address in ("/archive", f"/game/{table.id}"):
        eve.open(address)
        shows(eve, name, 1)


def shows(person: Person, name: str, times: int) -> None:
    """The name can be read so often at least, and is wider than no screen."""
    found = person.page.locator("main").get_by_text(name)
    person.until(lambda: found.count() >= times)
    assert person.page.locator("main script").count() == 0
    assert person.page.evaluate("document.scrollingElement.scrollWidth") <= 360


# --- Cookies


@pytest.mark.parametrize("cookie", ["forged" * 7, "x" * 3000, "%00%ff<>"])
def test_who_comes_with_a_forged_cookie_is_nobody(cookie: str, visit: Visit, tables: Tables) -> None:
    table = tables.playing("patterns").play(after(8, asks(0, "playing")))
    eve = visit()
    eve.page.context.add_cookies([{"name": "smalti", "value": cookie, "url": eve.site.url}])
    eve.expect_noise(*CUT)
    eve.open(f"/table/{table.id}")
    expect(eve.heading("This table is private")).to_be_visible()
    eve.open(table.host.table(table.id)["watch_link"])
    eve.sees_game()
    expect(eve.page.get_by_text("Waiting for Ada").first).to_be_visible()
    assert eve.mine == []
    assert eve.legal == []
    eve.use_words()
    expect(eve.page.get_by_role("region", name="The table in words")).to_be_visible()
    expect(eve.page.get_by_role("textbox", name="Type a move")).to_have_count(0)


# --- Moves


def at_table(visit: Visit, tables: Tables, language: str, at: str = "") -> tuple[Person, Gathered]:
    """Somebody whose turn it is at Patterns, in the text view."""
    table = tables.playing("patterns").play(after(8, asks(0, "playing")))
    ada = visit(language=language)
    lend(ada.page.context, table.host)
    ada.open(f"{at}/table/{table.id}")
    ada.until(lambda: ada.legal)
    ada.page.get_by_role("button", name=words(language[:2], "table.text"), exact=True).click()
    return ada, table


def type_move(person: Person, language: str, move: str) -> None:
    """Play a move by typing it."""
    person.page.get_by_role("textbox", name=words(language[:2], "table.type")).fill(move)
    person.page.get_by_role("button", name=words(language[:2], "table.type.send"), exact=True).click()


def told_as(text: str) -> re.Pattern[str]:
    """A text of the pages, whatever its values are."""
    return re.compile(".+".join(re.escape(part) for part in re.split(r"\{[^{}]*\}", text)))


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_an_illegal_move_is_refused_with_its_rule_and_may_be_mended(
    language: str, visit: Visit, tables: Tables
) -> None:
    ada, table = at_table(visit, tables, language)
    number = ada.number
    view = table.state["view"]
    cells = [f"{verb} {cell}" for verb in ("flip", "swap") for cell in view["fronts"]]
    type_move(ada, language, next(move for move in cells if move not in ada.legal))
    ada.until(lambda: "refused" in ada.newest)
    refused = ada.newest["refused"]
    assert re.fullmatch(r"[A-Z]+-\d+", refused["rule"])
    expect(alert(ada)).to_contain_text(refused["rule"])
    expect(alert(ada)).to_contain_text(told_as(words(language[:2], f"reason.{refused['reason']}")))
    ada.page.get_by_role("button", name=words(language[:2], "table.refused.close")).click()
    expect(alert(ada)).to_have_count(0)
    type_move(ada, language, "sing a song")
    expect(alert(ada)).to_contain_text(told_as(words(language[:2], "reason.table.notation")))
    type_move(ada, language, ada.legal[0])
    ada.until(lambda: ada.number == number + 1)
    expect(alert(ada)).to_have_count(0)


def test_far_too_long_a_move_is_refused_and_the_table_stays_usable(visit: Visit, tables: Tables) -> None:
    ada, _ = at_table(visit, tables, "de-DE")
    ada.expect_noise(*CUT)
    number = ada.number
    type_move(ada, "de", "open a3 " * 3000)
    expect(alert(ada)).to_be_visible()
    assert alert(ada).inner_text().strip() in (
        words("de", "reason.table.large"),
        words("de", "reason.table.server"),
    )
    ada.until(lambda: ada.legal)
    type_move(ada, "de", ada.legal[0])
    ada.until(lambda: ada.number == number + 1)


# --- The server


@contextmanager
def locked(site: Site) -> Iterator[None]:
    """Let nobody write to the database."""
    thief = sqlite3.connect(site.file, isolation_level=None)
    thief.execute("BEGIN EXCLUSIVE")
    yield
    thief.execute("ROLLBACK")
    thief.close()


def test_a_move_that_cannot_be_stored_says_so_and_may_be_tried_again(site: Site, visit: Visit, tables: Tables) -> None:
    ada, table = at_table(visit, tables, "de-DE")
    move, number = ada.legal[0], ada.number
    with locked(site):
        type_move(ada, "de", move)
        expect(alert(ada)).to_contain_text(words("de", "reason.table.stored"))
    type_move(ada, "de", move)
    ada.until(lambda: ada.number == number + 1)
    expect(alert(ada)).to_have_count(0)
    assert table.page(1).look(1)["n"] == number + 1


@pytest.fixture
def line(site: Site) -> Iterator[Line]:
    """A line to the site that can be cut."""
    laid = Line(site.port)
    yield laid
    laid.cut()


def test_a_table_opened_while_the_server_cannot_be_reached_says_so_and_comes(
    visit: Visit, tables: Tables, line: Line
) -> None:
    table = tables.playing("patterns").play(after(8))
    ada = visit(language="de-DE")
    ada.expect_noise(*CUT, "dynamically imported module", "preload")
    lend(ada.page.context, table.host)
    ada.open(f"{line.url}/")
    own = ada.page.locator(f"main a[href='/table/{table.id}']").first
    expect(own).to_be_visible()
    line.cut()
    own.click()
    lost, broken = ada.page.get_by_text(words("de", "table.line.lost")), ada.heading(words("de", "app.broken"))
    expect(lost.or_(broken).or_(ada.page.get_by_text(words("de", "table.line.connecting"))).first).to_be_visible()
    line.mend()
    again = ada.page.get_by_role("button", name=words("de", "app.reload"))
    if again.is_visible():
        again.click()
    ada.sees_game()
    expect(ada.page.get_by_role("log")).to_be_visible()


def test_a_list_that_cannot_be_fetched_says_so_and_may_be_tried_again(visit: Visit, line: Line) -> None:
    ada = visit(language="hu-HU")
    ada.expect_noise(*CUT)
    ada.open(f"{line.url}/about")
    expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
    ada.open(f"{line.url}/archive")
    expect(ada.heading(words("hu", "archive.title"))).to_be_visible()
    line.cut()
    ada.page.get_by_role("button", name="Mosaix").or_(ada.page.get_by_role("radio", name="Mosaix")).first.click()
    expect(alert(ada)).to_contain_text(words("hu", "reason.table.network"))
    line.mend()
    ada.page.get_by_role("button", name=words("hu", "common.again")).click()
    expect(alert(ada)).to_have_count(0)
