"""The generic search: the same on every run, better the longer it thinks, and blind to what its seat cannot see."""

from __future__ import annotations

import random

import pytest

from smalti import bots, games
from smalti.bots.bot import Seen
from smalti.engine.match import Match
from smalti.engine.record import bytes_of
from smalti.engine.rules import NOBODY, hide, redeal
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
