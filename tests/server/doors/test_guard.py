"""Safety: requests from other sites, what is too large or unreadable, headers, cookies."""

from __future__ import annotations

import os

import pytest
from websockets.exceptions import InvalidStatus

from tests.server.conftest import NewBrowser, Serving
from tests.server.site import Browser

FOREIGN: list[dict[str, str]] = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:1"},
    {"origin": "http://127.0.0.1"},
    {"origin": "http://["},
    {"origin": ""},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
]
CHANGES = [
    ("POST", "/api/tables", {"game": "patterns", "seats": [{"kind": "link"}, {"kind": "link"}]}),
    ("POST", "/api/tables/{table}/seats", {"name": "Eve", "key": "{key}"}),
    ("PATCH", "/api/tables/{table}/name", {"name": "Eve"}),
    ("PATCH", "/api/tables/{table}", {"onlookers": "none"}),
    ("POST", "/api/tables/{table}/seats/1/link", {}),
    ("POST", "/api/tables/{table}/again", {}),
    ("POST", "/api/tables/{table}/bots", {"bot": "random"}),
    ("POST", "/api/quick", {"game": "patterns", "seats": 2, "name": "Eve"}),
]


@pytest.mark.parametrize("headers", FOREIGN, ids=lambda headers: "-".join(*headers.items()))
def test_requests_from_other_sites_change_nothing(headers: dict[str, str], host: Browser) -> None:
    table = host.make("patterns", "Ann", "link")
    before, lists = host.table(table), host.get("/api/tables/mine")
    for method, address, body in CHANGES:
        answer = host.http.request(method, address.format(table=table), json=body, headers=headers)
        assert (answer.status_code, answer.json()["reason"]) == (403, "table.origin")
        assert "set-cookie" not in answer.headers
    assert host.table(table) == before
    assert host.get("/api/tables/mine") == lists


@pytest.mark.parametrize("headers", FOREIGN, ids=lambda headers: "-".join(*headers.items()))
def test_connections_from_other_sites_are_refused(headers: dict[str, str], host: Browser) -> None:
    table = host.make("patterns", "Ann", "Bob")
    with pytest.raises(InvalidStatus, match="403"):
        host.connection(table, **headers)


def test_our_own_pages_and_programs_are_welcome(host: Browser) -> None:
    wishes = {"game": "patterns", "seats": [{"kind": "link"}, {"kind": "link"}]}
    for headers in ({"origin": host.server.url}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}, {}):
        assert host.http.post("/api/tables", json=wishes, headers=headers).status_code == 201


def test_an_origin_that_was_named_is_welcome(serving: Serving, new_browser: NewBrowser) -> None:
    named = "https://smalti.example"
    browser = new_browser(serving(SMALTI_ORIGINS=named, SMALTI_SECURE_COOKIE="1"))
    wishes = {"game": "patterns", "seats": [{"kind": "here", "name": "Ann"}, {"kind": "link"}]}
    answer = browser.http.post("/api/tables", json=wishes, headers={"origin": named, "host": "smalti.example"})
    assert answer.status_code == 201
    assert "secure" in answer.headers["set-cookie"].lower()
    own = f"localhost:{browser.server.port}"
    refused = browser.http.post("/api/tables", json=wishes, headers={"origin": f"http://{own}", "host": own})
    assert (refused.status_code, refused.json()["reason"]) == (421, "table.host")
    assert browser.http.get("/readyz", headers={"host": own}).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_that_is_not_json_is_refused(kind: str, host: Browser) -> None:
    text = '{"game":"patterns","seats":[{"kind":"link"},{"kind":"link"}]}'
    answer = host.http.post("/api/tables", content=text, headers={"content-type": kind})
    assert (answer.status_code, answer.json()["reason"]) == (400, "table.format")


@pytest.mark.parametrize("body", [b"", b"{", b"null", b"[]", b"\xff", b'{"game":"\xff","seats":[]}', b"[" * 10_000])
def test_a_body_that_cannot_be_read_is_refused(body: bytes, host: Browser) -> None:
    answer = host.http.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["reason"]) == (400, "table.format")


def test_a_body_that_is_too_large_is_refused(host: Browser) -> None:
    for body in (b" " * 16_385, b'{"game":"' + b"x" * 1_000_000):
        answer = host.http.post("/api/tables", content=body, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["reason"]) == (413, "table.large")
    answer = host.http.post("/api/tables", content=b" " * 16_384, headers={"content-type": "application/json"})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/games", 200),
        ("/api/tables/open", 200),
        ("/api/tables/nowhere", 404),
        ("/api/tables/%00", 404),
        ("/api/nothing", 404),
        ("/", 404),
        ("/api/tables/over?before=never", 400),
        ("/api/tables/x/at/y", 400),
    ],
)
def test_every_answer_carries_the_headers_that_keep_a_page_safe(address: str, status: int, host: Browser) -> None:
    answer = host.http.get(address)
    assert answer.status_code == status
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    if status >= 400:
        assert set(answer.json()) == {"reason", "values", "sentence"}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_every_file_of_the_database_is_for_its_owner_alone(host: Browser) -> None:
    host.make("patterns", "Ann", "Bob")
    files = list(host.server.folder.glob("smalti.sqlite*"))
    assert host.server.file.with_name("smalti.sqlite.lock") in files
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_the_cookie_is_for_the_server_alone(host: Browser) -> None:
    answer = host.post("/api/tables", game="mosaix", seats=[{"kind": "here", "name": "Ann"}])
    value, *attributes = answer.headers["set-cookie"].lower().split("; ")
    assert {"httponly", "samesite=lax", "path=/"} <= set(attributes)
    token, _, mark = value.removeprefix("smalti=").partition(".")
    assert (len(token), len(mark)) == (43, 22), "256 bits, and a mark of 128"
    first = host.cookie
    host.make("mosaix", "Ann")
    assert host.cookie == first


def test_nothing_about_a_table_is_kept_by_browsers(host: Browser) -> None:
    table = host.make("patterns", "Ann", "link")
    for address in (f"/api/tables/{table}", "/api/tables/mine", "/api/tables/open", "/api/lobby"):
        assert host.http.get(address).headers["cache-control"] == "no-store"
