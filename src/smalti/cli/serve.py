"""`smalti serve`: the games in the browser."""

from __future__ import annotations

import gc
import threading
import webbrowser
from typing import Annotated

import typer

from smalti.cli.warm import get_ready
from smalti.engine.errors import BadInput

HELP = """Serve the games to browsers, from one machine with nothing else installed.

    smalti serve                      on this machine, at http://localhost:8765

    smalti serve --host 0.0.0.0       for others in the network

    smalti serve --database postgresql://user@host/smalti

Games are kept in the user's data folder unless another database is given (or `SMALTI_DATABASE`).
"""

LARGEST_MESSAGE = 16 * 1024
YOUNG_OBJECTS = 20_000  # looked through at a time


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8765,
    database: Annotated[str | None, typer.Option(help="Where games are kept.")] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the first page in a browser.")] = False,
) -> None:
    """Warm up, then serve."""
    from dataclasses import replace

    import uvicorn

    from smalti.server.app import create_app
    from smalti.server.settings import database_url, from_environment

    settings = from_environment()
    if database:
        settings = replace(settings, database=database_url(database))
    app = create_app(settings)
    get_ready()
    address = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}"
    print(f"Smalti is at {address}  (Ctrl+C stops it)", flush=True)
    if open_page:
        threading.Timer(1.0, webbrowser.open, [address]).start()
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        ws="websockets-sansio",
        ws_per_message_deflate=False,  # costs ten times what it saves
        ws_max_size=LARGEST_MESSAGE,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=3,
    )
    server = uvicorn.Server(config)
    spare_the_collector()
    server.run()
    if not server.started:
        raise BadInput(f"the server could not start on {host}:{port}; see the message above")


def spare_the_collector() -> None:
    """Take what stays for ever, such as the compiler's memory, from the garbage collector: it stopped us for long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 20, 20)
