"""Run the server as `smalti serve` does, but without getting anything ready: python -m tests.server.runner PORT

Rules are loaded where they are first used, and the thinking processes start with the first bot: most tests have none.
With `SMALTI_TEST_COMPILE=1` everything is prepared as it is for people, with `SMALTI_TEST_BOTS=1` the bots are; the
built pages are served only if `SMALTI_TEST_PAGES` is 1.
"""

from __future__ import annotations

import os
import sys

from smalti.server.app import create_app
from smalti.server.line.config import LineConfig
from smalti.server.readiness import Preparation
from smalti.server.settings import from_environment
from smalti.server.starting import SiteServer


def prepare_nothing(preparation: Preparation) -> None:
    """Let every game be played at once."""
    preparation.ready.open_all()
    wanted = os.environ.get("SMALTI_TEST_BOTS") == "1"
    preparation.thinkers.start(preparation.ready.order() if wanted else [])


if __name__ == "__main__":
    if os.environ.get("SMALTI_TEST_COMPILE") != "1":
        Preparation.start = prepare_nothing  # type: ignore[method-assign, assignment]
    settings = from_environment()
    app = create_app(settings, pages=os.environ.get("SMALTI_TEST_PAGES") == "1")
    SiteServer(LineConfig(app, settings, "127.0.0.1", int(sys.argv[1]))).run_or_exit()
