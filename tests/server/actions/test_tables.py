"""Seats: links that claim once, cookies that hold, names, what the host may do, onlookers, the rematch."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress

import pytest
from websockets.exceptions import ConnectionClosed

from smalti.server.actions.tables import seat_again
from smalti.server.table.log import Log
from smalti.server.wire.http import NewTable
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import TOKEN, entry, facts, finished_table, rooms_on
from tests.server.site import Browser, Page, Server, is_bidding, play

ANN, BOB, CEM = "Ann", "Bob", "Cem"


def watch_key(page: Page) -> str:
    """Return the key that lets onlookers in."""
    return str(page.table["watch_link"]).rpartition("/")[2]


def played(server: Server, table: str) -> int:
    """Count the events of the game that are stored."""
    with closing(sqlite3.connect(server.file)) as store:
        query = "SELECT count(*) FROM events WHERE match = ? AND kind = 'play'"
        return int(store.execute(query, [table]).fetchone()[0])


# --- Making a table


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"game": "chess", "seats": []}, "table.game"),
        ({"game": "../mosaix", "seats": []}, "table.game"),
        ({"game": "patterns", "seats": []}, "table.seats"),
        ({"game": "patterns", "seats": [{"kind": "link"}] * 3}, "table.seats"),
        ({"game": "patterns", "seats": [{"kind": "link"}, {"kind": "throne"}]}, "table.kind"),
        ({"game": "patterns", "seats": [{"kind": "link"}, {"kind": "bot", "bot": "HAL"}]}, "table.bots"),
        ({"game": "patterns", "seats": [{"kind": "link"}, {"kind": "bot"}]}, "table.bots"),
        ({"game": "patterns", "seats": [{"kind": "link"}, {"kind": "here"}]}, "table.name"),
        ({"game": "patterns", "seats": [{"kind": "link"}] * 2, "options": {"x": "y"}}, "table.options"),
        ({"game": "mozaika", "seats": [{"kind": "link"}] * 3, "options": {"hands": "x"}}, "table.options"),
        ({"game": "patterns", "seats": [{"kind": "link"}] * 2, "more": 1}, "table.format"),
        ({"game": "patterns", "seats": 2}, "table.format"),
        ({"game": "patterns", "seats": [{"kind": "link", "more": 1}] * 2}, "table.format"),
        ({"game": 7, "seats": []}, "table.format"),
        ({"seats": []}, "table.format"),
        ({"game": "patterns", "seats": [{"kind": "link"}] * 2, "listed": 1}, "table.format"),
    ],
)
def test_a_table_that_cannot_be_is_refused(wanted: dict[str, object], reason: str, host: Browser) -> None:
    answer = host.post("/api/tables", **wanted)
    assert (answer.status_code, answer.json()["reason"]) == (400, reason)
    assert "set-cookie" not in answer.headers


def test_all_that_can_be_wished_is_there(host: Browser) -> None:
    assert set(NewTable.__struct_fields__) == {"game", "seats", "options", "terms", "listed", "onlookers", "start"}
    table = host.make("mozaika", ANN, "link", "link", options={"hands": "hidden"}, listed=True, onlookers="none")
    people = host.table(table)
    assert people["options"] == {"hands": "hidden"}
    assert (people["listed"], people["onlookers"], people["stage"]) == (True, "none", "gathering")
    assert [seat["kind"] for seat in people["seats"]] == ["person", "free", "free"]
    assert people["watch_link"] is None


def test_tables_are_made_only_so_often(serving: Serving, new_browser: NewBrowser) -> None:
    browser = new_browser(serving(SMALTI_TABLES_AN_HOUR="2"))
    browser.make("patterns", ANN, BOB)
    browser.make("patterns", ANN, BOB)
    wish = {"kind": "link"}
    answer = browser.post("/api/tables", game="patterns", seats=[wish, wish])
    assert (answer.status_code, answer.json()["reason"]) == (429, "table.many")


# --- Sitting down


def test_a_link_claims_once(host: Browser, guest: Browser, new_browser: NewBrowser) -> None:
    table = host.make("patterns", ANN, "link")
    key = host.keys(table)[1]
    assert guest.claim(table, BOB, key).json() == {"id": table, "seats": [1]}
    used = new_browser().claim(table, "Eve", key)
    assert (used.status_code, used.json()["reason"]) == (409, "table.used")
    assert "set-cookie" not in used.headers
    assert guest.claim(table, "Bob again", key).json() == {"id": table, "seats": [1]}
    assert [seat["name"] for seat in host.table(table)["seats"]] == [ANN, BOB]
    assert host.keys(table) == [None, None]


@pytest.mark.parametrize("key", ["", "x", "é", "\u0000", "x" * 1000, "AAAAAAAAAAAAAAAAAAAA"])
def test_a_wrong_key_claims_nothing(key: str, host: Browser, guest: Browser) -> None:
    table = host.make("patterns", ANN, "link")
    answer = guest.claim(table, BOB, key)
    assert (answer.status_code, answer.json()["reason"]) == (403, "table.link")
    assert host.table(table)["seats"][1]["kind"] == "free"


def test_the_key_of_another_table_or_of_onlookers_claims_nothing(host: Browser, guest: Browser) -> None:
    one, other = host.make("patterns", ANN, "link"), host.make("patterns", ANN, "link")
    for key in (host.keys(other)[1], watch_key(host.open(one))):
        assert guest.claim(one, BOB, key).status_code == 403


def test_the_deal_is_drawn_when_the_last_seat_is_claimed_and_not_before(
    server: Server, host: Browser, guest: Browser
) -> None:
    table = host.make("mozaika", ANN, "link", "link")
    page = host.open(table, 0)
    keys = host.keys(table)
    assert (played(server, table), page.state["view"]) == (0, None)
    guest.claim(table, BOB, keys[2])
    assert (played(server, table), host.table(table)["stage"]) == (0, "gathering")
    guest.claim(table, CEM, keys[1])
    assert (played(server, table), host.table(table)["stage"]) == (1, "playing")
    assert page.until(lambda state: bool(state["acting"]))["events"][-1]["do"].startswith("deal")


def test_a_new_link_ends_the_old_one_and_the_hold_of_its_cookie(
    host: Browser, guest: Browser, new_browser: NewBrowser
) -> None:
    table = host.make("mozaika", ANN, "link", "link", onlookers="none")
    old = host.keys(table)[1]
    guest.claim(table, BOB, old)
    page = guest.open(table, 1)
    assert host.post(f"/api/tables/{table}/seats/1/link").status_code == 204
    assert page.until_people(lambda people: people["seats"][1]["kind"] == "free")["seats"][1]["claim"]
    assert guest.claim(table, BOB, old).json()["reason"] == "table.link"
    new = host.keys(table)[1]
    assert new != old
    third = new_browser()
    assert third.claim(table, CEM, new).json()["seats"] == [1]
    assert page.closing() == 4403  # somebody else sits there now
    assert guest.open_unasked(table).closing() == 4403
    assert guest.get("/api/tables/mine")["tables"] == []
    assert third.open(table, 1).state["seat"] == 1
    assert host.table(table)["seats"][1]["name"] == CEM


ONLOOKERS = {"everybody may look": "all"}


@pytest.mark.parametrize("how", ["everybody may look", "by the link for onlookers", "another seat"])
def test_whoever_lost_a_seat_sees_nothing_more_with_its_eyes(how: str, host: Browser, guest: Browser) -> None:
    table = host.make("mozaika", ANN, "link", "link", options={"hands": "hidden"}, onlookers=ONLOOKERS.get(how, "link"))
    keys = host.keys(table)
    guest.claim(table, BOB, keys[1])
    (guest if how == "another seat" else host).claim(table, CEM, keys[2])
    mine = host.open(table, 0)
    theirs = guest.open(table, 1, watch=watch_key(mine) if how.startswith("by") else None)
    assert theirs.state["seat"] == 1
    told = len(theirs.told)
    theirs.send(t="want", id="on", seat=1, what="hand-on")
    mine.until_people(lambda people: people["seats"][1]["kind"] == "free")
    play([mine], random.Random(1), 1)
    last = mine.state["n"]
    with suppress(ConnectionClosed):  # being shown the door is as good
        theirs.until(lambda state: state["n"] >= last)
    states = [text for text in theirs.told[told:] if '"t":"state"' in text]
    assert not any('"seat":1,"since"' in text for text in states)


def test_a_listed_table_is_joined_without_a_key_until_it_is_full(
    host: Browser, guest: Browser, new_browser: NewBrowser
) -> None:
    table = host.make("mozaika", ANN, "link", "link", listed=True)
    assert table in [line["id"] for line in guest.get("/api/tables/open")["tables"]]
    assert guest.claim(table, BOB).json()["seats"] == [1]
    assert guest.claim(table, BOB).json()["seats"] == [1], "once is enough"
    assert new_browser().claim(table, CEM).json()["seats"] == [2]
    full = new_browser().claim(table, "Eve")
    assert (full.status_code, full.json()["reason"]) == (409, "table.full")
    assert table not in [line["id"] for line in guest.get("/api/tables/open")["tables"]]


def test_a_table_that_is_not_listed_is_not_joined_without_a_key(host: Browser, guest: Browser) -> None:
    table = host.make("patterns", ANN, "link")
    assert guest.claim(table, BOB).status_code == 403
    assert host.patch(f"/api/tables/{table}", listed=True).status_code == 204
    assert guest.claim(table, BOB).status_code == 200


def test_no_list_tells_a_link(host: Browser) -> None:
    table = host.make("patterns", ANN, "link", listed=True)
    for name in ("open", "mine"):
        line = next(line for line in host.get(f"/api/tables/{name}")["tables"] if line["id"] == table)
        assert [seat["link"] for seat in line["seats"]] == [None, None]


@pytest.mark.parametrize("cookie", ["x", "ä".encode().decode("latin-1"), "x" * 101, "x" * 7000, "", "a;smalti=b", '"'])
def test_a_forged_cookie_is_a_stranger(cookie: str, host: Browser, new_browser: NewBrowser) -> None:
    table = host.make("patterns", ANN, "link", onlookers="none")
    stranger = new_browser(cookie=cookie)
    assert stranger.http.get(f"/api/tables/{table}").json()["reason"] == "table.closed"
    assert stranger.open_unasked(table).closing() == 4403
    assert stranger.patch(f"/api/tables/{table}", onlookers="all").json()["reason"] == "table.not-host"
    assert host.table(table)["onlookers"] == "none"


def test_the_hash_that_is_stored_opens_nothing(server: Server, host: Browser, new_browser: NewBrowser) -> None:
    table = host.make("patterns", ANN, "link")
    with closing(sqlite3.connect(server.file)) as store:
        hashed = store.execute("SELECT host FROM matches WHERE id = ?", [table]).fetchone()[0]
    thief = new_browser(cookie=hashed)
    assert thief.http.get(f"/api/tables/{table}").json()["reason"] == "table.closed"
    assert thief.get("/api/tables/mine")["tables"] == []


def test_nothing_that_is_told_holds_a_secret(server: Server, host: Browser, guest: Browser) -> None:
    table = host.make("mozaika", ANN, "link", "bot:level-1", options={"hands": "hidden"})
    guest.claim(table, BOB, host.keys(table)[1])
    pages = [host.open(table, 0), guest.open(table, 1)]
    play(pages, random.Random(1), 10)
    with closing(sqlite3.connect(server.file)) as store:
        row = store.execute("SELECT secret, key, host FROM matches WHERE id = ?", [table]).fetchone()
        holders = store.execute("SELECT holder FROM holders WHERE match = ?", [table]).fetchall()
    told = [text for page in pages for text in page.told]
    told += [browser.http.get(f"/api/tables/{name}").text for browser in (host, guest) for name in (table, "mine")]
    for hidden in (row[0].hex(), row[1].hex(), row[2], *(found for (found,) in holders), host.cookie, guest.cookie):
        assert not any(str(hidden) in text for text in told)


# --- Names


@pytest.mark.parametrize("name", ["", "   ", "x" * 31, "a\u0000b", "a\u001bb", "a\u202eb", "\ud7ff\u2028", "a\u0007"])
def test_a_name_is_short_and_printable(name: str, host: Browser, guest: Browser) -> None:
    table = host.make("patterns", ANN, "link")
    refused = [guest.claim(table, name, host.keys(table)[1]), host.patch(f"/api/tables/{table}/name", name=name)]
    refused.append(host.post("/api/tables", game="mosaix", seats=[{"kind": "here", "name": name}]))
    for answer in refused:
        assert (answer.status_code, answer.json()["reason"]) == (400, "table.name")
        assert answer.json()["values"] == {"most": 30}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("😀🎲", "😀🎲"),
        ("שלום", "שלום"),
        ("محمد", "محمد"),
        ("  Ann \t of  Tile ", "Ann of Tile"),
        ("Zoe\u0308", "Zoë"),
        ('"; DROP TABLE events; --', '"; DROP TABLE events; --'),
        ("x" * 30, "x" * 30),
        ("{0} %s ${x}", "{0} %s ${x}"),
    ],
)
def test_a_name_is_kept_as_text(typed: str, kept: str, host: Browser) -> None:
    table = host.make("patterns", typed, "link")
    assert host.open(table, 0).table["seats"][0]["name"] == kept


def test_people_rename_only_themselves(host: Browser, guest: Browser, new_browser: NewBrowser) -> None:
    table = host.make("mozaika", ANN, "Ann's sister", "link")
    guest.claim(table, BOB, host.keys(table)[2])
    page, address = guest.open(table, 2), f"/api/tables/{table}/name"
    assert guest.patch(address, name="Eve", seat=0).status_code == 403
    assert new_browser().patch(address, name="Eve").status_code == 403
    assert host.patch(address, name="Eve", seat=2).status_code == 403
    assert guest.patch(address, name="Bo").status_code == 204
    page.until_people(lambda people: people["seats"][2]["name"] == "Bo")
    assert host.patch(address, name="Zoe", seat=1).status_code == 204
    assert [seat["name"] for seat in host.table(table)["seats"]] == [ANN, "Zoe", "Bo"]
    assert host.patch(address, name="We").status_code == 204
    assert [seat["name"] for seat in host.table(table)["seats"]] == ["We", "We", "Bo"]


# --- What the host may do


def test_only_the_host_changes_the_table(host: Browser, guest: Browser) -> None:
    table = host.make("patterns", ANN, "link")
    guest.claim(table, BOB, host.keys(table)[1])
    for change in ({"onlookers": "none"}, {"listed": True}):
        answer = guest.patch(f"/api/tables/{table}", **change)
        assert (answer.status_code, answer.json()["reason"]) == (403, "table.not-host")
    answer = guest.post(f"/api/tables/{table}/seats/0/link")
    assert (answer.status_code, answer.json()["reason"]) == (403, "table.not-host")
    assert host.table(table)["onlookers"] == "link"


@pytest.mark.parametrize("seat", [0, 2, 3, -1, 10**20])
def test_there_is_no_new_link_for_ones_own_seat_a_bot_or_no_seat(seat: int, host: Browser) -> None:
    table = host.make("mozaika", ANN, "link", "bot:level-1")
    answer = host.post(f"/api/tables/{table}/seats/{seat}/link")
    assert (answer.status_code, answer.json()["reason"]) == (403, "table.not-yours")


def test_links_are_shown_to_the_host_alone(host: Browser, guest: Browser) -> None:
    table = host.make("mozaika", ANN, "link", "link")
    guest.claim(table, BOB, host.keys(table)[1])
    assert [bool(seat["link"]) for seat in host.open(table).table["seats"]] == [False, False, True]
    for people in (guest.table(table), guest.open(table, 1).table):
        assert [seat["link"] for seat in people["seats"]] == [None] * 3
        assert [seat["mine"] for seat in people["seats"]] == [False, True, False]


# --- Onlookers


def test_onlookers_come_in_with_the_key_only(host: Browser, guest: Browser) -> None:
    table = host.make("patterns", ANN, BOB)
    key = watch_key(host.open(table))
    assert guest.open_unasked(table).closing() == 4403
    assert guest.open_unasked(table, watch=("y" if key[0] == "x" else "x") + key[1:]).closing() == 4403
    onlooker = guest.open(table, watch=key)
    assert onlooker.table["watch_link"] is None
    assert onlooker.state["view"]
    assert onlooker.ask('{"t":"look","seat":0}')["reason"] == "table.not-yours"


def test_closing_the_table_shows_onlookers_the_door_and_reopening_lets_them_in(host: Browser, guest: Browser) -> None:
    table = host.make("patterns", ANN, BOB)
    mine = host.open(table, 0)
    key = watch_key(mine)
    onlooker = guest.open(table, watch=key)
    assert host.patch(f"/api/tables/{table}", onlookers="none").status_code == 204
    assert onlooker.closing() == 4403
    assert guest.open_unasked(table, watch=key).closing() == 4403
    mine.until_people(lambda people: people["onlookers"] == "none")
    while mine.newest.get("presence", {}).get("watching") != 0:
        mine.receive()
    host.patch(f"/api/tables/{table}", onlookers="link")
    assert guest.open(table, watch=key).state["view"]


def test_where_everybody_may_look_the_address_is_enough(host: Browser, guest: Browser) -> None:
    table = host.make("patterns", ANN, BOB, onlookers="all")
    onlooker = guest.open(table)
    host.patch(f"/api/tables/{table}", onlookers="link")
    assert onlooker.closing() == 4403


def test_onlookers_see_no_bid_before_all_are_in(host: Browser, guest: Browser) -> None:
    table = host.make("mozaika", ANN, BOB, CEM, onlookers="all")
    pages, onlooker = [host.open(table, seat) for seat in range(3)], guest.open(table)
    play(pages, random.Random(1), stop=is_bidding)
    pages[0].do("bid 1")
    number = pages[1].do("bid 2")["n"]
    told = onlooker.until(lambda state: state["n"] == number)
    assert [event["do"] for event in told["events"]] == [None]
    told_before = len(onlooker.told)
    pages[0].do("bid 0")
    assert [message["t"] for message in onlooker.settle()] == ["pong", "pong"], "a changed bid was noticed"
    assert len(onlooker.told) == told_before + 2
    pages[2].do("bid 0")
    bids = [event["do"] for event in onlooker.until(lambda state: state["n"] > number)["events"]]
    assert bids == ["bid 0", "bid 2", "bid 0"]


# --- The rematch


def finished(server: Server, game: str, seats: int) -> str:
    """Make a table of one browser, with that secret, whose game is over."""

    async def make() -> str:
        async with rooms_on(f"sqlite:///{server.file}") as rooms:
            name = f"over{random.getrandbits(60)}"
            return (await finished_table(rooms, facts(game, seats, id=name), random.Random(3))).log.facts.id

    return asyncio.run(make())


def test_the_rematch_moves_everybody_on_by_one_seat(server: Server, new_browser: NewBrowser) -> None:
    table, everybody = finished(server, "mozaika", 3), new_browser(cookie=TOKEN)
    page = everybody.open(table, 0)
    answer = everybody.post(f"/api/tables/{table}/again")
    again = answer.json()["id"]
    assert answer.json()["seats"] == [0, 1, 2]
    assert [seat["name"] for seat in everybody.table(again)["seats"]] == ["Ann 2", "Ann 0", "Ann 1"]
    page.until_people(lambda people: people["next"] == again)
    assert everybody.post(f"/api/tables/{table}/again").json()["id"] == again
    everybody.add_nonces(again)
    assert everybody.open(again, 0).state["view"]


def test_bots_can_be_replaced_at_the_rematch() -> None:
    before, after = Log(facts("mozaika", 3)), Log(facts("mozaika", 3))
    for seat, bot in enumerate(["random", "greedy", "random"]):
        entry(before, "bot", seat, {"bot": bot})
    seat_again(before, after, {2: "greedy"})
    assert [sitting.bot for sitting in after.seats] == ["greedy", "random", "greedy"]


def test_nobody_unknown_plays_at_the_rematch(server: Server, new_browser: NewBrowser) -> None:
    table, everybody = finished(server, "patterns", 2), new_browser(cookie=TOKEN)
    answer = everybody.post(f"/api/tables/{table}/again", bots={"1": "strongest@1000s"})
    assert (answer.status_code, answer.json()["reason"]) == (400, "table.bots")


def test_two_who_ask_for_the_rematch_get_one_table(server: Server, new_browser: NewBrowser) -> None:
    table, everybody = finished(server, "patterns", 2), new_browser(cookie=TOKEN)
    before = {line["id"] for line in everybody.get("/api/tables/mine")["tables"]}
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: everybody.post(f"/api/tables/{table}/again"), range(4)))
    assert len({answer.json()["id"] for answer in answers}) == 1
    after = {line["id"] for line in everybody.get("/api/tables/mine")["tables"]}
    assert after - before == {answers[0].json()["id"]}, "tables that nobody will ever find"


def test_there_is_no_rematch_before_the_end_nor_for_strangers(server: Server, host: Browser, guest: Browser) -> None:
    table = host.make("patterns", ANN, BOB)
    answer = host.post(f"/api/tables/{table}/again")
    assert (answer.status_code, answer.json()["reason"]) == (409, "table.not-over")
    answer = guest.post(f"/api/tables/{finished(server, 'patterns', 2)}/again")
    assert (answer.status_code, answer.json()["reason"]) == (403, "table.not-yours")


def test_a_finished_table_gets_no_new_links(server: Server, new_browser: NewBrowser) -> None:
    table = finished(server, "patterns", 2)
    answer = new_browser(cookie=TOKEN).post(f"/api/tables/{table}/seats/1/link")
    assert (answer.status_code, answer.json()["reason"]) == (409, "table.over")
