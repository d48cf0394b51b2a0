"""How often a browser and an address may do something.

A browser is known by its cookie, and whoever throws it away is a new one: so each thing is counted by browser and by
address. An address may be a whole class behind one router; it has many times what one browser has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from smalti.server.settings import Settings
from smalti.server.token_bucket import Buckets, an_hour

SOCKETS_A_BROWSER = 50  # pages that are open at a time
BURST = 10  # seconds whose reads may come at once
TOUCH = 0.1  # what any request costs, in reads
LIST = 5.0  # a list of tables
REPLAY = 2.0  # a finished game told, or one of its positions, if it is not kept
PROOF = 10.0  # every draw of a game worked out again
PICTURE = 50.0  # a picture that has to be drawn
COMING = 2.0  # to sit down at a table, in things beside the game: who comes also goes


class Limits:
    """What everybody has left."""

    def __init__(self, settings: Settings) -> None:
        tables, messages = settings.tables_an_hour, settings.messages_a_second
        crowd = max(1.0, settings.crowd)
        reads = settings.reads_a_second * max(1.0, crowd / 10)  # few of a crowd read in the same second
        self.tables, self.newcomers = an_hour(tables), an_hour(tables)
        self.tables_an_address = an_hour(tables * max(1.0, crowd / 5))
        self.messages, self.messages_an_address = each(messages, 2), each(messages * crowd, 2)
        self.reads = each(reads, BURST)
        self.comers = Buckets(settings.beside_a_minute / 60, settings.beside_a_minute)
        self.sockets: Counter[str] = Counter()
        self.most_sockets = settings.connections_an_address

    def make_table(self, holder: str, address: str, is_new: bool) -> None:
        """Count a new table; all who come from an address without a cookie share what one browser has."""
        if is_new:
            self.newcomers.spend(address)
        self.tables.spend(holder)
        self.tables_an_address.spend(address)

    def sit_down(self, match: str, address: str) -> None:
        """Count somebody who comes to a table: a new cookie each time must not fill its log."""
        self.comers.spend(f"{match[:32]} {address}", COMING)

    def count_work(self, address: str, cost: float) -> None:
        """Count something that has to be worked out."""
        self.reads.spend(address, cost)

    def may_say(self, holder: str, address: str) -> bool:
        """Say whether a browser may send one more message, over whichever of its connections."""
        return not self.messages.wait(holder) and not self.messages_an_address.wait(address)

    @contextmanager
    def socket(self, holder: str, address: str) -> Iterator[bool]:
        """Count an open page for as long as it is open, and say whether it may be."""
        if self.sockets[holder] >= SOCKETS_A_BROWSER or self.sockets[address] >= self.most_sockets:
            yield False
            return
        self.sockets.update((holder, address))
        try:
            yield True
        finally:
            for key in (holder, address):
                self.sockets[key] -= 1
                if not self.sockets[key]:
                    del self.sockets[key]


def each(a_second: float, seconds: float) -> Buckets:
    """Return buckets for so many a second, those of some seconds at once if need be."""
    return Buckets(a_second, a_second * seconds)
