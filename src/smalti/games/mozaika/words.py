"""Mozaika: its things in English words."""

from __future__ import annotations

from smalti.engine.texts import Texts

TEXTS = Texts("smalti.games.mozaika")


def coded_tile(code: str) -> str:
    """Return a tile by its looks and as it stands in a record: "red star (R4)"."""
    return TEXTS("mozaika.coded", tile=TEXTS(f"mozaika.tile.{code}"), code=code)


def structure_words(key: str) -> str:
    """Return a structure in words: "row.1", "diagonal.a1-d4", "square.b2-c3"."""
    kind, _, where = key.partition(".")
    return TEXTS(f"mozaika.structure.{kind}", where=where.replace("-", "–"))


def symmetry_words(key: str) -> str:
    """Return a symmetry in words: "left-right", "diagonal.a1-d4"."""
    kind, _, where = key.partition(".")
    return TEXTS(f"mozaika.symmetry.{kind}", where=where.replace("-", "–"))
