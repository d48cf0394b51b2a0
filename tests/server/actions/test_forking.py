"""Going on from a point of another game: a table like any other, whose record has all events from the start."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import smalti
from smalti.server.actions.forking import past_of
from smalti.server.problems import Problem
from smalti.server.wire.to_page import Start
from tests.server.actions.test_importing import changed, imported
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import facts, finished_table, rooms_on
from tests.server.site import ROOT, Browser, Server, play

GAMES = [("mosaix", 1, {}), ("mosaix", 3, {"end": "blocked"}), ("mozaika", 3, {"hands": "hidden"}), ("patterns", 2, {})]
NAMES = [f"{game}-{seats}" for game, seats, _ in GAMES]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a finished game of each kind."""
    server = Server(tmp_path_factory.mktemp("played"))

    async def fill() -> None:
        async with rooms_on(f"sqlite:///{server.file}") as rooms:
            for name, (game, seats, options) in zip(NAMES, GAMES, strict=True):
                await finished_table(rooms, facts(game, seats, options, id=name), random.Random(2))

    asyncio.run(fill())
    with server.running() as running:
        yield running


@pytest.fixture
def host(played: Server, new_browser: NewBrowser) -> Browser:
    return new_browser(played)


@pytest.fixture
def guest(played: Server, new_browser: NewBrowser) -> Browser:
    return new_browser(played)


def fork(browser: Browser, table: str, n: int, *seats: str, **more: Any) -> str:
    """Go on from a point, with the game and the options of that game."""
    game, _, options = GAMES[NAMES.index(table)]
    return browser.make(game, *seats, **{"options": options, "start": {"table": table, "n": n}, **more})


def events(browser: Browser, table: str) -> list[tuple[int | None, str]]:
    return [(event["by"], event["do"]) for event in browser.get(f"/api/tables/{table}/replay")["events"]]


@pytest.mark.parametrize("table", NAMES)
@pytest.mark.parametrize("share", [0, 0.3, 0.7, 0.97])
def test_a_game_goes_on_from_any_point_and_its_record_verifies(table: str, share: float, host: Browser) -> None:
    seats, before = GAMES[NAMES.index(table)][1], events(host, table)
    n = int(share * len(before))
    made = fork(host, table, n, *[f"New {seat}" for seat in range(seats)])
    pages = [host.open(made, seat) for seat in range(seats)]
    assert pages[0].table["start"] == {"table": table, "n": n}
    play(pages, random.Random(3))
    record = smalti.read(host.http.get(f"/api/tables/{made}/record").text)
    assert smalti.verify(record).is_over
    assert [tuple(event) for event in record.events[:n]] == before[:n]
    assert record.extra["names"] == [f"New {seat}" for seat in range(seats)]
    replay = host.get(f"/api/tables/{made}/replay")
    assert (replay["origin"], replay["start"], replay["over"]) == ("fork", {"table": table, "n": n}, True)
    lines = {line["id"]: line["origin"] for line in host.get("/api/tables/over")["tables"]}
    assert lines[made] == "fork"


def test_chance_after_the_point_is_another(host: Browser) -> None:
    """With the very same decisions two tables that go on from one point part ways at the first roll."""
    before = events(host, "mosaix-1")
    n = next(place for place, (by, _) in enumerate(before) if by is None and place > 3)
    rolls = set()
    for _ in range(12):
        page = host.open(fork(host, "mosaix-1", n, "Ann"), 0)
        rolls.add(page.state["view"]["dice"])
    assert len(rolls) > 1


def test_people_gather_before_a_game_goes_on(host: Browser, guest: Browser, new_browser: NewBrowser) -> None:
    made = fork(host, "mosaix-3", 12, "Ann", "link", "bot:level-1", listed=True)
    page = host.open(made, 0)
    assert (page.table["stage"], page.state["view"], page.state["acting"]) == ("gathering", None, [])
    assert page.do("pass")["reason"] == "table.turn"
    assert [line["id"] for line in guest.get("/api/tables/open")["tables"]] == [made]
    host.post(f"/api/tables/{made}/seats/1/link")
    guest.claim(made, "Ben", host.keys(made)[1])
    assert page.until_people(lambda people: people["stage"] == "playing")
    assert page.until(lambda state: state["view"] is not None)["acting"]
    ben = guest.open(made, 1)
    assert [event["do"] for event in ben.state["events"]][:12] == [do for _, do in events(host, "mosaix-3")[:12]]


