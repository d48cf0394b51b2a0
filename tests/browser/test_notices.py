"""Turn notices: the switch and the offer in all states, from a move to what the worker shows, and the list at home.

What is real here: pages, server, database, keys, sealing, signing, the request to a push service, the service worker
and its events. What a headless Chromium without a network cannot do is replaced at its very edge: the permission and
`PushManager.subscribe` (no push service of a browser maker can be reached), `showNotification` and `openWindow` (there
is no desktop to show anything on). The way from the push service to the worker is Chromium's own for tests.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Locator, Worker, expect

from tests.browser.conftest import Visit
from tests.browser.people import CUT, Person
from tests.browser.scenes import LANGUAGES
from tests.browser.site import Site, SpareSite
from tests.browser.stages import Gathered, Tables, lend
from tests.browser.test_access import AXE, SMALL, SMALL_TARGETS, violations
from tests.server.notices.test_notices import RINGING
from tests.server.push_service import PushService, Subscriber, claims
from tests.server.site import play

SWITCH = "Tell me when it is my turn, even when no page is open"
OFFER = "Tell me when it is my turn"

# The edge of the browser: permission, the maker's push service, and whether the page is in sight.
EDGE = """
const given = GIVEN;
let permission = localStorage.getItem("edge-permission") ?? given.permission;
Object.defineProperty(Notification, "permission", { get: () => permission });
Notification.requestPermission = async () => {
    permission = given.answer;
    localStorage.setItem("edge-permission", permission);
    return permission;
};
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const made = () => localStorage.getItem("edge-key") && {
    endpoint: given.endpoint,
    options: { applicationServerKey: bytes(localStorage.getItem("edge-key")).buffer },
    toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.key, auth: given.auth } }),
    unsubscribe: async () => { localStorage.removeItem("edge-key"); return true; },
};
PushManager.prototype.getSubscription = async () => made() || null;
PushManager.prototype.subscribe = async (options) => {
    if (given.broken) throw new DOMException("no push service", "AbortError");
    if (!options.userVisibleOnly) throw new TypeError("must be visible");
    localStorage.setItem("edge-key", options.applicationServerKey);
    return made();
};
let hidden = false;
Object.defineProperty(document, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
Object.defineProperty(document, "hidden", { get: () => hidden });
window.cover = (on) => { hidden = on; document.dispatchEvent(new Event("visibilitychange")); };
"""

RECORD = """() => {
    self.shown = [];
    self.gone = [];
    self.work = [];
    self.pushes = 0;
    const wait = ExtendableEvent.prototype.waitUntil;
    ExtendableEvent.prototype.waitUntil = function (promise) { work.push(promise); return wait.call(this, promise); };
    addEventListener("push", () => (pushes += 1));  // after the worker's own
    registration.showNotification = async (title, more) => void shown.push({ title, ...more });
    clients.openWindow = async (path) => void gone.push(`open ${path}`);
    WindowClient.prototype.focus = async function () { gone.push("focus"); return this; };
}"""

PRESS = """(data) => {
    const press = new ExtendableEvent("notificationclick");
    press.notification = { data, close: () => gone.push("close") };
    press.waitUntil = (promise) => work.push(promise);  // one that we make may not wait by itself
    dispatchEvent(press);
    return Promise.all(work).then(() => gone);
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that tells people at once, and is killed."""
    with SpareSite(tmp_path_factory.mktemp("ringing"), **RINGING).running() as running:
        yield running


@pytest.fixture
def service() -> Iterator[PushService]:
    running = PushService()
    yield running
    running.stop()


@pytest.fixture
def one(service: PushService) -> Subscriber:
    return Subscriber(service, "one")


def with_edge(person: Person, one: Subscriber, **more: Any) -> Person:
    """Give a browser what it needs to be told, or what hinders it."""
    given = {"permission": "default", "answer": "granted", "broken": False, **one.wish, **more}
    person.page.add_init_script(f"{{ {EDGE.replace('GIVEN', json.dumps(given))} }}")
    person.expect_noise(*CUT)
    return person


def switch(person: Person, name: str = SWITCH) -> Locator:
    return person.page.get_by_role("dialog").get_by_role("checkbox", name=name)


def open_settings(person: Person, path: str = "/") -> None:
    person.open(path)
    person.press_button("Settings")


def is_told(person: Person) -> bool:
    """Ask the server whether this browser is told."""
    return bool(person.page.evaluate("fetch('/api/notices').then((answer) => answer.json())")["on"])


def seat(person: Person, table: Gathered, place: int) -> None:
    """Put somebody with a screen on a seat."""
    lend(person.page.context, table.people[place])
    person.open(f"/table/{table.id}")
    person.sees_game()


def seat_told(person: Person, table: Gathered, place: int) -> Person:
    """Put somebody on a seat who wants to be told."""
    seat(person, table, place)
    person.press_button(OFFER)
    expect(person.page.get_by_text("On. You get")).to_be_visible()
    return person


def waiting_seat(table: Gathered) -> int:
    """The seat of two that does not have to act."""
    (acting,) = table.state["acting"]
    return 1 - int(acting)


# --- The switch


def test_the_switch_works_by_keyboard_and_leaves_nothing_behind(visit: Visit, one: Subscriber) -> None:
    ada = with_edge(visit(), one)
    open_settings(ada)
    expect(switch(ada)).to_be_enabled()
    expect(ada.page.get_by_text("Off. When you switch it on")).to_be_visible()
    assert not ada.page.context.service_workers  # nothing is fetched for who does not want it
    switch(ada).focus()
    ada.page.keyboard.press("Space")
    expect(ada.page.get_by_text("On. You get one notice a turn at most")).to_be_visible()
    expect(switch(ada)).to_be_checked()
    assert is_told(ada)
    open_settings(ada)
    expect(switch(ada)).to_be_checked()  # after a reload, too
    switch(ada).focus()
    ada.page.keyboard.press("Space")
    expect(ada.page.get_by_text("Off. When you switch it on")).to_be_visible()
    assert not is_told(ada)
    assert ada.page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


@pytest.mark.parametrize(
    ("hindrance", "words"),
    [
        ("Object.defineProperty(Notification, 'permission', { value: 'denied' })", "Your browser blocks notices"),
        ("Object.defineProperty(window, 'isSecureContext', { value: false })", "only from sites with https"),
        ("delete window.PushManager", "This browser cannot do that"),
    ],
)
def test_what_hinders_it_is_said_in_words(visit: Visit, hindrance: str, words: str) -> None:
    ada = visit("phone")
    ada.page.add_init_script(hindrance)
    open_settings(ada)
    expect(ada.page.get_by_role("status").filter(has_text=words)).to_be_visible()
    expect(switch(ada)).to_be_disabled()
    expect(switch(ada)).not_to_be_checked()


def test_who_says_no_to_the_browser_is_told_how_to_change_it(visit: Visit, one: Subscriber) -> None:
    ada = with_edge(visit(), one, answer="denied")
    open_settings(ada)
    switch(ada).click()
    expect(ada.page.get_by_text("Your browser blocks notices")).to_be_visible()
    expect(switch(ada)).not_to_be_checked()
    assert not is_told(ada)


def test_a_push_service_that_cannot_be_reached_leaves_it_off(visit: Visit, one: Subscriber) -> None:
    ada = with_edge(visit(), one, broken=True)
    open_settings(ada)
    switch(ada).click()
    expect(ada.page.get_by_role("alert")).to_contain_text("could not reach its push service")
    expect(switch(ada)).not_to_be_checked()
    assert not is_told(ada)


def test_an_address_that_the_server_refuses_is_said_in_words(visit: Visit, one: Subscriber) -> None:
    ada = with_edge(visit(), one, endpoint="ftp://push.example.org/x")
    ada.expect_noise("400")
    open_settings(ada)
    switch(ada).click()
    expect(ada.page.get_by_role("alert")).to_contain_text("Notices cannot be sent")
    expect(switch(ada)).not_to_be_checked()


def test_a_browser_that_the_server_has_forgotten_is_made_known_again(visit: Visit, one: Subscriber) -> None:
    ada = with_edge(visit(), one)
    open_settings(ada)
    switch(ada).click()
    expect(ada.page.get_by_text("On. You get")).to_be_visible()
    ada.page.context.clear_cookies()
    assert not is_told(ada)
    open_settings(ada)
    expect(switch(ada)).to_be_checked()
    assert is_told(ada)


# --- The offer


def test_at_a_table_with_friends_it_is_offered_once(visit: Visit, one: Subscriber) -> None:
    ada, bo = with_edge(visit(), one), with_edge(visit("phone"), one)
    ada.make_table("patterns", "Ada", "link")
    expect(ada.button(OFFER)).to_be_visible()
    bo.join(ada.link(1), "Bo")
    for person in (ada, bo):
        person.sees_game()
    ada.press_button(OFFER)
    expect(ada.page.get_by_text("On. You get one notice a turn at most")).to_be_visible()
    expect(ada.button(OFFER)).to_have_count(0)
    assert is_told(ada)
    bo.press_button("No, thanks")
    bo.page.reload()
    bo.sees_game()
    expect(bo.button("More")).to_be_visible()
    expect(bo.button(OFFER)).to_have_count(0)
    bo.press_button("More")
    expect(switch(bo)).to_be_enabled()  # it can still be had
    assert not is_told(bo)


def test_alone_with_bots_nothing_is_offered(visit: Visit, one: Subscriber) -> None:
    ada = with_edge(visit(), one)
    ada.make_table("patterns", "Ada", "bot:level-1")
    ada.sees_game()
    ada.press_button("More")
    expect(ada.page.get_by_role("dialog").get_by_text("Sound when it is my turn")).to_be_visible()
    expect(switch(ada)).to_have_count(0)
    expect(ada.button(OFFER)).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_offer_and_switch_can_be_read_and_pressed_by_everybody(
    visit: Visit, tables: Tables, one: Subscriber, theme: str
) -> None:
    table = tables.playing("patterns")
    ada = with_edge(visit("phone", theme=theme), one)
    seat(ada, table, 0)
    ada.use_words()
    expect(ada.button(OFFER)).to_be_visible()
    ada.page.evaluate(AXE.read_text())
    assert violations(ada.page) == []
    assert ada.page.evaluate(SMALL_TARGETS, list(SMALL)) == []
    ada.press_button(OFFER)
    ada.press_button("More")
    expect(switch(ada)).to_be_checked()
    assert violations(ada.page) == []


def test_the_offer_fits_on_a_small_phone_in_every_language(visit: Visit, tables: Tables, one: Subscriber) -> None:
    table = tables.playing("patterns")
    for language in LANGUAGES:
        ada = with_edge(visit("phone", language=language), one)
        seat(ada, table, 0)
        expect(ada.page.locator(".notice-offer button")).to_have_count(2)
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= 360, language


# --- From a move to what is shown


class Shown:
    """The worker of a browser: pushes get to it as from the browser's own push service, and what it shows is noted."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.session: CDPSession = person.page.context.new_cdp_session(person.page)
        self.registrations: list[Any] = []
        self.session.on(
            "ServiceWorker.workerRegistrationUpdated", lambda told: self.registrations.extend(told["registrations"])
        )
        self.session.send("ServiceWorker.enable")
        person.until(lambda: self.registrations and person.page.context.service_workers)
        self.worker.evaluate(RECORD)

    @property
    def worker(self) -> Worker:
        return self.person.page.context.service_workers[0]

    def push(self, notice: dict[str, Any]) -> list[dict[str, Any]]:
        """Deliver a notice, and return everything that was shown when it has been dealt with."""
        before = self.worker.evaluate("pushes")
        self.session.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": self.person.site.url,
                "registrationId": self.registrations[-1]["registrationId"],
                "data": json.dumps(notice),
            },
        )
        self.person.until(lambda: self.worker.evaluate("pushes") > before)
        found: list[dict[str, Any]] = self.worker.evaluate("Promise.all(work).then(() => shown)")
        return found

    def press(self, notice: dict[str, Any]) -> list[str]:
        """Press a notice, and return where it leads."""
        found: list[str] = self.worker.evaluate(PRESS, notice)
        return found


