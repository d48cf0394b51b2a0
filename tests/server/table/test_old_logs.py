"""Logs as an earlier version wrote them lead to what they led to then.

`tests/data/logs-2026-11-18.json` holds real tables, one a line, chosen so that every kind of entry is there in every
shape and beside every neighbour, with all that people were told of them by the version that wrote them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from smalti.server.archive.replays import record_text
from smalti.server.rooms.render import Rendering, chat_after, clocks_of, table_of
from smalti.server.store.rows import facts_of
from smalti.server.table.entries import OVER, Row
from smalti.server.table.log import Log

OLD = Path(__file__).parents[2] / "data" / "logs-2026-11-18.json"
TABLES: list[dict[str, Any]] = json.loads(OLD.read_text(encoding="utf-8"))
UNTOLD = ("view", "score")  # of a state: the rules' own tests have them


def replayed(table: dict[str, Any]) -> Log:
    row = table["row"]
    secrets = {name: bytes.fromhex(row[name]) for name in ("secret", "key")}
    log = Log(facts_of({**row, **secrets}))
    log.extend(Row(*entry).entry() for entry in table["entries"])
    return log


def plain(message: Any) -> Any:
    return json.loads(msgspec.json.encode(message))


def told(log: Log, at: float) -> dict[str, Any]:
    """Return what everybody is told of a table."""
    people = sorted({holder for sitting in log.seats for holder in sitting.people} | {log.facts.host})
    found: dict[str, Any] = {
        "tables": [plain(table_of(log, holder, [True] * log.facts.seats, 3)) for holder in (None, *people)],
        "chats": [plain(chat_after(log.chat(seated), 0)) for seated in (True, False)],
        "clocks": plain(clocks_of(log, at + 1)) if log.clocks else None,
        "states": list(states(log)),
    }
    return found | ({"record": record_text(log)} if log.stage == OVER else {})


def states(log: Log) -> Any:
    for seat in (None, *range(log.facts.seats)):
        for since in (0, log.number // 2) if seat is None else (0,):
            state = plain(Rendering(log).state(seat, since))
            yield {name: value for name, value in state.items() if name not in UNTOLD}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table["row"]["id"])
def test_old_logs_lead_to_what_they_led_to(table: dict[str, Any]) -> None:
    log, then = replayed(table), table["leads_to"]
    assert told(log, table["entries"][-1][1]) == {name: then[name] for name in told(log, 0.0)}
    kept = {"length", "number", "stage", "winners", "due", "finders", "in_lobby", "last"}
    assert {name: getattr(log, name) for name in kept} == {name: then[name] for name in kept}
    assert sorted(log.seating.players) == then["players"]
    assert sorted(log.seating.guests) == then["guests"]
    assert list(log.asked) == then["asked"]


def test_a_copy_goes_on_without_changing_what_it_was_made_from() -> None:
    for table in TABLES:
        log = replayed(table | {"entries": table["entries"][:-1]})
        before = told(log, 0.0)
        log.copy().apply(Row(*table["entries"][-1]).entry())
        assert told(log, 0.0) == before, table["row"]["id"]
