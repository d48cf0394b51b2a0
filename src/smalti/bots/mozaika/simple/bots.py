"""The bots that know Mozaika: one takes what counts now, one weighs what boards may become, its own and the others'."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smalti.bots.bot import Bot, Seen, plain
from smalti.bots.mozaika.simple.bidding import Auction, best_bid
from smalti.bots.mozaika.simple.boards import COIN, NOTHING, Floats, Tiles, board_promise, list_lays, list_picks
from smalti.bots.plain import GREEDY, SEARCH
from smalti.games.mozaika.rules import first_fly_round
from smalti.games.mozaika.tables import (
    BIDDING,
    CELLS,
    COINS_PER_POINT,
    COLOUR_OF,
    FLY,
    HAND,
    LAY,
    LAYING,
    PICK,
    PICKING,
    ROUNDS,
    SYMBOL_OF,
    TYPES,
    Table,
)

# How likely a structure with 0 to 4 missing tiles becomes one of one colour, of one symbol; a pair of cells of a
# symmetry that is free, half with its like in hand, half; a coin; a tile in hand.
POINTS_ONLY = np.array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1 / COINS_PER_POINT, 1])
PROMISE = np.array([1, 0.6, 0.37, 0.17, 0.05, 1, 0.5, 0.22, 0.045, 0.02, 0.73, 0.74, 0.53, 0.2, 1.15])
EARLY_COIN = 0.18  # what a coin is worth more in the first round than in the last
DEALS = 3  # of hands nobody has seen
GREED = 1.5  # coins for each point that the best tile is worth more than the others


@dataclass(frozen=True)
class Player:
    """A seat with its board and its hand, and the dials it values boards by."""

    board: Tiles
    flies: int
    hand: Tiles
    coins: int
    dials: Floats

    def lays(self) -> Floats:
        """Return what the board promises after each lay, by tile and cell."""
        worths = np.zeros(len(TYPES) * CELLS)
        list_lays(self.board, self.flies, self.hand, self.dials, worths)
        return worths

    def picks(self, display: Tiles) -> Floats:
        """Return for each type what its tile makes of the board, nothing for one that does not lie open."""
        worths, picks = np.zeros(len(TYPES) * CELLS), np.zeros(len(TYPES))
        list_picks(self.board, self.flies, self.hand, display, self.dials, worths, picks)
        return picks

    def with_fly(self, cell: int) -> float:
        """Return what the board promises with one more fly."""
        return float(board_promise(self.board, self.flies | 1 << cell, self.hand, self.dials))


def board_of(table: Table, seat: int) -> Tiles:
    """Return a seat's tiles by cell, −1 where there is none."""
    lying = [
        (int(table.colours[seat, colour]) & int(table.symbols[seat, symbol]), tile)
        for tile, (colour, symbol) in enumerate(zip(COLOUR_OF.tolist(), SYMBOL_OF.tolist(), strict=True))
    ]
    tiles = [next((tile for cells, tile in lying if cells >> cell & 1), -1) for cell in range(CELLS)]
    return np.array(tiles, np.int64)


def player(seen: Seen, seat: int, dials: Floats) -> Player:
    """Return a seat as a player with these dials."""
    table = seen.table
    hand = table.hands[seat].astype(np.int64)
    return Player(board_of(table, seat), int(table.flies[seat]), hand, int(table.coins[seat]), dials)


def display_of(seen: Seen) -> Tiles:
    """Return the open tiles by type."""
    tiles: Tiles = seen.table.display.astype(np.int64)
    return tiles


# --- Picking, laying, flies: the same for both, with other dials


def moved(seen: Seen, dials: Floats) -> int:
    """Return the tile to pick, the lay, or the cell for the fly after which the board promises most."""
    own, phase = player(seen, seen.seat, dials), seen.table.phase
    if phase == PICKING:
        picks = own.picks(display_of(seen))
        return seen.best({move: float(picks[move - PICK]) for move in seen.moves})
    if phase == LAYING:
        lays = own.lays()
        return seen.best({move: float(lays[move - LAY]) for move in seen.moves})
    return seen.best({move: own.with_fly(move - FLY) for move in seen.moves})


# --- One step


def greedy(seen: Seen) -> int:
    """Return the move that counts most at once."""
    return greedy_bid(seen) if seen.table.phase == BIDDING else moved(seen, POINTS_ONLY)


def greedy_bid(seen: Seen) -> int:
    """Bid for what the best open tile is worth more than the usual one, half of the purse at most."""
    own = player(seen, seen.seat, POINTS_ONLY)
    picks = own.picks(display_of(seen))
    open_tiles = picks[picks > NOTHING]
    want = float(open_tiles.max() - open_tiles.mean()) * GREED + seen.luck.random()
    return min(own.coins // 2, round(want))


# --- Weighing


def search(seen: Seen) -> int:
    """Return the move that promises most, for the rounds that are left."""
    dials = dials_now(seen)
    return auction_bid(seen, dials) if seen.table.phase == BIDDING else moved(seen, dials)


def dials_now(seen: Seen) -> Floats:
    """Return what things are worth in this round: coins buy less and less."""
    dials = PROMISE.copy()
    dials[COIN] += EARLY_COIN * (ROUNDS - int(seen.table.round_number)) / ROUNDS
    return dials


def auction_bid(seen: Seen, dials: Floats) -> int:
    """Bid what pays best against bids that the others may well make for what the tiles are worth to them."""
    table, display = seen.table, display_of(seen)
    seats = range(int(table.seats))
    players = [player(seen, seat, dials) for seat in seats]
    deals = DEALS if table.secret_hands else 1
    picks = []
    for _ in range(deals):
        if table.secret_hands:
            deal_hands(seen, players)
        picks.append([one.picks(display).tolist() for one in players])
    order = [(int(table.starter) + distance) % len(seats) for distance in seats]
    has_fly = bool(table.round_number >= first_fly_round(table))
    coins = [one.coins for one in players]
    auction = Auction(seen.seat, order, coins, display.tolist(), float(dials[COIN]), has_fly)
    return best_bid(auction, picks, seen.luck)


def deal_hands(seen: Seen, players: list[Player]) -> None:
    """Deal the others hands from the tiles that this seat has not seen."""
    unseen = [tile for tile, tiles in enumerate(seen.table.bag.tolist()) for _ in range(tiles)]
    seen.luck.shuffle(unseen)
    for seat, one in enumerate(players):
        if seat != seen.seat:
            one.hand[:] = 0
            for _ in range(HAND - 1):
                one.hand[unseen.pop()] += 1


BOTS = (Bot("greedy", GREEDY, plain(greedy), "mozaika"), Bot("search", SEARCH, plain(search), "mozaika"))
