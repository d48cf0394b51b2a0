"""The bots that know Patterns.

Read `features` (what is looked up), `selfplay` and `learning` (where the weights come from), `room` and `searching`
(reading ahead), `reader` and `thinking` (the strongest bot), `levels`. `reading` and `simple` are hand-made, and need
no weights.
"""

from smalti.bots.bot import Bot
from smalti.bots.patterns import levels, simple
from smalti.bots.patterns.levels import level
from smalti.bots.patterns.thinking import USUAL, think

BOTS = (*simple.BOTS, *levels.BOTS, Bot("strongest", 900, think, "patterns", USUAL))

__all__ = ["BOTS", "level"]
