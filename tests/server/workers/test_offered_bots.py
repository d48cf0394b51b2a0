"""Only bots that people are offered can be seated, through whatever door."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.server.actions.test_seats import want
from tests.server.conftest import NewBrowser
from tests.server.site import Browser, play

HIDDEN = ["strongest", "mcts", "random", "greedy", "search", "strongest@1000s", "level-9", ""]
REFUSED = (400, "table.bots")


def told(answer: Any) -> tuple[int, str]:
    """Return how a request was refused."""
    return answer.status_code, answer.json()["reason"]


@pytest.mark.parametrize("bot", HIDDEN)
def test_only_bots_that_are_offered_are_seated(bot: str, host: Browser) -> None:
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "bot": bot}]
    assert told(host.post("/api/tables", game="patterns", seats=seats)) == REFUSED
    table = host.make("patterns", "Ann", "link")
    assert told(host.post(f"/api/tables/{table}/bots", bot=bot)) == REFUSED
    assert [seat["kind"] for seat in host.table(table)["seats"]] == ["person", "free"]


@pytest.mark.parametrize("bot", HIDDEN[:-1])
def test_only_bots_that_are_offered_stand_in(bot: str, host: Browser) -> None:
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
    assert told(host.post("/api/tables", game="patterns", seats=seats, terms={"stand_in": bot})) == REFUSED
    assert told(host.post("/api/quick", game="patterns", seats=2, name="Ann", terms={"stand_in": bot})) == REFUSED


@pytest.mark.parametrize("bot", ["strongest", "mcts", "random"])
def test_who_leaves_can_only_leave_bots_that_are_offered(bot: str, host: Browser, new_browser: NewBrowser) -> None:
    table = host.make("patterns", "Ann", "link")
    guest = new_browser()
    assert guest.claim(table, "Ben", host.keys(table)[1]).status_code == 200
    page = host.open(table, 0)
    refused = want(page, "leave", 0, bot=bot)
    assert refused is not None
    assert refused["reason"] == "table.bots"
    assert host.table(table)["seats"][0]["kind"] == "person"


def test_a_rematch_takes_only_bots_that_are_offered(host: Browser) -> None:
    table = host.make("mosaix", "Ann", "Ben")
    play([host.open(table, 0), host.open(table, 1)], random.Random(1))
    for bot in ("strongest", "mcts", "random"):
        assert told(host.post(f"/api/tables/{table}/again", bots={"1": bot})) == REFUSED
