"""The bots that know Mosaix.

`evaluate` says what grids are worth, `search` looks ahead, `strongest` and `levels` think with them, `review` says what
a seat may expect, `learning` makes the weights; `simple` plays without any.
"""

from smalti.bots.bot import Bot, Budget
from smalti.bots.mosaix import levels, strongest
from smalti.bots.mosaix.simple import bots

BOTS = (*bots.BOTS, *levels.BOTS, Bot("strongest", 900, strongest.think, "mosaix", Budget(seconds=0.8)))

__all__ = ["BOTS"]
