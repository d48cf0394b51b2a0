"""Mozaika, for three to five players: a sealed auction and a 4×4 mosaic each.

Read `tables`, then `rules` and `scoring`; `notation`, `reasons`, `drawing` and `view` are its words and pictures,
`observe` is what a network sees.
"""

from smalti.engine.game import Game
from smalti.games.mozaika import notation, observe, rules
from smalti.games.mozaika.drawing import boards, read_board
from smalti.games.mozaika.reasons import why_not, why_not_seat
from smalti.games.mozaika.scoring import breakdown, tie_break
from smalti.games.mozaika.tables import (
    ACTIONS,
    CELLS,
    COINS_PER_POINT,
    HAND,
    MOST_COINS,
    STRUCTURES,
    SYMMETRY_POINTS,
    Table,
    longest,
)
from smalti.games.mozaika.view import view

GAME = Game(
    name="mozaika",
    title="Mozaika",
    authors="Adam Kałuża",
    year=2008,
    seats=(3, 4, 5),
    version=1,
    options={"hands": ("open", "hidden")},
    table=Table,
    rules=rules,
    notation=notation,
    actions=ACTIONS,
    most_moves=HAND * CELLS,
    usual_length=400,
    longest=longest,
    most_points=MOST_COINS // COINS_PER_POINT + 4 * len(STRUCTURES) + int(SYMMETRY_POINTS.sum()),
    why_not=why_not,
    why_not_seat=why_not_seat,
    breakdown=breakdown,
    view=view,
    observer=observe,
    boards=boards,
    read_board=read_board,
    together=True,
    tie_break=tie_break,
    is_secret=rules.is_secret,
)
