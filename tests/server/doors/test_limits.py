"""How often: what one browser and one address may do, whoever stands between, and that honest people never notice."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from smalti.engine.records import unique_keys
from smalti.server.actions.importing import MOST_WAITING, Imports
from smalti.server.doors.line.addresses import Proxies, key_of
from smalti.server.doors.line.limits import SOCKETS_A_BROWSER
from smalti.server.problems import Problem, WrongRecord
from smalti.server.settings import Settings
from smalti.server.token_bucket import Buckets
from smalti.server.workers.readiness import Readiness
from tests.server.conftest import NewBrowser, Serving
from tests.server.raw import asked
from tests.server.site import PATIENCE, ROOT, Browser, Page, Server, play

USUAL = {
    "SMALTI_TABLES_AN_HOUR": str(Settings.tables_an_hour),
    "SMALTI_MESSAGES_A_SECOND": str(Settings.messages_a_second),
    "SMALTI_READS_A_SECOND": str(Settings.reads_a_second),
    "SMALTI_CONNECTIONS_AN_ADDRESS": str(Settings.connections_an_address),
}
CLASS = 30  # behind one address
RECORD = ROOT / "tests" / "golden" / "patterns" / "full-board.json"
WISH = {"game": "patterns", "seats": [{"kind": "link"}, {"kind": "link"}]}
T = TypeVar("T")


# --- Buckets and keys


def test_a_bucket_says_when_there_is_a_token_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    found = Buckets(0.5, 3, keys=2)
    assert [found.wait("a") for _ in range(4)] == [0, 0, 0, 2]
    assert found.wait("b") == 0
    now = 1.0
    assert found.wait("a") == 1
    now = 2.0
    assert found.wait("a") == 0
    with pytest.raises(Problem, match="Try again in 2 s"):
        found.spend("a")
    assert found.wait("a", cost=3) == 6
    found.wait("c")
    assert list(found.left) == ["a", "c"], "only so many are remembered"


def test_nothing_is_allowed_by_a_limit_of_nothing() -> None:
    assert Buckets(0, 0).wait("a") > 0


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        *((text, "") for text in ("", "unknown", "1.2.3", "evil.example", "1.2.3.4:80")),
    ],
)
def test_addresses_are_counted_by_what_their_owner_cannot_choose(address: str, key: str) -> None:
    assert key_of(address) == key


def test_a_proxy_is_trusted_by_address_or_network() -> None:
    proxies = Proxies(("127.0.0.1", "10.0.0.0/8", "fd00::/8"))
    assert all(one in proxies for one in ("127.0.0.1", "10.9.8.7", "::ffff:10.1.1.1", "fd00::5"))
    assert not any(one in proxies for one in ("127.0.0.2", "11.0.0.1", "::1", "", "proxy"))
    assert "::ffff:10.0.0.0/104" in proxies.names


# --- Tables


def made(server: Server, forwarded: str = "", source: str = "127.0.0.1", cookie: str = "") -> int:
    """Make a table without keeping the cookie, and return the status."""
    headers = {"x-forwarded-for": forwarded} if forwarded else {}
    headers |= {"cookie": cookie} if cookie else {}
    with httpx.Client(transport=httpx.HTTPTransport(local_address=source), timeout=PATIENCE) as client:
        return client.post(f"{server.url}/api/tables", json=WISH, headers=headers).status_code


def test_a_made_up_address_counts_for_nothing(serving: Serving) -> None:
    server = serving(SMALTI_TABLES_AN_HOUR="2")
    assert [made(server, f"1.2.3.{number}") for number in range(3)] == [201, 201, 429]
    assert made(server, source="127.0.0.2") == 201


def test_behind_a_trusted_proxy_the_last_address_that_is_not_one_counts(serving: Serving) -> None:
    server = serving(SMALTI_TABLES_AN_HOUR="2", SMALTI_PROXIES="127.0.0.1 10.0.0.0/8")
    assert [made(server, f"9.9.9.{number}, 1.2.3.4") for number in range(3)] == [201, 201, 429]
    assert made(server, "1.2.3.5") == 201
    assert [made(server, f"2001:db8::{number}, 10.0.0.5") for number in range(3)] == [201, 201, 429], "a /64 is one"
    assert made(server, "2001:db8:0:1::1") == 201
    assert made(server, "1.2.3.5", source="127.0.0.2") == 201, "not the proxy: its own address counts"
    assert [made(server, f"1.2.3.{number}", source="127.0.0.2") for number in (6, 7)] == [201, 429]


def test_browsers_behind_one_address_have_an_allowance_each_and_the_address_has_an_end(
    serving: Serving, new_browser: NewBrowser
) -> None:
    server = serving(SMALTI_TABLES_AN_HOUR="3", SMALTI_CROWD="10")  # the address: six
    browsers = [new_browser(server) for _ in range(3)]
    codes = [[browser.post("/api/tables", **WISH).status_code for _ in range(4)] for browser in browsers[:2]]
    assert codes == [[201, 201, 201, 429]] * 2
    refused = browsers[2].post("/api/tables", **WISH)
    assert (refused.status_code, refused.json()["reason"]) == (429, "table.many")
    assert int(refused.headers["retry-after"]) == refused.json()["values"]["seconds"] > 0


def test_new_cookies_do_not_sit_down_without_end(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving(SMALTI_BESIDE_A_MINUTE="4")
    table = new_browser(server).make("patterns", "Ann", "link", listed=True)
    codes = [new_browser(server).claim(table, f"Bob {number}").status_code for number in range(3)]
    assert codes == [200, 409, 429]
    assert new_browser(server).claim("other", "Bob").status_code == 404


# --- Reading


def test_what_has_to_be_worked_out_has_a_limit_by_address(serving: Serving) -> None:
    server = serving(SMALTI_READS_A_SECOND="1", SMALTI_CROWD="1")
    lists = [b"GET /api/%s HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n" % name for name in (
        b"tables/over", b"tables/open", b"tables/mine", b"lobby", b"deals?game=patterns&seats=2&code=a"
    )]  # fmt: skip
    replies = [asked(server, text) for text in lists]
    assert replies[0].status == 200
    refused = next(reply for reply in replies if reply.status != 200)
    assert (refused.status, refused.problem["reason"]) == (429, "table.many")
    assert int(refused.headers["retry-after"]) > 0
    assert asked(server, lists[0], "127.0.0.2").status == 200


def test_an_answer_about_a_finished_game_is_worked_out_once(serving: Serving, new_browser: NewBrowser) -> None:
    browser = new_browser(serving(SMALTI_READS_A_SECOND="1", SMALTI_CROWD="1"))
    table = imported(browser)
    for name in ("replay", "at/7"):
        answers = [browser.http.get(f"/api/tables/{table}/{name}") for _ in range(10)]
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
    codes = [browser.http.get(f"/api/tables/{table}/at/{number}").status_code for number in range(20)]
    assert 429 in codes, "others cost something"


def imported(browser: Browser) -> str:
    """Import a game and return its name."""
    answer = browser.http.post("/api/import", content=RECORD.read_bytes(), headers={"content-type": "application/json"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


# --- Pages


def pongs(page: Page, number: int) -> int | None:
    """Send so many pings at once; returns the code if the page is closed for it."""
    try:
        for _ in range(number):
            page.send(t="ping")
        for _ in range(number):
            page.next("pong")
    except ConnectionClosed:
        return page.closing()
    return None


def test_all_connections_of_a_browser_share_one_allowance(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving(SMALTI_MESSAGES_A_SECOND="1")
    browser = new_browser(server)
    table = browser.make("patterns", "Ann", "Bob")
    codes = []
    for _ in range(10):
        page = browser.open_unasked(table)
        codes.append(pongs(page, 2))
        page.close()
    assert codes[0] is None
    assert 4429 in codes


def test_all_browsers_of_an_address_share_what_a_crowd_has(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving(SMALTI_MESSAGES_A_SECOND="1", SMALTI_CROWD="2")
    table = new_browser(server).make("patterns", "Ann", "Bob", onlookers="all")
    codes = [pongs(new_browser(server).open_unasked(table), 2) for _ in range(10)]
    assert codes[0] is None
    assert 4429 in codes


def test_a_browser_has_so_many_pages(serving: Serving, new_browser: NewBrowser) -> None:
    browser, other = new_browser(serving()), None
    table = browser.make("patterns", "Ann", "Bob", onlookers="all")
    pages = [browser.open_unasked(table) for _ in range(SOCKETS_A_BROWSER + 1)]
    assert pages[-1].closing() == 4429
    assert pongs(pages[0], 1) is None
    other = new_browser(browser.server)
    assert pongs(other.open_unasked(table), 1) is None
    pages[0].close()
    pages[1].settle()
    assert pongs(browser.open_unasked(table), 1) is None, "one that is closed makes room"


def test_an_address_behind_a_proxy_has_so_many_pages(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving(SMALTI_PROXIES="127.0.0.1", SMALTI_CONNECTIONS_AN_ADDRESS="3")
    table = new_browser(server).make("patterns", "Ann", "Bob", onlookers="all")

    def opened(address: str) -> Page:
        return Page(new_browser(server).connection(table, **{"x-forwarded-for": address}))

    pages = [opened("1.2.3.4") for _ in range(4)]
    assert [pongs(page, 1) for page in pages] == [None, None, None, 4429]
    assert pongs(opened("1.2.3.5"), 1) is None


# --- Importing


class Name(str):
    """A key that counts how often it is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Name.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_a_key_that_stands_twice_is_found_in_one_go() -> None:
    pairs = [(Name(f"key {number}"), 0) for number in range(27_000)]
    with pytest.raises(Exception, match="'key 26999' stands twice"):
        unique_keys([*pairs, (Name("key 26999"), 0)])
    assert Name.compared < 10 * len(pairs)


