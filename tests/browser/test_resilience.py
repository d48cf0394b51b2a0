"""What breaks comes back: the network, the server, the page; nothing is lost and nothing happens twice."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.line import Line
from tests.browser.people import CUT, LOST, Person, wait_for_all
from tests.browser.site import Site, SpareSite
from tests.browser.stages import Gathered, Tables, after, asks, lend
from tests.server.site import Page


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of its own: here it is killed."""
    with SpareSite(tmp_path_factory.mktemp("mortal")).running() as running:
        yield running


@pytest.fixture
def line(site: Site) -> Iterator[Line]:
    """A line to the site that can be cut."""
    laid = Line(site.port)
    yield laid
    laid.cut()


# --- What people see and do


def sat_down(person: Person, table: Gathered, seat: int, at: str = "") -> Person:
    """Put somebody with a screen on a seat of a table."""
    lend(person.page.context, table.people[seat if len(table.people) > 1 else 0])
    person.expect_noise(*CUT)
    person.open(f"{at}/table/{table.id}")
    person.sees_game()
    expect(person.page.locator(".table .play")).to_be_visible()
    return person


def screen(person: Person) -> str:
    """Everything a screen reader finds at the table, but for who is here."""
    heard = person.page.locator("main").aria_snapshot()
    return re.sub(r"\b(here|away)\b", "", heard)


def is_again(person: Person, before: str) -> None:
    """Wait until the screen is what it was."""
    try:
        person.until(lambda: screen(person) == before)
    except AssertionError:
        assert screen(person) == before


def type_move(person: Person, move: str) -> None:
    """Play a move by typing it."""
    person.page.get_by_role("textbox", name="Type a move").fill(move)
    person.button("Play").click()


def log_lines(person: Person) -> list[str]:
    """What stands in the log."""
    lines = person.page.get_by_role("log").locator("p")
    lines.first.wait_for()  # the page may still be waiting for the table
    return lines.all_inner_texts()


def truth(table: Gathered, person: Page) -> int:
    """How far the game is, asked anew."""
    person.look(person.state["seat"], 0)
    return int(person.state["n"])


def at_my_turn(tables: Tables, game: str = "patterns", number: int = 8) -> Gathered:
    """A game in its middle, seat 0 to move."""
    return tables.playing(game).play(after(number, asks(0, "playing")))


# --- The network


def test_what_others_did_meanwhile_is_there_when_the_network_is_back(visit: Visit, tables: Tables, line: Line) -> None:
    table = at_my_turn(tables)
    ada = sat_down(visit(), table, 0, line.url)
    shown = log_lines(ada)
    line.cut()
    ada.page.context.set_offline(True)
    expect(ada.page.get_by_role("status").filter(has_text=LOST)).to_be_visible()
    table.play(moves=5)
    ada.page.context.set_offline(False)
    line.mend()
    number = table.state["n"]
    ada.until(lambda: ada.number == number)
    expect(ada.page.get_by_role("log").locator("p")).to_have_count(len(shown) + 5)
    assert log_lines(ada)[: len(shown)] == shown
    expect(ada.page.get_by_role("status").filter(has_text=LOST)).to_be_hidden()
    fresh = sat_down(visit(), table, 0)
    ada.until(lambda: screen(ada) == screen(fresh))


def test_a_move_made_without_a_network_is_played_once_it_is_back(visit: Visit, tables: Tables, line: Line) -> None:
    table = at_my_turn(tables)
    ada = sat_down(visit(), table, 0, line.url)
    ada.use_words()
    move, number = ada.legal[0], ada.number
    line.cut()
    expect(ada.page.get_by_role("status").filter(has_text=LOST)).to_be_visible()
    type_move(ada, move)
    line.mend()
    table.page(1).until(lambda state: state["n"] > number)
    ada.until(lambda: ada.number > number)
    assert truth(table, table.page(1)) == number + 1
    assert table.page(1).state["events"][-1]["do"] == move


@pytest.mark.parametrize("way", ["there", "back"])
def test_a_move_or_its_answer_lost_on_the_way_is_played_once(
    way: str, visit: Visit, tables: Tables, line: Line
) -> None:
    table = at_my_turn(tables)
    ada = sat_down(visit(), table, 0, line.url)
    ada.use_words()
    move, number = ada.legal[0], ada.number
    line.swallow(way)  # type: ignore[arg-type]
    type_move(ada, move)
    if way == "back":
        table.page(1).until(lambda state: state["n"] > number)
    line.cut()
    line.mend()
    ada.until(lambda: ada.number > number)
    table.page(1).until(lambda state: state["n"] > number)
    assert truth(table, table.page(1)) == number + 1
    assert table.page(1).state["events"][-1]["do"] == move
    expect(ada.page.get_by_role("alert")).to_have_count(0)


