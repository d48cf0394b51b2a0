"""People who go, give up, stay away and come back: who plays on, who has won, and that nobody loses a seat for good."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from smalti import games
from smalti.engine.records import parse, verify
from tests.server.conftest import NewBrowser, Serving
from tests.server.site import Browser, Message, Page, Server, is_bidding, play, until

ANN, BEN, EVE = "Ann", "Ben", "Eve"


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server at which people count as absent at once."""
    with Server(tmp_path_factory.mktemp("server"), SMALTI_GRACE_SECONDS="0").running() as running:
        yield running


class Company:
    """People at one table, each at a browser and a page of their own."""

    def __init__(self, new_browser: NewBrowser, server: Server | None, game: str, *names: str, **more: Any) -> None:
        self.browsers = [new_browser(server) for _ in names]
        self.host = self.browsers[0]
        self.table = self.host.make(game, names[0], *(["link"] * (len(names) - 1)), **more)
        keys = self.host.keys(self.table)
        for seat, (browser, name) in enumerate(zip(self.browsers, names, strict=True)):
            if seat:
                assert browser.claim(self.table, name, keys[seat]).status_code == 200
        self.pages = [browser.open(self.table, seat) for seat, browser in enumerate(self.browsers)]

    def seats(self, of: int = 0) -> list[Message]:
        found: list[Message] = self.browsers[of].table(self.table)["seats"]
        return found


def want(page: Page, what: str, seat: int, **more: Any) -> Message | None:
    """Let a page want something, and return the refusal if there is one."""
    return asked(page, t="want", what=what, seat=seat, **more)


def ask(page: Page, what: str, by: int, **values: Any) -> Message | None:
    return asked(page, t="ask", what=what, seat=by, values=values)


def answer(page: Page, seat: int, yes: bool) -> Message | None:
    page.settle()
    return asked(page, t="answer", seat=seat, n=page.table["proposal"]["n"], yes=yes)


def asked(page: Page, **message: Any) -> Message | None:
    """Send something and wait for its answer."""
    name = page.new_id()
    page.send(id=name, **message)
    while (answer := page.receive())["t"] not in ("done", "refused") or answer["id"] != name:
        pass
    page.settle()
    return answer if answer["t"] == "refused" else None


def reason(refusal: Message | None) -> str:
    assert refusal
    return str(refusal["reason"])


def record(browser: Browser, table: str) -> Any:
    found = parse(browser.http.get(f"/api/tables/{table}/record").text)
    verify(found, games.find)
    return found


def test_with_two_the_other_wins_when_one_resigns(host: Browser, guest: Browser, new_browser: NewBrowser) -> None:
    company = Company(new_browser, None, "patterns", ANN, BEN, listed=True)
    ann, ben = company.pages
    assert want(ann, "resign", 0) is None
    ben.until(lambda state: state["winners"] == [1])
    assert (ben.state["acting"], ben.state["legal"], ben.state["verdict"]) == ([], [], "")
    assert ben.table["stage"] == "over"
    assert ben.table["ended"] == {"how": "resigned", "by": 0}
    assert ben.table["seats"][0]["resigned"]
    assert reason(want(ben, "resign", 1)) == "table.over"
    refusal = ben.do("give K")
    assert refusal["reason"] == "table.over"
    found = record(company.host, company.table)
    assert found.scores is None
    assert found.extra["broken_off"] == {"how": "resigned", "by": 0, "winners": [1]}
    replay = company.host.get(f"/api/tables/{company.table}/replay")
    assert (replay["winners"], replay["how"]) == ([1], {"how": "resigned", "by": 0})
    line = next(line for line in company.host.get("/api/tables/over")["tables"] if line["id"] == company.table)
    assert (line["winners"], line["how"]) == ([1], {"how": "resigned", "by": 0})


def test_with_three_a_bot_plays_on_for_who_resigns_and_cannot_win(new_browser: NewBrowser) -> None:
    company = Company(new_browser, None, "mosaix", ANN, BEN, EVE)
    ann, ben, eve = company.pages
    assert want(eve, "resign", 2) is None
    people = ann.until_people(lambda table: table["seats"][2]["resigned"])
    assert (people["seats"][2]["kind"], people["seats"][2]["name"], people["stage"]) == ("bot", EVE, "playing")
    assert people["ended"] is None
    assert eve.table["seats"][2]["mine"] is False
    assert eve.state["seat"] is None  # she may look on
    assert want(ann, "resign", 0) is None  # of three, two have given up: the last one wins
    ben.until(lambda state: state["winners"] == [1])
    assert record(company.host, company.table).extra["resigned"] == [0, 2]


