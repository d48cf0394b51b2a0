"""What is hidden stays hidden: nobody's browser is ever told what somebody else keeps secret."""

from __future__ import annotations

import json
import random
import re
import sqlite3
import time
from typing import Any

import pytest
from playwright.sync_api import WebSocket, expect

from smalti.server.keys import holder_of
from tests.browser.conftest import Visit
from tests.browser.heap import Heap
from tests.browser.mozaika import Mozaika
from tests.browser.people import Person, wait_for_all
from tests.browser.site import Site
from tests.browser.stages import Tables, lend
from tests.browser.test_talking import ONLOOKERS, SECRET, open_talk, say, words
from tests.server.site import PATIENCE, Message, Page, is_bidding, play

LIVE = {"kind": "live", "seconds": 600, "increment": 5}
CLOCK = re.compile(r"^(\d|\d+:\d\d|(\d+ \w+,? ?)+left)$")  # the number of a seat, and what it has left
WHISPERED = "who is ahead?"
HANDS = {"open": "Open: everybody sees everybody’s tiles", "hidden": "Hidden: you see only your own tiles"}


# --- What a browser may be told


class Audience:
    """Goes through what one browser was told, message by message, and finds what it should not have been told."""

    def __init__(self, hands: str) -> None:
        self.hands = hands
        self.known: dict[int, Message] = {}
        self.rounds: dict[tuple[int, int | None], str] = {}
        self.sealed = 0
        self.seen = 0
        self.timed = 0
        self.auction: int | None = None  # the round, while everybody bids
        self.stopped: dict[tuple[int | None, int], float] = {}  # by round and seat: what it had left when it had bid

    def hear(self, frame: str) -> None:
        """Check one message."""
        message = json.loads(frame)
        if message["t"] == "table":
            assert all(seat["link"] is None for seat in message["seats"]) or message["host"], message
        if message["t"] == "clocks":
            self.check_clocks(message)
        if message["t"] != "state" or message["view"] is None:
            return
        self.seen += 1
        self.known.update({event["n"]: event for event in message["events"]})
        self.check_ids(message)
        is_bidding = message["view"]["phase"] == "bidding" and message["acting"]
        self.auction = message["view"]["round"] if is_bidding else None
        if message["view"]["phase"] == "bidding":
            self.check_bids(message)
        if self.hands == "hidden" and message["acting"]:
            self.check_hands(message)

    def check_ids(self, state: Message) -> None:
        """The ids of messages are for those who sent them."""
        assert all(event["id"] is None for event in state["events"] if event["by"] != state["seat"]), state["events"]

    def check_bids(self, state: Message) -> None:
        """Nothing of another's bid, and nothing that depends on it."""
        seat = state["seat"]
        others = [place for other, place in enumerate(state["view"]["places"]) if other != seat]
        assert all(place["bid"] is None for place in others), state["view"]
        drawn = max(n for n, event in self.known.items() if (event["do"] or "").startswith("draw"))
        bids = [event for n, event in self.known.items() if n > drawn and event["by"] not in (None, seat)]
        assert all((event["do"], event["seal"], event["at"]) == (None, None, 0) for event in bids), bids
        self.sealed += len(bids)
        trace, key = untouched(state), (state["view"]["round"], seat)
        assert self.rounds.setdefault(key, trace) == trace

    def check_clocks(self, clocks: Message) -> None:
        """A clock that has stopped does not tell that somebody has thought again."""
        standing = {seat: left for seat, left in enumerate(clocks["left"]) if seat not in clocks["running"]}
        for seat, left in standing.items() if self.auction is not None else ():
            self.timed += (self.auction, seat) in self.stopped
            assert self.stopped.setdefault((self.auction, seat), left) == left, clocks

    def check_hands(self, state: Message) -> None:
        """No tile of another's hand, neither in it nor in how it was dealt."""
        seat = state["seat"]
        for other, place in enumerate(state["view"]["places"]):
            assert (place["hand"] is None) == (other != seat), place
        dealt = [event for event in state["events"] if event["n"] <= 1 or (event["do"] or "").startswith("deal")]
        assert all(event["do"] is None or not tiles_in(event["do"]) for event in dealt if seat is None), dealt


def tiles_in(text: str) -> list[str]:
    """The tiles a text names."""
    return re.findall(r"\b[RBY][1-4]\b", text)


def untouched(state: Message) -> str:
    """What a sealed bid must not change: all but who is missing and one's own bid."""
    view = {key: value for key, value in state["view"].items() if key != "waiting"}
    view["places"] = [
        {**place, "bid": None if other == state["seat"] else place["bid"]} for other, place in enumerate(view["places"])
    ]
    return json.dumps([view, state["score"], state["scores"], state["winners"], state["secret"]], sort_keys=True)


# --- A table with three people, each at a screen of their own, and an onlooker


