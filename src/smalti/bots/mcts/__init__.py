"""The generic opponent: Monte Carlo tree search for any game that keeps the promises of `smalti.engine.rules`."""

from smalti.bots.mcts.searching import BOTS

__all__ = ["BOTS"]
