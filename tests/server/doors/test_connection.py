"""The wire: every message of the contract, what is refused and why, numbers, and doing things twice."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from smalti.server.wire.to_page import ToPage
from tests.server.conftest import NewBrowser, Serving
from tests.server.site import Browser, Page, Server, is_bidding, play

ANN, BOB, CEM = "Ann", "Bob", "Cem"


def patterns(host: Browser) -> tuple[str, list[Page]]:
    """Make a table of Patterns for two at one screen; return it with a page for each seat."""
    table = host.make("patterns", ANN, BOB)
    return table, [host.open(table, seat) for seat in (0, 1)]


def actor(pages: list[Page]) -> Page:
    """Return the page that has to act."""
    return next(page for page in pages if page.state["seat"] in page.state["acting"])


def other(pages: list[Page]) -> Page:
    """Return a page that has to wait."""
    return next(page for page in pages if page.state["seat"] not in page.state["acting"])


# --- The contract


def test_every_message_is_one_of_the_contract(host: Browser, guest: Browser) -> None:
    table = host.make("mozaika", ANN, BOB, CEM)
    pages = [host.open(table, seat) for seat in range(3)]
    watch = pages[0].table["watch_link"].rpartition("/")[2]
    onlooker = guest.open(table, watch=watch)
    play(pages, random.Random(1), 30)
    pages[0].send(t="why", id="w", seat=0, do="bid 0")
    pages[0].send(t="do", id="d", n=-1, seat=0, do="bid 0")
    pages[0].send(t="say", id="s", seat=0, phrase="hello")
    kinds = set()
    for page in (*pages, onlooker):
        page.settle()
        for text in page.told:
            message = msgspec.json.decode(text, type=ToPage)
            kinds.add(json.loads(text)["t"])
            assert json.loads(msgspec.json.encode(message)) == json.loads(text)
    assert kinds == {"table", "state", "refused", "because", "talk", "presence", "pong"}


def test_ping_is_answered_before_any_look(host: Browser) -> None:
    page = host.open_unasked(host.make("patterns", ANN, BOB))
    page.send(t="ping")
    assert page.receive() == {"t": "pong"}


def test_looking_shows_the_people_and_the_game(host: Browser) -> None:
    _, pages = patterns(host)
    page = actor(pages)
    assert page.table["stage"] == "playing"
    assert [seat["name"] for seat in page.table["seats"]] == [ANN, BOB]
    assert page.state["legal"]
    assert page.state["n"] == page.table["n"]
    assert other(pages).state["legal"] == []
    assert page.look(None)["seat"] is None
    assert page.state["legal"] == []


def test_one_page_can_look_with_the_eyes_of_every_seat_of_its_browser(host: Browser) -> None:
    page = host.open(host.make("mozaika", ANN, BOB, CEM, options={"hands": "hidden"}), 0)
    views = [json.dumps(page.look(seat)["view"]) for seat in (0, 1, 2, None)]
    assert len(set(views)) == 4


def test_why_answers_and_changes_nothing(host: Browser) -> None:
    _, pages = patterns(host)
    page, waiting = actor(pages), other(pages)
    before = page.state
    page.send(t="why", id="1", seat=before["seat"], do=before["legal"][0])
    assert page.next("because") == {
        **{"t": "because", "id": "1", "legal": True, "rule": "", "reason": "", "values": {}, "sentence": ""},
        "final": "",
    }
    waiting.send(t="why", id="2", seat=waiting.state["seat"], do="open a5")
    answer = waiting.next("because")
    assert (answer["id"], answer["legal"]) == ("2", False)
    assert answer["rule"].startswith("PT-")
    assert answer["reason"].startswith("patterns.")
    assert answer["sentence"]
    page.send(t="why", id="3", seat=before["seat"], do="fly")
    assert page.receive()["t"] in ("because", "refused")
    assert page.look(before["seat"]) == {**before, "since": 0}


def test_doing_something_is_told_to_everybody(host: Browser, guest: Browser) -> None:
    table, pages = patterns(host)
    onlooker = guest.open(table, watch=pages[0].table["watch_link"].rpartition("/")[2])
    page = actor(pages)
    text, number = page.state["legal"][0], page.state["n"]
    state = page.do(text, id="mine")
    event = state["events"][-1]
    assert (event["n"], event["by"], event["do"], event["id"]) == (number + 1, state["seat"], text, "mine")
    for listener in (pages[1 - state["seat"]], onlooker):
        told = listener.until(lambda state: state["n"] == number + 1)["events"]
        assert told == [{**event, "id": None}]


# --- Refusals


def test_a_move_out_of_turn_is_refused_with_its_rule(host: Browser) -> None:
    _, pages = patterns(host)
    play(pages, random.Random(1), 1)  # the start tile is given
    answer = other(pages).do("open a5", id="x")
    assert (answer["t"], answer["id"], answer["rule"]) == ("refused", "x", "PT-10")
    assert answer["reason"] == "patterns.not-your-turn"
    assert answer["values"]
    assert answer["sentence"]


def test_an_illegal_move_is_refused_with_its_rule(host: Browser) -> None:
    _, pages = patterns(host)
    page = actor(pages)
    answer = page.do("open a5")
    assert answer["t"] == "refused"
    assert answer["rule"].startswith("PT-")
    assert answer["reason"].startswith("patterns.")


UNREADABLE = ["fly", "", "deal K", "give", "open zz9", "open a5 ", "😀" * 300, "open \u0000", "OPEN A5"]


@pytest.mark.parametrize("text", UNREADABLE)
def test_a_text_that_is_no_move_is_refused_and_the_page_stays(text: str, host: Browser) -> None:
    _, pages = patterns(host)
    page = actor(pages)
    before = page.state
    assert page.do(text)["t"] == "refused"
    page.send(t="why", id="w", seat=before["seat"], do=text)
    page.settle()
    assert page.look(before["seat"]) == before


def test_a_number_that_is_stale_is_refused(host: Browser) -> None:
    _, pages = patterns(host)
    page = actor(pages)
    for number in (page.state["asked"] - 1, 0, -1, -(10**30)):
        answer = page.do(page.state["legal"][0], n=number)
        assert (answer["t"], answer["reason"]) == ("refused", "table.stale")
    assert page.do(page.state["legal"][0], n=page.state["asked"])["t"] == "state"


def test_nobody_acts_while_people_gather(host: Browser) -> None:
    page = host.open(host.make("patterns", ANN, "link"), 0)
    assert page.state["view"] is None
    assert (page.state["legal"], page.state["acting"], page.state["events"]) == ([], [], [])
    assert page.do("give G")["reason"] == "table.turn"
    page.send(t="why", id="w", seat=0, do="give G")
    assert page.next("refused")["id"] == "w"


MALFORMED: list[str | bytes] = [
    "",
    "{",
    "null",
    "[]",
    "7",
    '"look"',
    "{}",
    "[" * 5000,
    '{"t":"fly"}',
    '{"t":7}',
    '{"t":"ping","more":1}',
    '{"t":"look"}',
    '{"t":"look","seat":0,"more":1}',
    '{"t":"look","seat":true}',
    '{"t":"look","seat":0.0}',
    '{"t":"look","seat":"0"}',
    '{"t":"look","seat":0,"since":null}',
    '{"t":"look","seat":0,"since":1e400}',
    '{"t":"do"}',
    '{"t":"do","id":1,"n":0,"seat":0,"do":"x"}',
    '{"t":"do","id":"x","n":true,"seat":0,"do":"x"}',
    '{"t":"do","id":"x","n":0,"seat":false,"do":"x"}',
    '{"t":"do","id":"x","n":0,"seat":0.0,"do":"x"}',
    '{"t":"do","id":"x","n":0,"seat":null,"do":"x"}',
    '{"t":"do","id":"x","n":0,"seat":0,"do":"x","by":1}',
    '{"t":"do","id":"\\ud800","n":0,"seat":0,"do":"x"}',
    '{"t":"why","id":"x","seat":0}',
    '{"t":"ping"} {"t":"ping"}',
    b"",
    b"\x00\x01\x02",
    b"\xff\xfe",
    b'{"t":"do","id":"\xff","n":0,"seat":0,"do":"x"}',
]


@pytest.fixture(scope="module")
def sturdy_host(server: Server) -> Iterator[tuple[Browser, str]]:
    """A browser and its table, to which everything malformed is sent."""
    browser = Browser(server)
    yield browser, browser.make("patterns", ANN, BOB)
    browser.close()


@pytest.fixture
def sturdy(sturdy_host: tuple[Browser, str]) -> Iterator[Page]:
    """A page of the table to which everything malformed is sent."""
    browser, table = sturdy_host
    page = browser.open(table, 0)
    yield page
    page.close()


@pytest.mark.parametrize("text", MALFORMED, ids=lambda text: repr(text)[:50])
def test_what_cannot_be_read_is_refused_and_the_page_stays(text: str | bytes, sturdy: Page) -> None:
    before = sturdy.look(0)
    answer = sturdy.ask(text)
    assert (answer["id"], answer["rule"], answer["reason"]) == (None, "", "table.format")
    assert "what" in answer["values"]
    assert sturdy.look(0) == before


def test_a_message_in_a_binary_frame_is_read_like_any_other(sturdy: Page) -> None:
    sturdy.connection.send(b'{"t":"ping"}')
    assert sturdy.next("pong") == {"t": "pong"}


@pytest.mark.parametrize("seat", [1, 2, -1, 8, 2**31, 2**63, 10**30])
def test_a_seat_that_is_not_mine_is_refused(seat: int, host: Browser, guest: Browser) -> None:
    table = host.make("patterns", ANN, "link")
    key = host.keys(table)[1]
    guest.claim(table, BOB, key)
    page = host.open(table, 0)
    asked: list[dict[str, Any]] = [
        {"t": "look", "seat": seat},
        {"t": "do", "id": "d", "n": 100, "seat": seat, "do": "give G"},
        {"t": "why", "id": "w", "seat": seat, "do": "give G"},
    ]
    for message in asked:
        answer = page.ask(json.dumps(message))
        assert (answer["reason"], answer["id"]) == ("table.not-yours", message.get("id"))
    assert page.look(0)["n"] == host.table(table)["n"]


def test_onlookers_can_do_nothing(host: Browser, guest: Browser) -> None:
    table, pages = patterns(host)
    onlooker = guest.open(table, watch=pages[0].table["watch_link"].rpartition("/")[2])
    for seat in (0, 1):
        assert onlooker.do("give G", seat=seat)["reason"] == "table.not-yours"


@pytest.mark.parametrize("length", [0, 65, 5000])
def test_an_id_has_1_to_64_characters(length: int, host: Browser) -> None:
    _, pages = patterns(host)
    page = actor(pages)
    text, seat, number = page.state["legal"][0], page.state["seat"], page.state["n"]
    answer = page.ask(json.dumps({"t": "do", "id": "x" * length, "n": number, "seat": seat, "do": text}))
    assert answer["reason"] == "table.format"
    assert page.look(seat)["n"] == number
    assert page.do(text, id="x" * 64)["n"] > number


def test_a_message_that_is_too_large_ends_the_connection_and_not_the_table(host: Browser) -> None:
    table, pages = patterns(host)
    page = actor(pages)
    before = page.state
    page.connection.send(json.dumps({"t": "why", "id": "w", "seat": 0, "do": "x" * 20000}))
    assert page.closing() == 1009
    assert host.open(table, before["seat"]).state == before


def test_a_page_that_asks_too_much_is_shown_the_door(serving: Serving, new_browser: NewBrowser) -> None:
    host = new_browser(serving(SMALTI_MESSAGES_A_SECOND="50"))
    table, pages = patterns(host)
    page, seat = pages[0], pages[0].state["seat"]
    before = page.state
    with suppress(ConnectionClosed):
        for _ in range(300):  # more would break the line off before anybody reads them
            page.send(t="ping")
    assert page.closing() == 4429
    time.sleep(1)  # after which the browser may say something again
    assert host.open(table, seat).state == before
    pages[1].settle()


def test_a_table_that_is_not_there_closes_with_4404(host: Browser) -> None:
    for name in ("nowhere", "x" * 200, "%00", "%ff"):
        page = host.open_unasked(name)
        assert page.closing() == 4404, name


def test_there_is_one_door_only(host: Browser) -> None:
    with pytest.raises(InvalidStatus):
        host.connection("nowhere/at/all")


# --- Doing things twice


def test_the_same_id_again_tells_the_same_event_and_does_nothing(host: Browser) -> None:
    _, pages = patterns(host)
    page = actor(pages)
    text, number, seat = page.state["legal"][0], page.state["n"], page.state["seat"]
    first = page.do(text, n=number, id="once")["events"][-1]
    after = page.state["n"]
    for again in (text, "something else"):
        answer = page.do(again, n=number, id="once")
        assert answer["t"] == "state"
        assert [event for event in answer["events"] if event["id"] == "once"] == [first]
        assert answer["n"] == after
    assert page.look(seat)["n"] == after


def test_the_same_id_after_a_reconnect_tells_the_same_event(host: Browser) -> None:
    table, pages = patterns(host)
    page = actor(pages)
    text, number, seat = page.state["legal"][0], page.state["n"], page.state["seat"]
    first = page.do(text, n=number, id="once")["events"][-1]
    page.close()
    again = host.open(table, seat, since=first["n"])
    assert again.state["events"] == []
    again.send(t="do", id="once", n=number, seat=seat, do=text)
    assert first in again.until(lambda state: bool(state["events"]))["events"]


def test_a_double_click_does_it_once(host: Browser) -> None:
    _, pages = patterns(host)
    page = actor(pages)
    number, seat = page.state["n"], page.state["seat"]
    for message in ("click", "clack"):
        page.send(t="do", id=message, n=number, seat=seat, do=page.state["legal"][0])
    refused = [answer for answer in page.settle() if answer["t"] == "refused"]
    assert [(answer["id"], answer["reason"]) for answer in refused] == [("clack", "table.stale")]
    assert page.look(seat)["n"] == number + 1


def test_a_double_click_on_a_bid_does_not_change_it(host: Browser) -> None:
    table = host.make("mozaika", ANN, BOB, CEM)
    pages = [host.open(table, seat) for seat in range(3)]
    play(pages, random.Random(1), stop=is_bidding)
    page = pages[0]
    number = page.state["n"]
    for message, text in (("click", "bid 1"), ("clack", "bid 2")):
        page.send(t="do", id=message, n=number, seat=0, do=text)
    refused = [answer for answer in page.settle() if answer["t"] == "refused"]
    assert [(answer["id"], answer["reason"]) for answer in refused] == [("clack", "table.stale")]
    assert page.state["events"][-1]["do"] == "bid 1"
    state = page.do("bid 2")
    assert (state["n"], state["events"][-1]["do"], state["events"][-1]["n"]) == (number + 1, "bid 2", number + 1)


def test_the_ids_of_others_do_not_stand_in_the_way(host: Browser, guest: Browser) -> None:
    table = host.make("patterns", ANN, "link")
    guest.claim(table, BOB, host.keys(table)[1])
    pages = [host.open(table, 0), guest.open(table, 1)]
    for _ in range(2):
        page = actor(pages)
        number = page.state["n"]
        assert page.do(page.state["legal"][0], id="1")["n"] == number + 1, "both pages count from 1"
        for listener in pages:
            listener.until(lambda state, number=number: state["n"] > number)  # type: ignore[misc]
        if page.state["acting"] == [page.state["seat"]]:
            return


def test_the_ids_of_others_are_never_told(host: Browser, guest: Browser) -> None:
    table = host.make("mozaika", ANN, BOB, "link")
    guest.claim(table, CEM, host.keys(table)[2])
    mine = [host.open(table, 0), host.open(table, 1)]
    theirs = guest.open(table, 2)
    watching = guest.open(table)
    for page in (*mine, theirs):
        name = f"secret-of-{page.state['seat']}-"
        page.new_id = lambda page=page, name=name: f"{name}{len(page.told)}"  # type: ignore[method-assign, misc]
    play([*mine, theirs], random.Random(2), 40)
    assert any("secret-of-2" in text for text in theirs.told)
    assert not any("secret-of-0" in text or "secret-of-1" in text for text in theirs.told)
    assert not any("secret-of" in text for text in watching.told)
    assert not any("secret-of-2" in text for page in mine for text in page.told)
    assert not any("secret-of-1" in text for text in mine[0].told), "not even to another seat of the same browser"


# --- Numbers


def test_a_reconnect_tells_exactly_what_was_missed(host: Browser) -> None:
    table = host.make("mosaix", ANN, BOB)
    pages = [host.open(table, seat) for seat in (0, 1)]
    play(pages, random.Random(3), 25)
    last = max(page.state["n"] for page in pages)
    whole = host.open(table).state["events"]
    assert [event["n"] for event in whole] == list(range(whole[0]["n"], last + 1))
    for since in range(last + 1):
        state = pages[0].look(None, since)
        assert state["since"] == since
        assert state["events"] == [event for event in whole if event["n"] > since]


def test_a_reconnect_tells_what_was_shown_meanwhile(host: Browser) -> None:
    table = host.make("mozaika", ANN, BOB, CEM)
    pages = [host.open(table, seat) for seat in range(3)]
    play(pages, random.Random(1), stop=is_bidding)
    first = pages[0].do("bid 1")
    pages[1].do("bid 0")
    onlooker = host.open(table)
    known = onlooker.state["n"]
    assert [event["do"] for event in onlooker.state["events"] if event["n"] > known - 2] == [None, None]
    pages[2].do("bid 2")
    again = host.open(table, since=known).state
    assert [(event["n"], event["do"]) for event in again["events"]] == [
        (first["n"], "bid 1"),
        (first["n"] + 1, "bid 0"),
        (first["n"] + 2, "bid 2"),
    ]


@pytest.mark.parametrize("since", [-1, -(2**63), 10_000, 10**30])
def test_a_number_beyond_either_end_gives_everything(since: int, host: Browser) -> None:
    table, pages = patterns(host)
    page = actor(pages)
    page.do(page.state["legal"][0])
    whole = host.open(table).state
    assert host.open(table, since=since).state == whole
    assert len(whole["events"]) == 2


# --- Who is there


def test_presence_tells_who_comes_and_goes(host: Browser, guest: Browser, new_browser: NewBrowser) -> None:
    table = host.make("patterns", ANN, "link")
    page = host.open(table, 0)
    guest.claim(table, BOB, host.keys(table)[1])
    page.until_people(lambda people: people["seats"][1]["kind"] == "person")
    theirs = guest.open(table, 1)
    while page.newest.get("presence", {}).get("seats") != [True, True]:
        page.receive()
    onlooker = new_browser().open(table, watch=page.table["watch_link"].rpartition("/")[2])
    while page.newest["presence"]["watching"] != 1:
        page.receive()
    onlooker.close()
    theirs.close()
    while (presence := page.newest["presence"])["seats"] != [True, False] or presence["watching"] != 0:
        page.receive()
    here, gone = presence["absent"]
    assert here is None
    assert 0 < gone <= 60
