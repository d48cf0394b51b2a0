"""Run the server as `smalti serve` does, but without getting anything ready: python -m tests.server.runner PORT

Rules are loaded where they are first used, and the thinking processes start with the first bot: most tests have none.
With `SMALTI_TEST_COMPILE=1` everything is prepared as it is for people, with `SMALTI_TEST_BOTS=1` the bots are; the
built pages are served only if `SMALTI_TEST_PAGES` is 1. `SMALTI_TEST_THOUGHTS` names a file in which every thought of
a bot leaves a line. Port 0 lets the system choose; in any case the server says where it is.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from smalti.server.app import create_app
from smalti.server.doors.line.config import LineConfig
from smalti.server.settings import from_environment
from smalti.server.startup import SiteServer
from smalti.server.table.log import Log
from smalti.server.workers.bot_pool.pool import BotPool
from smalti.server.workers.readiness import Preparation


def prepare_nothing(preparation: Preparation) -> None:
    """Let every game be played at once."""
    preparation.ready.open_all()
    wanted = os.environ.get("SMALTI_TEST_BOTS") == "1"
    preparation.bot_pool.start(preparation.ready.order() if wanted else [])


def note_thoughts(file: Path) -> None:
    """Write a line for everything a bot thinks about by this process: table, seat and number."""
    chosen = BotPool.chosen

    async def noted(self: BotPool, log: Log, seat: int, *more: Any, **named: Any) -> str:
        with file.open("a") as lines:
            print(log.facts.id, seat, log.asked[seat], file=lines)
        return await chosen(self, log, seat, *more, **named)

    BotPool.chosen = noted  # type: ignore[method-assign]


def tell(port: int) -> None:
    """Say where the server is, in the words of `smalti serve`."""
    print(f"Smalti is at http://localhost:{port}", flush=True)


if __name__ == "__main__":
    if os.environ.get("SMALTI_TEST_COMPILE") != "1":
        Preparation.start = prepare_nothing  # type: ignore[method-assign, assignment]
    if "SMALTI_TEST_THOUGHTS" in os.environ:
        note_thoughts(Path(os.environ["SMALTI_TEST_THOUGHTS"]))
    settings = from_environment()
    app = create_app(settings, pages=os.environ.get("SMALTI_TEST_PAGES") == "1")
    SiteServer(LineConfig(app, settings, "127.0.0.1", int(sys.argv[1])), tell).run_or_exit()
