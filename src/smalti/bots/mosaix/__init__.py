"""The bots that know Mosaix.

Read `footprints` and `features` (what is looked at), `scan` and `lookahead` (what it is worth), `ending` (for sure),
then `alone` and `among` (who thinks), `levels` and `review`; `lessons`, `crowd` and `learning` make the weights.
`simple`, with `grids`, is who plays without weights.
"""

from smalti.bots.bot import Bot, Budget, Seen, Thought
from smalti.bots.mosaix import levels, simple
from smalti.bots.mosaix.alone import think_alone
from smalti.bots.mosaix.among import think_among


def think(seen: Seen, budget: Budget) -> Thought:
    """Think alone, or among others."""
    return think_alone(seen, budget) if int(seen.table.seats) == 1 else think_among(seen, budget)


BOTS = (*simple.BOTS, *levels.BOTS, Bot("strongest", 900, think, "mosaix", Budget(seconds=0.8)))

__all__ = ["BOTS"]
