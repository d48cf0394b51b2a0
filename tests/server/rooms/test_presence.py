"""Who is connected, with several processes: as if there were one, also when one of them comes late or dies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import pytest

from smalti.server.bus import LocalBus, RedisBus
from smalti.server.game_time import game_time
from smalti.server.rooms.presence import (
    DOUBT,
    MOST_LEFT,
    MOST_SILENT,
    SUSPICIOUS,
    Ask,
    Beat,
    Gone,
    Moved,
    News,
    Pages,
    Peer,
    RemotePresence,
    Whole,
)
from tests.server.actions.test_seats import ask, reason, want
from tests.server.bus.test_bus import migrated, together
from tests.server.conftest import NewBrowser, Serving
from tests.server.programs import Postgres, running_redis
from tests.server.site import Browser, Message, Page, Server, free_port, until


def until_presence(page: Page, question: Callable[[Message], bool]) -> Message:
    """Return who is connected as soon as this is true of it."""
    while "presence" not in page.newest or not question(page.newest["presence"]):
        page.receive()
    return page.newest["presence"]


def are_here(*seats: bool) -> Callable[[Message], bool]:
    """Ask whether just these seats are connected."""
    return lambda told: told["seats"] == list(seats)


class Table:
    """Ann at one process, Bob at another, at a table that everybody may watch."""

    def __init__(self, servers: list[Server], new_browser: NewBrowser) -> None:
        self.one, self.other = servers
        self.ann, self.bob = new_browser(self.one), new_browser(self.other)
        self.id = self.ann.make("patterns", "Ann", "link", onlookers="all")
        assert self.bob.claim(self.id, "Bob", self.ann.keys(self.id)[1]).status_code == 200
        self.anns, self.bobs = self.ann.open(self.id, 0), self.bob.open(self.id, 1)

    def are_told(self, question: Callable[[Message], bool]) -> None:
        """Wait until both are told so."""
        for page in (self.anns, self.bobs):
            until_presence(page, question)


@pytest.fixture
def servers(serving: Serving, postgres: Postgres, redis: str) -> list[Server]:
    """Two processes on one database."""
    url = postgres.new_database()
    asyncio.run(migrated(url))
    return together(serving, url, redis)


def moved_to(browser: Browser, server: Server, new_browser: NewBrowser) -> Browser:
    """Return the same browser at another process."""
    return new_browser(server, browser.cookie)


def test_people_of_two_processes_see_each_other_come_and_go(servers: list[Server], new_browser: NewBrowser) -> None:
    table = Table(servers, new_browser)
    table.are_told(are_here(True, True))
    assert [seat["here"] for seat in table.ann.table(table.id)["seats"]] == [True, True]

    onlookers = [new_browser(server).open(table.id) for server in servers for _ in range(2)]
    table.are_told(lambda told: told["watching"] == 4)
    onlookers[0].close()
    onlookers[3].close()
    table.are_told(lambda told: told["watching"] == 2)

    second = moved_to(table.bob, table.one, new_browser).open(table.id, 1)
    table.bobs.close()
    table.bobs = second
    table.are_told(are_here(True, True))  # by the other page, at the other process
    second.close()
    told = until_presence(table.anns, are_here(True, False))
    assert told["absent"][0] is None
    assert told["absent"][1] > 0


def test_nobody_loses_a_seat_who_is_there_by_another_process(
    serving: Serving, new_browser: NewBrowser, postgres: Postgres, redis: str
) -> None:
    url = postgres.new_database()
    asyncio.run(migrated(url))
    table = Table(together(serving, url, redis, SMALTI_GRACE_SECONDS="0"), new_browser)
    table.are_told(are_here(True, True))
    assert reason(ask(table.anns, "stand-in", 0, seat=1)) == "table.present"
    assert reason(want(table.bobs, "host", 1)) == "table.present"
    table.bobs.close()
    until_presence(table.anns, are_here(True, False))
    assert ask(table.anns, "stand-in", 0, seat=1) is None
    table.anns.until_people(lambda people: people["seats"][1]["kind"] == "bot")


def test_who_was_at_a_process_that_is_killed_is_away_until_they_are_back(
    servers: list[Server], new_browser: NewBrowser
) -> None:
    table = Table(servers, new_browser)
    table.are_told(are_here(True, True))
    onlooker = new_browser(table.other).open(table.id)
    until_presence(table.anns, lambda told: told["watching"] == 1)
    table.other.kill()
    told = until_presence(table.anns, are_here(True, False))
    assert told["watching"] == 0
    assert told["absent"][1] > 0
    assert onlooker.closing() == 1006

    table.other.start()
    back = moved_to(table.bob, table.other, new_browser).open(table.id, 1)
    for page in (table.anns, back):
        until_presence(page, are_here(True, True))


def test_a_process_that_comes_late_learns_who_is_there(
    serving: Serving, servers: list[Server], new_browser: NewBrowser
) -> None:
    table = Table(servers, new_browser)
    table.are_told(are_here(True, True))
    third = serving(**{key: servers[0].settings[key] for key in ("SMALTI_DATABASE", "SMALTI_REDIS")})
    onlooker = new_browser(third).open(table.id)
    until_presence(onlooker, are_here(True, True))
    table.bobs.close()
    until_presence(onlooker, are_here(True, False))
    third.stop()  # in good order: it says goodbye
    until_presence(table.anns, lambda told: told["watching"] == 0)


def test_what_was_missed_while_redis_was_away_is_made_up_for(
    serving: Serving, new_browser: NewBrowser, postgres: Postgres
) -> None:
    url, port = postgres.new_database(), free_port()
    asyncio.run(migrated(url))
    with running_redis(port) as redis:
        table = Table(together(serving, url, redis), new_browser)
        table.are_told(are_here(True, True))
    table.bobs.close()
    until(lambda: not table.bob.table(table.id)["seats"][1]["here"])  # by his own process
    assert table.ann.table(table.id)["seats"][1]["here"], "while nothing is heard nobody is forgotten"
    with running_redis(port):
        until_presence(table.anns, are_here(True, False))
    assert "Traceback" not in table.one.log


# --- What processes tell each other


class Herd(LocalBus):
    """A bus whose news go nowhere, but are kept."""

    def __init__(self) -> None:
        self.news: list[bytes] = []

    def publish_presence(self, news: bytes) -> None:
        self.news.append(news)

    def told(self) -> list[News]:
        """Return what was announced since this was asked last."""
        told, self.news = self.news, []
        return [msgspec.json.decode(news, type=News) for news in told]


class Pew:
    """A room with so many pages of each browser, which counts how often it was told that somebody came or went."""

    def __init__(self, pages: Pages) -> None:
        self.open, self.times = pages, 0

    def pages(self) -> Pages:
        return self.open

    def wake_presence(self) -> None:
        self.times += 1


class Process:
    """A process with one room, without a network."""

    def __init__(self, pages: Pages | None = None) -> None:
        self.herd, self.room = Herd(), Pew(pages or {})
        self.presence = RemotePresence(self.herd, {"table": self.room})

    def hear(self, *news: News) -> list[News]:
        """Hear something, and return what is said to it."""
        for one in news:
            self.presence.receive(msgspec.json.encode(one))
        return self.herd.told()

    @property
    def elsewhere(self) -> Pages:
        """Who is at the table by other processes."""
        return dict(self.presence.pages("table"))

    def beat(self) -> None:
        """Hear itself."""
        self.hear(Beat(self.presence.name, self.presence.n))


def step(n: int, holder: str | None, pages: int, process: str = "other") -> Moved:
    """Say that so many pages of a browser are at the table now."""
    return Moved(process, n, "table", holder, pages)


def known(**pages: int) -> Process:
    """A process that knows another one with these pages."""
    process = Process()
    process.hear(Whole("other", 3, {"table": list(pages.items())}, []))
    return process


def test_an_unknown_process_is_asked_for_everything() -> None:
    process = Process()
    assert process.hear(Beat("other", 7)) == [Ask(process.presence.name, "other")]
    assert process.hear(step(8, "bob", 1)) == [Ask(process.presence.name, "other")]
    process.hear(Whole("other", 8, {"table": [("bob", 1), (None, 2)]}, []))
    assert process.elsewhere == {"bob": 1, None: 2}
    assert process.hear(Beat("other", 8)) == []


def test_steps_are_followed_and_a_missing_one_is_noticed() -> None:
    process = known(bob=1)
    assert process.hear(step(4, "eve", 2), step(5, "bob", 0), step(5, "bob", 9), step(2, "bob", 9)) == []
    assert process.elsewhere == {"eve": 2}
    assert process.room.times == 3  # the first telling, and two steps that were new
    assert process.hear(step(7, "eve", 0)) == [Ask(process.presence.name, "other")]
    assert process.hear(Beat("other", 6)) == [Ask(process.presence.name, "other")]
    assert process.elsewhere == {"eve": 2}


def test_everything_is_told_to_who_asks_and_to_nobody_else() -> None:
    process = Process({"ann": 2})
    name = process.presence.name
    process.presence.moved("table", "ann", 2)
    process.presence.moved("table", "bob", 0)
    assert process.herd.told() == [step(1, "ann", 2, name), step(2, "bob", 0, name)]
    assert process.hear(Ask("other", "third")) == []
    for asked in (None, name):
        (told,) = process.hear(Ask("other", asked))
        assert isinstance(told, Whole)
        assert (told.n, told.tables) == (2, {"table": [("ann", 2)]})
        ((table, holder, ago),) = told.away
        assert (table, holder) == ("table", "bob")
        assert ago >= 0


def test_when_somebody_left_is_learned_from_others() -> None:
    process = known(bob=1)
    assert process.presence.left_at("table", "bob") is None
    process.hear(step(4, "bob", 0))
    left = process.presence.left_at("table", "bob")
    assert left is not None
    process.hear(Whole("third", 1, {}, [("table", "bob", 500.0), ("table", "eve", 500.0)]))
    assert process.presence.left_at("table", "bob") == left, "what is older counts less"
    earlier = process.presence.left_at("table", "eve")
    assert earlier is not None
    assert earlier < left


def test_who_falls_silent_is_forgotten_by_our_own_beats_and_comes_back() -> None:
    process = known(bob=1)
    for _ in range(MOST_SILENT):
        process.beat()
    process.hear(Beat("other", 3))
    for _ in range(MOST_SILENT):
        process.beat()
    assert process.elsewhere == {"bob": 1}
    process.beat()
    assert process.elsewhere == {}
    assert process.presence.left_at("table", "bob") is not None
    assert process.hear(Beat("other", 3)) == [Ask(process.presence.name, "other")]


def test_people_of_a_silent_process_are_in_doubt_until_it_speaks_again_for_a_while() -> None:
    process = known(bob=1)
    for _ in range(SUSPICIOUS + 1):
        assert not process.presence.is_in_doubt("table", "bob")
        process.beat()
    assert process.presence.is_in_doubt("table", "bob")
    assert not process.presence.is_in_doubt("table", "ann")
    process.hear(Whole("third", 1, {"table": [("bob", 1)]}, []))
    assert not process.presence.is_in_doubt("table", "bob"), "there by a process that speaks"
    process.hear(Gone("third"))
    process.hear(Whole("other", 3, {"table": [("bob", 1)]}, []))
    for _ in range(DOUBT):
        assert process.presence.is_in_doubt("table", "bob"), "it has to give time back first"
        process.beat()
        process.hear(Beat("other", 3))
    assert not process.presence.is_in_doubt("table", "bob")


def test_a_process_that_is_given_up_is_told_of_with_its_people() -> None:
    process, lost = known(bob=1), list[Peer]()
    process.presence.lost = lost.append
    for _ in range(MOST_SILENT + 1):
        process.beat()
    assert [peer.tables for peer in lost] == [{"table": {"bob": 1}}]
    process.hear(Whole("third", 1, {"table": [("eve", 1)]}, []), Gone("third"))
    assert len(lost) == 1, "who says goodbye has sent its people on"


def test_only_what_others_tell_of_later_shows_that_they_ran() -> None:
    process, moment = Process(), game_time.now()
    process.hear(Beat("other", 0, at=None), Whole("third", 1, {}, [], at=moment))
    assert process.presence.others_ran_after(moment - 10)
    assert not process.presence.others_ran_after(moment)


def test_who_says_goodbye_is_forgotten_at_once() -> None:
    process = known(bob=1)
    process.hear(Gone("other"))
    assert process.elsewhere == {}
    process.hear(Gone("nobody"))


def test_memories_of_who_left_are_bounded() -> None:
    process = Process()
    for number in range(MOST_LEFT + 1):
        process.presence.moved("table", f"holder {number}", 0)
    assert len(process.presence.left) == MOST_LEFT
    assert process.presence.left_at("table", "holder 0") is None


def test_news_come_in_order_over_redis_and_nonsense_does_not_end_the_listening(redis: str) -> None:
    heard: list[bytes] = []

    def hear(news: bytes) -> None:
        heard.append(news)
        if news == b"nonsense":
            msgspec.json.decode(news)

    async def run() -> None:
        bus = RedisBus(redis)
        await bus.start(nothing, nothing_missed)
        await bus.subscribe_presence(hear, lambda: b"beat")
        for news in (b"nonsense", *(b"%d" % number for number in range(50))):
            bus.publish_presence(news)
        while b"49" not in heard:
            await asyncio.sleep(0.01)
        await bus.stop()

    asyncio.run(run())
    assert [news for news in heard if news != b"beat"] == [b"nonsense", *(b"%d" % number for number in range(50))]


async def nothing_missed() -> None:
    """Nobody looks anything up here."""


def nothing(match: str) -> Awaitable[None]:
    """Do nothing with a table that has moved on."""
    return asyncio.sleep(0)
