"""The bus between two processes is away and comes back: nobody is left with an old table, and no bot moves twice.

People sit at the first process; pages of the same people at the second one only watch. While Redis is dead, or stands
still, people move on at the first one. Whoever opens a page or looks at the second one meanwhile is shown what the
database has, and whoever only waits there is told by itself once the bus is back.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from smalti.server.bus.circuit_breaker import PAUSE
from tests.chaos.books import Book, compared
from tests.chaos.budget import Budget, Figures
from tests.chaos.clients import let
from tests.chaos.forked import Forked
from tests.chaos.outside import Redis, postgres
from tests.server.site import Browser, newest, play

TABLES = [("patterns", 2), ("mosaix", 2), ("mozaika", 3), ("patterns", 2)]
LOOKED_AT = 2  # the first of them; a look lets all pages of the table hear, so nobody looks at the others
MOVES = 3
BOTS_LOAD = 4  # times the usual patience until the first bot has moved
AWAY = 2.0  # seconds that the bus is away at least


class Mirrored:
    """A table whose people have a page at each of two processes."""

    def __init__(self, servers: list[Forked], game: str, seats: int, opened: ExitStack) -> None:
        here = Browser(servers[0])
        self.table = here.make(game, *(f"Ann {seat}" for seat in range(seats)))
        self.there = Browser(servers[1], here.cookie)
        for browser in (here, self.there):
            opened.callback(browser.close)
        self.players = [here.open(self.table, seat) for seat in range(seats)]
        self.waiting = [self.there.open(self.table, seat) for seat in range(seats)]
        self.looking = self.there.open(self.table, 0)

    @property
    def number(self) -> int:
        """The number of the newest state."""
        return int(newest(self.players)["n"])

    def move(self, luck: random.Random, book: Book) -> None:
        """Let people move at the first process; a game that is over stays as it is."""
        play(self.players, luck, MOVES)
        for page in self.players:
            book.note(self.table, page.look(page.state["seat"]))

    def is_shown(self) -> bool:
        """Say whether a look and a new page at the second process show what the database has."""
        with_new_page = self.there.open(self.table, 0)
        shown = [self.looking.look(0)["n"], with_new_page.state["n"]]
        with_new_page.close()
        return shown == [self.number] * 2

    def wait(self) -> None:
        """Wait until the pages that only listen have heard everything."""
        number = self.number
        for page in self.waiting:
            page.until(lambda state: state["n"] >= number)


class BotTable:
    """A table where somebody plays a bot, with a page at each process."""

    def __init__(self, servers: list[Forked], opened: ExitStack) -> None:
        browser = Browser(servers[0])
        self.table = browser.make("patterns", "Ann", "bot:level-1")
        self.there = Browser(servers[1], browser.cookie)
        for one in (browser, self.there):
            opened.callback(one.close)
        self.page, self.other = browser.open(self.table, 0), self.there.open(self.table, 0)
        for _ in range(BOTS_LOAD):
            with suppress(TimeoutError):
                self.page.until(has_to_move)
                break

    def move(self, luck: random.Random) -> None:
        """Move, and wait for the bot; not once the game is over."""
        self.page.until(has_to_move)
        if self.page.state["acting"]:
            self.page.do(luck.choice(self.page.state["legal"]))
            self.page.until(has_to_move)

    def wait(self) -> None:
        """Wait until the page at the second process has heard everything."""
        self.other.until(lambda state: state["n"] >= self.page.state["n"])


def has_to_move(state: dict[str, object]) -> bool:
    """Say whether the person has to move, or the game is over."""
    return state["acting"] in ([0], [])


@contextmanager
def two_processes(redis: Redis) -> Iterator[list[Forked]]:
    """Run two servers that know of each other."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        url, servers = postgres().new_database(), []
        for name in ("one", "two"):
            Path(folder, name).mkdir()
            thoughts = str(Path(folder, name, "thoughts"))
            shared = {"SMALTI_DATABASE": url, "SMALTI_REDIS": redis.url, "SMALTI_TEST_THOUGHTS": thoughts}
            servers.append(running.enter_context(Forked(Path(folder, name), **shared).running()))
        yield servers


def take_away(tables: list[Mirrored], luck: random.Random, book: Book, bots: BotTable) -> Figures:
    """Let everybody move while nothing is told, and see what the second process shows."""
    begun = time.monotonic()
    for table in tables:
        table.move(luck, book)
    shown = sum(table.is_shown() for table in tables[:LOOKED_AT])
    bots.move(luck)
    time.sleep(max(0.0, AWAY - (time.monotonic() - begun)))
    return {"shown while away": shown, "asked while away": LOOKED_AT}


def wait_for(tables: list[Mirrored], bots: BotTable) -> float:
    """Return the seconds until everybody has heard everything."""
    begun = time.monotonic()
    for table in tables:
        table.wait()
    bots.wait()
    return time.monotonic() - begun


def thoughts_of(servers: list[Forked], table: str) -> list[str]:
    """List what any process has let the bots of a table think about: table, seat, number."""
    files = [Path(server.settings["SMALTI_TEST_THOUGHTS"]) for server in servers]
    return [line for file in files if file.exists() for line in file.read_text().splitlines() if line.startswith(table)]


Way = tuple[Callable[[], None], Callable[[], None]]


def one_round(servers: list[Forked], way: Way, luck: random.Random, book: Book) -> Figures:
    """Take the bus away and bring it back."""
    with ExitStack() as opened:
        tables = [Mirrored(servers, game, seats, opened) for game, seats in TABLES]
        bots = BotTable(servers, opened)
        for _ in range(MOVES):
            bots.move(luck)
        bots.wait()
        doubled = len(thoughts := thoughts_of(servers, bots.table)) - len(set(thoughts))
        way[0]()
        try:
            found = take_away(tables, luck, book, bots)
        finally:
            way[1]()
        found["seconds until all had heard"] = wait_for(tables, bots)
        time.sleep(2 * PAUSE)  # while a circuit is open nobody asks who thinks already, and some do it twice
        return {**found, "thoughts": len(thoughts), "thought twice": doubled}


def run(budget: Budget) -> Figures:
    """Take the bus away again and again, dead and standing still."""
    luck, book, found = random.Random(1), Book(), list[Figures]()
    with Redis() as redis, two_processes(redis) as servers:
        ways: list[Way] = [(redis.kill, redis.revive), (redis.freeze, redis.thaw)]
        for number in budget.rounds(2):
            found.append(one_round(servers, ways[number % 2], luck, book))
        kept = let(compared(book, servers[0].settings["SMALTI_DATABASE"]))
    figures = {name: sum(one[name] for one in found) for name in found[0]} | kept
    figures["seconds until all had heard"] = max(one["seconds until all had heard"] for one in found)
    assert figures["shown while away"] == figures["asked while away"], figures
    assert not figures["thought twice"], figures
    return {"rounds": len(found), **figures}
