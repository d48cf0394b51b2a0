"""A review adds up exactly, whoever judges; luck is nothing on average."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from smalti import bots, games
from smalti.bots.bot import Choice, Seen, Thought
from smalti.bots.review import Hint, Judge, Review, SeatReview, Step, Value, hint, judge, reviewed
from smalti.bots.review.gifts import moment_length
from smalti.bots.review.match_review import accuracy, noise_of
from smalti.engine.errors import BadInput
from smalti.engine.loops.playing import lead
from smalti.engine.match import Match
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import play
from tests.support import random_match, step

SETTINGS = [("patterns", 2), ("mosaix", 1), ("mosaix", 2), ("mosaix", 3), ("mozaika", 3)]
LOOKED_AT = 6


def shortsighted(bot: str, seen: Seen) -> Thought:
    """Judge the first few moves by the points that they bring at once."""
    worths = []
    for move in seen.legal[:LOOKED_AT]:
        after = tables_of(bytes_of(seen.table), seen.game.table.dtype)[0]
        play(after, seen.seat, move)
        points = lead(after, seen.seat, np.zeros(seen.game.seats[-1], np.int32))
        worths.append(Choice(move, points, 1 / (1 + 2.0 ** (-points / 5))))
    choices = sorted(worths, key=lambda choice: -choice.worth)
    return Thought(choices[0].move, tuple(choices))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a judge answer at once, and no game say what it expects."""
    monkeypatch.setattr(bots, "think", shortsighted)
    monkeypatch.setattr(judge, "own_expectation", lambda game: None)


def parts(seat: SeatReview) -> list[Value]:
    return [seat.start, seat.luck, seat.skill, seat.gifts, seat.sealed, seat.unclear]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("game", "seats"), SETTINGS)
def test_start_luck_skill_and_the_rest_add_up_to_the_result(game: str, seats: int) -> None:
    match = random_match(games.find(game), seats, {}, random.Random(4))
    review = reviewed(match, "greedy")
    assert len(review.steps) == len(match.events)
    for seat in review.seats:
        best_other = max((score for other, score in enumerate(match.scores) if other != seat.seat), default=0)
        assert sum(part.points for part in parts(seat)) == pytest.approx(match.scores[seat.seat] - best_other)
        won = (seat.seat in match.winners) / max(1, len(match.winners))
        assert sum(part.chance or 0.0 for part in parts(seat)) == pytest.approx(won)
        assert seat.skill.points <= 0
        assert seat.accuracy is None or 0 <= seat.accuracy <= 100
    json.dumps(review.document(), allow_nan=False)


@pytest.mark.usefixtures("quick")
def test_what_one_of_two_loses_is_given_to_the_other() -> None:
    one, two = reviewed(random_match(games.find("patterns"), 2, {}, random.Random(4)), "greedy").seats
    assert one.gifts.points == pytest.approx(-two.skill.points)
    assert two.gifts.points == pytest.approx(-one.skill.points)
    assert one.result.points == -two.result.points


@pytest.mark.parametrize("events", [1, 4, 13])
def test_luck_is_nothing_on_average(events: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "own_expectation", lambda game: None)
    match = random_match(games.find("mosaix"), 1, {}, random.Random(2), events)
    assert match.awaits_chance
    asked = Judge("mcts@30n", "mosaix")
    shares, afters = zip(*judge.outcomes(match), strict=True)
    assert sum(shares) == pytest.approx(1)
    assert len(shares) == 15
    luck = [asked.value(after, 0) - asked.value(match, 0) for after in afters]
    assert sum(share * each.points for share, each in zip(shares, luck, strict=True)) == pytest.approx(0)
    assert max(each.points for each in luck) > min(each.points for each in luck)


@pytest.mark.usefixtures("quick")
def test_where_chance_can_do_too_much_a_sample_is_looked_at() -> None:
    found = list(judge.outcomes(Match(games.find("patterns"), 2)))
    assert len(found) == judge.SAMPLES
    assert len({bytes_of(match.table) for _, match in found}) == judge.SAMPLES
    again = list(judge.outcomes(Match(games.find("patterns"), 2)))
    assert [match.events for _, match in found] == [match.events for _, match in again]


def decided(review: Review) -> list[Step]:
    return [step for step in review.steps if step.by is not None]


