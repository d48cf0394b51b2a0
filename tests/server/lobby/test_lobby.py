"""The lobby: who may look on, what is open and for how long, quick match, and bots for free seats."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command

from smalti.server.bus import RedisBus
from smalti.server.lobby.lobby import MOST_OF_A_HOST, Lobby
from smalti.server.lobby.quick_match import quick_match
from smalti.server.rooms.rooms import Rooms
from smalti.server.settings import database_url
from smalti.server.store.migrations import config
from smalti.server.store.store import Store
from smalti.server.table.terms import Terms
from smalti.server.wire.http import Quick
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import rooms_on
from tests.server.programs import Postgres
from tests.server.site import Browser, Message, is_bidding, play, until

ANN, BOB, CEM = "Ann", "Bob", "Cem"


def watch_key(host: Browser, table: str) -> str:
    """Return the key of the link for onlookers."""
    return str(host.table(table)["watch_link"]).rpartition("/")[2]


def shown(browser: Browser, part: str = "seeking", game: str = "") -> dict[str, Message]:
    """Return what the lobby shows, by table."""
    answer = browser.get(f"/api/lobby{'?game=' + game if game else ''}")
    return {line["id"]: line for line in answer[part]}


def quick(browser: Browser, game: str = "patterns", seats: int = 2, name: str = ANN, **more: Any) -> Message:
    """Ask for a quick match."""
    answer = browser.post("/api/quick", game=game, seats=seats, name=name, **more)
    assert answer.status_code == 200, answer.text
    made: Message = answer.json()
    browser.add_nonces(made["id"])
    return made


@pytest.fixture
def apart(serving: Serving, new_browser: NewBrowser) -> Callable[[], Browser]:
    """Browsers at a server of their own, whose open tables are theirs alone."""
    server = serving()
    return lambda: new_browser(server)


# --- Who may look on

MODES = [("all", True, True), ("link", False, True), ("none", False, False)]


@pytest.mark.parametrize(("mode", "by_address", "by_link"), MODES)
def test_who_may_look_on(mode: str, by_address: bool, by_link: bool, host: Browser, guest: Browser) -> None:
    table = host.make("patterns", ANN, BOB)
    key = watch_key(host, table)
    assert host.patch(f"/api/tables/{table}", onlookers=mode).status_code == 204
    for watch, may in ((None, by_address), (key, by_link)):
        if may:
            assert guest.open(table, watch=watch).state["view"]
        else:
            assert guest.open_unasked(table, watch).closing() == 4403


@pytest.mark.parametrize("mode", ["link", "none"])
def test_a_change_of_mode_puts_out_who_may_no_longer_look(mode: str, host: Browser, new_browser: NewBrowser) -> None:
    table = host.make("mozaika", ANN, BOB, CEM, onlookers="all")
    mine, key = host.open(table, 0), watch_key(host, table)
    stranger, invited = new_browser().open(table), new_browser().open(table, watch=key)
    host.patch(f"/api/tables/{table}", onlookers=mode)
    assert stranger.closing() == 4403
    before = stranger.told[-1]
    play([mine], random.Random(1), 1)
    assert stranger.told[-1] == before
    if mode == "none":
        assert invited.closing() == 4403
    else:
        assert invited.until(lambda state: state["n"] == mine.state["n"])


@pytest.mark.parametrize("mode", ["", "everybody", True, 1])
def test_a_mode_that_nobody_knows_is_refused(mode: object, host: Browser) -> None:
    table = host.make("patterns", ANN, BOB)
    answer = host.patch(f"/api/tables/{table}", onlookers=mode)
    assert (answer.status_code, answer.json()["reason"]) == (400, "table.format")
    assert host.table(table)["onlookers"] == "link"


def test_at_an_open_table_everybody_may_look_until_the_game_begins(host: Browser, new_browser: NewBrowser) -> None:
    table = host.make("mozaika", ANN, BOB, "link", listed=True)
    stranger = new_browser().open(table)
    assert stranger.state["view"] is None
    assert new_browser().claim(table, CEM).status_code == 200
    assert stranger.closing() == 4403
    assert not any('"view":{' in text for text in stranger.told)


def test_the_rematch_keeps_who_may_look_on(host: Browser, guest: Browser) -> None:
    table = host.make("mosaix", ANN, options={}, onlookers="all")
    page = host.open(table, 0)
    play([page], random.Random(1))
    again = host.post(f"/api/tables/{table}/again").json()["id"]
    host.add_nonces(again)
    assert host.table(again)["onlookers"] == "all"
    assert guest.open(again).state["view"]


def test_onlookers_of_a_public_game_are_told_no_secret(host: Browser, guest: Browser) -> None:
    table = host.make("mozaika", ANN, BOB, CEM, onlookers="all", options={"hands": "hidden"})
    pages, onlooker = [host.open(table, seat) for seat in range(3)], guest.open(table)
    play(pages, random.Random(2), stop=is_bidding)
    number = pages[0].do("bid 1")["n"]
    told = onlooker.until(lambda state: state["n"] >= number)
    assert [event["do"] for event in told["events"] if event["by"] == 0][-1] is None
    assert all(place["hand"] is None for place in told["view"]["places"])
    assert host.table(table)["seats"][0]["mine"]
    for line in (shown(guest, "playing")[table], shown(host, "playing")[table]):
        assert all(seat["link"] is None for seat in line["seats"])
        assert watch_key(host, table) not in str(line)


def test_old_logs_stay_readable(tmp_path: Path) -> None:
    """A database as it was before there were modes: opened, shut, opened again."""
    url = f"sqlite:///{tmp_path}/old.sqlite"
    engine = sa.create_engine(url)
    found = config()
    with engine.begin() as connection:
        found.attributes["connection"] = connection
        command.upgrade(found, "0001")
        for table, bodies in {"shut": ["false"], "opened": ["false", "true"], "plain": []}.items():
            columns = "'patterns', 2, '{}', 1, 1.0, :key, :key, 'host', 'gathering', TRUE, NULL"
            connection.execute(sa.text(f"INSERT INTO matches VALUES (:id, {columns})"), {"id": table, "key": b"k"})
            entries = [("watch", f'{{"open":{body}}}') for body in bodies] + [("list", '{"listed":true}')]
            for n, (kind, body) in enumerate(entries, 1):
                connection.execute(
                    sa.text("INSERT INTO events VALUES (:match, :n, 1.0, :kind, NULL, :body, NULL)"),
                    {"match": table, "n": n, "kind": kind, "body": body},
                )

    async def modes() -> dict[str, str]:
        store = Store(database_url(url))
        await store.start()
        logs = {table: await store.log(table) for table in ("shut", "opened", "plain")}
        await store.stop()
        return {table: log.onlookers for table, log in logs.items() if log and log.listed}

    assert asyncio.run(modes()) == {"shut": "none", "opened": "link", "plain": "link"}
    with engine.begin() as connection:
        found.attributes["connection"] = connection
        command.downgrade(found, "0001")
        query = sa.text("SELECT match, body FROM events WHERE kind = 'watch' ORDER BY match, n")
        before = [tuple(row) for row in connection.execute(query)]
    assert before == [("opened", '{"open":false}'), ("opened", '{"open":true}'), ("shut", '{"open":false}')]
    engine.dispose()


# --- What is shown


def test_the_lobby_tells_what_one_must_know_before_sitting_down(host: Browser, guest: Browser) -> None:
    table = host.make(
        "mozaika",
        ANN,
        "bot:level-1",
        "link",
        "link",
        listed=True,
        options={"hands": "hidden"},
        terms={"language": "hu"},
    )
    until(lambda: table in shown(guest, game="mozaika"))  # the list is read anew every second
    line = shown(guest, game="mozaika")[table]
    assert (line["host"], line["options"], line["terms"]["language"]) == (ANN, {"hands": "hidden"}, "hu")
    assert [seat["kind"] for seat in line["seats"]] == ["person", "bot", "free", "free"]
    assert table not in shown(guest, game="patterns")
    assert shown(guest, game="nonsense") == {}


def test_a_language_that_is_not_spoken_here_is_refused(host: Browser) -> None:
    seats = [{"kind": "here", "name": ANN}, {"kind": "link"}]
    answer = host.post("/api/tables", game="patterns", seats=seats, terms={"language": "<b>"})
    assert (answer.status_code, answer.json()["reason"]) == (400, "table.format")


def test_a_table_moves_from_those_who_seek_to_those_to_watch_and_off(apart: Callable[[], Browser]) -> None:
    host, guest = apart(), apart()
    table = host.make("patterns", ANN, "link", listed=True, onlookers="all")
    private = host.make("patterns", ANN, BOB)
    assert set(shown(guest)) == {table}
    guest.claim(table, BOB)
    until(lambda: not shown(guest))
    until(lambda: set(shown(guest, "playing")) == {table})
    host.patch(f"/api/tables/{table}", onlookers="link")
    until(lambda: not shown(guest, "playing"))
    host.patch(f"/api/tables/{private}", onlookers="all")
    until(lambda: set(shown(guest, "playing")) == {private})
    play([host.open(private, seat) for seat in range(2)], random.Random(1))
    until(lambda: not shown(guest, "playing"))


def test_the_lobby_counts_who_looks_on(apart: Callable[[], Browser]) -> None:
    host, guest = apart(), apart()
    table = host.make("patterns", ANN, BOB, onlookers="all")
    host.open(table, 0)
    guest.open(table)
    until(lambda: shown(guest, "playing")[table]["watching"] == 1)


def test_what_is_known_already_is_not_told_again(apart: Callable[[], Browser]) -> None:
    host = apart()
    host.make("patterns", ANN, "link", listed=True)
    first = until(lambda: (answer := host.http.get("/api/lobby")).json()["seeking"] and answer)
    again = host.http.get("/api/lobby", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    host.make("mosaix", ANN, "link", listed=True)
    until(lambda: host.http.get("/api/lobby", headers={"if-none-match": first.headers["etag"]}).status_code == 200)


def test_one_host_does_not_fill_the_lobby_and_who_is_there_comes_first(apart: Callable[[], Browser]) -> None:
    host, spammer = apart(), apart()
    table = host.make("patterns", ANN, "link", listed=True)
    host.open(table, 0)
    for _ in range(25):
        spammer.make("patterns", BOB, "link", listed=True)
    until(lambda: len(shown(apart())) == 1 + MOST_OF_A_HOST)
    assert next(iter(shown(apart()))) == table
    assert len(apart().get("/api/tables/open")["tables"]) == 1 + MOST_OF_A_HOST


# --- Tables that are left


def test_a_table_that_everybody_has_left_is_soon_hidden_and_shown_again_when_they_are_back(
    serving: Serving, new_browser: NewBrowser
) -> None:
    server = serving(SMALTI_LOBBY_HIDES="1")
    host, guest = new_browser(server), new_browser(server)
    table = host.make("patterns", ANN, "link", listed=True)
    page = host.open(table, 0)
    until(lambda: table in shown(guest))
    page.close()
    until(lambda: table not in shown(guest))
    assert host.table(table)["listed"], "hidden, but still open"
    host.open(table, 0)
    until(lambda: table in shown(guest))


def test_a_table_that_was_left_for_long_closes_and_its_host_opens_it_again(
    serving: Serving, new_browser: NewBrowser
) -> None:
    server = serving(SMALTI_LOBBY_CLOSES="1")
    host, guest = new_browser(server), new_browser(server)
    table = host.make("patterns", ANN, "link", listed=True)
    assert until(lambda: host.table(table)["lapsed"])
    assert not host.table(table)["listed"]
    assert guest.claim(table, BOB).json()["reason"] == "table.link"
    page = host.open(table, 0)
    assert page.table["lapsed"]
    host.patch(f"/api/tables/{table}", listed=True)
    page.until_people(lambda people: people["listed"] and not people["lapsed"])
    until(lambda: table in shown(guest))
    assert guest.claim(table, BOB).status_code == 200


def test_a_table_stays_open_as_long_as_one_of_its_people_is_there(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving(SMALTI_LOBBY_CLOSES="4")
    host, guest, stranger = (new_browser(server) for _ in range(3))
    kept, left = (host.make("mozaika", ANN, "link", "link", listed=True) for _ in range(2))
    guest.claim(kept, BOB)
    guest.open(kept, 1)
    stranger.open(left)  # who looks on keeps nothing open
    until(lambda: host.table(left)["lapsed"])
    assert set(shown(stranger)) == {kept}
    assert host.table(kept)["listed"]


def test_after_a_restart_open_tables_have_their_time_again(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving(SMALTI_LOBBY_CLOSES="4")
    host = new_browser(server)
    table = host.make("patterns", ANN, "link", listed=True)
    server.kill()
    server.start()
    assert table in shown(host)
    assert host.table(table)["listed"]
    assert until(lambda: host.table(table)["lapsed"])


def lobby_of(rooms: Rooms, bus: RedisBus) -> Lobby:
    """Return the lobby of a process that is told by Redis where people are."""
    rooms.bus = bus
    return Lobby(rooms)


def test_people_at_another_process_keep_a_table_open(tmp_path: Path, redis: str) -> None:
    async def run() -> None:
        url = f"sqlite:///{tmp_path}/both.sqlite"
        async with rooms_on(url) as first, rooms_on(url) as second:
            buses = RedisBus(redis), RedisBus(redis)
            one, other = lobby_of(first, buses[0]), lobby_of(second, buses[1])
            room = await quick_match(first, one, Quick("patterns", 2, ANN), "h" * 64, b"key")
            name = room.log.facts.id
            room.enter(Somebody("h" * 64))
            for lobby in (one, other):
                lobby.seen[name] = -1e9  # for ever ago
            await one.sweep()
            await other.sweep()
            assert [shown.log.facts.id for shown in await other.seeking()] == [name]
            await buses[0].redis.delete(f"smalti.attended.{name}")
            other.seen[name] = -1e9
            await other.sweep()
            assert await other.seeking() == []
            assert (await second.find(name)).log.seating.lapsed
            for bus in buses:
                await bus.stop()

    asyncio.run(run())


class Somebody:
    """A page that is connected and says nothing."""

    is_seated = is_visible = False

    def __init__(self, holder: str) -> None:
        self.holder: str | None = holder
        self.seat: int | None = None

    def wake(self, people: bool) -> None:
        """Nothing to do."""

    def wake_presence(self) -> None:
        """Nothing to do."""

    def wake_chat(self) -> None:
        """Nothing to do."""

    def show_out(self) -> None:
        """Nothing to do."""


# --- Quick match


def test_quick_match_makes_an_open_table_and_seats_the_next_one_there(apart: Callable[[], Browser]) -> None:
    host, guest = apart(), apart()
    made = quick(host)
    assert made["seats"] == [0]
    people = host.table(made["id"])
    assert (people["listed"], people["onlookers"], people["stage"], people["host"]) == (True, "all", "gathering", True)
    assert quick(guest, name=BOB) == {"id": made["id"], "seats": [1]}
    assert [seat["name"] for seat in host.table(made["id"])["seats"]] == [ANN, BOB]
    assert host.table(made["id"])["stage"] == "playing"


def test_pressed_twice_it_is_the_same_seat(apart: Callable[[], Browser]) -> None:
    host = apart()
    assert quick(host, "mozaika", 3) == quick(host, "mozaika", 3)


def test_only_what_fits_is_found(apart: Callable[[], Browser]) -> None:
    host = apart()
    others = [
        host.make("mozaika", ANN, "link", "link", "link", listed=True),
        host.make("mozaika", ANN, "link", "link", listed=True, options={"hands": "hidden"}),
        host.make("mozaika", ANN, "bot:level-1", "link", listed=True),
        host.make("mozaika", ANN, "link", "link"),
        host.make("mosaix", ANN, "link", "link", listed=True),
    ]
    assert quick(apart(), "mozaika", 3)["id"] not in others
    assert quick(apart(), "mozaika", 3, options={"hands": "hidden"})["id"] == others[1]


def test_the_own_language_comes_first_then_who_waits_longest(apart: Callable[[], Browser]) -> None:
    spoken = [{"language": language} for language in ("de", "fr", "fr")]
    tables = [apart().make("patterns", ANN, "link", listed=True, terms=terms) for terms in spoken]
    assert quick(apart(), terms={"language": "fr"})["id"] == tables[1]
    assert quick(apart(), terms={"language": "pl"})["id"] == tables[0]
    assert quick(apart(), terms={"language": "pl"})["id"] == tables[2]


def test_all_who_press_at_once_meet_and_nobody_shares_a_seat(apart: Callable[[], Browser]) -> None:
    people = [apart() for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        made = list(pool.map(lambda browser: quick(browser, "mozaika", 3), people))
    seats = sorted((one["id"], one["seats"][0]) for one in made)
    assert len(set(seats)) == 6
    assert len({table for table, _ in seats}) == 2, "two tables of three"


def test_two_who_press_at_once_in_two_processes_meet(postgres: Postgres) -> None:
    url = postgres.new_database()
    wish = Quick("patterns", 2, ANN, terms=Terms(language="en"))

    async def run() -> None:
        async with rooms_on(url) as first, rooms_on(url) as second:
            pairs = ((first, "1" * 64), (second, "2" * 64))
            found = await asyncio.gather(
                *(quick_match(rooms, Lobby(rooms), wish, holder, b"key") for rooms, holder in pairs)
            )
            assert found[0].log.facts.id == found[1].log.facts.id
            log = await first.store.log(found[0].log.facts.id)
            assert log is not None
            assert {sitting.holder for sitting in log.seats} == {"1" * 64, "2" * 64}

    asyncio.run(run())


def test_those_who_are_not_there_any_more_are_not_waited_for(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving(SMALTI_LOBBY_HIDES="1")
    host, guest = new_browser(server), new_browser(server)
    table = quick(host)["id"]
    page = host.open(table, 0)
    until(lambda: table in shown(guest))
    page.close()
    until(lambda: table not in shown(guest))
    assert quick(guest)["id"] != table


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ({"game": "chess", "seats": 2}, "table.game"),
        ({"game": "patterns", "seats": 3}, "table.seats"),
        ({"game": "mosaix", "seats": 1}, "table.seats"),
        ({"game": "mosaix", "seats": -1}, "table.seats"),
        ({"game": "mosaix", "seats": "2"}, "table.format"),
        ({"game": "mozaika", "seats": 3, "options": {"hands": "none"}}, "table.options"),
        ({"game": "patterns", "seats": 2, "name": " "}, "table.name"),
        ({"game": "patterns", "seats": 2, "terms": {"speed": 3}}, "table.format"),
    ],
)
def test_a_quick_match_that_cannot_be_is_refused(wish: Message, reason: str, host: Browser) -> None:
    answer = host.post("/api/quick", **{"name": ANN, **wish})
    assert (answer.status_code, answer.json()["reason"]) == (400, reason)


def test_quick_matches_are_made_only_so_often(serving: Serving, new_browser: NewBrowser) -> None:
    browser = new_browser(serving(SMALTI_TABLES_AN_HOUR="2"))
    codes = [browser.post("/api/quick", game="patterns", seats=2, name=ANN).status_code for _ in range(3)]
    assert codes == [200, 200, 429]


# --- Bots for free seats


def test_the_host_fills_free_seats_with_bots_and_the_game_begins(host: Browser, guest: Browser) -> None:
    table = quick(host, "mozaika", 4, options={"hands": "hidden"})["id"]
    guest.claim(table, BOB)
    page = host.open(table, 0)
    assert host.post(f"/api/tables/{table}/bots", bot="level-1", seats=[3]).status_code == 204
    page.until_people(lambda people: people["seats"][3]["bot"] == "level-1")
    assert host.table(table)["stage"] == "gathering"
    assert host.post(f"/api/tables/{table}/bots", bot="level-2").status_code == 204
    people = page.until_people(lambda people: people["stage"] == "playing")
    assert [seat["bot"] for seat in people["seats"]] == [None, None, "level-2", "level-1"]
    answer = host.post(f"/api/tables/{table}/bots", bot="level-2")
    assert (answer.status_code, answer.json()["reason"]) == (409, "table.started")


@pytest.mark.parametrize(
    ("wish", "status", "reason"),
    [
        ({"bot": "nobody"}, 400, "table.bots"),
        ({"bot": "level-1", "seats": [0]}, 409, "table.full"),
        ({"bot": "level-1", "seats": [1, 7]}, 409, "table.full"),
        ({"bot": "level-1", "seats": [-1]}, 409, "table.full"),
        ({"bot": "level-1", "seats": "1"}, 400, "table.format"),
        ({}, 400, "table.format"),
    ],
)
def test_bots_sit_only_where_nobody_does(wish: Message, status: int, reason: str, host: Browser) -> None:
    table = host.make("mozaika", ANN, "link", "link")
    answer = host.post(f"/api/tables/{table}/bots", **wish)
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)
    assert [seat["kind"] for seat in host.table(table)["seats"]] == ["person", "free", "free"]


def test_only_the_host_seats_bots(host: Browser, guest: Browser) -> None:
    table = host.make("mozaika", ANN, "link", "link", listed=True)
    guest.claim(table, BOB)
    answer = guest.post(f"/api/tables/{table}/bots", bot="level-1")
    assert (answer.status_code, answer.json()["reason"]) == (403, "table.not-host")


def test_a_bot_and_a_person_who_want_the_same_seat_do_not_share_it(host: Browser, new_browser: NewBrowser) -> None:
    for _ in range(5):
        table = host.make("patterns", ANN, "link", listed=True)
        browser = new_browser()
        with ThreadPoolExecutor(2) as pool:
            filled = pool.submit(host.post, f"/api/tables/{table}/bots", bot="level-1")
            claimed = pool.submit(browser.claim, table, BOB)
        done = filled.result().status_code == 204, claimed.result().status_code == 200
        is_bot = host.table(table)["seats"][1]["kind"] == "bot"
        assert done == (is_bot, not is_bot)