def test_alone_with_bots_or_quite_alone_resigning_ends_the_game(host: Browser) -> None:
    for seats, winners in ((["Ann"], []), (["Ann", "bot:level-1", "bot:level-1"], [1, 2])):
        table = host.make("mosaix", *seats)
        page = host.open(table, 0)
        assert want(page, "resign", 0) is None
        page.until_people(lambda people: people["stage"] == "over")
        assert page.state["winners"] == winners


def test_who_leaves_before_the_game_frees_the_seat(new_browser: NewBrowser) -> None:
    host, guest = new_browser(), new_browser()
    table = host.make("mozaika", ANN, "link", "link")
    key = host.keys(table)[1]
    guest.claim(table, BEN, key)
    page = guest.open(table, 1)
    assert reason(want(page, "resign", 1)) == "table.not-begun"
    assert want(page, "leave", 1) is None
    assert host.table(table)["seats"][1]["kind"] == "free"
    assert guest.get("/api/tables/mine")["tables"] == []
    assert guest.claim(table, BEN, key).status_code == 200  # and back again


def test_who_leaves_during_the_game_keeps_nothing_and_a_bot_plays_on(new_browser: NewBrowser) -> None:
    company = Company(new_browser, None, "patterns", ANN, BEN)
    ann, ben = company.pages
    assert want(ben, "leave", 1, bot="level-2") is None
    people = ann.until_people(lambda table: table["seats"][1]["kind"] == "bot")
    assert (people["seats"][1]["bot"], people["seats"][1]["owner"], people["stage"]) == ("level-2", None, "playing")
    assert company.browsers[1].get("/api/tables/mine")["tables"] == []
    assert reason(want(ben, "return", 1)) == "table.not-yours"
    assert reason(want(ann, "leave", 0, bot="nonsense")) == "table.bots"
    assert want(ann, "leave", 0) is None
    until(lambda: company.host.table(company.table)["ended"] == {"how": "left", "by": 0})


def test_a_game_is_broken_off_when_all_agree(new_browser: NewBrowser) -> None:
    company = Company(new_browser, None, "mozaika", ANN, BEN, EVE)
    ann, ben, eve = company.pages
    assert ask(ann, "end", 0) is None
    assert answer(ben, 1, True) is None
    assert ben.table["stage"] == "playing"
    assert answer(eve, 2, True) is None
    eve.until_people(lambda people: people["stage"] == "over")
    assert eve.table["ended"] == {"how": "agreed", "by": 0}
    assert eve.state["winners"] == []
    found = record(company.host, company.table)
    assert found.extra["broken_off"] == {"how": "agreed", "by": 0, "winners": []}
    assert company.host.post(f"/api/tables/{company.table}/again").status_code == 200


def test_steps_are_taken_back_on_the_wire(new_browser: NewBrowser) -> None:
    company = Company(new_browser, None, "patterns", ANN, BEN)
    first = company.pages[0].state["acting"][0]
    mover, other = company.pages[first], company.pages[1 - first]
    assert mover.do(mover.state["legal"][0])["back"][first] == "free"
    stale = mover.state["n"] - 1
    assert reason(want(mover, "back", first, n=stale)) == "table.stale"
    assert reason(want(other, "back", 1 - first, n=mover.state["n"])) == "table.back"
    assert reason(want(other, "back", first, n=mover.state["n"])) == "table.not-yours"
    name = mover.new_id()
    for _ in range(2):  # sent twice
        mover.send(t="want", id=name, what="back", seat=first, n=mover.state["n"])
    mover.until(lambda state: first in state["acting"])
    told = {event["n"]: event for text in other_told(other) for event in text.get("events", [])}
    (gone,) = [event for event in told.values() if event["gone"]]
    assert told[gone["gone"]]["back"]
    assert told[gone["gone"]]["by"] == first
    for page in (mover, other):
        page.settle()
        page.do(page.state["legal"][0])
    mover.settle()
    assert mover.state["back"][first] == "ask"
    assert ask(mover, "back", first) is None
    assert answer(other, 1 - first, True) is None
    mover.until(lambda state: state["acting"] == [first])
    mover.settle()
    assert mover.table["proposal"]["outcome"] == "agreed"


