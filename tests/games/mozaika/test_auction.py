"""Mozaika: the deal, the draw, the auction and who gets the fly. (MZ-1 to MZ-7)"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from smalti import BadNotation, Match
from smalti.games.mozaika import GAME
from tests.games.mozaika.mosaics import HANDS, at_auction, at_round, bid_all, coins_of, dealt, finish_round

COPIES = {3: 5, 4: 7, 5: 9}


@pytest.mark.parametrize("seats", COPIES)
def test_what_everybody_starts_with(seats: int) -> None:
    """MZ-1."""
    match = dealt(seats)
    assert coins_of(match) == [10] * seats
    assert [" ".join(sorted(place.hand)) for place in match.view(None).places] == [
        " ".join(sorted(hand.split())) for hand in HANDS[:seats]
    ]
    assert match.view(None).starter == 0


@pytest.mark.parametrize("seats", COPIES)
def test_how_many_tiles_are_in_play(seats: int) -> None:
    """MZ-1: 60, 84, 108 tiles; after the deal four a seat are missing in the bag."""
    assert Match(GAME, seats).table.bag.tolist() == [COPIES[seats]] * 12
    assert dealt(seats).table.bag.sum() == 12 * COPIES[seats] - 4 * seats


@pytest.mark.parametrize("seats", COPIES)
def test_round_1_has_no_draw_auction_or_fly(seats: int) -> None:
    """MZ-2."""
    match = dealt(seats)
    assert match.view(None).phase == "laying"
    for seat in range(seats):
        match.play(seat, match.legal_moves(seat)[0])
    assert (match.view(None).phase, match.view(None).round) == ("drawing", 2)


@pytest.mark.parametrize("seats", COPIES)
def test_one_tile_more_than_players_is_drawn(seats: int) -> None:
    """MZ-3."""
    match = at_auction(seats, 2)
    assert len(match.events[-1].do.split()) == 1 + seats + 1
    assert Counter(match.view(None).display) == Counter(match.events[-1].do.split()[1:])


def test_a_bid_is_anything_from_nothing_to_all_coins() -> None:
    """MZ-4."""
    match = at_auction(3, 2)
    coins = coins_of(match)
    assert match.acting == {0, 1, 2}
    for seat in range(3):
        assert match.legal(seat) == [f"bid {number}" for number in range(coins[seat] + 1)]


def test_everyone_pays_what_they_bid() -> None:
    """MZ-4: winning or not."""
    match = at_auction(3, 2)
    before = coins_of(match)
    bid_all(match, [7, 0, 3])
    assert [old - new for old, new in zip(before, coins_of(match), strict=True)] == [7, 0, 3]


# Seats, round (the start player is one seat further each round), bids, and the order of picking.
ORDERS = {
    "MZ-5 by falling bids": (3, 2, [1, 3, 2], [1, 2, 0]),
    "MZ-5 all equal: clockwise from the start player": (3, 2, [0, 0, 0], [1, 2, 0]),
    "R1 the start player is nearest of all": (3, 3, [4, 4, 4], [2, 0, 1]),
    "MZ-5 two equal highest bids": (3, 3, [5, 2, 5], [2, 0, 1]),
    "MZ-5 two equal lowest bids": (4, 2, [1, 6, 1, 4], [1, 3, 2, 0]),
    "MZ-5 two pairs": (4, 4, [2, 5, 2, 5], [3, 1, 0, 2]),
    "MZ-5 with five seats": (5, 5, [3, 0, 3, 0, 3], [4, 0, 2, 1, 3]),
    "the case: Adam, Iza, Klaudia, Veronika; Veronika starts": (4, 4, [2, 3, 3, 4], [3, 1, 2, 0]),
}


@pytest.mark.parametrize(("seats", "number", "bids", "order"), ORDERS.values(), ids=ORDERS)
def test_the_order_of_picking(seats: int, number: int, bids: list[int], order: list[int]) -> None:
    match = bid_all(at_auction(seats, number), bids)
    assert list(match.view(None).order) == order
    for seat in order:
        assert match.acting == {seat}
        match.play(seat, match.legal_moves(seat)[0])
    assert match.view(None).phase == "laying"


@pytest.mark.parametrize(("seats", "number", "bids", "order"), ORDERS.values(), ids=ORDERS)
def test_the_fly_goes_to_whoever_picks_last(seats: int, number: int, bids: list[int], order: list[int]) -> None:
    """MZ-6."""
    match = bid_all(at_auction(seats, number), bids)
    assert match.view(None).fly == (order[-1] if number >= 7 - seats else None)


@pytest.mark.parametrize(("seats", "first"), [(3, 4), (4, 3), (5, 2)])
def test_from_which_round_on_there_are_flies(seats: int, first: int) -> None:
    """MZ-6."""
    flies = []
    match = dealt(seats)
    for number in range(2, 7):
        finish_round(match)
        match.draw(random.Random(number))
        bid_all(match, [0] * seats)
        flies.append(match.view(None).fly is not None)
    assert flies == [number >= first for number in range(2, 7)]


def test_the_case_of_adam_and_veronika() -> None:
    """MZ-5, MZ-6, MZ-11: after Veronika's round the fly is Adam's, and so is the bag."""
    match = bid_all(at_auction(4, 4), [2, 3, 3, 4])
    assert match.view(None).fly == 0
    while match.view(None).phase != "flying":
        seat = min(match.acting)
        match.play(seat, match.legal_moves(seat)[0])
    assert match.acting == {0}
    finish_round(match)
    assert match.view(None).starter == 0


def test_each_takes_one_open_tile_into_the_hand() -> None:
    """MZ-5."""
    match = bid_all(at_auction(3, 2), [2, 1, 0])
    display, hand = Counter(match.view(None).display), Counter(match.view(None).places[0].hand)
    assert set(match.legal(0)) == {f"pick {tile}" for tile in display}
    tile = match.view(None).display[0]
    match.play(0, f"pick {tile}")
    assert Counter(match.view(None).display) == display - Counter([tile])
    assert Counter(match.view(None).places[0].hand) == hand + Counter([tile])


def test_the_tile_left_over_goes_back_into_the_bag() -> None:
    """MZ-7."""
    match = at_round(3, 2)
    bag = match.table.bag.sum()
    match.play(None, "draw R1 R1 B1 Y4")
    bid_all(match, [0, 0, 0])
    for seat, tile in ((1, "R1"), (2, "B1"), (0, "R1")):
        match.play(seat, f"pick {tile}")
    assert match.view(None).display == ()
    assert match.table.bag.sum() == bag - 3


def test_the_bag_passes_to_the_next_seat_each_round() -> None:
    """MZ-11."""
    starters = [at_round(4, number).view(None).starter for number in range(1, 7)]
    assert starters == [0, 1, 2, 3, 0, 1]


@pytest.mark.parametrize("text", ["deal R1", "deal R5 R1 R1 R1 R1 R1 R1 R1 R1 R1 R1 R1", "draw R1 R1 R1 R1", ""])
def test_what_is_no_deal_is_not_understood(text: str) -> None:
    with pytest.raises(BadNotation):
        Match(GAME, 3).play(None, text)


@pytest.mark.parametrize("text", ["draw R1 R1 R1", "draw R1 R1 R1 B1 B1", "draw R1 R1 R1 X1", "deal R1 R1 R1 B1"])
def test_what_is_no_draw_is_not_understood(text: str) -> None:
    """MZ-3."""
    with pytest.raises(BadNotation):
        at_round(3, 2).play(None, text)


@pytest.mark.parametrize(
    "text", ["bid", "bid -1", "bid 03", "bid x", "pick R9", "lay R1", "lay R1 e1", "fly a5", "pass", ""]
)
def test_what_is_no_event_is_not_understood(text: str) -> None:
    with pytest.raises(BadNotation):
        at_auction(3, 2).play(0, text)