# --- The server


def kill_and_start(site: Site) -> None:
    """Let the server die at once, and start another on the same files."""
    site.kill()
    site.start()


def test_after_the_server_was_killed_the_same_screens_come_back_and_the_game_ends(
    site: Site, visit: Visit, tables: Tables
) -> None:
    table = at_my_turn(tables, number=12)
    ada, bo = sat_down(visit(), table, 0), sat_down(visit(size="phone"), table, 1)
    before = [screen(ada), screen(bo)]
    site.kill()
    expect(ada.page.get_by_role("status").filter(has_text=LOST)).to_be_visible()
    site.start()
    for person, was in zip((ada, bo), before, strict=True):
        expect(person.page.get_by_role("status").filter(has_text=LOST)).to_be_hidden()
        is_again(person, was)
    ada.use_words()
    number = ada.number
    type_move(ada, ada.legal[0])
    bo.until(lambda: bo.number == number + 1)
    table.pages.clear()
    tables.look(table, [0, 1])
    table.play()
    wait_for_all((ada, bo), lambda person: person.is_over)
    for person in (ada, bo):
        expect(person.page.get_by_role("heading", name=re.compile("win"))).to_be_visible()


def test_a_move_pressed_in_the_moment_the_server_dies_is_played_once(site: Site, visit: Visit, tables: Tables) -> None:
    table = at_my_turn(tables)
    ada = sat_down(visit(), table, 0)
    ada.use_words()
    move, number = ada.legal[0], ada.number
    ada.page.get_by_role("textbox", name="Type a move").fill(move)
    os.kill(site.pid, signal.SIGSTOP)  # whatever is sent now waits in the dying server
    ada.button("Play").click()
    kill_and_start(site)
    ada.until(lambda: ada.number > number)
    tables.look(table, [1])
    assert table.pages[-1].state["n"] == number + 1
    assert table.pages[-1].state["events"][-1]["do"] == move


def test_a_move_pressed_just_before_the_server_dies_is_played_once(site: Site, visit: Visit, tables: Tables) -> None:
    table = at_my_turn(tables)
    ada = sat_down(visit(), table, 0)
    ada.use_words()
    move, number = ada.legal[0], ada.number
    type_move(ada, move)
    kill_and_start(site)
    ada.until(lambda: ada.number > number)
    tables.look(table, [1])
    assert table.pages[-1].state["n"] == number + 1
    assert table.pages[-1].state["events"][-1]["do"] == move


# --- Twice


def move_in_one_tab(table: Gathered, mover: Person, onlooker: Person) -> None:
    """Let somebody move in one of two tabs, and wait until both show it."""
    mover.use_words()
    table.play(asks(0, "playing"))
    mover.until(lambda: mover.number == table.state["n"])
    number = mover.number
    type_move(mover, mover.legal[0])
    wait_for_all((mover, onlooker), lambda person: person.number == number + 1)
    table.page(0).until(lambda state: state["n"] == number + 1)


def test_two_tabs_of_one_seat_follow_each_other_and_either_may_move(visit: Visit, tables: Tables) -> None:
    table = at_my_turn(tables)
    ada = sat_down(visit(), table, 0)
    other = Person(ada.page.context.new_page(), ada.site)
    sat_down(other, table, 0)
    move_in_one_tab(table, ada, other)
    move_in_one_tab(table, other, ada)
    assert log_lines(ada) == log_lines(other)
    assert not other.complaints()


def opening(person: Person) -> Locator:
    """A space of the mandala on which just one thing can be done."""
    cells = person.page.get_by_role("button", name=re.compile(r"^[a-h][1-8], .*front up, (Open|Flip|Swap)$"))
    return cells.first


def test_a_double_click_on_the_board_plays_once(visit: Visit, tables: Tables) -> None:
    table = at_my_turn(tables)
    ada = sat_down(visit(), table, 0)
    number = ada.number
    opening(ada).dblclick(delay=30)
    table.page(1).until(lambda state: state["n"] > number)
    assert truth(table, table.page(1)) == number + 1


