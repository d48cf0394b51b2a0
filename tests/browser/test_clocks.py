"""Playing by the clock: chosen in the form, seen and heard, stopped by consent, run out, alive after a restart."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.people import CUT, Person, start_again, wait_for_all
from tests.browser.site import Site, SpareSite
from tests.browser.stages import Gathered, Tables, lend
from tests.server.passing import Passing

LIVE = {"kind": "live", "seconds": 3000, "increment": 5}
DIGITS = re.compile(r"^!?(\d+:)?\d+:\d\d$")


@pytest.fixture(scope="module")
def passing(tmp_path_factory: pytest.TempPathFactory) -> Passing:
    """Time that these tests let pass."""
    return Passing(tmp_path_factory.mktemp("time"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, passing: Passing) -> Iterator[Site]:
    """A server of its own, which follows the tests' time and is killed now and then."""
    with SpareSite(tmp_path_factory.mktemp("timed"), **passing.settings).running() as running:
        yield running


def sat_down(visit: Visit, table: Gathered) -> list[Person]:
    """Put two people with screens on the seats of a table, the second at a phone."""
    people = [visit(), visit("phone")]
    for person, browser in zip(people, table.people, strict=True):
        lend(person.page.context, browser)
        person.expect_noise(*CUT)
        person.open(f"/table/{table.id}")
    wait_for_all(people, lambda person: person.state and "clocks" in person.newest)
    for person in people:
        expect(person.page.locator(".table .play")).to_be_visible()
    return people


def dials(person: Person) -> Locator:
    """The clocks on the screen, by seat."""
    return person.page.get_by_role("timer")


def shown(person: Person, seat: int) -> str:
    """What a seat's clock shows."""
    return dials(person).nth(seat).locator("[aria-hidden]").inner_text()


def seconds(text: str) -> int:
    """Read a clock."""
    assert DIGITS.match(text), text
    total = 0
    for part in text.removeprefix("!").split(":"):
        total = 60 * total + int(part)
    return total


def acting(people: list[Person]) -> tuple[int, Person, Person]:
    """Return the seat that must act, who sits there, and the other one."""
    assert people[0].state
    seat = int(people[0].state["acting"][0])
    return seat, people[seat], people[1 - seat]


def move(person: Person) -> None:
    """Play the first move that is possible, by typing it."""
    person.until(lambda: person.is_ready)
    person.use_words()
    number = person.number
    person.page.get_by_role("textbox", name="Type a move").fill(person.legal[0])
    person.press_button("Play")
    person.until(lambda: person.number > number)


def until_late(people: list[Person], seat: int, did: str) -> None:
    """Wait until everybody has been told what came of a seat's lateness."""
    wait_for_all(people, lambda person: person.newest["clocks"]["late"][seat] == did)


# --- Making a table


def test_a_clock_of_ones_own_is_agreed_on_and_runs_for_everybody(visit: Visit, tables: Tables) -> None:
    ada, ben = visit(), visit("phone", language="de-DE")
    ada.open("/new/patterns")
    ada.press_button("With friends")
    ada.page.get_by_role("textbox", name="Name").fill("Ada")
    ada.open_more()
    ada.page.get_by_label("Time to think").select_option(label="Other times…")
    ada.page.get_by_label("Minutes for the game").fill("0")
    ada.open_more()  # closes it
    expect(ada.page.get_by_label("Minutes for the game")).to_be_hidden()
    ada.press_button("Set up the table")
    expect(ada.page.get_by_text("A whole number from 1 to 600.")).to_be_visible()
    expect(ada.page.get_by_label("Minutes for the game")).to_be_focused()
    ada.page.get_by_label("Minutes for the game").fill("50")
    ada.page.get_by_label("More seconds per move").fill("7")
    ada.page.get_by_role("radio", name="A bot takes over the seat").check()
    ada.page.get_by_label("The bot that steps in").select_option("level-2")
    ada.press_button("Set up the table")
    ada.is_at_table()
    assert ada.table
    assert ada.table["terms"] == {
        "language": "en",
        "fair": 1,
        "clock": {"kind": "live", "seconds": 3000, "increment": 7},
        "late": "seat",
        "stand_in": "level-2",
    }
    expect(ada.page.get_by_text("Everybody has 50 minutes for the whole game, and 7 seconds more")).to_be_visible()
    ben.open(ada.link(1))
    ben.page.locator("main form input").fill("Ben")
    ben.press(ben.page.locator("main form button[type=submit]"))
    ben.is_at_table()
    wait_for_all([ada, ben], lambda person: person.state and person.state["acting"] and "clocks" in person.newest)
    for person in (ada, ben):
        expect(dials(person)).to_have_count(2)
    seat = acting([ada, ben])[0]
    expect(dials(ben).nth(seat)).to_have_text(re.compile(r"noch 49 Minuten,? \d+ Sekunden"))
    ada.press_button("More")
    expect(ada.page.get_by_text("When time runs out, a bot (Sparrow) takes over the seat.")).to_be_visible()


