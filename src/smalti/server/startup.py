"""Starting and stopping the server: what is needed and cannot be used is told in one sentence, with an exit code.

Everything of ours is started before the port is open and stopped after it is closed. uvicorn would do the same, but it
writes a traceback when that fails, and hears no signal while it waits.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import FrameType

import uvicorn
from fastapi import FastAPI

from smalti.engine.errors import SmaltiError

UNUSABLE = 3  # the exit code, which uvicorn has for a port that is taken, too


class Unusable(SmaltiError):
    """The database or Redis cannot be used."""


@contextmanager
def needed() -> Iterator[None]:
    """Tell what cannot be used apart from what was set wrongly."""
    try:
        yield
    except SmaltiError as error:
        raise Unusable(str(error)) from error


class SiteServer(uvicorn.Server):
    """uvicorn with a start that a signal breaks off, and that fails in words."""

    def __init__(self, config: uvicorn.Config, opened: Callable[[int], None] = lambda port: None) -> None:
        config.lifespan = "off"  # it is ours
        super().__init__(config)
        self.opened = opened  # hears which port is open
        self.starting: asyncio.Task[None] | None = None

    def run_or_exit(self) -> None:
        """Run until somebody stops it; what cannot be used is told in one sentence."""
        try:
            self.run()
        except Unusable as error:
            print(f"smalti: {error}", file=sys.stderr)
            sys.exit(UNUSABLE)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Start everything, serve until a signal comes, and stop everything."""
        with self.capture_signals():
            try:
                async with self.started_site():
                    await self._serve(sockets)
            except asyncio.CancelledError:
                if not self.starting:
                    raise
                self.starting.uncancel()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the port, and say so."""
        await super().startup(sockets)
        if self.started:
            self.opened(int(self.servers[0].sockets[0].getsockname()[1]))

    @asynccontextmanager
    async def started_site(self) -> AsyncIterator[None]:
        """Have everything running; a signal breaks the start off, nothing else."""
        app = self.config.app
        assert isinstance(app, FastAPI)
        self.starting = asyncio.current_task()
        async with app.router.lifespan_context(app):
            self.starting = None
            yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Hear that it is time to end: at once, if we are still waiting for something at the start."""
        super().handle_exit(sig, frame)
        if self.starting:
            self.starting.get_loop().call_soon_threadsafe(self.starting.cancel)


__all__ = ["SiteServer", "Unusable", "needed"]
