"""The strongest bot: learned board values, bids by regret matching+, and the best moves compared by rollouts."""

from __future__ import annotations

from math import ceil

import numpy as np

from smalti.bots.bot import Budget, Choice, Seen, Thought
from smalti.bots.mozaika.evaluate.board_value import hold
from smalti.bots.mozaika.evaluate.features import NONE
from smalti.bots.mozaika.evaluate.moves import LAYS, NOTHING, best_fly, best_lay
from smalti.bots.mozaika.evaluate.scratch import set_out
from smalti.bots.mozaika.evaluate.win_probability import Means, envies, final
from smalti.bots.mozaika.search.auction import SEATS, Auction, open_auction
from smalti.bots.mozaika.search.context import SeatContext, Style
from smalti.bots.mozaika.search.picking import pick_in_line
from smalti.bots.mozaika.search.regret_matching import balance, weigh_bids
from smalti.bots.mozaika.search.round_value import NO_LEANS, move_on
from smalti.bots.mozaika.search.successive_halving import Trial, trial_worths
from smalti.games.mozaika.tables import BID, BIDDING, CELLS, FLY, LAY, LAYING, PICK, PICKING, ROUNDS

STYLE = Style()
FEW_NODES = 8  # with fewer there is no looking ahead
SHARE_FOR_LAYS = 0.4  # of the budget, to find out where a tile would be laid


def looks_ahead(context: SeatContext, budget: Budget) -> bool:
    """Say whether there is a next round, and a budget to think about it."""
    return context.round < ROUNDS and (budget.seconds > 0 or budget.nodes >= FEW_NODES)


# --- Looking ahead


def share_of(budget: Budget, share: float) -> Budget:
    """Return a share of a budget, never nothing."""
    return Budget(share * budget.seconds, ceil(share * budget.nodes))


def looked_ahead(
    context: SeatContext, found: dict[int, Means], trials: dict[int, Trial], budget: Budget
) -> dict[int, Means]:
    """Return what all can expect of these moves when looked ahead, as far as they were not given up."""
    moves, before = list(trials), list(trials.values())
    changes = {number: worth - before[number].worth for number, worth in trial_worths(context, before, budget).items()}
    return {moves[number]: with_own(context, found[moves[number]], change) for number, change in changes.items()}


