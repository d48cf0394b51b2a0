"""Fairness: bound before, added to by everybody, dealt from both, secret meanwhile, proven afterwards."""

from __future__ import annotations

import json
import random
import secrets
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import smalti
from smalti.engine.errors import BadRecord
from smalti.engine.match import Event
from smalti.server.archive.proofs import fairness_of, proof_of, record_keys
from smalti.server.luck import derive, proof
from smalti.server.luck.shared_deal import dealt
from smalti.server.problems import Problem
from smalti.server.rooms.moves import check_not_final, seal_entries
from smalti.server.rooms.render import happening, other_choices
from smalti.server.table.log import Log
from smalti.server.table.terms import Terms
from tests.server.conftest import NewBrowser, Serving
from tests.server.logs import audiences, entry, facts, play_log, read_row, seat_everybody, told, told_to_all
from tests.server.site import ROOT, Browser, newest, play

VECTORS = json.loads((ROOT / "docs" / "fairness-vectors.json").read_text())
NONCE = "5a" * 32


# --- The mathematics


def test_the_published_vectors_are_up_to_date() -> None:
    command = [sys.executable, "tools/fairness_vectors.py", "--check"]
    subprocess.run(command, cwd=ROOT, check=True)


def test_the_published_vectors_hold() -> None:
    for vector in VECTORS["commitments"]:
        assert derive.commitment(vector["table"], bytes.fromhex(vector["secret"])) == vector["commitment"]
    for vector in VECTORS["keys"]:
        key = derive.key_of_table(bytes.fromhex(vector["secret"]), vector["table"], vector["nonces"])
        assert key.hex() == vector["key"]
    for vector in VECTORS["deals"]:
        game = smalti.games.find(vector["game"])
        match, key = smalti.Match(game, vector["seats"], vector["options"]), bytes.fromhex(vector["key"])
        for number, (do, by_code) in enumerate(zip(vector["events"], vector["by_code"], strict=True), 1):
            assert dealt(match, derive.drawn(key, number)) == by_code
            assert match.draw(derive.drawn(key, number)).do == do


def test_every_part_of_the_secret_the_table_and_the_nonces_changes_the_key() -> None:
    keys = [
        derive.key_of_table(bytes(32), "table", [NONCE, None]),
        derive.key_of_table(bytes(31) + b"\1", "table", [NONCE, None]),
        derive.key_of_table(bytes(32), "other", [NONCE, None]),
        derive.key_of_table(bytes(32), "table", [None, NONCE]),
        derive.key_of_table(bytes(32), "table", [NONCE, NONCE]),
        derive.key_of_table(bytes(32), "table", ["5b" + NONCE[2:], None]),
    ]
    assert len(set(keys)) == len(keys)


def test_what_is_published_leads_to_no_draw() -> None:
    """The key is no function of the commitment: with the commitment in the secret's place everything is different."""
    secret = secrets.token_bytes(32)
    published = bytes.fromhex(derive.commitment("table", secret))
    key, other = (derive.key_of_table(part, "table", [NONCE]) for part in (secret, published))
    assert key != other
    assert [derive.drawn(key, n)(0) for n in range(20)] != [derive.drawn(published, n)(0) for n in range(20)]


# --- Logs


def fair_log(game: str = "mozaika", seats: int = 3, code: str | None = None, secret: bytes = bytes(32)) -> Log:
    """Return a log dealt as new tables are, with everybody seated."""
    log = Log(replace(facts(game, seats, secret=secret), terms=Terms(fair=derive.FAIR, code=code)))
    seat_everybody(log)
    return log


def add_all(log: Log) -> None:
    for seat in range(log.facts.seats):
        entry(log, "nonce", seat, {"nonce": f"{seat}" * 64})


def played(log: Log, seed: int = 1) -> Log:
    """Play to the end, every decision under seal with a nonce of its own."""
    if not log.is_ready:
        add_all(log)
    log.chance_entries(1000.0)
    play_log(log, random.Random(seed))
    return log


def document(log: Log) -> dict[str, Any]:
    """Return the record of a finished game as what JSON can hold."""
    text = smalti.record_of(log.match, **record_keys(log)).text()
    found: dict[str, Any] = json.loads(text)
    return found


