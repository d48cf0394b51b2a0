"""The table of strength: commands that the arena understands, figures picked from what it says, floors met or not."""

from __future__ import annotations

import json

import pytest
from bench import strength, strength_report, strength_runs
from bench.strength import ROWS, STEPS, Floor, Row

from smalti import games
from smalti.arena import players
from smalti.engine.errors import BadInput

FOUND = {
    "command": "smalti arena patterns a b",
    "games": 400,
    "figures": {
        "share": {"value": 0.97, "low": 0.95, "high": 0.99},
        "points": {"value": -1.0, "low": -2.0, "high": 0.0},
    },
    "ms a move": {"a": {"mean": 100.0, "most": 120.0}, "b": {"mean": 90.0, "most": 130.0}},
    "minutes": 3.5,
    "day": "2026-01-01",
}


@pytest.mark.parametrize("row", ROWS + STEPS, ids=lambda row: row.name)
def test_every_row_can_be_played(row: Row) -> None:
    assert row.seats in games.find(row.game).seats
    for entrant in row.entrants:
        players.check(entrant, row.game, row.seats, {})
    words = row.words(0.5, 1, 7)
    assert words[words.index("--games") + 1] == str(max(strength.FEWEST, row.games // 2))
    assert words[-2:] == ["--seed", "7"]


def test_rows_are_chosen_by_words() -> None:
    assert {row.game for row in strength.chosen("mosaix")} == {"mosaix"}
    assert [row.seats for row in strength.chosen("mosaix --solo")] == [1, 1]
    assert len(strength.chosen("patterns level-")) == 7
    assert strength.chosen("chess") == []


def test_floors_are_met_or_not() -> None:
    row = Row("patterns", ("a", "b"), 400, (Floor("share", 0.96), Floor("points", 0.0), Floor("mean", 1.0)))
    first, second, third = strength_report.lines_of(row, FOUND)
    assert first[3:] == ["share ≥ 96 %", "97 % [95 %, 99 %]", "met", "400", "100, 120; 90, 130"]
    assert second[3:6] == ["points ≥ +0.0", "-1.0 [-2.0, +0.0]", "**not met**"]
    assert third[4] == "not measured"
    assert next(strength_report.lines_of(row, None))[4] == "not measured"


@pytest.mark.parametrize(
    ("elo", "said"),
    [
        ({"value": 120.4, "low": 60.0, "high": 180.0}, "+120 [+60, +180]"),
        ({"value": None, "low": 300.0, "high": None}, "above +300"),
    ],
)
def test_steps_between_levels_are_told(elo: dict[str, float | None], said: str) -> None:
    found = {STEPS[7].name: {"figures": {"elo": elo}}}
    _, heads, lines = strength_report.levels(STEPS, found)
    assert heads == ["level", "mosaix, 2 seats", "mozaika, 3 seats", "patterns, 2 seats"]
    assert lines[0] == ["2 above 1", "not measured", said, "not measured"]


def test_figures_are_picked_from_what_the_arena_says() -> None:
    solo = {"mean": 140.0, "error": 1.0, "deviation": 9.0, "won": 0.9, "brilliant": 0.5, "ms a turn": 3.0, "games": 50}
    found = strength_runs.figures_of({"solo": [solo]})
    assert found["mean"] == {"value": 140.0, "low": 139.0, "high": 141.0}
    assert found["120 or more"]["low"] < 0.9 < found["120 or more"]["high"]
    ranged = {"value": 0.5, "low": 0.4, "high": 0.6}
    met = {"first": "a", "second": "b", "share": ranged, "points": ranged, "elo": ranged, "par": 0.5}
    found = strength_runs.figures_of({"encounters": [met], "nodes a second": {"a": 100.0, "b": 4.0}})
    assert found["times the nodes a second"]["value"] == 25


def run_of(shares: list[float], seed: int) -> strength_runs.Run:
    """Return a run of two seats with such blocks, the first one four points ahead for every whole share."""
    by_block = {"shares": shares, "points": [4 * share for share in shares]}
    times = {"a": {"mean": 100.0 * seed, "most": 120.0 * seed}}
    figures = {"par": {"value": 0.5}, strength_runs.FASTER: {"value": 10.0 * seed}}
    command = f"smalti arena patterns a b --games {2 * len(shares)} --seed {seed}"
    facts = {"minutes": 2.5, "day": "2026-01-01", "games": 2 * len(shares)}
    return {"command": command, "figures": figures, "ms a move": times, "by block": by_block, **facts}


def test_several_runs_speak_as_one() -> None:
    first, second = run_of([1.0, 0.5], 1), run_of([1.0, 1.0, 0.0, 1.0], 2)
    together, whole = strength_runs.joined([first, second]), run_of([1.0, 0.5, 1.0, 1.0, 0.0, 1.0], 3)
    assert together["games"] == 12
    assert together["figures"]["share"]["value"] == 0.75
    assert together["figures"]["points"]["value"] == 3.0
    assert together["figures"] | {strength_runs.FASTER: None} == (
        strength_runs.joined([whole, run_of([], 0)])["figures"] | {strength_runs.FASTER: None}
    )
    assert together["figures"][strength_runs.FASTER]["value"] == pytest.approx((4 * 10 + 8 * 20) / 12)
    assert together["ms a move"]["a"] == {"mean": pytest.approx((4 * 100 + 8 * 200) / 12), "most": 240.0}
    assert strength_runs.joined([first]) is first


def test_runs_that_differ_in_their_seeds_are_told_in_one_line() -> None:
    runs = [run_of([1.0], seed) for seed in (3, 4, 5)]
    said = "smalti arena patterns a b --games 2 --seed 3…5  # 2026-01-01, 7.5 minutes"
    assert list(strength_runs.commands(runs)) == [said]
    assert len(list(strength_runs.commands([*runs, run_of([1.0, 1.0], 6)]))) == 2
    assert strength_runs.next_seed(runs) == 6
    assert strength_runs.next_seed([]) == 0


def test_nothing_is_added_to_a_run_that_does_not_tell_its_blocks() -> None:
    run = run_of([1.0], 1)
    assert strength_runs.continued([run]) == [run]
    with pytest.raises(BadInput, match="measured anew: smalti arena patterns a b --games 2 --seed 1"):
        strength_runs.continued([run | {"by block": None}])


def test_what_was_measured_can_be_read() -> None:
    said = strength_report.said(strength.kept())
    assert {row.name for row in ROWS} <= set(said)


def test_what_was_measured_is_kept_with_a_line_for_every_run() -> None:
    found = {"one": [{"games": 2}], "two": [{"games": 3}, {"games": 4}]}
    text = strength.as_kept(found)
    assert json.loads(text) == found
    assert text.count('{"games"') == sum(line.startswith('  {"games"') for line in text.splitlines()) == 3
    assert strength.KEPT.read_text(encoding="utf-8") == strength.as_kept(strength.kept())


def test_how_the_weights_were_learned_is_told() -> None:
    assert all(f"**{game}**" in strength_report.curves() for game in games.names())
    assert strength_report.thinned(list(range(101))) == list(range(0, 101, 10))