def test_a_move_becomes_a_notice_in_the_readers_language_even_after_a_crash(
    visit: Visit, tables: Tables, site: Site, one: Subscriber
) -> None:
    table = tables.playing("patterns")
    place = waiting_seat(table)
    ada = with_edge(visit(language="de-DE"), one)
    seat(ada, table, place)
    ada.press_button("Sag mir, wenn ich dran bin")
    expect(ada.page.get_by_text("An. Du bekommst höchstens einen Hinweis pro Zug")).to_be_visible()
    shown = Shown(ada)
    ada.page.evaluate("cover(true)")
    ada.until(lambda: ada.sent[-1] == {"t": "eyes", "open": False})

    site.kill()
    site.start()
    ada.until(lambda: [message for message in ada.sent if message["t"] == "eyes"][-1] == {"t": "eyes", "open": False})
    other = table.people[1 - place].open(table.id, 1 - place)
    play([other], random.Random(1), stop=lambda state: place in state["acting"])
    (notice,) = one.wait()
    claims(one.service.at(one.path)[0], table.host.get("/api/notices")["key"])
    assert notice["language"] == "de"
    (said,) = shown.push(notice)
    assert (said["title"], said["body"]) == ("Du bist dran", "Patterns: Der Tisch wartet auf dich.")
    assert (said["tag"], said["lang"]) == (table.id, "de")
    assert shown.press(notice) == ["close", "focus"]  # the page is there, behind others

    ada.page.evaluate("cover(false)")
    assert len(shown.push(notice)) == 1  # nothing more while the table is in sight