@pytest.mark.usefixtures("quick")
def test_the_best_move_costs_nothing_and_no_move_less() -> None:
    match = random_match(games.find("patterns"), 2, {}, random.Random(4))
    steps = decided(reviewed(match, "greedy"))
    assert all(step.cost.points <= 0 and (step.cost.chance or 0) <= 0 for step in steps)
    assert all(step.cost.points == 0 for step in steps if step.do == step.best[0].do)
    assert any(step.cost.points < 0 for step in steps)
    assert any(step.is_forced for step in steps)
    assert all(len(step.best) <= 3 for step in steps)


@pytest.mark.usefixtures("quick")
def test_a_move_that_the_bot_did_not_look_at_is_compared_with_the_best_one() -> None:
    match = random_match(games.find("mosaix"), 1, {}, random.Random(1), 3)
    moves = match.legal_moves(0)
    asked = Judge("greedy", "mosaix")
    choices = asked.thought(match, 0).choices
    assert moves[-1] not in [choice.move for choice in choices]
    apart = asked.apart(match, 0, moves[-1], choices[0].move)
    assert asked.cost(match, 0, moves[-1]).lost.points == min(apart.points, 0)


@pytest.mark.parametrize(
    ("lost", "mark"), [(0.0, ""), (0.04, ""), (0.06, "inaccuracy"), (0.11, "mistake"), (0.4, "blunder")]
)
def test_what_costs_much_has_a_name(lost: float, mark: str) -> None:
    assert Step(1, 0, "done", cost=Value(-1.0, -lost)).mark == mark


def test_accuracy_is_the_known_curve() -> None:
    assert accuracy(0) == pytest.approx(100, abs=0.01)
    assert accuracy(10) == pytest.approx(63.6, abs=0.1)
    assert accuracy(100) == 0


class Expectation(NamedTuple):
    worth: float
    chance: float


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("game", "seats"), [("mosaix", 3), ("mozaika", 4)])
def test_what_the_others_decide_is_told_apart(game: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "own_expectation", points_now)
    match = random_match(games.find(game), seats, {}, random.Random(4))
    review = reviewed(match, "greedy")
    for seat in review.seats:
        assert sum(part.points for part in parts(seat)) == pytest.approx(seat.result.points)
        assert seat.gifts.points != 0
    assert any(seat.sealed.points for seat in review.seats) == (game == "mozaika")
    assert all(step.by not in step.gifts for step in review.steps)
    assert all(step.do.startswith("bid") and not step.gifts for step in review.steps if step.sealed)
    assert all(step.by is not None for step in review.steps if step.gifts)


def points_now(game: str) -> Callable[[bytes, int], Value]:
    """Return who expects that everything stays as it is."""
    rules = games.find(game)

    def expected(table: bytes, seat: int) -> Value:
        now = tables_of(table, rules.table.dtype)[0]
        return Value(float(lead(now, seat, np.zeros(rules.seats[-1], np.int32))), None)

    return expected


def test_decisions_of_one_moment_belong_together() -> None:
    match = random_match(games.find("mozaika"), 3, {}, random.Random(4))
    now = Match(match.game, 3)
    while not match.events[len(now.events)].do.startswith("bid"):
        now.play(*match.events[len(now.events)])
    assert moment_length(now, match.events[len(now.events) :]) == len(now.acting) == 3
    now.play(*match.events[len(now.events)])
    assert moment_length(now, match.events[len(now.events) :]) == 2
    assert moment_length(Match(match.game, 3), match.events) == 1


@pytest.mark.parametrize(
    ("noise", "is_proved", "mark"), [(0.0, False, "mistake"), (0.06, False, ""), (0.06, True, "mistake")]
)
def test_an_error_is_larger_than_the_judges_noise(noise: float, is_proved: bool, mark: str) -> None:
    assert Step(1, 0, "done", cost=Value(-3.0, -0.11), noise=noise, is_proved=is_proved).mark == mark


