"""There at once: the port is open before anything is compiled, and a table waits for its own game alone."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from smalti import games, record_of
from smalti.server.actions.importing import checked
from smalti.server.doors.live.connection import COMPILING
from smalti.server.problems import Problem
from smalti.server.store.store import Store
from smalti.server.workers.bot_pool import BotPool
from smalti.server.workers.readiness import Preparation, Readiness
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import facts, new_table, rooms_on
from tests.server.site import ROOT, Browser, until
from tests.server.workers.test_bot_pool import children_that, is_alive
from tests.support import random_match

COMPILED = 900.0  # seconds: an empty cache on a busy machine


def percents(browser: Browser) -> dict[str, int]:
    """Return how far the games are."""
    return {game["name"]: game["ready"] for game in browser.get("/api/games")}


def test_pages_come_before_anything_is_compiled_and_tables_wait_for_their_own_game(
    serving: Serving, new_browser: NewBrowser, tmp_path: Path
) -> None:
    server = serving(SMALTI_CACHE_DIR=str(tmp_path), SMALTI_TEST_COMPILE="1", SMALTI_TEST_PAGES="1")
    browser = new_browser(server)
    assert browser.http.get("/").status_code == 200
    assert min(percents(browser).values()) < 100
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}]
    early = browser.post("/api/tables", game="patterns", seats=seats)
    assert early.status_code == 503
    assert early.json()["reason"] == "table.compiling"
    assert early.headers["retry-after"] == str(early.json()["values"]["seconds"])
    until(lambda: percents(browser)["patterns"] == 100, COMPILED)
    assert browser.post("/api/tables", game="patterns", seats=seats).status_code == 201
    server.stop()
    assert "Traceback" not in server.log
    assert list(tmp_path.rglob("rules-patterns-*"))


def test_ctrl_c_while_compiling_ends_at_once_and_leaves_no_process(tmp_path: Path) -> None:
    folders = {"SMALTI_CACHE_DIR": str(tmp_path / "cache"), "SMALTI_DATA_DIR": str(tmp_path)}
    words = [sys.executable, "-m", "smalti", "serve", "--port", "0"]
    environment = {**os.environ, **folders}
    with subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as serve:
        compiling = until(lambda: children_that(serve.pid, b"workers.compiling"))
        serve.send_signal(signal.SIGINT)
        said, _ = serve.communicate(timeout=30)
    assert serve.returncode == 130, said
    assert b"Smalti is at" in said
    assert b"Traceback" not in said
    until(lambda: not any(map(is_alive, compiling)))


# --- The gate


def test_nothing_of_a_game_runs_before_it_is_ready(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.sqlite"

    async def run() -> None:
        async with rooms_on(url) as rooms:
            await new_table(rooms, facts("patterns", 2))
        async with rooms_on(url) as rooms:
            rooms.ready = Readiness()
            rooms.ready.open("mosaix")
            with pytest.raises(Problem, match="being prepared"):
                await rooms.find("table")
            with pytest.raises(Problem, match="being prepared"):
                await new_table(rooms, facts("patterns", 2, id="another"))
            assert await new_table(rooms, facts("mosaix", 2, id="third"))
            rooms.ready.open("patterns")
            assert (await rooms.find("table")).log.facts.game == "patterns"

    asyncio.run(run())


def test_a_record_is_not_replayed_before_its_game_is_ready() -> None:
    ready = Readiness()
    text = record_of(random_match(games.find("mosaix"), 2, {}, random.Random(1))).text().encode()
    with pytest.raises(Problem, match="being prepared") as refused:
        checked(text, ready.check)
    assert refused.value.reason == "table.compiling"
    ready.open("mosaix")
    assert checked(text, ready.check)


def test_a_page_is_told_to_come_again(serving: Serving, new_browser: NewBrowser, tmp_path: Path) -> None:
    server = serving()
    browser = new_browser(server)
    table = browser.make("patterns", "Ann", "Ben")
    server.stop()
    server.settings |= {"SMALTI_CACHE_DIR": str(tmp_path), "SMALTI_TEST_COMPILE": "1"}
    server.start()
    closed = browser.open_unasked(table)
    assert (closed.closing(), closed.why) == (COMPILING, "patterns")
    assert browser.http.get(f"/api/tables/{table}").json()["reason"] == "table.compiling"


def test_what_is_asked_for_too_early_goes_first() -> None:
    ready = Readiness()
    with pytest.raises(Problem) as refused:
        ready.check("patterns")
    assert (refused.value.values["percent"], refused.value.values["game"]) == (0, "patterns")
    assert ready.order() == ["patterns", *(name for name in games.names() if name != "patterns")]
    ready.advance("patterns", 40)
    ready.advance("patterns", 30)  # later news of the same
    assert (ready.percent("patterns"), ready.percent("mosaix")) == (40, 0)
    ready.open("patterns")
    ready.check("patterns")
    assert not ready.is_complete


def test_a_game_whose_compiler_dies_is_got_ready_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smalti.server.workers.readiness.is_compiled", lambda game: False)
    monkeypatch.setattr(BotPool, "start", lambda self, games: started.extend(games))
    started: list[str] = []

    async def die(module: str, *words: str) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        program = "import os, signal; print(50, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
        return await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdin=pipe, stdout=pipe)

    async def run() -> None:
        ready = Readiness()
        seen = set[int]()
        ready.watchers.append(lambda game, percent: seen.add(percent))
        preparation = Preparation(ready, BotPool(1))
        preparation.start()
        for name in games.names():
            await ready.wait(name)
        assert preparation.task
        await preparation.task
        assert seen == {50, 100}

    monkeypatch.setattr("smalti.server.workers.readiness.start_child", die)
    asyncio.run(run())
    assert sorted(started) == sorted(games.names())


def test_the_store_asks_before_it_replays(tmp_path: Path) -> None:
    async def run() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/tables.sqlite") as rooms:
            await new_table(rooms, facts("patterns", 2))
            asked = list[str]()
            assert isinstance(rooms.store, Store)
            await rooms.store.log("table", asked.append)
            assert asked == ["patterns"]

    asyncio.run(run())
