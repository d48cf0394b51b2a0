"""A real server, and the people at its tables: browsers that keep a cookie, pages that keep a connection.

`Server` is a process, `Browser` asks over HTTP, `Page` talks over the WebSocket; `play` lets pages play a game.
Everything waits for messages, never for the clock.
"""

from __future__ import annotations

import json
import os
import random
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.server.nursery import LOG, OUT, RUNNER, Forked, nursery
from tests.server.nursery import ROOT as ROOT

PATIENCE = 30.0  # seconds until a test gives up waiting; machines can be busy
GENEROUS = {
    "SMALTI_BOT_PAUSE_MS": "0",
    "SMALTI_TABLES_AN_HOUR": "1000000",
    "SMALTI_MESSAGES_A_SECOND": "300",
    "SMALTI_READS_A_SECOND": "100000",
    "SMALTI_CONNECTIONS_AN_ADDRESS": "5000",
    "SMALTI_BESIDE_A_MINUTE": "100000",
    "SMALTI_ASKS_A_MINUTE": "100000",
}

# Settings that are read while modules are imported: a server that has one cannot be forked from another process.
AT_IMPORT = ("SMALTI_CACHE_DIR", "SMALTI_TEST_COMPILE", "NUMBA_")

Message = dict[str, Any]
T = TypeVar("T")