def judged(document: dict[str, Any]) -> str | None:
    """Check a record, and return what does not follow from its proof."""
    record = smalti.read(json.dumps(document))
    found = proof.proof_in(record)
    assert found
    match = smalti.match_of(record)
    problem = proof.problem(found, proof.checked(found, match.game, match.seats, match.options, match.events))
    return problem.reason if problem else None


def test_the_deal_waits_for_every_person() -> None:
    log = fair_log()
    for seat in range(3):
        assert log.seating.is_complete
        assert not log.is_ready
        assert log.owes_nonce(seat)
        entry(log, "nonce", seat, {"nonce": NONCE})
    assert log.is_ready


def test_whoever_sits_down_anew_adds_their_own_and_a_bot_nothing() -> None:
    log = fair_log()
    for seat in range(2):
        entry(log, "nonce", seat, {"nonce": NONCE})
    entry(log, "link", 1, {})
    entry(log, "sit", 1, {"name": "Eve", "holder": "another"})
    assert [log.owes_nonce(seat) for seat in range(3)] == [False, True, True]
    entry(log, "link", 1, {})
    entry(log, "bot", 1, {"bot": "random"})
    entry(log, "nonce", 2, {"nonce": NONCE})
    assert log.is_ready
    assert log.seating.nonces[1] is None


def test_a_new_name_changes_no_luck() -> None:
    log = fair_log()
    add_all(log)
    entry(log, "name", 1, {"name": "Eve"})
    assert log.is_ready


@pytest.mark.parametrize(("game", "seats"), [("mosaix", 2), ("mosaix", 1), ("mozaika", 3), ("patterns", 2)])
def test_a_finished_game_follows_from_its_proof(game: str, seats: int) -> None:
    log = played(fair_log(game, seats))
    told = fairness_of(log)
    assert told.commitment == told.proof.commitment == log.commitment
    assert [draw.do for draw in told.draws] == [event.do for event in log.match.events if event.by is None]
    assert all(draw.do == draw.expected for draw in told.draws)
    assert all(seal.seal == seal.expected for seal in told.seals)
    bids = [event for event in log.match.events if event.do.startswith("bid")]
    assert len(told.seals) == len(bids)
    assert judged(document(log)) is None


def test_other_nonces_give_another_game() -> None:
    first, second = fair_log(), fair_log()
    add_all(first)
    for seat in range(3):
        entry(second, "nonce", seat, {"nonce": NONCE})
    deals = [log.chance_entries(1000.0)[0].row().body for log in (first, second)]
    assert deals[0] != deals[1]


def changed(found: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**found, "fairness": {**found["fairness"], **more}}


def test_whatever_is_tampered_with_is_found() -> None:
    found = document(played(fair_log()))
    fairness = found["fairness"]
    assert judged(changed(found, secret="01" * 32)) == "fairness.commitment"
    assert judged(changed(found, commitment="01" * 32)) == "fairness.commitment"
    other = derive.commitment("table", b"\1" * 32)
    assert judged(changed(found, secret="01" * 32, commitment=other)) == "fairness.draw"
    assert judged(changed(found, nonces=["0" * 64, "1" * 64, "3" * 64])) == "fairness.draw"
    assert judged(changed(found, nonces=fairness["nonces"][:2])) == "fairness.draw"
    assert judged(changed(found, table="other")) == "fairness.commitment"
    first, *rest = fairness["seals"]
    assert judged(changed(found, seals=[{**first, "seal": "00" * 32}, *rest])) == "fairness.seal"
    assert judged(changed(found, seals=[{**first, "nonce": "00" * 32}, *rest])) == "fairness.seal"


def test_a_draw_that_was_chosen_is_named() -> None:
    log = fair_log("mosaix", 2)
    add_all(log)
    log.chance_entries(1000.0)
    play_log(log, random.Random(1), lambda log: len(log.match.events) >= 7)
    events = [Event(*event) for event in log.match.events]
    place = [number for number, event in enumerate(events) if event.by is None][1]
    cut = events[:place]
    wanted = next(do for do in ("roll oooo", "roll tttt") if do != events[place].do)
    given = proof_of(log)
    assert given
    checked = proof.checked(given, log.match.game, 2, log.match.options, [*cut, Event(None, wanted)])
    problem = proof.problem(given, checked)
    assert problem
    assert (problem.reason, problem.event, problem.rule) == ("fairness.draw", place + 1, "fairness")


