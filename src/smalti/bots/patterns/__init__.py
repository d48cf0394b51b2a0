"""The bots that know Patterns.

Read `evaluate` (what a mandala is worth), `search` (principal variation search), `strongest` and `levels`; `learning`
makes the weights, `review` says what a seat may expect, and `simple` plays without weights.
"""

from smalti.bots.bot import Bot
from smalti.bots.patterns import levels, strongest
from smalti.bots.patterns.levels import level
from smalti.bots.patterns.simple import bots as simple

BOTS = (*simple.BOTS, *levels.BOTS, Bot("strongest", 900, strongest.think, "patterns", strongest.USUAL))

__all__ = ["BOTS", "level"]
