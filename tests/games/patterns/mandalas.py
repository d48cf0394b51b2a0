"""Mandalas for the tests of Patterns: a deal, and drawings of the sixteen spaces round the centre."""

from __future__ import annotations

from smalti import Match
from smalti.games.patterns import GAME
from smalti.games.patterns.drawing import boards, read_board
from smalti.games.patterns.tables import PLAYING
from tests.games.tables import match_at

# The deal of the shortest game known: dark blue and green are the start tiles.
ROWS = """
        D K L D
      G L K O S L
    O L L S K S K K
    G S L K S G L S
    D D S O L K G O
    G K O D S O D G
      O O L S D D
        K O G G
"""
DEALT = "".join(ROWS.split())
DEAL = f"- deal {DEALT} GD"

# The columns c to f of the rows 3 to 6; the rest of the mandala has no tiles.
AROUND = """
    . . . .
  . . . . . .
. . {} . .
. . {} . .
. . {} . .
. . {} . .
  . . . . . .
    . . . .
"""


def middle(drawing: str, turn: int = 0) -> Match:
    """Return a match with only c3 to f6 as drawn, four rows of four, and this seat to move; rivers and bowls below."""
    lines = drawing.strip().splitlines()
    return mandala("\n".join([AROUND.format(*lines[:4]), *lines[4:]]), turn)


def mandala(drawing: str, turn: int = 0) -> Match:
    """Return a match with the whole mandala as drawn and this seat to move."""
    table, _ = read_board(drawing)
    table.phase, table.turn = PLAYING, turn
    return match_at(GAME, table)


def drawn_middle(match: Match) -> list[str]:
    """Return c3 to f6 with rivers and bowls, as `tidy` returns a drawing."""
    board = boards(match.table)[0]
    rows = [" ".join(tile.token for tile in row[2:6] if tile) for row in board.rows[2:6]]
    return [*rows, *board.notes]
