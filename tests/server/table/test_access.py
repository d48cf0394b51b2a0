"""Private means private: who may see a table while it is played, and find the game when it is over."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.conftest import NewBrowser
from tests.server.site import Browser, Message, until

ASKED = ("replay", "record", "at/1", "fairness")


def finished(new_browser: NewBrowser, **more: Any) -> tuple[list[Browser], str]:
    """Let two people begin a game, and one resign."""
    host, guest = new_browser(), new_browser()
    table = host.make("patterns", "Ann", "link", **more)
    assert guest.claim(table, "Ben", host.keys(table)[1]).status_code == 200
    page = host.open(table, 0)
    page.send(t="want", id="1", seat=0, what="resign")
    until(lambda: host.table(table)["stage"] == "over")
    return [host, guest], table


def over(browser: Browser) -> list[str]:
    return [line["id"] for line in browser.get("/api/tables/over")["tables"]]


def reason(browser: Browser, address: str) -> str:
    answer = browser.http.get(address)
    assert answer.status_code == 403, answer.text
    return str(answer.json()["reason"])


@pytest.mark.parametrize(
    ("more", "finders", "is_listed"),
    [
        ({"listed": True}, "all", True),
        ({}, "link", False),
        ({"onlookers": "all"}, "link", False),
        ({"listed": True, "terms": {"finders": "link"}}, "link", False),
        ({"terms": {"finders": "all"}}, "link", False),  # strangers could not have joined
        ({"listed": True, "terms": {"finders": "players"}}, "players", False),
    ],
)
def test_only_games_of_open_tables_stand_in_the_archive(
    more: Message, finders: str, is_listed: bool, new_browser: NewBrowser
) -> None:
    (host, _), table = finished(new_browser, **more)
    assert host.table(table)["finders"] == finders
    assert (table in over(new_browser())) == is_listed


@pytest.mark.parametrize("doors", [[True, False], [False, True], [True, False, True]])
def test_what_is_promised_when_the_last_seat_is_taken_is_kept(doors: list[bool], new_browser: NewBrowser) -> None:
    """A table that was open once, or is opened during the game, is not an open one."""
    host, guest = new_browser(), new_browser()
    table = host.make("patterns", "Ann", "link")
    key = host.keys(table)[1]
    for is_listed in doors:
        assert host.http.patch(f"/api/tables/{table}", json={"listed": is_listed}).status_code < 300
    promised = guest.get(f"/api/tables/{table}?key={key}")["finders"]
    assert promised == ("all" if doors[-1] else "link")
    assert guest.claim(table, "Ben", key).status_code == 200
    page = host.open(table, 0)
    host.http.patch(f"/api/tables/{table}", json={"listed": not doors[-1]})
    page.send(t="want", id="1", seat=0, what="resign")
    until(lambda: host.table(table)["stage"] == "over")
    assert host.table(table)["finders"] == host.get(f"/api/tables/{table}/replay")["finders"] == promised
    assert (table in over(new_browser())) == (promised == "all")


def test_a_game_against_bots_alone_is_not_listed(new_browser: NewBrowser) -> None:
    host = new_browser()
    table = host.make("patterns", "Ann", "bot:level-1", listed=True)
    host.open(table, 0).send(t="want", id="1", seat=0, what="resign")
    until(lambda: host.table(table)["stage"] == "over")
    assert table not in over(new_browser())


def test_whoever_has_the_link_sees_a_finished_game(new_browser: NewBrowser) -> None:
    _, table = finished(new_browser)
    for what in ASKED:
        assert new_browser().http.get(f"/api/tables/{table}/{what}").status_code == 200
    assert new_browser().http.get(f"/api/tables/{table}").status_code == 200


def test_a_game_for_its_players_is_for_nobody_else(new_browser: NewBrowser) -> None:
    people, table = finished(new_browser, onlookers="all", terms={"finders": "players"})
    stranger = new_browser()
    for what in (*(f"/{what}" for what in ASKED), ""):
        assert reason(stranger, f"/api/tables/{table}{what}") == "table.private"
        for person in people:
            assert person.http.get(f"/api/tables/{table}{what}").status_code == 200
    for picture in (f"/g/{table}.png", f"/g/{table}/1.png"):
        assert reason(stranger, picture) == "table.private"
    assert "private" in people[0].http.get(f"/api/tables/{table}/at/1").headers["cache-control"]
    closed = stranger.open_unasked(table)
    assert (closed.closing(), closed.why) == (4403, "table.private")  # no link would help
    assert people[0].get(f"/api/tables/{table}/replay")["finders"] == "players"
    start = {"table": table, "n": 1}
    seats = [{"kind": "here", "name": "Eve"}, {"kind": "bot", "bot": "level-1"}]
    forked = stranger.post("/api/tables", game="patterns", seats=seats, start=start)
    assert forked.json()["reason"] == "table.private"


@pytest.mark.parametrize("onlookers", ["link", "none"])
def test_a_stranger_is_not_told_who_sits_at_a_private_table(onlookers: str, new_browser: NewBrowser) -> None:
    host, guest, stranger = new_browser(), new_browser(), new_browser()
    table = host.make("patterns", "Ann", "link", onlookers=onlookers)
    key = host.keys(table)[1]
    assert reason(stranger, f"/api/tables/{table}") == "table.closed"
    assert reason(stranger, f"/api/tables/{table}?key=nonsense") == "table.link"
    closed = stranger.open_unasked(table)
    assert (closed.closing(), closed.why) == (4403, "table.closed")
    assert guest.get(f"/api/tables/{table}?key={key}")["seats"][0]["name"] == "Ann"
    watch = host.table(table)["watch_link"]
    assert bool(watch) == (onlookers == "link")
    if watch:
        seen = stranger.get(f"/api/tables/{table}?watch={watch.rpartition('/')[2]}")
        assert seen["seats"][0]["name"] == "Ann"
    assert guest.claim(table, "Ben", key).status_code == 200
    assert guest.table(table)["stage"] == "playing"
    assert reason(stranger, f"/api/tables/{table}") == "table.closed"
    used = stranger.http.get(f"/api/tables/{table}?key={key}")
    assert (used.status_code, used.json()["reason"]) == (409, "table.used")
    assert guest.get(f"/api/tables/{table}?key={key}")["seats"][1]["mine"], "whoever used it is known by their cookie"


def test_a_private_game_is_shut_to_strangers_while_it_is_played_and_when_it_is_over(new_browser: NewBrowser) -> None:
    host, guest, stranger = new_browser(), new_browser(), new_browser()
    table = host.make("patterns", "Ann", "link", terms={"finders": "players"})
    guest.claim(table, "Ben", host.keys(table)[1])
    assert stranger.open_unasked(table).closing() == 4403
    assert fork(stranger, table).json()["reason"] == "table.not-over"
    assert stranger.post(f"/api/tables/{table}/again").json()["reason"] == "table.not-yours"
    host.open(table, 0).send(t="want", id="1", seat=0, what="resign")
    until(lambda: host.table(table)["stage"] == "over")
    assert stranger.open_unasked(table).closing() == 4403
    assert fork(stranger, table).json()["reason"] == "table.private"
    assert stranger.post(f"/api/tables/{table}/again").json()["reason"] == "table.not-yours"


@pytest.mark.parametrize("is_over", [False, True])
def test_the_host_alone_does_not_make_a_game_public_that_has_begun(is_over: bool, new_browser: NewBrowser) -> None:
    host, guest = new_browser(), new_browser()
    table = host.make("patterns", "Ann", "link")
    guest.claim(table, "Ben", host.keys(table)[1])
    if is_over:
        guest.open(table, 1).send(t="want", id="1", seat=1, what="resign")
        until(lambda: host.table(table)["stage"] == "over")
    refused = host.patch(f"/api/tables/{table}", listed=True)
    assert (refused.status_code, refused.json()["reason"]) == (409, "table.over" if is_over else "table.started")
    assert host.patch(f"/api/tables/{table}", onlookers="all", listed=False).status_code == 204, "as it was"
    assert (guest.table(table)["listed"], guest.table(table)["finders"]) == (False, "link")


# --- Games that go on from others


def fork(browser: Browser, table: str, **more: Any) -> Any:
    seats = [{"kind": "here", "name": "Eve"}, {"kind": "link"}]
    return browser.post("/api/tables", game="patterns", seats=seats, start={"table": table, "n": 1}, **more)


@pytest.mark.parametrize("finders", ["link", "players"])
def test_an_open_table_tells_strangers_nothing_of_the_private_game_it_goes_on_from(
    finders: str, new_browser: NewBrowser
) -> None:
    (host, guest), table = finished(new_browser, terms={"finders": finders})
    made = fork(host, table, listed=True, onlookers="all").json()["id"]
    stranger = new_browser()
    assert stranger.table(made)["start"] is None
    assert stranger.open(made).table["start"] is None
    assert host.table(made)["start"] == guest.table(made)["start"] == {"table": table, "n": 1}
    stranger.claim(made, "Zoe")
    host.add_nonces(made)
    assert host.table(made)["finders"] == finders
    stranger.open(made, 1).send(t="want", id="1", seat=1, what="resign")
    until(lambda: host.table(made)["stage"] == "over")
    assert made not in over(new_browser())
    assert stranger.get(f"/api/tables/{made}/replay")["start"] is None


def test_a_game_that_goes_on_from_a_listed_one_says_so_to_all(new_browser: NewBrowser) -> None:
    (host, _), table = finished(new_browser, listed=True)
    made = fork(host, table, listed=True).json()["id"]
    assert new_browser().table(made)["start"] == {"table": table, "n": 1}
    assert host.table(made)["finders"] == "all"
    own = fork(host, table, terms={"finders": "players"}).json()["id"]
    assert host.table(own)["finders"] == "players"


def test_an_open_table_tells_who_waits_there(new_browser: NewBrowser) -> None:
    table = new_browser().make("patterns", "Ann", "link", listed=True)
    assert new_browser().table(table)["seats"][0]["name"] == "Ann"


def test_a_deal_tells_strangers_what_a_private_game_came_to_but_not_whose_it_was(new_browser: NewBrowser) -> None:
    terms = {"code": "the same for all"}
    (host, _), table = finished(new_browser, terms=terms)
    finished(new_browser, terms={**terms, "finders": "players"})
    address = "/api/deals?game=patterns&seats=2&code=the same for all"
    (line,) = new_browser().get(address)["tables"]
    assert (line["id"], [seat["name"] for seat in line["seats"]]) == ("", [None, None])
    (mine,) = host.get(address)["tables"]
    assert (mine["id"], mine["seats"][0]["name"]) == (table, "Ann")