def test_lists_show_the_clock_and_how_long_i_have(visit: Visit, tables: Tables, passing: Passing) -> None:
    table = tables.playing("patterns", terms={"clock": {"kind": "slow", "seconds": 86_400}})
    tables.gathering("mozaika", listed=True, terms={"clock": LIVE})
    passing.let_pass(7200)
    ada = visit()
    lend(ada.page.context, table.people[table.state["acting"][0]])
    ada.open("/")
    line = ada.page.get_by_role("listitem").filter(has=ada.page.get_by_role("link", name="Patterns", exact=True))
    expect(line).to_contain_text("1 day a move")
    expect(line).to_contain_text(re.compile(r"21 hr \d+ min left"))
    expect(ada.page.get_by_text("50 min + 5 sec a move").first).to_be_visible()


# --- Time that runs


def let_pass(person: Person, passing: int) -> None:
    """Let seconds pass on a page, in steps that leave the server time to answer: else the page takes it for gone."""
    while passing > 0:
        person.page.clock.run_for(1000 * min(passing, 5))
        person.page.wait_for_timeout(60)
        passing -= 5


def test_clocks_are_counted_down_between_messages_and_said_aloud(visit: Visit, tables: Tables) -> None:
    table = tables.playing("patterns", terms={"clock": {"kind": "live", "seconds": 600}})
    seat = table.state["acting"][0]
    ada = visit()
    lend(ada.page.context, table.people[seat])
    ada.page.clock.install()
    ada.open(f"/table/{table.id}")
    ada.until(lambda: {"clocks", "presence"} <= set(ada.newest))
    expect(dials(ada).nth(seat)).to_be_visible()
    before, frames = seconds(shown(ada, seat)), len(ada.frames)
    let_pass(ada, 100)
    assert before - 100 - 60 < seconds(shown(ada, seat)) <= before - 100
    assert seconds(shown(ada, 1 - seat)) == 600
    voice = ada.page.get_by_role("alert").filter(has_text="left")
    expect(voice).to_have_count(0)
    let_pass(ada, seconds(shown(ada, seat)) - 59)
    expect(voice).to_have_text("1 minute left")
    assert shown(ada, seat).startswith("!")
    let_pass(ada, 30)
    expect(voice).to_have_text("30 seconds left")
    told = [text for text in ada.frames[frames:] if '"pong"' not in text and '"presence"' not in text]
    assert not told  # who is there is told a moment later, the clocks are not


def test_clocks_survive_a_restart_and_a_move_counts(visit: Visit, tables: Tables, site: Site, passing: Passing) -> None:
    table = tables.playing("patterns", terms={"clock": LIVE})
    people = sat_down(visit, table)
    seat, ada, ben = acting(people)
    passing.let_pass(1000)
    move(ada)
    wait_for_all(people, lambda person: person.newest["clocks"]["running"] == [1 - seat])
    for person in people:
        assert 1900 < seconds(shown(person, seat)) <= 2005
    before = shown(ben, seat)
    site.kill()
    start_again(site, people)
    wait_for_all(people, lambda person: person.state and "clocks" in person.newest)
    assert [shown(person, seat) for person in people] == [before, before]
    assert 2900 < seconds(shown(ada, 1 - seat)) <= 3000
    move(ben)
    wait_for_all(people, lambda person: person.newest["clocks"]["running"] == [seat])


