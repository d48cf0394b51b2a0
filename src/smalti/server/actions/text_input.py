"""What people type: names, words, codes; what pages make up. It is kept as text, shown as text, and never too long."""

from __future__ import annotations

import re
import unicodedata

from smalti.server.actions.lookalikes import is_visible, tallest_stack
from smalti.server.problems import Problem

LONGEST_NAME = 30
LONGEST_WORDS = 200
LONGEST_CODE = 40
TALLEST_STACK = 3  # of marks on one letter of a name; more would be drawn over the lines above and below
NONCE = re.compile(r"[0-9a-f]{64}")
JOINERS = "\u200c\u200d"  # invisible, and part of emoji and of Persian names


def cleaned(text: str | None, most: int) -> str | None:
    """Return a text without needless blanks; nothing if it is empty, too long or cannot be shown."""
    found = " ".join(unicodedata.normalize("NFC", text or "").split())
    shown = [sign for sign in found if sign not in JOINERS]
    return found if shown and len(found) <= most and all(sign.isprintable() for sign in shown) else None


def checked_name(name: str | None) -> str:
    """Return a name that is short and can be seen."""
    found = cleaned(name, LONGEST_NAME)
    if found is None or not is_visible(found) or tallest_stack(found) > TALLEST_STACK:
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
