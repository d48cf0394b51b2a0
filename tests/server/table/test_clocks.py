"""The arithmetic of clocks: whose time runs, what is left of it, and that it is the same after every replay."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from smalti.engine.errors import SmaltiError
from smalti.server.problems import Problem
from smalti.server.rooms.render import clocks_of, other_choices, own_time
from smalti.server.table.clocks import LEAST, Clocks, check_time, checked_clock, first_clocks, ticked
from smalti.server.table.entries import Entry
from smalti.server.table.log import Log
from smalti.server.table.takebacks import free_target
from smalti.server.table.terms import Clock, Terms
from tests.server.logs import facts, next_play, read_row, told_to_all

LIVE, SLOW = Clock("live", 60, 5), Clock("slow", 3600)

# What happens to two seats. Each line: when, whose time runs from then on, who has decided (or "0 late", "pause",
# "resume"), and what both have left then.
STORIES: dict[str, tuple[Clock, list[tuple[float, str, str, str]]]] = {
    "nothing runs while people gather": (LIVE, [(100, "", "", "60 60"), (5000, "", "", "60 60")]),
    "time runs for who must act": (
        LIVE,
        [(0, "0", "", "60 60"), (7.5, "1", "0", "57.5 60"), (9, "0", "1", "57.5 63.5")],
    ),
    "several at once": (LIVE, [(0, "01", "", "60 60"), (4, "0", "1", "56 61"), (10, "01", "0", "55 61")]),
    "no increment": (Clock("live", 60), [(0, "0", "", "60 60"), (20, "1", "0", "40 60"), (80, "0", "1", "40 0")]),
    "slow: all time anew": (
        SLOW,
        [(0, "01", "", "3600 3600"), (600, "1", "0", "3600 3000"), (700, "01", "1", "3600 3600")],
    ),
    "a pause stops all": (
        LIVE,
        [
            (0, "01", "", "60 60"),
            (10, "01", "pause", "50 50"),
            (900, "01", "resume", "50 50"),
            (901, "0", "1", "49 54"),
        ],
    ),
    "a pause in a slow game": (
        SLOW,
        [(0, "0", "", "3600 3600"), (9, "0", "pause", "3591 3600"), (99, "0", "resume", "3591 3600")],
    ),
    "nothing below zero": (LIVE, [(0, "01", "", "60 60"), (100, "0", "1", "0 5")]),
    "late: enough for the next decision": (
        LIVE,
        [
            (0, "0", "", "60 60"),
            (61, "0", "0 late", f"{LEAST} 60"),
            (61, "1", "0", f"{LEAST} 60"),
            (62, "0", "1", f"{LEAST} 64"),
        ],
    ),
    "late in a slow game": (
        SLOW,
        [(0, "0", "", "3600 3600"), (3601, "0", "0 late", "3600 3600"), (3601, "1", "0", "3600 3600")],
    ),
    "a time before the last one changes nothing": (
        LIVE,
        [(50, "0", "", "60 60"), (49, "0", "", "60 60"), (51, "0", "", "59 60")],
    ),
}


def told(clocks: Clocks, what: str) -> Clocks:
    """Let one thing happen on clocks that have been settled."""
    if what in ("pause", "resume"):
        return replace(clocks, paused=what == "pause")
    if what.endswith("late"):
        return clocks.ran_out(int(what[0]), "move")
    return clocks.decided(int(what)) if what else clocks


@pytest.mark.parametrize("story", STORIES)
def test_what_is_left(story: str) -> None:
    clock, lines = STORIES[story]
    clocks = first_clocks(clock, 2, 0.0)
    assert clocks
    for at, running, what, left in lines:
        clocks = ticked(told(clocks.settled(at), what), at, frozenset(map(int, running)))
        assert " ".join(f"{seconds:g}" for seconds in clocks.left) == left, (at, what)


def test_the_first_clock_that_runs_out() -> None:
    clocks = Clocks(LIVE, 1000.0, (30.0, 20.0, 10.0), frozenset({0, 1}), late=(None,) * 3)
    assert clocks.due == 1020.0
    assert [clocks.late_seats(at) for at in (1019.999, 1020.0, 1030.0)] == [[], [1], [0, 1]]
    assert clocks.running_for(()).due is None
    assert first_clocks(None, 2, 0.0) is None


def test_who_comes_too_late_or_in_a_pause_is_refused() -> None:
    clocks = Clocks(LIVE, 1000.0, (30.0, 20.0), frozenset({0, 1}), late=(None, None))
    check_time(clocks, 1, 1019.999)
    check_time(None, 1, 1e9)
    with pytest.raises(Problem, match="run out"):
        check_time(clocks, 1, 1020.0)
    with pytest.raises(Problem, match="paused"):
        check_time(replace(clocks, paused=True), 0, 1000.0)


@pytest.mark.parametrize(
    "clock",
    [
        Clock("live", 4),
        Clock("live", -1),
        Clock("live", 60, -1),
        Clock("live", 60, 3601),
        Clock("slow", 3600, 5),
        Clock("slow", 31 * 86_400),
    ],
)
def test_a_clock_that_nobody_can_play_with_is_refused(clock: Clock) -> None:
    with pytest.raises(Problem):
        checked_clock(clock)


def test_usual_clocks_are_taken() -> None:
    for clock in (None, Clock("live", 300, 5), Clock("live", 900), Clock("slow", 86_400), Clock("slow", 30 * 86_400)):
        assert checked_clock(clock) == clock


# --- In a log


def timed_log(game: str, seats: int, clock: Clock = LIVE, bots: Sequence[int] = (), **terms: Any) -> Log:
    """Return a log with clocks, everybody seated at 1000 and the first chance drawn."""
    log = Log(replace(facts(game, seats), terms=Terms(clock=clock, **terms)))
    for seat in range(seats):
        body = {"bot": "level-1"} if seat in bots else {"name": f"Ann {seat}", "holder": "ann"}
        happen(log, 1000.0, "bot" if seat in bots else "sit", seat, msgspec.json.encode(body).decode())
    log.chance_entries(1000.0)
    return log


def happen(log: Log, at: float, kind: str, seat: int | None = None, body: str = "{}") -> Entry:
    """Let something happen at a time."""
    made = read_row(log.length + 1, at, kind, seat, body, None)
    log.apply(made)
    return made


def left(log: Log, at: float) -> list[float | None]:
    return clocks_of(log, at).left


def at_the_bids(clock: Clock = LIVE) -> Log:
    """Return a table of Mozaika with four seats that have to bid, and can; nobody's time has run yet."""
    log, luck = timed_log("mozaika", 4, clock), random.Random(8)
    while len(log.match.acting) < 4 or "bid 3" not in log.match.legal(0):
        seat = luck.choice(sorted(log.match.acting))
        happen(log, 1000.0, "play", seat, luck.choice(log.match.legal(seat)))
        log.chance_entries(1000.0)
    assert log.clocks
    log.clocks = replace(log.clocks, left=(60.0,) * 4)
    return log


