"""Patterns: A Mandala Game, for two players, with nothing hidden and no luck after the deal.

Read `tables`, then `rules` and `scoring`; `notation`, `reasons`, `drawing` and `view` are its words and pictures,
`observe` is what a network sees.
"""

from smalti.engine.game import Game, Length
from smalti.games.patterns import notation, observe, rules
from smalti.games.patterns.drawing import boards, read_board
from smalti.games.patterns.reasons import why_not, why_not_seat
from smalti.games.patterns.scoring import breakdown
from smalti.games.patterns.tables import ACTIONS, COLOURS, SPACES, TILES_OF_A_COLOUR, Table
from smalti.games.patterns.view import view

GAME = Game(
    name="patterns",
    title="Patterns: A Mandala Game",
    authors="Trevor Benjamin, Brett J. Gilbert",
    year=2023,
    seats=(2,),
    version=1,
    options={},
    table=Table,
    rules=rules,
    notation=notation,
    actions=ACTIONS,
    most_moves=2 * SPACES,
    usual_length=120,
    longest=lambda seats: Length(1 + SPACES + 1, SPACES),  # give, a tile turned over by each action, done
    most_points=sum(range(1, len(COLOURS) + 1)) * (TILES_OF_A_COLOUR - 1),
    why_not=why_not,
    why_not_seat=why_not_seat,
    breakdown=breakdown,
    view=view,
    observer=observe,
    boards=boards,
    read_board=read_board,
)
