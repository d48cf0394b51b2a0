"""The strongest bot: boards are weighed by what was learned, bids are balanced, the best moves looked ahead from."""

from __future__ import annotations

import numpy as np

from smalti.bots.bot import Budget, Choice, Seen, Thought
from smalti.bots.mozaika.ahead import ahead, set_candidates
from smalti.bots.mozaika.bidding import balance, weigh_bids
from smalti.bots.mozaika.desk import set_out
from smalti.bots.mozaika.features import NONE
from smalti.bots.mozaika.foresight import NO_LEANS, move_on, weigh_boards
from smalti.bots.mozaika.laying import LAYS, best_fly, best_lay
from smalti.bots.mozaika.mind import SEATS, Mind, Style
from smalti.bots.mozaika.offers import Auction, cap_bids, open_auction, rank_tiles
from smalti.bots.mozaika.picking import pick_in_line
from smalti.bots.mozaika.weighing import hold
from smalti.bots.mozaika.winning import Means, envies, final
from smalti.games.mozaika.tables import BID, BIDDING, CELLS, FLY, LAY, LAYING, PICK, PICKING, ROUNDS

STYLE = Style()
FEW_NODES = 8  # with fewer there is no looking ahead


def looks_ahead(mind: Mind, budget: Budget) -> bool:
    """Say whether there is a next round, and a budget to think about it."""
    return mind.round < ROUNDS and (budget.seconds > 0 or budget.nodes >= FEW_NODES)


# --- Bids


def bid(mind: Mind, budget: Budget) -> Thought:
    """Balance the bids of all, and draw from one's own mixture."""
    auction, seat, style = mind.auctions[0], mind.seat, mind.style
    coins = int(mind.seen.table.coins[seat])
    means, mixture, counts = np.zeros((coins + 2, SEATS)), np.zeros(coins + 2), np.zeros(coins + 2)
    changes = tiles_ahead(mind, budget) if style.bids_ahead and looks_ahead(mind, budget) else {}
    for _ in range(mind.deals):
        mind.deal()
        open_auction(auction, mind.table, mind.desks, NO_LEANS, mind.weights, mind.worths)
        for tile, change in changes.items():
            auction.worth[seat, auction.kind_of[tile]] += change
        rank_tiles(auction, seat)
        cap_bids(auction)
        envy(mind, auction)
        balance(auction, style.balance_rounds, mind.seen.stream)
        weigh_bids(auction, seat, style.bid_samples, mind.seen.stream, means)
        own = auction.balanced[seat, : int(auction.most[seat]) + 1]
        counts[: len(own)] += 1
        mixture[: len(own)] += own / own.sum()
    bids = [each for each in range(coins + 1) if counts[each]]
    found = {BID + each: means[each, : mind.seats] / counts[each] for each in bids}
    if not style.is_mixing:
        return mind.thought(found)
    return mind.thought(found, BID + mind.seen.luck.choices(bids, [mixture[each] for each in bids])[0])


def tiles_ahead(mind: Mind, budget: Budget) -> dict[int, float]:
    """Return for each open tile how much more it is worth to the seat when looked a round ahead."""
    picks = [PICK + tile for tile in range(len(mind.seen.table.display)) if mind.seen.table.display[tile]]
    found = ahead(mind, picks, budget, fewest=len(picks))
    set_candidates(mind, picks)
    changes = {}
    for number, move in enumerate(picks):
        weigh_boards(mind.tables[number + 1], mind.desks, mind.weights, mind.sums)
        changes[move - PICK] = float(found[move][mind.seat] - mind.sums[mind.seat])
    return changes


def envy(mind: Mind, auction: Auction) -> None:
    """Let everybody look at those who can still win, by what all can expect if nobody bids."""
    means = np.zeros(SEATS)
    auction.bid[:] = 0
    pick_in_line(auction, means)
    auction.envy[: mind.seats, : mind.seats] = mind.envy * envies(means[: mind.seats], mind.spread)


# --- Picks, flies


def pick(mind: Mind, budget: Budget) -> Thought:
    """Pick what brings most when the others then take what they like best."""
    if mind.style.bids_ahead and looks_ahead(mind, budget):
        return mind.thought(ahead(mind, mind.seen.legal, budget))
    found = {move: np.zeros(mind.seats) for move in mind.seen.legal}
    for _ in range(mind.deals):
        mind.deal()
        mind.tables[1] = mind.table
        for move in found:
            mind.tables[0] = mind.tables[1]
            move_on(mind.table, mind.seat, move)
            found[move] += mind.expected_now() / mind.deals
    return mind.thought(found)


def fly(mind: Mind) -> Thought:
    """Put the fly where it hurts least."""
    mind.deal()
    means = mind.expected_now()
    set_out(mind.desks[0], mind.seen.table, mind.seat)
    hold(mind.desks[0], NONE, mind.weights)
    best = best_fly(mind.desks[0], NONE, NONE, mind.weights, mind.worths)[1]
    return mind.thought({move: with_own(mind, means, mind.worths[move - FLY] - best) for move in mind.seen.legal})


def last_fly(mind: Mind) -> Thought:
    """Put the fly down that ends the game: what comes out is known."""
    found = []
    for move in mind.seen.legal:
        mind.deal()
        move_on(mind.table, mind.seat, move)
        found.append(Choice(move, *final(mind.table)[mind.seat]))
    found.sort(key=lambda choice: (-choice.chance, -choice.worth))
    return Thought(found[0].move, tuple(found), True, len(found))


def with_own(mind: Mind, means: Means, change: float) -> Means:
    """Return what all can expect when the seat can expect so much more."""
    changed = means.copy()
    changed[mind.seat] += change
    return changed


# --- Lays


def lay(mind: Mind, budget: Budget) -> Thought:
    """Lay what is worth most; the best few are looked a round ahead from."""
    found = lays_now(mind)
    if not looks_ahead(mind, budget) or len(found) == 1:
        return mind.thought(found)
    ranked = sorted(found, key=lambda move: -found[move][mind.seat])
    return mind.thought(ahead(mind, ranked[: mind.style.candidates], budget))


def lays_now(mind: Mind) -> dict[int, Means]:
    """Return what all can expect after each lay."""
    mind.deal()
    means = mind.expected_now()
    desk, worths, stings = mind.desks[0], np.zeros(LAYS), np.zeros(LAYS)
    set_out(desk, mind.seen.table, mind.seat)
    best_lay(desk, 0, NONE, mind.weights, worths)
    if mind.seen.table.flown == mind.seat:
        for move in mind.seen.legal:
            tile, cell = divmod(move - LAY, CELLS)
            hold(desk, tile, mind.weights)
            worths[move - LAY] += best_fly(desk, tile, cell, mind.weights, stings)[1]
    own = means[mind.seat]
    mind.nodes += len(mind.seen.legal)
    return {move: with_own(mind, means, float(worths[move - LAY] - own)) for move in mind.seen.legal}


def think(seen: Seen, budget: Budget, style: Style = STYLE) -> Thought:
    """Think about whatever the seat has to do."""
    return decide(Mind(seen, style), budget)


def decide(mind: Mind, budget: Budget) -> Thought:
    """Bid, pick, lay or place a fly, whatever is to be done."""
    phase = mind.seen.table.phase
    if phase == BIDDING:
        return bid(mind, budget)
    if phase == PICKING:
        return pick(mind, budget)
    if phase == LAYING:
        return lay(mind, budget)
    return last_fly(mind) if mind.round == ROUNDS else fly(mind)
