"""The bots that know Mozaika."""

from smalti.bots.mozaika.simple import BOTS

__all__ = ["BOTS"]
