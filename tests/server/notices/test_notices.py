"""Turn notices: who is told, who is not, never twice, nothing that is secret, and nowhere it must not go."""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from smalti.server.actions.nonces import add_nonces
from smalti.server.actions.tables import again
from smalti.server.notices import push
from smalti.server.notices.notices import Notices, vapid_keys
from smalti.server.notices.push import addresses, is_public, place_of
from smalti.server.problems import Problem
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.settings import contact
from smalti.server.store.subscribers import MOST, Subscription
from smalti.server.table.entries import Entry
from smalti.server.table.log import Log
from smalti.server.wire.http import Again, Nonces
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import entry, facts, rooms_on
from tests.server.programs import Postgres
from tests.server.push_service import PushService, Subscriber, claims, unpadded
from tests.server.site import Browser, Page, Server, is_bidding, play, until

RINGING = {"SMALTI_PUSH_ANYWHERE": "1", "SMALTI_NOTICE_PAUSE_MS": "0"}
ANN, BEN, CEM = "a" * 64, "b" * 64, "c" * 64


@pytest.fixture
def service() -> Iterator[PushService]:
    """A push service."""
    running = PushService()
    yield running
    running.stop()


# --- In one process, where nothing is left to chance: after each move all notices are on their way or never will be


class Ear:
    """A page of somebody, in sight or not."""

    seat: int | None = None
    is_seated = True

    def __init__(self, holder: str | None, is_visible: bool) -> None:
        self.holder, self.is_visible = holder, is_visible

    def wake(self, people: bool) -> None:
        pass

    def wake_presence(self) -> None:
        pass

    def wake_chat(self) -> None:
        pass

    def show_out(self) -> None:
        pass


class Evening:
    """A table with people who have subscribed, and those who tell them."""

    def __init__(self, notices: Notices, service: PushService) -> None:
        self.notices, self.service = notices, service
        self.people: dict[str, Subscriber] = {}
        self.room: Room

    @property
    def rooms(self) -> Rooms:
        return self.notices.rooms

    async def sit(self, game: str, *holders: str | None, **options: str) -> None:
        """Make a table; who has no holder is a bot that never gets to think."""
        given = facts(game, len(holders), options)

        def decide(log: Log) -> list[Entry]:
            return [
                entry(log, "sit", seat, {"name": "Somebody", "holder": holder})
                if holder
                else entry(log, "bot", seat, {"bot": "random"})
                for seat, holder in enumerate(holders)
            ]

        self.room = await self.rooms.make(given, False, decide)
        await self.settle()

    async def subscribe(self, *holders: str) -> None:
        """Let these be told, each by a browser of their own."""
        for holder in holders:
            self.people[holder] = one = Subscriber(self.service, holder[:1])
            found = Subscription(one.endpoint, one.key, unpadded(one.auth), "de")
            await self.notices.subscribers.add(holder, found)

    async def settle(self) -> None:
        """Wait until every notice is sent or given up."""
        while self.notices.ringing:
            await asyncio.gather(*self.notices.ringing)

    async def act(self, seat: int, do: str | None = None) -> None:
        """Let a seat act, and everything come of it."""
        log = self.room.log
        await self.room.play(seat, do or log.match.legal(seat)[0], log.asked[seat], None, log.seats[seat].holder)
        await self.settle()

    async def act_until(self, question: Callable[[Log], bool], luck: random.Random) -> None:
        """Let whoever must act do so, at random, until this is true."""
        while not question(self.room.log):
            seat = luck.choice(sorted(self.room.log.match.acting))
            await self.act(seat, luck.choice(self.room.log.match.legal(seat)))

    def told(self, holder: str) -> list[dict[str, Any]]:
        """What somebody was told."""
        return self.people[holder].notices

    def forget(self) -> None:
        """Begin to count anew."""
        self.service.arrived.clear()


