"""The bid model of the opponents, compiled: a mixture of two types, aggressive and cautious; and what spite is worth.

Where a fly is at stake, aggressive bidders among three bid about two thirds of what they have, and all of it if they
have little; only the poorest, whom everybody else can outbid, often gives up. Among more, where somebody else is likely
to come last, they bid a coin and a third of what they have, and nobody gives up. Where there is no fly, hardly anything
is bid. What somebody has spent so far is known, because a board shows what it has earned; it tells the two types apart.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from smalti.engine.chance import Stream, below
from smalti.engine.compiled import compiled
from smalti.games.mozaika.tables import BIDDING, FIRST_FLIES, MOST_COINS, SIDE, START_COINS

FEWEST, MOST = 3, 5  # seats
PARTS = 60  # of a whole
FINE = 1 << 20  # of random fractions
NOT_LAST_COLUMN = 0x7777
FEW = 3  # coins, all of which are bid
GIVES_UP = {4: 24, 5: 6}  # parts of the poorest who bid nothing, with so many coins or more
GIVES_UP_WITH_FEW = 39
THIRDS = (-2, 0, 1, 2, 4)  # of a coin, by which bids among four or five differ
MORE_OF_THE_POOREST = 2  # likewise
WITHOUT_FLIES = (30, 20, 10)  # parts that bid nothing, one coin, two
CAUTIOUS_PARTS = (16, 12, 10, 10, 8, 4)  # parts of the cautious who bid nothing, one coin, …
# How likely somebody is aggressive: before there were flies; and who has spent like the cautious, or the aggressive.
AT_FIRST, LIKE_CAUTIOUS, LIKE_AGGRESSIVE = 0.5, 0.1, 0.9
CAUTIOUS_SPENDS = 1.9  # coins a fly
AGGRESSIVE_SPENDS = {3: 2.9, 4: 2.5, 5: 2.3}  # likewise, by seats; and more for the first one, when purses are full
FOR_THE_FIRST = {3: 4.0, 4: 2.7, 5: 2.9}
SPENDS_WITHOUT_FLIES = 0.7  # coins a round without one


def aggressive_parts_of_three(purse: int, is_poorest: bool) -> npt.NDArray[np.int64]:
    """Return how likely each bid of an aggressive bidder among three is, in parts, where there is a fly."""
    found = np.zeros(MOST_COINS + 1, np.int64)
    if is_poorest:
        found[0] = GIVES_UP_WITH_FEW if purse <= FEW else GIVES_UP[min(purse, max(GIVES_UP))]
    rest = PARTS - found[0]
    for off in (-1, 0, 1):
        bid = purse if purse <= FEW else min(purse, (2 * purse + 2) // 3 + off)
        found[bid] += rest // 3
    return found


def aggressive_parts_of_more(purse: int, is_poorest: bool, is_first: bool, seats: int) -> npt.NDArray[np.int64]:
    """Return the same among more, for the first fly, when purses are full, or a later one."""
    found = np.zeros(MOST_COINS + 1, np.int64)
    thirds = 3 * purse // 2 if is_first else purse + 3 + MOST - seats + MORE_OF_THE_POOREST * is_poorest
    for off in THIRDS:
        found[min(purse, max(0, (thirds + off) // 3))] += PARTS // len(THIRDS)
    return found


def parts_without_flies(purse: int) -> npt.NDArray[np.int64]:
    """Return how likely each bid is, in parts, where there is no fly."""
    found = np.zeros(MOST_COINS + 1, np.int64)
    for bid, share in enumerate(WITHOUT_FLIES):
        found[min(bid, purse)] += share
    return found


def cautious_parts(purse: int) -> npt.NDArray[np.int64]:
    """Return how likely each bid of a cautious bidder is, in parts, where there is a fly."""
    found = np.zeros(MOST_COINS + 1, np.int64)
    for bid, share in enumerate(CAUTIOUS_PARTS):
        found[min(bid, purse)] += share
    return found


def above(likely: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return how likely more than each bid is."""
    return 1 - likely.cumsum() / PARTS


