"""What the load says: WebSocket lines on uvloop, and the two dialects spoken on them, ours and boardgame.io's.

The same program loads both servers, so it must cost next to nothing: frames are cut by hand, and of what a server
tells only the fields that are needed are read.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import secrets
from collections.abc import Callable
from typing import Any, Protocol, cast

import msgspec

HOST = "127.0.0.1"
PING, TEXT, CLOSE = 9, 1, 8
NO_MASK = bytes(4)  # the protocol wants a mask; with this one there is nothing to do here, and all to do there


class Told(msgspec.Struct, tag=False):
    """What a seat has been told, as far as it matters for going on."""

    t: str
    n: int = 0
    acting: list[int] = []
    legal: list[str] = []


Hear = Callable[[Told, int], None]  # what was told, and how many bytes it took


def frame(payload: bytes, kind: int = TEXT) -> bytes:
    """Return a client's frame."""
    length = len(payload)
    head = bytes([0x80 | kind, 0x80 | length]) if length < 126 else bytes([0x80 | kind, 0xFE, *length.to_bytes(2)])
    return head + NO_MASK + payload


class Line(asyncio.Protocol):
    """A WebSocket to a server."""

    def __init__(self, path: str, cookie: str, receive: Callable[[bytes], None]) -> None:
        self.path, self.cookie, self.receive = path, cookie, receive
        self.buffer = b""
        self.is_open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        self.transport = cast(asyncio.Transport, transport)
        lines = [f"GET {self.path} HTTP/1.1", f"Host: {HOST}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", f"Cookie: {self.cookie}"]
        self.transport.write("\r\n".join([*lines, "", ""]).encode())

    def connection_lost(self, error: Exception | None) -> None:
        """Say so to whoever still waits for the line to open."""
        if not self.opened.done():
            self.opened.set_exception(error or ConnectionError("the server hung up"))

    def data_received(self, data: bytes) -> None:
        """Cut what has come into frames."""
        self.buffer += data
        if not self.is_open:
            self.shake_hands()
        while self.is_open and (cut := self.next_frame()):
            kind, payload = cut
            if kind == TEXT:
                self.receive(payload)
            elif kind == PING:
                self.transport.write(frame(payload, kind=10))
            elif kind == CLOSE:
                raise ConnectionError(f"the server closed with {payload!r}")

    def shake_hands(self) -> None:
        """Take the server's answer off the buffer, once it is all there."""
        head, end, rest = self.buffer.partition(b"\r\n\r\n")
        if end:
            if b" 101 " not in head.split(b"\r\n")[0]:
                raise ConnectionError(head.decode(errors="replace"))
            self.buffer, self.is_open = rest, True
            self.opened.set_result(None)

    def next_frame(self) -> tuple[int, bytes] | None:
        """Take one frame off the buffer, if it is all there; servers neither mask nor split theirs."""
        buffer, start = self.buffer, 2
        if len(buffer) < 2:
            return None
        length = buffer[1]
        if length > 125:
            start = 4 if length == 126 else 10
            length = int.from_bytes(buffer[2:start])
        if len(buffer) < start + length:
            return None
        self.buffer = buffer[start + length :]
        return buffer[0] & 15, buffer[start : start + length]

    def say(self, text: bytes) -> None:
        """Send a message."""
        self.transport.write(frame(text))


class Dialect(Protocol):
    """How one server is spoken to."""

    def new_table(self, game: str, seats: int) -> list[tuple[str, ...]]:
        """Make a table over HTTP and sit on all its seats; return what each seat needs to connect."""

    async def connect(self, keys: tuple[str, ...], seat: int, hear: Hear) -> Line:
        """Connect a seat."""

    def move(self, line: Line, keys: tuple[str, ...], seat: int, number: int, do: str) -> int:
        """Let a seat act, in answer to the state of that number; return the bytes sent."""


def request(port: int, method: str, path: str, body: Any = None, cookie: str = "") -> Any:
    """Ask a server over HTTP."""
    return request_as_browser(port, method, path, body, cookie)[0]


def request_as_browser(port: int, method: str, path: str, body: Any, cookie: str = "") -> tuple[Any, str]:
    """Ask a server over HTTP, and return its answer with the cookie that a browser has afterwards."""
    connection = http.client.HTTPConnection(HOST, port, timeout=60)
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    if response.status >= 300:
        raise ConnectionError(f"{method} {path}: {response.status} {text!r}")
    given = (response.getheader("set-cookie") or "").partition(";")[0]
    return json.loads(text or "null"), given or cookie


