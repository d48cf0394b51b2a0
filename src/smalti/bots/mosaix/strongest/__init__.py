"""The strongest bot of Mosaix: `solo` for one player, `multiplayer` for several."""

from smalti.bots.bot import Budget, Seen, Thought
from smalti.bots.mosaix.strongest.multiplayer import think_multiplayer
from smalti.bots.mosaix.strongest.solo import think_solo


def think(seen: Seen, budget: Budget) -> Thought:
    """Think about a solo game, or one with several players."""
    return think_solo(seen, budget) if int(seen.table.seats) == 1 else think_multiplayer(seen, budget)