@pytest.mark.usefixtures("quick")
def test_what_seems_an_error_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match = random_match(games.find("mosaix"), 1, {}, random.Random(1), 3)
    asked = Judge("greedy", "mosaix")
    monkeypatch.setattr(judge, "LITTLE", -1.0)
    monkeypatch.setattr(asked, "apart", lambda *words: Value(2.0, 0.1))
    choices = asked.thought(match, 0).choices
    cost = asked.cost(match, 0, choices[1].move)
    first = choices[1].worth - choices[0].worth
    assert cost.lost == Value(0.0, 0.0)
    assert cost.doubt
    assert cost.doubt.points == pytest.approx(2.0 - first)
    assert noise_of([Step(1, 0, "done", doubt=cost.doubt)]) == pytest.approx(abs(cost.doubt.chance or 0))


@pytest.mark.usefixtures("quick")
def test_hints_are_the_best_moves_of_a_seat() -> None:
    match = random_match(games.find("patterns"), 2, {}, random.Random(4), 5)
    seat = min(match.acting)
    found = hint(match, seat, "greedy")
    assert len(found.options) == 3
    assert all(option.do in match.legal(seat) for option in found.options)
    assert [option.points for option in found.options] == sorted((o.points for o in found.options), reverse=True)
    assert json.loads(json.dumps(found.document()))["options"][0]["do"] == found.options[0].do
    with pytest.raises(BadInput, match=f"seat {1 - seat} has nothing to decide"):
        hint(match, 1 - seat, "greedy")
    with pytest.raises(BadInput, match="there is no seat 5"):
        hint(match, 5, "greedy")


@pytest.mark.usefixtures("quick")
def test_where_nothing_is_to_choose_the_hint_is_the_only_move() -> None:
    match, luck = Match(games.find("mosaix"), 4), random.Random(5)
    while not any(match.legal(seat) == ["pass"] for seat in match.acting):
        match = Match(match.game, 4) if match.is_over else match
        step(match, luck)
    seat = next(seat for seat in match.acting if match.legal(seat) == ["pass"])
    assert hint(match, seat, "greedy") == Hint(seat, "greedy", (), "pass", False)


@pytest.mark.usefixtures("quick")
def test_a_game_may_say_itself_what_is_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def expected(table: bytes, seat: int) -> Value:
        asked.append(seat)
        return judge.read_value(Expectation(5.0, 0.5) if seat else 3.0)

    monkeypatch.setattr(judge, "own_expectation", lambda game: expected)
    match = random_match(games.find("mosaix"), 2, {}, random.Random(1))
    one, two = reviewed(match, "greedy").seats
    assert (one.start, two.start) == (Value(3.0, None), Value(5.0, 0.5))
    assert (one.luck.points, two.luck.points) == (0, 0)
    assert one.unclear.chance is None
    assert set(asked) == {0, 1}


@pytest.mark.usefixtures("quick")
def test_an_unfinished_game_is_judged_as_far_as_it_goes() -> None:
    match = random_match(games.find("patterns"), 2, {}, random.Random(4), 12)
    review = reviewed(match, "greedy", [1])
    assert not review.is_over
    assert [seat.seat for seat in review.seats] == [1]
    assert sum(part.points for part in parts(review.seats[0])) == pytest.approx(review.seats[0].result.points)


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(BadInput, match="nothing has happened"):
        reviewed(Match(games.find("patterns"), 2), "greedy")
    match = random_match(games.find("patterns"), 2, {}, random.Random(4), 3)
    with pytest.raises(BadInput, match="there is no bot 'clever'"):
        reviewed(match, "clever")
    with pytest.raises(BadInput, match="without saying what moves are worth"):
        Judge("greedy", "patterns").thought(match, min(match.acting))


def test_a_bot_that_thinks_ahead_can_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "own_expectation", lambda game: None)
    match = random_match(games.find("mosaix"), 1, {}, random.Random(4))
    seat = reviewed(match, "mcts@20n").seats[0]
    assert sum(part.points for part in parts(seat)) == pytest.approx(match.scores[0])


PAGE = (Path(__file__).resolve().parents[2] / "docs" / "arena.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.S)[1:]


def test_the_example_of_the_page_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(EXAMPLES[0], "arena.md", "exec"), {})
    result, parts = map(float, capsys.readouterr().out.split())
    assert result == pytest.approx(parts)


def test_the_example_of_the_page_gives_hints(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(EXAMPLES[1], "arena.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 2  # the start tiles can be given in two ways (PT-3)