@asynccontextmanager
async def evening(url: str, service: PushService, **settings: Any) -> AsyncIterator[Evening]:
    """Open rooms and those who tell people."""
    async with rooms_on(url, **{"notice_pause": 0, "push_anywhere": True, **settings}) as rooms:
        notices = Notices(rooms, rooms.settings)
        await notices.start()
        try:
            yield Evening(notices, service)
        finally:
            await notices.stop()


@pytest.fixture
def spend(tmp_path: Path, service: PushService) -> Callable[..., None]:
    """Spend an evening: `spend(work)` runs it with a database of its own."""

    def run(work: Callable[[Evening], Coroutine[Any, Any, None]], **settings: Any) -> None:
        async def whole() -> None:
            async with evening(f"sqlite:///{tmp_path}/tables.sqlite", service, **settings) as given:
                await work(given)

        asyncio.run(whole())

    return run


def is_auction(log: Log) -> bool:
    """Say whether everybody at a table of Mozaika has to bid."""
    return len(log.match.acting) == 3 and "bid 0" in log.match.legal(0)


def test_whoever_must_act_is_told_once_a_turn(spend: Callable[..., None]) -> None:
    async def work(evening: Evening) -> None:
        await evening.subscribe(ANN, BEN)
        await evening.sit("patterns", ANN, BEN)
        turns: list[tuple[int, int]] = []  # who was asked anew, and the number of it, but for who has just acted
        first = next(iter(evening.room.log.match.acting))
        turns.append((first, evening.room.log.asked[first]))
        luck = random.Random(3)
        while not evening.room.log.match.is_over:
            seat = next(iter(evening.room.log.match.acting))
            await evening.act(seat, luck.choice(evening.room.log.match.legal(seat)))
            turns += [(now, evening.room.log.asked[now]) for now in evening.room.log.match.acting if now != seat]
        told = [(one["seat"], one["n"]) for holder in (ANN, BEN) for one in evening.told(holder)]
        assert sorted(told) == sorted(turns)
        assert len(set(told)) == len(told) > 8
        assert len({arrived.headers["topic"] for arrived in evening.service.arrived}) == 1  # newer ones replace older

    spend(work)


def test_a_game_that_begins_calls_those_who_were_seated_by_others(spend: Callable[..., None]) -> None:
    async def work(evening: Evening) -> None:
        await evening.subscribe(ANN, BEN, CEM)
        await evening.sit("mozaika", ANN, BEN, CEM)
        acting = evening.room.log.match.acting
        assert [len(evening.told(one)) for one in (ANN, BEN, CEM)] == [seat in acting for seat in range(3)]

    spend(work)


def test_sealed_bids_ring_once_for_each_and_not_for_what_others_bid(spend: Callable[..., None]) -> None:
    async def work(evening: Evening) -> None:
        await evening.subscribe(ANN, BEN, CEM)
        await evening.sit("mozaika", ANN, BEN, CEM)
        await evening.act_until(is_auction, random.Random(1))
        evening.forget()
        await evening.act(0, "bid 1")
        await evening.act(0, "bid 2")  # changed under seal
        assert evening.service.arrived == []
        await evening.act(1, "bid 3")
        assert evening.service.arrived == []
        await evening.act(2, "bid 0")
        (next_one,) = evening.room.log.match.acting
        told = [bool(evening.told(one)) for one in (ANN, BEN, CEM)]
        assert told == [seat == next_one and seat != 2 for seat in range(3)]

    spend(work)


def test_who_looks_at_the_table_is_not_told(spend: Callable[..., None]) -> None:
    async def work(evening: Evening) -> None:
        await evening.subscribe(ANN, BEN)
        await evening.sit("patterns", ANN, BEN)
        (first,) = evening.room.log.match.acting
        actor, other = (ANN, BEN) if first == 0 else (BEN, ANN)
        page = Ear(other, is_visible=True)
        evening.room.enter(page)
        evening.forget()
        await evening.act(first)
        assert evening.told(other) == []
        page.is_visible = False
        await evening.act_until(lambda log: log.match.acting == {first}, random.Random(1))
        evening.forget()
        await evening.act_until(lambda log: log.match.acting != {first}, random.Random(1))
        assert len(evening.told(other)) == 1
        assert evening.told(actor) == []

    spend(work)