def other_told(page: Page) -> list[Message]:
    page.settle()
    return [json.loads(text) for text in page.told]


def test_a_proposal_to_go_back_ends_when_somebody_acts(new_browser: NewBrowser) -> None:
    company = Company(new_browser, None, "patterns", ANN, BEN)
    first = company.pages[0].state["acting"][0]
    mover, other = company.pages[first], company.pages[1 - first]
    mover.do(mover.state["legal"][0])
    assert ask(mover, "back", first) is None
    other.settle()
    other.do(other.state["legal"][0])
    assert other.table["proposal"]["outcome"] == "lapsed"


def test_nobody_is_replaced_who_is_here_or_left_a_moment_ago(new_browser: NewBrowser) -> None:
    company = Company(new_browser, None, "mosaix", ANN, BEN, EVE)
    ann, _, eve = company.pages
    assert reason(ask(ann, "stand-in", 0, seat=2)) == "table.present"
    eve.close()
    until(lambda: not company.seats()[2]["here"])
    wishes: list[dict[str, Any]] = [{"seat": 2}, {"seat": 9}, {"seat": "2"}, {}]
    for values in wishes:
        assert reason(ask(ann, "stand-in", 0, **values)) == "table.present"
    assert reason(ask(ann, "hand-on", 0, seat=2)) == "table.matter"  # only its person hands a seat on


def test_nobody_stands_in_where_a_clock_says_what_happens(hasty: Server, new_browser: NewBrowser) -> None:
    slow = {"clock": {"kind": "slow", "seconds": 3 * 86_400}}
    company = Company(new_browser, hasty, "patterns", ANN, BEN, terms=slow)
    ann, ben = company.pages
    ben.close()
    until(lambda: not company.seats()[1]["here"])
    assert reason(ask(ann, "stand-in", 0, seat=1)) == "table.clocked"
    assert ann.newest["presence"]["absent"] == [None, None]
    assert ask(ann, "end", 0) is None
    people = ann.until_people(lambda table: table["proposal"] is not None)
    assert (people["proposal"]["needed"], people["proposal"]["outcome"]) == ([1], "open")
    assert people["proposal"]["until"] > people["proposal"]["n"]
    assert people["stage"] == "playing"


def test_an_opponent_cannot_have_the_game_ended_by_replacing_who_is_away(
    hasty: Server, new_browser: NewBrowser
) -> None:
    company = Company(new_browser, hasty, "patterns", ANN, BEN)
    ann, ben = company.pages
    ben.close()
    until(lambda: not company.seats()[1]["here"])
    assert ask(ann, "stand-in", 0, seat=1) is None
    ann.until_people(lambda table: table["seats"][1]["kind"] == "bot")
    assert ask(ann, "end", 0) is None
    assert ann.until_people(lambda table: table["proposal"]["what"] == "end")["proposal"]["outcome"] == "open"


def test_the_host_cannot_free_a_seat_in_the_game(new_browser: NewBrowser) -> None:
    company = Company(new_browser, None, "mozaika", ANN, BEN, EVE)
    for seat in (1, 2):
        refused = company.host.post(f"/api/tables/{company.table}/seats/{seat}/link")
        assert (refused.status_code, refused.json()["reason"]) == (409, "table.held")
    assert company.browsers[1].table(company.table)["seats"][1]["mine"]


def test_who_was_sent_away_before_the_game_comes_back_by_their_own_cookie(new_browser: NewBrowser) -> None:
    host, guest, other = new_browser(), new_browser(), new_browser()
    table = host.make("mozaika", ANN, "link", "link", onlookers="none")
    guest.claim(table, BEN, host.keys(table)[1])
    assert host.post(f"/api/tables/{table}/seats/1/link").status_code == 204
    assert guest.table(table)["seats"][1]["claim"]
    assert [line["id"] for line in guest.get("/api/tables/mine")["tables"]] == [table]
    page = guest.open(table)
    assert want(page, "return", 1) is None
    assert (page.table["seats"][1]["mine"], page.table["seats"][1]["name"]) == (True, BEN)
    assert host.post(f"/api/tables/{table}/seats/1/link").status_code == 204
    assert other.claim(table, EVE, host.keys(table)[1]).status_code == 200
    assert guest.http.get(f"/api/tables/{table}").status_code == 403  # somebody else sits there now


