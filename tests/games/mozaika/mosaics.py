"""Rounds and boards for the tests of Mozaika."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from smalti import Match
from smalti.games.mozaika import GAME
from smalti.games.mozaika.drawing import read_board
from smalti.games.mozaika.tables import LAYING, TYPES, Table
from tests.games.tables import match_at

HANDS = ("R1 R2 R3 R4", "B1 B2 B3 B4", "Y1 Y2 Y3 Y4", "R1 B1 Y1 R2", "B2 Y2 R3 B3")


def dealt(seats: int, options: Mapping[str, str] | None = None) -> Match:
    """Return a match in its first round, with the hands above."""
    match = Match(GAME, seats, options)
    match.play(None, f"deal {' '.join(HANDS[:seats])}")
    return match


def at_round(seats: int, number: int, options: Mapping[str, str] | None = None) -> Match:
    """Return a match before the draw of this round, in which everybody always bid nothing."""
    match = dealt(seats, options)
    while match.view(None).round < number:
        finish_round(match)
        if match.view(None).round < number:
            match.draw(random.Random(number))
    return match


def at_auction(seats: int, number: int, options: Mapping[str, str] | None = None) -> Match:
    """Return a match in which the tiles of this round lie open."""
    match = at_round(seats, number, options)
    match.draw(random.Random(number))
    return match


def finish_round(match: Match) -> None:
    """Let everybody bid nothing, and pick, lay and place the fly as the first of all legal events."""
    while match.acting:
        seat = min(match.acting)
        match.play(seat, match.legal_moves(seat)[0])


def bid_all(match: Match, bids: Sequence[int]) -> Match:
    """Let the seats bid."""
    for seat, coins in enumerate(bids):
        match.play(seat, f"bid {coins}")
    return match


def coins_of(match: Match) -> list[int]:
    """Return everybody's coins."""
    return [place.coins for place in match.view(None).places]


def board(drawing: str) -> Table:
    """Return the table of a drawing, which lies before seat 0."""
    return read_board(drawing)[0]


def to_lay(drawing: str, tile: str) -> Match:
    """Return a match in which seat 0, with the board as drawn, has yet to lay this tile."""
    table = board(drawing)
    table.phase, table.waiting, table.round_number = LAYING, 0b111, 2
    table.flown = 255
    table.hands[0, TYPES.index(tile)] = 1
    return match_at(GAME, table)
