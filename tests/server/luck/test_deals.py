"""The same deal for all: one code, the same draws, a comparison; marked wherever it is seen."""

from __future__ import annotations

import random
from typing import Any

import pytest

from smalti.server.luck import derive
from tests.server.conftest import NewBrowser
from tests.server.luck.test_fairness import fair_log, judged, played
from tests.server.site import Browser, play


def drawn(record: dict[str, Any]) -> list[str]:
    return [event["do"] for event in record["events"] if event["by"] is None]


def finished(person: Browser, code: str, seed: int, *names: str) -> str:
    """Play a game of Mosaix with a code to the end, all at one screen."""
    table = person.make("mosaix", *names, terms={"code": code})
    pages = [person.open(table, seat) for seat in range(len(names))]
    play(pages, random.Random(seed))
    return table


def deal(person: Browser, code: str, **more: Any) -> Any:
    return person.http.get("/api/deals", params={"game": "mosaix", "seats": 2, "code": code, **more})


# Of Mozaika's bag with three seats 60 tiles can be drawn before it holds nothing but what was left over: 12 rounds.
SAME = {"mosaix": 100, "mozaika": 13, "patterns": 1}


@pytest.mark.parametrize(("game", "seats"), [("mosaix", 2), ("mozaika", 3), ("patterns", 2)])
def test_tables_with_one_code_get_the_same_draws_however_they_are_played(game: str, seats: int) -> None:
    logs = [played(fair_log(game, seats, "Tuesday", secret=bytes([seed]) * 32), seed) for seed in range(3)]
    drawn = [[event.do for event in log.match.events if event.by is None] for log in logs]
    shortest = min(SAME[game], *map(len, drawn))
    assert shortest > (0 if game == "patterns" else 3)
    assert len({tuple(draws[:shortest]) for draws in drawn}) == 1
    assert len({tuple(log.match.events) for log in logs}) == 3


def test_code_seats_and_options_belong_to_the_deal() -> None:
    keys = [
        derive.key_of_code("mosaix", 2, {"cards": "centre"}, "Tuesday"),
        derive.key_of_code("mosaix", 2, {"cards": "centre"}, "tuesday"),
        derive.key_of_code("mosaix", 3, {"cards": "centre"}, "Tuesday"),
        derive.key_of_code("mosaix", 2, {"cards": "scattered"}, "Tuesday"),
        derive.key_of_code("mozaika", 2, {"cards": "centre"}, "Tuesday"),
    ]
    assert len(set(keys)) == len(keys)


def test_a_deal_by_code_is_marked_everywhere_and_waits_for_nobody(host: Browser) -> None:
    table = finished(host, "  a   code ", 1, "Ann", "Ben")
    people = host.table(table)
    assert (people["terms"]["code"], people["commitment"]) == ("a code", None)
    assert host.get(f"/api/tables/{table}/replay")["code"] == "a code"
    (line,) = deal(host, "a code").json()["tables"]
    assert (line["id"], line["terms"]["code"]) == (table, "a code")
    record = host.http.get(f"/api/tables/{table}/record").json()
    assert record["code"] == "a code"
    assert "secret" not in record["fairness"]
    assert judged(record) is None
    assert judged({**record, "fairness": {**record["fairness"], "code": "another"}}) == "fairness.draw"


def test_several_groups_are_compared_the_best_first(host: Browser, guest: Browser, new_browser: NewBrowser) -> None:
    names = [finished(person, "compared", seed, "Ann", "Ben") for seed, person in enumerate((host, guest))]
    records = [host.http.get(f"/api/tables/{name}/record").json() for name in names]
    least = min(map(len, map(drawn, records)))
    assert drawn(records[0])[:least] == drawn(records[1])[:least]
    finished(host, "another", 1, "Ann", "Ben")
    finished(host, "compared", 1, "Ann", "Ben", "Cleo")
    found = deal(new_browser(), "compared").json()
    assert (found["playing"], found["code"], found["seats"]) == (False, "compared", 2)
    assert len(found["tables"]) == len(names)
    assert {line["id"] for line in found["tables"]} == {""}  # whose they are is not for strangers
    assert {line["id"] for line in deal(host, "compared").json()["tables"]} == {names[0], ""}
    best = [max(line["scores"]) for line in found["tables"]]
    assert best == sorted(best, reverse=True)


def test_whoever_still_plays_a_deal_is_not_led_to_the_replays_of_others(host: Browser, guest: Browser) -> None:
    finished(host, "running", 1, "Ann", "Ben")
    guest.make("mosaix", "Cleo", "Dora", terms={"code": "running"})
    found = deal(guest, "running").json()
    assert found["playing"]
    assert [line["id"] for line in found["tables"]] == [""]
    assert not deal(host, "running").json()["playing"]
    assert deal(host, "running").json()["tables"][0]["id"]


def test_unfinished_tables_are_not_compared(host: Browser, guest: Browser) -> None:
    host.make("mosaix", "Ann", "Ben", terms={"code": "begun"})
    assert deal(guest, "begun").json()["tables"] == []


@pytest.mark.parametrize("code", ["", "   ", "x" * 41, "a\u0007b", "\u202e"])
def test_what_cannot_be_shown_is_no_code(code: str, host: Browser) -> None:
    wish = {"game": "mosaix", "seats": [{"kind": "here", "name": "Ann"}], "terms": {"code": code}}
    answer = host.post("/api/tables", **wish)
    assert (answer.status_code, answer.json()["reason"]) == (400, "table.code")
    assert deal(host, code).json()["reason"] == "table.code"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"game": "chess"}, "table.game"),
        ({"seats": 9}, "table.seats"),
        ({"cards": "none"}, "table.options"),
        ({"what": "ever"}, "table.options"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(more: dict[str, Any], reason: str, host: Browser) -> None:
    answer = deal(host, "code", **more)
    assert (answer.status_code, answer.json()["reason"]) == (400, reason)


def test_the_rematch_is_dealt_anew(host: Browser) -> None:
    table = finished(host, "once", 1, "Ann", "Ben")
    again = host.post(f"/api/tables/{table}/again").json()["id"]
    people = host.table(again)
    assert (people["terms"].get("code"), people["stage"]) == (None, "gathering")
    host.add_nonces(again)
    assert host.table(again)["stage"] == "playing"