def test_who_comes_or_acts_within_the_pause_is_not_told(spend: Callable[..., None]) -> None:
    async def work(evening: Evening) -> None:
        await evening.subscribe(ANN, BEN)
        await evening.sit("patterns", ANN, BEN)
        (first,) = evening.room.log.match.acting
        other = BEN if first == 0 else ANN
        evening.forget()
        log = evening.room.log
        await evening.room.play(first, log.match.legal(first)[0], log.asked[first], None, log.seats[first].holder)
        assert evening.notices.ringing
        page = Ear(other, is_visible=True)
        evening.room.enter(page)
        await evening.settle()
        evening.room.leave(page)
        assert evening.told(other) == []

    spend(work, notice_pause=0.05)


def test_a_turn_that_is_done_already_rings_nowhere(spend: Callable[..., None]) -> None:
    async def work(evening: Evening) -> None:
        await evening.subscribe(ANN, BEN)
        await evening.sit("patterns", ANN, BEN)
        evening.forget()
        for _ in range(6):  # all within the pause
            (seat,) = evening.room.log.match.acting
            log = evening.room.log
            await evening.room.play(seat, log.match.legal(seat)[0], log.asked[seat], None, log.seats[seat].holder)
        (last,) = evening.room.log.match.acting
        await evening.settle()
        told = evening.told(ANN) + evening.told(BEN)
        assert [(one["seat"], one["n"]) for one in told] in ([], [(last, evening.room.log.asked[last])])

    spend(work, notice_pause=0.3)


def test_people_at_one_screen_are_told_once_and_not_by_each_other(spend: Callable[..., None]) -> None:
    async def work(evening: Evening) -> None:
        await evening.subscribe(ANN, CEM)
        await evening.sit("mozaika", ANN, ANN, CEM)
        luck = random.Random(2)
        await evening.act_until(is_auction, luck)
        for seat in (0, 1):
            await evening.act(seat, "bid 1")
        evening.forget()
        await evening.act(2, "bid 0")
        assert len(evening.told(ANN)) == 1
        evening.forget()
        await evening.act_until(lambda log: 2 in log.match.acting, luck)
        assert evening.told(ANN) == []

    spend(work)


def test_bots_and_people_without_a_wish_are_not_told(spend: Callable[..., None]) -> None:
    async def work(evening: Evening) -> None:
        await evening.sit("patterns", ANN, BEN)
        for _ in range(4):
            (seat,) = evening.room.log.match.acting
            await evening.act(seat)
        assert evening.service.arrived == []

    spend(work)


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_listens_no_more_is_forgotten(
    spend: Callable[..., None], service: PushService, status: int
) -> None:
    async def work(evening: Evening) -> None:
        await evening.subscribe(ANN, BEN)
        gone, left = evening.people[ANN], evening.people[BEN]
        service.statuses[gone.path] = status
        await evening.sit("patterns", ANN, BEN)
        for _ in range(6):
            (seat,) = evening.room.log.match.acting
            await evening.act(seat)
        assert len(service.at(gone.path)) == 1
        assert len(service.at(left.path)) > 1
        assert await evening.notices.subscribers.of(ANN) == []
        assert len(await evening.notices.subscribers.of(BEN)) == 1

    spend(work)


@pytest.mark.parametrize("status", [302, 307, 403, 429, 500])
def test_other_answers_forget_nobody_and_lead_nowhere(
    spend: Callable[..., None], service: PushService, status: int
) -> None:
    async def work(evening: Evening) -> None:
        await evening.subscribe(ANN, BEN)
        service.statuses.update({one.path: status for one in evening.people.values()})
        await evening.sit("patterns", ANN, BEN)
        (seat,) = evening.room.log.match.acting
        await evening.act(seat)
        assert service.arrived
        assert {arrived.path for arrived in service.arrived} <= {one.path for one in evening.people.values()}
        assert len(await evening.notices.subscribers.of(ANN)) == 1

    spend(work)


