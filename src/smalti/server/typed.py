"""What people type: names, words, codes; what pages make up. It is kept as text, shown as text, and never too long."""

from __future__ import annotations

import re
import unicodedata

from smalti.server.problems import Problem

LONGEST_NAME = 30
LONGEST_WORDS = 200
LONGEST_CODE = 40
NONCE = re.compile(r"[0-9a-f]{64}")
JOINERS = "\u200c\u200d"  # invisible, and part of emoji and of Persian names


def cleaned(text: str | None, most: int) -> str | None:
    """Return a text without needless blanks; nothing if it is empty, too long or cannot be shown."""
    found = " ".join(unicodedata.normalize("NFC", text or "").split())
    shown = [sign for sign in found if sign not in JOINERS]
    return found if shown and len(found) <= most and all(sign.isprintable() for sign in shown) else None


def checked_name(name: str | None) -> str:
    """Return a name that is short and printable."""
    found = cleaned(name, LONGEST_NAME)
    if found is None:
        raise Problem("name", most=LONGEST_NAME)
    return found


def checked_words(text: str | None) -> str:
    """Return something to be said that is short and printable."""
    found = cleaned(text, LONGEST_WORDS)
    if found is None:
        raise Problem("words", most=LONGEST_WORDS)
    return found


def checked_code(text: str | None) -> str:
    """Return the code of a deal that is short and printable."""
    found = cleaned(text, LONGEST_CODE)
    if found is None:
        raise Problem("code", most=LONGEST_CODE)
    return found


def checked_nonce(text: str) -> str:
    """Return what a page has made up at random."""
    if not NONCE.fullmatch(text):
        raise Problem("nonce", digits=64)
    return text
