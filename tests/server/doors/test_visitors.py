"""Who comes: cookies that only we can give, those from before, and names that are not ours."""

from __future__ import annotations

import secrets
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from websockets.exceptions import InvalidStatus

from smalti.server.doors.line.names import Names
from smalti.server.doors.visitors import Cookies
from smalti.server.keys import holder_of
from smalti.server.settings import Settings
from tests.server.conftest import NewBrowser, Serving
from tests.server.raw import Raw, asked
from tests.server.site import Browser, Server

OLD = secrets.token_urlsafe(32)
WISH = {"game": "patterns", "seats": [{"kind": "here", "name": "Ann"}, {"kind": "link"}]}


def given(browser: Browser) -> str:
    """Make a table and return the cookie that comes with it, without its name."""
    answer = browser.post("/api/tables", **WISH)
    assert answer.status_code == 201, answer.text
    return answer.headers["set-cookie"].partition(";")[0].partition("=")[2]


# --- Cookies


@pytest.mark.parametrize(
    "planted",
    ["a", "a" * 43, "xK3_" * 10 + "-9z", f"{'a' * 43}.{'b' * 22}", f"{'a' * 43}.", "." + "b" * 22, "a" * 3000],
)
def test_a_cookie_that_we_have_not_given_is_replaced(planted: str, new_browser: NewBrowser) -> None:
    cookie = given(new_browser(cookie=planted))
    assert cookie.partition(".")[0] != planted.partition(".")[0]
    assert len(cookie.partition(".")[0]) == 43


def test_a_cookie_that_we_have_given_is_kept_and_its_mark_belongs_to_it(new_browser: NewBrowser) -> None:
    first, second = given(new_browser()), given(new_browser())
    assert given(new_browser(cookie=first)) == first
    crossed = first.partition(".")[0] + "." + second.partition(".")[2]
    assert given(new_browser(cookie=crossed)) not in (first, second, crossed)


def test_our_cookie_is_found_beside_others_with_its_name(new_browser: NewBrowser) -> None:
    mine = given(new_browser())
    for cookies in (f"x; smalti={mine}", f"{mine}; smalti=x", f'"; other=1; smalti={mine}'):
        assert given(new_browser(cookie=cookies)) == mine


def test_another_site_marks_otherwise() -> None:
    ours, theirs = Cookies(b"ours", False), Cookies(b"theirs", False)
    assert ours.token_in("smalti", ours.value(OLD)) == OLD
    assert ours.token_in("smalti", theirs.value(OLD)) is None


def old_value(cookies: Cookies) -> str:
    """Return a cookie as it was when marks were not yet for a name."""
    return f"{OLD}.{cookies.signature(OLD)}"


def test_behind_https_nobody_plants_their_own_cookie_by_the_plain_name() -> None:
    """Other hosts of the domain can set `smalti`, and never `__Host-smalti`."""
    safe, plain = Cookies(b"key", True), Cookies(b"key", False)
    for planted in (safe.value(OLD), plain.value(OLD), old_value(safe)):
        assert safe.token_in("smalti", planted) is None
    assert safe.token_in("__Host-smalti", plain.value(OLD)) is None
    assert plain.token_in("smalti", safe.value(OLD)) is None


def test_cookies_from_before_marks_were_for_a_name_are_known_and_get_a_new_one() -> None:
    for cookies in (Cookies(b"key", True), Cookies(b"key", False)):
        assert cookies.token_in(cookies.name, old_value(cookies)) == OLD
        assert not cookies.is_newest(cookies.name, old_value(cookies))
        assert cookies.is_newest(cookies.name, cookies.value(OLD))


