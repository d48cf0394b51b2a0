"""Answers that are worked out: beside the loop, once, and the longer the game the dearer."""

from __future__ import annotations

import asyncio
import random
import threading
from types import SimpleNamespace

import pytest
from fastapi import Request

from smalti.server.archive.answers import Answers
from smalti.server.doors.requests import AT_ONCE, LONG_GAME, cached_answer
from smalti.server.table.log import Log
from tests.server.logs import facts, play_log, seated


def over() -> Log:
    log = seated(facts("patterns", 2))
    play_log(log, random.Random(1))
    return log


class Asked:
    """Somebody who asks, what it costs them, and how many work at it at a time."""

    def __init__(self) -> None:
        self.costs, self.threads = list[float](), list[threading.Thread]()
        self.working = self.most_working = 0
        limits = SimpleNamespace(count_work=lambda address, cost: self.costs.append(cost))
        found = SimpleNamespace(answers=Answers(), limits=limits, turns=asyncio.Semaphore(AT_ONCE))
        app = SimpleNamespace(state=SimpleNamespace(shared=found))
        self.request = Request({"type": "http", "app": app, "client": ("1.2.3.4", 5), "headers": []})

    def make(self, log: Log) -> bytes:
        self.threads.append(threading.current_thread())
        self.working += 1
        self.most_working = max(self.working, self.most_working)
        threading.Event().wait(0.01)  # others would come in between
        self.working -= 1
        return b"answer"


def test_an_answer_is_worked_out_beside_the_loop_and_only_some_at_a_time() -> None:
    async def run() -> None:
        log, asked = over(), Asked()
        work = [cached_answer(asked.request, log, f"at {number}", asked.make, 2.0) for number in range(8)]
        assert set(await asyncio.gather(*work)) == {b"answer"}
        assert threading.main_thread() not in asked.threads
        assert (len(asked.threads), asked.most_working) == (8, AT_ONCE)
        await cached_answer(asked.request, log, "at 3", asked.make, 2.0)
        assert len(asked.threads) == 8, "it is kept"
        await asyncio.gather(*(cached_answer(asked.request, log, "replay", asked.make, 2.0) for _ in range(30)))
        assert (len(asked.threads), len(asked.costs)) == (9, 9), "who asks at the same time is told the same"

    asyncio.run(run())


def test_a_long_game_costs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> list[float]:
        asked = Asked()
        await cached_answer(asked.request, over(), "replay", asked.make, 2.0)
        return asked.costs

    assert asyncio.run(run()) == [2.0]
    monkeypatch.setattr("smalti.server.doors.requests.LONG_GAME", len(over().happened) / 3)
    assert asyncio.run(run()) == [pytest.approx(6.0)]
    assert LONG_GAME >= 200
