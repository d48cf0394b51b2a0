"""Many people in one process: browsers and pages that wait beside each other instead of one after the other.

`Browser` asks over HTTP and keeps its cookie, `Page` talks over a WebSocket. Both may come from another address of this
machine, and go to whichever of several processes is there.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, NamedTuple, Self, TypeVar
from weakref import WeakSet

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.server.site import PATIENCE, Message, wish

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"  # two addresses of this machine
LOST = (OSError, EOFError, ConnectionClosed, InvalidHandshake, asyncio.TimeoutError)  # nobody is there, or not any more
T = TypeVar("T")


opened: WeakSet[ClientConnection] = WeakSet()  # by anybody


def let(work: Coroutine[Any, Any, T]) -> T:
    """Let people do something, to its end; whoever is still connected then is gone."""

    async def to_the_end() -> T:
        try:
            return await work
        finally:
            for connection in list(opened):
                connection.transport.abort()
            opened.clear()
            await asyncio.sleep(0.1)  # so that nothing is left open

    return asyncio.run(to_the_end())


async def together(work: Iterable[Awaitable[T]], at_once: int = 50) -> list[T]:
    """Let many do something, so many at once, and return what came of it."""
    places = asyncio.Semaphore(at_once)

    async def one(task: Awaitable[T]) -> T:
        async with places:
            return await task

    return await asyncio.gather(*(one(task) for task in work))


class Answer(NamedTuple):
    """What a request was answered with."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> Any:
        """The message in it."""
        return json.loads(self.body)


async def answer_from(reader: asyncio.StreamReader, is_head: bool = False) -> Answer:
    """Read an answer."""
    status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    if " 100 " in status:  # go on; the answer is still to come
        return await answer_from(reader, is_head)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = 0 if is_head else int(headers.get("content-length", 0))
    return Answer(int(status.split(" ")[1]), headers, await reader.readexactly(length))


class Browser:
    """Somebody's browser."""

    def __init__(self, *ports: int, source: str = HERE, cookie: str = "") -> None:
        self.ports, self.source, self.cookie = ports, source, cookie

    @property
    def headers(self) -> dict[str, str]:
        """What it sends along always."""
        return {"cookie": self.cookie} if self.cookie else {}

    # --- Asking

    async def ask(self, method: str, path: str, body: Any = None) -> Answer:
        """Ask for something, by a connection of its own."""
        port = random.choice(self.ports)
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(HERE, port, local_addr=(self.source, 0))
            try:
                writer.write(self.request(method, path, port, body))
                answer = await answer_from(reader)
            finally:
                writer.close()
        self.cookie = answer.headers.get("set-cookie", self.cookie).partition(";")[0]
        return answer

    def request(self, method: str, path: str, port: int, body: Any = None) -> bytes:
        """Return the bytes of a request."""
        text = b"" if body is None else json.dumps(body).encode()
        headers = {"host": f"{HERE}:{port}", "connection": "close", "content-length": len(text), **self.headers}
        if body is not None:
            headers["content-type"] = "application/json"
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        return "\r\n".join(lines).encode() + text

    async def get(self, path: str) -> Any:
        """Fetch something that is there."""
        answer = await self.ask("GET", path)
        assert answer.status == 200, answer
        return answer.told

    async def make(self, game: str, *seats: str, **more: Any) -> str:
        """Make a table and return its name."""
        answer = await self.ask("POST", "/api/tables", {"game": game, "seats": [wish(seat) for seat in seats], **more})
        assert answer.status == 201, answer
        table = str(answer.told["id"])
        await self.add_nonces(table)
        return table

    async def keys(self, table: str) -> list[str]:
        """Return the keys of the free seats' links, by seat."""
        seats = (await self.get(f"/api/tables/{table}"))["seats"]
        return [(seat["link"] or "").rpartition("/")[2] for seat in seats]

    async def claim(self, table: str, name: str, key: str) -> None:
        """Sit down."""
        answer = await self.ask("POST", f"/api/tables/{table}/seats", {"name": name, "key": key})
        assert answer.status == 200, answer
        await self.add_nonces(table)

    async def add_nonces(self, table: str) -> None:
        """Add to the luck of a table, as pages do."""
        people = await self.get(f"/api/tables/{table}")
        owing = [seat for seat, place in enumerate(people["seats"]) if place["mine"] and not place["ready"]]
        if owing:
            nonces = {str(seat): secrets.token_hex(32) for seat in owing}
            wanted = {"commitment": people["commitment"], "nonces": nonces}
            answer = await self.ask("POST", f"/api/tables/{table}/nonces", wanted)
            assert answer.status == 204, answer

    # --- Looking

    async def connection(self, table: str, query: str = "") -> ClientConnection:
        """Open a connection to a table."""
        address = f"ws://{HERE}:{random.choice(self.ports)}/api/tables/{table}/live{query}"
        # Nothing is compressed, limited or asked for by the client itself.
        plain = {"compression": None, "max_size": None, "max_queue": None, "ping_interval": None, "proxy": None}
        connection = await connect(
            address,
            additional_headers=self.headers,
            open_timeout=PATIENCE,
            local_addr=(self.source, 0),
            **plain,  # type: ignore[arg-type]
        )
        opened.add(connection)
        return connection

    async def open(self, table: str, seat: int | None = None, since: int = 0, query: str = "") -> Page:
        """Open a page that looks at a table, and has been told everything."""
        page = Page(await self.connection(table, query))
        await page.look(seat, since)
        return page


