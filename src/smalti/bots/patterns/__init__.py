"""The bots that know Patterns."""

from smalti.bots.patterns.simple import BOTS

__all__ = ["BOTS"]
