"""What holds for the bots of Patterns that learned: reading ahead is exact, and judging is fair."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from smalti.bots.bot import Budget, Thought
from smalti.bots.patterns.evaluate.evaluation import POINT, WIN, static_worth
from smalti.bots.patterns.evaluate.features import FEATURES, OF_A_SEAT, WEIGHTS, note_reach, write_features
from smalti.bots.patterns.search.iterative_deepening import DeepeningSearch
from smalti.bots.patterns.search.pvs import CAREFUL
from smalti.bots.patterns.search.stack import make_move, new_stack, set_root
from smalti.bots.patterns.search.transpositions import zobrist_key
from smalti.bots.patterns.strongest import think
from smalti.engine.compiled import settings
from smalti.engine.match import Match
from smalti.engine.record import bytes_of, tables_of
from smalti.engine.rules import play
from smalti.games.patterns.tables import DONE, FLIPPING, GIVING, PLAYING, Table
from tests.bots.patterns_tables import (
    FEW,
    GAME,
    late_tables,
    lead,
    moves_on,
    played_on,
    seen,
    tables_on_the_way,
    with_colours_swapped,
    with_seats_swapped,
    with_words_turned,
)
from tests.support import step

ENOUGH = Budget(nodes=10_000_000)


def utility(tables: Any, seat: int, known: dict[bytes, int]) -> int:
    """Return the worth of a table to a seat by plain minimax, to the very last flip."""
    if tables[0].phase not in (PLAYING, FLIPPING):
        points = lead(tables[0], seat)
        return POINT * points + WIN * ((points > 0) - (points < 0))
    key = tables.tobytes()
    if key not in known:
        turn = int(tables[0].turn)
        worths = [utility(played_on(tables, turn, move), turn, known) for move in moves_on(tables, turn)]
        known[key] = max(worths)
    return known[key] if int(tables[0].turn) == seat else -known[key]


def judgement(tables: Any, weights: Any) -> int:
    reach, indices = np.zeros((2, 6), np.uint64), np.zeros(FEATURES, np.int32)
    note_reach(tables[0], reach)
    return int(static_worth(tables[0], int(tables[0].turn), reach, indices, weights))


def any_weights() -> Any:
    return np.random.default_rng(1).integers(-500, 500, WEIGHTS).astype(np.int16)


# --- Judging


@pytest.mark.parametrize("quarter_turns", range(4))
@pytest.mark.parametrize("is_mirrored", [False, True])
def test_a_mandala_is_judged_the_same_however_it_is_turned(quarter_turns: int, is_mirrored: bool) -> None:
    weights = any_weights()
    for tables in list(tables_on_the_way(3))[::4]:
        assert judgement(with_words_turned(tables, quarter_turns, is_mirrored), weights) == judgement(tables, weights)


def test_colours_are_judged_alike() -> None:
    weights, luck = any_weights(), random.Random(1)
    for tables in list(tables_on_the_way(4))[::3]:
        order = luck.sample(range(6), 6)
        assert judgement(with_colours_swapped(tables, order), weights) == judgement(tables, weights)


def test_seats_are_judged_alike() -> None:
    weights = any_weights()
    for tables in list(tables_on_the_way(5))[::3]:
        assert judgement(with_seats_swapped(tables), weights) == judgement(tables, weights)


def test_what_one_seat_hopes_for_the_other_fears() -> None:
    """Both seats look at the same lists, so what is good for one is as bad for the other."""
    for tables in list(tables_on_the_way(6))[::3]:
        reach, indices = np.zeros((2, 6), np.uint64), np.zeros((2, FEATURES), np.int32)
        note_reach(tables[0], reach)
        for seat in range(2):
            write_features(tables[0], seat, reach, indices[seat])
        own, other = indices[0, :OF_A_SEAT], indices[1, OF_A_SEAT : 2 * OF_A_SEAT]
        assert len(set((own - other).tolist())) <= 6  # only "is to move" differs: one distance for each list


def test_every_table_stands_within_the_lists() -> None:
    reach, indices = np.zeros((2, 6), np.uint64), np.zeros(FEATURES, np.int32)
    for seed in range(FEW):
        for tables in tables_on_the_way(seed):
            note_reach(tables[0], reach)
            write_features(tables[0], int(tables[0].turn), reach, indices)
            assert 0 <= indices.min() <= indices.max() < WEIGHTS


# --- Reading ahead


def test_keys_and_reach_are_kept_up_from_move_to_move() -> None:
    stack, fresh = (new_stack(any_weights(), 1 << 12, CAREFUL) for _ in range(2))
    for seed in range(FEW):
        for tables in list(tables_on_the_way(seed))[::5]:
            stack.tables[:1] = tables
            set_root(stack)
            for move in moves_on(tables, int(tables[0].turn))[::7]:
                make_move(stack, 0, move)
                if stack.tables[1].phase == PLAYING:
                    fresh.tables[:1] = stack.tables[1:2]
                    set_root(fresh)
                    assert stack.keys[1] == fresh.keys[0] == zobrist_key(stack.tables[1])
                    assert (stack.reach[1] == fresh.reach[0]).all()


def test_the_end_is_read_as_by_plain_minimax() -> None:
    for tables in late_tables(12, FEW):
        search = DeepeningSearch(tables, ENOUGH)
        search.deepen()
        assert search.is_proved
        assert search.worth == utility(tables, int(tables[0].turn), {})


def test_the_best_moves_are_ranked_as_by_plain_minimax() -> None:
    for tables in late_tables(12, FEW):
        turn = int(tables[0].turn)
        thought, known = think(seen(tables), ENOUGH), dict[bytes, int]()
        assert thought.is_proved
        for choice in [choice for choice in thought.choices if choice.chance in (0, 0.5, 1)]:
            worth = utility(played_on(tables, turn, choice.move), turn, known)
            assert choice.chance == (worth > 0) + 0.5 * (worth == 0)
            assert choice.worth == (worth - WIN * ((worth > 0) - (worth < 0))) / POINT


def test_the_last_flips_are_all_done() -> None:
    match, luck = Match(GAME, 2), random.Random(5)
    while match.awaits_chance or match.seen_by(0).phase != FLIPPING:
        match = Match(GAME, 2) if match.is_over else match
        step(match, luck)
    tables = tables_of(bytes_of(match.seen_by(0)), Table.dtype)
    thought = think(seen(tables), Budget(nodes=10))
    assert thought.move != DONE
    assert thought.is_proved
    while tables[0].phase == FLIPPING:
        play(tables[0], int(tables[0].turn), think(seen(tables), Budget(nodes=10)).move)
    assert thought.choices[0].worth == lead(tables[0], int(tables[0].turn))


def test_the_start_tiles_are_given_after_looking_at_both_ways() -> None:
    match = Match(GAME, 2)
    match.draw(random.Random(3))
    while match.awaits_chance:
        match.draw(random.Random(3))
    tables = tables_of(bytes_of(match.seen_by(1)), Table.dtype)
    assert tables[0].phase == GIVING
    thought = think(seen(tables), Budget(nodes=2000))
    assert len(thought.choices) == 2
    assert thought.choices[0].worth >= thought.choices[1].worth


def thoughts(tables: Any) -> list[Thought]:
    budget = Budget(nodes=300 if settings.DISABLE_JIT else 5000)
    return [think(seen(tables), budget) for _ in range(2)]


def test_a_budget_of_nodes_always_buys_the_same_thought() -> None:
    for tables in list(tables_on_the_way(7))[::8]:
        first, second = thoughts(tables)
        assert first == second


def test_the_clock_is_kept() -> None:
    tables = next(tables_on_the_way(8))
    assert think(seen(tables), Budget(seconds=0.02)).nodes > 0