def test_nothing_runs_before_the_game_and_after_it() -> None:
    log = Log(replace(facts("patterns", 2), terms=Terms(clock=LIVE)))
    happen(log, 1000.0, "sit", 0, '{"name": "Ann", "holder": "ann"}')
    assert log.due is None
    happen(log, 2000.0, "sit", 1, '{"name": "Ben", "holder": "ben"}')
    log.chance_entries(2000.0)
    assert log.due == 2060.0
    luck, at = random.Random(3), 2000.0
    while not log.match.is_over:
        seat, at = min(log.match.acting), at + 1
        happen(log, at, "play", seat, luck.choice(log.match.legal(seat)))
        log.chance_entries(at)
    assert log.due is None
    assert own_time(log, [0, 1], at) is None


def test_bots_have_no_clock() -> None:
    log = timed_log("patterns", 2, bots=[1])
    luck = random.Random(1)
    for at in range(1001, 1012):
        seat = min(log.match.acting)
        happen(log, float(at), "play", seat, luck.choice(log.match.legal(seat)))
        log.chance_entries(float(at))
        assert log.clocks
        assert log.clocks.running == (frozenset({0}) if 0 in log.match.acting else frozenset())
        assert clocks_of(log, float(at)).left[1] is None


def test_all_who_bid_are_waited_for_at_once() -> None:
    log = at_the_bids()
    assert log.clocks
    assert log.clocks.running == frozenset(range(4))
    happen(log, 1010.0, "play", 2, "bid 1")
    assert left(log, 1015.0) == [45.0, 45.0, 55.0, 45.0]
    assert log.due == 1060.0


def test_changing_a_bid_starts_no_clock_and_nobody_can_tell() -> None:
    log = at_the_bids(Clock("live", 60, 7))
    happen(log, 1010.003, "play", 2, "bid 1")
    other = log.copy()
    happen(other, 1011.1, "play", 2, "bid 2")
    happen(other, 1012.7, "play", 2, "bid 3")
    for twin in (log, other):
        happen(twin, 1020.017, "play", 0, "bid 1")
    assert clocks_of(log, 1033.3) == clocks_of(other, 1033.3)
    assert log.due == other.due
    for twin in (log, other):
        for seat in (1, 3):
            happen(twin, 1040.0, "play", seat, "bid 0")
        twin.chance_entries(1040.0)
    assert clocks_of(log, 1050.0) == clocks_of(other, 1050.0)