def test_nobody_is_told_what_is_on_the_screen(visit: Visit, tables: Tables, one: Subscriber) -> None:
    table = tables.playing("patterns")
    place = waiting_seat(table)
    ada = seat_told(with_edge(visit(), one), table, place)
    other = table.page(1 - place)
    play([other], random.Random(1), stop=lambda state: place in state["acting"])
    ada.until(lambda: ada.is_my_turn)
    ada.page.evaluate("cover(true)")  # too late: it was seen
    ada.until(lambda: ada.sent[-1] == {"t": "eyes", "open": False})
    mine = table.page(place)
    play([mine, other], random.Random(1), stop=lambda state: place not in state["acting"])
    play([mine, other], random.Random(1), stop=lambda state: place in state["acting"])
    assert [told["n"] for told in one.wait()] == [mine.state["asked"]]
    told = "\n".join([*ada.frames, *(text for page in table.pages for text in page.told)])
    assert table.id in told
    assert not [secret for secret in (one.path, one.key, one.wish["auth"]) if secret in told]


def test_a_notice_leads_to_the_table_from_wherever_one_is(visit: Visit, tables: Tables, one: Subscriber) -> None:
    table = tables.playing("patterns")
    place = waiting_seat(table)
    ada = seat_told(with_edge(visit(), one), table, place)
    shown = Shown(ada)
    notice = {"table": table.id, "game": "patterns", "n": 3, "seat": place, "language": "en"}
    ada.press(ada.page.get_by_role("link", name="Smalti, home"))
    expect(ada.heading("Games of coloured glass")).to_be_visible()
    # The browser still believes that this page is the table's; the page itself knows better.
    assert len(shown.push(notice)) == 1
    assert shown.press(notice) == ["close", f"open /table/{table.id}"]
    assert len(shown.push({"rubbish": True})) == 1