def test_everything_goes_on_while_a_record_is_checked() -> None:
    text = b"{" + b",".join(b'"%d":0' % number for number in (*range(27_000), 26_999)) + b"}"

    async def run() -> int:
        ticks, checking = 0, asyncio.create_task(Imports().checked(text, Readiness.complete().check))
        while not checking.done():
            await asyncio.sleep(0)
            ticks += 1
        with pytest.raises(WrongRecord, match="stands twice"):
            await checking
        return ticks

    assert asyncio.run(run()) > 5


def test_only_so_many_records_wait_to_be_checked() -> None:
    async def run() -> list[BaseException | object]:
        imports = Imports()
        waiting = [
            imports.checked(RECORD.read_bytes()[:100], Readiness.complete().check) for _ in range(MOST_WAITING + 5)
        ]
        return await asyncio.gather(*waiting, return_exceptions=True)

    reasons = [answer.reason for answer in asyncio.run(run()) if isinstance(answer, Problem)]
    assert reasons.count("table.many") == 5
    assert reasons.count("table.record") == MOST_WAITING


# --- Honest people, with the limits as they are


def at_once(work: Callable[[int], T]) -> list[T]:
    """Let everybody in a class do something at the same time."""
    with ThreadPoolExecutor(CLASS) as pool:
        return list(pool.map(work, range(CLASS)))


