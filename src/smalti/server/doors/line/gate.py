"""The gate: how many connections are open, in all and by address."""

from __future__ import annotations

from asyncio import BaseTransport
from collections import Counter

from smalti.server.doors.line.addresses import Proxies, key_of
from smalti.server.problems import Problem

WAIT = 10  # seconds until somebody may try again
MOST_LINGERING = 100  # that are told why they cannot come in and have not closed yet


class Gate:
    """Lets connections in, and notes them until they are gone; a proxy's stand for many people and have no limit."""

    def __init__(self, most: int, most_an_address: int, proxies: Proxies) -> None:
        self.most, self.most_an_address, self.proxies = most, most_an_address, proxies
        self.inside: dict[BaseTransport, str | None] = {}
        self.lingering: set[BaseTransport] = set()
        self.by_address: Counter[str] = Counter()

    def enter(self, transport: BaseTransport, peer: str) -> None:
        """Let a connection in, or say why not."""
        if len(self.inside) >= self.most:
            raise Problem("busy", seconds=WAIT)
        key = None if peer in self.proxies else key_of(peer)
        if key is not None:
            if self.by_address[key] >= self.most_an_address:
                raise Problem("many", seconds=WAIT)
            self.by_address[key] += 1
        self.inside[transport] = key

    def leave(self, transport: BaseTransport) -> None:
        """Forget a connection; whoever asks twice, or was never let in, changes nothing."""
        self.lingering.discard(transport)
        key = self.inside.pop(transport, None)
        if key is not None:
            self.by_address[key] -= 1
            if not self.by_address[key]:
                del self.by_address[key]

    def may_linger(self, transport: BaseTransport) -> bool:
        """Say whether a connection that ends may stay until its answer has been read."""
        if len(self.lingering) < MOST_LINGERING:
            self.lingering.add(transport)
        return transport in self.lingering
