"""Run the server as `smalti serve` does, but compile nothing first: python -m tests.server.runner PORT

The built pages are served only if `SMALTI_TEST_PAGES` is 1.
"""

from __future__ import annotations

import os
import sys

import uvicorn

from smalti.server.app import create_app
from smalti.server.thinking import Thinkers


def think_only_when_asked() -> None:
    """Let the thinking processes start with the first bot, not with the server: most tests have none."""
    Thinkers.start = lambda self: None  # type: ignore[method-assign]


if __name__ == "__main__":
    if os.environ.get("SMALTI_TEST_BOTS") != "1":
        think_only_when_asked()
    uvicorn.run(
        create_app(pages=os.environ.get("SMALTI_TEST_PAGES") == "1"),
        host="127.0.0.1",
        port=int(sys.argv[1]),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=16384,
        log_level="warning",
    )