def test_a_class_behind_one_address_never_meets_a_limit(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving(**USUAL)
    browsers = [new_browser(server) for _ in range(CLASS)]
    game = imported(browsers[0])
    last = len(browsers[0].get(f"/api/tables/{game}/replay")["events"])

    def look_around(number: int) -> None:
        browser = browsers[number]
        for _ in range(2):  # at once, however fast this machine is; a page asks for two lists when it is opened
            for address in ("games", "lobby", "tables/open", "tables/mine", "tables/over"):
                browser.get(f"/api/{address}")

    def make_tables(number: int) -> list[str]:
        return [browsers[number].make("patterns", "Ann", "link") for _ in range(5)]

    def play_with_neighbour(number: int) -> None:
        mine, neighbour = browsers[number], browsers[number - 1]
        table = tables[number][0]
        assert neighbour.claim(table, "Bob", mine.keys(table)[1]).status_code == 200
        play([mine.open(table, 0), neighbour.open(table, 1)], random.Random(number), 12)

    def step_through(number: int) -> None:
        for place in range(last + 1):
            browsers[number].get(f"/api/tables/{game}/at/{place}")

    at_once(look_around)
    tables = at_once(make_tables)
    at_once(play_with_neighbour)
    at_once(step_through)


def test_a_page_in_a_train_comes_back_again_and_again(serving: Serving, new_browser: NewBrowser) -> None:
    browser = new_browser(serving(**USUAL))
    table = browser.make("patterns", "Ann", "Bob")
    luck = random.Random(1)
    for _ in range(25):  # three messages each: what a browser may send at once, however fast this machine is
        page = browser.open_unasked(table)
        page.send(t="look", seat=0, since=0)
        acting = page.next("state")["acting"]
        if not acting:  # the game was short
            table = browser.make("patterns", "Ann", "Bob")
            continue
        seat = acting[0]
        page.send(t="look", seat=seat, since=0)
        state = page.until(lambda state, seat=seat: state["seat"] == seat)  # type: ignore[misc]
        page.send(t="do", id=page.new_id(), n=state["n"], seat=seat, do=luck.choice(state["legal"]))
        page.until(lambda state, number=state["n"]: state["n"] > number)  # type: ignore[misc]
        page.connection.socket.shutdown(socket.SHUT_RDWR)  # no farewell in a tunnel


def test_a_fast_player_never_meets_a_limit(serving: Serving, new_browser: NewBrowser) -> None:
    browser = new_browser(serving(**USUAL))
    table = browser.make("patterns", "Ann", "Bob")
    play([browser.open(table, 0), browser.open(table, 1)], random.Random(2))
