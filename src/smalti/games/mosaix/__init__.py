"""Mosaix, for one to four players with four dice and a 7×7 grid each.

Read `tables`, then `rules` and `scoring`; `notation`, `reasons`, `drawing` and `view` are its words and pictures,
`observe` is what a network sees.
"""

from smalti.engine.game import Game
from smalti.games.mosaix import notation, observe, rules
from smalti.games.mosaix.drawing import boards, read_board
from smalti.games.mosaix.reasons import why_not, why_not_seat
from smalti.games.mosaix.scoring import breakdown, verdict
from smalti.games.mosaix.tables import ACTIONS, ANCHORS, AREA, BOXES, BRILLIANT, SIDE, WON, Table, longest
from smalti.games.mosaix.view import view

GAME = Game(
    name="mosaix",
    title="Mosaix",
    authors="Christof Tisch",
    year=2009,
    seats=(1, 2, 3, 4),
    version=2,
    older={1: rules.set_up_endless},
    options={"cards": ("centre", "scattered"), "end": ("stuck", "blocked")},
    table=Table,
    rules=rules,
    notation=notation,
    actions=ACTIONS,
    most_moves=4 * ANCHORS,
    usual_length=600,
    longest=longest,
    most_points=SIDE * SIDE * (SIDE * SIDE // AREA) + BOXES,  # every cell counted as often as areas could fit
    why_not=why_not,
    why_not_seat=why_not_seat,
    breakdown=breakdown,
    view=view,
    observer=observe,
    boards=boards,
    read_board=read_board,
    together=True,
    verdict=verdict,
    goals={"won": WON, "brilliant": BRILLIANT},
)
