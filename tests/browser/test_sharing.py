"""Import a record, go on from any point of a game, and give away links that open the right place."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.patterns import Patterns
from tests.browser.people import CUT, Person, start_again, wait_for_all
from tests.browser.playing import play
from tests.browser.site import Site, SpareSite
from tests.server.site import ROOT

GOLDEN = ROOT / "tests" / "golden"
FULL = GOLDEN / "patterns" / "full-board.json"
MARKUP = '<img src=x onerror="alert(1)">'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of its own: here it is killed."""
    with SpareSite(tmp_path_factory.mktemp("shared")).running() as running:
        yield running


def record(file: Path = FULL, **keys: object) -> str:
    """Return a golden record with some keys changed, or taken away by None."""
    document = {**json.loads(file.read_text()), **keys}
    return json.dumps({key: value for key, value in document.items() if value is not None})


def paste(person: Person, text: str) -> None:
    """Begin at the first page, and paste a record."""
    person.open("/")
    person.press(person.page.get_by_role("link", name="Import a record"))
    person.page.get_by_role("textbox", name="Paste the record here").fill(text)
    person.press_button("Check and show")


def is_in_replay(person: Person) -> str:
    """Wait until a game is shown, and return its name."""
    expect(place(person)).to_be_visible()
    person.page.wait_for_url(re.compile(r"/game/[^/#]+#\d+$"))
    return person.page.url.rpartition("/")[2].partition("#")[0]


def place(person: Person) -> Locator:
    return person.page.get_by_role("slider", name="Place in the game")


def go_on(person: Person, number: int, *seats: str) -> str:
    """Go on from an event with these people, and return the new table."""
    person.open(f"{person.page.url.partition('#')[0]}#{number}")
    expect(place(person)).to_have_value(str(number))
    person.press(person.page.get_by_role("link", name="Continue from here"))
    expect(person.heading("Patterns: continue from here")).to_be_visible()
    expect(person.page.get_by_role("group", name="How many play?")).to_have_count(0)
    for seat, who in enumerate(seats, 1):
        person.fill_seat(person.page.get_by_role("group", name=f"Seat {seat}", exact=True), who)
    person.press_button("Set up the table")
    return person.is_at_table()


def verifies(person: Person, folder: Path, first: list[tuple[int | None, str]]) -> None:
    """Download the record, let `smalti verify` judge it, and compare how it begins."""
    with person.page.expect_download() as download:
        person.press(person.page.get_by_role("link", name="Download the record"))
    file = folder / "record.json"
    download.value.save_as(file)
    words = [sys.executable, "-m", "smalti", "verify", str(file)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()[:2]) == (0, ["ok", "patterns"]), done.stdout + done.stderr
    events = [(event["by"], event["do"]) for event in json.loads(file.read_text())["events"]]
    assert events[: len(first)] == first
    assert len(events) > len(first)


def beginning(number: int) -> list[tuple[int | None, str]]:
    """What happens first in the golden record."""
    return [(event["by"], event["do"]) for event in json.loads(FULL.read_text())["events"][:number]]


def test_a_pasted_record_is_shown_as_imported_and_in_no_list(visit: Visit) -> None:
    ada, ben = visit(), visit("phone")
    paste(ada, record(names=["Ada", MARKUP]))
    table = is_in_replay(ada)
    expect(ada.page.get_by_text("imported", exact=True)).to_be_visible()
    expect(ada.page.get_by_text(MARKUP).first).to_be_visible()
    assert ada.page.locator("img").count() == 0
    paste(ben, record(names=["Ada", MARKUP]))
    assert is_in_replay(ben) == table
    ben.open("/archive")
    expect(ben.page.get_by_role("link", name="Import a record")).to_be_visible()
    assert table not in ben.page.content()


def test_a_file_is_imported_even_if_the_game_was_not_over(visit: Visit, tmp_path: Path) -> None:
    ada = visit("phone")
    file = tmp_path / "unfinished.json"
    file.write_text(record(events=json.loads(FULL.read_text())["events"][:9], scores=None, winners=None))
    ada.open("/import")
    ada.page.get_by_label("Or choose a file").set_input_files(file)
    is_in_replay(ada)
    expect(place(ada)).to_have_value("9")
    expect(ada.heading("The record ends here; the game was not over.")).to_be_visible()
    expect(ada.page.get_by_role("link", name="Continue from here")).to_be_visible()


def test_a_wrong_record_is_refused_with_event_and_rule_in_the_readers_language(visit: Visit) -> None:
    eva = visit("phone", language="de-DE")
    eva.expect_noise(r"status of 4\d\d")
    events = json.loads(FULL.read_text())["events"]
    events[5] = {**events[5], "do": events[4]["do"]}
    eva.open("/import")
    for text, told in (
        (record(events=events), r"Ereignis 6 verstößt gegen Regel PT-\d+: .*Plättchen"),
        (record(scores=[1, 2]), r"Die Aufzeichnung nennt die Punkte \[1, 2\]"),
        ("no record", "Das ist keine Aufzeichnung einer Partie"),
    ):
        eva.page.get_by_role("textbox", name="Aufzeichnung hier einfügen").fill(text)
        eva.press_button("Prüfen und zeigen")
        expect(eva.page.get_by_role("alert")).to_have_text(re.compile(told))
    eva.page.get_by_role("textbox", name="Aufzeichnung hier einfügen").fill(" ")
    eva.press_button("Prüfen und zeigen")
    expect(eva.page.get_by_text("Noch ist nichts zu prüfen")).to_be_visible()


