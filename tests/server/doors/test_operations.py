"""Running the site: what its log never says, what is counted, whether it is ready, what it answers to strangers."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import random
import re
import threading
from collections.abc import Callable, Iterator

import httpx
import pytest
import structlog
from starlette.types import Message, Receive, Scope, Send

from smalti.engine.errors import BadInput
from smalti.server import tasks
from smalti.server.doors.health import PATIENCE, Health, Part, PartState
from smalti.server.doors.middleware import Middleware
from smalti.server.doors.pages import KNOWN, MACHINES, status_of
from smalti.server.keys import link_key
from smalti.server.problems import Problem
from smalti.server.telemetry import logs
from smalti.server.telemetry.metrics import LOOK, ErrorCounter, LoopLag, Metrics
from smalti.server.telemetry.redaction import redacted
from smalti.server.workers.bot_pool import BotPool
from smalti.server.workers.bot_pool.process import Process
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import facts, seated
from tests.server.programs import running_redis
from tests.server.site import ROOT, Server, free_port, play, until

TOKEN = "only for Prometheus"
ASKING = {"authorization": f"Bearer {TOKEN}"}
Lines = Callable[[], list[str]]


# --- What is logged


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What the log has written, until the test is over."""
    root, stream = logging.getLogger(), io.StringIO()
    before, level, ours = root.handlers[:], root.level, logging.getLogger("smalti").level
    monkeypatch.setattr(logs.Standard, "stream", stream)
    yield stream
    root.handlers = before
    root.setLevel(level)
    logging.getLogger("smalti").setLevel(ours)
    structlog.reset_defaults()


def test_a_line_has_time_level_event_table_and_request(written: io.StringIO) -> None:
    logs.configure("info", as_json=False)
    with logs.about(request="ab12", table="Tisch"):
        logging.getLogger("smalti.server.rooms.rooms").warning("seat %d", 3)
    shape = r"\d{4}-\d\d-\d\dT[\d:.]+Z warning smalti\.server\.rooms\.rooms: seat 3 request=ab12 table=Tisch\n"
    assert re.fullmatch(shape, written.getvalue())


def test_a_line_of_json_is_one_object_with_its_traceback(written: io.StringIO) -> None:
    logs.configure("info", as_json=True)
    try:
        raise ValueError("over\ntwo lines")
    except ValueError:
        with logs.about(request="ab12"):
            logging.getLogger("smalti.x").exception("„Größe“")
    (line,) = written.getvalue().splitlines()
    told = json.loads(line)
    assert list(told) == ["time", "level", "logger", "event", "request", "exception"]
    assert told["event"] == "„Größe“"
    assert told["exception"].startswith("Traceback (most recent call last):")


def test_structlog_and_the_standard_library_write_alike(written: io.StringIO) -> None:
    logs.configure("info", as_json=True)
    structlog.get_logger("smalti.one").info("same", seat=1)
    logging.getLogger("smalti.one").info("same")
    one, two = map(json.loads, written.getvalue().splitlines())
    assert one.pop("seat") == 1
    assert list(one) == list(two)


def test_text_keeps_real_tracebacks(written: io.StringIO) -> None:
    logs.configure("error", as_json=False)
    try:
        raise ValueError("a reason")
    except ValueError:
        logging.getLogger("uvicorn.error").exception("in the application")
    assert written.getvalue().count("Traceback (most recent call last):\n") == 1
    assert written.getvalue().endswith("ValueError: a reason\n")


def test_a_line_cannot_be_forged(written: io.StringIO) -> None:
    logs.configure("info", as_json=False)
    with logs.about(table="a\nb"):
        logging.getLogger("smalti.x").info("GET /\n2026-01-01T00:00:00Z error smalti: \x1b[31mforged\u2028")
    assert len(written.getvalue().splitlines()) == 1
    assert "\x1b" not in written.getvalue()


def test_the_level_holds_for_us_and_others_say_no_more_than_warnings(written: io.StringIO) -> None:
    logs.configure("debug", as_json=False)
    for name in ("smalti.x", "sqlalchemy.engine", "websockets.server", "aiosqlite", "urllib3"):
        logging.getLogger(name).debug("said by %s", name)
        logging.getLogger(name).info("said by %s", name)
    assert set(re.findall(r"said by (\S+)", written.getvalue())) == {"smalti.x"}
    logs.configure("error", as_json=False)
    logging.getLogger("smalti.x").warning("too quiet")
    assert "too quiet" not in written.getvalue()


def test_a_second_configuration_writes_nothing_twice(written: io.StringIO) -> None:
    for as_json in (True, False, True):
        logs.configure("info", as_json)
    logging.getLogger("smalti.x").info("once")
    assert written.getvalue().count("once") == 1


