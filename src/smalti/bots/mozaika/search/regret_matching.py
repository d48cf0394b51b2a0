"""Regret matching+ over the bids of a sealed auction, compiled.

All seats play the auction against each other many times. Each mixes its bids by its regrets, of which only positive
ones are kept, and the average of these mixtures, later rounds counting more, is the balance: `balance` finds it,
`weigh_bids` says what bids bring against it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.search.auction import Auction
from smalti.bots.mozaika.search.bid_model import FINE, aggressive_drawn
from smalti.bots.mozaika.search.picking import gain, note_places, place_of
from smalti.engine.chance import Stream, below
from smalti.engine.compiled import apart, compiled


@compiled
def fraction(stream: Stream) -> float:
    """Return a random number from 0 to 1."""
    return (below(stream, FINE) + 0.5) / FINE


@compiled
def drawn_bid(mixture: npt.NDArray[np.float64], most: int, stream: Stream) -> int:
    """Draw a bid from a mixture that need not add up to one."""
    total = 0.0
    for bid in range(most + 1):
        total += mixture[bid]
    rest = fraction(stream) * total
    for bid in range(most):
        rest -= mixture[bid]
        if rest < 0:
            return bid
    return most


@compiled
def aggressive_bid(auction: Auction, seat: int, stream: Stream) -> int:
    """Draw what a seat bids that is aggressive."""
    is_poorest = 1 * (seat == auction.poorest)
    return aggressive_drawn(auction.model_seats, auction.fly_stage, is_poorest, auction.coins[seat], stream)


@compiled
def likely_bid(auction: Auction, seat: int, mixture: npt.NDArray[np.float64], stream: Stream) -> int:
    """Draw what the others reckon that a seat bids: from a mixture, or aggressively."""
    if auction.aggression[seat] > 0 and fraction(stream) < auction.aggression[seat]:
        return aggressive_bid(auction, seat, stream)
    return drawn_bid(mixture, auction.most[seat], stream)


@compiled
def mix(auction: Auction, seat: int) -> None:
    """Mix a seat's bids by what it regrets."""
    total, most = 0.0, auction.most[seat]
    for bid in range(most + 1):
        total += auction.regret[seat, bid]
    for bid in range(most + 1):
        auction.mixture[seat, bid] = auction.regret[seat, bid] / total if total > 0 else 1.0 / (most + 1)


@compiled
def regret_bids(auction: Auction, seat: int, weight: float) -> None:
    """Compare what each bid would have brought with what the mixture brings; only what is regretted is kept."""
    note_places(auction, seat)
    mean, most = 0.0, auction.most[seat]
    for bid in range(most + 1):
        mean += auction.mixture[seat, bid] * gain(auction, seat, bid)
    for bid in range(most + 1):
        changed = auction.regret[seat, bid] + gain(auction, seat, bid) - mean
        auction.regret[seat, bid] = max(0.0, changed)
        auction.balanced[seat, bid] += weight * auction.mixture[seat, bid]


@apart
def balance(auction: Auction, rounds: int, stream: Stream) -> None:
    """Let the seats play the auction so many times and learn from it; later rounds count more."""
    auction.regret[:] = 0.0
    auction.balanced[:] = 0.0
    for number in range(rounds):
        for seat in range(auction.seats):
            mix(auction, seat)
        for seat in range(auction.seats):
            auction.bid[seat] = likely_bid(auction, seat, auction.mixture[seat], stream)
        for seat in range(auction.seats):
            regret_bids(auction, seat, 1.0 + number)


@compiled
def balanced_bid(auction: Auction, seat: int, stream: Stream) -> int:
    """Draw a bid from a seat's balanced mixture."""
    return drawn_bid(auction.balanced[seat], auction.most[seat], stream)


@apart
def weigh_bids(auction: Auction, seat: int, samples: int, stream: Stream, means: npt.NDArray[np.float64]) -> None:
    """Add to the means, by bid and seat, what all can expect when the others bid by their balanced mixtures."""
    for _ in range(samples):
        for other in range(auction.seats):
            auction.bid[other] = likely_bid(auction, other, auction.balanced[other], stream)
        note_places(auction, seat)
        for bid in range(auction.most[seat] + 1):
            place = place_of(auction, seat, bid)
            left = auction.coins[seat] - bid + auction.place_income[place]
            for other in range(auction.seats):
                worth = auction.place_others[place, other]
                if other == seat:
                    worth = auction.place_own[place] + auction.purse[seat, left]
                means[bid, other] += worth / samples
