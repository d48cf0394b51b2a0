"""PostgreSQL and Redis that die, stand still and come back."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import tempfile
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path

from tests.server.programs import Postgres, redis_program, running_postgres
from tests.server.site import free_port, is_listening, until


@cache
def postgres() -> Postgres:
    """Return the PostgreSQL of these tests, which ends with them."""
    opened = ExitStack()
    atexit.register(opened.close)
    return opened.enter_context(running_postgres())


def family(process: int) -> list[int]:
    """List a process and its children."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *map(int, listed)]


def signal_all(process: int, way: signal.Signals) -> None:
    """Tell a process and its children something; PostgreSQL has one for each connection."""
    for one in family(process):
        with suppress(ProcessLookupError):
            os.kill(one, way)


def freeze_postgres(at: Postgres) -> None:
    """Let it stand still: connections stay open, and nobody answers."""
    signal_all(at.process.pid, signal.SIGSTOP)


def thaw_postgres(at: Postgres) -> None:
    """Let it go on."""
    signal_all(at.process.pid, signal.SIGCONT)


def kill_postgres(at: Postgres) -> None:
    """Let it die as a machine does that loses its power."""
    signal_all(at.process.pid, signal.SIGKILL)
    at.process.wait()


def revive_postgres(at: Postgres) -> None:
    """Start it again, and wait until it has recovered."""
    at.process = at.launch()
    until(at.answers)


class Redis:
    """A Redis of one's own."""

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = tempfile.TemporaryDirectory(prefix="smalti-redis-")
        self.revive()

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}"

    def revive(self) -> None:
        """Start it, again if it has been killed."""
        words = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder.name]
        program = [str(redis_program()), *words]
        self.process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: is_listening(self.port))

    def kill(self) -> None:
        """Let it die."""
        self.process.kill()
        self.process.wait()

    def freeze(self) -> None:
        """Let it stand still: connections stay open, and nobody answers."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self.process.send_signal(signal.SIGCONT)

    def __enter__(self) -> Redis:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.folder.cleanup()
