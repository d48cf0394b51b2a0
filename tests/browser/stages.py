"""Tables brought to a stage quickly: by people without a screen, over HTTP and the WebSocket, who play at random.

`Tables` makes them; `lend` gives a screen the seats of such a person, so that it sees what they would see.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Self

from playwright.sync_api import BrowserContext

from tests.server.site import Browser, Message, Page, Server, play

Stop = Callable[[Message], bool]
NAMES = ("Ada", "Bo", "Cleo", "Dara", "Enno")
PLAYERS = {"mosaix": 3, "mozaika": 3, "patterns": 2}


def lend(context: BrowserContext, somebody: Browser) -> None:
    """Let a screen hold the seats of somebody."""
    assert somebody.cookie
    context.add_cookies([{"name": "smalti", "value": somebody.cookie, "url": somebody.server.url, "httpOnly": True}])


def never(state: Message) -> bool:
    """Play to the end."""
    return not state["acting"]


def asks(seat: int, phase: str) -> Stop:
    """Stop when a seat has this to decide."""
    return lambda state: not state["acting"] or (seat in state["acting"] and state["view"]["phase"] == phase)


def after(number: int, stop: Stop = lambda state: True) -> Stop:
    """Stop after so many events, then as soon as something is true."""
    return lambda state: not state["acting"] or (state["n"] >= number and stop(state))


@dataclass
class Gathered:
    """A table at which people sit who have no screen."""

    id: str
    people: list[Browser]
    pages: list[Page] = field(default_factory=list)

    @property
    def host(self) -> Browser:
        """Whoever made the table, on seat 0."""
        return self.people[0]

    @property
    def state(self) -> Message:
        """The game as it stands."""
        return max((page.state for page in self.pages), key=lambda state: int(state["n"]))

    def play(self, stop: Stop = never, moves: int = 10**9, seed: int = 1) -> Self:
        """Let everybody play at random."""
        play(self.pages, random.Random(seed), moves, stop)
        return self

    def page(self, seat: int) -> Page:
        """Return the page of a seat."""
        return next(page for page in self.pages if page.state["seat"] == seat)


class Tables:
    """People without a screen, who make tables."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.people: list[Browser] = []

    def somebody(self, cookie: str | None = None) -> Browser:
        """Return somebody new, or somebody with the seats of a browser."""
        self.people.append(Browser(self.server, cookie))
        return self.people[-1]

    def leave(self) -> None:
        """Let everybody go."""
        for person in self.people:
            person.close()

    def gathering(self, game: str, *names: str, **more: object) -> Gathered:
        """Make a table with one person on it, the other seats to be had by links."""
        host = self.somebody()
        chosen = names or NAMES[: PLAYERS[game]]
        return Gathered(host.make(game, chosen[0], *["link"] * (len(chosen) - 1), **more), [host])

    def playing(self, game: str, *names: str, **more: object) -> Gathered:
        """Make a table and let everybody sit down, each with a page of their own."""
        chosen = names or NAMES[: PLAYERS[game]]
        table = self.gathering(game, *chosen, **more)
        for seat, key in enumerate(table.host.keys(table.id)):
            if seat:
                table.people.append(self.somebody())
                answer = table.people[-1].claim(table.id, chosen[seat], key)
                assert answer.status_code == 200, answer.text
        self.look(table, range(len(chosen)))
        return table

    def shared(self, game: str, *names: str, **more: object) -> Gathered:
        """Make a table at which all share one screen; the pages look with each seat."""
        chosen = names or NAMES[: PLAYERS[game]]
        host = self.somebody()
        return Gathered(host.make(game, *chosen, **more), [host])

    def look(self, table: Gathered, seats: Sequence[int]) -> None:
        """Let everybody look at the table with their own eyes."""
        for seat in seats:
            somebody = table.people[seat if len(table.people) > 1 else 0]
            table.pages.append(somebody.open(table.id, seat))
            table.pages[-1].until(lambda state: state["view"] is not None)
