"""One table at two processes: everything that can happen at it happens through one and is known to the other."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import secrets
from pathlib import Path
from typing import Any

from smalti.server.table.entries import Entry
from smalti.server.table.log import Log
from tests.server.actions.test_chat import heard, say
from tests.server.actions.test_seats import answer, ask, want
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import rooms_on, told
from tests.server.passing import Passing
from tests.server.programs import Postgres
from tests.server.services.test_timeouts import until_clocks
from tests.server.site import Browser, Message, Page, Server, is_bidding, newest, play

NAMES = ("Ann", "Ben", "Eve")
CLOCK = {"kind": "live", "seconds": 3000, "increment": 100}
EVERYTHING = {
    *("list", "watch", "sit", "nonce", "say", "seal", "play", "ask", "answer", "pause", "resume"),
    *("back", "lend", "return", "late", "resign", "end"),
}


class Spread:
    """A table of Mozaika whose people have a page at each of two processes, and act through one after the other."""

    def __init__(self, new_browser: NewBrowser, *servers: Server) -> None:
        host = new_browser(servers[0])
        terms = {"clock": CLOCK, "stand_in": "level-1"}
        self.table = host.make("mozaika", NAMES[0], "link", "link", terms=terms)
        self.browsers = [self.at_both(new_browser, host, servers)]
        keys = host.keys(self.table)
        for seat in (1, 2):
            first = new_browser(servers[seat % 2])
            assert first.claim(self.table, NAMES[seat], keys[seat]).status_code == 200
            self.browsers.append(self.at_both(new_browser, first, servers))
        self.pages = [[browser.open(self.table, seat) for browser in both] for seat, both in enumerate(self.browsers)]
        for page in self.all_pages:
            page.until(lambda state: bool(state["acting"]))
        self.turns = itertools.count()

    @staticmethod
    def at_both(new_browser: NewBrowser, first: Browser, servers: tuple[Server, ...]) -> list[Browser]:
        """Let somebody be known to both processes."""
        return [first if first.server is server else new_browser(server, first.cookie) for server in servers]

    @property
    def all_pages(self) -> list[Page]:
        return [page for both in self.pages for page in both]

    @property
    def state(self) -> Message:
        """The game as it stands, once all pages know it."""
        return newest(self.all_pages)

    def at(self, seat: int) -> Page:
        """Return the page of a seat at the process whose turn it is, when it has heard everything."""
        assert self.state
        return self.pages[seat][next(self.turns) % 2]

    def play_until(self, question: Any) -> Message:
        """Let everybody play at random, each at any of their pages."""
        play(self.all_pages, random.Random(3), stop=question)
        return self.state

    def decide(self, seat: int, do: str) -> None:
        """Decide something under seal, with a nonce, and let all pages of the seat hear of it."""
        page = self.at(seat)
        nonce = secrets.token_hex(32)
        page.send(t="do", id=page.new_id(), n=page.state["n"], seat=seat, do=do, nonce=nonce)
        for one in self.pages[seat]:
            one.until(lambda state: state["view"]["places"][seat]["bid"] == int(do.removeprefix("bid ")))

    def agree(self, what: str, by: int, *others: int, **values: Any) -> None:
        """Let a seat ask for something, and the others agree."""
        assert ask(self.at(by), what, by, **values) is None
        for seat in others:
            page = self.at(seat)
            page.until_people(lambda table: is_asked(table, what))
            assert answer(page, seat, True) is None


def is_asked(table: Message, what: str) -> bool:
    """Say whether something is being asked at a table."""
    asked = table["proposal"]
    return asked is not None and (asked["what"], asked["outcome"]) == (what, "open")


def seats_that(state: Message, way: str) -> list[int]:
    """List the seats that can take their last step back in this way."""
    return [seat for seat, back in enumerate(state["back"]) if back == way]


def test_everything_goes_through_either_process_and_both_know_the_same(
    serving: Serving, new_browser: NewBrowser, postgres: Postgres, redis: str, tmp_path: Path
) -> None:
    url, passing = postgres.new_database(), Passing(tmp_path)
    shared = {**passing.settings, "SMALTI_DATABASE": url, "SMALTI_REDIS": redis}
    asyncio.run(entries_of(url, "nothing"))  # so that the schema is there
    servers = [serving(wait=False, **shared) for _ in range(2)]
    for server in servers:
        server.wait()
    at = Spread(new_browser, *servers)

    # 1. People talk, and decide who may look on.
    for seat in (0, 1):
        say(at.at(seat), f"words {seat}", seat, text="good evening")
        for page in at.all_pages:
            assert [words["seat"] for words in heard(page, seat + 1)] == [0, 1][: seat + 1]
    assert at.browsers[0][1].patch(f"/api/tables/{at.table}", onlookers="all").status_code == 204

    # 2. A bid is sealed through one process and changed through the other; then there is a pause.
    at.play_until(is_bidding)
    at.decide(0, "bid 1")
    at.decide(0, "bid 2")
    at.agree("pause", 1, 0, 2)
    for page in at.all_pages:
        assert until_clocks(page, lambda told: bool(told["paused"]))["running"] == []
    at.agree("resume", 2, 0, 1)
    for page in at.all_pages:
        assert until_clocks(page, lambda told: not told["paused"])["running"] == [1, 2]

    # 3. Steps are taken back, freely and by consent.
    (seat,) = seats_that(at.play_until(lambda state: bool(seats_that(state, "free"))), "free")
    page = at.at(seat)
    assert want(page, "back", seat, n=page.state["n"]) is None
    seat = seats_that(at.play_until(lambda state: 0 in seats_that(state, "ask")), "ask")[0]
    at.agree("back", seat, *({0, 1, 2} - {seat}))

    # 4. Somebody hands their seat on, and comes back.
    assert want(at.at(2), "hand-on", 2) is None
    for page in at.all_pages:
        page.until_people(lambda table: bool(table["seats"][2]["kind"] == "free"))
    assert want(at.pages[2][1], "return", 2) is None
    for page in at.pages[2]:
        page.until_people(lambda table: table["seats"][2]["mine"])
        page.look(2)

    # 5. Time runs out, somebody gives up, and the others end it.
    late = at.state["acting"][0]
    passing.let_pass(4000)
    for page in at.all_pages:
        until_clocks(page, lambda told: told["late"][late] == "move")
    assert want(at.at(2), "resign", 2) is None
    at.agree("end", 1, 0)
    for page in at.all_pages:
        page.until_people(lambda table: bool(table["stage"] == "over"))

    is_known_alike(at, asyncio.run(entries_of(url, at.table)))
    assert "Traceback" not in servers[0].log + servers[1].log


async def entries_of(url: str, table: str) -> tuple[Log | None, list[Entry]]:
    """Read a table's log anew, as a third process would."""
    async with rooms_on(url) as rooms:
        return await rooms.store.log(table), await rooms.store.entries(table, 0)


def is_known_alike(at: Spread, stored: tuple[Log | None, list[Entry]]) -> None:
    """Compare what both processes tell, and what follows from the database."""
    log, entries = stored
    assert log
    assert {entry.row().kind for entry in entries} == EVERYTHING
    for seat in (None, 0, 1):
        pages = [browser.open(at.table, seat) for browser in at.browsers[seat or 0]]
        states = [page.state for page in pages]
        assert states == [json.loads(told(log, seat))] * 2
        assert [len(heard(page, 2)) for page in pages] == [2, 2]
    for address in ("", "/replay", "/record", "/fairness"):
        one, other = (browser.get(f"/api/tables/{at.table}{address}") for browser in at.browsers[0])
        assert one == other