def test_a_game_goes_on_after_the_server_died_while_people_gathered(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving()
    host, guest = new_browser(server), new_browser(server)
    table = imported(host, changed())
    made = host.make("patterns", "Ann", "link", start={"table": table, "n": 6})
    server.kill()
    server.start()
    assert host.table(made)["stage"] == "gathering"
    guest.claim(made, "Ben", host.keys(made)[1])
    pages = [host.open(made, 0), guest.open(made, 1)]
    play(pages, random.Random(1), moves=5)
    server.kill()
    server.start()
    pages = [host.open(made, 0), guest.open(made, 1)]
    play(pages, random.Random(1))
    assert smalti.verify(smalti.read(host.http.get(f"/api/tables/{made}/record").text)).is_over


def test_an_unfinished_record_goes_on_where_it_ends(host: Browser) -> None:
    golden = ROOT / "tests" / "golden" / "mosaix" / "three-players-tie.json"
    first = json.loads(golden.read_text())["events"][:7]
    table = imported(host, changed(golden, events=first, scores=None, winners=None))
    seats = [{"kind": "here", "name": f"N{seat}"} for seat in range(3)]
    answer = host.post("/api/tables", game="mosaix", seats=seats, start={"table": table, "n": 7})
    assert answer.status_code == 201, answer.text
    host.add_nonces(answer.json()["id"])
    pages = [host.open(answer.json()["id"], seat) for seat in range(3)]
    play(pages, random.Random(1))
    assert events(host, answer.json()["id"])[:7] == [(event["by"], event["do"]) for event in first]


def test_a_fork_can_be_forked_and_a_rematch_begins_at_the_beginning(host: Browser) -> None:
    first = fork(host, "patterns-2", 9, "Ann", "Bob")
    play([host.open(first, seat) for seat in (0, 1)], random.Random(4))
    second = host.make("patterns", "Ann", "Bob", start={"table": first, "n": 11})
    assert host.table(second)["start"] == {"table": first, "n": 11}
    again = host.post(f"/api/tables/{first}/again").json()["id"]
    assert host.table(again)["start"] is None


def test_what_is_dealt_after_the_point_stays_hidden(host: Browser, guest: Browser) -> None:
    """With hidden hands the deal of the old game is known to its archive; new sealed bids and the page stay closed."""
    made = fork(host, "mozaika-3", 5, "Ann", "link", "bot:level-1")
    guest.claim(made, "Ben", host.keys(made)[1])
    ann, ben = host.open(made, 0), guest.open(made, 1)
    assert ann.state["view"]["places"][1]["hand"] is None
    number = ann.state["n"]
    ann.do(ann.state["legal"][0])
    ben.settle()
    told = [event for text in ben.told for event in json.loads(text).get("events", [])]
    assert [event["do"] for event in told if event["by"] == 0 and event["n"] > number] == [None]
    assert not any('"deal ' in text for text in (*ann.told, *ben.told))


@pytest.mark.parametrize(
    ("wish", "status", "reason"),
    [
        ({"start": {"table": "nothing", "n": 1}}, 404, "table.gone"),
        ({"start": {"table": "patterns-2", "n": -1}}, 404, "table.event"),
        ({"start": {"table": "patterns-2", "n": 10**9}}, 404, "table.event"),
        ({"start": {"table": "patterns-2", "n": "x"}}, 400, "table.format"),
        ({"start": {"table": "patterns-2", "n": 1, "events": []}}, 400, "table.format"),
        ({"start": {"table": "mosaix-3", "n": 1}}, 400, "table.start"),
        ({"start": {"table": "mosaix-3", "n": 1}, "game": "mosaix"}, 400, "table.start"),
        ({"start": {"table": "patterns-2", "n": 1}, "terms": {"code": "Tuesday"}}, 400, "table.start"),
    ],
)
def test_what_cannot_go_on_is_refused(wish: dict[str, Any], status: int, reason: str, host: Browser) -> None:
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Bob"}]
    answer = host.post("/api/tables", **{"game": "patterns", "seats": seats, **wish})
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)


def test_other_options_than_the_game_had_are_refused(host: Browser) -> None:
    seats = [{"kind": "here", "name": f"N{seat}"} for seat in range(3)]
    answer = host.post("/api/tables", game="mozaika", seats=seats, start={"table": "mozaika-3", "n": 1})
    assert (answer.status_code, answer.json()["reason"]) == (400, "table.start")


def test_nothing_goes_on_from_the_end_or_from_a_game_that_still_goes_on(host: Browser) -> None:
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Bob"}]
    last = len(events(host, "patterns-2"))
    final = host.post("/api/tables", game="patterns", seats=seats, start={"table": "patterns-2", "n": last})
    assert (final.status_code, final.json()["reason"]) == (409, "table.final")
    running = host.make("patterns", "Ann", "Bob")
    answer = host.post("/api/tables", game="patterns", seats=seats, start={"table": running, "n": 1})
    assert (answer.status_code, answer.json()["reason"]) == (409, "table.not-over")


def test_a_fork_has_no_more_events_than_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smalti.server.actions.forking.MOST_EVENTS", 5)

    async def run() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/t.sqlite") as rooms:
            old = await finished_table(rooms, facts("patterns", 2), random.Random(2))
            new = facts("patterns", 2, id="new")
            assert (await past_of(rooms, new, Start("table", 5)))[1].n == 5
            with pytest.raises(Problem, match="at most 5 events"):
                await past_of(rooms, new, Start("table", 6))
            with pytest.raises(Problem, match="no event with this number"):
                await past_of(rooms, new, Start("table", len(old.log.match.events) + 1))

    asyncio.run(run())
