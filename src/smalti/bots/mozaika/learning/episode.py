"""An episode: one game of self-play, with how every seat plays and what it has seen after each round."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from smalti.bots.mozaika.evaluate.features import MOST_FEATURES
from smalti.bots.mozaika.evaluate.scratch import Number, Numbers, Points
from smalti.engine.record import Record

MISER, SPENDER, NOISY_BIDS, AGGRESSIVE = 1, 2, 3, 4  # manners of bidding; 0 is as well as one can


class Episode(Record):
    """What every seat has seen after each round of a game, and how it plays."""

    lean: Annotated[Numbers, 5]  # now
    leans: Annotated[Numbers, 5]  # as somebody else
    noise: Annotated[Points, 5]
    lays_until: Annotated[Numbers, 5]  # the round from which on a seat lays as well as it can
    manner: Annotated[Numbers, 5]  # of bidding
    bids_until: Annotated[Numbers, 5]
    envy: Annotated[Points, 5]  # what a point of the others counts against one's own
    seats: Number
    worth: Annotated[Points, 5, 17]  # by seat and round
    missed: Annotated[Points, 5, 17]  # what the best lay would have been worth more
    features: Annotated[npt.NDArray[np.int32], np.int32, 5, 17, MOST_FEATURES]
    found: Annotated[Numbers, 5, 17]  # how many features


Episodes = npt.NDArray[Any]