@pytest.mark.parametrize(
    "fairness",
    [
        None,
        1,
        [],
        {},
        {"version": 1, "table": "t"},
        {"version": 2, "table": "t", "secret": "00"},
        {"version": 1, "table": "t", "secret": "xy"},
        {"version": 1, "table": 7, "secret": "00"},
        {"version": 1, "table": "\ud800", "secret": "00"},
        {"version": 1, "table": "t", "secret": "00", "nonces": 3},
        {"version": 1, "table": "t", "secret": "00", "seals": [{"event": 1}]},
        {"version": 10**30, "table": "t", "code": "x"},
    ],
)
def test_a_proof_that_cannot_be_understood_is_bad_input(fairness: Any) -> None:
    record = smalti.read(json.dumps({**document(played(fair_log("mosaix", 1))), "fairness": fairness}))
    with pytest.raises(BadRecord):
        proof.proof_in(record)


@pytest.mark.parametrize("event", [0, 1, -1, 10**6])
def test_a_seal_of_no_decision_is_bad_input(event: int) -> None:
    found = document(played(fair_log()))
    with pytest.raises(BadRecord):
        judged(changed(found, seals=[{"event": event, "nonce": NONCE, "seal": NONCE}]))


# --- Sealed bids


def bid(log: Log, seat: int, do: str, nonce: str | None) -> None:
    seal_entries(log, seat, do, nonce)
    entry(log, "play", seat, do)


def bidding_log() -> Log:
    """Return a log in which everybody has to bid."""
    log = fair_log()
    add_all(log)
    log.chance_entries(1000.0)
    play_log(log, random.Random(3), lambda log: is_bidding(log))
    return log


def is_bidding(log: Log) -> bool:
    return len(log.match.acting) == 3 and "bid 1" in log.match.legal(0) and not log.sealed


def test_a_bid_is_sealed_with_the_nonce_of_its_page_and_only_its_seat_has_the_receipt() -> None:
    log = bidding_log()
    bid(log, 0, "bid 1", NONCE)
    last = log.happened[-1]
    assert last.seal == derive.seal("table", 0, "bid 1", NONCE)
    assert [happening(last, seat).seal for seat in (0, 1, None)] == [last.seal, None, None]
    assert not any(NONCE in text.decode() for text in told_to_all(log))


def test_a_changed_bid_has_a_new_seal_and_nobody_else_notices() -> None:
    log = bidding_log()
    bid(log, 0, "bid 1", NONCE)
    before = [told_to_all(log)[3 * place : 3 * place + 3] for place in range(len(audiences(log)))]
    bid(log, 0, "bid 0", "6b" * 32)
    after = [told_to_all(log)[3 * place : 3 * place + 3] for place in range(len(audiences(log)))]
    for place, seat in enumerate(audiences(log)):
        assert (before[place] == after[place]) == (seat != 0)
    assert log.happened[-1].seal == derive.seal("table", 0, "bid 0", "6b" * 32)


def test_seals_are_told_to_all_when_all_bids_are_in() -> None:
    log = bidding_log()
    for seat in range(3):
        bid(log, seat, "bid 0", NONCE if seat else None)
    for happened in log.happened[-3:]:
        if happened.entry.seat is not None:
            assert {happening(happened, seat).seal for seat in audiences(log)} == {happened.seal}
    assert len({happened.seal for happened in log.happened if happened.seal}) >= 3


def with_bot(log: Log, seat: int) -> Log:
    """Let a bot play on for a person."""
    entry(log, "lend", seat, {"bot": "level-1"})
    return log