def test_a_push_service_that_never_answers_delays_nothing(
    spend: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "PATIENCE", 2.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}/push"

        async def work(evening: Evening) -> None:
            await evening.subscribe(ANN, BEN)
            for holder in (ANN, BEN):
                one = evening.people[holder]
                deaf = Subscription(f"{endpoint}/{one.name}", one.key, unpadded(one.auth), "en")
                await evening.notices.subscribers.add(holder, deaf)
            await evening.sit("patterns", ANN, BEN)
            evening.forget()
            (seat,) = evening.room.log.match.acting
            log = evening.room.log
            begun = time.monotonic()
            await evening.room.play(seat, log.match.legal(seat)[0], log.asked[seat], None, log.seats[seat].holder)
            assert time.monotonic() - begun < push.PATIENCE
            await evening.settle()  # ends by itself
            assert len(evening.service.arrived) == 1  # the other browser of the same person was told

        spend(work)


def test_a_rematch_calls_the_others(spend: Callable[..., None]) -> None:
    async def work(evening: Evening) -> None:
        await evening.sit("patterns", ANN, BEN)
        await evening.act_until(lambda log: log.match.is_over, random.Random(1))
        await evening.subscribe(ANN, BEN)
        evening.forget()
        name = await again(evening.rooms, evening.room, Again(), ANN)
        room = await evening.rooms.find(name)
        for seat, sitting in enumerate(room.log.seats):
            await add_nonces(room, Nonces(str(room.log.commitment), {seat: "5" * 64}), sitting.holder)
        await evening.settle()
        (seat,) = (await evening.rooms.find(name)).log.match.acting
        holder = (await evening.rooms.find(name)).log.seats[seat].holder
        assert holder is not None
        assert [one["table"] for one in evening.told(holder)] == [name]
        assert len(evening.service.arrived) == 1

    spend(work)


def test_a_holder_has_so_many_browsers_and_the_oldest_make_room(spend: Callable[..., None]) -> None:
    async def work(evening: Evening) -> None:
        for number in range(MOST + 3):
            one = Subscriber(evening.service, str(number))
            await evening.notices.subscribers.add(ANN, Subscription(one.endpoint, one.key, unpadded(one.auth), "en"))
            await asyncio.sleep(0.002)
        kept = {found.endpoint.rpartition("/")[2] for found in await evening.notices.subscribers.of(ANN)}
        assert kept == {str(number) for number in range(3, MOST + 3)}

    spend(work)


def test_the_keys_are_made_once_even_by_many_at_the_same_moment(tmp_path: Path) -> None:
    async def run() -> None:
        async with rooms_on(f"sqlite:///{tmp_path}/tables.sqlite") as rooms:
            found = await asyncio.gather(*(vapid_keys(rooms.store) for _ in range(5)))
            assert len({keys.public for keys in found}) == 1
            assert len({keys.private for keys in found}) == 1
            assert len(push.from_base64url(found[0].public, 65)) == 65

    asyncio.run(run())


# --- Where notices may go


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("255.255.255.255", "224.0.0.1", "240.0.0.1", "192.0.2.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1"),
        *("ff02::1", "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::a00:1"),
        *("fec0::1", "3fff::1", "192.0.0.8", "192.88.99.1", "198.18.0.1", "2001:2::1", "100::1", "5f00::1"),
    ],
)
def test_addresses_inside_a_network_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "142.250.1.1", "2606:4700::1111", "64:ff9b::101:101"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "endpoint",
    [
        *("http://push.example.com/x", "ftp://push.example.com/x", "https:///x", "push.example.com", "", "https://"),
        *("https://push.example.com:8443/x", "https://user@push.example.com/x", "https://[::1]/x", "https://[x/"),
        *("https://push.example.com:99999/x", "https://push.example.com/a b", "https://push.example.com/\r\nx: y"),
        *("https://püsh.example.com/x", "https://push.example.com/" + "x" * 1024),
    ],
)
def test_what_is_no_address_of_a_push_service_is_refused(endpoint: str) -> None:
    with pytest.raises(Problem, match="cannot be sent"):
        place_of(endpoint, anywhere=False)


