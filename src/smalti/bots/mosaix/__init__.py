"""The bots that know Mosaix."""

from smalti.bots.mosaix.simple import BOTS

__all__ = ["BOTS"]
