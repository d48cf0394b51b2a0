"""What was agreed when a table was made; it never changes, and the rematch keeps it."""

from __future__ import annotations

from typing import Literal

import msgspec


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was agreed at a table beyond the game and its options."""

    language: Literal["", "en", "de", "fr", "hu", "nl", "pl"] = ""  # of whoever made it
    fair: int = 0  # the way of dealing; the server sets it
    code: str | None = None  # of a deal that several tables share
