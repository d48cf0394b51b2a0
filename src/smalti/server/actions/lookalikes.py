"""Names that look the same to the eye, as Unicode tells it: the skeleton of UTS #39, whatever the case and the blanks.

The data is made by `tools/confusables.py` and read when the first name is compared.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from pathlib import Path

CONFUSABLES = Path(__file__).with_name("unicode") / "confusables.txt"
# What is drawn as nothing: Unicode's Default_Ignorable_Code_Point, by first and last.
IGNORABLE = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
EMPTY = "\u2800\U0001d159"  # a braille cell without dots, a note without a head: signs by category, empty to the eye


@cache
def confusables() -> dict[int, str]:
    """Return what each character is taken for, if not for itself."""
    lines = (line.split(";") for line in CONFUSABLES.read_text(encoding="utf-8").splitlines() if line[0] != "#")
    return {int(source, 16): text_of(target) for target, sources in lines for source in sources.split()}


def text_of(codes: str) -> str:
    """Return the text of a sequence of code points."""
    return "".join(chr(int(code, 16)) for code in codes.split())


def is_unseen(sign: str) -> bool:
    """Say whether a character leaves no trace of its own on a screen."""
    is_blank = sign in EMPTY or unicodedata.category(sign)[0] in "ZC"
    return is_blank or any(first <= ord(sign) <= last for first, last in IGNORABLE)


def is_visible(text: str) -> bool:
    """Say whether a text has anything that can be seen; marks need something to stand on."""
    return any(not is_unseen(sign) and unicodedata.category(sign)[0] != "M" for sign in text)


def tallest_stack(text: str) -> int:
    """Return how many marks stand on one letter at most."""
    tallest = height = 0
    for sign in unicodedata.normalize("NFD", text):
        height = height + 1 if unicodedata.category(sign) in ("Mn", "Me") and not is_unseen(sign) else 0
        tallest = max(tallest, height)
    return tallest


def skeleton(text: str) -> str:
    """Return the skeleton of a text: texts that are taken for each other have the same."""
    found = unicodedata.normalize("NFD", text).translate(confusables())
    return "".join(sign for sign in unicodedata.normalize("NFD", found) if not is_unseen(sign))


@lru_cache(maxsize=4096)
def guises(name: str) -> frozenset[str]:
    """Return the skeletons of a name in small letters, and of what it is taken for: Ian is ian, and looks like lan."""
    seen = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not is_unseen(sign))  # K: also wide letters
    return frozenset({skeleton(seen.casefold()), skeleton(skeleton(seen).casefold())})


def look_alike(one: str, other: str) -> bool:
    """Say whether two names could be taken for each other."""
    return not guises(one).isdisjoint(guises(other))