def test_names_that_lead_inside_are_refused_even_beside_public_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look(names: list[str]) -> list[str]:
        async def answer(*given: Any, **more: Any) -> list[Any]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (name, 443)) for name in names]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", answer)
        return await addresses(place_of("https://push.example.com/x", False), False)

    assert asyncio.run(look(["1.1.1.1", "1.0.0.1"])) == ["1.1.1.1", "1.0.0.1"]
    for inside in (["127.0.0.1"], ["1.1.1.1", "10.0.0.1"], []):
        with pytest.raises(Problem, match="cannot be sent"):
            asyncio.run(look(inside))


def test_a_real_name_that_leads_here_is_refused() -> None:
    with pytest.raises(Problem, match="cannot be sent"):
        asyncio.run(addresses(place_of("https://localhost/x", False), False))


@pytest.mark.parametrize("given", ["", "nobody", "mailto:nobody", "http://example.org", "mailto:a@b c.org"])
def test_a_contact_is_a_mail_address_or_a_page(given: str) -> None:
    assert contact("mailto:ops@example.org") == "mailto:ops@example.org"
    assert contact("https://example.org/imprint") == "https://example.org/imprint"
    with pytest.raises(Exception, match="SMALTI_CONTACT"):
        contact(given)


# --- The server as people meet it


@pytest.fixture
def ringing(serving: Serving) -> Server:
    """A server that tells people at once, on this machine too."""
    return serving(**RINGING, SMALTI_CONTACT="mailto:ops@example.org")


def subscribe(browser: Browser, one: Subscriber, **more: str) -> None:
    answer = browser.post("/api/notices", **{**one.wish, **more})
    assert answer.status_code == 204, answer.text


def friends(host: Browser, guest: Browser) -> str:
    """Let two people sit at a table."""
    table = host.make("patterns", "Ann", "link")
    assert guest.claim(table, "Ben", host.keys(table)[1]).status_code == 200
    return table


def look_away(page: Page, away: bool = True) -> None:
    page.send(t="eyes", open=not away)
    page.settle()


def test_a_notice_is_signed_sealed_and_says_no_more_than_whose_turn_it_is(
    ringing: Server, new_browser: NewBrowser, service: PushService
) -> None:
    host, guest = new_browser(ringing), new_browser(ringing)
    table = friends(host, guest)
    one = Subscriber(service, "one")
    for browser in (host, guest):
        assert browser.get("/api/notices")["on"] is False
    pages = [host.open(table, 0), guest.open(table, 1)]
    (seat,) = pages[0].state["acting"]
    waiting = (host, guest)[1 - seat]
    subscribe(waiting, one, language="hu")
    assert waiting.get("/api/notices")["on"] is True
    pages[seat].do(pages[seat].state["legal"][0])
    page = pages[1 - seat]
    page.until(lambda state: 1 - seat in state["acting"])
    (told,) = one.wait()
    asked = page.state["asked"]
    assert told == {"table": table, "game": "patterns", "n": asked, "seat": 1 - seat, "language": "hu"}
    (arrived,) = service.at(one.path)
    claimed = claims(arrived, host.get("/api/notices")["key"])
    assert (claimed["aud"], claimed["sub"]) == (service.url, "mailto:ops@example.org")
    assert arrived.headers["content-encoding"] == "aes128gcm"
    assert re.fullmatch(r"[\w-]{1,32}", arrived.headers["topic"])
    assert arrived.headers["ttl"] == "86400"
    assert table not in json.dumps(arrived.headers)
    assert table.encode() not in arrived.body
    assert len(arrived.body) < 400
    everything = [text for page in pages for text in page.told]
    assert not any(one.key in text or "push/one" in text for text in everything)


