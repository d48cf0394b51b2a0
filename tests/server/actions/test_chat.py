"""Words at the table: who hears what, what is refused, and that nothing is lost or told to the wrong people."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from smalti.server.actions.text_input import LONGEST_WORDS
from smalti.server.table.chat import BREATH
from smalti.server.table.terms import Phrase
from tests.server.conftest import NewBrowser, Serving
from tests.server.site import Browser, Page

SECRET = "the red one is mine"


@pytest.fixture
def friends(host: Browser, guest: Browser) -> tuple[str, Page, Page]:
    """Two players at two browsers, with the table."""
    table = host.make("patterns", "Ann", "link")
    guest.claim(table, "Ben", host.keys(table)[1])
    return table, host.open(table, 0), guest.open(table, 1)


def say(page: Page, id: str, seat: int | None, **what: Any) -> None:
    page.send(t="say", id=id, seat=seat, **what)


def heard(page: Page, count: int = 1) -> list[dict[str, Any]]:
    """Wait until the page has been told so many things that were said, and return all it has been told."""
    while len(found := told(page)) < count:
        page.receive()
    return found


def told(page: Page, after: int = 0) -> list[dict[str, Any]]:
    """Return what the page has been told of what was said, in messages after so many."""
    messages = [json.loads(text) for text in page.told[after:]]
    return [words for message in messages if message["t"] == "talk" for words in message["words"]]


def watching(host: Browser, onlooker: Browser, table: str) -> Page:
    return onlooker.open(table, watch=host.table(table)["watch_link"].rpartition("/")[2])


def test_players_hear_each_other(friends: tuple[str, Page, Page]) -> None:
    _, ann, ben = friends
    say(ann, "1", 0, text="  good   evening ")
    say(ben, "2", 1, phrase="hello")
    for page in (ann, ben):
        first, second = heard(page, 2)
        assert (first["n"], first["seat"], first["text"], first["phrase"]) == (1, 0, "good evening", None)
        assert (second["n"], second["seat"], second["text"], second["phrase"]) == (2, 1, None, "hello")


def test_onlookers_hear_nothing_of_the_players_and_players_nothing_of_them(
    friends: tuple[str, Page, Page], host: Browser, new_browser: NewBrowser
) -> None:
    table, ann, ben = friends
    page, second = (watching(host, new_browser(), table) for _ in range(2))
    say(ann, "1", 0, text=SECRET)
    heard(ben)
    say(page, "2", None, text="who is winning?", name="Eve")
    for onlooker in (page, second):
        (words,) = heard(onlooker)
        assert (words["n"], words["seat"], words["name"], words["text"]) == (1, None, "Eve", "who is winning?")
    for one in (ann, ben, page, second):
        one.settle()
    assert not any(SECRET in text for onlooker in (page, second) for text in onlooker.told)
    assert not any("who is winning" in text for player in (ann, ben) for text in player.told)


def test_talking_moves_no_number(friends: tuple[str, Page, Page], host: Browser, new_browser: NewBrowser) -> None:
    table, ann, _ = friends
    onlooker = watching(host, new_browser(), table)
    before, known = host.table(table)["n"], len(onlooker.told)
    say(ann, "1", 0, text=SECRET)
    heard(ann)
    onlooker.settle()
    assert host.table(table)["n"] == before
    assert [text for text in onlooker.told[known:] if "pong" not in text] == []


def test_said_twice_is_said_once(friends: tuple[str, Page, Page]) -> None:
    _, ann, ben = friends
    for _ in range(3):
        say(ann, "same", 0, text="once")
    say(ann, "other", 0, text="end")
    assert [words["text"] for words in heard(ben, 2)] == ["once", "end"]


def test_words_outlive_the_server_and_who_comes_back_hears_only_what_is_new(
    serving: Serving, new_browser: NewBrowser
) -> None:
    server = serving()
    host = new_browser(server)
    table = host.make("patterns", "Ann", "link")
    ann = host.open(table, 0)
    say(ann, "1", 0, text="first")
    say(ann, "2", 0, text="second")
    heard(ann, 2)
    server.kill()
    server.start()
    page = host.open(table, 0)
    assert [words["text"] for words in heard(page, 2)] == ["first", "second"]
    before = len(page.told)
    page.send(t="look", seat=0, since=0, heard=1)
    page.settle()
    assert [(words["n"], words["text"]) for words in told(page, before)] == [(2, "second")]


def test_typed_text_comes_back_as_it_was_typed(friends: tuple[str, Page, Page]) -> None:
    _, ann, ben = friends
    text = '<b onclick="alert(1)">👩‍🎨 & "naïve"</b>'
    say(ann, "1", 0, text=text)
    assert heard(ben)[0]["text"] == text


@pytest.mark.parametrize(
    "what",
    [{}, {"text": " \t"}, {"text": "x" * (LONGEST_WORDS + 1)}, {"text": "a\u0007b"}, {"text": "\u202e"}, {"text": ""}],
)
def test_what_cannot_be_shown_is_refused(what: dict[str, str], friends: tuple[str, Page, Page]) -> None:
    _, ann, _ = friends
    say(ann, "1", 0, **what)
    refusal = ann.next("refused")
    assert (refusal["id"], refusal["reason"]) == ("1", "table.words")
    assert refusal["values"] == {"most": LONGEST_WORDS}


def test_a_phrase_that_nobody_knows_is_refused(friends: tuple[str, Page, Page]) -> None:
    _, ann, _ = friends
    say(ann, "1", 0, phrase="insult")
    assert ann.next("refused")["reason"] == "table.format"


def test_nobody_speaks_for_another_seat(friends: tuple[str, Page, Page]) -> None:
    _, _, ben = friends
    for number, seat in enumerate((0, 7, -1, None)):
        say(ben, str(number), seat, phrase="hello", name="Ben")
        assert ben.next("refused")["reason"] == "table.not-yours"


def test_onlookers_say_who_they_are(friends: tuple[str, Page, Page], host: Browser, new_browser: NewBrowser) -> None:
    page = watching(host, new_browser(), friends[0])
    say(page, "1", None, phrase="hello")
    assert page.next("refused")["reason"] == "table.name"


def test_who_says_too_much_at_once_has_to_wait(friends: tuple[str, Page, Page]) -> None:
    _, ann, ben = friends
    refusal = say_too_much(ann, 0)
    assert refusal["reason"] == "table.many"
    assert 1 <= refusal["values"]["seconds"] <= 3
    say(ben, "mine", 1, phrase="hello")
    while told(ben)[-1:] == [] or told(ben)[-1]["id"] != "mine":
        ben.receive()


def say_too_much(page: Page, seat: int | None, **who: str) -> dict[str, Any]:
    """Say more than anybody may at once, however slow the machine is, and return the refusal."""
    for number in range(10 * BREATH.words):
        say(page, f"much {number}", seat, phrase="hello", **who)
    return page.next("refused")


def test_people_talk_before_the_game_and_after_a_seat_is_lost(host: Browser, guest: Browser) -> None:
    table = host.make("mozaika", "Ann", "link", "link")
    guest.claim(table, "Ben", host.keys(table)[1])
    ann, ben = host.open(table, 0), guest.open(table, 1)
    say(ben, "1", 1, phrase="hello")
    assert heard(ann)[0]["phrase"] == "hello"
    host.post(f"/api/tables/{table}/seats/1/link")
    say(ann, "2", 0, text=SECRET)
    heard(ann)
    assert not any(SECRET in text for text in ben.told)


def test_every_phrase_can_be_said(friends: tuple[str, Page, Page]) -> None:
    _, ann, ben = friends
    phrases = get_args(Phrase)
    for number, phrase in enumerate(phrases):
        say((ann, ben)[number % 2], str(number), number % 2, phrase=phrase)
        heard(ann, number + 1)
    assert [words["phrase"] for words in heard(ben, len(phrases))] == list(phrases)


# --- Onlookers, each for themselves


@pytest.fixture
def watched(
    friends: tuple[str, Page, Page], host: Browser, new_browser: NewBrowser
) -> tuple[str, Page, list[Browser], list[Page]]:
    """A table with two onlookers who have cookies of their own, and the page of its seated host."""
    table, ann, _ = friends
    onlookers = [new_browser(), new_browser()]
    for browser in onlookers:
        browser.make("mosaix", "Zoe")  # gets its cookie with that
    return table, ann, onlookers, [watching(host, browser, table) for browser in onlookers]


Watched = tuple[str, Page, list[Browser], list[Page]]


def test_an_onlooker_who_floods_silences_nobody_else(watched: Watched) -> None:
    _, _, _, (mallory, eve) = watched
    assert say_too_much(mallory, None, name="Mallory")["reason"] == "table.many"
    say(eve, "mine", None, text="and me?", name="Eve")
    while not any(words["text"] == "and me?" for words in told(eve)):
        eve.receive()


@pytest.mark.parametrize("name", ["Ann", "BEN", "\u0412en", "A n n", "mallory"])
def test_an_onlooker_does_not_speak_under_anothers_name(name: str, watched: Watched) -> None:
    _, _, _, (mallory, eve) = watched
    say(mallory, "1", None, text="hello", name="Mallory")
    heard(eve)
    say(eve, "2", None, text="hello", name=name)
    refusal = eve.next("refused")
    assert (refusal["id"], refusal["reason"]) == ("2", "table.same-name")


def test_the_host_silences_an_onlooker_and_lets_them_speak_again(host: Browser, watched: Watched) -> None:
    table, ann, _, (mallory, eve) = watched
    say(mallory, "1", None, text=SECRET, name="Mallory")
    people = ann.until_people(lambda people: bool(people["speakers"]))
    (speaker,) = people["speakers"]
    assert (speaker["name"], speaker["silenced"]) == ("Mallory", False)
    assert host.post(f"/api/tables/{table}/silence", speaker=speaker["id"]).status_code == 204
    ann.until_people(lambda people: people["speakers"][0]["silenced"])
    say(mallory, "2", None, text="more", name="Mallory")
    assert mallory.next("refused")["reason"] == "table.silenced"
    say(mallory, "3", None, text="more", name="Another name")
    assert mallory.next("refused")["reason"] == "table.silenced"
    say(eve, "4", None, text="peace", name="Eve")
    assert heard(eve, 2)[-1]["text"] == "peace"
    assert host.post(f"/api/tables/{table}/silence", speaker=speaker["id"], silenced=False).status_code == 204
    say(mallory, "5", None, text="sorry", name="Mallory")
    assert heard(eve, 3)[-1]["text"] == "sorry"
    ann.settle()
    assert not any(SECRET in text or "sorry" in text for text in ann.told), "a seated host hears no onlooker"


def test_nobody_but_the_host_is_told_who_speaks(guest: Browser, watched: Watched) -> None:
    table, _, onlookers, (mallory, eve) = watched
    say(mallory, "1", None, text="hello", name="Mallory")
    heard(eve)
    for browser, page in ((guest, guest.open(table, 1)), (onlookers[1], eve)):
        page.settle()
        assert page.table["speakers"] == []
        assert browser.post(f"/api/tables/{table}/silence", speaker="x").json()["reason"] == "table.not-host"
        assert browser.post(f"/api/tables/{table}/clear", onlookers=True).json()["reason"] == "table.not-host"


def test_who_has_said_nothing_cannot_be_silenced(host: Browser, watched: Watched) -> None:
    answer = host.post(f"/api/tables/{watched[0]}/silence", speaker="nobody")
    assert (answer.status_code, answer.json()["reason"]) == (409, "table.stale")


def test_the_host_takes_words_away_for_everybody_and_for_good(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving()
    host, onlooker, late = (new_browser(server) for _ in range(3))
    table = host.make("patterns", "Ann", "link")
    before = host.table(table)["n"]
    page = watching(host, onlooker, table)
    for number, text in enumerate(("fine", SECRET, "fine too"), 1):
        say(page, str(number), None, text=text, name="Eve")
    heard(page, 3)
    answer = host.post(f"/api/tables/{table}/clear", onlookers=True, n=2)
    assert answer.status_code == 204
    talk = page.next("talk")
    assert talk["since"] == 0
    assert [(words["n"], words["text"], words["name"], words.get("cleared")) for words in talk["words"]] == [
        (1, "fine", "Eve", False),
        (2, None, None, True),
        (3, "fine too", "Eve", False),
    ]
    assert host.table(table)["n"] == before
    server.kill()
    server.start()
    new = watching(host, late, table)
    assert [words["text"] for words in heard(new, 3)] == ["fine", None, "fine too"]
    assert not any(SECRET in text for text in new.told)
    host.post(f"/api/tables/{table}/clear", onlookers=True)
    assert all(words["cleared"] for words in new.next("talk")["words"])
    assert host.post(f"/api/tables/{table}/clear", onlookers=True).status_code == 204, "nothing is left to clear"
    answer = host.post(f"/api/tables/{table}/clear", onlookers=True, n=4)
    assert (answer.status_code, answer.json()["reason"]) == (404, "table.event")


def test_clearing_one_side_tells_the_other_nothing(host: Browser, watched: Watched) -> None:
    table, ann, _, (mallory, eve) = watched
    say(ann, "1", 0, text=SECRET)
    heard(ann)
    say(mallory, "2", None, text="hello", name="Mallory")
    heard(eve)
    eve.settle()
    known = len(eve.told)
    assert host.post(f"/api/tables/{table}/clear", onlookers=False).status_code == 204
    assert ann.next("talk")["words"][0]["cleared"]
    eve.settle()
    assert [text for text in eve.told[known:] if "pong" not in text] == []


def test_the_host_lets_no_onlooker_speak(friends: tuple[str, Page, Page], host: Browser, guest: Browser) -> None:
    table, ann, ben = friends
    onlooker = Browser(host.server)
    page = watching(host, onlooker, table)
    assert guest.post(f"/api/tables/{table}/silence", speaker="*", silenced=True).status_code == 403
    assert host.post(f"/api/tables/{table}/silence", speaker="*", silenced=True).status_code == 204
    say(page, "1", None, text="hello", name="Eve")
    assert page.next("refused")["reason"] == "table.silenced"
    say(ann, "2", 0, text="players may")
    assert heard(ben)[0]["text"] == "players may"
    assert host.post(f"/api/tables/{table}/silence", speaker="*", silenced=False).status_code == 204
    say(page, "3", None, text="hello", name="Eve")
    assert heard(page)[0]["text"] == "hello"
    onlooker.close()
