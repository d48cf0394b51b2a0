"""Importing records: what is right is shown under its own address, what is wrong is refused with event and rule."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

import smalti
from smalti.server.actions.importing import MOST_BYTES, Imports, import_record
from smalti.server.rooms.messages import MOST_EVENTS
from smalti.server.table.log import Log
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import rooms_on
from tests.server.site import ROOT, Browser

GOLDEN = sorted((ROOT / "tests" / "golden").glob("mo*/*.json")) + sorted(
    (ROOT / "tests" / "golden").glob("pat*/*.json")
)
FULL = ROOT / "tests" / "golden" / "patterns" / "full-board.json"
HOSTILE = "</script><img src=x onerror=alert(1)>"


def sent(browser: Browser, text: str | bytes) -> httpx.Response:
    content = text if isinstance(text, bytes) else text.encode()
    return browser.http.post("/api/import", content=content, headers={"content-type": "application/json"})


def imported(browser: Browser, text: str) -> str:
    answer = sent(browser, text)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def changed(file: Path = FULL, **keys: Any) -> str:
    """Return a golden record with some keys changed, or taken away by None."""
    document = {**json.loads(file.read_text()), **keys}
    return json.dumps({key: value for key, value in document.items() if value is not None})


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_every_golden_record_is_imported_and_comes_back_as_it_was(file: Path, host: Browser, guest: Browser) -> None:
    table = imported(host, file.read_text())
    replay, record = guest.get(f"/api/tables/{table}/replay"), smalti.read(file.read_text())
    assert (replay["origin"], replay["over"], replay["start"]) == ("import", True, None)
    assert [(event["by"], event["do"]) for event in replay["events"]] == [tuple(event) for event in record.events]
    assert (replay["scores"], replay["winners"]) == (record.scores, record.winners)
    back = smalti.read(guest.http.get(f"/api/tables/{table}/record").text)
    assert smalti.verify(back).is_over
    assert imported(guest, back.text()) == table


def test_the_same_record_leads_to_the_same_address_and_another_one_elsewhere(host: Browser, guest: Browser) -> None:
    table = imported(host, changed(names=["Ann", "Bob"]))
    assert imported(guest, changed(names=["Ann", "Bob"], made=5, somebody="else")) == table
    others = [imported(guest, changed(names=["Ann", "Bo"])), imported(guest, changed())]
    assert len({table, *others}) == 3


def test_an_imported_game_outlives_the_server_and_counts_nowhere(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving()
    browser = new_browser(server)
    table = imported(browser, FULL.read_text())
    before = browser.get(f"/api/tables/{table}/replay")
    server.kill()
    server.start()
    assert browser.get(f"/api/tables/{table}/replay") == before
    assert imported(browser, FULL.read_text()) == table
    for name in ("over", "open", "mine"):
        assert browser.get(f"/api/tables/{name}")["tables"] == []


def test_an_unfinished_record_is_shown_and_nothing_happens_to_it(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving(SMALTI_TEST_BOTS="1")
    browser = new_browser(server)
    golden = ROOT / "tests" / "golden" / "mosaix" / "three-players-tie.json"
    events = json.loads(golden.read_text())["events"][:5]  # somebody who plays chance, or bots, would go on here
    text = changed(golden, events=events, scores=None, winners=None, names=["bot:level-1", "bot:level-1", "Ann"])
    table = imported(browser, text)
    for _ in range(2):
        replay = browser.get(f"/api/tables/{table}/replay")
        assert (replay["over"], len(replay["events"]), replay["winners"], replay["verdict"]) == (False, 5, [], "")
        assert replay["bots"] == ["level-1", "level-1", None]
        assert browser.get(f"/api/tables/{table}/at/5")["n"] == 5
        server.kill()
        server.start()


def test_nobody_sits_hosts_talks_or_plays_at_an_imported_game(host: Browser) -> None:
    table = imported(host, FULL.read_text())
    people = host.table(table)
    assert (people["host"], people["stage"], people["watch_link"]) == (False, "over", None)
    assert not any(seat["mine"] or seat["link"] for seat in people["seats"])
    assert host.open_unasked(table).closing() == 4403
    assert host.claim(table, "Ann").json()["reason"] == "table.link"
    assert host.patch(f"/api/tables/{table}", listed=True).json()["reason"] == "table.not-host"
    assert host.post(f"/api/tables/{table}/again").json()["reason"] == "table.not-yours"
    assert host.patch(f"/api/tables/{table}/name", name="Eve").json()["reason"] == "table.not-yours"


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["  Ann  ", "Bob"], ["Ann", "Bob"]),
        ([HOSTILE[:30], "Bob"], [HOSTILE[:30], "Bob"]),
        (["x" * 31, "Bob"], ["", "Bob"]),
        (["x" * 100_000, "Bob"], ["", "Bob"]),
        (["a\u202eb", "\u0007"], ["", ""]),
        ([None, 5], ["", ""]),
        (["Ann"], ["", ""]),
        ({"0": "Ann"}, ["", ""]),
        ("Ann", ["", ""]),
        (["bot:level-3", "bot:<b>"], ["", "bot:<b>"]),
    ],
)
def test_names_are_taken_where_they_can_be_shown(names: Any, shown: list[str], host: Browser) -> None:
    table = imported(host, changed(names=names))
    assert host.get(f"/api/tables/{table}/replay")["names"] == shown


def wrong(browser: Browser, text: str | bytes) -> dict[str, Any]:
    answer = sent(browser, text)
    assert answer.status_code == 400, answer.text
    assert "Traceback" not in answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_record_against_the_rules_names_the_event_and_the_rule(host: Browser) -> None:
    events = json.loads(FULL.read_text())["events"]
    events[5] = {**events[5], "do": events[4]["do"]}
    problem = wrong(host, changed(events=events))
    assert (problem["game"], problem["event"], problem["reason"].split(".")[0]) == ("patterns", 6, "patterns")
    assert problem["rule"].startswith("PT-")
    assert problem["sentence"]


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"scores": [1, 2]}, "record.wrong-scores"),
        ({"winners": []}, "record.wrong-winners"),
        ({"scores": None, "winners": None}, "record.no-scores"),
    ],
)
def test_a_wrong_result_is_refused(keys: dict[str, Any], reason: str, host: Browser) -> None:
    problem = wrong(host, changed(**keys))
    assert (problem["reason"], problem["rule"]) == (reason, "")
    assert problem["event"] == len(json.loads(FULL.read_text())["events"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{",
        "[" * 100_000,
        '{"format": "smalti-record/1"}',
        '{"format": "smalti-record/2", "game": "patterns"}',
        '{"format": "x", "format": "y"}',
        "NaN",
        b"\xff\xfe",
        b'{"format": "\\ud800"}',
        changed(game="chess"),
        changed(game="../../etc/passwd"),
        changed(players=10**30),
        changed(players=-1),
        changed(players=True),
        changed(options={"hands": "hidden"}),
        changed(options={"x" * 1000: "y"}),
        changed(events=[{"by": 0, "do": "x" * 2000}]),
        changed(events=[{"by": 99, "do": "pass"}]),
        changed(events=[{"by": None, "do": "\u0000"}]),
        changed(events=[1, 2, 3]),
        changed(events="deal"),
        changed(events=[], scores=None, winners=None),
    ],
)
def test_what_is_no_record_is_refused_in_one_sentence(text: str | bytes, host: Browser) -> None:
    problem = wrong(host, text)
    assert problem["reason"] in ("table.record", "patterns.chance", "patterns.not-your-turn") or problem["rule"]
    assert 0 < len(problem["sentence"]) < 400
    assert "\n" not in problem["sentence"]


def test_a_record_has_a_largest_size(host: Browser) -> None:
    padded = changed(padding="x" * (MOST_BYTES - 60_000))
    assert sent(host, padded).status_code == 201
    answer = sent(host, changed(padding="x" * MOST_BYTES))
    assert (answer.status_code, answer.json()["reason"]) == (413, "table.large")


def test_records_come_from_our_own_pages_as_json(host: Browser) -> None:
    text = FULL.read_bytes()
    plain = host.http.post("/api/import", content=text, headers={"content-type": "text/plain"})
    assert (plain.status_code, plain.json()["reason"]) == (400, "table.format")
    headers = {"content-type": "application/json", "origin": "https://elsewhere.example"}
    other = host.http.post("/api/import", content=text, headers=headers)
    assert (other.status_code, other.json()["reason"]) == (403, "table.origin")


def test_records_are_imported_only_so_often(serving: Serving, new_browser: NewBrowser) -> None:
    browser = new_browser(serving(SMALTI_TABLES_AN_HOUR="2"))
    answers = [sent(browser, FULL.read_text()) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]


def test_a_game_without_an_end_is_not_taken(host: Browser) -> None:
    def sent_with(events: int) -> httpx.Response:
        passes = [{"by": 0, "do": "pass"}] * events
        return sent(host, changed(game="mosaix", rules=1, events=passes, scores=None, winners=None))

    answer = sent_with(MOST_EVENTS + 1)
    assert (answer.status_code, answer.json()["reason"]) == (413, "table.long")
    assert answer.json()["values"] == {"most": MOST_EVENTS}
    assert sent_with(MOST_EVENTS).json()["reason"] != "table.long"


def test_an_import_is_replayed_beside_the_loop_and_takes_no_memory_until_somebody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads, apply = list[threading.Thread](), Log.apply_past

    def noted(self: Log, entry: Any, events: Any) -> None:
        threads.append(threading.current_thread())
        apply(self, entry, events)

    monkeypatch.setattr(Log, "apply_past", noted)

    async def run() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            name = await import_record(rooms, FULL.read_bytes(), Imports())
            assert (len(rooms.open), len(rooms.recent)) == (0, 0)
            assert await import_record(rooms, FULL.read_bytes(), Imports()) == name
            assert (await rooms.find(name)).log.stage == "over"

    asyncio.run(run())
    assert len(threads) == 3
    assert threading.main_thread() not in threads[:2]