async def dial(port: int, path: str, cookie: str, receive: Callable[[bytes], None]) -> Line:
    """Open a line."""
    _, line = await asyncio.get_running_loop().create_connection(lambda: Line(path, cookie, receive), HOST, port)
    await line.opened
    return line


class Smalti:
    """Our server: each seat is a browser of its own."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.read = msgspec.json.Decoder(Told).decode
        self.moves = 0

    def new_table(self, game: str, seats: int) -> list[tuple[str, ...]]:
        """Make a table with a link for everybody but the host, and follow the links."""
        wishes = [{"kind": "here", "name": "A"}, *({"kind": "link"} for _ in range(1, seats))]
        made, host = request_as_browser(self.port, "POST", "/api/tables", {"game": game, "seats": wishes})
        name, browsers = made["id"], [host]
        table = request(self.port, "GET", f"/api/tables/{name}", None, host)
        people, commitment = table["seats"], table["commitment"]
        for number, place in enumerate(people[1:], 1):
            claim = {"name": f"B{number}", "key": place["link"].rpartition("/")[2]}
            browsers.append(request_as_browser(self.port, "POST", f"/api/tables/{name}/seats", claim)[1])
        for seat, browser in enumerate(browsers):
            nonces = {"commitment": commitment, "nonces": {str(seat): secrets.token_hex(32)}}
            request(self.port, "POST", f"/api/tables/{name}/nonces", nonces, browser)
        return [(name, browser) for browser in browsers]

    async def connect(self, keys: tuple[str, ...], seat: int, hear: Hear) -> Line:
        """Connect and look with the eyes of the seat."""
        name, browser = keys
        path = f"/api/tables/{name}/live"
        line = await dial(self.port, path, browser, lambda text: hear(self.read(text), len(text)))
        line.say(b'{"t":"look","seat":%d}' % seat)
        line.say(b'{"t":"eyes","open":true}')
        return line

    def move(self, line: Line, keys: tuple[str, ...], seat: int, number: int, do: str) -> int:
        """Do something."""
        self.moves += 1
        text = msgspec.json.encode({"t": "do", "id": f"m{self.moves}", "n": number, "seat": seat, "do": do})
        line.say(text)
        return len(text)


class BoardgameIO:
    """Its server, by the words of its own client: Socket.IO over a WebSocket, a namespace for the game."""

    SPACE = b"/counter,"

    def __init__(self, port: int) -> None:
        self.port = port

    def new_table(self, game: str, seats: int) -> list[tuple[str, ...]]:
        """Make a match and join it with every player, for credentials."""
        name = request(self.port, "POST", "/games/counter/create", {"numPlayers": seats})["matchID"]
        joins = [{"playerID": str(seat), "playerName": "A"} for seat in range(seats)]
        joined = [request(self.port, "POST", f"/games/counter/{name}/join", join) for join in joins]
        return [(name, answer["playerCredentials"]) for answer in joined]

    async def connect(self, keys: tuple[str, ...], seat: int, hear: Hear) -> Line:
        """Connect, enter the namespace, and ask for the state."""

        def receive(text: bytes) -> None:
            if text == b"2":
                line.say(b"3")
            elif text.startswith(b"0"):
                line.say(b"40" + self.SPACE)
            elif text.startswith(b"40"):
                asked = ["sync", keys[0], str(seat), keys[1], 2]
                line.say(b"42" + self.SPACE + msgspec.json.encode(asked))
            elif text.startswith(b"42"):
                self.tell(text, seat, hear)

        loop, path = asyncio.get_running_loop(), "/socket.io/?EIO=4&transport=websocket"
        line = Line(path, "", receive)
        await loop.create_connection(lambda: line, HOST, self.port)
        await line.opened
        return line

    def tell(self, text: bytes, seat: int, hear: Hear) -> None:
        """Read the number of a state, and whose turn it is."""
        what, *rest = msgspec.json.decode(text[2 + len(self.SPACE) :])
        if what in ("update", "sync"):
            state = rest[1] if what == "update" else rest[1]["state"]
            turn = int(state["ctx"]["currentPlayer"])
            hear(Told("state", state["_stateID"] + 1, [turn], ["click"] if turn == seat else []), len(text))

    def move(self, line: Line, keys: tuple[str, ...], seat: int, number: int, do: str) -> int:
        """Make the one move there is."""
        payload = {"type": do, "args": [], "playerID": str(seat), "credentials": keys[1]}
        said = ["update", {"type": "MAKE_MOVE", "payload": payload}, number - 1, keys[0], str(seat)]
        text = b"42" + self.SPACE + msgspec.json.encode(said)
        line.say(text)
        return len(text)
