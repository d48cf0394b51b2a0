"""What is hidden stays hidden: tables that differ only in a secret are told alike, byte for byte."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest

from smalti.server.archive.replays import line_of
from smalti.server.rooms.render import table_of
from smalti.server.table.entries import Facts
from smalti.server.table.log import Log
from tests.server.logs import HOLDER, audiences, facts, play_log, read_row, room_of, seat_everybody, seated, told

HANDS = ["open", "hidden"]


def at_the_bids(hands: str, seats: int = 4) -> Log:
    """Return a table where everybody has to bid, and can."""
    log = seated(facts("mozaika", seats, {"hands": hands}))
    play_log(log, random.Random(8), lambda log: len(log.match.acting) == seats and "bid 3" in log.match.legal(0))
    return log


def bid(log: Log, seat: int, coins: int, at: float) -> None:
    """Let a seat bid, or bid something else."""
    log.apply(read_row(log.length + 1, at, "play", seat, f"bid {coins}", f"secret id {seat} {at}"))


def everything_told(log: Log, *, but: int) -> Iterator[bytes]:
    """Yield all that anybody but one seat can be told, whatever they know already."""
    for seat in audiences(log):
        if seat != but:
            for since in range(log.number + 1):
                yield told(log, seat, since)
    for holder in (None, "somebody"):
        yield msgspec.json.encode(table_of(log, holder, [False] * log.facts.seats, 0))


def assert_told_alike(one: Log, other: Log, *, but: int) -> None:
    """Compare what anybody but one seat is told."""
    assert one.number == other.number
    assert list(everything_told(one, but=but)) == list(everything_told(other, but=but))


@pytest.mark.parametrize("hands", HANDS)
def test_a_sealed_bid_tells_nobody_anything(hands: str) -> None:
    one = at_the_bids(hands)
    other = one.copy()
    bid(one, 1, 3, at=5000.0)
    bid(other, 1, 0, at=5000.0)
    assert_told_alike(one, other, but=1)
    assert told(one, 1) != told(other, 1)
    for seat in (0, 3):
        for log in (one, other):
            bid(log, seat, 1, at=5001.0)
        assert_told_alike(one, other, but=1)


@pytest.mark.parametrize("hands", HANDS)
def test_a_changed_bid_tells_nobody_anything_not_even_that_it_was_changed(hands: str) -> None:
    one = at_the_bids(hands)
    other = one.copy()
    for log in (one, other):
        bid(log, 1, 3, at=5000.0)
        bid(log, 2, 2, at=5001.0)
    for coins in (1, 2, 3, 0):
        bid(other, 1, coins, at=5002.0 + coins)
        assert_told_alike(one, other, but=1)
    bid(one, 0, 0, at=5010.0)
    bid(other, 0, 0, at=5010.0)
    assert_told_alike(one, other, but=1)


@pytest.mark.parametrize("hands", HANDS)
def test_once_shown_a_changed_bid_is_as_if_it_had_been_made_so_at_first(hands: str) -> None:
    one = at_the_bids(hands, 3)
    other = one.copy()
    bid(one, 1, 3, at=5000.0)
    bid(other, 1, 2, at=5000.0)
    bid(other, 1, 3, at=5005.0)
    for seat in (0, 2):
        bid(one, seat, 1, at=5010.0)
        bid(other, seat, 1, at=5010.0)
    assert not one.sealed
    assert_told_alike(one, other, but=1)


def test_a_changed_bid_is_not_told_by_the_list_of_tables() -> None:
    one = at_the_bids("open")
    bid(one, 1, 3, at=5000.0)
    other = one.copy()
    bid(other, 1, 2, at=5005.0)
    lines = [line_of(room_of(log), "somebody else's holder") for log in (one, other)]
    assert lines[0] == lines[1]


@pytest.mark.parametrize("hands", HANDS)
def test_bids_are_told_again_with_their_text_once_all_are_in(hands: str) -> None:
    log = at_the_bids(hands, 3)
    before = log.number
    for seat in (2, 0):
        bid(log, seat, seat, at=5000.0 + seat)
    known = log.number
    for audience in (None, 1):
        events = msgspec.json.decode(told(log, audience, before))["events"]
        made = [event for event in events if event["n"] > before]
        assert [(event["by"], event["do"], event["at"], event["id"]) for event in made] == [
            (2, None, 0.0, None),
            (0, None, 0.0, None),
        ]
    bid(log, 1, 1, at=5009.0)
    for audience in (None, 1):
        events = msgspec.json.decode(told(log, audience, known))["events"]
        shown = [(event["n"], event["by"], event["do"]) for event in events if event["n"] > before]
        assert shown == [(before + 1, 2, "bid 2"), (before + 2, 0, "bid 0"), (before + 3, 1, "bid 1")]


def test_whoever_decided_under_seal_sees_it_and_what_else_it_could_be() -> None:
    log = at_the_bids("open")
    could = log.match.legal(2)
    bid(log, 2, 3, at=5000.0)
    state = msgspec.json.decode(told(log, 2, log.number))
    assert [event["do"] for event in state["events"]] == ["bid 3"]
    assert sorted([*state["change"], "bid 3"]) == sorted(could)
    assert state["secret"]
    assert state["asked"] == log.number
    assert msgspec.json.decode(told(log, 1, 0))["change"] == []


# --- Hidden hands


def dealt(given: Facts, hands: list[list[str]]) -> Log:
    """Return a table where these hands were dealt."""
    log = Log(given)
    seat_everybody(log)
    log.last = 4000.0
    text = "deal " + " ".join(tile for hand in hands for tile in hand)
    log.apply(read_row(log.length + 1, 4000.0, "play", None, text, None))
    return log


def test_hidden_hands_and_the_deal_tell_the_others_nothing() -> None:
    given = facts("mozaika", 3, {"hands": "hidden"})
    mine, some, others = ["R1", "B2", "Y3", "Y4"], ["R2", "R3", "R4", "B1"], ["Y1", "Y2", "B3", "B4"]
    one, other = dealt(given, [mine, some, others]), dealt(given, [mine, others, some])
    for seat in (0, None):
        for since in range(one.number + 1):
            assert told(one, seat, since) == told(other, seat, since)
    assert told(one, 1) != told(other, 1)
    assert msgspec.json.decode(told(one, 0))["events"][-1]["do"] is None
    assert b"R4" not in told(one, 0)
    assert b'"Y3"' in told(one, 0)
    public = dealt(facts("mozaika", 3), [mine, some, others])
    assert b"deal R1 B2 Y3 Y4 R2" in told(public, None)


def test_at_the_end_everything_is_shown() -> None:
    log = seated(facts("mozaika", 3, {"hands": "hidden"}))
    play_log(log, random.Random(4))
    for seat in audiences(log):
        state = msgspec.json.decode(told(log, seat, 0))
        assert [(event["by"], event["do"]) for event in state["events"]] == [tuple(e) for e in log.match.events]
        late = msgspec.json.decode(told(log, seat, log.number - 1))["events"]
        assert log.match.events[0].do in [event["do"] for event in late], "the deal is shown late"


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_whoever_knows_everything_is_told_nothing_again(seat: int | None) -> None:
    log = seated(facts("mozaika", 3, {"hands": "hidden"}))
    play_log(log, random.Random(4), lambda log: log.length > 40 and not log.sealed)
    assert msgspec.json.decode(told(log, seat, log.number))["events"] == []


def test_no_message_holds_a_secret_of_the_server() -> None:
    secret, key = bytes(range(32)), bytes(range(100, 132))
    given = facts("mozaika", 3, secret=secret)
    log = seated(Facts(**{**given.__dict__, "key": key}))
    play_log(log, random.Random(4), lambda log: log.length > 60)
    messages = list(everything_told(log, but=-1))
    messages += [msgspec.json.encode(table_of(log, holder, [True] * 3, 1)) for holder in (HOLDER, "x")]
    for message in messages:
        for hidden in (secret.hex(), key.hex(), HOLDER, repr(secret)[2:-1], "secret id"):
            assert hidden.encode() not in message
