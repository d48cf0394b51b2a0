"""The dealer: every deal, draw and roll comes from the match's secret, by HMAC with a label of its own."""

from __future__ import annotations

import hmac
from collections.abc import Callable


def draws(secret: bytes, match: str, event: int) -> Callable[[int], int]:
    """Return the source for one event of chance: 64 bits for each of its small moves."""

    def bits(move: int) -> int:
        label = f"smalti-draw/1 {match} {event} {move}"
        return int.from_bytes(hmac.digest(secret, label.encode(), "sha256")[:8], "big")

    return bits
