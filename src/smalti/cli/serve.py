"""`smalti serve`: the games in the browser."""

from __future__ import annotations

import gc
import os
import threading
import webbrowser
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from smalti import games

if TYPE_CHECKING:
    from smalti.server.workers.readiness import Readiness

HELP = """Serve the games to browsers; nothing else needs to be installed.

    smalti serve                      for this machine, at http://localhost:8765

    smalti serve --host 0.0.0.0       for others on the network, too

    smalti serve --database postgresql://user@host/smalti

Games are stored in the user's data folder unless `--database` or `SMALTI_DATABASE` names another database.
"""

STEP = 20  # per cent between two lines
YOUNG_OBJECTS = 20_000  # looked through at a time


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any free one.")] = 8765,
    database: Annotated[
        str | None, typer.Option(help="Database URL; a file in the user's data folder if not given.")
    ] = None,
    log_level: Annotated[str | None, typer.Option(help="Log level: debug, info, warning or error.")] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the start page in a browser.")] = False,
) -> None:
    """Serve at once; what is not compiled yet is compiled in the background."""
    from dataclasses import replace

    from smalti.server.app import create_app
    from smalti.server.doors.line.config import LineConfig
    from smalti.server.settings import database_url, from_environment
    from smalti.server.startup import SiteServer
    from smalti.server.telemetry import logs

    if log_level:
        os.environ["SMALTI_LOG_LEVEL"] = log_level  # for the bot processes, too
    settings = replace(from_environment(), host=host)
    logs.configure(settings.log_level, settings.log_json)
    if database:
        settings = replace(settings, database=database_url(database))
    app = create_app(settings)
    app.state.ready.watchers.append(Progress(app.state.ready))
    server = SiteServer(LineConfig(app, settings, host, port), partial(announce, host, open_page))
    spare_the_collector()
    server.run_or_exit()


def announce(host: str, open_page: bool, port: int) -> None:
    """Print the address of the site, and open it in a browser if asked to."""
    address = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}"
    print(f"Smalti is at {address}  (Ctrl+C stops it)", flush=True)
    if open_page:
        threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()


class Progress:
    """Prints the progress of games that are being compiled."""

    def __init__(self, ready: Readiness) -> None:
        self.ready, self.printed = ready, dict[str, int]()

    def __call__(self, game: str, percent: int) -> None:
        """Print now and then how far a game is; at the end exempt all that was loaded from garbage collection."""
        title = games.find(game).title
        if percent < 100 and percent >= self.printed.get(game, 0):
            self.printed[game] = percent + STEP
            print(f"compiling {title}: {percent} %", flush=True)
        elif percent == 100 and game in self.printed:
            print(f"{title} can be played", flush=True)
        if all(self.ready.percent(name) == 100 for name in games.names()):
            gc.freeze()


def spare_the_collector() -> None:
    """Exempt what stays for ever, such as the compiler's memory, from garbage collection, which took long pauses."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 20, 20)
