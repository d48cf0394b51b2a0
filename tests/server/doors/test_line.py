"""The line: requests that do not end, do not come or are too large, and connections without number."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import pytest
import uvicorn
from fastapi import FastAPI, WebSocket
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from smalti.server.doors.line.config import LEAST_FRAMES, LineConfig
from smalti.server.doors.line.http_protocol import MOST_PIPELINED
from smalti.server.doors.line.websocket_protocol import SLICE
from smalti.server.settings import Settings
from tests.server.conftest import NewBrowser, Serving
from tests.server.raw import GET, Raw, asked
from tests.server.site import Browser, Page, Server, until

ELSEWHERE = "127.0.0.2"
POST = b"POST /api/tables HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that waits for a second, and complains about nothing that others do."""
    with Server(tmp_path_factory.mktemp("strict"), SMALTI_REQUEST_SECONDS="1").running() as running:
        yield running
    assert not [line for line in running.log.splitlines() if "stood still" not in line]  # on a machine that is busy


def is_fine(server: Server, source: str = "127.0.0.1") -> bool:
    """Say whether a request from there is answered."""
    return asked(server, GET + b"connection: close\r\n\r\n", source).status == 200


# --- Sizes


def test_a_header_without_an_end_is_cut_off(strict: Server) -> None:
    with Raw(strict) as raw:
        raw.send(GET + b"cookie: ")
        for _ in range(40):
            raw.send(b"x" * 65536)
        reply = raw.reply()
    assert (reply.status, reply.problem["reason"]) == (431, "table.headers")
    assert set(reply.problem) == {"reason", "values", "sentence"}
    assert reply.headers["connection"] == "close"


def test_a_header_that_has_not_ended_is_not_waited_for_if_it_is_too_large_already(strict: Server) -> None:
    assert asked(strict, GET + b"cookie: " + b"x" * 40_000).status == 431
    with Raw(strict) as raw:
        raw.send(GET + b"\r\n" + GET + b"cookie: " + b"x" * 40_000)
        assert b"HTTP/1.1 431" not in raw.rest(), "the first request is answered or nothing, never the second"


def test_headers_are_counted_and_summed_up(strict: Server) -> None:
    def status(headers: bytes) -> int:
        return asked(strict, GET + headers + b"connection: close\r\n\r\n").status

    assert status(b"a: b\r\n" * 98) == 200
    assert status(b"a: b\r\n" * 99) == 431
    assert status(b"a: " + b"b" * 16_000 + b"\r\n") == 200
    assert status(b"a: " + b"b" * 17_000 + b"\r\n") == 431
    assert status(b"".join(b"a%d: %s\r\n" % (number, b"b" * 1000) for number in range(17))) == 431