def cookie_of(person: Person) -> str:
    """The secret of a browser."""
    return next(str(cookie.get("value")) for cookie in person.page.context.cookies() if cookie.get("name") == "smalti")


def bid_on_the_board(person: Person, coins: int) -> None:
    """Seal a bid as people do: add coin after coin, press the button."""
    for _ in range(coins):
        person.press_button("One coin more")
    person.press_button(f"Seal the bid: {coins}")


def is_sealed(person: Person, coins: int) -> None:
    """Wait until the bid is confirmed."""
    expect(person.page.get_by_text(re.compile(rf"^Sealed: {coins} coins?$"))).to_be_visible()


def hidden(site: Site, table: str) -> dict[str, str]:
    """Return what must not be told before the end: the secret, and by seat what was added to it."""
    with sqlite3.connect(site.file) as database:
        (secret,) = database.execute("SELECT secret FROM matches WHERE id = ?", (table,)).fetchone()
        rows = database.execute(
            "SELECT kind, n, body FROM events WHERE match = ? AND kind IN ('nonce', 'seal')", (table,)
        )
        return {"secret": secret.hex(), **{f"{kind} {n}": json.loads(body)["nonce"] for kind, n, body in rows}}


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_no_browser_is_told_what_another_keeps_secret(hands: str, visit: Visit, tables: Tables, site: Site) -> None:
    ada, bo, eve = visit(), visit(size="phone"), visit()
    ada.open("/")
    name = ada.make_table("mozaika", "Ada", "link", "link", clock="live-15", hands=HANDS[hands])
    links = [ada.link(1), ada.link(2)]
    watch = ada.watch_link()
    eve.open(watch)
    eve.until(lambda: eve.table)
    bo.join(links[0], "Bo")
    cleo = tables.somebody()
    assert cleo.claim(name, "Cleo", links[1].rpartition("/")[2]).status_code == 200
    # The game is played with the same cookies, while the screens look on.
    cookies = [cookie_of(ada), cookie_of(bo), str(cleo.cookie)]
    pages = [tables.somebody(cookie).open(name, seat) for seat, cookie in enumerate(cookies)]
    play(pages, random.Random(5), stop=is_bidding)
    for person, called in ((ada, None), (bo, None), (eve, "Eve")):
        open_talk(person, called)
    bid_on_the_board(ada, 3)
    is_sealed(ada, 3)
    pages[0].until(lambda state: 0 not in state["acting"])
    say(ada, SECRET)
    expect(words(bo)).to_contain_text(SECRET)
    # Who came is told a moment later: when the last one has been, nothing of that is still to come.
    tables.somebody().open(name, watch=watch.rpartition("/")[2])
    wait_for_all((bo, eve), lambda person: person.newest["presence"]["watching"] == 2)
    nobody_notices_a_change(ada, bo, eve)
    pages[0].look(0)
    play(pages, random.Random(5))
    wait_for_all((ada, bo, eve), lambda person: person.is_over)

    for person in (ada, bo, eve):
        audience = Audience(hands)
        for frame in person.frames:
            audience.hear(frame)
        assert audience.sealed > 10
        assert audience.seen > 30
        assert audience.timed > 0
    forbid_keys(ada, bo, eve, cookies=cookies, links=links)
    forbid_ids([ada, bo, eve], pages)
    secret = hidden(site, name)
    assert sorted(key.split()[0] for key in secret) == ["nonce"] * 3 + ["seal"] * 2 + ["secret"]
    assert not [key for key, part in secret.items() for person in (ada, bo, eve) if part in person.told]
    assert SECRET not in eve.told
    assert WHISPERED not in ada.told + bo.told


def nobody_notices_a_change(ada: Person, bo: Person, eve: Person) -> None:
    """Let somebody bid anew; what the others are told next is what they say themselves, and nothing else."""
    # The first bid has been told, to the last message.
    wait_for_all((bo, eve), lambda person: 0 not in person.newest["clocks"]["running"])
    before = {bo: len(bo.frames), eve: len(eve.frames)}
    Mozaika().change_bid(ada, 2)
    is_sealed(ada, 2)
    ada.until(lambda: ada.state and ada.state["view"]["places"][0]["bid"] == 2)
    bo.press_button("One moment, please.")
    expect(words(bo)).to_contain_text("One moment, please.")
    say(eve, WHISPERED)
    expect(words(eve, ONLOOKERS)).to_contain_text(WHISPERED)
    wait_for_all((bo, eve), lambda person: len(person.frames) > before[person])
    for person, first in before.items():
        told = [json.loads(text)["t"] for text in person.frames[first:]]
        assert set(told) <= {"talk", "pong"}, told


def forbid_keys(*people: Person, cookies: list[str], links: list[str]) -> None:
    """No secret of a browser, no hash of one, and no key of another's link is told to anybody."""
    keys = [link.rpartition("/")[2] for link in links]
    for number, person in enumerate(people):
        told = person.told
        for cookie in cookies:
            assert cookie not in told
            assert holder_of(cookie.partition(".")[0]) not in told
        if number:  # the host makes the links
            assert not [key for key in keys if key in told]


