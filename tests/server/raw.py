"""Raw connections: bytes that no well-behaved client would send, from any address of this machine."""

from __future__ import annotations

import json
import socket
import time
from contextlib import suppress
from typing import Any, NamedTuple, Self

from tests.server.site import PATIENCE, Server

GET = b"GET /api/games HTTP/1.1\r\nhost: localhost\r\n"


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def problem(self) -> Any:
        """What is wrong, as it was told."""
        return json.loads(self.body)


def parsed(answer: bytes) -> Reply:
    """Read an answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return Reply(int(first.split()[1]) if first else 0, headers, body)


class Raw:
    """A connection."""

    def __init__(self, server: Server, source: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), PATIENCE, (source, 0))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        """Send bytes, whether somebody reads them or not."""
        with suppress(ConnectionError):
            self.socket.sendall(data)

    def rest(self) -> bytes:
        """Read until the other side ends."""
        found = b""
        with suppress(ConnectionError):
            while part := self.socket.recv(65536):
                found += part
        return found

    def reply(self) -> Reply:
        """Read the answer, after which the other side must end the connection."""
        return parsed(self.rest())

    def first(self) -> Reply:
        """Read an answer after which the connection stays open."""
        found = self.socket.recv(65536)
        while b"\r\n\r\n" not in found or len(parsed(found).body) < int(parsed(found).headers["content-length"]):
            found += self.socket.recv(65536)
        return parsed(found)

    def trickle(self, part: bytes, pause: float = 0.1) -> Reply:
        """Send something again and again, slowly, until there is an answer, and return it."""
        self.socket.settimeout(pause)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.send(part)
            try:
                found = self.socket.recv(65536)
                return parsed(found + self.rest())
            except TimeoutError:
                continue
        raise AssertionError("nobody has ended this")


def asked(server: Server, data: bytes, source: str = "127.0.0.1") -> Reply:
    """Send bytes over a connection of their own and return the answer."""
    with Raw(server, source) as raw:
        raw.send(data)
        return raw.reply()