# --- Time that runs out


def test_a_bot_plays_the_move_and_everybody_is_told(visit: Visit, tables: Tables, passing: Passing) -> None:
    table = tables.playing("patterns", terms={"clock": LIVE, "stand_in": "level-1"})
    people = sat_down(visit, table)
    seat, ada, ben = acting(people)
    passing.let_pass(3001)
    until_late(people, seat, "move")
    expect(ada.page.get_by_text("Your time ran out. A bot has made the move for you.")).to_be_visible()
    expect(ben.page.get_by_text(f"{ben.names[seat]} ran out of time. A bot has made the move.")).to_be_visible()
    for person in people:
        expect(person.page.get_by_role("log").first).to_contain_text("(a bot, as time had run out)")
    ben.press_button("Close")
    expect(ben.page.get_by_text("ran out of time")).to_have_count(0)
    move(ben)  # the game goes on


def test_a_bot_takes_the_seat_over(visit: Visit, tables: Tables, passing: Passing) -> None:
    table = tables.playing("patterns", terms={"clock": LIVE, "late": "seat", "stand_in": "level-1"})
    people = sat_down(visit, table)
    seat, ada, ben = acting(people)
    passing.let_pass(3001)
    until_late([ben], seat, "seat")
    expect(ada.page.get_by_text("Your time ran out. A bot plays on your seat now.")).to_be_visible()
    expect(ben.page.get_by_text("A bot plays on this seat now.")).to_be_visible()
    ben.until(lambda: ben.is_my_turn)
    expect(dials(ben)).to_have_count(1)


def test_who_is_late_resigns(visit: Visit, tables: Tables, passing: Passing) -> None:
    table = tables.playing("patterns", terms={"clock": LIVE, "late": "resign"})
    people = sat_down(visit, table)
    seat, ada, ben = acting(people)
    passing.let_pass(3001)
    wait_for_all(people, lambda person: person.table and person.table["stage"] == "over")
    wait_for_all(people, lambda person: person.state and person.state["winners"] == [1 - seat])
    expect(ada.page.get_by_text("Your time ran out: you have resigned.")).to_be_visible()
    expect(ben.page.get_by_text(f"{ben.names[seat]} ran out of time and has resigned.")).to_be_visible()
    for person in people:
        expect(dials(person)).to_have_count(0)


# --- Pauses


def test_people_agree_on_a_pause_and_on_going_on(visit: Visit, tables: Tables, site: Site, passing: Passing) -> None:
    table = tables.playing("patterns", terms={"clock": LIVE})
    people = sat_down(visit, table)
    mover, ada, ben = acting(people)
    move(ada)
    expect(ada.button("Take back")).to_be_visible()
    ada.press_button("More")
    ada.press_button("Pause the clocks")
    expect(ben.page.get_by_text("Shall we stop the clocks and take a break?")).to_be_visible()
    ben.press_button("Yes, I agree")
    for person in people:
        expect(person.page.get_by_text("The game is paused.")).to_be_visible()
    wait_for_all(people, lambda person: person.newest["clocks"]["paused"])
    before = [shown(ada, 0), shown(ada, 1)]
    passing.let_pass(100_000)
    site.kill()
    start_again(site, people)
    wait_for_all(people, lambda person: person.state and "clocks" in person.newest)
    for person in people:
        assert [shown(person, 0), shown(person, 1)] == before
        assert person.legal == []
    expect(ada.button("Take back")).to_have_count(0)
    ada.page.keyboard.press("Control+z")
    ben.press_button("Go on playing")
    expect(ben.button("Go on playing")).to_have_count(0)  # it is asked already
    expect(ada.page.get_by_text("Shall we go on playing?")).to_be_visible()
    ada.press_button("Yes, I agree")
    for person in people:
        expect(person.page.get_by_text("The game is paused.")).to_have_count(0)
    wait_for_all(people, lambda person: person.newest["clocks"]["running"] == [1 - mover])
    ada.press_button("Take back")
    move(ada)
    wait_for_all(people, lambda person: person.newest["clocks"]["running"] == [1 - mover])
