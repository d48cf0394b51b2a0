"""The pages as they were built: where their files are, the one page that opens every address, and texts we share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from smalti.engine.errors import BadInput

BUILT = Path(__file__).parent / "pages"

Texts = Mapping[str, str]


def preview_texts(built: Path = BUILT) -> dict[str, Texts]:
    """Return the texts that the server itself has need of, by language; they are built with the pages."""
    file = built / "drawing" / "previews.json"
    found: dict[str, Texts] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found


def page_of(built: Path = BUILT) -> str:
    """Return the one page that opens every address."""
    index = built / "index.html"
    if not index.exists():
        raise BadInput(f"the pages are not built: {index} is missing; `python3 dev.py play` builds them")
    return index.read_text(encoding="utf-8")