def test_a_bot_stands_in_for_who_is_absent_until_they_come_back(hasty: Server, new_browser: NewBrowser) -> None:
    company = Company(new_browser, hasty, "mosaix", ANN, BEN, EVE)
    ann, ben, eve = company.pages
    eve.close()
    until(lambda: not company.seats()[2]["here"])
    assert reason(ask(ann, "stand-in", 0, seat=2, bot="level-1")) == "table.agreed-bot"
    assert ask(ann, "stand-in", 0, seat=2) is None
    assert answer(ben, 1, True) is None
    people = ann.until_people(lambda table: table["seats"][2]["kind"] == "bot")
    assert (people["seats"][2]["owner"], people["seats"][2]["claim"]) == (EVE, False)
    assert people["seats"][2]["bot"] == people["terms"]["stand_in"] == "level-4"
    mine = company.browsers[2].get("/api/tables/mine")["tables"]
    assert [line["id"] for line in mine] == [company.table]
    hasty.kill()
    hasty.start()
    back = company.browsers[2].open(company.table)
    assert back.table["seats"][2]["claim"]
    assert back.state["seat"] is None
    assert want(back, "return", 2) is None
    assert back.table["seats"][2]["mine"]
    assert back.table["seats"][2]["name"] == EVE
    assert back.look(2)["seat"] == 2
    assert reason(want(back, "return", 2)) == "table.not-yours"


def test_who_hands_their_seat_on_may_come_back(hasty: Server, new_browser: NewBrowser) -> None:
    company = Company(new_browser, hasty, "mozaika", ANN, BEN, EVE)
    ann, ben, _ = company.pages
    assert reason(want(ben, "hand-on", 0)) == "table.not-yours"
    play(company.pages, random.Random(1), stop=is_bidding)
    ann.do(ann.state["legal"][0])
    assert reason(want(ann, "hand-on", 0)) == "table.sealed"  # nobody else is to see it
    play(company.pages[1:], random.Random(1), moves=2)
    ann.until(lambda state: not state["change"])
    assert want(ann, "hand-on", 0) is None
    link = ann.until_people(lambda table: table["seats"][0]["kind"] == "free")["seats"][0]["link"]
    assert link
    assert ben.until_people(lambda table: table["seats"][0]["kind"] == "free")["seats"][0]["link"] is None
    assert company.host.post(f"/api/tables/{company.table}/seats/0/link").json()["reason"] == "table.held"
    ida = new_browser(hasty)
    assert ida.claim(company.table, "Ida").status_code == 403
    assert ida.claim(company.table, "Ida", link.rpartition("/")[2]).status_code == 200
    standing_in = ida.open(company.table, 0)
    assert reason(want(standing_in, "resign", 0)) == "table.not-yours"  # only lent
    assert [line["id"] for line in ida.get("/api/tables/mine")["tables"]] == [company.table]
    again = company.host.open(company.table)
    assert again.table["seats"][0]["claim"]
    assert want(again, "return", 0) is None
    assert again.table["seats"][0]["name"] == ANN
    standing_in.until_people(lambda table: not table["seats"][0]["mine"])
    standing_in.settle()
    assert standing_in.state["seat"] is None
    assert ida.get("/api/tables/mine")["tables"] == []


def test_nobody_puts_a_bot_on_a_seat_that_waits_for_whom_it_was_handed_to(
    hasty: Server, new_browser: NewBrowser
) -> None:
    company = Company(new_browser, hasty, "patterns", ANN, BEN)
    ann, ben = company.pages
    assert want(ann, "hand-on", 0) is None
    link = ann.until_people(lambda table: table["seats"][0]["kind"] == "free")["seats"][0]["link"]
    assert reason(ask(ben, "stand-in", 1, seat=0)) == "table.present", "its person is still there"
    ann.close()
    until(lambda: ask(ben, "stand-in", 1, seat=0) is None)
    ben.until_people(lambda table: table["seats"][0]["kind"] == "bot")
    assert reason(ask(ben, "stand-in", 1, seat=0)) == "table.present", "a bot plays already"
    ida = new_browser(hasty)
    assert ida.get(f"/api/tables/{company.table}?key={link.rpartition('/')[2]}")["seats"][0]["owner"] == ANN
    assert ida.claim(company.table, "Ida", link.rpartition("/")[2]).status_code == 200
    seat = company.seats(1)[0]
    assert (seat["kind"], seat["name"], seat["owner"], seat["link"]) == ("person", "Ida", ANN, None)
    again = company.host.open(company.table)
    assert want(again, "return", 0) is None
    assert ida.claim(company.table, "Ida", link.rpartition("/")[2]).status_code == 409


