"""Patterns: its things in English words."""

from __future__ import annotations

from smalti.engine.texts import Texts

TEXTS = Texts("smalti.games.patterns")


def colour_word(letter: str) -> str:
    """Return a colour in words."""
    return TEXTS(f"patterns.colour.{letter}")