COOKIE, KEY, NONCE = "xK3_" * 10 + "-9z", link_key(b"k", "seat 1 0"), "0f" * 32
SECRETS = {
    f'"WebSocket /api/tables/abcDEF123456/live?watch={KEY}" [accepted]': KEY,
    f"GET /join/abcDEF123456/{KEY}": KEY,
    f"GET https://example.org/watch/abcDEF123456/{KEY}?x=1": KEY,
    f"/api/x?a=1&key={KEY}&b=2": KEY,
    f"cookie: other=1; smalti={COOKIE}; more=2": COOKIE,
    f"[(b'host', b'x'), (b'cookie', b'__Host-smalti={COOKIE}')]": COOKIE,
    f"set-cookie: __Host-smalti={COOKIE}; path=/": COOKIE,
    f"what a browser says: {COOKIE}": COOKIE,
    f"{{'nonce': '{NONCE}'}}": NONCE,
    "https://fcm.googleapis.com/fcm/send/dLq3:APA91bH": "dLq3:APA91bH",
    "Key (endpoint)=(https://push.example.com/wpush/v2/gAAAA) already exists": "gAAAA",
    "postgresql+asyncpg://smalti:pa55word@db/smalti": "pa55word",
    "redis://:pa55word@cache:6379/0": "pa55word",
    "INSERT … [parameters: ('abc', b'\\x01\\x02secret')]": "x02secret",
    "authorization: Bearer hunter2": "hunter2",
}


@pytest.mark.parametrize(("text", "secret"), SECRETS.items())
def test_secrets_are_not_logged(text: str, secret: str, written: io.StringIO) -> None:
    for as_json in (False, True):
        logs.configure("info", as_json)
        try:
            raise ValueError(text)
        except ValueError as error:
            logging.getLogger("smalti.x").exception("told: %s", error)
    assert "told: " in written.getvalue()
    assert secret not in written.getvalue()


def test_fields_with_the_name_of_a_secret_are_not_logged(written: io.StringIO) -> None:
    logs.configure("info", as_json=True)
    structlog.get_logger("smalti.x").info("made", key="short", nonce="n", endpoint="e", seat=1)
    told = json.loads(written.getvalue())
    assert (told["key"], told["nonce"], told["endpoint"], told["seat"]) == ("…", "…", "…", 1)


