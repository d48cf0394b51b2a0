"""Write what Python makes of every English message with values; the tests of the pages compare it with theirs.

python tools/sentences.py           writes tests/data/sentences.json
python tools/sentences.py --check   says whether it is up to date, exit code 1 if not
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from smalti import games
from smalti.engine.texts import Texts, parsed

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "tests" / "data" / "sentences.json"
DRAWN = [name for name in games.names() if (ROOT / "web" / "src" / "games" / name).is_dir()]
COUNTS = (0, 1, 2, 1000)
PACKAGES = ("smalti.engine", "smalti.server", *(f"smalti.games.{name}" for name in DRAWN))


def cases(slots: dict[str, set[str]]) -> Iterator[dict[str, str | int]]:
    """Give values to all slots: some numbers to what is counted, every option to what is chosen by."""
    choices = [values_for(name, options) for name, options in slots.items()]
    for values in product(*choices):
        yield dict(zip(slots, values, strict=True))


def values_for(name: str, options: set[str]) -> tuple[str | int, ...]:
    """Return what a slot is tried with."""
    if "one" in options:
        return COUNTS
    return (*sorted(options - {"other"}), "else") if options else (f"<{name}>",)


def sentences() -> dict[str, list[tuple[dict[str, str | int], str]]]:
    """Return for every message with values those that it was tried with, and what came of them."""
    sources = sorted(pair for package in PACKAGES for pair in Texts(package).messages.items())
    messages = {key: parsed(source) for key, source in sources}
    return {
        key: [(values, message.said(values)) for values in cases(message.slots())]
        for key, message in messages.items()
        if message.slots()
    }


def text() -> str:
    """Return the file, a line for each message."""
    lines = [f"{json.dumps(key)}: {json.dumps(tried, ensure_ascii=False)}" for key, tried in sentences().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Write the file, or compare."""
    if "--check" not in sys.argv:
        FILE.write_text(text(), encoding="utf-8", newline="\n")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != text():
        sys.exit(f"{FILE.name} is not up to date: run `python tools/sentences.py`")


if __name__ == "__main__":
    main()
