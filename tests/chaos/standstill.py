"""A server that stood still for longer than a clock had left: nobody is late because of it.

What a suspended machine or a stalled disk does is done by SIGSTOP. Nobody could act meanwhile, so nobody's time ran.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.chaos.budget import Budget, Figures
from tests.chaos.forked import Forked
from tests.server.site import Browser, Message, Page

TABLES = [("patterns", 2), ("mosaix", 2), ("mozaika", 3)]
CLOCK = {"kind": "live", "seconds": 6}
LONGER = 1.0  # seconds that the server stands still beyond what any clock has left
SWEPT = 1.0  # seconds in which whoever is late would have been found
UNSURE = 0.5  # seconds that passed on the way


def clocks(page: Page) -> Message:
    """Return the clocks at this moment."""
    page.send(t="look", seat=page.state["seat"], since=0)
    return page.next("clocks")


def one_round(server: Forked) -> Figures:
    """Let the server stand still while clocks run, and compare them before and after."""
    with ExitStack() as opened:
        browser = Browser(server)
        opened.callback(browser.close)
        pages = []
        for game, seats in TABLES:
            table = browser.make(game, *(f"Ann {seat}" for seat in range(seats)), terms={"clock": CLOCK})
            pages.append(browser.open(table, 0))
        begun, before = time.monotonic(), [clocks(page) for page in pages]
        still = stand_still(server, max(map(left, before)) + LONGER)
        time.sleep(SWEPT)
        after = [clocks(page) for page in pages]
        passed = time.monotonic() - begun - still
    taken = max(left(one) - left(other) - passed for one, other in zip(before, after, strict=True))
    is_late = sum(map(late, after)) if min(map(left, before)) > passed else 0  # else a busy machine has used it up
    return {"clocks that ran": sum(map(ran, before)), "still": still, "taken": taken, "late": is_late}


def stand_still(server: Forked, seconds: float) -> float:
    """Let a server stand still, and return how long it did."""
    begun = time.monotonic()
    server.freeze()
    try:
        time.sleep(seconds)
    finally:
        server.thaw()
    return time.monotonic() - begun


def ran(told: Message) -> int:
    """Count the seats whose time runs."""
    return len(told["running"])


def late(told: Message) -> int:
    """Count the seats that were late."""
    return sum(found is not None for found in told["late"])


def left(told: Message) -> float:
    """Return the seconds that the seat with the least has left."""
    return min(float(seconds) for seconds in told["left"] if seconds is not None)


def run(budget: Budget) -> Figures:
    """Let a server stand still again and again."""
    with tempfile.TemporaryDirectory() as folder, Forked(Path(folder), SMALTI_SWEEP_MS="200").running() as server:
        found = [one_round(server) for _ in budget.rounds(1)]
    figures = {"rounds": float(len(found))}
    figures |= {name: sum(one[name] for one in found) for name in ("clocks that ran", "late")}
    figures["seconds of standing still"] = sum(one["still"] for one in found)
    figures["most seconds taken by it"] = max(one["taken"] for one in found)
    assert figures["clocks that ran"] >= len(TABLES) * len(found), figures
    assert not figures["late"], figures
    assert figures["most seconds taken by it"] < UNSURE, figures
    return figures
