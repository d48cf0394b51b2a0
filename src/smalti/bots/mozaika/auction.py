"""An auction of Mozaika, thought through: who would pick what after which bids, and what that leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

Picks = list[list[float]]  # by seat and type of tile: what its board then promises

SAMPLES = 40  # sets of bids the others may make
MOST = 14  # coins that a bot ever bids
FLY_COST = 1.1  # points


def best_bid(
    luck: Random,
    seat: int,
    order: Sequence[int],
    coins: Sequence[int],
    display: Sequence[int],
    deals: Sequence[Picks],
    coin: float,
    flies: bool,
) -> int:
    """Return the bid that leaves the seat best off on average; `order` begins with the start player."""
    rivals = [
        (picks, [sampled_bid(luck, own, purse, coin) for own, purse in zip(picks, coins, strict=True)])
        for picks in deals
        for _ in range(SAMPLES // len(deals))
    ]
    worths = []
    for bid in range(min(coins[seat], MOST) + 1):
        left = [
            left_with(seat, order, [*bids[:seat], bid, *bids[seat + 1 :]], display, picks, flies)
            for picks, bids in rivals
        ]
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


def left_with(
    seat: int, order: Sequence[int], bids: Sequence[int], display: Sequence[int], picks: Picks, flies: bool
) -> float:
    """Return what the seat's board promises when everybody before it picks their best; the last one gets a fly."""
    left = list(display)
    for place, other in enumerate(picking(order, bids)):
        tile = max((tile for tile, tiles in enumerate(left) if tiles), key=picks[other].__getitem__)
        if other == seat:
            return picks[seat][tile] - (FLY_COST if flies and place == len(order) - 1 else 0.0)
        left[tile] -= 1
    raise AssertionError("everybody picks")
