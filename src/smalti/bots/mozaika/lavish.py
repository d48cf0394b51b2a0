"""How others are thought to bid, compiled: lavishly or with care.

Where a fly is to be feared, lavish people bid about two thirds of what they have, and all if they have little; only the
poorest, whom everybody else can outbid, often gives up. Where there is no fly, hardly anything is bid. Whoever is still
rich when flies have come is likely to be careful.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from smalti.engine.chance import Stream, below
from smalti.engine.compiled import compiled
from smalti.games.mozaika.tables import MOST_COINS

PARTS = 60  # of a whole
FINE = 1 << 20
FIRST_FLIES = 7  # less the seats: the round from which on there are flies (MZ-6)
FEW = 3  # coins, all of which are bid
GIVES_UP = {4: 24, 5: 6}  # parts of the poorest who bid nothing, with so many coins or more
GIVES_UP_WITH_FEW = 39
CAREFREE = (30, 20, 10)  # parts that bid nothing, one coin, two
CAREFUL = (16, 12, 10, 10, 8, 4)  # parts of careful people who bid nothing, one coin, …
# How likely somebody is lavish: at first, and by what is left in the purse once flies have come.
AT_FIRST, WHEN_POOR, WHEN_RICH = 0.5, 0.9, 0.1
POOR, RICH = 5, 9  # coins


def lavish_parts(purse: int, is_poorest: bool) -> npt.NDArray[np.int64]:
    """Return how likely each bid of somebody lavish is, in parts, where there is a fly."""
    found = np.zeros(MOST_COINS + 1, np.int64)
    if is_poorest:
        found[0] = GIVES_UP_WITH_FEW if purse <= FEW else GIVES_UP[min(purse, max(GIVES_UP))]
    rest = PARTS - found[0]
    for off in (-1, 0, 1):
        bid = purse if purse <= FEW else min(purse, (2 * purse + 2) // 3 + off)
        found[bid] += rest // 3
    return found


def carefree_parts(purse: int) -> npt.NDArray[np.int64]:
    """Return how likely each bid is, in parts, where there is no fly."""
    found = np.zeros(MOST_COINS + 1, np.int64)
    for bid, share in enumerate(CAREFREE):
        found[min(bid, purse)] += share
    return found


def suspicion(purse: int) -> float:
    """Return how likely somebody is lavish who has so much left."""
    return float(np.interp(purse, (POOR, RICH), (WHEN_POOR, WHEN_RICH)))


def careful_parts(purse: int) -> npt.NDArray[np.int64]:
    """Return how likely each bid of somebody careful is, in parts, where there is a fly."""
    found = np.zeros(MOST_COINS + 1, np.int64)
    for bid, share in enumerate(CAREFUL):
        found[min(bid, purse)] += share
    return found


def above(likely: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return how likely more than each bid is."""
    return 1 - likely.cumsum() / PARTS


# By what is known, who is poorest, purse and bid: how likely somebody lavish bids more, and somebody nobody knows.
NO_FLY, FIRST_FLY, MORE_FLIES = range(3)
LAVISHLY = np.zeros((3, 2, MOST_COINS + 1, MOST_COINS + 1))
EXPECTED = np.zeros_like(LAVISHLY)
SUSPICION = np.array([[AT_FIRST, AT_FIRST, suspicion(purse)] for purse in range(MOST_COINS + 1)]).T.copy()
for _known, _is_poorest, _purse in product(range(3), range(2), range(MOST_COINS + 1)):
    _where, _lavish = (_known, _is_poorest, _purse), SUSPICION[_known, _purse]
    _likely = carefree_parts(_purse) if _known == NO_FLY else lavish_parts(_purse, bool(_is_poorest))
    _careful = carefree_parts(_purse) if _known == NO_FLY else careful_parts(_purse)
    LAVISHLY[_where] = above(_likely)
    EXPECTED[_where] = _lavish * above(_likely) + (1 - _lavish) * above(_careful)


@compiled
def news(round_number: int, seats: int) -> int:
    """Return what is known of others in a round: whether flies have come. (MZ-6)"""
    first = FIRST_FLIES - seats
    return (round_number >= first) + (round_number > first)


@compiled
def drawn_above(chances: npt.NDArray[np.float64], stream: Stream) -> int:
    """Draw a bid, given how likely more than each is."""
    part, bid = (below(stream, FINE) + 0.5) / FINE, 0
    while part < chances[bid]:
        bid += 1
    return bid


@compiled
def lavish_most(known: int, is_poorest: int, purse: int) -> int:
    """Return the most that somebody lavish bids."""
    bid = 0
    while LAVISHLY[known, is_poorest, purse, bid] > 0:
        bid += 1
    return bid
