"""Bots: they play to the end by themselves, survive the death of a thinking process, and see only their seat."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from smalti import bots
from smalti.server.dealer import luck_of_bot
from smalti.server.entries import Entry
from smalti.server.rooms import entry
from smalti.server.thinking import Thinkers
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import facts, play_log, seated
from tests.server.table import Server, play, until


@pytest.fixture(scope="module")
def thinking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a thinking process."""
    server = Server(tmp_path_factory.mktemp("thinking"), SMALTI_TEST_BOTS="1")
    server.start()
    yield server
    server.stop()


def children(pid: int) -> list[int]:
    """List the processes that a process has started and that think."""
    lists = [file.read_text().split() for file in Path(f"/proc/{pid}/task").glob("*/children")]
    found = [int(child) for names in lists for child in names]
    return [child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def is_alive(pid: int) -> bool:
    """Say whether a process still runs; one that nobody has buried yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("game", "opponents"),
    [
        ("patterns", ["bot:random"]),
        ("mosaix", ["bot:greedy", "bot:random"]),
        ("mozaika", ["bot:random", "bot:greedy"]),
    ],
)
def test_bots_play_to_the_end(game: str, opponents: list[str], thinking: Server, new_browser: NewBrowser) -> None:
    person = new_browser(thinking)
    table = person.make(game, "Ann", *opponents)
    page = person.open(table, 0)
    play([page], random.Random(2))
    assert page.state["winners"]
    page.until_people(lambda people: people["stage"] == "over")
    kinds = [seat["kind"] for seat in page.table["seats"]]
    assert kinds == ["person", *["bot"] * len(opponents)]
    assert person.get(f"/api/tables/{table}/replay")["bots"] == [None, *(name[4:] for name in opponents)]


def test_bots_alone_play_to_the_end(thinking: Server, new_browser: NewBrowser) -> None:
    person = new_browser(thinking)
    table = person.make("patterns", "bot:random", "bot:greedy")
    until(lambda: person.table(table)["stage"] == "over")


def test_the_death_of_a_thinking_process_does_not_stop_a_table(thinking: Server, new_browser: NewBrowser) -> None:
    person = new_browser(thinking)
    page = person.open(person.make("patterns", "Ann", "bot:random"), 0)
    play([page], random.Random(2), 4)
    for child in until(lambda: children(thinking.pid)):
        os.kill(child, signal.SIGKILL)
    play([page], random.Random(3))
    assert page.state["winners"]


def test_no_thinking_process_outlives_its_server(serving: Serving) -> None:
    server = serving(SMALTI_TEST_BOTS="1")
    thinking = until(lambda: children(server.pid))
    server.kill()
    until(lambda: not any(map(is_alive, thinking)))


def test_a_bot_is_given_what_its_seat_may_see_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[Any, ...]] = []

    def choose(bot: str, game: str, seen: bytes, seat: int, seed: int) -> str:
        given.append((bot, game, seen, seat))
        return "bid 0"

    monkeypatch.setattr(bots, "choose", choose)
    log = seated(facts("mozaika", 3, {"hands": "hidden"}))
    entry(log, "bot", 2, {"bot": "greedy"})
    play_log(log, random.Random(8), lambda log: len(log.match.acting) == 3 and "bid 3" in log.match.legal(0))
    other = log.copy()
    for twin, coins in ((log, 3), (other, 1)):
        twin.apply(Entry(twin.length + 1, 5000.0, "play", 0, f"bid {coins}", None))

    async def ask() -> None:
        thinkers = Thinkers(1)
        thinkers.pool.shutdown()
        with ThreadPoolExecutor(1) as pool:
            thinkers.pool = pool  # type: ignore[assignment]
            for twin in (log, other):
                assert await thinkers.choose(twin, 2) == "bid 0"

    asyncio.run(ask())
    assert given[0] == given[1]
    assert given[0] == ("greedy", "mozaika", log.match.seen_by(2).tobytes(), 2)
    assert log.match.seen_by(2).tobytes() != log.match.table.tobytes()


def test_a_bot_keeps_its_luck_for_a_whole_match() -> None:
    secret = b"s" * 32
    assert luck_of_bot(secret, "table", 1) == luck_of_bot(secret, "table", 1)
    others = [luck_of_bot(b"t" * 32, "table", 1), luck_of_bot(secret, "other", 1), luck_of_bot(secret, "table", 2)]
    assert luck_of_bot(secret, "table", 1) not in others
