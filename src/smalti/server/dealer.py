"""The dealer: every deal, draw and roll comes from the match's secret, by HMAC with a label of its own.

So does the luck of the bots, which is another one for each seat and stays the same for a whole match: whoever errs like
a person has opinions and keeps them.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable


def draws(secret: bytes, match: str, event: int) -> Callable[[int], int]:
    """Return the source for one event of chance: 64 bits for each of its small moves."""
    return lambda move: word(secret, f"smalti-draw/1 {match} {event} {move}")


def luck_of_bot(secret: bytes, match: str, seat: int) -> int:
    """Return the seed of a bot on a seat."""
    return word(secret, f"smalti-bot/1 {match} {seat}")


def word(secret: bytes, label: str) -> int:
    """Return 64 bits that depend on the secret and the label alone."""
    return int.from_bytes(hmac.digest(secret, label.encode(), "sha256")[:8], "big")
