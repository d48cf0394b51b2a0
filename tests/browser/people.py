"""Somebody at a browser: a page with verbs. Things are found as people and screen readers find them, by role and name.

`Person` remembers everything the page was told: all messages in `frames`, all answers in `bodies`, and the newest of
each kind of message as the page itself sees it (`state`, `table`). Everything waits for messages, never for the clock.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Request, Response, WebSocket, expect

from tests.browser.site import Site
from tests.server.site import PATIENCE

Message = dict[str, Any]

TITLES = {"mosaix": "Mosaix", "mozaika": "Mozaika", "patterns": "Patterns"}
LEVELS = {"level-1": "1 · Snail", "level-2": "2 · Sparrow"}
ONLOOKERS = {
    "all": "Everybody: the game is shown in the lobby",
    "link": "Only with the link for looking on",
    "none": "Nobody",
}
LOST = "The connection is lost"
LONGEST = 4 * PATIENCE  # seconds, for a page that is only slow
CUT = (
    r"WebSocket connection to",
    r"ERR_(CONNECTION|CONTENT_LENGTH|EMPTY|INCOMPLETE|INTERNET|NETWORK|SOCKET)",
)  # a lost line is no fault
WATCH_POLICY = """addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`))"""


class Person:
    """Somebody at a page of their own."""

    def __init__(self, page: Page, site: Site, is_touching: bool = False) -> None:
        self.page, self.site, self.is_touching = page, site, is_touching
        self.frames: list[str] = []
        self.sent: list[Message] = []
        self.bodies: list[str] = []
        self.noises: list[str] = []
        self.expected: list[str] = []
        self.eyes: int | None = None  # the seat the page looks from
        self.newest: dict[str, Message] = {}
        self.done: set[tuple[int, int | None, str | None]] = set()  # number, seat and deed of everything told
        self._answers: list[Response] = []
        page.add_init_script(WATCH_POLICY)
        page.on("websocket", self._connected)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.noises.append(f"error: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", lambda answer: self._answers.append(answer))

    # --- What the page is told

    def _connected(self, socket: WebSocket) -> None:
        self.newest.clear()
        self.done.clear()
        self.eyes = None
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        self.sent.append(message)
        if message["t"] == "look" and message["seat"] != self.eyes:
            self.eyes = message["seat"]
            self.newest.pop("state", None)

    def _received(self, frame: str | bytes) -> None:
        self.frames.append(frame if isinstance(frame, str) else frame.decode())
        message = json.loads(frame)
        if message["t"] == "state" and message["seat"] != self.eyes:
            return  # the page puts it aside, too
        self.newest[message["t"]] = message
        self.done |= {(event["n"], event["by"], event["do"]) for event in message.get("events", ())}

    @property
    def told(self) -> str:
        """Everything this browser has been told, in one text to search in."""
        for answer in self._answers:
            with suppress(Error):  # what the browser has thrown away, and answers without a body
                self.bodies.append(answer.text())
        self._answers.clear()
        return "\n".join([*self.frames, *self.bodies])

    @property
    def state(self) -> Message | None:
        """The game as the page was told it last, for the seat it looks from now."""
        return self.newest.get("state")

    @property
    def table(self) -> Message | None:
        """The people as the page was told them last."""
        return self.newest.get("table")

    def until(self, question: Callable[[], Any]) -> None:
        """Let messages come until this is true; a slow page that still hears something is given more time."""
        begun = last = time.monotonic()
        heard = len(self.frames)
        while not question():
            now = time.monotonic()
            if len(self.frames) > heard:
                heard, last = len(self.frames), now
            in_vain = now > last + PATIENCE or now > begun + LONGEST
            assert not in_vain, f"waited in vain at {self.page.url}: {self.newest}"
            self.page.wait_for_timeout(10)  # lets the browser's messages in

    # --- What goes wrong

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.noises.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _failed(self, request: Request) -> None:
        # A page that is left lets go of what it was fetching.
        if "ERR_ABORTED" not in (request.failure or ""):
            self.noises.append(f"failed: {request.method} {request.url} {request.failure}")

    def expect_noise(self, *patterns: str) -> None:
        """Say which complaints of the page are no fault in this test."""
        self.expected += patterns

    def complaints(self) -> list[str]:
        """List what went wrong and was not expected."""
        return [noise for noise in self.noises if not any(re.search(pattern, noise) for pattern in self.expected)]

    # --- Hands and eyes

    def press(self, what: Locator, **where: Any) -> None:
        """Press something, with the mouse or a finger."""
        if self.is_touching:
            what.tap(**where)
        else:
            what.click(**where)

    def unfold(self, title: str) -> None:
        """Open what is folded under a title, unless it is open already, as it is on wide screens that come later."""
        summary = self.page.get_by_text(title, exact=True)
        expect(summary).to_be_visible()
        if not summary.evaluate("summary => summary.closest('details').open"):
            self.press(summary)

    def button(self, name: str | re.Pattern[str], within: Locator | None = None) -> Locator:
        """Find a button by its whole name."""
        return (within or self.page).get_by_role("button", name=name, exact=True)

    def press_button(self, name: str | re.Pattern[str]) -> None:
        """Press the button with this name."""
        self.press(self.button(name))

    def heading(self, name: str | re.Pattern[str]) -> Locator:
        """Find a heading."""
        return self.page.get_by_role("heading", name=name)

    def text(self) -> str:
        """Return everything that can be read on the page."""
        return self.page.locator("body").inner_text()

    def heard(self) -> str:
        """Return everything a screen reader could say of the page, names of pictures included."""
        return self.page.locator("body").aria_snapshot()

    # --- Going places

    def open(self, path: str = "/") -> None:
        """Open an address of the site."""
        self.page.goto(path)

    def leave(self) -> None:
        """Close the browser."""
        self.page.context.close()

    def play_now(self, game: str) -> None:
        """Begin at the first page, against a bot."""
        self.open("/")
        self.press(self.page.get_by_role("button", name=f"Play now : {TITLES[game]}"))
        self.is_at_table()

    def play_solo(self, game: str) -> None:
        """Begin at the first page, alone."""
        self.open("/")
        self.press(self.page.get_by_role("button", name=re.compile(rf"^Solo ?: {TITLES[game]}$")))
        self.is_at_table()

    def make_table(
        self,
        game: str,
        *seats: str,
        onlookers: str = "link",
        listed: bool = False,
        clock: str = "none",
        **options: str,
    ) -> str:
        """Fill in the form of a new table and return its id; a seat is `link`, `bot:NAME`, or a name."""
        self.open(f"/new/{game}")
        count = self.page.get_by_role("group", name="How many play?")
        expect(self.button("Set up the table")).to_be_visible()
        if count.is_visible():
            self.press(count.get_by_role("button", name=re.compile(rf"^{len(seats)} ")))
        for number, seat in enumerate(seats, 1):
            self.fill_seat(self.page.get_by_role("group", name=f"Seat {number}", exact=True), seat)
        if listed:
            self.page.get_by_role("radio", name="Open: anybody can sit down").check()
        if options or onlookers != "link" or clock != "none":
            self.open_more()
            for value in options.values():
                self.page.get_by_role("radio", name=value).check()
            self.page.get_by_role("radio", name=ONLOOKERS[onlookers], exact=True).check()
            self.page.get_by_label("Time to think").select_option(clock)
        self.press_button("Set up the table")
        return self.is_at_table()

    def open_more(self, name: str = "More settings") -> None:
        """Open what most leave as it is in the form of a new table."""
        self.press(self.page.get_by_text(name, exact=True))

    def fill_seat(self, seat: Locator, who: str) -> None:
        """Say who is to sit on a seat."""
        kind = seat.get_by_role("combobox", name="Who")
        if who == "link":
            kind.select_option(label="By link")
        elif who.startswith("bot:"):
            kind.select_option(label="Bot")
            seat.get_by_role("combobox", name="Level").select_option(label=LEVELS[who.removeprefix("bot:")])
        else:
            kind.select_option(label="At this screen")
            seat.get_by_role("textbox", name="Name").fill(who)

    def is_at_table(self) -> str:
        """Wait until a table is open, and return its id."""
        self.page.wait_for_url(re.compile(r"/(table|watch)/"))
        self.until(lambda: self.table and self.table["id"] in self.page.url)
        assert self.table
        return str(self.table["id"])

    def sees_game(self) -> None:
        """Wait until the game has begun, and is told."""
        self.until(lambda: self.state and self.state["view"])

    def is_settled(self) -> bool:
        """Say whether the game has begun, or waits for somebody to sit down."""
        waits = self.table and any(seat["kind"] == "free" for seat in self.table["seats"])
        return bool(self.table and (waits or self.table["stage"] != "gathering"))

    def link(self, seat: int) -> str:
        """Read the link for a free seat at a table where people gather."""
        return self.page.get_by_role("textbox", name=f"Link for seat {seat + 1}").input_value()

    def watch_link(self) -> str:
        """Read the link for onlookers, while people gather or beside the game."""
        field = self.page.get_by_role("textbox", name="Link for looking on")
        self.until(self.is_settled)
        if self.table and self.table["stage"] != "gathering":
            self.press_button("More")
        found = field.input_value()
        if self.table and self.table["stage"] != "gathering":
            self.press_button("Close")
        return found

    def join(self, link: str, name: str) -> str:
        """Open a link, say a name, sit down; return the table's id."""
        self.open(link)
        self.page.get_by_role("textbox", name="Name").fill(name)
        self.press_button("Sit down")
        return self.is_at_table()

    def use_words(self, on: bool = True) -> None:
        """Show the table in words, or as a picture."""
        switch = self.button("In words")
        if switch.get_attribute("aria-pressed") != str(on).lower():
            self.press(switch)

    # --- The game

    @property
    def names(self) -> list[str]:
        """Who sits at the table, as the page was told."""
        return [str(seat["name"]) for seat in self.table["seats"]] if self.table else []

    @property
    def mine(self) -> list[int]:
        """The seats of this browser."""
        return [n for n, seat in enumerate(self.table["seats"]) if seat["mine"]] if self.table else []

    @property
    def legal(self) -> list[str]:
        """What the seat in sight can do."""
        return list(self.state["legal"]) if self.state else []

    @property
    def number(self) -> int:
        """The number of the newest state, -1 while there is none."""
        return int(self.state["n"]) if self.state else -1

    @property
    def is_my_turn(self) -> bool:
        """Whether somebody at this page must act."""
        return self.state is not None and any(seat in self.mine for seat in self.state["acting"])

    @property
    def is_over(self) -> bool:
        """Whether the page was told that the game is over."""
        return self.state is not None and not self.state["acting"] and bool(self.state["winners"] or self.verdict)

    @property
    def verdict(self) -> str:
        """What a solo game came to."""
        return str(self.state["verdict"]) if self.state else ""

    @property
    def is_ready(self) -> bool:
        """Whether the page looks from a seat that must act."""
        return self.state is not None and self.eyes in self.state["acting"] and bool(self.legal)

    @property
    def is_handed_over(self) -> bool:
        """Whether the page waits to be handed to somebody here, with nothing in sight."""
        return self.eyes is None and self.is_my_turn and self.state is not None and bool(self.state["secret"])

    def sit_before(self) -> int:
        """Wait until the page looks from a seat that must act, taking it over if it asks; return the seat."""
        self.until(lambda: self.is_ready or self.is_handed_over)
        if self.is_handed_over:
            self.take_over()
            self.until(lambda: self.is_ready)
        assert self.eyes is not None
        return self.eyes

    def until_done(self, seat: int, move: str, after: int) -> None:
        """Wait until a seat has done this, later than this number."""
        self.until(lambda: any(n > after and (by, do) == (seat, move) for n, by, do in self.done))

    def hand_over_heading(self) -> Locator:
        """Find what the page says while it goes from hand to hand."""
        return self.heading(re.compile(r"^Hand the device to "))

    def take_over(self) -> None:
        """Say that one is the one the page was handed to."""
        self.press_button(re.compile(r"^I am "))

    def reads_result(self) -> None:
        """Read the result and how it came about, and compare both with what the page was told."""
        assert self.state
        scores, winners = self.state["scores"], self.state["winners"]
        best = scores[winners[0]] if winners else scores[0]
        expect(self.heading(re.compile(rf"\b{best} points?\b"))).to_be_visible()
        self.unfold("How the points came about")
        for seat, points in enumerate(scores):
            total = self.page.get_by_role("row", name=f"Total {points}", exact=True)
            expect(total.nth(scores[:seat].count(points))).to_be_visible()


def start_again(site: Site, people: Sequence[Person]) -> None:
    """Start a server that was killed, on the same files; the pages need not wait until they try again."""
    site.start()
    for person in people:
        person.page.evaluate("dispatchEvent(new Event('online'))")


def wait_for_all(people: Sequence[Person], question: Callable[[Person], Any]) -> None:
    """Wait until something is true of everybody."""
    for person in people:
        person.until(lambda person=person: question(person))  # type: ignore[misc]
