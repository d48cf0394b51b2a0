"""The generic opponent: Monte Carlo tree search for any game that keeps the promises of `smalti.engine.rules`.

The search is UCT (UCB1 at every node of a tree), in the variants that our games need:

    chance               its outcomes are sampled, and each leads to a node of its own
    simultaneous moves   decoupled: every seat has its own edges and statistics, and chooses by them alone
    hidden information   determinized anew before each simulation (single-observer information-set search)
    playouts             move-average sampling (MAST) as a tie-break behind the points a move brings

Read `tree` (nodes and edges), `playouts`, `results` (what an end is worth), `simulation` (the four steps), then `bot`.
"""

from smalti.bots.mcts.bot import BOTS

__all__ = ["BOTS"]
