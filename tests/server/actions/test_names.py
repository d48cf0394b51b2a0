"""Names: they can be seen, and nobody takes another's at the same table."""

from __future__ import annotations

import pytest

from smalti.server.actions.lookalikes import CONFUSABLES, look_alike
from smalti.server.actions.names import free_name, names_of_bot
from smalti.server.actions.text_input import LONGEST_NAME, checked_name
from smalti.server.problems import Problem
from smalti.server.table.log import Log
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import facts, read_row
from tests.server.site import Browser

CYRILLIC_A, GREEK_RHO = "\u0430", "\u03a1"
UNSEEN = [
    "\u2800", "\u115f", "\u1160", "\u3164", "\uffa0", "\u200d", "\u200c\u200d", "\u200b", "\u00ad", "\u2060", "\ufeff",
    "\u034f", "\ufe0f", "\U000e0100", "\u180b", "\u17b4", "\u00a0", "\u3000", "\u2003 \u205f", "\u0301", "\u20dd",
    "\u3164 \u2800", "\u0e31\u0e31", "\U0001d159",
]  # fmt: skip


@pytest.mark.parametrize("name", UNSEEN, ids=ascii)
def test_a_name_that_is_empty_to_the_eye_is_none(name: str) -> None:
    with pytest.raises(Problem, match="can be seen"):
        checked_name(name)


@pytest.mark.parametrize("name", ["a\u202eb", "\u2066a\u2069", "\u200fa", "a\u061c", "\u202dAnn"], ids=ascii)
def test_nobody_turns_the_direction_of_the_line(name: str) -> None:
    with pytest.raises(Problem, match="can be seen"):
        checked_name(name)


def test_letters_do_not_carry_towers_of_marks() -> None:
    assert checked_name("a" + "\u0323\u0302\u0301") == "\u1ead\u0301"
    with pytest.raises(Problem):
        checked_name("Z" + "\u0335\u0321\u0353\u0301" + "oe")


@pytest.mark.parametrize(
    "name", ["Zoë", "שָׁלוֹם", "محمد", "བསྒྲུབས", "Nguyễn", "មករា", "မြို့", "👩‍🎨", "❤️", "1", "?", "İpek", "김"]
)
def test_names_of_all_the_world_are_welcome(name: str) -> None:
    assert checked_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Paul", "PAUL"),
        ("Paul", f"p{CYRILLIC_A}ul"),
        ("PAUL", f"{GREEK_RHO}aul"),
        ("Paul", "p aul"),
        ("Paul", "Pa\u200dul"),
        ("Paul", "Paul\u3164"),
        ("Paul", "Ｐａｕｌ"),
        ("Paul", "𝓟𝓪𝓾𝓵"),
        ("Ian", "lan"),
        ("Ian", "ian"),
        ("Max", "МАХ"),
        ("Mary", "rnary"),
        ("Bob 1", "Bob l"),
        ("Zoe\u0308", "Zoë"),
        ("Straße", "STRASSE"),
    ],
)
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anne"), ("Ann 0", "Ann 1"), ("Zoe", "Zoë"), ("Jo", "Joe")])
def test_names_that_differ_to_the_eye_are_different(one: str, other: str) -> None:
    assert not look_alike(one, other)


def test_the_data_is_small_and_says_where_it_is_from() -> None:
    assert CONFUSABLES.stat().st_size < 150_000
    assert "Unicode Security Mechanisms for UTS #39, version" in CONFUSABLES.read_text(encoding="utf-8")
    assert "Unicode, Inc." in CONFUSABLES.with_name("LICENSE").read_text(encoding="utf-8")


def test_a_free_name_has_a_number_behind_it() -> None:
    assert free_name("Paul", ["Ann"]) == "Paul"
    assert free_name("Paul", ["PAUL", "paul 2"]) == "Paul 3"
    assert len(free_name("x" * LONGEST_NAME, ["x" * LONGEST_NAME])) <= LONGEST_NAME


# --- At a table


def is_same_name(answer: object) -> bool:
    return (answer.status_code, answer.json()["reason"]) == (409, "table.same-name")  # type: ignore[attr-defined]


def test_nobody_sits_down_under_anothers_name(host: Browser, guest: Browser) -> None:
    table = host.make("patterns", "Paul", "link")
    key = host.keys(table)[1]
    for name in ("Paul", "PAUL", f"p{CYRILLIC_A}ul", "P a u l"):
        assert is_same_name(guest.claim(table, name, key))
    assert guest.claim(table, "Pauline", key).status_code == 200


def test_nobody_renames_themselves_to_another(host: Browser, guest: Browser) -> None:
    table = host.make("mozaika", "Paul", "Eve", "link")
    guest.claim(table, "Ben", host.keys(table)[2])
    address = f"/api/tables/{table}/name"
    assert is_same_name(guest.patch(address, name="paul"))
    assert is_same_name(host.patch(address, name="Eve", seat=0))
    assert is_same_name(host.patch(address, name="BEN"))
    assert host.patch(address, name="PAUL", seat=0).status_code == 204, "their own in other letters"


def test_two_at_one_screen_have_two_names(host: Browser) -> None:
    wishes = [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "ANN"}]
    assert is_same_name(host.post("/api/tables", game="patterns", seats=wishes))


def test_nobody_has_the_name_of_a_bot_at_the_table(host: Browser) -> None:
    assert {"level-4", "level 4"} <= names_of_bot("level-4")
    for name in names_of_bot("level-4"):
        wishes = [{"kind": "here", "name": name}, {"kind": "bot", "bot": "level-4"}]
        assert is_same_name(host.post("/api/tables", game="patterns", seats=wishes))
    assert host.make("patterns", "level-5", "bot:level-4")


def test_quick_match_never_fails_because_of_a_strangers_name(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving()  # at the shared one, open tables of other tests would fit too
    wish = {"game": "mozaika", "seats": 3}
    people = [new_browser(server) for _ in range(3)]
    answers = [people[0].post("/api/quick", **wish, name="Ann")]
    people[0].open(answers[0].json()["id"])  # a table at which nobody is any more would be shown to nobody
    answers += [one.post("/api/quick", **wish, name=name) for one, name in zip(people[1:], ("ANN", "Ann"), strict=True)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    names = [seat["name"] for seat in people[0].table(answers[0].json()["id"])["seats"]]
    assert names == ["Ann", "ANN 2", "Ann 3"]


def test_who_comes_back_to_a_name_that_was_taken_meanwhile_gets_a_number(new_browser: NewBrowser) -> None:
    host, first, second = new_browser(), new_browser(), new_browser()
    table = host.make("mozaika", "Paul", "link", "link")
    keys = host.keys(table)
    first.claim(table, "Ann", keys[1])
    assert host.post(f"/api/tables/{table}/seats/1/link").status_code == 204
    assert second.post(f"/api/tables/{table}/seats", name="ANN", key=keys[2]).status_code == 200
    page = first.open(table)
    page.send(t="want", id="1", seat=1, what="return")
    page.until_people(lambda people: people["seats"][1]["mine"])
    assert [seat["name"] for seat in host.table(table)["seats"]] == ["Paul", "Ann 2", "ANN"]


def test_names_from_before_are_replayed() -> None:
    log = Log(facts("patterns", 2))
    for seat in range(2):
        log.apply(read_row(seat + 1, 1.0, "sit", seat, '{"name":"\u2800","holder":"x"}', None))
    assert [sitting.name for sitting in log.seats] == ["\u2800", "\u2800"]
