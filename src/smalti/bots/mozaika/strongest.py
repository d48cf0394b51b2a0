"""The strongest bot: boards are weighed by what was learned, bids are balanced, the best moves looked ahead from."""

from __future__ import annotations

from math import ceil

import numpy as np

from smalti.bots.bot import Budget, Choice, Seen, Thought
from smalti.bots.mozaika.ahead import Trial, ahead
from smalti.bots.mozaika.bidding import balance, weigh_bids
from smalti.bots.mozaika.desk import set_out
from smalti.bots.mozaika.features import NONE
from smalti.bots.mozaika.foresight import NO_LEANS, move_on
from smalti.bots.mozaika.laying import LAYS, NOTHING, best_fly, best_lay
from smalti.bots.mozaika.mind import SEATS, Mind, Style
from smalti.bots.mozaika.offers import Auction, open_auction
from smalti.bots.mozaika.picking import pick_in_line
from smalti.bots.mozaika.weighing import hold
from smalti.bots.mozaika.winning import Means, envies, final
from smalti.games.mozaika.tables import BID, BIDDING, CELLS, FLY, LAY, LAYING, PICK, PICKING, ROUNDS

STYLE = Style()
FEW_NODES = 8  # with fewer there is no looking ahead
SHARE_FOR_LAYS = 0.4  # of the budget, to find out where a tile would be laid


def looks_ahead(mind: Mind, budget: Budget) -> bool:
    """Say whether there is a next round, and a budget to think about it."""
    return mind.round < ROUNDS and (budget.seconds > 0 or budget.nodes >= FEW_NODES)


# --- Looking ahead


def part(budget: Budget, share: float) -> Budget:
    """Return a part of a budget, never nothing."""
    return Budget(share * budget.seconds, ceil(share * budget.nodes))


def looked_ahead(mind: Mind, found: dict[int, Means], trials: dict[int, Trial], budget: Budget) -> dict[int, Means]:
    """Return what all can expect of these moves when looked ahead, as far as they were not given up."""
    moves, before = list(trials), list(trials.values())
    changes = {number: worth - before[number].worth for number, worth in ahead(mind, before, budget).items()}
    return {moves[number]: with_own(mind, found[moves[number]], change) for number, change in changes.items()}


def lays_with(mind: Mind, tile: int, has_fly: bool) -> list[Trial]:
    """Return the best lays of a seat once it has got a tile."""
    desk, worths, stings = mind.desks[0], np.zeros(LAYS), np.zeros(LAYS)
    set_out(desk, mind.seen.table, mind.seat)
    desk.hand[tile] += 1
    best_lay(desk, 0, NONE, mind.weights, worths)
    found = []
    for lay in np.argsort(-worths)[: mind.style.lays_a_tile].tolist():
        if worths[lay] > NOTHING:
            hold(desk, lay // CELLS, mind.weights)
            sting = best_fly(desk, lay // CELLS, lay % CELLS, mind.weights, stings)[1] if has_fly else 0.0
            found.append(Trial(float(worths[lay] + sting), NONE, tile, lay, has_fly))
    return found


def changes_ahead(mind: Mind, lays: dict[int, list[Trial]], budget: Budget) -> dict[int, float]:
    """Return by tile how much more its best lay is worth when looked ahead than by what was learned."""
    trials = [trial for each in lays.values() for trial in each]
    seen = ahead(mind, trials, part(budget, SHARE_FOR_LAYS), fewest=len(trials))
    best = {
        tile: max((number for number in seen if trials[number].tile == tile), key=seen.__getitem__) for tile in lays
    }
    again = [trials[number]._replace(worth=seen[number]) for number in best.values()]
    found = ahead(mind, again, part(budget, 1 - SHARE_FOR_LAYS), fewest=len(again))
    return {tile: found[place] - max(trial.worth for trial in lays[tile]) for place, tile in enumerate(lays)}


# --- Bids


def bid(mind: Mind, budget: Budget) -> Thought:
    """Balance the bids of all, and draw from one's own mixture; or look ahead, and make the best."""
    found, mixture = bids_now(mind)
    if mind.style.bids_ahead and looks_ahead(mind, budget) and len(found) > 1:
        trials = {move: Trial(float(means[mind.seat]), bid=move - BID) for move, means in found.items()}
        return mind.thought(looked_ahead(mind, found, trials, budget))
    return mind.thought(found, mind.seen.luck.choices(list(found), mixture)[0])


def bids_now(mind: Mind) -> tuple[dict[int, Means], list[float]]:
    """Return what all can expect of each bid against balanced ones, and one's own balanced mixture."""
    auction, seat, style = mind.auctions[0], mind.seat, mind.style
    coins = int(mind.seen.table.coins[seat])
    means, mixture, counts = np.zeros((coins + 2, SEATS)), np.zeros(coins + 2), np.zeros(coins + 2)
    for _ in range(mind.deals):
        mind.deal()
        open_auction(auction, mind.table, mind.desks, NO_LEANS, mind.weights, mind.worths)
        envy(mind, auction)
        balance(auction, style.balance_rounds, mind.seen.stream)
        weigh_bids(auction, seat, style.bid_samples, mind.seen.stream, means)
        own = auction.balanced[seat, : int(auction.most[seat]) + 1]
        counts[: len(own)] += 1
        mixture[: len(own)] += own / own.sum()
    bids = [each for each in range(coins + 1) if counts[each]]
    found = {BID + each: means[each, : mind.seats] / counts[each] for each in bids}
    return found, [mixture[each] for each in bids]


def envy(mind: Mind, auction: Auction) -> None:
    """Let everybody look at those who can still win, by what all can expect if nobody bids."""
    means = np.zeros(SEATS)
    auction.bid[:] = 0
    pick_in_line(auction, means)
    auction.envy[: mind.seats, : mind.seats] = mind.envy * envies(means[: mind.seats], mind.spread)


# --- Picks, flies


def pick(mind: Mind, budget: Budget) -> Thought:
    """Pick what brings most when the others then take what they like best."""
    found = {move: np.zeros(mind.seats) for move in mind.seen.legal}
    for _ in range(mind.deals):
        mind.deal()
        mind.tables[1] = mind.table
        for move in found:
            mind.tables[0] = mind.tables[1]
            move_on(mind.table, mind.seat, move)
            found[move] += mind.expected_now() / mind.deals
    if mind.style.bids_ahead and looks_ahead(mind, budget) and len(found) > 1:
        has_fly = bool(mind.seen.table.flown == mind.seat)
        lays = {move - PICK: lays_with(mind, move - PICK, has_fly) for move in found}
        for tile, change in changes_ahead(mind, lays, budget).items():
            found[PICK + tile] = with_own(mind, found[PICK + tile], change)
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
    ranked = sorted(found, key=lambda move: -found[move][mind.seat])[: mind.style.candidates]
    has_fly = bool(mind.seen.table.flown == mind.seat)
    trials = {move: Trial(float(found[move][mind.seat]), lay=move - LAY, has_fly=has_fly) for move in ranked}
    return mind.thought(looked_ahead(mind, found, trials, budget))


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
