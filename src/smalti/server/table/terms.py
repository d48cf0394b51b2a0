"""What was agreed when a table was made, which never changes and which the rematch keeps; and the words for it."""

from __future__ import annotations

from typing import Literal

import msgspec

# What can be said without typing; every reader has it in their own language.
Phrase = Literal["hello", "luck", "nice", "oops", "thanks", "sorry", "moment", "played", "again", "bye"]

# The languages of the pages, English first; every catalogue has a file or a folder for each.
Language = Literal["en", "de", "fr", "hu", "nl", "pl"]

# Who may look on: everybody, those with the link for it, nobody.
Onlookers = Literal["all", "link", "none"]

# What happens when time runs out: a bot plays the move, takes over the seat, or the seat gives up.
Late = Literal["move", "seat", "resign"]

# Who may find the game when it is over: everybody, those with its link, those who played.
Finders = Literal["all", "link", "players"]


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How much time a seat has: `live` for the game, and more with every decision; `slow` for each decision."""

    kind: Literal["live", "slow"]
    seconds: int
    increment: int = 0  # seconds more with every decision; live only


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was agreed at a table beyond the game and its options."""

    language: Language | Literal[""] = ""  # of whoever made it
    fair: int = 0  # the way of dealing; the server sets it
    code: str | None = None  # of a deal that several tables share
    clock: Clock | None = None
    late: Late = "move"  # what happens when time runs out
    stand_in: str = ""  # the bot that plays then, or for whoever is away; empty: the game's usual one
    finders: Finders | Literal[""] = ""  # empty: everybody if the table was open to all, else those with its link
