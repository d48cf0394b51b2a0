"""The bots that know Mozaika.

Read `evaluate` (what a board is worth), `search` (auctions, rounds, rollouts), `strongest`, `levels`; `learning` makes
the weights, `review` says what a seat may expect, and `simple` plays without weights.
"""

from smalti.bots.bot import Bot, Budget
from smalti.bots.mozaika import levels, strongest
from smalti.bots.mozaika.simple import bots as simple

BOTS = (*simple.BOTS, *levels.BOTS, Bot("strongest", 900, strongest.think, "mozaika", Budget(seconds=1.0)))

__all__ = ["BOTS"]
