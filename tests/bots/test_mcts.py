"""The generic search: the same on every run, better the longer it thinks, and blind to what its seat cannot see."""

from __future__ import annotations

import random

import numpy as np
import pytest

from smalti import bots, games
from smalti.bots.bot import Seen
from smalti.bots.mcts.playouts import (
    COUNT,
    TOTAL,
    UNKNOWN,
    Averages,
    Playout,
    add_playout,
    add_result,
    better_move,
    lead_after,
    no_averages,
    play_out,
)
from smalti.engine.chance import stream_of
from smalti.engine.loops.playing import who_acts
from smalti.engine.match import Match
from smalti.engine.record import bytes_of
from smalti.engine.rules import NOBODY, hide, legal, redeal
from tests.bots.matches import wins

TABLES = [
    ("patterns", 2, {}),
    ("mosaix", 1, {}),
    ("mosaix", 4, {}),
    ("mozaika", 3, {}),
    ("mozaika", 5, {"hands": "hidden"}),
]


def at_random(game: str, seats: int, options: dict[str, str], events: int, seed: int = 1) -> Match:
    match, luck = Match(games.find(game), seats, options), random.Random(seed)
    while len(match.events) < events or match.awaits_chance:
        if match.awaits_chance:
            match.draw(luck)
        else:
            seat = luck.choice(sorted(match.acting))
            match.play(seat, luck.choice(match.legal_moves(seat)))
    return match


def seen(match: Match, seat: int, seed: int = 7) -> Seen:
    return Seen(match.game, bytes_of(match.seen_by(seat)), seat, seed)


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_the_same_search_finds_the_same(game: str, seats: int, options: dict[str, str]) -> None:
    match = at_random(game, seats, options, 9)
    seat = min(match.acting)
    first, second = (bots.think("mcts@200n", seen(match, seat)) for _ in range(2))
    assert first == second
    assert first.nodes == 200
    assert first.move in match.legal_moves(seat)
    assert all(0 <= choice.chance <= 1 for choice in first.choices)


def test_a_forced_move_needs_no_search() -> None:
    match = at_random("mozaika", 3, {}, 9)
    while len(match.legal_moves(min(match.acting))) > 1:
        seat = min(match.acting)
        match.play(seat, match.legal_moves(seat)[-1])
        while match.awaits_chance:
            match.draw(random.Random(1))
    assert bots.think("mcts@200n", seen(match, min(match.acting))).nodes == 0


def test_it_beats_the_greedy_one_in_mosaix() -> None:
    assert wins("mosaix", 2, "mcts@2000n", "greedy", 4) >= 3


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_what_is_dealt_anew_is_possible_and_changes_nothing_that_is_seen(hands: str) -> None:
    luck = random.Random(3)
    for events in range(4, 120, 3):
        match = at_random("mozaika", 4, {"hands": hands}, events, seed=events)
        if match.is_over:
            continue
        seat = luck.randrange(4)
        before, after = match.seen_by(seat), match.seen_by(seat)
        redeal(after, seat, seen(match, min(match.acting)).stream)
        real = match.table
        assert (after.bag + after.hands.sum(axis=0) == real.bag + real.hands.sum(axis=0)).all()
        assert after.hands.sum(axis=1).tolist() == real.hands.sum(axis=1).tolist()
        hide(after, seat)
        after.waiting = before.waiting  # who has bid in secret bids again
        assert bytes_of(after) == bytes_of(before)


def test_an_onlooker_of_an_open_game_has_nothing_to_deal_anew() -> None:
    match = at_random("patterns", 2, {}, 9)
    table = match.table
    redeal(table, NOBODY, seen(match, min(match.acting)).stream)
    assert bytes_of(table) == bytes_of(match.table)


def playout_of(match: Match, averages: Averages | None = None) -> Playout:
    """Return what playouts of a match's table work with."""
    game, tables = match.game, match.game.table.batch(2)
    tables[0] = match.table
    known = no_averages(match.seats, game.actions) if averages is None else averages
    trace, scores = np.zeros(2 * game.usual_length + 1, np.int64), np.zeros(game.seats[-1], np.int32)
    return Playout(match.seats, tables, known, trace, *game.buffers(), scores, stream_of(5, 0))


def play_to_the_end(match: Match, is_certain: bool) -> Playout:
    playout = playout_of(match)
    play_out(playout, is_certain)
    assert who_acts(playout.tables) == 0
    return playout


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_a_playout_is_a_game_by_the_rules_and_its_moves_are_averaged(
    game: str, seats: int, options: dict[str, str]
) -> None:
    playout = play_to_the_end(at_random(game, seats, options, 9), True)
    add_playout(playout, np.ones(seats))
    averages, trace = playout.averages, playout.trace
    made = [(int(trace[2 * number + 1]), int(trace[2 * number + 2])) for number in range(trace[0])]
    assert made
    for seat, move in made:
        assert averages[seat, move, COUNT] == 1 + made.count((seat, move))
        assert averages[seat, move, TOTAL] == UNKNOWN + made.count((seat, move))
    assert averages[..., COUNT].sum() == averages[..., COUNT].size + len(made)


def test_averages_end_where_chance_begins() -> None:
    match = at_random("mosaix", 2, {}, 9)
    for is_certain in (True, False):
        made = play_to_the_end(match, is_certain).trace[0]
        assert 0 < made <= 3 if is_certain else made == 0  # one arranges, two write, then dice are rolled


def shares_made(match: Match, averages: Averages) -> dict[int, float]:
    """Return how often each move of seat 0 is made of two that are drawn."""
    playout = playout_of(match, averages)
    found = legal(match.table, 0, playout.moves)
    drawn = [int(better_move(playout, 0, found)) for _ in range(4000)]
    return {move: drawn.count(move) / len(drawn) for move in playout.moves[:found].tolist()}


def test_of_two_moves_the_one_that_did_better_is_made() -> None:
    match = at_random("mosaix", 2, {}, 1)  # arranging the dice brings no points yet
    good, bad, other, *_ = legal_moves = match.legal_moves(0)
    averages, count = no_averages(2, match.game.actions), len(legal_moves)
    add_result(averages, 0, good, 1.0)
    add_result(averages, 0, bad, 0.0)
    shares = shares_made(match, averages)
    assert shares[good] == pytest.approx((2 * count - 1) / count**2, abs=0.03)  # unless neither of two draws is it
    assert shares[bad] == pytest.approx(1 / count**2, abs=0.01)  # only if both draws are
    assert shares[other] == pytest.approx(1 / count, abs=0.03)


def test_of_two_moves_the_one_that_brings_more_points_is_made_whatever_the_average() -> None:
    match = at_random("patterns", 2, {}, 14)
    assert match.acting == {0}
    leads = {move: lead_after(playout_of(match), 0, move) for move in match.legal_moves(0)}
    best, worst = max(leads.values()), min(leads.values())
    assert best > worst
    averages = no_averages(2, match.game.actions)
    for move, lead in leads.items():
        add_result(averages, 0, move, 1.0 if lead < best else 0.0)
    shares = shares_made(match, averages)
    count, good = len(leads), sum(lead == best for lead in leads.values())
    made = sum(shares[move] for move, lead in leads.items() if lead == best)
    assert made == pytest.approx(1 - (1 - good / count) ** 2, abs=0.03)
