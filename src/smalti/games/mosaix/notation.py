"""Mosaix: events as text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from smalti.engine.errors import BadNotation, Refused, shown
from smalti.games.mosaix.reasons import refusal
from smalti.games.mosaix.tables import (
    ANCHOR_SIDE,
    ANCHORS,
    CARD,
    CARDS,
    DEALING,
    FORMATIONS,
    FORMING,
    OVERHANG,
    PRINTED_CELLS,
    ROLL,
    ROLLS,
    SEQUENCES,
    SHAPES,
    SYMBOLS,
    Table,
)


def place_text(turns: int, anchor: int) -> str:
    """Write a placement; columns and rows count from 1."""
    return f"place {turns} {anchor % ANCHOR_SIDE - OVERHANG + 1},{anchor // ANCHOR_SIDE - OVERHANG + 1}"


TEXTS = (
    *(f"form {formation} {sequence}" for formation in FORMATIONS for sequence in SEQUENCES),
    *(place_text(turns, anchor) for turns in range(4) for anchor in range(ANCHORS)),
    "pass",
    "stop",
    *(f"roll {roll}" for roll in ROLLS),
    *(f"deal {symbol}@{cell}" for cell in PRINTED_CELLS for symbol in SYMBOLS),
)


def shapes_text() -> str:
    """Draw the seven formations side by side, in two lines."""
    first = "   ".join(f"{name} {rows[0]}" for name, rows in SHAPES.items())
    second = "   ".join(f"  {rows[1] if len(rows) > 1 else '':{len(rows[0])}}" for rows in SHAPES.values())
    return f"    {first}\n    {second}".replace(".", " ").rstrip()


HINTS = {
    "form": f"form L xoot: arrange the dice as a formation, symbols in reading order of the shape\n{shapes_text()}",
    "place": "place 1 3,5: turn it so many quarters clockwise (0 to 3), its box's top left corner in column 3, row 5",
    "pass": "pass: nothing fits",
    "stop": "stop: end the game here",
}
CARD_NUMBERS = {text[5:]: CARD + number for number, text in enumerate(TEXTS[CARD:])}
CARD_TEXT = re.compile(r"[otx]@[a-g][1-7]")
PLACE_TEXT = re.compile(r"place [0-3] (-?[1-9]\d{0,8}|0),(-?[1-9]\d{0,8}|0)")


def chance_text(moves: Sequence[int]) -> str:
    """Write a deal or a roll."""
    return " ".join([TEXTS[moves[0]][:4], *(TEXTS[move][5:] for move in moves)])


def chance_moves(table: Table, text: str) -> list[int]:
    """Read the deal or the roll that is due."""
    verb, *words = text.split(" ")
    if table.phase == DEALING:
        return deal_moves(table, verb, words)
    if verb != "roll" or len(words) != 1 or words[0] not in ROLLS:
        raise BadNotation(f"expected a roll of four sorted dice such as 'roll ootx', not {shown(text)}")
    return [ROLL + ROLLS.index(words[0])]


def deal_moves(table: Table, verb: str, words: list[str]) -> list[int]:
    """Read the cards of a deal. (MX-1, R1)"""
    seats = int(table.seats)
    if verb != "deal" or len(words) != seats or not all(CARD_TEXT.fullmatch(word) for word in words):
        given = shown(" ".join([verb, *words]))
        raise BadNotation(f"expected a deal of {seats} cards such as 'deal {' '.join(['o@d4'] * seats)}', not {given}")
    option = "scattered" if table.scattered else "centre"
    cells = [word[2:] for word in words]
    distinct = len(set(cells)) == len(cells) or option == "centre"
    if not set(cells) <= set(CARDS[option]) or not distinct:
        raise refusal("not-a-card", option=option, cells=" ".join(CARDS[option]))
    return [CARD_NUMBERS[word] for word in words]


def misread(table: Table, seat: int, text: str) -> BadNotation | Refused:
    """Say what is wrong with a text that is no event, or one too far away to be in the catalogue."""
    if PLACE_TEXT.fullmatch(text) and table.phase == FORMING:
        return refusal("form-first", seat=int(table.roller))
    if PLACE_TEXT.fullmatch(text):
        return refusal("off-the-grid")
    verb = text.partition(" ")[0]
    if verb == "place":
        return BadNotation(f"expected quarter turns (0 to 3) and column,row such as 'place 1 3,5', not {shown(text)}")
    if verb == "form":
        return BadNotation(f"expected one of {FORMATIONS} and four symbols such as 'form L xoot', not {shown(text)}")
    return BadNotation(f"no such event: {shown(text)}; Mosaix has form, place, pass and stop")
