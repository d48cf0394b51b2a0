"""The bots that know Mozaika.

Read `features` (what is looked at), `desk` and `weighing` (what it is worth), `laying` (where tiles and flies go),
`lavish`, `offers`, `picking` and `bidding` (auctions), `foresight` (what a round brings), `futures` and `ahead` (what
becomes of a board), then `strongest` and `levels`; `selfplay` and `learning` make the weights, `winning` and `review`
tell chances.
`simple`, with `boards` and `auction`, is who plays without weights.
"""

from smalti.bots.bot import Bot, Budget
from smalti.bots.mozaika import levels, simple, strongest

BOTS = (*simple.BOTS, *levels.BOTS, Bot("strongest", 900, strongest.think, "mozaika", Budget(seconds=1.0)))

__all__ = ["BOTS"]
