"""Hands for Mozaika: seal a bid, take an open tile, lay a tile, put the fly somewhere."""

from __future__ import annotations

import random
import re

from playwright.sync_api import Locator

from tests.browser.people import Person

COLOURS = {"R": "red", "B": "blue", "Y": "ochre"}
SYMBOLS = {"1": "circle", "2": "triangle", "3": "square", "4": "star"}
MOST = 3  # coins to bid: enough to win sometimes, and quickly counted out


def tile_words(code: str) -> str:
    """Return what a tile is called."""
    return f"{COLOURS[code[0]]} {SYMBOLS[code[1]]}"


def chosen_move(person: Person, luck: random.Random) -> str:
    """Choose a move at random, among the bids a small one."""
    bids = [move for move in person.legal if move.startswith("bid ") and int(move[4:]) <= MOST]
    return luck.choice(bids or person.legal)


class Mozaika:
    """Play by mouse or finger; a finger is shown first what it would do, and confirms."""

    def act(self, person: Person, luck: random.Random) -> None:
        seat, number = person.eyes, person.number
        assert seat is not None
        move = chosen_move(person, luck)
        self.do(person, move, luck)
        person.until_done(seat, move, number)

    def do(self, person: Person, move: str, luck: random.Random) -> None:
        verb, *words = move.split()
        if verb == "bid":
            self.bid(person, int(words[0]), luck)
        elif verb == "pick":
            self.pick(person, words[0])
        elif verb == "lay":
            self.lay(person, *words)
        else:
            self.put_fly(person, words[0])

    def bid(self, person: Person, coins: int, luck: random.Random) -> None:
        """Count out coins, from the purse or with the stepper, and seal them."""
        bidding = person.page.get_by_role("region", name="Your bid")
        purse = bidding.get_by_role("button", name=re.compile("^Purse"))
        more = luck.choice([purse, person.button("One coin more", bidding)])
        for _ in range(coins):
            person.press(more)
        person.press_button(f"Seal the bid: {coins}")

    def change_bid(self, person: Person, coins: int) -> None:
        """Unseal the bid, count out another, and seal it again."""
        person.press_button("Change my bid")
        bidding = person.page.get_by_role("region", name="Your bid")
        while (now := int(bidding.get_by_role("status", name="Your bid").inner_text())) != coins:
            person.press(person.button("One coin less" if now > coins else "One coin more", bidding))
        person.press_button(f"Seal the bid: {coins}")

    def pick(self, person: Person, code: str) -> None:
        """Take an open tile."""
        tiles = person.page.get_by_role("region", name="Open tiles")
        person.press(tiles.get_by_role("button", name=f"Take {tile_words(code)}", exact=True).first)
        if person.is_touching:
            person.press(person.button(f"Take {tile_words(code)}").last)

    def lay(self, person: Person, code: str, cell: str) -> None:
        """Choose a tile of the hand, then a cell."""
        assert person.state
        assert person.eyes is not None
        hand: list[str] = person.state["view"]["places"][person.eyes]["hand"]
        held = person.page.get_by_role("group", name="Hand", exact=True)
        person.press(person.button(f"Tile {hand.index(code) + 1}: {tile_words(code)}", held))
        laying = re.compile(rf"^Lay {tile_words(code)} on {cell} ")
        person.press(mosaic(person).get_by_role("button", name=laying))
        if person.is_touching:
            person.press(person.page.get_by_role("button", name=laying).last)

    def put_fly(self, person: Person, cell: str) -> None:
        """Put the fly on a tile."""
        person.press(mosaic(person).get_by_role("button", name=re.compile(rf"^{cell}: ")))
        if person.is_touching:
            person.press_button(f"Put the fly on {cell}")


def mosaic(person: Person) -> Locator:
    """Find the mosaic of the seat in sight."""
    return person.page.get_by_role("group", name=re.compile("^Mosaic of "))