def test_a_game_goes_on_against_a_bot_and_its_record_verifies(visit: Visit, tmp_path: Path) -> None:
    ada = visit()
    paste(ada, record())
    source = is_in_replay(ada)
    last = place(ada).input_value()
    ada.press_button("Continue from here")
    expect(ada.page.get_by_text("The game is over at this point.")).to_be_visible()
    number = int(last) - 12
    table = go_on(ada, number, "Ada", "bot:level-1")
    play([ada], Patterns(), random.Random(3))
    ada.reads_result()
    verifies(ada, tmp_path, beginning(number))
    ada.press(ada.page.get_by_role("link", name="Watch the replay"))
    assert is_in_replay(ada) == table
    ada.press(ada.page.get_by_role("link", name=f"Continues another game after event {number}"))
    expect(place(ada)).to_have_value(str(number))
    assert is_in_replay(ada) == source
    ada.open("/archive")  # against a bot alone it is there for oneself only
    expect(ada.page.get_by_text("continues another game")).to_be_visible()
    expect(ada.page.get_by_text("listed for you only").first).to_be_visible()


def test_two_go_on_by_a_link_and_the_server_dies_in_the_middle(visit: Visit, site: Site, tmp_path: Path) -> None:
    ada, ben = visit(), visit("phone")
    for person in (ada, ben):
        person.expect_noise(*CUT)
    paste(ada, record())
    source = is_in_replay(ada)
    number = int(place(ada).input_value()) - 8
    table = go_on(ada, number, "Ada", "link")
    assert ada.table
    assert ada.table["stage"] == "gathering"
    expect(ada.page.get_by_role("link", name=re.compile("^Continues another game"))).to_be_visible()
    assert ben.join(ada.link(1), "Ben") == table
    people = [ada, ben]
    for person in people:
        person.sees_game()
    begun = ada.number
    play(people, Patterns(), random.Random(5), stop=lambda: ada.number > begun + 1)
    for person in people:
        expect(person.page.locator(".table .play")).to_be_visible()
    site.kill()
    start_again(site, people)
    wait_for_all(people, lambda person: person.state and person.state["n"] > begun)
    play(people, Patterns(), random.Random(6))
    ben.reads_result()
    verifies(ben, tmp_path, beginning(number))
    assert f'"table":"{source}"' in ben.told


def test_a_link_opens_the_place_it_was_made_at(visit: Visit) -> None:
    ada, ben = visit(), visit("phone")
    paste(ada, record(names=["Ada", "Ben"]))
    table = is_in_replay(ada)
    ada.open(f"/game/{table}#14")
    expect(place(ada)).to_have_value("14")
    ada.press_button("Share")
    window = ada.page.get_by_role("dialog", name="Share this game")
    picture = window.get_by_role("img", name=re.compile("^What others see of the link: "))
    assert picture.evaluate("async (image) => { await image.decode(); return image.naturalWidth }") == 1200
    field = window.get_by_role("textbox", name="Link to this position (after event 14)")
    link = field.input_value()
    assert link.endswith(f"/g/{table}/14")
    ada.press(window.get_by_role("button", name="Copy").first)
    expect(window.get_by_text("Copied.")).to_be_visible()
    ben.open(link)
    expect(place(ben)).to_have_value("14")
    assert ben.page.locator("meta[property='og:image']").get_attribute("content")
    assert is_in_replay(ben) == table
    ben.press_button("Forward")
    expect(place(ben)).to_have_value("15")
    ben.open(window.get_by_role("textbox", name="Link to the whole game").input_value())
    expect(place(ben)).to_have_value(str(len(json.loads(FULL.read_text())["events"])))


def test_whoever_reads_instead_of_looking_can_go_on_too(visit: Visit) -> None:
    ada = visit("phone")
    paste(ada, record())
    is_in_replay(ada)
    ada.use_words()
    ada.open(f"{ada.page.url.partition('#')[0]}#20")
    expect(place(ada)).to_have_value("20")
    expect(ada.page.get_by_role("region", name="The table in words")).to_be_visible()
    ada.page.get_by_role("link", name="Continue from here").focus()
    ada.page.keyboard.press("Enter")
    expect(ada.heading("Patterns: continue from here")).to_be_visible()
    expect(ada.page.get_by_role("region", name="The table in words")).to_be_visible()
    ada.page.get_by_role("textbox", name="Name").first.fill("Ada")
    ada.page.keyboard.press("Enter")
    ada.is_at_table()
