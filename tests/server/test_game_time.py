"""The time that games are played by: nobody loses any while nobody could act, and all processes have the same."""

from __future__ import annotations

import pytest

from smalti.server import game_time as module
from smalti.server.game_time import STANDSTILL, GameTime


class Clocks:
    """A wall clock and a monotonic one that a test moves on."""

    def __init__(self) -> None:
        self.wall, self.steady = 1_000_000.0, 500.0

    def time(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.steady

    def pass_on(self, seconds: float) -> None:
        """Let time pass."""
        self.wall += seconds
        self.steady += seconds


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    found = Clocks()
    monkeypatch.setattr(module, "time", found)
    return found


def watched(clocks: Clocks) -> GameTime:
    """Return the time of a process that is watched."""
    time = GameTime()
    time.beat()
    return time


def test_a_wall_clock_that_is_set_changes_nothing(clocks: Clocks) -> None:
    time = watched(clocks)
    clocks.wall += 3600
    clocks.pass_on(1)
    assert time.now() == 1_000_001


def test_time_stands_still_with_the_process_until_it_was_given_back(clocks: Clocks) -> None:
    time = watched(clocks)
    clocks.pass_on(25)
    assert (time.now(), time.held_back) == (1_000_000, 25)
    clocks.pass_on(1)
    assert time.now() == 1_000_001
    time.catch_up(25)
    assert time.now() == 1_000_026


def test_short_pauses_are_no_standstill(clocks: Clocks) -> None:
    time = watched(clocks)
    clocks.pass_on(STANDSTILL / 2)
    time.beat()
    clocks.pass_on(STANDSTILL / 2)
    assert (time.now(), time.held_back) == (1_000_000 + STANDSTILL, 0)


def test_time_stands_still_while_nothing_can_be_stored(clocks: Clocks) -> None:
    time = watched(clocks)
    clocks.pass_on(1)
    time.beat()
    begun = clocks.steady
    for _ in range(20):
        clocks.pass_on(1)
        time.beat()
        time.stall(begun)
        assert time.now() == 1_000_001
    time.go_on()
    assert (time.now(), time.held_back) == (1_000_001, 20)
    clocks.pass_on(1)
    assert time.now() == 1_000_002


def test_a_standstill_in_which_a_write_failed_counts_once(clocks: Clocks) -> None:
    time = watched(clocks)
    begun = clocks.steady
    clocks.pass_on(25)
    time.beat()
    time.stall(begun)  # a write that was on its way
    time.go_on()
    assert time.held_back == 25
    time.stall(clocks.steady)
    clocks.pass_on(25)
    time.beat()
    time.go_on()
    assert (time.now(), time.held_back) == (1_000_000, 50)


def test_nothing_stalls_where_nobody_watches(clocks: Clocks) -> None:
    time = GameTime()
    time.stall(clocks.steady)
    clocks.pass_on(5)
    assert time.now() == 1_000_005


def test_who_starts_takes_over_the_time_of_the_others(clocks: Clocks) -> None:
    for others in (1_000_000 - 3600, 1_000_000 + 3600):
        time = watched(clocks)
        time.adopt(others)
        assert (time.now(), time.held_back) == (others, 0)


@pytest.mark.parametrize(
    ("ahead", "goes_on", "held_back"),
    [
        pytest.param(-100, 0, 0, id="whoever is behind follows us"),
        pytest.param(0.5, 0.5, 0, id="clocks that drift"),
        pytest.param(600, 0, 600, id="our machine has slept: what passed is given back first"),
    ],
)
def test_other_processes_are_followed(ahead: float, goes_on: float, held_back: float, clocks: Clocks) -> None:
    time = watched(clocks)
    time.hear(1_000_000 + ahead)
    assert (time.now(), time.held_back) == (1_000_000 + goes_on, held_back)
    time.catch_up(held_back)
    assert time.now() == pytest.approx(1_000_000 + max(0, ahead))


def test_who_stands_still_is_not_behind_as_well(clocks: Clocks) -> None:
    time = watched(clocks)
    clocks.pass_on(25)
    time.beat()
    time.hear(1_000_025)
    assert time.held_back == 25
