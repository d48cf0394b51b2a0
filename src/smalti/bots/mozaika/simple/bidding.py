"""An auction of Mozaika, thought through: who would pick what after which bids, and what that leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

Picks = list[list[float]]  # by seat and type of tile: what its board then promises

SAMPLES = 40  # sets of bids the others may make
MOST = 14  # coins that a bot ever bids
FLY_COST = 1.1  # points


class Auction(NamedTuple):
    """An auction as the seat that is to bid knows it."""

    seat: int
    order: Sequence[int]  # of the seats, from the start player on
    coins: Sequence[int]  # by seat
    display: Sequence[int]  # by type: open tiles
    coin_worth: float  # points
    has_fly: bool  # whether whoever picks last gets a fly


def best_bid(auction: Auction, deals: Sequence[Picks], luck: Random) -> int:
    """Return the bid that leaves the seat best off on average over deals and sampled bids of the others."""
    seat, coin = auction.seat, auction.coin_worth
    rivals = [
        (picks, [sampled_bid(luck, own, purse, coin) for own, purse in zip(picks, auction.coins, strict=True)])
        for picks in deals
        for _ in range(SAMPLES // len(deals))
    ]
    worths = []
    for bid in range(min(auction.coins[seat], MOST) + 1):
        left = [left_with(auction, [*bids[:seat], bid, *bids[seat + 1 :]], picks) for picks, bids in rivals]
        worths.append(sum(left) / len(left) - coin * bid)
    return worths.index(max(worths))


def sampled_bid(luck: Random, picks: Sequence[float], coins: int, coin: float) -> int:
    """Return what somebody may bid: a part of what the best tile is worth more than the usual one."""
    worths = [worth for worth in picks if worth > -1e8]
    want = (max(worths) - sum(worths) / len(worths)) / coin
    return min(coins, round(want * luck.uniform(0, 1.2) + luck.uniform(-0.5, 1.5)))


def picking(order: Sequence[int], bids: Sequence[int]) -> Iterator[int]:
    """Give the seats in falling order of bids, and between equal ones from the start player on. (MZ-5)"""
    yield from sorted(order, key=lambda seat: -bids[seat])


def left_with(auction: Auction, bids: Sequence[int], picks: Picks) -> float:
    """Return what the seat's board promises when everybody before it picks their best; the last one gets a fly."""
    left, last = list(auction.display), len(auction.order) - 1
    for place, other in enumerate(picking(auction.order, bids)):
        tile = max((tile for tile, tiles in enumerate(left) if tiles), key=picks[other].__getitem__)
        if other == auction.seat:
            return picks[other][tile] - (FLY_COST if auction.has_fly and place == last else 0.0)
        left[tile] -= 1
    raise AssertionError("everybody picks")