class Page:
    """A page that is open: the newest message of each kind, and all of them if they are to be kept."""

    ids = itertools.count()

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.newest: dict[str, Message] = {}
        self.kept: list[str] | None = None

    @property
    def state(self) -> Message:
        """The game as it was told last."""
        return self.newest["state"]

    async def close(self) -> None:
        """Close the page."""
        await self.connection.close()

    async def receive(self) -> Message:
        """Return the next message."""
        async with asyncio.timeout(PATIENCE):
            text = await self.connection.recv()
        assert isinstance(text, str)
        if self.kept is not None:
            self.kept.append(text)
        message: Message = json.loads(text)
        self.newest[message["t"]] = message
        return message

    async def send(self, **message: Any) -> None:
        """Say something."""
        await self.connection.send(json.dumps(message))

    async def next(self, kind: str) -> Message:
        """Return the next message of a kind."""
        while (message := await self.receive())["t"] != kind:
            pass
        return message

    async def until(self, question: Callable[[Message], bool]) -> Message:
        """Return the newest state as soon as this is true of it."""
        while "state" not in self.newest or not question(self.state):
            await self.receive()
        return self.state

    async def settle(self) -> None:
        """Listen until everything is answered that this page has asked."""
        for _ in range(2):  # the first pong may overtake a state, the second one cannot
            await self.send(t="ping")
            await self.next("pong")

    async def look(self, seat: int | None, since: int = 0) -> Message:
        """Look with these eyes, and return the state."""
        await self.send(t="look", seat=seat, since=since)
        await self.next("state")
        return self.state

    @classmethod
    def new_id(cls) -> str:
        """Return an id that no other message has."""
        return f"{next(cls.ids)}-{secrets.token_hex(4)}"

    def move(self, do: str) -> Message:
        """Return the message by which this page's seat does something."""
        return {"t": "do", "id": self.new_id(), "n": self.state["n"], "seat": self.state["seat"], "do": do}

    async def do(self, do: str) -> Message:
        """Let this page's seat act, and return the state that tells of it, or the refusal."""
        asked = self.move(do)
        await self.send(**asked)
        while True:
            told = await self.receive()
            if told["t"] == "state" and any(event["id"] == asked["id"] for event in told["events"]):
                return told
            if told["t"] == "refused" and told["id"] == asked["id"]:
                return told


class Party:
    """People at one table, each with a browser and a page of their own."""

    def __init__(self, table: str, pages: list[Page], browsers: list[Browser]) -> None:
        self.table, self.pages, self.browsers = table, pages, browsers

    @classmethod
    async def at(cls, game: str, seats: int, *ports: int, source: str = HERE, **more: Any) -> Self:
        """Let people sit down at a new table."""
        browsers = [Browser(*ports, source=source) for _ in range(seats)]
        table = await browsers[0].make(game, "Ann 0", *["link"] * (seats - 1), **more)
        keys = await browsers[0].keys(table)
        for seat in range(1, seats):
            await browsers[seat].claim(table, f"Ann {seat}", keys[seat])
        return cls(table, [await browser.open(table, seat) for seat, browser in enumerate(browsers)], browsers)

    async def close(self) -> None:
        """Let everybody go."""
        await asyncio.gather(*(page.close() for page in self.pages))

    async def newest(self) -> Message:
        """Let all pages hear what the best informed one has heard, and return its state."""
        number = max(page.state["n"] for page in self.pages)
        for page in self.pages:
            await page.until(lambda state: state["n"] >= number)
        return max((page.state for page in self.pages), key=lambda state: int(state["n"]))

    async def step(self, luck: random.Random) -> bool:
        """Let somebody who must act do something at random; False if the game is over."""
        acting = (await self.newest())["acting"]
        if acting:
            page = self.pages[luck.choice(acting)]
            told = await page.do(luck.choice(page.state["legal"]))
            assert told["t"] == "state", told
        return bool(acting)
