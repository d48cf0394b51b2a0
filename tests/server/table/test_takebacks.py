"""Taking back: what is free, what is asked for, that nothing is shown by it, and that what stands is all there is."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from smalti import games, record_of
from smalti.engine.errors import BadInput
from smalti.engine.records import parse, verify
from smalti.server.archive.replays import people_of
from smalti.server.rooms.render import Rendering
from smalti.server.table.entries import Entry
from smalti.server.table.log import Log
from smalti.server.table.takebacks import asked_target, finality, free_target, takebacks_of, way_back
from tests.server.logs import (
    audiences,
    entry,
    facts,
    next_play,
    play_log,
    read_row,
    seat_everybody,
    seated,
    told,
    told_to_all,
)

TABLES = [
    ("mosaix", 1, {}),
    ("mosaix", 3, {}),
    ("patterns", 2, {}),
    ("mozaika", 3, {}),
    ("mozaika", 4, {"hands": "hidden"}),
]


def act(log: Log, luck: random.Random) -> list[Entry]:
    """Let something happen: mostly a move, now and then a step back, free or agreed."""
    seats = list(range(log.facts.seats))
    targets = {seat: target for seat in seats if (target := free_target(log, seat)) is not None}
    asked = {seat: target for seat in seats if (target := asked_target(log, seat)) is not None}
    chosen = targets if targets and luck.random() < 0.3 else asked if asked and luck.random() < 0.25 else {}
    if chosen:
        seat = luck.choice(sorted(chosen))
        return [entry(log, "back", seat, {"to": chosen[seat]}, f"id {log.length}")]
    seat, do = next_play(log, luck)
    made = [entry(log, "play", seat, do, f"id {log.length}")]
    return made + log.chance_entries(made[-1].at)


def straight(log: Log) -> Log:
    """Return a log to which only happened what stands."""
    plain = Log(log.facts)
    seat_everybody(plain)
    for happened in log.happened:
        if happened.stands:
            plain.apply(happened.entry._replace(n=plain.length + 1))
    return plain


def replayed(log: Log, entries: list[Entry]) -> Log:
    again = Log(log.facts)
    again.extend(entries)
    return again


def known(log: Log) -> tuple[Any, ...]:
    """Return what decides about the rest of a game."""
    sealed = {seat: log.happened[place].do for seat, place in log.sealed.items()}
    withheld = [log.happened[place].do for place in log.history.withheld]
    return log.match.events, bytes(log.match.table.tobytes()), log.acting, sealed, withheld


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_after_any_takebacks_of_only_what_stands_counts(game: str, seats: int, options: dict[str, str]) -> None:
    luck, gone = random.Random(f"{game} {seats}"), 0
    for number in range(3):
        given = facts(game, seats, options, secret=bytes([number]) * 32)
        log = Log(given)
        entries = seat_everybody(log)
        entries += log.chance_entries(0)
        for _ in range(60):
            if log.stage == "over":
                break
            entries += act(log, luck)
            assert known(log) == known(straight(log))
            assert all(log.happened[place].secret for place in [*log.sealed.values(), *log.history.withheld])
        gone += sum(happened.gone is not None for happened in log.happened)
        again = replayed(log, entries)
        assert told_to_all(again) == told_to_all(log)
        assert known(again) == known(log)
        assert [view_of(log, seat) for seat in audiences(log)] == [
            view_of(straight(log), seat) for seat in audiences(log)
        ]


def view_of(log: Log, seat: int | None) -> Any:
    state = json.loads(told(log, seat))
    return {key: state[key] for key in ("view", "acting", "legal", "change", "secret", "score", "scores")}


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_pages_that_know_everything_before_are_told_what_is_gone(
    game: str, seats: int, options: dict[str, str]
) -> None:
    """What a page pieces together from what it was told bit by bit is what it would be told at once."""
    luck = random.Random(f"pages {game} {seats}")
    log = seated(facts(game, seats, options))
    pages: dict[int | None, dict[int, Any]] = {seat: {} for seat in audiences(log)}
    since = 0
    for _ in range(60):
        if log.stage == "over":
            break
        for seat, page in pages.items():
            page.update({event["n"]: event for event in json.loads(told(log, seat, since))["events"]})
            assert list(page.values()) == json.loads(told(log, seat))["events"]
        since = log.number
        act(log, luck)


def test_a_step_is_free_until_another_acts() -> None:
    log = seated(facts("patterns", 2))
    (first,) = log.match.acting
    entry(log, "play", first, log.match.legal(first)[0])
    assert [way_back(log, seat) for seat in (first, 1 - first)] == ["free", ""]
    entry(log, "play", 1 - first, log.match.legal(1 - first)[0])
    assert [way_back(log, seat) for seat in (first, 1 - first)] == ["ask", "free"]


def test_a_step_is_free_until_chance_acts_and_one_after_the_other() -> None:
    log = seated(facts("mosaix", 1))
    start = log.match.events.copy()
    for _ in range(2):  # a form, then its place
        entry(log, "play", 0, log.match.legal(0)[0])
        assert way_back(log, 0) == "free"
    for _ in range(2):
        entry(log, "back", 0, {"to": free_target(log, 0)})
    assert log.match.events == start
    assert way_back(log, 0) == ""
    for _ in range(2):
        entry(log, "play", 0, log.match.legal(0)[0])
    log.chance_entries(1.0)
    assert way_back(log, 0) == "ask"
    assert asked_target(log, 0) == len(start) + 1


def test_what_another_has_shown_by_acting_and_going_back_is_not_unlearned() -> None:
    log = seated(facts("patterns", 2))
    (first,) = log.match.acting
    for seat in (first, 1 - first):
        entry(log, "play", seat, log.match.legal(seat)[0])
    entry(log, "back", 1 - first, {"to": free_target(log, 1 - first)})
    assert way_back(log, first) == "ask"


def test_the_same_roll_comes_again() -> None:
    log = seated(facts("mosaix", 1))
    play_log(log, random.Random(1), lambda log: len(log.match.events) > 6)
    before = list(log.match.events)
    last = max(place for place, event in enumerate(before) if event.by == 0)
    entry(log, "back", 0, {"to": last})
    assert log.match.events == before[:last]
    for event in before[last:]:
        if event.by is not None:
            entry(log, "play", event.by, event.do)
            log.chance_entries(3.0)
    assert log.match.events == before


def bidding() -> Log:
    """A table of Mozaika where everybody has to bid."""
    log = seated(facts("mozaika", 3))
    play_log(log, random.Random(4), is_bidding)
    return log


def is_bidding(log: Log) -> bool:
    """Say whether everybody has to bid, and nobody has yet."""
    return len(log.match.acting) == 3 and log.match.legal(0)[0].startswith("bid")


def test_a_sealed_bid_is_changed_and_not_taken_back() -> None:
    log = bidding()
    entry(log, "play", 1, "bid 1")
    assert way_back(log, 1) == ""
    assert free_target(log, 1) is None


def test_going_back_to_a_bid_that_was_shown_lets_everybody_bid_anew() -> None:
    log = bidding()
    for seat in (2, 0, 1):
        entry(log, "play", seat, f"bid {seat}")
    assert free_target(log, 1) is None  # all have been shown
    target = asked_target(log, 1)
    assert target is not None
    entry(log, "back", 1, {"to": target})
    assert log.match.acting == {0, 1, 2}
    assert not log.sealed
    gone = [happened for happened in log.happened if happened.gone]
    assert [happened.do for happened in gone] == ["bid 2", "bid 0", "bid 1"]
    assert not any(happened.secret for happened in gone)  # known before, known now


def test_a_sealed_bid_that_is_undone_is_never_shown() -> None:
    """Two tables that differ only in a sealed bid that somebody else's step back undid look the same to the others."""
    logs = [undone("bid 0"), undone("bid 2")]
    for audience in (None, 0, 2):
        for since in range(logs[0].number + 1):
            assert told(logs[0], audience, since) == told(logs[1], audience, since)
    assert told(logs[0], 1) != told(logs[1], 1)
    for log in logs:
        (step,) = takebacks_of(log)
        assert {"by": 1, "do": None} in step["events"]