def test_a_planted_cookie_is_not_taken_over_behind_https(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving(SMALTI_SECURE_COOKIE="1")
    planted = given(new_browser(server))
    for cookies in (planted, f"{planted}; __Host-smalti=x.y", planted.partition(".")[0]):
        assert given(new_browser(server, cookies)).partition(".")[0] not in planted
    safe = new_browser(server)
    safe.http.headers["cookie"] = f"smalti=x; __Host-smalti={planted}"
    assert given(safe) == planted


def test_a_secret_without_its_mark_is_nobodys(new_browser: NewBrowser) -> None:
    host = new_browser()
    table = host.make("patterns", "Ann", "link")
    assert host.cookie
    assert new_browser(cookie=host.cookie.partition(".")[0]).http.get(f"/api/tables/{table}").status_code == 403


def test_behind_https_the_cookie_is_bound_to_its_host() -> None:
    cookies = Cookies(b"key", True)
    assert cookies.header(OLD).startswith(f"__Host-smalti={OLD}.")
    assert {"Secure", "HttpOnly", "Path=/"} <= set(cookies.header(OLD).split("; "))
    both = [(b"cookie", b"smalti=planted; __Host-smalti=mine"), (b"cookie", b"more=1")]
    assert cookies.given(both) == [("__Host-smalti", "mine"), ("smalti", "planted")]


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    """A server with a table whose host came before there were marks."""
    server = Server(tmp_path_factory.mktemp("before"))
    server.start()
    browser = Browser(server)
    table = browser.make("patterns", "Ann", "Bob", onlookers="all")
    browser.close()
    server.stop()
    with closing(sqlite3.connect(server.file)) as store, store:
        store.execute("UPDATE matches SET host = ? WHERE id = ?", [holder_of(OLD), table])
        store.execute("DELETE FROM kept WHERE name = 'marked'")  # as it was before there were marks
    with server.running():
        yield server, table


def test_who_came_before_there_were_marks_is_known_and_gets_one(
    before: tuple[Server, str], new_browser: NewBrowser
) -> None:
    server, table = before
    answer = new_browser(server, OLD).http.get(f"/api/tables/{table}")
    assert answer.json()["host"]
    cookie = answer.headers["set-cookie"].partition(";")[0].partition("=")[2]
    assert cookie.startswith(f"{OLD}.")
    again = new_browser(server, cookie).http.get(f"/api/tables/{table}")
    assert again.json()["host"]
    assert "set-cookie" not in again.headers
    stranger = new_browser(server, secrets.token_urlsafe(32)).http.get(f"/api/tables/{table}")
    assert not stranger.json()["host"]
    assert "set-cookie" not in stranger.headers


def test_a_page_is_given_its_cookie_when_it_connects(before: tuple[Server, str], new_browser: NewBrowser) -> None:
    server, table = before
    for cookie, wanted in ((OLD, OLD), (None, None), ("planted", None)):
        response = new_browser(server, cookie).connection(table).response
        assert response
        token = response.headers["set-cookie"].partition("=")[2].partition(".")[0]
        assert len(token) == 43
        assert wanted in (None, token)
    response = new_browser(server, given(new_browser(server))).connection(table).response
    assert response
    assert "set-cookie" not in response.headers


# --- Names


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "evil.example:80", "x@127.0.0.1", "a b", "[", "*"]
)
def test_a_name_that_is_not_ours_leads_nowhere(host: str, host_table: str, server: Server) -> None:
    for address in ("/api/games", "/", "/g/x", f"/api/tables/{host_table}"):
        reply = asked(server, f"GET {address} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n".encode())
        assert (reply.status, reply.problem["reason"]) == (421, "table.host")
    upgrade = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: "
    words = f"GET /api/tables/{host_table}/live HTTP/1.1\r\nhost: {host}\r\n{upgrade}{'A' * 22}==\r\n\r\n"
    assert asked(server, words.encode()).status == 421


@pytest.fixture(scope="module")
def host_table(server: Server) -> str:
    """A table that everybody may look at."""
    browser = Browser(server)
    table = browser.make("patterns", "Ann", "Bob", onlookers="all")
    browser.close()
    return table


def test_requests_by_our_names_are_answered(server: Server) -> None:
    for host in (
        "127.0.0.1",
        "localhost:1",
        "LOCALHOST.",
        "game.localhost",
        "[::1]:80",
        "192.168.1.5",
        socket.gethostname(),
    ):
        reply = asked(server, f"GET /api/games HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n".encode())
        assert reply.status == 200, host
    assert asked(server, b"GET /api/games HTTP/1.0\r\n\r\n").status == 200, "no browser leaves it out"
    twice = b"GET /api/games HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\nconnection: close\r\n\r\n"
    assert asked(server, twice).status == 400


def test_origins_that_are_set_are_the_only_names() -> None:
    named = Names(Settings(origins=frozenset({"https://smalti.example", "https://other.example:8443"}), host="box"))
    for host in ("smalti.example", "Smalti.Example:443", "other.example"):
        assert named.has(host, "/"), host
    for host in ("localhost", "127.0.0.1:8765", "[::1]", "10.0.0.1:8765"):
        assert named.has(host, "/healthz"), "probes know an address alone"
        assert not named.has(host, "/api/games"), host
    for host in ("evil.example", "www.smalti.example", "box", socket.gethostname(), "10.0.0.1", "[2001:db8::1]"):
        assert not named.has(host, "/"), host
    assert not named.has("evil.example", "/healthz")
    usual = Names(Settings(host="Box"))
    assert usual.has("box", "/")
    assert not usual.has("smalti.example", "/")


def test_the_same_host_by_another_scheme_is_another_site(host: Browser) -> None:
    table = host.make("patterns", "Ann", "Bob")
    other = f"https://{host.server.host}"
    assert host.http.post("/api/tables", json=WISH, headers={"origin": other}).status_code == 403
    with pytest.raises(InvalidStatus, match="403"):
        host.connection(table, origin=other)


def test_a_proxy_that_is_trusted_says_which_scheme_it_was(serving: Serving) -> None:
    server = serving(SMALTI_PROXIES="127.0.0.1")
    body = b'{"game":"patterns","seats":[{"kind":"link"},{"kind":"link"}]}'
    head = b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\norigin: https://localhost\r\n"
    rest = b"connection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)
    assert asked(server, head + b"x-forwarded-proto: https\r\n" + rest).status == 201
    assert asked(server, head + b"x-forwarded-proto: http\r\n" + rest).status == 403
    with Raw(server, "127.0.0.2") as raw:
        raw.send(head + b"x-forwarded-proto: https\r\n" + rest)
        assert raw.reply().status == 403
