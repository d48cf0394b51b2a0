"""A line between a browser and the site that can be cut, mended, or made to swallow what goes over it."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Literal

Way = Literal["there", "back"]


class Line:
    """Carries bytes from a port of its own to the site."""

    def __init__(self, to: int) -> None:
        self.to, self.port = to, 0  # the system chooses a port, once
        self.swallowed: set[Way] = set()
        self.opened: list[socket.socket] = []
        self.lock = threading.Lock()
        self.door: socket.socket | None = None
        self.mend()

    @property
    def url(self) -> str:
        """The address of the site at this end of the line."""
        return f"http://127.0.0.1:{self.port}"

    def mend(self) -> None:
        """Let people through."""
        self.swallowed.clear()
        self.door = socket.create_server(("127.0.0.1", self.port))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self.welcome, args=[self.door], daemon=True).start()

    def cut(self) -> None:
        """Break everything that is under way, and let nobody through."""
        if self.door:
            close(self.door)
        self.door = None
        with self.lock:
            ends, self.opened = self.opened, []
        for end in ends:
            close(end)

    def swallow(self, *ways: Way) -> None:
        """Let what goes there, or comes back, vanish without a trace."""
        self.swallowed.update(ways)

    def welcome(self, door: socket.socket) -> None:
        """Take whoever comes, until the line is cut."""
        with suppress(OSError):
            while True:
                near, _ = door.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self.to))
                except OSError:
                    close(near)
                    continue
                with self.lock:
                    self.opened += [near, far]
                threading.Thread(target=self.carry, args=[near, far, "there"], daemon=True).start()
                threading.Thread(target=self.carry, args=[far, near, "back"], daemon=True).start()

    def carry(self, source: socket.socket, target: socket.socket, way: Way) -> None:
        """Carry bytes one way until one end closes."""
        with suppress(OSError):
            while some := source.recv(65536):
                if way not in self.swallowed:
                    target.sendall(some)
        close(source)
        close(target)


def close(end: socket.socket) -> None:
    """Close a socket at once, whoever waits on it."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