def until(question: Callable[[], T], patience: float = PATIENCE) -> T:
    """Ask again and again until the answer is true, and return it."""
    end = time.monotonic() + patience
    while not (answer := question()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
    return answer


def free_port() -> int:
    """Return a port that nobody listens on, for programs that cannot choose one and tell: our server can.

    Every worker of the tests has ports of its own, below those that systems lend to callers: else somebody might take
    it between our look and the start of what is to listen there.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw3").removeprefix("gw")
    first = 12_000 + 4_000 * (int(worker) % 5)
    while True:
        port = first + secrets.randbelow(4_000)
        with socket.socket() as chosen, suppress(OSError):
            chosen.bind(("127.0.0.1", port))
            return port


def is_listening(port: int) -> bool:
    """Say whether somebody answers at a port."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


class Server:
    """The server in a process of its own, which can be killed and started again on the same files and port."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder, self.port = folder, 0  # the system chooses a port at the first start; it stays the same
        self.settings = {**GENEROUS, "SMALTI_DATA_DIR": str(folder), **settings}
        self.process: subprocess.Popen[bytes] | Forked | None = None

    @property
    def host(self) -> str:
        """What stands in the header `Host`."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://{self.host}"

    @property
    def file(self) -> Path:
        """The database, if it is SQLite."""
        return self.folder / "smalti.sqlite"

    @property
    def log(self) -> str:
        """What the server has complained about."""
        return (self.folder / LOG).read_text()

    @property
    def environment(self) -> dict[str, str]:
        """The variables that it is started with."""
        return {**os.environ, **self.settings}

    @property
    def words(self) -> list[str]:
        """The command that runs it where it cannot be forked."""
        return [sys.executable, "-m", RUNNER, str(self.port)]

    def launch(self) -> None:
        """Start without waiting until it answers."""
        if any(name.startswith(AT_IMPORT) for name in self.settings):
            self.launch_alone()
        else:
            self.process = nursery().fork(self.port, self.environment, self.folder)

    def launch_alone(self) -> None:
        """Start with an interpreter of its own."""
        with (self.folder / OUT).open("ab") as out, (self.folder / LOG).open("ab") as log:
            self.process = subprocess.Popen(
                self.words, cwd=ROOT, env=self.environment, stdout=out, stderr=log, start_new_session=True
            )

    @property
    def answers(self) -> bool:
        """Whether it listens; at its first start it says where."""
        if not self.port:
            said = (self.folder / OUT).read_text() if (self.folder / OUT).exists() else ""
            found = re.search(r"^Smalti is at http://localhost:(\d+)\b", said, re.MULTILINE)
            self.port = int(found[1]) if found else 0
        return bool(self.port) and is_listening(self.port)

    def wait(self, patience: float = PATIENCE) -> None:
        """Wait until it answers."""
        until(lambda: self.answers or self.has_ended, patience)
        assert not self.has_ended, self.log

    def start(self) -> None:
        """Start, and wait until it answers."""
        self.launch()
        self.wait()

    @contextmanager
    def running(self) -> Iterator[Self]:
        """Run it for a while; in the end it must not have stumbled over anything."""
        try:
            self.start()
            yield self
        finally:
            self.stop()
        assert "Traceback" not in self.log, self.log

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self.process is None or self.process.poll() is not None

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self.process
        return self.process.pid

    def kill(self) -> None:
        """Let it die at once, in the middle of whatever it does."""
        os.kill(self.pid, signal.SIGKILL)
        assert self.process
        self.process.wait()

    def freeze(self) -> None:
        """Let it stand still, as a suspended machine does."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        os.kill(self.pid, signal.SIGCONT)

    def stop(self) -> None:
        """Let it end in good order, and end whatever it has left behind."""
        if self.process is None:
            return
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)  # a session of its own: nobody else is in it
        self.process.wait()


def wish(seat: str) -> Message:
    """Return who is to sit on a seat: `link`, `bot:NAME`, or the name of somebody here."""
    if seat == "link":
        return {"kind": "link"}
    if seat.startswith("bot:"):
        return {"kind": "bot", "bot": seat.removeprefix("bot:")}
    return {"kind": "here", "name": seat}


class Browser:
    """Somebody's browser."""

    def __init__(self, server: Server, cookie: str | None = None) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.url, timeout=PATIENCE)
        if cookie is not None:
            self.http.headers["cookie"] = f"smalti={cookie}"
        self.opened = ExitStack()

    def close(self) -> None:
        """Close all its pages."""
        self.opened.close()
        self.http.close()

    # --- Asking

    def get(self, address: str) -> Any:
        """Fetch something that is there."""
        answer = self.http.get(address)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, address: str, **body: Any) -> httpx.Response:
        """Ask for something to be done."""
        return self.http.post(address, json=body)

    def patch(self, address: str, **body: Any) -> httpx.Response:
        """Ask for something to be changed."""
        return self.http.patch(address, json=body)

    def make(self, game: str, *seats: str, **more: Any) -> str:
        """Make a table and return its name."""
        answer = self.post("/api/tables", game=game, seats=[wish(seat) for seat in seats], **more)
        assert answer.status_code == 201, answer.text
        self.add_nonces(str(answer.json()["id"]))
        return str(answer.json()["id"])

    def table(self, table: str) -> Message:
        """Return the people at a table."""
        found: Message = self.get(f"/api/tables/{table}")
        return found

    def keys(self, table: str) -> list[str | None]:
        """Return the keys of the free seats' links, by seat."""
        links = [seat["link"] for seat in self.table(table)["seats"]]
        return [link and link.rpartition("/")[2] for link in links]

    def claim(self, table: str, name: str, key: str | None = None) -> httpx.Response:
        """Sit down."""
        answer = self.post(f"/api/tables/{table}/seats", name=name, **({"key": key} if key is not None else {}))
        if answer.status_code == 200:
            self.add_nonces(table)
        return answer

    def add_nonces(self, table: str) -> None:
        """Add to the luck of a table, as pages do when they have seen its commitment."""
        people = self.table(table)
        owing = [seat for seat, place in enumerate(people["seats"]) if place["mine"] and not place["ready"]]
        if owing:
            nonces = {str(seat): secrets.token_hex(32) for seat in owing}
            answer = self.post(f"/api/tables/{table}/nonces", commitment=people["commitment"], nonces=nonces)
            assert answer.status_code == 204, answer.text

    @property
    def cookie(self) -> str | None:
        """The secret that the server has given."""
        return self.http.cookies.get("smalti")

    # --- Looking

    def connection(self, table: str, query: str = "", **headers: str) -> ClientConnection:
        """Open a connection to a table."""
        cookies = self.http.headers.get("cookie") or (f"smalti={self.cookie}" if self.cookie else "")
        given = {**({"cookie": cookies} if cookies else {}), **headers}
        address = f"ws://{self.server.host}/api/tables/{table}/live{query}"
        opened = connect(
            address,
            additional_headers=given,
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
            close_timeout=1,  # a page that has not read everything would wait in vain for the server's goodbye
        )
        return self.opened.enter_context(opened)

    def open(self, table: str, seat: int | None = None, since: int = 0, watch: str | None = None) -> Page:
        """Open a page that looks at a table."""
        page = self.open_unasked(table, watch)
        page.look(seat, since)
        return page

    def open_unasked(self, table: str, watch: str | None = None) -> Page:
        """Open a page that says nothing yet."""
        return Page(self.connection(table, f"?watch={watch}" if watch else ""))


