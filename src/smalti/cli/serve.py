"""`smalti serve`: the games in the browser."""

from __future__ import annotations

import gc
import os
import threading
import webbrowser
from typing import TYPE_CHECKING, Annotated

import typer

from smalti import games

if TYPE_CHECKING:
    from smalti.server.readiness import Readiness

HELP = """Serve the games to browsers, from one machine with nothing else installed.

    smalti serve                      on this machine, at http://localhost:8765

    smalti serve --host 0.0.0.0       for others in the network

    smalti serve --database postgresql://user@host/smalti

Games are kept in the user's data folder unless another database is given (or `SMALTI_DATABASE`).
"""

STEP = 20  # per cent between two lines
YOUNG_OBJECTS = 20_000  # looked through at a time


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8765,
    database: Annotated[str | None, typer.Option(help="Where games are kept.")] = None,
    log_level: Annotated[str | None, typer.Option(help="How much is logged: debug, info, warning or error.")] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the first page in a browser.")] = False,
) -> None:
    """Serve at once; what is not compiled yet is compiled beside."""
    from dataclasses import replace

    from smalti.server.app import create_app
    from smalti.server.line.config import LineConfig
    from smalti.server.operations import logs
    from smalti.server.settings import database_url, from_environment
    from smalti.server.starting import SiteServer

    if log_level:
        os.environ["SMALTI_LOG_LEVEL"] = log_level  # for the processes that think, too
    settings = replace(from_environment(), host=host)
    logs.configure(settings.log_level, settings.log_json)
    if database:
        settings = replace(settings, database=database_url(database))
    app = create_app(settings)
    app.state.ready.watchers.append(Progress(app.state.ready))
    address = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}"

    def opened() -> None:
        print(f"Smalti is at {address}  (Ctrl+C stops it)", flush=True)
        if open_page:
            threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()

    server = SiteServer(LineConfig(app, settings, host, port), opened)
    spare_the_collector()
    server.run_or_exit()


class Progress:
    """Prints how far the games are that have to be compiled."""

    def __init__(self, ready: Readiness) -> None:
        self.ready, self.told = ready, dict[str, int]()

    def __call__(self, game: str, percent: int) -> None:
        """Print now and then how far a game is; in the end take all that was loaded from the collector."""
        title = games.find(game).title
        if percent < 100 and percent >= self.told.get(game, 0):
            self.told[game] = percent + STEP
            print(f"compiling {title}: {percent} %", flush=True)
        elif percent == 100 and game in self.told:
            print(f"{title} can be played", flush=True)
        if all(self.ready.percent(name) == 100 for name in games.names()):
            gc.freeze()


def spare_the_collector() -> None:
    """Take what stays for ever, such as the compiler's memory, from the garbage collector: it stopped us for long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 20, 20)
