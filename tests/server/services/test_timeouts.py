"""Time runs out: what was agreed happens, once, whether somebody looks or not, through restarts and outages."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from smalti.server.game_time import SHIFT, now
from smalti.server.problems import Problem
from smalti.server.services.outage import BEAT
from smalti.server.services.timeouts import Timeouts, consequence
from smalti.server.store.schema import matches
from smalti.server.store.writer import Write
from smalti.server.table.log import Log
from smalti.server.table.terms import Clock, Terms
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import facts, rooms_on, seat_everybody, seated
from tests.server.passing import Passing
from tests.server.programs import Postgres
from tests.server.site import PATIENCE, Browser, Message, Page, Server, is_bidding, play, until, wish

LIVE = {"kind": "live", "seconds": 3000, "increment": 100}
NEAR = 60  # seconds that a busy machine may take
SLOW = {"kind": "slow", "seconds": 86_400}


@pytest.fixture
def passing(tmp_path: Path) -> Passing:
    """Time that this test lets pass."""
    return Passing(tmp_path)


@pytest.fixture
def site(serving: Serving, passing: Passing) -> Server:
    """A server that follows the test's time."""
    return serving(**passing.settings)


@dataclass
class Friends:
    """People at a table, each with a browser and a page of their own."""

    table: str
    browsers: list[Browser]
    pages: list[Page]

    @property
    def seat(self) -> int:
        """The seat that must act."""
        return int(self.pages[0].state["acting"][0])

    @property
    def page(self) -> Page:
        """Its page."""
        return self.pages[self.seat]

    @property
    def other(self) -> Page:
        """The page of the other one."""
        return self.pages[1 - self.seat]


def friends(site: Server, new_browser: NewBrowser, **terms: Any) -> Friends:
    """Two people at a table of Patterns, and their pages."""
    host, guest = new_browser(site), new_browser(site)
    table = host.make("patterns", "Ann", "link", terms={"clock": LIVE, **terms})
    guest.claim(table, "Ben", host.keys(table)[1])
    pages = [host.open(table, 0), guest.open(table, 1)]
    for page in pages:
        page.until(lambda state: bool(state["acting"]))
    return Friends(table, [host, guest], pages)


def clocks(page: Page) -> Message:
    """Look again, and return the clocks."""
    page.look(page.state["seat"])
    return page.newest["clocks"]


def until_clocks(page: Page, question: Callable[[Message], bool]) -> Message:
    """Return the clocks as soon as this is true of them."""
    while "clocks" not in page.newest or not question(page.newest["clocks"]):
        page.receive()
    return page.newest["clocks"]


# --- What is told


def test_everybody_is_told_the_clocks_with_every_state(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    at = friends(site, new_browser)
    seat, page = at.seat, at.page
    passing.let_pass(20)
    page.do(page.state["legal"][0])
    for one in at.pages:
        told = until_clocks(one, lambda told: told["running"] == [1 - seat])
        assert 3000 - 20 + 100 - NEAR < told["left"][seat] <= 3000 - 20 + 100
        assert 3000 - NEAR < told["left"][1 - seat] <= 3000
        assert (told["paused"], told["late"]) == (False, [None, None])
    onlooker = new_browser(site)
    link = at.pages[0].table["watch_link"].rpartition("/")[2]
    told = clocks(onlooker.open(at.table, watch=link))
    assert told["running"] == [1 - seat]


def test_a_table_without_clocks_is_told_none(host: Browser) -> None:
    table = host.make("patterns", "Ann", "Ben")
    page = host.open(table, 0)
    assert "clocks" not in page.newest
    assert page.table["terms"] == {"fair": 1, "stand_in": "level-4"}


def test_the_list_of_my_games_says_how_long_i_have(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    host = new_browser(site)
    host.make("patterns", "Ann", "bot:level-1", terms={"clock": SLOW})
    host.make("patterns", "Ann", "bot:level-1")
    until(lambda: all(line["my_turn"] for line in host.get("/api/tables/mine")["tables"]))
    passing.let_pass(3600)
    plain, timed = host.get("/api/tables/mine")["tables"]
    assert ("clock" in plain["terms"], plain["left"]) == (False, None)
    assert timed["terms"]["clock"] == SLOW
    assert 82_800 - NEAR < timed["left"] <= 82_800
    other = new_browser(site)
    assert other.get("/api/tables/open")["tables"] == []


def test_an_open_table_shows_its_clock(site: Server, new_browser: NewBrowser) -> None:
    new_browser(site).make("patterns", "Ann", "link", listed=True, terms={"clock": LIVE, "late": "resign"})
    (line,) = new_browser(site).get("/api/tables/open")["tables"]
    assert (line["terms"]["clock"], line["left"]) == (LIVE, None)


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        ({"clock": {"kind": "live", "seconds": 0}}, "table.clock"),
        ({"clock": {"kind": "slow", "seconds": 10**12}}, "table.clock"),
        ({"clock": {"kind": "sand", "seconds": 60}}, "table.format"),
        ({"clock": {"kind": "live", "seconds": 60.5}}, "table.format"),
        ({"clock": LIVE, "late": "shoot"}, "table.format"),
        ({"clock": LIVE, "stand_in": "nobody"}, "table.bots"),
        ({"clock": LIVE, "tea": True}, "table.format"),
    ],
)
def test_what_cannot_be_agreed_on_is_refused(terms: Message, reason: str, host: Browser) -> None:
    answer = host.post("/api/tables", game="patterns", seats=[wish("Ann"), wish("Ben")], terms=terms)
    assert (answer.status_code, answer.json()["reason"]) == (400, reason)


