"""The proxies' files keep what they promise: https, games played through them, limits, nobody's made-up address."""

from __future__ import annotations

import random
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import httpx
import pytest

from tests.deploy.conftest import InFront, NewVisitor
from tests.deploy.fronts import Caddy, Front, Nginx, Visitor, program, seated
from tests.server.site import Server, play, until

CLASS = 30
ALLOWED = 3
JSON = {"content-type": "application/json"}
ANN, BEN = "Ann", "Ben"


def test_the_files_are_understood(front: Front) -> None:
    if isinstance(front, Nginx):
        words = [*front.words, "-t"]
    else:
        words = [program("caddy", "caddy"), "validate", "--adapter", "caddyfile", "--config", "Caddyfile"]
    done = subprocess.run(words, cwd=front.folder, env=front.environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


def test_who_comes_without_https_is_led_there(front: Front) -> None:
    answer = httpx.get(f"http://127.0.0.1:{front.plain_port}/t/abc?x=1", headers={"host": "localhost"})
    assert answer.status_code in (301, 308)
    assert re.fullmatch(r"https://localhost(:\d+)?/t/abc\?x=1", answer.headers["location"])


def test_pages_and_the_interface_come_through(front: Front, new_visitor: NewVisitor) -> None:
    visitor = new_visitor(front)
    page = visitor.http.get("/")
    assert page.status_code == 200
    assert page.headers["strict-transport-security"]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    (script, *_) = re.findall(r'src="(/assets/[^"]+\.js)"', page.text)
    assert visitor.http.get(script).status_code == 200
    assert {game["name"] for game in visitor.get("/api/games")} == {"mosaix", "mozaika", "patterns"}


def test_what_is_for_the_house_is_not_for_visitors(front: Front, new_visitor: NewVisitor) -> None:
    visitor = new_visitor(front)
    assert [visitor.http.get(f"/{name}").status_code for name in ("metrics", "readyz")] == [404, 404]


def test_a_game_is_played_to_its_end_through_it(front: Front, new_visitor: NewVisitor) -> None:
    host, guest = new_visitor(front), new_visitor(front)
    table = host.make("patterns", ANN, "link")
    assert guest.claim(table, BEN, host.keys(table)[1]).status_code == 200
    assert all("secure" in cookie for cookie in cookies(host))
    play(seated(table, host, guest), random.Random(3))
    assert host.table(table)["stage"] == "over"


def cookies(visitor: Visitor) -> list[str]:
    """List the cookies a visitor gets, as the header says them."""
    answer = visitor.post("/api/tables", game="mosaix", seats=[{"kind": "here", "name": ANN}])
    found = [value.lower() for value in answer.headers.get_list("set-cookie")]
    assert found
    return found


def test_a_page_from_elsewhere_is_refused_through_it_too(front: Front, new_visitor: NewVisitor) -> None:
    visitor = new_visitor(front, origin="https://elsewhere.example")
    answer = visitor.post("/api/tables", game="mosaix", seats=[{"kind": "here", "name": ANN}])
    assert answer.status_code == 403


def test_large_headers_and_bodies_go_no_further(front: Front, new_visitor: NewVisitor) -> None:
    visitor = new_visitor(front)
    assert visitor.http.get("/", headers={"x-large": "x" * 60_000}).status_code in (400, 431)
    body = b'{"x": "' + b"x" * 400_000 + b'"}'
    try:
        status = visitor.http.post("/api/import", content=body, headers=JSON).status_code
    except httpx.TransportError:
        status = 0  # hung up on, before everything was sent
    assert status in (0, 413, 502)  # as older versions of Caddy say it
    assert visitor.http.get("/api/games").status_code == 200


def test_a_class_behind_one_address_meets_no_limit(front: Front, new_visitor: NewVisitor) -> None:
    visitors = [new_visitor(front) for _ in range(CLASS)]

    def come(visitor: Visitor) -> list[int]:
        """Load the page with all its files, as a browser does at its first visit, and make a table."""
        page = visitor.http.get("/").text
        files = re.findall(r'(?:src|href)="(/[^"]+)"', page)
        assert files
        asked = [visitor.http.get(file).status_code for file in files]
        return [*asked, visitor.post("/api/tables", game="mosaix", seats=[{"kind": "here", "name": ANN}]).status_code]

    with ThreadPoolExecutor(CLASS) as pool:
        found = [status for statuses in pool.map(come, visitors) for status in statuses]
    assert set(found) == {200, 201}


class Recorder(BaseHTTPRequestHandler):
    """A server behind Caddy that notes by which names it is asked."""

    names: ClassVar[set[str | None]] = set()

    def do_GET(self) -> None:
        self.names.add(self.headers["host"])
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None: ...


def test_caddy_asks_after_a_servers_health_by_the_name_of_the_site(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Recorder) as recorder:
        Thread(target=recorder.serve_forever, daemon=True).start()
        behind = Server(tmp_path)
        behind.port = recorder.server_port
        with Caddy(tmp_path, behind).running():
            until(lambda: Recorder.names)
        recorder.shutdown()
    assert Recorder.names == {"localhost"}


MADE_UP = [
    {"x_forwarded_for": "203.0.113.1"},
    {"x_forwarded_for": "203.0.113.2, 198.51.100.3", "forwarded": "for=203.0.113.9"},
    {"x_forwarded_for": "2001:db8::1", "x_real_ip": "203.0.113.5"},
    {"forwarded": "for=203.0.113.77;proto=https", "x_forwarded_host": "elsewhere.example"},
]


def tables_made(visitors: list[Visitor]) -> list[int]:
    """Let everybody make a table, and return what they were answered."""
    wish = {"game": "mosaix", "seats": [{"kind": "here", "name": ANN}]}
    return [visitor.post("/api/tables", **wish).status_code for visitor in visitors]


@pytest.fixture(scope="module")
def strict(in_front: InFront) -> Front:
    """A proxy before a server where each address may make a few tables an hour, as if one browser were behind it."""
    return in_front(SMALTI_TABLES_AN_HOUR=str(ALLOWED), SMALTI_CROWD="1")


def test_made_up_addresses_share_the_allowance_of_the_real_one(strict: Front, new_visitor: NewVisitor) -> None:
    visitors = [new_visitor(strict, address="127.0.0.5", **made_up) for made_up in MADE_UP * 2]
    assert tables_made(visitors).count(201) <= ALLOWED


def test_who_comes_from_elsewhere_has_an_allowance_of_their_own(strict: Front, new_visitor: NewVisitor) -> None:
    tables_made([new_visitor(strict, address="127.0.0.6") for _ in range(ALLOWED + 1)])
    assert tables_made([new_visitor(strict, address="127.0.0.7") for _ in range(2)]) == [201, 201]