def lays_with(context: SeatContext, tile: int, has_fly: bool) -> list[Trial]:
    """Return the best lays of a seat once it has got a tile."""
    board, worths, stings = context.boards[0], np.zeros(LAYS), np.zeros(LAYS)
    set_out(board, context.seen.table, context.seat)
    board.hand[tile] += 1
    best_lay(board, 0, NONE, context.weights, worths)
    found = []
    for lay in np.argsort(-worths)[: context.style.lays_a_tile].tolist():
        if worths[lay] > NOTHING:
            hold(board, lay // CELLS, context.weights)
            sting = best_fly(board, lay // CELLS, lay % CELLS, context.weights, stings)[1] if has_fly else 0.0
            found.append(Trial(float(worths[lay] + sting), NONE, tile, lay, has_fly))
    return found


def changes_ahead(context: SeatContext, lays: dict[int, list[Trial]], budget: Budget) -> dict[int, float]:
    """Return by tile how much more its best lay is worth when looked ahead than by what was learned."""
    trials = [trial for each in lays.values() for trial in each]
    seen = trial_worths(context, trials, share_of(budget, SHARE_FOR_LAYS), fewest=len(trials))
    best = {
        tile: max((number for number in seen if trials[number].tile == tile), key=seen.__getitem__) for tile in lays
    }
    again = [trials[number]._replace(worth=seen[number]) for number in best.values()]
    found = trial_worths(context, again, share_of(budget, 1 - SHARE_FOR_LAYS), fewest=len(again))
    return {tile: found[place] - max(trial.worth for trial in lays[tile]) for place, tile in enumerate(lays)}


# --- Bids


def bid(context: SeatContext, budget: Budget) -> Thought:
    """Balance the bids of all, and draw from one's own mixture; or look ahead, and make the best."""
    found, mixture = bids_now(context)
    if context.style.bids_ahead and looks_ahead(context, budget) and len(found) > 1:
        trials = {move: Trial(float(means[context.seat]), bid=move - BID) for move, means in found.items()}
        return context.thought(looked_ahead(context, found, trials, budget))
    return context.thought(found, context.seen.luck.choices(list(found), mixture)[0])


def bids_now(context: SeatContext) -> tuple[dict[int, Means], list[float]]:
    """Return what all can expect of each bid against balanced ones, and one's own balanced mixture."""
    auction, seat, style = context.auctions[0], context.seat, context.style
    coins = int(context.seen.table.coins[seat])
    means, mixture, counts = np.zeros((coins + 2, SEATS)), np.zeros(coins + 2), np.zeros(coins + 2)
    for _ in range(context.deals):
        context.deal()
        open_auction(context.scratch, NO_LEANS)
        envy(context, auction)
        balance(auction, style.balance_rounds, context.seen.stream)
        weigh_bids(auction, seat, style.bid_samples, context.seen.stream, means)
        own = auction.balanced[seat, : int(auction.most[seat]) + 1]
        counts[: len(own)] += 1
        mixture[: len(own)] += own / own.sum()
    bids = [each for each in range(coins + 1) if counts[each]]
    found = {BID + each: means[each, : context.seats] / counts[each] for each in bids}
    return found, [mixture[each] for each in bids]


def envy(context: SeatContext, auction: Auction) -> None:
    """Let everybody look at those who can still win, by what all can expect if nobody bids."""
    means = np.zeros(SEATS)
    auction.bid[:] = 0
    pick_in_line(auction, means)
    auction.envy[: context.seats, : context.seats] = context.envy * envies(means[: context.seats], context.spread)


# --- Picks, flies


def pick(context: SeatContext, budget: Budget) -> Thought:
    """Pick what brings most when the others then take what they like best."""
    found = {move: np.zeros(context.seats) for move in context.seen.legal}
    for _ in range(context.deals):
        context.deal()
        context.tables[1] = context.table
        for move in found:
            context.tables[0] = context.tables[1]
            move_on(context.table, context.seat, move)
            found[move] += context.expected_now() / context.deals
    if context.style.bids_ahead and looks_ahead(context, budget) and len(found) > 1:
        has_fly = bool(context.seen.table.flown == context.seat)
        lays = {move - PICK: lays_with(context, move - PICK, has_fly) for move in found}
        for tile, change in changes_ahead(context, lays, budget).items():
            found[PICK + tile] = with_own(context, found[PICK + tile], change)
    return context.thought(found)


def fly(context: SeatContext) -> Thought:
    """Put the fly where it hurts least."""
    context.deal()
    means = context.expected_now()
    set_out(context.boards[0], context.seen.table, context.seat)
    hold(context.boards[0], NONE, context.weights)
    best = best_fly(context.boards[0], NONE, NONE, context.weights, context.worths)[1]
    return context.thought(
        {move: with_own(context, means, context.worths[move - FLY] - best) for move in context.seen.legal}
    )


def last_fly(context: SeatContext) -> Thought:
    """Put the fly down that ends the game: what comes out is known."""
    found = []
    for move in context.seen.legal:
        context.deal()
        move_on(context.table, context.seat, move)
        found.append(Choice(move, *final(context.table)[context.seat]))
    found.sort(key=lambda choice: (-choice.chance, -choice.worth))
    return Thought(found[0].move, tuple(found), True, len(found))


def with_own(context: SeatContext, means: Means, change: float) -> Means:
    """Return what all can expect when the seat can expect so much more."""
    changed = means.copy()
    changed[context.seat] += change
    return changed


# --- Lays


def lay(context: SeatContext, budget: Budget) -> Thought:
    """Lay what is worth most; the best few are looked a round ahead from."""
    found = lays_now(context)
    if not looks_ahead(context, budget) or len(found) == 1:
        return context.thought(found)
    ranked = sorted(found, key=lambda move: -found[move][context.seat])[: context.style.candidates]
    has_fly = bool(context.seen.table.flown == context.seat)
    trials = {move: Trial(float(found[move][context.seat]), lay=move - LAY, has_fly=has_fly) for move in ranked}
    return context.thought(looked_ahead(context, found, trials, budget))


def lays_now(context: SeatContext) -> dict[int, Means]:
    """Return what all can expect after each lay."""
    context.deal()
    means = context.expected_now()
    board, worths, stings = context.boards[0], np.zeros(LAYS), np.zeros(LAYS)
    set_out(board, context.seen.table, context.seat)
    best_lay(board, 0, NONE, context.weights, worths)
    if context.seen.table.flown == context.seat:
        for move in context.seen.legal:
            tile, cell = divmod(move - LAY, CELLS)
            hold(board, tile, context.weights)
            worths[move - LAY] += best_fly(board, tile, cell, context.weights, stings)[1]
    own = means[context.seat]
    context.nodes += len(context.seen.legal)
    return {move: with_own(context, means, float(worths[move - LAY] - own)) for move in context.seen.legal}


def think(seen: Seen, budget: Budget, style: Style = STYLE) -> Thought:
    """Think about whatever the seat has to do."""
    return decide(SeatContext(seen, style), budget)


def decide(context: SeatContext, budget: Budget) -> Thought:
    """Bid, pick, lay or place a fly, whatever is to be done."""
    phase = context.seen.table.phase
    if phase == BIDDING:
        return bid(context, budget)
    if phase == PICKING:
        return pick(context, budget)
    if phase == LAYING:
        return lay(context, budget)
    return last_fly(context) if context.round == ROUNDS else fly(context)