def undone(bid: str) -> Log:
    log = bidding()
    by = next(happened.entry.seat for happened in reversed(log.happened) if happened.entry.seat in (0, 2))
    assert by is not None
    target = asked_target(log, by)
    at = log.happened[-1].entry.at + 1
    log.apply(read_row(log.length + 1, at, "play", 1, bid, "mine"))
    log.apply(read_row(log.length + 1, at + 1, "back", by, json.dumps({"to": target}), None))
    timed = {
        place: replace(happened, entry=happened.entry._replace(at=float(place)))
        for place, happened in enumerate(log.happened)
    }
    log.history = log.history.with_changed(timed)  # so that two tables can be compared byte for byte
    return log


def test_what_answers_an_older_state_is_too_late_after_a_step_back() -> None:
    log = seated(facts("patterns", 2))
    seat = min(log.match.acting)
    number = log.number
    entry(log, "play", seat, log.match.legal(seat)[0], "first")
    entry(log, "back", seat, {"to": len(log.match.events) - 1}, "back")
    assert log.asked == (log.number,) * 2
    assert log.asked[seat] > number
    assert (seat, "first") in log.ids  # a second sending does nothing
    assert (seat, "back") in log.ids


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_a_record_holds_what_stands_and_beside_it_what_was_taken_back(
    game: str, seats: int, options: dict[str, str]
) -> None:
    luck = random.Random(f"record {game}")
    log = seated(facts(game, seats, options))
    for _ in range(25):
        if log.stage != "over":
            act(log, luck)
    play_log(log, luck, lambda log: log.stage == "over")
    steps = takebacks_of(log)
    assert steps
    record = parse(record_of(log.match, **people_of(log)).text())
    assert verify(record, games.find).events == log.match.events
    assert record.extra["taken_back"] == steps
    assert sum(len(step["events"]) for step in steps) == sum(happened.gone is not None for happened in log.happened)


