"""Mozaika: what the others do not see. (MZ-4, "Hidden")"""

from __future__ import annotations

import pytest

from smalti import BadInput, Refused, record_of
from tests.games.mozaika.mosaics import at_auction, bid_all, coins_of, dealt, finish_round


@pytest.mark.parametrize("onlooker", [1, 2, None])
def test_a_sealed_bid_is_seen_by_its_owner_alone(onlooker: int | None) -> None:
    few_coins, many_coins = at_auction(3, 2), at_auction(3, 2)
    few_coins.play(0, "bid 1")
    many_coins.play(0, "bid 9")
    assert few_coins.view(onlooker) == many_coins.view(onlooker)
    assert few_coins.boards(onlooker) == many_coins.boards(onlooker)
    assert few_coins.view(onlooker).places[0].bid is None
    assert few_coins.view(0).places[0].bid == 1


def test_the_others_see_who_is_still_missing() -> None:
    match = at_auction(3, 2)
    match.play(1, "bid 4")
    assert match.view(0).waiting == (0, 2)
    assert coins_of(match)[1] == 10


def test_with_the_last_bid_all_are_shown() -> None:
    """MZ-4."""
    match = bid_all(at_auction(3, 2), [2, 5, 0])
    for seat in (0, 1, 2, None):
        assert [place.bid for place in match.view(seat).places] == [2, 5, 0]


def test_a_bid_can_be_changed_until_the_last_one_is_in() -> None:
    match = at_auction(3, 2)
    match.play(0, "bid 1")
    match.play(2, "bid 3")
    match.change(0, "bid 7")
    match.change(2, "bid 4")
    match.change(0, "bid 6")
    match.play(1, "bid 0")
    assert [place.bid for place in match.view(None).places] == [6, 0, 4]
    with pytest.raises(BadInput):
        match.change(0, "bid 9")


def test_a_bid_that_was_changed_is_not_in_the_record() -> None:
    match, straight = at_auction(3, 2), at_auction(3, 2)
    match.play(0, "bid 1")
    match.play(1, "bid 2")
    match.change(0, "bid 7")
    straight.play(0, "bid 7")
    straight.play(1, "bid 2")
    assert record_of(match).text() == record_of(straight).text()
    assert match == straight


def test_a_changed_bid_cannot_be_more_than_the_coins() -> None:
    match = at_auction(3, 2)
    match.play(0, "bid 1")
    with pytest.raises(Refused) as caught:
        match.change(0, "bid 30")
    assert caught.value.rule == "MZ-4"
    assert match.view(0).places[0].bid == 1


def test_what_others_have_seen_cannot_be_changed() -> None:
    """MZ-8: a tile never moves again."""
    match = dealt(3)
    match.play(0, "lay R1 a1")
    with pytest.raises(BadInput, match="nothing that can still be changed"):
        match.change(0, "lay R1 a2")
    assert match.view(None).places[0].board[0][0] == "R1"


@pytest.mark.parametrize("number", [1, 2, 5, 16])
def test_open_hands_are_seen_by_everyone(number: int) -> None:
    match = at_auction(4, number) if number > 1 else dealt(4)
    hands = [[place.hand for place in match.view(seat).places] for seat in (0, 1, 2, 3, None)]
    assert all(seen == hands[0] for seen in hands)
    assert None not in hands[0]


@pytest.mark.parametrize("number", [1, 2, 5, 16])
def test_hidden_hands_are_seen_by_their_owner_alone(number: int) -> None:
    """Option hands=hidden."""
    options = {"hands": "hidden"}
    match = at_auction(4, number, options) if number > 1 else dealt(4, options)
    for seat in range(4):
        hands = [place.hand for place in match.view(seat).places]
        assert [hand is not None for hand in hands] == [other == seat for other in range(4)]
    assert [place.hand for place in match.view(None).places] == [None] * 4


def test_hidden_hands_stay_hidden_after_the_end() -> None:
    """Nothing in the rules lays them open."""
    match = at_auction(3, 16, {"hands": "hidden"})
    finish_round(match)
    assert match.is_over
    assert match.view(0).places[1].hand is None


def test_hidden_hands_that_differ_look_the_same_to_others() -> None:
    """Seats 1 and 2 hold each other's tiles; seat 0 and an onlooker cannot tell."""
    one, other = dealt(3, {"hands": "hidden"}), dealt(3, {"hands": "hidden"})
    other.undo()
    other.play(None, "deal R1 R2 R3 R4 Y1 Y2 Y3 Y4 B1 B2 B3 B4")
    for seat in (0, None):
        assert one.view(seat) == other.view(seat)
        assert one.boards(seat) == other.boards(seat)
    assert one.view(1) != other.view(1)