def test_a_bot_is_bound_by_its_bid_at_once_and_everybody_is_told_its_seal() -> None:
    log = with_bot(bidding_log(), 1)
    bid(log, 1, "bid 1", None)
    bound = log.happened[-1]
    for seat in (0, 2, None):
        told = happening(bound, seat)
        assert (told.do, told.seal, told.at) == (None, bound.seal, 0.0)
    for seat in (0, 2):
        bid(log, seat, "bid 0", NONCE)
    shown = next(happened for happened in log.happened if happened.number == bound.number)
    assert {happening(shown, seat).seal for seat in audiences(log)} == {bound.seal}
    assert bound.seal == derive.seal("table", 1, "bid 1", shown.nonce or "")


def test_the_seal_of_a_bot_is_all_by_which_tables_differ_that_differ_in_its_bid() -> None:
    one = with_bot(bidding_log(), 1)
    other = one.copy()
    at = one.last + 5
    for log, do in ((one, "bid 0"), (other, "bid 1")):
        log.apply(read_row(log.length + 1, at, "play", 1, do, None))
    seals = [log.happened[-1].seal or "" for log in (one, other)]
    assert seals[0] != seals[1]
    for seat in (0, 2, None):
        for since in (0, one.number - 1, one.number):
            texts = [told(log, seat, since).decode() for log in (one, other)]
            assert texts[0].replace(seals[0], "seal") == texts[1].replace(seals[1], "seal")


def test_the_seal_of_a_bot_is_hidden_by_a_nonce_that_comes_from_the_secret() -> None:
    """Whoever knows everything but the secret can open none, without a nonce or with that of another secret."""
    log = with_bot(bidding_log(), 1)
    bid(log, 1, "bid 1", None)
    guessed = [bytes(31) + b"x", bytes.fromhex(log.commitment or "")]
    nonces = ["", NONCE, *(derive.own_nonce(guess, "table", len(log.happened) - 1, 1) for guess in guessed)]
    assert log.happened[-1].seal not in [derive.seal("table", 1, "bid 1", nonce) for nonce in nonces]
    assert log.happened[-1].nonce is not None
    assert not any(log.happened[-1].nonce in text.decode() for text in told_to_all(log))


def test_whoever_comes_back_cannot_change_what_a_bot_has_bid_for_them() -> None:
    log = with_bot(bidding_log(), 1)
    bid(log, 1, "bid 1", None)
    entry(log, "return", 1, {})
    assert other_choices(log, 1) == []
    with pytest.raises(Problem, match="not your turn"):
        check_not_final(log, 1)
    bid(log, 0, "bid 1", NONCE)
    check_not_final(log, 0)


def test_the_bid_of_a_person_who_took_over_from_a_bot_is_told_like_any_other() -> None:
    log = with_bot(bidding_log(), 1)
    entry(log, "return", 1, {})
    bid(log, 1, "bid 1", NONCE)
    assert [happening(log.happened[-1], seat).seal is None for seat in (0, 1, None)] == [True, False, True]


def test_what_is_not_sealed_has_no_seal() -> None:
    log = fair_log("patterns", 2)
    add_all(log)
    log.chance_entries(1000.0)
    seat = min(log.match.acting)
    assert seal_entries(log, seat, log.match.legal(seat)[0], NONCE) == []


def test_replaying_a_log_gives_the_same_seals() -> None:
    log = bidding_log()
    entries = [*seal_entries(log, 0, "bid 1", NONCE), entry(log, "play", 0, "bid 1")]
    assert [made.row().kind for made in entries] == ["seal", "play"]
    assert entries[0].n + 1 == entries[1].n
    assert log.happened[-1].nonce == NONCE


# --- At the table


def hidden(browser: Browser, table: str, file: Path) -> list[str]:
    """Return what must not be told while a game goes on: the secret, and what the browsers have added."""
    import sqlite3

    with sqlite3.connect(file) as database:
        (secret,) = database.execute("SELECT secret FROM matches WHERE id = ?", (table,)).fetchone()
        rows = database.execute("SELECT body FROM events WHERE match = ? AND kind IN ('nonce', 'seal')", (table,))
        return [secret.hex(), *(msgspec.json.decode(body)["nonce"] for (body,) in rows)]