def test_another_language_is_told_to_the_server(visit: Visit, tables: Tables, one: Subscriber) -> None:
    table = tables.playing("patterns")
    place = waiting_seat(table)
    ada = seat_told(with_edge(visit(), one), table, place)
    ada.open("/")
    with ada.page.expect_response(lambda answer: answer.request.method == "POST" and "notices" in answer.url):
        ada.page.get_by_role("combobox", name="Language").select_option("pl")
    other = table.page(1 - place)
    play([other], random.Random(1), stop=lambda state: place in state["acting"])
    assert [told["language"] for told in one.wait()] == ["pl"]


# --- At home


def test_the_first_page_lists_the_tables_that_wait_for_me(visit: Visit, tables: Tables, one: Subscriber) -> None:
    first = tables.playing("patterns", "Ada", "Bo")
    host = first.host
    second = host.make("mozaika", "Ada", "link", "link")
    play(first.pages, random.Random(1), stop=lambda state: 1 in state["acting"])
    ada = with_edge(visit(), one)
    lend(ada.page.context, host)
    ada.open("/")
    mine = ada.page.get_by_role("region", name="My games")
    expect(mine.get_by_role("link")).to_have_count(2)
    expect(ada.page.get_by_role("region", name=re.compile("^It is your turn"))).to_have_count(0)
    expect(ada.page).to_have_title(re.compile("^Games of coloured glass"))

    play(first.pages, random.Random(1), stop=lambda state: 0 in state["acting"])
    ada.page.evaluate("cover(false)")  # somebody comes back to the page
    turns = ada.page.get_by_role("region", name="It is your turn at 1 table")
    expect(turns.get_by_role("link")).to_have_attribute("href", f"/table/{first.id}")
    expect(ada.page.get_by_role("region", name="My other games").get_by_role("link")).to_have_attribute(
        "href", f"/table/{second}"
    )
    expect(ada.page).to_have_title(re.compile("^It is your turn at 1 table"))
    assert "turn" in str(ada.page.locator("link[rel=icon]").get_attribute("href"))
    ada.press(turns.get_by_role("link"))
    assert ada.is_at_table() == first.id


def test_a_page_that_nobody_sees_asks_nothing(visit: Visit, tables: Tables, one: Subscriber) -> None:
    table = tables.playing("patterns")
    ada = with_edge(visit(), one)
    lend(ada.page.context, table.host)
    ada.page.clock.install()
    ada.open("/")
    expect(ada.page.get_by_role("region", name=re.compile("^(My games|It is your turn)"))).to_be_visible()
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    ada.page.evaluate("cover(true)")
    ada.page.clock.run_for(60_000)
    assert not [url for url in asked if "tables/mine" in url]
    ada.page.evaluate("cover(false)")
    ada.page.clock.run_for(40_000)
    ada.until(lambda: len([url for url in asked if "tables/mine" in url]) >= 3)