def test_a_moment_after_a_seat_was_handed_on_it_is_not_forsaken(new_browser: NewBrowser) -> None:
    company = Company(new_browser, None, "patterns", ANN, BEN)
    ann, ben = company.pages
    assert want(ann, "hand-on", 0) is None
    ann.close()
    until(lambda: not company.seats(1)[0]["here"])
    assert reason(ask(ben, "stand-in", 1, seat=0)) == "table.present"


def test_the_first_link_does_not_lead_past_a_bot_that_stands_in(hasty: Server, new_browser: NewBrowser) -> None:
    """The host knows it, and would have an absent person's seat."""
    host, guest = new_browser(hasty), new_browser(hasty)
    table = host.make("patterns", ANN, "link")
    key = host.keys(table)[1]
    guest.claim(table, BEN, key)
    page = host.open(table, 0)
    assert ask(page, "stand-in", 0, seat=1) is None
    page.until_people(lambda people: people["seats"][1]["kind"] == "bot")
    assert new_browser(hasty).claim(table, EVE, key).json()["reason"] == "table.used"


def test_who_comes_back_ends_what_is_asked_about_a_seat_they_handed_on(hasty: Server, new_browser: NewBrowser) -> None:
    company = Company(new_browser, hasty, "mosaix", ANN, BEN, EVE)
    ann, ben, _ = company.pages
    assert want(ann, "hand-on", 0) is None
    ann.close()
    until(lambda: ask(ben, "stand-in", 1, seat=0) is None)
    company.host.open(company.table)
    people = ben.until_people(lambda table: table["proposal"]["outcome"] != "open")
    assert (people["proposal"]["outcome"], people["seats"][0]["kind"]) == ("declined", "free")


def test_who_comes_back_ends_what_is_asked_about_them(hasty: Server, new_browser: NewBrowser) -> None:
    company = Company(new_browser, hasty, "mosaix", ANN, BEN, EVE)
    ann, _, eve = company.pages
    eve.close()
    until(lambda: not company.seats()[2]["here"])
    assert ask(ann, "stand-in", 0, seat=2) is None
    company.browsers[2].open(company.table, 2)
    people = ann.until_people(lambda table: table["proposal"]["outcome"] != "open")
    assert (people["proposal"]["outcome"], people["proposal"]["closer"]) == ("declined", 2)


def test_another_takes_over_when_the_host_is_gone(hasty: Server, new_browser: NewBrowser) -> None:
    host, guest = new_browser(hasty), new_browser(hasty)
    table = host.make("mozaika", ANN, "link", "link")
    guest.claim(table, BEN, host.keys(table)[1])
    first, page = host.open(table, 0), guest.open(table, 1)
    assert reason(want(page, "host", 1)) == "table.present"
    first.close()
    until(lambda: not guest.table(table)["seats"][0]["here"])
    assert guest.table(table)["seats"][2]["link"] is None
    assert want(page, "host", 1) is None
    assert guest.table(table)["host"]
    assert guest.table(table)["seats"][2]["link"]
    assert not host.table(table)["host"]
    assert host.patch(f"/api/tables/{table}", listed=True).status_code == 403
    assert guest.patch(f"/api/tables/{table}", listed=True).status_code == 204


def test_everything_outlives_the_server(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving()
    company = Company(new_browser, server, "patterns", ANN, BEN)
    first = company.pages[0].state["acting"][0]
    mover = company.pages[first]
    mover.do(mover.state["legal"][0])
    assert want(mover, "back", first, n=mover.state["n"]) is None
    mover.do(mover.state["legal"][-1])
    assert ask(mover, "end", first) is None
    server.kill()
    server.start()
    pages = [browser.open(company.table, seat) for seat, browser in enumerate(company.browsers)]
    assert pages[0].table["proposal"]["outcome"] == "open"
    assert sum(event["gone"] is not None for event in pages[0].state["events"]) == 1
    assert answer(pages[1 - first], 1 - first, True) is None
    until(lambda: company.host.table(company.table)["stage"] == "over")
    assert len(record(company.host, company.table).extra["taken_back"]) == 1
    story = company.host.get(f"/api/tables/{company.table}/replay")
    assert len(story["story"]) == len(story["events"]) + 2
    server.kill()
    server.start()
    assert company.host.table(company.table)["ended"] == {"how": "agreed", "by": first}