def test_a_page_in_sight_needs_no_notice_and_one_behind_others_does(
    ringing: Server, new_browser: NewBrowser, service: PushService
) -> None:
    host, guest = new_browser(ringing), new_browser(ringing)
    table = friends(host, guest)
    people = [Subscriber(service, "ann"), Subscriber(service, "ben")]
    for browser, one in zip((host, guest), people, strict=True):
        subscribe(browser, one)
    pages = [host.open(table, 0), guest.open(table, 1)]
    (first,) = pages[0].state["acting"]
    other = 1 - first
    look_away(pages[first])
    look_away(pages[other], away=False)
    play(pages, random.Random(1), stop=lambda state: other in state["acting"])
    play(pages, random.Random(1), stop=lambda state: first in state["acting"])
    assert [one["seat"] for one in people[first].wait()] == [first]
    assert people[other].notices == []  # a notice of the turn before would have come before this one
    look_away(pages[other])
    play(pages, random.Random(1), stop=lambda state: other in state["acting"])
    assert [one["seat"] for one in people[other].wait()] == [other]
    pages[first].close()
    play([pages[other]], random.Random(1), stop=lambda state: first in state["acting"])
    assert len(people[first].wait(2)) == 2


def test_whoever_switches_off_is_told_no_more(ringing: Server, new_browser: NewBrowser, service: PushService) -> None:
    host, guest = new_browser(ringing), new_browser(ringing)
    one = Subscriber(service, "one")
    table = friends(host, guest)
    subscribe(host, one)
    stranger = guest.http.request("DELETE", "/api/notices", json={"endpoint": one.endpoint})
    assert stranger.status_code == 204
    assert host.get("/api/notices")["on"] is True
    assert host.http.request("DELETE", "/api/notices", json={"endpoint": one.endpoint}).status_code == 204
    assert host.get("/api/notices")["on"] is False
    other = Subscriber(service, "other")
    subscribe(guest, other)
    pages = [host.open(table, 0), guest.open(table, 1)]
    play(pages, random.Random(1), moves=8)
    other.wait()
    assert one.notices == []


def test_an_address_belongs_to_who_gave_it_last(ringing: Server, new_browser: NewBrowser, service: PushService) -> None:
    before, after = new_browser(ringing), new_browser(ringing)
    one = Subscriber(service, "one")
    for browser in (before, before, after):
        subscribe(browser, one)
        assert browser.cookie
    assert [browser.get("/api/notices")["on"] for browser in (before, after)] == [False, True]


def test_keys_and_subscriptions_survive_a_restart(
    ringing: Server, new_browser: NewBrowser, service: PushService
) -> None:
    host, guest = new_browser(ringing), new_browser(ringing)
    table = friends(host, guest)
    one = Subscriber(service, "one")
    key = host.get("/api/notices")["key"]
    page = host.open(table, 0)
    (seat,) = page.state["acting"]
    page.close()
    acting, waiting = ((host, guest), (guest, host))[seat]
    subscribe(waiting, one)
    ringing.kill()
    ringing.start()
    assert host.get("/api/notices")["key"] == key
    assert waiting.get("/api/notices")["on"] is True
    play([acting.open(table, seat)], random.Random(1), stop=lambda state: seat not in state["acting"])
    assert [told["seat"] for told in one.wait()] == [1 - seat]
    claims(service.at(one.path)[0], key)