def test_it_is_dealt_when_the_last_browser_has_added(host: Browser, guest: Browser) -> None:
    table = host.make("patterns", "Ann", "link")
    page = host.open(table, 0)
    key = host.keys(table)[1]
    guest.post(f"/api/tables/{table}/seats", name="Ben", key=key)
    waiting = page.until_people(lambda people: people["seats"][1]["kind"] == "person")
    assert waiting["stage"] == "gathering"
    assert [seat["ready"] for seat in waiting["seats"]] == [True, False]
    guest.add_nonces(table)
    page.until(lambda state: state["view"] is not None)
    assert page.until_people(lambda people: people["stage"] == "playing")["seats"][1]["ready"]


def test_the_commitment_stands_from_the_beginning_to_the_end(host: Browser, guest: Browser) -> None:
    table = host.make("patterns", "Ann", "link")
    shown = host.table(table)["commitment"]
    key = host.keys(table)[1]
    assert guest.get(f"/api/tables/{table}?key={key}")["commitment"] == shown
    guest.claim(table, "Ben", key)
    pages = [host.open(table, 0), guest.open(table, 1)]
    play(pages, random.Random(1))
    told = guest.get(f"/api/tables/{table}/fairness")
    assert told["proof"]["commitment"] == told["commitment"] == shown
    assert derive.commitment(table, bytes.fromhex(told["proof"]["secret"])) == shown
    assert pages[0].table["commitment"] == shown


def test_nothing_is_told_before_the_end_and_everything_after(serving: Serving, new_browser: NewBrowser) -> None:
    server = serving()
    people = [new_browser(server) for _ in range(3)]
    table = people[0].make("mozaika", "Ann", "link", "link")
    for seat, key in enumerate(people[0].keys(table)):
        if key is not None:
            people[seat].claim(table, f"Ben {seat}", key)
    watch = people[0].table(table)["watch_link"].rpartition("/")[2]
    pages = [person.open(table, seat) for seat, person in enumerate(people)]
    onlooker = new_browser(server)
    pages.append(onlooker.open(table, watch=watch))
    for page in pages[:3]:  # bids with nonces of their own
        page.until(lambda state: state["view"] is not None)
    play(pages[:3], random.Random(2), 12)
    sealed_bid(pages[:3])
    pages[3].settle()
    server.kill()
    server.start()
    for address in ("", "/fairness", "/replay", "/record", "/at/1"):
        for person in (*people, onlooker):
            answer = person.http.get(f"/api/tables/{table}{address}?watch={watch}")
            assert answer.status_code == (409 if address else 200)
            pages[0].told.append(answer.text)
    secret = hidden(people[0], table, server.file)
    assert len(secret) >= 5
    assert not [text for page in pages for text in page.told for part in secret if part in text]
    pages = [person.open(table, seat) for seat, person in enumerate(people)]
    play(pages, random.Random(2))
    told = onlooker.http.get(f"/api/tables/{table}/fairness").text
    assert all(part in told for part in secret)
    record = onlooker.http.get(f"/api/tables/{table}/record").json()
    assert judged(record) is None


def sealed_bid(pages: list[Any]) -> None:
    """Let everybody play on until one has bid with a nonce, and others have not."""
    play(pages, random.Random(5), stop=lambda state: len(state["acting"]) == 3 and state["view"]["phase"] == "bidding")
    page = pages[0]
    page.send(t="do", id="sealed", n=page.state["n"], seat=0, do=page.state["legal"][0], nonce=NONCE)
    state = page.until(lambda state: any(event["id"] == "sealed" for event in state["events"]))
    event = next(event for event in state["events"] if event["id"] == "sealed")
    assert event["seal"] == derive.seal(page.table["id"], 0, event["do"], NONCE)


def test_the_record_convinces_the_command_line(host: Browser, tmp_path: Path) -> None:
    table = host.make("mosaix", "Ann")
    page = host.open(table, 0)
    play([page], random.Random(1))
    record = host.http.get(f"/api/tables/{table}/record").json()
    assert judged(record) is None
    assert (record["fairness"]["table"], len(record["fairness"]["nonces"])) == (table, 1)


@pytest.mark.parametrize("nonce", ["", "5a", NONCE + "5a", NONCE.upper(), "x" * 64, NONCE[:-1] + "\n"])
def test_what_is_no_nonce_is_refused(nonce: str, host: Browser) -> None:
    table = waiting_table(host)
    wish = {"commitment": host.table(table)["commitment"], "nonces": {"0": nonce}}
    answer = host.post(f"/api/tables/{table}/nonces", **wish)
    assert (answer.status_code, answer.json()["reason"]) == (400, "table.nonce")
    assert not host.table(table)["seats"][0]["ready"]