def test_nobody_is_told_anything_when_a_bid_is_changed(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    host, guest = new_browser(site), new_browser(site)
    table = host.make("mozaika", "Ann", "Ben", "link", terms={"clock": LIVE})
    guest.claim(table, "Cem", host.keys(table)[2])
    pages = [host.open(table, 0), host.open(table, 1), guest.open(table, 2)]
    play(pages, random.Random(3), stop=is_bidding)
    pages[2].do("bid 1")
    pages[0].until(lambda state: 2 not in state["acting"])
    pages[0].settle()
    before, due = len(pages[0].told), due_of(site, table)
    passing.let_pass(100)
    assert pages[2].do("bid 2")["t"] == "state"
    pages[0].settle()
    assert {json.loads(text)["t"] for text in pages[0].told[before:]} == {"pong"}
    assert due_of(site, table) == due
    assert clocks(pages[0])["running"] == [0, 1]


def due_of(site: Server, table: str) -> float:
    """Return when a table's first clock runs out, as it is stored."""
    with closing(sqlite3.connect(site.file)) as database:
        (due,) = database.execute("SELECT due FROM matches WHERE id = ?", (table,)).fetchone()
    return float(due)


# --- What happens then


def test_a_bot_plays_this_move(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    at = friends(site, new_browser, stand_in="level-1")
    seat, page, other = at.seat, at.page, at.other
    number = page.state["n"]
    passing.let_pass(3001)
    for one in at.pages:
        one.until(lambda state: state["n"] > number and bool(state["events"]))
        told = until_clocks(one, lambda told: told["late"][seat] == "move")
        event = one.state["events"][0]
        assert (event["by"], event["late"]) == (seat, True)
        assert told["left"][seat] == pytest.approx(100, abs=0.1), "a moment passes between two entries"
        assert told["running"] == [1 - seat]
    assert page.table["seats"][seat]["mine"]
    other.do(other.state["legal"][0])
    assert other.state["events"][0]["late"] is False


def test_a_bot_takes_the_seat_over(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    at = friends(site, new_browser, late="seat", stand_in="level-1")
    seat, other = at.seat, at.other
    passing.let_pass(3001)
    other.until_people(lambda table: bool(table["seats"][seat]["kind"] == "bot"))
    assert other.table["seats"][seat]["bot"] == "level-1"
    other.until(lambda state: (1 - seat) in state["acting"])
    told = until_clocks(other, lambda told: told["running"] == [1 - seat])
    assert told["left"][seat] is None
    assert told["late"][seat] == "seat"


def test_who_was_replaced_may_come_back(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    at = friends(site, new_browser, late="seat", stand_in="level-1")
    seat = at.seat
    passing.let_pass(3001)
    at.other.until_people(lambda table: bool(table["seats"][seat]["kind"] == "bot"))
    page = at.browsers[seat].open(at.table)
    assert page.table["seats"][seat]["claim"]
    page.send(t="want", id="back", seat=seat, what="return")
    page.until_people(lambda table: bool(table["seats"][seat]["mine"]))
    told = until_clocks(page, lambda told: told["left"][seat] is not None)
    assert told["late"][seat] is None
    assert 100 - NEAR < told["left"][seat] <= 100


def test_the_seat_resigns(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    at = friends(site, new_browser, late="resign")
    seat = at.seat
    passing.let_pass(3001)
    for page in at.pages:
        page.until_people(lambda table: bool(table["stage"] == "over"))
        page.until(lambda state: state["winners"] == [1 - seat])
        assert page.table["ended"] == {"how": "resigned", "by": seat}
        assert until_clocks(page, lambda told: told["late"][seat] == "resign")["running"] == []


def test_where_three_play_the_others_go_on(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    host = new_browser(site)
    table = host.make("mozaika", "Ann", "Ben", "Cem", terms={"clock": LIVE, "late": "resign"})
    page = host.open(table, 0)
    page.until(lambda state: bool(state["acting"]))
    seat = page.state["acting"][0]
    passing.let_pass(3001)
    page.until_people(lambda table: bool(table["seats"][seat]["resigned"]))
    assert page.table["seats"][seat]["kind"] == "bot"
    assert page.table["stage"] == "playing"


# --- Pauses


def test_people_agree_on_a_pause_and_on_going_on(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    at = friends(site, new_browser)
    mover, page, other = at.seat, at.other, at.page
    other.do(other.state["legal"][0])
    page.until(lambda state: state["back"][mover] == "free")
    seat = 1 - mover
    passing.let_pass(10)
    agree(other, page, "pause")
    told = until_clocks(page, lambda told: bool(told["paused"]))
    assert told["running"] == []
    assert page.state["legal"] == []
    assert page.state["back"] == ["", ""]
    before = told["left"]
    passing.let_pass(5000)
    site.kill()
    site.start()
    pages = [at.browsers[n].open(at.table, n) for n in range(2)]
    page, other = pages[seat], pages[1 - seat]
    assert clocks(page)["left"] == before
    assert page.do("open a1")["reason"] == "table.paused"
    for wanted in ({"t": "want", "n": other.state["n"]}, {"t": "ask"}):
        other.send(id=f"back {wanted['t']}", seat=mover, what="back", **wanted)
        assert other.next("refused")["reason"] == "table.paused"
    agree(page, other, "resume")
    told = until_clocks(page, lambda told: not told["paused"])
    assert told["running"] == [seat]
    assert told["left"] == pytest.approx(before, abs=NEAR)
    page.until(lambda state: bool(state["legal"]))
    other.until(lambda state: state["back"][mover] == "free")
    other.send(t="want", id="back", seat=mover, what="back", n=other.state["n"])
    other.until(lambda state: bool(state["legal"]))
    assert other.do(other.state["legal"][0])["t"] == "state"


def agree(one: Page, other: Page, what: str) -> None:
    """Let one ask and the other agree."""
    one.send(t="ask", id=f"ask {what}", seat=one.state["seat"], what=what)
    asked = other.until_people(lambda table: bool(table["proposal"] and table["proposal"]["what"] == what))
    other.send(t="answer", id=f"yes {what}", seat=other.state["seat"], n=asked["proposal"]["n"], yes=True)


def test_who_does_not_want_a_pause_plays_on(site: Server, new_browser: NewBrowser) -> None:
    at = friends(site, new_browser)
    at.other.send(t="ask", id="1", seat=at.other.state["seat"], what="pause")
    asked = at.page.until_people(lambda table: bool(table["proposal"]))
    at.page.send(t="answer", id="2", seat=at.seat, n=asked["proposal"]["n"], yes=False)
    at.page.until_people(lambda table: table["proposal"]["outcome"] == "declined")
    assert not clocks(at.page)["paused"]


def test_nobody_pauses_where_no_clock_runs(site: Server, new_browser: NewBrowser) -> None:
    host = new_browser(site)
    page = host.open(host.make("patterns", "Ann", "Ben"), 0)
    for number, what in enumerate(("pause", "resume")):
        page.send(t="ask", id=str(number), seat=0, what=what)
        assert page.next("refused")["reason"] == "table.pause"
    timed = host.open(host.make("patterns", "Ann", "link", terms={"clock": LIVE}), 0)
    timed.send(t="ask", id="3", seat=0, what="pause")
    assert timed.next("refused")["reason"] == "table.pause"


def test_bots_wait_in_a_pause(site: Server, new_browser: NewBrowser) -> None:
    host = new_browser(site)
    page = host.open(host.make("patterns", "Ann", "bot:level-1", terms={"clock": LIVE}), 0)
    page.until(lambda state: 0 in state["acting"])
    page.send(t="ask", id="1", seat=0, what="pause")  # nobody else has to agree
    until_clocks(page, lambda told: bool(told["paused"]))
    page.send(t="ask", id="2", seat=0, what="resume")
    until_clocks(page, lambda told: not told["paused"])
    page.until(lambda state: bool(state["legal"]))
    page.do(page.state["legal"][0])
    page.until(lambda state: 0 in state["acting"] and state["events"][-1]["by"] == 1)


# --- Too late, and on time


def test_a_move_that_comes_too_late_is_refused(passing: Passing, serving: Serving, new_browser: NewBrowser) -> None:
    slow_to_notice = serving(**{**passing.settings, "SMALTI_SWEEP_MS": "600000"})
    page = friends(slow_to_notice, new_browser).page
    number = page.state["n"]
    passing.let_pass(3001)
    assert page.do(page.state["legal"][0])["reason"] == "table.late"
    assert page.look(page.state["seat"])["n"] == number
    assert clocks(page)["left"][page.state["seat"]] == 0


def test_all_who_are_late_at_once(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    host = new_browser(site)
    table = host.make("mozaika", "Ann", "Ben", "Cem", terms={"clock": LIVE, "stand_in": "level-1"})
    pages = [host.open(table, seat) for seat in range(3)]
    pages[0].until(lambda state: bool(state["acting"]))
    waited_for = list(pages[0].state["acting"])
    passing.let_pass(3001)
    until_clocks(pages[0], lambda told: all(told["late"][seat] == "move" for seat in waited_for))
    by = [event["by"] for event in pages[0].look(0)["events"] if event["late"]]
    assert sorted(by[: len(waited_for)]) == sorted(waited_for)


def test_the_alarm_rings_without_a_sweep(serving: Serving, new_browser: NewBrowser) -> None:
    """In real time, as a live game is played; the sweep would come ten minutes later."""
    site = serving(SMALTI_SWEEP_MS="600000")
    at = friends(site, new_browser, clock={"kind": "live", "seconds": 5}, late="seat")
    seat = at.seat
    at.other.until_people(lambda table: bool(table["seats"][seat]["kind"] == "bot"))


# --- Restarts, and tables that nobody looks at


def until_noted(site: Server, passing: Passing) -> None:
    """Wait until the server has noted that it is alive by now."""

    def is_noted() -> bool:
        with closing(sqlite3.connect(site.file)) as database:
            (value,) = database.execute("SELECT value FROM kept WHERE name = 'alive'").fetchone() or (b"0",)
        return float(value) > now() + passing.seconds - BEAT

    until(is_noted)


def test_clocks_go_on_after_a_restart(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    at = friends(site, new_browser)
    seat, page = at.seat, at.page
    passing.let_pass(500)
    page.do(page.state["legal"][0])
    passing.let_pass(1000)
    until_noted(site, passing)
    before = clocks(page)["left"]
    site.kill()
    site.start()
    again = at.browsers[seat].open(at.table, seat)
    told = clocks(again)
    assert told["running"] == [1 - seat]
    assert told["left"][seat] == before[seat] == pytest.approx(2600, abs=NEAR)
    assert told["left"][1 - seat] == pytest.approx(2000, abs=NEAR)
    passing.let_pass(2001 + NEAR)
    until_clocks(again, lambda told: told["late"][1 - seat] == "move")


def test_time_stands_still_while_the_server_is_down(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    at = friends(site, new_browser, late="seat")
    seat = at.seat
    passing.let_pass(1000)
    for _ in range(2):
        until_noted(site, passing)
        site.kill()
        passing.let_pass(100_000)
        site.start()
        told = clocks(at.browsers[seat].open(at.table, seat))
        assert told["running"] == [seat]
        assert told["left"][seat] == pytest.approx(2000, abs=NEAR)
    page = at.browsers[seat].open(at.table, seat)
    assert page.do(page.state["legal"][0])["t"] == "state"


def test_time_that_runs_out_while_nobody_looks(site: Server, passing: Passing, new_browser: NewBrowser) -> None:
    host, guest = new_browser(site), new_browser(site)
    table = host.make("patterns", "Ann", "link", terms={"clock": SLOW, "late": "seat", "stand_in": "level-1"})
    guest.claim(table, "Ben", host.keys(table)[1])
    passing.let_pass(2 * 86_400)
    until(lambda: [seat["kind"] for seat in host.table(table)["seats"]].count("bot") == 1)


def test_time_that_runs_out_before_anybody_has_come_back(
    site: Server, passing: Passing, new_browser: NewBrowser
) -> None:
    host = new_browser(site)
    table = host.make("patterns", "Ann", "Ben", terms={"clock": SLOW, "stand_in": "level-1"})
    page = host.open(table, 0)
    number, seat = page.state["n"], page.state["acting"][0]
    page.close()
    site.kill()
    site.start()
    passing.let_pass(86_401)
    events = until(lambda: played_late(host, table))
    assert [(event["by"], event["n"]) for event in events] == [(seat, number + 2)]


def played_late(host: Browser, table: str) -> list[Message]:
    """Return the events that a bot played because time had run out."""
    page = host.open(table, 0)
    page.close()
    return [event for event in page.state["events"] if event["late"]]


def test_nobody_is_late_because_nothing_could_be_stored(serving: Serving, new_browser: NewBrowser) -> None:
    site = serving(SMALTI_SWEEP_MS="50")
    at = friends(site, new_browser, clock={"kind": "live", "seconds": 8}, late="resign")
    do, refusals = at.page.state["legal"][0], list[str]()
    with closing(sqlite3.connect(site.file, isolation_level=None)) as other:
        begun = time.monotonic()
        other.execute("BEGIN IMMEDIATE")
        while time.monotonic() - begun < 12:
            refusals.append(at.page.do(do)["reason"])
        other.execute("ROLLBACK")
    assert refusals
    assert set(refusals) == {"table.stored"}
    assert at.page.do(do)["t"] == "state"
    assert clocks(at.other)["late"] == [None, None]
    until(lambda: clocks(at.other)["left"][at.seat] > 0)
    assert not at.other.state["winners"]


# --- Several processes, and what cannot be done


def test_two_processes_notice_and_one_of_them_does_it(
    serving: Serving, passing: Passing, new_browser: NewBrowser, postgres: Postgres, redis: str
) -> None:
    shared = {**passing.settings, "SMALTI_DATABASE": postgres.new_database(), "SMALTI_REDIS": redis}
    one, other = serving(**shared), serving(**shared)
    host, guest = new_browser(one), new_browser(other)
    table = host.make("patterns", "Ann", "link", terms={"clock": LIVE, "stand_in": "level-1"})
    guest.claim(table, "Ben", host.keys(table)[1])
    pages = [host.open(table, 0), guest.open(table, 1)]
    for page in pages:
        page.until(lambda state: bool(state["acting"]))
    seat = int(pages[0].state["acting"][0])
    passing.let_pass(3001)
    for page in pages:
        until_clocks(page, lambda told: told["late"][seat] == "move")
    passing.let_pass(10)  # a second sweep of both
    told = [page.look(number)["events"] for number, page in enumerate(pages)]
    assert told[0] == told[1]
    assert [event["by"] for event in told[0] if event["late"]] == [seat]
    assert [clocks(page)["running"] for page in pages] == [[1 - seat]] * 2


WALL_CLOCK_AHEAD = """
import time
wall = time.time
time.time = lambda: wall() + 3600
"""


def test_all_processes_have_one_time_whatever_their_wall_clocks_say(
    serving: Serving, new_browser: NewBrowser, postgres: Postgres, redis: str, tmp_path: Path
) -> None:
    shared = {"SMALTI_DATABASE": postgres.new_database(), "SMALTI_REDIS": redis, "SMALTI_SWEEP_MS": "50"}
    (tmp_path / "sitecustomize.py").write_text(WALL_CLOCK_AHEAD)
    one = serving(**shared)
    at = friends(one, new_browser, clock={"kind": "live", "seconds": 600}, late="resign")
    before = clocks(at.page)
    other = serving(**shared, PYTHONPATH=str(tmp_path))
    there = new_browser(other, at.browsers[at.seat].cookie).open(at.table, at.seat)
    for page in (at.page, there):
        told = clocks(page)
        assert told["running"] == [at.seat]
        assert told["late"] == [None, None]
        assert told["left"][at.seat] == pytest.approx(before["left"][at.seat], abs=NEAR)
    assert not at.page.state["winners"]


def test_nobody_is_late_because_their_process_has_fallen_silent(
    serving: Serving, new_browser: NewBrowser, postgres: Postgres, redis: str
) -> None:
    shared = {"SMALTI_DATABASE": postgres.new_database(), "SMALTI_REDIS": redis, "SMALTI_SWEEP_MS": "50"}
    one, other = serving(**shared), serving(**shared)
    at = friends(one, new_browser, clock={"kind": "live", "seconds": 12}, late="resign")
    watching = new_browser(other, at.browsers[1 - at.seat].cookie).open(at.table, 1 - at.seat)
    number = watching.look(1 - at.seat)["n"]
    one.freeze()
    try:
        watching.until(lambda state: state["n"] > number)
        assert clocks(watching)["late"] == [None, None], "the process was given up, and their time was given back"
        assert clocks(watching)["left"][at.seat] > 5
    finally:
        one.thaw()
    at.page.do(at.page.state["legal"][0])
    assert clocks(watching)["late"] == [None, None]


def test_a_table_of_other_rules_is_not_looked_at_again_and_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.sqlite"

    async def run() -> None:
        async with rooms_on(url, sweep=0.05) as rooms:
            given = replace(facts("patterns", 2), terms=Terms(clock=Clock("live", 60)))
            await rooms.make(given, False, seat_everybody)
            async with rooms.store.changing() as connection:
                await connection.execute(sa.update(matches).values(rules=999))
            rooms.recent.clear()
            rooms.open.clear()
            write = Write(given.id, [], changes={"due": 1000.0})
            await rooms.store.write(write)
            assert await rooms.store.due_tables(now(), 9) == [given.id]
            keeper = Timeouts(rooms)
            await keeper.start()
            while await rooms.store.due_tables(now(), 9):
                await asyncio.sleep(0.01)
            await keeper.stop()

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_what_fails_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passing = Passing(tmp_path)
    monkeypatch.setenv(SHIFT, str(passing.file))
    failures = [RuntimeError("the thinking processes die"), Problem("stored")]

    async def run() -> Log:
        async with rooms_on(f"sqlite:///{tmp_path}/tables.sqlite", sweep=0.02) as rooms:

            async def choose(log: Log, seat: int, stand_in: str | None, is_wanted: Any) -> str:
                if failures:
                    raise failures.pop()
                return log.match.legal(seat)[0]

            monkeypatch.setattr(rooms.bot_pool, "choose", choose)
            keeper = Timeouts(rooms)
            await keeper.start()
            given = replace(facts("patterns", 2), terms=Terms(clock=Clock("live", 3000)))
            room = await rooms.make(given, False, seat_everybody)
            passing.let_pass(3001)
            while not any(happened.late for happened in room.log.happened):
                await asyncio.sleep(0.01)
            await keeper.stop()
            return room.log

    log = asyncio.run(asyncio.wait_for(run(), PATIENCE))
    assert not failures
    assert [happened.late for happened in log.happened].count(True) == 1


def test_whoever_acts_in_time_is_not_late() -> None:
    log = seated(replace(facts("patterns", 2), terms=Terms(clock=Clock("live", 3000))))
    seat = min(log.match.acting)
    assert consequence(log.copy(), seat, log.asked[seat], log.match.legal(seat)[0]) == []
    assert log.clocks
    log.clocks = replace(log.clocks, at=log.clocks.at - 3001)
    assert len(consequence(log.copy(), seat, log.asked[seat], log.match.legal(seat)[0])) == 2
    assert consequence(log.copy(), seat, log.asked[seat] - 1, log.match.legal(seat)[0]) == []  # thought of before