def forbid_ids(people: list[Person], pages: list[Page]) -> None:
    """The ids of a seat's messages reach that seat only."""
    for seat, page in enumerate(pages):
        own = {event["id"] for text in page.told for event in events_of(text) if event["id"]}
        assert own
        for other, person in enumerate(people):
            if other != seat:
                told = person.told
                assert not [one for one in own if one in told]


def events_of(text: str) -> list[Message]:
    """The events of a message."""
    message = json.loads(text)
    return list(message.get("events", []))


# --- One screen, from hand to hand


class Wire:
    """Everything that goes over the line of a page, in order."""

    def __init__(self, person: Person) -> None:
        self.all: list[tuple[str, Any]] = []
        person.page.on("websocket", self.listen)

    def listen(self, socket: WebSocket) -> None:
        """Write down a connection."""
        socket.on("framesent", lambda text: self.all.append(("sent", json.loads(text))))
        socket.on("framereceived", lambda text: self.all.append(("told", json.loads(text))))

    def since_covered(self) -> list[Message]:
        """What the page was told since it asked, last, to see what everybody may see."""
        last = max(
            place
            for place, (way, message) in enumerate(self.all)
            if way == "sent" and message["t"] == "look" and message["seat"] is None
        )
        return [message for way, message in self.all[last:] if way == "told"]

    def ids(self) -> list[str]:
        """The ids of the moves that were sent."""
        return [message["id"] for way, message in self.all if way == "sent" and message["t"] == "do"]


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_a_screen_that_is_handed_over_has_forgotten_what_was_secret(hands: str, visit: Visit, tables: Tables) -> None:
    is_timed = hands == "hidden"
    table = tables.shared("mozaika", options={"hands": hands}, terms={"clock": LIVE} if is_timed else {})
    tables.look(table, range(3))
    table.play(is_bidding)
    ada = visit(size="phone")
    wire = Wire(ada)
    lend(ada.page.context, table.host)
    ada.open(f"/table/{table.id}")
    expect(ada.heading("Hand the device to Ada")).to_be_visible()
    ada.take_over()
    ada.until(lambda: ada.eyes == 0 and ada.legal)
    assert Heap(ada.page).found(lambda text: text == "bid 7"), "the way of looking finds what is there"
    bid_on_the_board(ada, 7)

    expect(ada.heading("Hand the device to Bo")).to_be_visible()
    shows_nothing(ada, "Bo", ["Bo", "Cleo"] if is_timed else [])
    ada.until(lambda: ada.eyes is None and ada.state)
    audience = Audience(hands)
    told = wire.since_covered()
    assert any(message["t"] == "state" for message in told)
    for message in told:
        assert message.get("seat") is None
        audience.hear(json.dumps(message))
    remembers_nothing(ada, wire.ids())


def shows_nothing(person: Person, name: str, running: list[str]) -> None:
    """The screen says to whom it goes and whose time runs, and nothing else."""
    clocks = person.page.get_by_role("list", name="Time is running for").get_by_role("listitem")
    expect(clocks).to_contain_text(running)  # the clocks are told after the state that covers the screen
    words = [line for line in person.page.locator("main").inner_text().splitlines() if line.strip()]
    assert words[3] == f"I am {name}"  # after the number of the seat, the name, and why
    assert words[4:5] == ["Time is running for"][: len(running)], words
    assert [word for word in words[5:] if not CLOCK.match(word)] == running, words
    heard = re.sub("- timer: .*", "", person.page.locator("main").aria_snapshot())
    assert "7" not in heard
    assert "coin" not in heard.lower()
    assert not re.search(r"circle|triangle|square|star|sealed", heard)
    assert person.page.locator("main svg [data-spot], main [data-cell]").count() == 0


def remembers_nothing(person: Person, ids: list[str]) -> None:
    """Nothing of the bid can be reached in the page's memory, once the pointer has moved on.

    Chromium itself holds on to the button that was pressed last until the pointer is elsewhere.
    """
    person.page.mouse.move(1, 1)
    person.page.mouse.move(2, 2)
    end = time.monotonic() + PATIENCE
    while (heap := Heap(person.page)).found(lambda text: text == "Seal the bid: 7") and time.monotonic() < end:
        person.page.wait_for_timeout(50)
    for what, question in (
        ("the bid", lambda text: text in ("bid 7", "Sealed: 7 coins", "Seal the bid: 7")),
        ("the id of the bid", lambda text: any(one in text for one in ids)),
        ("a message for the seat", lambda text: text.startswith('{"t":"state"') and '"seat":0,' in text),
    ):
        held = heap.found(question)
        assert not held, f"{what} is still held:\n{heap.ways(held)}"