# By seats, stage of the flies, who is poorest, purse and bid: how likely somebody aggressive bids more; and somebody
# cautious, whatever the seats and whoever is poorest.
NO_FLY, FIRST_FLY, MORE_FLIES = range(3)
AGGRESSIVE_ABOVE = np.zeros((MOST - FEWEST + 1, 3, 2, MOST_COINS + 1, MOST_COINS + 1))
CAUTIOUS_ABOVE = np.zeros((3, MOST_COINS + 1, MOST_COINS + 1))
for _stage, _purse in product(range(3), range(MOST_COINS + 1)):
    CAUTIOUS_ABOVE[_stage, _purse] = above(parts_without_flies(_purse) if _stage == NO_FLY else cautious_parts(_purse))
    AGGRESSIVE_ABOVE[:, _stage, :, _purse] = CAUTIOUS_ABOVE[NO_FLY, _purse]
for _seats, _stage, _is_poorest, _purse in product(
    range(FEWEST, MOST + 1), (FIRST_FLY, MORE_FLIES), range(2), range(MOST_COINS + 1)
):
    AGGRESSIVE_ABOVE[_seats - FEWEST, _stage, _is_poorest, _purse] = above(
        aggressive_parts_of_three(_purse, bool(_is_poorest))
        if _seats == FEWEST
        else aggressive_parts_of_more(_purse, bool(_is_poorest), _stage == FIRST_FLY, _seats)
    )


@compiled
def fly_stage(round_number: int, seats: int) -> int:
    """Return whether a round is before the first fly, has it, or comes after it. (MZ-6)"""
    first = FIRST_FLIES - seats
    return (round_number >= first) + (round_number > first)


@compiled
def spite(seats: int) -> float:
    """Return what a point that another loses is worth to somebody: they look at the mean of all others."""
    return 1.0 / (seats - 1)


@compiled
def drawn_above(chances: npt.NDArray[np.float64], stream: Stream) -> int:
    """Draw a bid, given how likely more than each is."""
    part, bid = (below(stream, FINE) + 0.5) / FINE, 0
    while part < chances[bid]:
        bid += 1
    return bid


@compiled
def aggressive_above(seats: int, stage: int, is_poorest: int, purse: int, bid: int) -> float:
    """Return how likely somebody aggressive bids more than so much."""
    return AGGRESSIVE_ABOVE[seats - FEWEST, stage, is_poorest, purse, bid]


@compiled
def aggressive_drawn(seats: int, stage: int, is_poorest: int, purse: int, stream: Stream) -> int:
    """Draw what somebody aggressive bids."""
    return drawn_above(AGGRESSIVE_ABOVE[seats - FEWEST, stage, is_poorest, purse], stream)


@compiled
def aggressive_most(seats: int, stage: int, is_poorest: int, purse: int) -> int:
    """Return the most that somebody aggressive bids."""
    bid = 0
    while aggressive_above(seats, stage, is_poorest, purse, bid) > 0:
        bid += 1
    return bid


# --- Who is aggressive


def earned(table: Any, seat: int) -> int:
    """Return what a board has brought in coins: each pair of neighbours paid once, when the second was laid. (MZ-9)"""
    total = 0
    for cells in (*table.colours[seat].tolist(), *table.symbols[seat].tolist()):
        total += (cells & cells >> 1 & NOT_LAST_COLUMN).bit_count() + (cells & cells >> SIDE).bit_count()
    return total


def spent(table: Any, seat: int) -> int:
    """Return how many coins a seat has bid so far."""
    return START_COINS + earned(table, seat) - int(table.coins[seat])


def estimated_aggression(table: Any, seat: int) -> float:
    """Return how likely a seat is aggressive, by what it has spent."""
    auctions = int(table.round_number) - 1 - (table.phase == BIDDING)
    without_flies = min(auctions, FIRST_FLIES - int(table.seats) - 2)
    flies = auctions - without_flies
    if flies <= 0:
        return AT_FIRST
    cautious = SPENDS_WITHOUT_FLIES * without_flies + CAUTIOUS_SPENDS * flies
    seats = int(table.seats)
    aggressive = SPENDS_WITHOUT_FLIES * without_flies + FOR_THE_FIRST[seats] + AGGRESSIVE_SPENDS[seats] * flies
    return float(np.interp(spent(table, seat), (cautious, aggressive), (LIKE_CAUTIOUS, LIKE_AGGRESSIVE)))