def test_who_was_late_cannot_change_what_the_bot_bid() -> None:
    log = at_the_bids()
    happen(log, 1061.0, "late", 2, '{"did": "move"}')
    happen(log, 1061.0, "play", 2, "bid 1")
    assert other_choices(log, 2) == []
    with pytest.raises(SmaltiError, match="run out"):
        happen(log.copy(), 1062.0, "play", 2, "bid 2")
    happen(log, 1062.0, "play", 1, "bid 1")
    assert other_choices(log, 1)
    assert [happened.late for happened in log.happened[-2:]] == [True, False]


def test_a_late_seat_is_told_until_it_acts_again() -> None:
    log, luck = timed_log("patterns", 2), random.Random(2)
    seat = min(log.match.acting)
    happen(log, 1061.0, "late", seat, '{"did": "move"}')
    happen(log, 1061.0, "play", seat, luck.choice(log.match.legal(seat)))
    log.chance_entries(1061.0)
    assert clocks_of(log, 1061.0).late[seat] == "move"
    assert left(log, 1061.0)[seat] == LEAST
    while seat not in log.match.acting:
        happen(log, 1062.0, "play", 1 - seat, luck.choice(log.match.legal(1 - seat)))
        log.chance_entries(1062.0)
    happen(log, 1063.0, "play", seat, luck.choice(log.match.legal(seat)))
    assert clocks_of(log, 1063.0).late[seat] is None
    assert not log.happened[-1].late


def test_a_seat_that_a_bot_has_taken_over_has_no_clock_until_its_person_is_back() -> None:
    log = timed_log("patterns", 2, late="seat")
    seat = min(log.match.acting)
    happen(log, 1061.0, "late", seat, '{"did": "seat"}')
    happen(log, 1061.0, "lend", seat, '{"bot": "level-4"}')
    assert left(log, 1100.0)[seat] is None
    assert clocks_of(log, 1100.0).late[seat] == "seat"
    assert log.due is None
    happen(log, 1200.0, "return", seat)
    assert log.due == 1200.0 + LEAST
    assert clocks_of(log, 1200.0).late[seat] is None


def test_nobody_gains_time_by_going_back() -> None:
    for clock in (LIVE, Clock("slow", 60)):
        log = timed_log("patterns", 2, clock)
        while log.match.acting != {0}:
            happen(log, 1000.0, "play", 1, log.match.legal(1)[0])
            log.chance_entries(1000.0)
        before, count = left(log, 1020.0), len(log.match.events)
        for move in log.match.legal(0)[:3]:
            happen(log, 1020.0, "play", 0, move)
            happen(log, 1020.0, "back", 0, msgspec.json.encode({"to": count}).decode())
            assert left(log, 1020.0) == before
        assert log.clocks
        assert log.clocks.running == frozenset({0})


def test_what_a_bot_played_for_somebody_late_is_not_theirs_to_take_back() -> None:
    log = timed_log("patterns", 2)
    seat = min(log.match.acting)
    happen(log, 1061.0, "late", seat, '{"did": "move"}')
    happen(log, 1061.0, "play", seat, log.match.legal(seat)[0])
    assert free_target(log, seat) is None


def test_nobody_can_do_anything_in_a_pause() -> None:
    log = at_the_bids()
    happen(log, 1001.0, "play", 2, "bid 1")
    happen(log, 1010.0, "pause")
    assert log.due is None
    assert clocks_of(log, 5000.0).paused
    assert left(log, 5000.0) == [50.0, 50.0, 64.0, 50.0]
    assert other_choices(log, 2) == []
    happen(log, 5000.0, "resume")
    assert left(log, 5001.0) == [49.0, 49.0, 64.0, 49.0]
    assert other_choices(log, 2)


@pytest.mark.parametrize("game", ["mosaix", "mozaika", "patterns"])
def test_clocks_are_the_same_after_every_replay(game: str) -> None:
    log, luck, at = timed_log(game, 2 if game != "mozaika" else 3), random.Random(4), 1000.0
    entries: list[Entry] = []
    for _ in range(60):
        if log.match.is_over:
            break
        at = round(at + luck.random() * 3, 3)
        seat, do = next_play(log, luck)
        if luck.random() < 0.1 and log.clocks and seat in log.clocks.running:
            entries.append(happen(log, at, "late", seat, '{"did": "move"}'))
        entries.append(happen(log, at, "play", seat, do))
        entries += log.chance_entries(at)
    again = timed_log(game, log.facts.seats)
    again.extend(entries)
    assert again.clocks == log.clocks
    assert told_to_all(again) == told_to_all(log)