@pytest.mark.parametrize(
    "text",
    [
        "abcDEF123456, bot on seat 2: the thinking processes die again and again",
        "the database sqlite+aiosqlite:////data/smalti.sqlite cannot be opened: unable to open database file",
        "Background on this error at: https://sqlalche.me/e/20/gkpj",
        "GET /api/tables/abcDEF123456/replay",
        "-" * 43,
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redacted(text) == text


def test_a_log_level_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from smalti.server.settings import from_environment

    monkeypatch.setenv("SMALTI_LOG_LEVEL", "loud")
    with pytest.raises(BadInput, match="debug, info, warning, error"):
        from_environment()


# --- What is counted


def value(text: str, name: str) -> float:
    """Return a metric from what Prometheus reads; none is zero."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)
    return float(found[1]) if found else 0.0


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose metrics can be read, and whose log is JSON."""
    settings = {"SMALTI_METRICS_TOKEN": TOKEN, "SMALTI_LOG_JSON": "1", "SMALTI_LOG_LEVEL": "debug"}
    with Server(tmp_path_factory.mktemp("watched"), **settings, SMALTI_TEST_PAGES="1").running() as running:
        yield running


def metrics_of(server: Server) -> str:
    """Return what Prometheus reads."""
    answer = httpx.get(f"{server.url}/metrics", headers=ASKING)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return answer.text


def test_moves_refusals_connections_and_rooms_are_counted(watched: Server, new_browser: NewBrowser) -> None:
    before = metrics_of(watched)
    host = new_browser(watched)
    table = host.make("patterns", "Ann", "Ben")
    pages = [host.open(table, seat) for seat in (0, 1)]
    play(pages, random.Random(1), moves=7)
    pages[0].send(t="do", id="x", n=0, seat=0, do="nonsense")
    pages[0].next("refused")
    after = metrics_of(watched)

    def more(name: str) -> float:
        return value(after, name) - value(before, name)

    assert more('smalti_moves_total{game="patterns"}') == 7
    assert more("smalti_told_seconds_count") == 7
    assert sum(map(float, re.findall(r"^smalti_refusals_total\{.*\} (\S+)$", after, re.M))) == 1
    assert more("smalti_connections") == 2
    assert more("smalti_rooms") == 1
    assert more("smalti_store_writes_sum") >= 8
    assert more("smalti_store_seconds_count") >= 1
    assert more('smalti_requests_total{route="/api/tables",status="201"}') == 1
    assert "smalti_loop_lag_seconds" in after
    assert "process_resident_memory_bytes" in after
    for page in pages:
        page.close()
    until(lambda: value(metrics_of(watched), "smalti_connections") == value(before, "smalti_connections"))


def test_bots_are_timed_by_level_and_those_that_wait_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics, thought = Metrics(), list[int]()

    async def ask(process: Process, question: object) -> str:
        while value(metrics.text().decode(), "smalti_thoughts_waiting") != 3 - len(thought):
            await asyncio.sleep(0.01)
        thought.append(1)
        return "anything"

    async def think() -> None:
        bot_pool, log = BotPool(1, None, metrics), seated(facts("patterns", 2))
        await asyncio.gather(*(bot_pool.choose(log, min(log.acting), "level-1") for _ in range(3)))
        await bot_pool.stop()

    monkeypatch.setattr(Process, "ask", ask)
    asyncio.run(think())
    text = metrics.text().decode()
    assert value(text, 'smalti_thinking_seconds_count{bot="level-1"}') == 3
    assert value(text, "smalti_thoughts_waiting") == 0


def test_addresses_cannot_make_more_and_more_metrics(watched: Server) -> None:
    with httpx.Client(base_url=watched.url) as client:
        client.get("/one")
        before = len(metrics_of(watched).splitlines())
        for number in range(30):
            client.get(f"/path/{number}")
            client.get(f"/api/tables/none{number}")
            client.get(f"/api/none/{number}")
    assert len(metrics_of(watched).splitlines()) <= before + 4


def test_metrics_want_the_token(watched: Server, server: Server) -> None:
    for given in ("", "Bearer wrong", TOKEN, "Bearer é", f"Basic {TOKEN}", "Bearer"):
        headers = {b"authorization": given.encode()} if given else {}
        answer = httpx.get(f"{watched.url}/metrics", headers=headers)
        assert answer.status_code == 401
        assert "smalti_" not in answer.text
    for scheme in ("Bearer", "bearer", "BEARER"):  # whatever its case (RFC 9110)
        assert httpx.get(f"{watched.url}/metrics", headers={"authorization": f"{scheme} {TOKEN}"}).status_code == 200
    assert httpx.get(f"{server.url}/metrics", headers=ASKING).status_code == 404, "no token is set there"


def test_applications_do_not_share_their_counters() -> None:
    one, two = Metrics(), Metrics()
    one.moves("mosaix").inc()
    assert b'smalti_moves_total{game="mosaix"} 1.0' in one.text()
    assert b"smalti_moves_total{" not in two.text()


def test_errors_that_are_logged_are_counted() -> None:
    metrics = Metrics()
    with ErrorCounter(metrics):
        logging.getLogger("smalti.server.lobby.lobby").error("an error")
        logging.getLogger("smalti.server.lobby.lobby").warning("none")
    logging.getLogger("smalti.server.lobby.lobby").error("nobody counts any more")
    assert b'smalti_errors_total{where="smalti.server.lobby.lobby"} 1.0' in metrics.text()


def test_tasks_that_are_begun_anew_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "FIRST_PAUSE", 0.0)
    metrics, begun = Metrics(), []

    async def work() -> None:
        begun.append(1)
        if len(begun) > 3:
            await asyncio.sleep(3600)
        raise ZeroDivisionError

    async def run() -> None:
        task = tasks.supervised("keeper", work)
        while len(begun) <= 3:
            await asyncio.sleep(0.01)
        await tasks.ended(task)

    with ErrorCounter(metrics):
        asyncio.run(run())
    assert b'smalti_restarts_total{task="keeper"} 3.0' in metrics.text()


def test_a_loop_that_stood_still_is_noticed() -> None:
    async def stand_still() -> float:
        lag = LoopLag(Metrics())
        task = asyncio.create_task(lag.run())
        await asyncio.sleep(LOOK / 2)
        threading.Event().wait(2 * LOOK)
        await asyncio.sleep(0.01)
        task.cancel()
        return max(lag.recent)

    assert asyncio.run(stand_still()) >= LOOK


# --- What surrounds requests


async def answered(app: Callable[[Scope, Receive, Send], object], kind: str = "http") -> list[Message]:
    """Return what a small application says, through what surrounds it."""
    said: list[Message] = []

    async def send(message: Message) -> None:
        said.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    async def surrounded(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, send)  # type: ignore[misc]

    scope = {"type": kind, "path": "/api/tables/abc/live", "method": "GET", "headers": []}
    await Middleware(surrounded, {"x-ours": "1"}, Metrics())(scope, receive, send)
    return said


async def breaks(scope: Scope, receive: Receive, send: Send) -> None:
    """An application with a defect."""
    raise ZeroDivisionError


def test_an_unexpected_error_is_logged_once_with_its_request_and_answered(written: io.StringIO) -> None:
    logs.configure("info", as_json=True)
    start, body = asyncio.run(answered(breaks))
    headers = dict(start["headers"])
    assert (start["status"], headers[b"x-ours"]) == (500, b"1")
    assert json.loads(body["body"])["reason"] == "table.server"
    (told,) = map(json.loads, written.getvalue().splitlines())
    assert (told["request"].encode(), told["table"]) == (headers[b"x-request-id"], "abc")
    assert "ZeroDivisionError" in told["exception"]


def test_a_connection_that_breaks_is_closed_with_1011(written: io.StringIO) -> None:
    logs.configure("info", as_json=True)
    assert asyncio.run(answered(breaks, "websocket")) == [{"type": "websocket.close", "code": 1011}]
    assert "ZeroDivisionError" in json.loads(written.getvalue())["exception"]


def test_a_body_that_breaks_off_is_no_error(server: Server) -> None:
    import socket

    headers = {"host": server.host, "content-type": "application/json", "content-length": "99"}
    words = "POST /api/tables HTTP/1.1\r\n" + "".join(f"{name}: {text}\r\n" for name, text in headers.items()) + "\r\n{"
    with socket.create_connection(("127.0.0.1", server.port)) as caller:
        caller.sendall(words.encode())
    httpx.get(f"{server.url}/healthz")
    assert "Traceback" not in server.log


def test_every_answer_has_a_name_of_its_own_that_is_ours(server: Server, new_browser: NewBrowser) -> None:
    named = [httpx.get(f"{server.url}/api/games", headers={"x-request-id": "made up"}) for _ in range(2)]
    names = {answer.headers["x-request-id"] for answer in named}
    assert len(names) == 2
    assert all(re.fullmatch(r"[0-9a-f]{10}", name) for name in names)
    host = new_browser(server)
    connection = host.connection(host.make("mosaix", "Ann", "Ben"))
    assert connection.response
    assert re.fullmatch(r"[0-9a-f]{10}", connection.response.headers["x-request-id"])


def test_requests_are_logged_with_their_template_and_no_secret(watched: Server, new_browser: NewBrowser) -> None:
    host = new_browser(watched)
    table = host.make("mosaix", "Ann", "link")
    key = host.keys(table)[1]
    assert key
    httpx.get(f"{watched.url}/join/{table}/{key}")
    host.open(table, 0, watch="nobodys-key")
    text = until(lambda: watched.log if f'"table":"{table}"' in watched.log.replace(" ", "") else "")
    told = [json.loads(line) for line in text.splitlines()]
    assert any("/api/tables/{match}: 200" in line["event"] and line.get("table") == table for line in told)
    assert all({"time", "level", "event"} <= line.keys() for line in told)
    for secret in (key, host.cookie, "nobodys-key", TOKEN):
        assert secret
        assert secret not in text


def test_answers_have_the_headers_of_a_careful_site(serving: Serving) -> None:
    server = serving(SMALTI_SECURE_COOKIE="1", SMALTI_TEST_PAGES="1")
    for address in ("/", "/api/games", "/api/tables/none", "/healthz", "/lost/at/all/anywhere", "/favicon.svg"):
        headers = httpx.get(server.url + address).headers
        assert headers["strict-transport-security"] == "max-age=31536000"
        assert "camera=()" in headers["permissions-policy"]
        assert "clipboard-write" not in headers["permissions-policy"], "links are copied"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers
        assert len(headers.get_list("x-content-type-options")) == 1


def test_https_is_not_asked_for_where_there_is_none(server: Server) -> None:
    assert "strict-transport-security" not in httpx.get(f"{server.url}/api/games").headers


def test_pictures_may_be_shown_by_other_sites(watched: Server, new_browser: NewBrowser) -> None:
    host = new_browser(watched)
    table = host.make("patterns", "Ann", "Ben")
    play([host.open(table, seat) for seat in (0, 1)], random.Random(1))
    answer = httpx.get(f"{watched.url}/g/{table}.png", timeout=30)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"


# --- Alive and ready


def test_a_server_that_runs_is_alive_and_ready(server: Server) -> None:
    alive, ready = httpx.get(f"{server.url}/healthz"), httpx.get(f"{server.url}/readyz")
    assert (alive.status_code, alive.json()) == (200, {"alive": True})
    assert ready.status_code == 200
    assert ready.json()["ready"]
    assert {"database", "bus", "bots", "mosaix"} <= ready.json()["parts"].keys()
    assert all(part["ready"] for part in ready.json()["parts"].values())


def test_without_its_bus_a_server_is_alive_but_not_ready(serving: Serving) -> None:
    port = free_port()
    with running_redis(port) as address:
        server = serving(SMALTI_REDIS=address)
        assert httpx.get(f"{server.url}/readyz").status_code == 200
    not_ready = until(lambda: (answer := httpx.get(f"{server.url}/readyz")).status_code == 503 and answer)
    told = not_ready.json() if not_ready else {}
    assert not told["parts"]["bus"]["ready"]
    assert told["parts"]["database"] == {"ready": True}
    assert str(port) not in json.dumps(told), "addresses are nobody's business"
    assert httpx.get(f"{server.url}/healthz").status_code == 200


def parts(**given: Part) -> Health:
    health = Health()
    health.parts = given
    return health


async def hang() -> PartState:
    await asyncio.sleep(3600)
    return PartState(True)


async def fail() -> PartState:
    raise OSError("postgresql://smalti:pa55word@db refuses")


async def compile_games() -> PartState:
    return PartState(False, "the games are being compiled", 40)


def test_a_part_that_hangs_or_fails_is_not_ready_and_the_others_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smalti.server.doors.health.PATIENCE", 0.05)
    found = asyncio.run(parts(hangs=hang, fails=fail, games=compile_games).readiness())
    assert not found.ready
    assert found.parts["hangs"].told.startswith("no answer")
    assert found.parts["fails"] == PartState(False, "it does not answer")
    assert found.parts["games"].percent == 40
    assert PATIENCE == 2


def test_parts_are_asked_once_for_all_who_want_to_know() -> None:
    asked = []

    async def count() -> PartState:
        asked.append(1)
        await asyncio.sleep(0)
        return PartState(True)

    async def all_ask() -> None:
        health = parts(one=count)
        assert all(found.ready for found in await asyncio.gather(*(health.readiness() for _ in range(50))))

    asyncio.run(all_ask())
    assert len(asked) == 1


# --- Addresses


def test_the_server_knows_the_addresses_of_the_pages() -> None:
    routes = (ROOT / "web" / "src" / "frame" / "routes.ts").read_text()
    one, two, three = routes.partition("function ofOne")[0], routes.partition("function ofOne")[2], ""
    two, _, three = two.partition("function ofTwo")
    found = [set(re.findall(r'where === "(\w+)"', part)) for part in (one, two, three)]
    assert [set(known) for known in KNOWN[1:]] == found


@pytest.mark.parametrize(
    ("address", "status"),
    [
        *(("", 200), ("lobby", 200), ("lobby/", 200), ("new/mosaix", 200), ("join/abc/KEY", 200), ("g/abc/12", 200)),
        *(("lobby/2", 404), ("nowhere", 404), ("g", 404), ("join/a/b/c", 404), ("robots.txt", 404), ("apiary", 404)),
    ],
)
def test_the_page_is_good_for_its_own_addresses(address: str, status: int) -> None:
    assert status_of(address) == status


STRANGE = [
    "health",
    "ready",
    "status",
    "livez",
    "metrics/x",
    "api",
    "api/none",
    "api//x",
    "API/none",
    ".env",
    ".git/config",
]
STRANGE += ["wp-login.php", "a/b/index.php", "healthz/", "x/.aws/credentials"]


@pytest.mark.parametrize("address", STRANGE)
def test_machines_get_no_page(address: str) -> None:
    with pytest.raises(Problem, match="no page at this address"):
        status_of(address)


def test_no_page_of_ours_has_the_address_of_a_machine() -> None:
    assert not [name for known in KNOWN for name in known if name and MACHINES.fullmatch(name)]


def test_strange_addresses_are_answered_as_they_should(watched: Server) -> None:
    with httpx.Client(base_url=watched.url) as client:
        for address in ("/health", "/api/none", "/wp-login.php", "/.env", "/metrics/x"):
            answer = client.get(address)
            assert (answer.status_code, answer.json()["reason"]) == (404, "table.address"), address
        lost, lobby = client.get("/no/such/page"), client.get("/lobby")
        assert (lost.status_code, lobby.status_code) == (404, 200)
        assert lost.text == lobby.text, "the page itself says that it is lost"
