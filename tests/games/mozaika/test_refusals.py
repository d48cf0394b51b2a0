"""Mozaika: everything that is refused, with its rule."""

from __future__ import annotations

import pytest

from smalti import Match
from smalti.games.mozaika import GAME
from smalti.games.mozaika.reasons import refusal as reasons
from tests.games.mozaika.mosaics import at_auction, at_round, bid_all, dealt, finish_round
from tests.games.tables import Refusal, check_refusal


def new() -> Match:
    return Match(GAME, 3)


def laying() -> Match:
    """Round 1; seat 0 has laid."""
    match = dealt(3)
    match.play(0, "lay R1 a1")
    return match


def drawing() -> Match:
    return at_round(3, 2)


def bidding() -> Match:
    """Seat 0 has bid, and everybody has ten coins."""
    match = at_auction(3, 2)
    match.play(0, "bid 3")
    return match


def picking() -> Match:
    """Seat 2 picks first."""
    match = at_round(3, 2)
    match.play(None, "draw R1 R1 B1 Y4")
    return bid_all(match, [1, 0, 2])


def laying_again() -> Match:
    """Round 2; everybody has a tile on a1."""
    match = picking()
    for seat in (2, 0, 1):
        match.play(seat, match.legal_moves(seat)[0])
    return match


def flying() -> Match:
    """Round 5; seat 0 got the fly, has one on a1 already, and nothing in row 4."""
    match = at_auction(3, 4)
    bid_all(match, [0, 1, 1])
    while match.view(None).phase != "flying":
        seat = min(match.acting)
        match.play(seat, match.legal_moves(seat)[0])
    match.play(0, "fly a1")
    match.play(None, "draw R1 R2 B1 B2")
    bid_all(match, [0, 1, 1])
    while match.view(None).phase != "flying":
        seat = min(match.acting)
        match.play(seat, match.legal_moves(seat)[0])
    return match


def over() -> Match:
    match = at_auction(3, 16)
    finish_round(match)
    return match


def with_two_red_left() -> Match:
    """Three of the five R1 are dealt."""
    match = new()
    match.play(None, "deal R1 R1 R1 R4 B1 B2 B3 B4 Y1 Y2 Y3 Y4")
    finish_round(match)
    return match


REFUSALS = [
    Refusal("over", "MZ-12", over, 0, "lay R1 a1"),
    Refusal("over", "MZ-12", over, None, "draw R1 R1 B1 B1"),
    Refusal("deal-first", "MZ-1", new, 0, "lay R1 a1"),
    Refusal("draw-first", "MZ-3", drawing, 0, "bid 3"),
    Refusal("not-in-the-bag", "MZ-1", new, None, "deal R1 R1 R1 R1 R1 R1 B1 B2 B3 B4 Y1 Y2"),
    Refusal("not-in-the-bag", "MZ-1", with_two_red_left, None, "draw R1 R1 R1 B1"),
    Refusal("bid-first", "MZ-4", bidding, 1, "pick R1"),
    Refusal("bid-first", "MZ-4", bidding, 2, "lay R1 a1"),
    Refusal("bid-first", "MZ-4", bidding, None, "draw R1 R1 B1 B1"),
    Refusal("bid-already", "MZ-4", bidding, 0, "bid 4"),
    Refusal("too-many-coins", "MZ-4", bidding, 1, "bid 11"),
    Refusal("too-many-coins", "MZ-4", bidding, 1, "bid 58"),
    Refusal("too-many-coins", "MZ-4", bidding, 1, "bid 1000"),
    Refusal("pick-first", "MZ-5", picking, 0, "pick R1"),
    Refusal("pick-first", "MZ-5", picking, 2, "bid 0"),
    Refusal("pick-first", "MZ-5", picking, None, "draw R1 R1 B1 B1"),
    Refusal("not-open", "MZ-5", picking, 2, "pick R2"),
    Refusal("lay-first", "MZ-8", laying, 1, "bid 0"),
    Refusal("lay-first", "MZ-8", laying, 1, "fly a1"),
    Refusal("lay-first", "MZ-8", laying, None, "draw R1 R1 B1 B1"),
    Refusal("laid-already", "MZ-8", laying, 0, "lay R2 b1"),
    Refusal("not-in-hand", "MZ-8", laying, 1, "lay R1 a1"),
    Refusal("taken", "MZ-8", laying_again, 0, "lay R2 a1"),
    Refusal("fly-first", "MZ-10", flying, 1, "fly a1"),
    Refusal("fly-first", "MZ-10", flying, 0, "lay R1 d4"),
    Refusal("fly-first", "MZ-10", flying, None, "draw R1 R1 B1 B1"),
    Refusal("no-tile", "MZ-10", flying, 0, "fly d4"),
    Refusal("fly-already", "MZ-10", flying, 0, "fly a1"),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda case: f"{case.rule} {case.key}: {case.do[:16]}")
def test_this_is_refused(refusal: Refusal) -> None:
    check_refusal("mozaika", refusal)


def test_every_reason_is_given_at_least_once() -> None:
    assert {case.key for case in REFUSALS} == set(reasons.rules)


def test_what_is_beside_the_refused_ones_is_legal() -> None:
    """So the refusals above are about one thing only."""
    assert "bid 10" in bidding().legal(1)
    assert set(picking().legal(2)) == {"pick R1", "pick B1", "pick Y4"}
    assert "lay R2 b1" in laying_again().legal(0)
    assert {"fly b1", "fly c1"} <= set(flying().legal(0))
    with_two_red_left().play(None, "draw R1 R1 B1 B1")