def test_the_private_key_is_told_to_nobody(host: Browser, server: Server) -> None:
    told = host.http.get("/api/notices").text
    with closing(sqlite3.connect(server.file)) as database:
        ((value,),) = database.execute("SELECT value FROM kept WHERE name = 'notices'").fetchall()
    kept = json.loads(value)
    assert kept["public"] in told
    assert kept["private"] not in told


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "https://127.0.0.1/x"},
        {"endpoint": "https://localhost/x"},
        {"endpoint": "http://example.com/x"},
        {"endpoint": "https://169.254.169.254/latest/meta-data"},
        {"key": "AAAA"},
        {"key": unpadded(b"\x04" + bytes(64))},  # no point of the curve
        {"key": "ä" * 87},
        {"auth": "AAAA"},
        {"auth": unpadded(bytes(17))},
    ],
)
def test_what_cannot_be_sent_to_is_refused_and_not_stored(
    wrong: dict[str, str], host: Browser, server: Server, service: PushService
) -> None:
    wish = {**Subscriber(service, "one").wish, "endpoint": "https://1.1.1.1/x", **wrong}
    answer = host.post("/api/notices", **wish)
    assert (answer.status_code, answer.json()["reason"]) == (400, "table.push")
    assert host.get("/api/notices")["on"] is False


@pytest.mark.parametrize("wrong", [{"language": "xx"}, {"endpoint": 5}, {"more": "x"}])
def test_what_cannot_be_read_is_refused(wrong: dict[str, Any], host: Browser, service: PushService) -> None:
    answer = host.post("/api/notices", **{**Subscriber(service, "one").wish, **wrong})
    assert (answer.status_code, answer.json()["reason"]) == (400, "table.format")


def test_other_sites_cannot_subscribe_anybody(host: Browser, service: PushService) -> None:
    answer = host.http.post(
        "/api/notices", json=Subscriber(service, "one").wish, headers={"origin": "https://evil.example"}
    )
    assert answer.json()["reason"] == "table.origin"


def test_nobody_subscribes_without_end(ringing: Server, new_browser: NewBrowser, service: PushService) -> None:
    browser, one = new_browser(ringing), Subscriber(service, "one")
    answers = [browser.post("/api/notices", **one.wish).status_code for _ in range(61)]
    assert answers == [204] * 60 + [429]


def test_of_two_processes_one_tells_and_none_whom_the_other_shows_the_table(
    serving: Serving, new_browser: NewBrowser, postgres: Postgres, redis: str, service: PushService
) -> None:
    url = postgres.new_database()
    servers = [serving(SMALTI_DATABASE=url, SMALTI_REDIS=redis, **RINGING) for _ in range(2)]
    host, guest = new_browser(servers[0]), new_browser(servers[1])
    assert host.get("/api/notices") == guest.get("/api/notices")
    table = host.make("mozaika", "Ann", "Cem", "link")
    assert guest.claim(table, "Ben", host.keys(table)[2]).status_code == 200
    ann, ben = Subscriber(service, "ann"), Subscriber(service, "ben")
    pages = [host.open(table, 0), host.open(table, 1), guest.open(table, 2)]
    play(pages, random.Random(1), stop=is_bidding)
    subscribe(host, ann)
    subscribe(guest, ben)
    look_away(pages[0], away=False)  # the second process stores what makes it Ann's turn
    for bidder in (1, 0, 2):
        pages[bidder].do(pages[bidder].state["legal"][0])
    play(pages, random.Random(2), stop=is_bidding)
    told = ben.wait()
    assert len({one["n"] for one in told}) == len(told)
    assert ann.notices == []
    look_away(pages[0])
    for bidder, bid in ((0, 0), (1, 0), (2, -1)):  # Ben bids most, so he picks first
        pages[bidder].do(pages[bidder].state["legal"][bid])
    play(pages, random.Random(3), moves=1)
    until(lambda: ann.notices)
    before = len(ben.notices)
    play(pages, random.Random(3), stop=lambda state: 2 in state["acting"])
    until(lambda: len(ben.notices) > before)
    for one in (ann, ben):
        assert len({(told["seat"], told["n"]) for told in one.notices}) == len(one.notices)