def test_an_address_has_a_length(strict: Server) -> None:
    reply = asked(strict, b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n")
    assert (reply.status, reply.problem["reason"]) == (414, "table.long-address")
    assert asked(strict, b"GET /" + b"x" * 100_000).status == 414
    fine = b"GET /api/games?" + b"x" * 4000 + b" HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
    assert asked(strict, fine).status == 200


def test_a_handshake_has_the_same_limits(strict: Server, new_browser: NewBrowser) -> None:
    browser = new_browser(strict)
    table = browser.make("patterns", "Ann", "Bob")
    with pytest.raises(InvalidStatus, match="431"):
        browser.connection(table, more="x" * 17_000)


def test_headers_after_a_body_have_the_same_limits(strict: Server) -> None:
    with Raw(strict) as raw:
        raw.send(POST + b"transfer-encoding: chunked\r\n\r\n0\r\na: ")
        for _ in range(40):
            raw.send(b"x" * 65536)
        assert raw.reply().status == 413
    many = POST + b"transfer-encoding: chunked\r\n\r\n0\r\n" + b"a: b\r\n" * 200 + b"\r\n"
    assert asked(strict, many).status == 431


def test_a_body_is_refused_by_its_length_alone(strict: Server) -> None:
    with Raw(strict) as raw:
        raw.send(POST + b"content-length: 1000000000\r\n\r\n")
        assert raw.first().problem["reason"] == "table.large"


def test_what_is_not_http_is_answered_and_not_logged(strict: Server) -> None:
    for data in (
        b"\x16\x03\x01\x02\x00\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"x" * 9000,
    ):
        reply = asked(strict, data)
        assert (reply.status, reply.problem["reason"]) == (400, "table.format")


def test_requests_sent_all_at_once_do_not_pile_up(strict: Server) -> None:
    with Raw(strict) as raw:
        raw.send((GET + b"\r\n") * 5000)
        assert raw.rest().count(b"HTTP/1.1 200") <= 10
    with Raw(strict) as raw:
        raw.send((GET + b"\r\n") * 3 + GET + b"connection: close\r\n\r\n")
        assert raw.rest().count(b"HTTP/1.1 200") == 4, "a few may wait for each other"
    with Raw(strict) as raw:
        raw.send((GET + b"\r\n") * 20)
        assert raw.rest().count(b"HTTP/1.1 200") == 1 + MOST_PIPELINED, "those that were taken are answered"


# --- Times


def test_a_head_that_trickles_in_is_given_up(strict: Server) -> None:
    with Raw(strict) as raw:
        raw.send(b"GET / HTTP/1.1\r\n")
        reply = raw.trickle(b"a: b\r\n")
    assert (reply.status, reply.problem["reason"]) == (408, "table.slow")


def test_a_body_that_trickles_in_is_given_up(strict: Server) -> None:
    with Raw(strict) as raw:
        raw.send(POST + b"content-length: 10000\r\n\r\n")
        assert raw.trickle(b" ").status == 408
    with Raw(strict) as raw:
        raw.send(POST + b"transfer-encoding: chunked\r\n\r\n")
        assert raw.trickle(b"1\r\n \r\n").status == 408


def test_a_body_that_never_comes_is_given_up(strict: Server) -> None:
    reply = asked(strict, POST + b"content-length: 10\r\n\r\n")
    assert (reply.status, reply.problem["reason"]) == (408, "table.slow")
    foreign = POST + b"origin: https://evil.example\r\ncontent-length: 10\r\n\r\n"
    assert asked(strict, foreign).status == 403, "it is answered before, and closed all the same"


def test_the_second_request_of_a_connection_has_no_more_time_than_the_first(strict: Server) -> None:
    with Raw(strict) as raw:
        raw.send(GET + b"\r\n")
        assert raw.first().status == 200
        raw.send(b"GET / HTTP/1.1\r\n")
        assert raw.trickle(b"a: b\r\n").status == 408


def test_a_connection_that_says_nothing_is_closed_without_a_word(strict: Server) -> None:
    with Raw(strict) as raw:
        assert raw.rest() == b""


def test_a_body_that_breaks_off_is_nobodys_fault(strict: Server) -> None:
    for _ in range(5):
        with Raw(strict) as raw:
            raw.send(POST + b"content-length: 1000\r\n\r\n{")
    assert is_fine(strict)


# --- Connections


def test_one_address_has_so_many_connections_and_others_are_served(serving: Serving) -> None:
    server = serving(SMALTI_REQUEST_SECONDS="5", SMALTI_CONNECTIONS_AN_ADDRESS="500")
    with ExitStack() as stack:
        held = [stack.enter_context(Raw(server)) for _ in range(600)]
        for raw in held:
            raw.send(b"GET / HTTP/1.1\r\nhost: loc")
        replies = [raw.reply() for raw in held[500:]]
        assert {(reply.status, reply.problem["reason"]) for reply in replies} == {(429, "table.many")}
        assert all(int(reply.headers["retry-after"]) > 0 for reply in replies)
        assert is_fine(server, ELSEWHERE)
        assert all(raw.reply().status == 408 for raw in held[:500]), "those who do not go on make room"
    until(lambda: is_fine(server))


def test_there_are_so_many_connections_in_all(serving: Serving) -> None:
    server = serving(SMALTI_CONNECTIONS="20")
    with ExitStack() as stack:
        held = [stack.enter_context(Raw(server, f"127.0.1.{number}")) for number in range(1, 21)]
        for raw in held:
            raw.send(GET + b"\r\n")
            assert raw.first().status == 200
        reply = asked(server, GET + b"\r\n", ELSEWHERE)
        assert (reply.status, reply.problem["reason"]) == (503, "table.busy")
        assert int(reply.headers["retry-after"]) > 0
        held[0].socket.close()
        until(lambda: is_fine(server, ELSEWHERE))


def test_pages_are_counted_as_long_as_they_are_open_and_once(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving(SMALTI_CONNECTIONS_AN_ADDRESS="5")
    browser = new_browser(server)
    table = browser.make("patterns", "Ann", "Bob")
    browser.http.close()
    for _ in range(4):
        pages = [page for _ in range(5) if (page := until(lambda: opened(browser, table)))]
        assert asked(server, GET + b"\r\n").status == 429
        for page in pages:
            page.close()


def opened(browser: Browser, table: str) -> Page | None:
    """Open a page, if that can be done now: those that were closed may not be gone yet."""
    try:
        return browser.open(table, 0)
    except (InvalidStatus, ConnectionClosed):
        return None


def test_a_flood_of_connections_leaves_nothing_behind(serving: Serving) -> None:
    server = serving(SMALTI_CONNECTIONS_AN_ADDRESS="50")
    for _ in range(3000):
        Raw(server).socket.close()
    until(lambda: is_fine(server))
    with ExitStack() as stack:
        held = [stack.enter_context(Raw(server)) for _ in range(49)]
        for raw in held:
            raw.send(GET + b"\r\n")
        assert all(raw.first().status == 200 for raw in held)


# --- Frames


def test_pings_and_empty_parts_of_messages_have_a_limit(strict: Server, new_browser: NewBrowser) -> None:
    browser = new_browser(strict)
    table = browser.make("patterns", "Ann", "Bob")
    page = browser.open(table, 0)
    for _ in range(10):
        page.connection.ping()
    assert page.settle(), "some are fine"
    flood = Frame(Opcode.PING, b"").serialize(mask=True) * 1000
    page.connection.socket.sendall(flood)
    assert page.closing() == 1008
    page = browser.open(table, 0)
    parts = Frame(Opcode.TEXT, b"{", fin=False).serialize(mask=True)
    page.connection.socket.sendall(parts + Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) * 2000)
    assert page.closing() == 1009


@contextmanager
def listening(folder: Path, settings: Settings) -> Iterator[tuple[LineConfig, Server]]:
    """Run the line in a thread of this process, before somebody who takes one message of a page."""
    app, server = FastAPI(), Server(folder)

    @app.websocket("/live")
    async def live(page: WebSocket) -> None:
        await page.accept()
        await page.receive()

    config = LineConfig(app, settings, "127.0.0.1", 0)
    running = uvicorn.Server(config)
    thread = Thread(target=running.run)
    thread.start()
    until(lambda: running.started)
    server.port = running.servers[0].sockets[0].getsockname()[1]
    yield config, server
    running.should_exit = True
    thread.join()


UPGRADE = (
    b"GET /live HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: " + b"A" * 22 + b"==\r\n\r\n"
)
MEMORY = Settings(database="sqlite+aiosqlite://")


def test_a_page_that_answers_no_ping_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smalti.server.doors.line.config.PING_SECONDS", 0.2)
    with listening(tmp_path, MEMORY) as (config, server):
        with Raw(server) as raw:
            raw.send(UPGRADE)
            assert raw.rest().startswith(b"HTTP/1.1 101")
        until(lambda: not config.gate.inside)


@pytest.mark.parametrize("kind", [Opcode.PONG, Opcode.PING, Opcode.TEXT])
def test_a_burst_of_tiny_frames_is_not_parsed_to_its_end(
    kind: Opcode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed, parse = list[int](), ServerProtocol.receive_data

    def counted(self: ServerProtocol, data: bytes) -> None:
        parsed.append(len(data))
        parse(self, data)

    monkeypatch.setattr(ServerProtocol, "receive_data", counted)
    tiny = Frame(kind, b"").serialize(mask=True)
    with listening(tmp_path, MEMORY) as (config, server):
        with Raw(server) as raw:
            raw.send(UPGRADE)
            assert raw.socket.recv(65536).startswith(b"HTTP/1.1 101")
            raw.send(tiny * 300_000)
            raw.rest()
        until(lambda: not config.gate.inside)
    assert max(parsed) <= SLICE
    assert sum(parsed) < len(UPGRADE) + 3 * LEAST_FRAMES * len(tiny) + 2 * SLICE


def test_as_many_frames_as_a_page_may_send_are_fine(tmp_path: Path) -> None:
    with listening(tmp_path, MEMORY) as (_, server), Raw(server) as raw:
        raw.send(UPGRADE)
        assert raw.socket.recv(65536).startswith(b"HTTP/1.1 101")
        raw.send(Frame(Opcode.PONG, b"").serialize(mask=True) * LEAST_FRAMES)
        raw.send(Frame(Opcode.PING, b"still here").serialize(mask=True))
        assert raw.socket.recv(65536).endswith(b"still here")


def test_whoever_is_gone_before_a_connection_is_refused_is_nobodys_fault(strict: Server) -> None:
    handshake = UPGRADE.replace(b"/live", b"/api/tables/nosuch/live")
    for number in range(40):
        with Raw(strict) as raw:
            raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
            raw.send(handshake)
            if number % 2:
                raw.socket.recv(10)
    assert is_fine(strict)  # what was logged fails with the server of this file
