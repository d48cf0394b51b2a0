"""Bots: they play to the end by themselves, survive the death of a thinking process, and see only their seat."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from smalti.server.luck.derive import luck_of_bot
from smalti.server.workers.bot_pool import BotPool
from smalti.server.workers.bot_pool.process import Process
from smalti.server.workers.bot_pool.questions import Think
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import entry, facts, play_log, read_row, seated
from tests.server.site import Server, play, until


@pytest.fixture(scope="module")
def thinking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a thinking process."""
    server = Server(tmp_path_factory.mktemp("thinking"), SMALTI_TEST_BOTS="1")
    server.start()
    yield server
    server.stop()


def children(pid: int) -> list[int]:
    """List the processes that a process has started and that think."""
    return children_that(pid, b"bot_pool.worker")


def children_that(pid: int, word: bytes) -> list[int]:
    """List the processes that a process has started by a command with this word in it."""
    lists = [file.read_text().split() for file in Path(f"/proc/{pid}/task").glob("*/children")]
    found = [int(child) for names in lists for child in names]
    return [child for child in found if word in Path(f"/proc/{child}/cmdline").read_bytes()]


def is_alive(pid: int) -> bool:
    """Say whether a process still runs; one that nobody has buried yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def moves_at(server: Server, *tables: str) -> int:
    """Count what seats have done at tables."""
    marks = ", ".join("?" * len(tables))
    query = f"SELECT count(*) FROM events WHERE kind = 'play' AND seat IS NOT NULL AND \"match\" IN ({marks})"
    with closing(sqlite3.connect(server.file)) as store:
        return int(store.execute(query, tables).fetchone()[0])


@pytest.mark.parametrize(
    ("game", "opponents"),
    [
        ("patterns", ["bot:level-1"]),
        ("mosaix", ["bot:level-2", "bot:level-1"]),
        ("mozaika", ["bot:level-1", "bot:level-2"]),
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


def test_bots_alone_play_to_the_end_while_somebody_looks_on(thinking: Server, new_browser: NewBrowser) -> None:
    person = new_browser(thinking)
    page = person.open(person.make("patterns", "bot:level-1", "bot:level-2"))
    page.until_people(lambda people: people["stage"] == "over")


def test_bots_alone_stand_still_while_nobody_looks_on(thinking: Server, new_browser: NewBrowser) -> None:
    person, other = new_browser(thinking), new_browser(thinking)
    table = person.make("patterns", "bot:level-1", "bot:level-1")
    page = other.open(other.make("patterns", "Ann", "bot:level-1"), 0)
    play([page], random.Random(2), 10)  # bots answer elsewhere
    assert moves_at(thinking, table) == 0
    person.open(table).until_people(lambda people: people["stage"] == "over")


def test_the_death_of_a_thinking_process_does_not_stop_a_table(thinking: Server, new_browser: NewBrowser) -> None:
    person = new_browser(thinking)
    page = person.open(person.make("patterns", "Ann", "bot:level-1"), 0)
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


def test_a_weak_bot_answers_while_a_hundred_tables_wait_for_strong_ones(
    serving: Serving, new_browser: NewBrowser
) -> None:
    server = serving()
    greedy, person = new_browser(server), new_browser(server)
    page = person.open(person.make("mosaix", "Ann", "bot:level-1"), 0)
    play([page], random.Random(2), 2)
    tables = [greedy.make("patterns", "bot:level-8", "bot:level-8") for _ in range(100)]
    for table in tables:
        greedy.connection(table)
    before = until(lambda: moves_at(server, *tables), 300.0)
    play([page], random.Random(3), 1)
    page.until(lambda state: 0 in state["acting"] or not state["acting"])  # it has answered
    assert moves_at(server, *tables) - before < 20


def test_a_bot_is_given_what_its_seat_may_see_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Think] = []

    async def answer(process: Process, question: Think) -> str:
        given.append(question)
        return "bid 0"

    monkeypatch.setattr(Process, "ask", answer)
    log = seated(facts("mozaika", 3, {"hands": "hidden"}))
    entry(log, "bot", 2, {"bot": "greedy"})
    play_log(log, random.Random(8), lambda log: len(log.match.acting) == 3 and "bid 3" in log.match.legal(0))
    other = log.copy()
    for twin, coins in ((log, 3), (other, 1)):
        twin.apply(read_row(twin.length + 1, 5000.0, "play", 0, f"bid {coins}", None))

    async def ask() -> None:
        for twin in (log, other):
            assert await BotPool(1).choose(twin, 2) == "bid 0"

    asyncio.run(ask())
    assert given[0] == given[1]
    assert given[0] == Think("greedy", "mozaika", log.match.seen_by(2).tobytes(), 2, given[0].luck)
    assert log.match.seen_by(2).tobytes() != log.match.table.tobytes()


def test_a_bot_keeps_its_luck_for_a_whole_match() -> None:
    secret = b"s" * 32
    assert luck_of_bot(secret, "table", 1) == luck_of_bot(secret, "table", 1)
    others = [luck_of_bot(b"t" * 32, "table", 1), luck_of_bot(secret, "other", 1), luck_of_bot(secret, "table", 2)]
    assert luck_of_bot(secret, "table", 1) not in others