class Page:
    """A page that is open: everything it has been told, and the newest of each kind."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.told: list[str] = []
        self.newest: dict[str, Message] = {}
        self.asked = 0
        self.why = ""  # what the server said when it closed the connection

    def close(self) -> None:
        """Close the page."""
        self.connection.close()

    @property
    def state(self) -> Message:
        """The game as it was told last."""
        return self.newest["state"]

    @property
    def table(self) -> Message:
        """The people as they were told last."""
        return self.newest["table"]

    # --- Listening

    def receive(self) -> Message:
        """Return the next message."""
        text = self.connection.recv(PATIENCE)
        assert isinstance(text, str)
        self.told.append(text)
        message: Message = json.loads(text)
        self.newest[message["t"]] = message
        return message

    def next(self, kind: str) -> Message:
        """Return the next message of a kind."""
        while (message := self.receive())["t"] != kind:
            pass
        return message

    def until(self, question: Callable[[Message], bool]) -> Message:
        """Return the newest state as soon as this is true of it."""
        while "state" not in self.newest or not question(self.state):
            self.receive()
        return self.state

    def until_people(self, question: Callable[[Message], bool]) -> Message:
        """Return the people as soon as this is true of them."""
        while "table" not in self.newest or not question(self.table):
            self.receive()
        return self.table

    def closing(self) -> int:
        """Listen until the server closes the connection, and return why."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as closed:
            self.why = closed.rcvd.reason if closed.rcvd else ""
            return closed.rcvd.code if closed.rcvd else 1006

    def settle(self) -> list[Message]:
        """Listen until everything this page has asked is answered, and return what came."""
        before = len(self.told)
        for _ in range(2):  # the first pong may overtake a state, the second one cannot
            self.send(t="ping")
            self.next("pong")
        return [json.loads(text) for text in self.told[before:]]

    # --- Talking

    def send(self, **message: Any) -> None:
        """Say something."""
        self.connection.send(json.dumps(message))

    def ask(self, text: str | bytes) -> Message:
        """Say something as it stands, and return the refusal."""
        self.connection.send(text)
        return self.next("refused")

    def look(self, seat: int | None, since: int = 0) -> Message:
        """Look with these eyes, and return the state."""
        self.send(t="look", seat=seat, since=since)
        self.settle()
        return self.state

    def new_id(self) -> str:
        """Return an id that nobody else has."""
        self.asked += 1
        return f"{id(self)}-{self.asked}-{random.getrandbits(32)}"

    def do(self, text: str, seat: int | None = None, n: int | None = None, id: str | None = None) -> Message:
        """Let a seat act, by default the one this page looks with, and return the state or the refusal."""
        place, message = self.state["seat"] if seat is None else seat, id or self.new_id()
        self.send(t="do", id=message, n=self.state["n"] if n is None else n, seat=place, do=text)
        for answer in self.settle():
            if answer["t"] == "refused" and answer["id"] == message:
                return answer
        return self.state


def play(
    pages: Sequence[Page],
    luck: random.Random,
    moves: int = 10**9,
    stop: Callable[[Message], bool] = lambda state: not state["acting"],
) -> None:
    """Let pages, each looking with a seat of its own, play at random: to the end, so many moves, or until this is true.

    Seats that none of them looks with, such as bots, are waited for.
    """
    while moves and not stop(newest(pages)):
        acting = [page for page in pages if page.state["seat"] in page.state["acting"]]
        if not acting:
            pages[0].receive()
            continue
        page, moves = luck.choice(acting), moves - 1
        message, state = page.new_id(), page.state
        page.send(t="do", id=message, n=state["n"], seat=state["seat"], do=luck.choice(state["legal"]))
        page.until(lambda state, message=message: has_id(state, message))  # type: ignore[misc]
    newest(pages)


def newest(pages: Sequence[Page]) -> Message:
    """Let all pages hear what the best informed one has heard, and return the state."""
    number = max(page.state["n"] for page in pages)
    for page in pages:
        page.until(lambda state: state["n"] >= number)
    return max((page.state for page in pages), key=lambda state: int(state["n"]))


def is_bidding(state: Message) -> bool:
    """Say whether everybody at a table of Mozaika has to bid, or the game is over."""
    return len(state["acting"]) == len(state["scores"]) and state["view"]["phase"] == "bidding"


def has_id(state: Message, message: str) -> bool:
    """Say whether a state tells of what a message asked for."""
    return any(event["id"] == message for event in state["events"])
