"""Mosaix: its things in English words."""

from __future__ import annotations

from smalti.engine.texts import Texts

TEXTS = Texts("smalti.games.mosaix")


def symbol_word(letter: str) -> str:
    """Return a symbol in words."""
    return TEXTS(f"mosaix.symbol.{letter}")


def symbol_words(letters: str) -> str:
    """Return symbols in words, one after the other."""
    return ", ".join(map(symbol_word, letters))
