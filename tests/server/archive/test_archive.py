"""Finished games: replay, the table after each event, the record; and the lists."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

import smalti
from smalti import bots
from smalti.server.archive.replays import PAGE
from smalti.server.store.schema import matches
from tests.server.conftest import NewBrowser
from tests.server.logs import TOKEN, facts, finished_table, rooms_on
from tests.server.site import Browser, Server

GAMES = [
    ("mosaix", 1, {}),
    ("mosaix", 4, {"cards": "scattered"}),
    ("mozaika", 3, {"hands": "hidden"}),
    ("patterns", 2, {}),
]
NAMES = [f"{game}-{seats}" for game, seats, _ in GAMES]
MANY = 2 * PAGE + 3


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with many finished games: those named above, and then short ones."""
    server = Server(tmp_path_factory.mktemp("archive"))

    async def fill() -> None:
        async with rooms_on(f"sqlite:///{server.file}") as rooms:
            for name, (game, seats, options) in zip(NAMES, GAMES, strict=True):
                await finished_table(rooms, facts(game, seats, options, id=name), random.Random(1))
            for number in range(MANY):
                await finished_table(rooms, facts("patterns", 2, id=f"short{number}"), random.Random(number))
            async with rooms.store.changing() as connection:
                await connection.execute(sa.update(matches).values(finders="all"))  # as those of open tables

    asyncio.run(fill())
    with server.running() as running:
        yield running


@pytest.fixture
def reader(archive: Server, new_browser: NewBrowser) -> Browser:
    """A stranger who reads."""
    return new_browser(archive)


@pytest.mark.parametrize("table", NAMES)
def test_a_finished_game_is_shown_after_every_event(table: str, reader: Browser) -> None:
    replay = reader.get(f"/api/tables/{table}/replay")
    record = smalti.read(reader.http.get(f"/api/tables/{table}/record").text)
    assert smalti.verify(record).is_over
    assert [(event["by"], event["do"]) for event in replay["events"]] == [tuple(event) for event in record.events]
    assert (replay["scores"], replay["winners"]) == (record.scores, record.winners)
    last = len(replay["events"])
    for number in {*range(0, last, 7), 1, last - 1, last}:
        answer = reader.http.get(f"/api/tables/{table}/at/{number}")
        step, match = answer.json(), smalti.match_of(record, number)
        assert (step["n"], step["acting"], step["scores"]) == (number, sorted(match.acting), match.scores)
        assert bool(step["view"]) == bool(number)
        assert "immutable" in answer.headers["cache-control"]
    assert step_scores(reader, table, last) == record.scores
    for number in (-1, last + 1, 10**20):
        answer = reader.http.get(f"/api/tables/{table}/at/{number}")
        assert (answer.status_code, answer.json()["values"]) == (404, {"last": last})
        assert "immutable" not in answer.headers.get("cache-control", "")


def step_scores(reader: Browser, table: str, number: int) -> list[int]:
    """Return the scores after so many events, added up from the breakdown's lines."""
    step = reader.get(f"/api/tables/{table}/at/{number}")
    return [
        sum(line["points"] for line in step["score"] if line["seat"] == seat) for seat in range(len(step["scores"]))
    ]


def test_the_record_is_downloaded_with_names_and_times(reader: Browser) -> None:
    answer = reader.http.get("/api/tables/patterns-2/record")
    assert answer.headers["content-disposition"] == 'attachment; filename="smalti-patterns-2.json"'
    record = smalti.read(answer.text)
    extra = record.extra
    assert extra["names"] == ["Ann 0", "Ann 1"]
    assert record.rules == smalti.games.find("patterns").version
    assert extra["made"] < extra["ended"]
    assert TOKEN not in answer.text


@pytest.mark.parametrize("address", ["replay", "at/0", "at/1", "record"])
def test_a_game_that_is_not_over_is_not_in_the_archive(address: str, host: Browser) -> None:
    for seats in (("Ann", "Bob"), ("Ann", "link")):
        answer = host.http.get(f"/api/tables/{host.make('patterns', *seats)}/{address}")
        assert (answer.status_code, answer.json()["reason"]) == (409, "table.not-over")


@pytest.mark.parametrize(("query", "count"), [("", MANY + 4), ("?game=patterns", MANY + 1), ("?game=mosaix", 2)])
def test_finished_games_are_listed_page_by_page(query: str, count: int, reader: Browser) -> None:
    address, found = f"/api/tables/over{query}", []
    while address:
        page = reader.get(address)
        assert len(page["tables"]) <= PAGE
        found += [line["id"] for line in page["tables"]]
        address = page["more"]
    assert len(found) == len(set(found)) == count
    if count > MANY:
        assert found[:MANY] == [f"short{number}" for number in reversed(range(MANY))]


def test_a_list_of_no_such_game_is_empty(reader: Browser) -> None:
    for query in ("game=chess", "game=%00", "before=0", "before=-1", "before=nan", "game="):
        assert reader.http.get(f"/api/tables/over?{query}").status_code == 200
    assert reader.get("/api/tables/over?game=chess") == {"tables": [], "more": None}


def test_my_tables_are_those_i_sit_at_that_are_not_over(host: Browser, guest: Browser) -> None:
    names = [host.make("patterns", "Ann", "link") for _ in range(3)]
    assert [line["id"] for line in host.get("/api/tables/mine")["tables"]] == names[::-1]
    assert guest.get("/api/tables/mine") == {"tables": [], "more": None}
    guest.claim(names[1], "Bob", host.keys(names[1])[1])
    turns = [browser.get("/api/tables/mine")["tables"] for browser in (host, guest)]
    assert [line["id"] for line in turns[1]] == [names[1]]
    mine = next(line for line in turns[0] if line["id"] == names[1])
    assert mine["my_turn"] != turns[1][0]["my_turn"], "one of the two has to act"
    assert mine["scores"] == []


def test_the_games_are_listed_with_what_can_be_chosen(host: Browser) -> None:
    games = {game["name"]: game for game in host.get("/api/games")}
    assert set(games) == set(smalti.games.names())
    for name, told in games.items():
        game = smalti.games.find(name)
        assert told["seats"] == list(game.seats)
        assert told["options"] == {option: list(values) for option, values in game.options.items()}
        levels = [f"level-{number}" for number in range(1, 9)]
        assert told["bots"] == (levels if bots.own_part(name, "levels") else ["random", "greedy", "mcts"])
