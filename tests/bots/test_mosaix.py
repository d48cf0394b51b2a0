"""What holds for the bots of Mosaix that learned: they keep to the rules, stop in time and say what they think."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from smalti import bots, games
from smalti.bots.bot import Budget, Seen, Thought
from smalti.bots.mosaix.levels import LEVELS
from smalti.bots.mosaix.review import expected
from smalti.engine.compiled import settings
from smalti.engine.match import Match
from smalti.engine.record import bytes_of
from smalti.engine.rules import CHANCE, NOBODY, acting, legal, odds, play, score
from smalti.games.mosaix.tables import FORMING, PASS, ROLL_WEIGHTS, ROLLING, ROLLS, STOP, WON, WRITING
from tests.bots.matches import played
from tests.support import random_match

pytestmark = pytest.mark.skipif(bool(settings.DISABLE_JIT), reason="looks at thousands of grids")

GAME = games.find("mosaix")
EVERYBODY = [*(f"level-{number}" for number in LEVELS if number < 8), "strongest@100000n"]
SETTINGS = [(1, {}), (2, {}), (4, {}), (1, {"cards": "scattered"}), (3, {"cards": "scattered", "end": "blocked"})]


def thought(bot: str, match: Match, seat: int, seed: int = 1) -> Thought:
    return bots.think(bot, Seen(GAME, bytes_of(match.seen_by(seat)), seat, seed))


def decisions(seats: int, seed: int, every: int) -> list[tuple[Match, int]]:
    """List some decisions of a random match, each with the seat that has to take it."""
    found, match, luck = [], Match(GAME, seats), random.Random(seed)
    while not match.is_over:
        if match.awaits_chance:
            match.draw(luck)
            continue
        seat = luck.choice(sorted(match.acting))
        found.append((match.copy(), seat))
        match.play(seat, luck.choice([move for move in match.legal_moves(seat) if move != STOP] or [STOP]))
    return found[::every]


def solo(drawing: str, roll: str, boxes: int) -> Seen:
    """Return a solo table with this grid after a roll, about to be arranged."""
    match = Match(GAME, 1)
    match.play(None, "deal o@d4")
    table = match.table
    rows = drawing.split()
    for symbol, name in enumerate("otx"):
        cells = [8 * row + column for row in range(7) for column in range(7) if rows[row][column] == name]
        table.grids[0, symbol] = sum(1 << cell for cell in cells)
    table.phase, table.dice, table.boxes = FORMING, ROLLS.index(roll), boxes
    table.fitting = 127
    return Seen(GAME, bytes_of(table), 0, 1)


# --- Rules


@pytest.mark.parametrize("bot", EVERYBODY)
@pytest.mark.parametrize(("seats", "options"), SETTINGS)
def test_whole_matches_are_played_by_the_rules(bot: str, seats: int, options: dict[str, str]) -> None:
    assert played("mosaix", [bot] * seats, 5, options).is_over


@pytest.mark.parametrize("bot", EVERYBODY)
def test_the_same_table_and_seed_give_the_same_thought(bot: str) -> None:
    for seats in (1, 3):
        for match, seat in decisions(seats, 2, 9):
            assert thought(bot, match, seat) == thought(bot, match, seat)


def test_who_can_only_pass_passes() -> None:
    luck = random.Random(0)
    while True:
        match = random_match(GAME, 4, {}, luck, luck.randrange(60, 110))
        blocked = [seat for seat in match.acting if match.legal_moves(seat) == [PASS]]
        if blocked:
            break
    assert all(thought(bot, match, blocked[0]).move == PASS for bot in EVERYBODY)


# --- Thoughts


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_choices_are_legal_and_the_best_comes_first(seats: int) -> None:
    for match, seat in decisions(seats, 4, 7):
        found = thought("strongest@100000n", match, seat)
        if len(match.legal_moves(seat)) > 1:
            assert found.choices[0].move == found.move
        assert {choice.move for choice in found.choices} <= set(match.legal_moves(seat))
        assert all(0 <= choice.chance <= 1 for choice in found.choices)
        chances = [choice.chance for choice in found.choices]
        worths = [choice.worth for choice in found.choices]
        assert worths == sorted(worths, reverse=True) if seats == 1 else chances == sorted(chances, reverse=True)


def test_a_budget_is_not_exceeded_by_much() -> None:
    match, seat = decisions(1, 4, 1)[0]
    sparing, generous = thought("strongest@1n", match, seat), thought("strongest@2000000n", match, seat)
    assert sparing.nodes < 50_000
    assert 200_000 < generous.nodes < 3_000_000


# --- Stopping

NEARLY_FULL = """
    .tooxxx
    xtooxxt
    xxtooxt
    otttoox
    ooxxttt
    xoootxx
    xxottxo"""


def test_whoever_would_only_lose_boxes_stops() -> None:
    """All that can be written is one symbol in the corner, which joins nothing, for three boxes."""
    found = bots.think("strongest@100000n", solo(NEARLY_FULL, "oooo", 5))
    assert found.move == STOP
    assert found.choices[0].worth == max(choice.worth for choice in found.choices)


def test_whoever_can_gain_goes_on() -> None:
    """A circle in the corner makes an area of five count, which is worth more than three boxes."""
    drawing = NEARLY_FULL.replace(".tooxxx", ".ooxxxx").replace("xtooxxt", "toottxx")
    assert bots.think("strongest@100000n", solo(drawing, "oooo", 5)).move != STOP


# --- Seeing the end

FEW_LEFT = """
    ..ooxxx
    ttooxxt
    xxtooxt
    otttoox
    ooxxttt
    xoootxx
    xxottx."""


def best_of(tables: Any, known: dict[bytes, tuple[float, float]]) -> tuple[float, float]:
    """Return the mean points and the chance of whoever plays for points from here on, by the rules alone."""
    table = tables[0]
    moves, weights = GAME.buffers()
    who = acting(table)
    if who == 0:
        points = np.zeros(4, np.int32)
        score(table, points)
        return float(points[0]), float(points[0] >= WON)
    if (key := tables.tobytes()) not in known:
        is_chance = who == CHANCE
        number = int(odds(table, moves, weights)) if is_chance else int(legal(table, 0, moves))
        found = [best_of(after(tables, NOBODY if is_chance else 0, int(moves[i])), known) for i in range(number)]
        worth, chance = np.average(found, axis=0, weights=weights[:number]) if is_chance else max(found)
        known[key] = float(worth), float(chance)
    return known[key]


def after(tables: Any, by: int, move: int) -> Any:
    """Return the table after a move."""
    found = tables.copy()
    play(found[0], by, move)
    return found


@pytest.mark.parametrize(("roll", "boxes"), [("oooo", 4), ("ootx", 4), ("tttx", 5)])
def test_an_ending_is_proved_and_worth_what_the_rules_say(roll: str, boxes: int) -> None:
    seen = solo(FEW_LEFT, roll, boxes)
    found, known = bots.think("strongest@1000000n", seen), dict[bytes, tuple[float, float]]()
    assert found.is_proved
    assert len(found.choices) > 1
    for choice in found.choices:
        worth, chance = best_of(after(seen.tables, 0, choice.move), known)
        assert choice.worth == pytest.approx(worth)
        assert choice.chance == pytest.approx(chance)
    assert found.choices[0].worth == pytest.approx(best_of(seen.tables, known)[0])


def test_what_takes_too_long_to_solve_is_not_called_proved() -> None:
    assert not bots.think("strongest@300n", solo(FEW_LEFT, "ootx", 6)).is_proved
    wide = FEW_LEFT.replace("ttooxxt", ".......")
    assert not bots.think("strongest@100000n", solo(wide, "ootx", 6)).is_proved


def test_who_writes_last_in_a_game_knows_what_comes_out() -> None:
    is_proved = []
    for seed in range(3):
        for match, seat in decisions(2, seed, 1)[-8:]:
            found = thought("strongest@100000n", match, seat)
            is_proved.append(found.is_proved)
            if found.is_proved:
                ends = []
                for choice in found.choices:
                    end = match.copy()
                    end.play(seat, choice.move)
                    assert end.is_over
                    assert choice.worth == end.scores[seat] - end.scores[1 - seat]
                    assert choice.chance == (seat in end.winners) / len(end.winners)
                    ends.append(choice.chance)
                assert ends[0] == max(ends)
    assert True in is_proved


# --- Levels


def test_higher_levels_have_more_points_alone() -> None:
    means = [sum(played("mosaix", [f"level-{n}"], seed).scores[0] for seed in range(10)) / 10 for n in (1, 3, 5, 7)]
    assert all(low + 8 < high for low, high in pairwise(means))


def test_weak_levels_misjudge_the_same_place_all_game_long() -> None:
    from smalti.bots.mosaix.evaluate.batch import FITS
    from smalti.bots.mosaix.levels import blurred

    match, seat = decisions(1, 4, 1)[0]
    seen = Seen(GAME, bytes_of(match.seen_by(seat)), seat, 1)
    later = Seen(GAME, bytes_of(decisions(1, 4, 1)[4][0].seen_by(seat)), seat, 1)
    other = Seen(GAME, bytes_of(match.seen_by(seat)), seat, 2)
    worths, grid = np.zeros((760, FITS + 1)), tuple(seen.table.grids[0])
    now, then, elsewhere = (blurred(worths, grid, one, LEVELS[2])[:, 0] for one in (seen, later, other))
    assert (now == then).all()
    assert (now != elsewhere).any()


# --- Expectations


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_before_a_roll_the_mean_over_rolls_is_expected(seats: int) -> None:
    match = random_match(GAME, seats, {}, random.Random(3), 12 * seats)
    while not match.awaits_chance:
        match.play(min(match.acting), next(move for move in match.legal_moves(min(match.acting)) if move != STOP))
    total = 0.0
    for move, share in match.chances().items():
        after = match.copy()
        after.play(None, GAME.notation.chance_text([move]))
        total += share * expected(bytes_of(after.table), 0).worth
    assert expected(bytes_of(match.table), 0).worth == pytest.approx(total, abs=1e-3)


def test_near_the_end_what_is_expected_is_known() -> None:
    before = solo(FEW_LEFT, ROLLS[0], 4).tables
    before["phase"] = ROLLING
    known = expected(before.tobytes(), 0)
    rolls = [expected(solo(FEW_LEFT, roll, 4).tables.tobytes(), 0) for roll in ROLLS]
    assert known == pytest.approx(np.average(rolls, axis=0, weights=ROLL_WEIGHTS))
    assert known == pytest.approx(best_of(before, {}))


@pytest.mark.parametrize("seats", [2, 4])
def test_leads_and_chances_of_all_seats_fit_together(seats: int) -> None:
    for match, _ in decisions(seats, 8, 11):
        found = [expected(bytes_of(match.table), seat) for seat in range(seats)]
        assert sum(one.worth > 0 for one in found) <= 1
        assert sum(one.chance for one in found) == pytest.approx(1)


def test_what_came_out_is_expected_at_the_end() -> None:
    match = played("mosaix", ["level-3", "level-5"], 2)
    scores = match.scores
    assert expected(bytes_of(match.table), 0).worth == scores[0] - scores[1]
    assert expected(bytes_of(match.table), 1).chance == float(scores[1] > scores[0])


def test_without_a_budget_it_takes_its_own() -> None:
    match, seat = next((match, seat) for match, seat in decisions(2, 1, 1) if match.table.phase == WRITING)
    assert bots.find("strongest", "mosaix").budget != Budget()
    assert thought("strongest", match, seat).choices