def test_enter_pressed_twice_on_the_board_plays_once(visit: Visit, tables: Tables) -> None:
    table = at_my_turn(tables)
    ada = sat_down(visit(), table, 0)
    number = ada.number
    opening(ada).focus()
    ada.page.keyboard.press("Enter")
    ada.page.keyboard.press("Enter")
    table.page(1).until(lambda state: state["n"] > number)
    assert truth(table, table.page(1)) == number + 1


def moves_in_words(person: Person) -> Locator:
    """The buttons that play, in the text view."""
    return person.page.get_by_role("region", name="What you can do").get_by_role("button")


@pytest.mark.parametrize("twice", ["double click", "Enter, Enter"])
def test_a_move_in_words_pressed_twice_is_played_once_even_where_the_same_person_moves_next(
    twice: str, visit: Visit, tables: Tables
) -> None:
    table = tables.playing("mosaix", "Ada").play(after(8, asks(0, "forming")))
    ada = sat_down(visit(), table, 0)
    ada.use_words()
    number = ada.number
    button = moves_in_words(ada).first  # dice that are all alike can be arranged in one way only
    if twice == "double click":
        button.dblclick(delay=60)
    else:
        button.focus()
        ada.page.keyboard.press("Enter")
        ada.until(lambda: ada.number > number)
        ada.page.keyboard.press("Enter")
    ada.until(lambda: ada.number > number)
    assert truth(table, table.page(0)) == number + 1


def test_the_same_move_sent_again_changes_nothing_on_the_screen(visit: Visit, tables: Tables) -> None:
    table = at_my_turn(tables)
    ada = sat_down(visit(), table, 0)
    mover, number = table.page(0), ada.number
    move = mover.state["legal"][0]
    mover.do(move, n=number, id="the same")
    ada.until(lambda: ada.number == number + 1)
    before, lines = screen(ada), log_lines(ada)
    for _ in range(3):
        mover.do(move, n=number, id="the same")
    assert screen(ada) == before
    table.play(moves=1)
    ada.until(lambda: ada.number == number + 2)
    expect(ada.page.get_by_role("log").locator("p")).to_have_count(len(lines) + 1)


# --- The page


def test_every_stage_comes_back_after_reload_and_back_button(visit: Visit, tables: Tables) -> None:
    table = tables.gathering("patterns")
    ada = visit()
    lend(ada.page.context, table.host)
    ada.open("/")
    expect(ada.heading("My games")).to_be_visible()
    ada.open(f"/table/{table.id}")
    expect(ada.page.get_by_role("textbox", name="Link for seat 2")).to_be_visible()
    expect(ada.page.get_by_text("Fill free seats with bots")).to_be_visible()  # which bots there are is asked for
    comes_back(ada)
    key = table.host.keys(table.id)[1]
    table.people.append(tables.somebody())
    table.people[1].claim(table.id, "Bo", key)
    tables.look(table, [0, 1])
    ada.sees_game()
    for stop in (asks(1, "giving"), after(10, asks(0, "playing")), lambda state: not state["acting"]):
        table.play(stop)
        ada.until(lambda: ada.number == table.state["n"])
        if ada.is_over:
            ada.page.reload()  # the end is counted out only for those who were there
        expect(ada.page.get_by_role("log")).to_be_visible()
        comes_back(ada)
    ada.page.get_by_role("link", name="Watch the replay").click()
    expect(ada.page.get_by_role("slider")).to_be_visible()
    ada.page.mouse.move(1, 1)  # what is under the pointer is told, too
    ada.page.keyboard.press("Home")
    ada.page.keyboard.press("ArrowRight")
    expect(ada.page).to_have_url(re.compile("#"))
    ada.until(lambda: "to act" in screen(ada))  # the step is fetched, and the end is no longer on the screen
    place = ada.page.url
    shown = screen(ada)
    ada.page.reload()
    is_again(ada, shown)
    assert ada.page.url == place
    ada.page.go_back()
    expect(ada.page.get_by_role("link", name="Watch the replay")).to_be_visible()


def comes_back(person: Person) -> None:
    """Reload, then leave and come back: the same screen each time."""
    before = screen(person)
    person.page.reload()
    is_again(person, before)
    person.page.get_by_role("link", name="Smalti, home").click()
    expect(person.page.get_by_role("heading", name="Games of coloured glass")).to_be_visible()
    person.page.go_back()
    is_again(person, before)
    person.page.go_back()
    expect(person.page.get_by_role("heading", name="Games of coloured glass")).to_be_visible()
    person.page.go_forward()
    is_again(person, before)