def test_what_finality_is_what_chance_a_reveal_or_the_end_follows() -> None:
    found = set()
    for game, seats, options in TABLES:
        luck = random.Random(f"final {game} {seats}")
        log = seated(facts(game, seats, options))
        while not log.match.is_over:
            seat, do = next_play(log, luck)
            if seat not in log.match.acting:  # changes a sealed decision
                entry(log, "play", seat, do)
                continue
            final = finality(log.match, seat, [do])
            found.add(final)
            entry(log, "play", seat, do)
            can_go_back = free_target(log, seat) is not None or seat in log.sealed
            assert bool(final) == (log.match.awaits_chance or not can_go_back)
            log.chance_entries(1.0)
    assert found == {"", "chance", "shown", "over"}


def test_what_finality_is_asked_for_moves_in_a_row() -> None:
    log = seated(facts("mosaix", 1))
    moves = []
    trial = log.match.copy()
    while not trial.awaits_chance:
        moves.append(trial.legal(0)[0])
        trial.play(0, moves[-1])
    assert finality(log.match, 0, moves)
    assert not finality(log.match, 0, moves[:-1])
    with pytest.raises(BadInput):
        finality(log.match, 0, ["nonsense"])


def test_scenes_say_whether_there_is_a_way_back() -> None:
    log = seated(facts("patterns", 2))
    seat = min(log.match.acting)
    assert Rendering(log).state(seat, 0).back == ["", ""]
    entry(log, "play", seat, log.match.legal(seat)[0])
    for audience in (None, 0, 1):
        assert Rendering(log).state(audience, 0).back == ["free" if place == seat else "" for place in (0, 1)]