def waiting_table(host: Browser) -> str:
    """Make a table that waits for what its maker's browser adds."""
    answer = host.post("/api/tables", game="mosaix", seats=[{"kind": "here", "name": "Ann"}])
    return str(answer.json()["id"])


def test_nobody_adds_for_another_seat_or_to_another_commitment(host: Browser, guest: Browser) -> None:
    table = waiting_table(host)
    commitment = host.table(table)["commitment"]
    for person, wish, reason in (
        (guest, {"commitment": commitment, "nonces": {"0": NONCE}}, "table.not-yours"),
        (host, {"commitment": commitment, "nonces": {"7": NONCE}}, "table.not-yours"),
        (host, {"commitment": "00" * 32, "nonces": {"0": NONCE}}, "table.commitment"),
        (host, {"commitment": commitment}, "table.format"),
    ):
        assert person.post(f"/api/tables/{table}/nonces", **wish).json()["reason"] == reason
    assert host.table(table)["stage"] == "gathering"


def test_the_first_nonce_stays(host: Browser) -> None:
    table = host.make("patterns", "Ann", "link")
    before = host.table(table)
    wish = {"commitment": before["commitment"], "nonces": {"0": NONCE}}
    assert host.post(f"/api/tables/{table}/nonces", **wish).status_code == 204
    assert host.table(table) == before


def test_a_bad_nonce_for_a_seal_is_refused_and_nothing_happens(host: Browser) -> None:
    table = host.make("mosaix", "Ann")
    page = host.open(table, 0)
    state = page.state
    page.send(t="do", id="1", n=state["n"], seat=0, do=state["legal"][0], nonce="short")
    assert page.next("refused")["reason"] == "table.nonce"
    assert page.look(0)["n"] == state["n"]


def test_the_way_of_dealing_is_not_for_the_page_to_choose(host: Browser) -> None:
    table = host.make("mosaix", "Ann", terms={"fair": 0})
    assert host.table(table)["terms"]["fair"] == derive.FAIR


def test_bots_alone_need_nobody(host: Browser) -> None:
    table = host.make("patterns", "bot:level-1", "bot:level-1")
    assert host.table(table)["stage"] != "gathering"


def test_a_game_from_before_has_no_proof() -> None:
    log = Log(facts("mosaix", 1))
    seat_everybody(log)
    log.chance_entries(1000.0)
    play_log(log, random.Random(1))
    assert (log.commitment, proof_of(log), record_keys(log)) == (None, None, {})


def test_pages_are_told_the_seals_of_bots_before_all_bids_are_in(
    host: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.server.site.PATIENCE", 300.0)  # the bot may have to be compiled first
    table = host.make("mozaika", "Ann", "Ben", "bot:level-1")
    pages = [host.open(table, seat) for seat in range(2)]
    luck, rounds = random.Random(5), 0
    while rounds < 2:
        if newest(pages)["view"]["phase"] != "bidding":
            play(pages, luck, moves=1)
            continue
        pages[0].until(lambda state: 2 not in state["acting"])  # the bot has bid, people have not
        play(pages, luck, stop=lambda state: state["view"]["phase"] != "bidding")
        rounds += 1
    events = [event for text in pages[0].told for event in json.loads(text).get("events", ())]
    sealed = {event["n"]: event["seal"] for event in events if event["by"] == 2 and event["do"] is None}
    shown = {event["n"]: event["seal"] for event in events if event["by"] == 2 and event["do"]}
    both = sealed.keys() & shown.keys()
    assert both
    assert all(sealed.values())
    assert all(sealed[number] == shown[number] for number in both)
    theirs = [event for text in pages[1].told for event in json.loads(text).get("events", ())]
    people = [event for event in events if event["by"] == 1 and event["do"] is None]  # whoever bids first is seen
    people += [event for event in theirs if event["by"] == 0 and event["do"] is None]
    assert people
    assert not any(event["seal"] for event in people)
