"""Servers that are there in a moment: forked from a process that has imported and loaded everything already.

`python -m tests.chaos.forked` is that process. It reads a line of JSON for each server and answers with its number;
when nobody writes to it any more, it ends whatever it has started. `Forked` is a server to be killed and started again.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import json
import os
import resource
import runpy
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from smalti.server.log import Log
from tests.server.table import PATIENCE, ROOT, Server, is_listening, until

# Nothing is limited but by what a part sets itself: a thousand people come from one address here.
WITHOUT_LIMITS = {
    "SMALTI_MESSAGES_A_SECOND": "1000000",
    "SMALTI_READS_A_SECOND": "1000000",
    "SMALTI_BESIDE_A_MINUTE": "1000000",
    "SMALTI_ASKS_A_MINUTE": "1000000",
    "SMALTI_TABLES_AN_HOUR": "100000000",
    "SMALTI_CONNECTIONS": "100000",
    "SMALTI_CONNECTIONS_AN_ADDRESS": "100000",
}
RUNNER = "tests.server.runner"


class Nursery:
    """The process that servers are forked from."""

    def __init__(self) -> None:
        words = [sys.executable, "-m", "tests.chaos.forked"]
        self.process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.close)

    def fork(self, port: int, settings: dict[str, str], log: Path) -> int:
        """Start a server and return the number of its process."""
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps({"port": port, "settings": settings, "log": str(log)}), file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())

    def close(self) -> None:
        """End it, and all servers."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


@cache
def nursery() -> Nursery:
    """Return the process that all servers of these tests come from."""
    allow_many_files()
    return Nursery()


def allow_many_files() -> None:
    """Let this process, and those it starts, have as many connections as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def is_alive(process: int) -> bool:
    """Say whether there is such a process."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


class Forked(Server):
    """A server that starts in a moment and can be killed, stopped and continued."""

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(folder, **{**WITHOUT_LIMITS, **settings})
        self.number: int | None = None

    def launch(self) -> None:
        """Start without waiting until it answers."""
        self.number = nursery().fork(self.port, self.settings, self.folder / "server.log")

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self.number
        return self.number

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self.number is None or not is_alive(self.number)

    async def start_beside(self) -> None:
        """Start, and wait until it answers, while others go on."""
        self.launch()
        end = time.monotonic() + PATIENCE
        while not is_listening(self.port):
            assert not self.has_ended, self.log
            assert time.monotonic() < end, "waited in vain for the server"
            await asyncio.sleep(0.01)

    def kill(self) -> None:
        """Let it die at once, in the middle of whatever it does."""
        self.end(signal.SIGKILL)

    def stop(self) -> None:
        """Let it end in good order."""
        if not self.has_ended:
            self.end(signal.SIGTERM)

    def end(self, way: signal.Signals) -> None:
        """Let it end, and whatever it has started."""
        os.kill(self.pid, way)
        with suppress(AssertionError):
            until(lambda: self.has_ended, 15)
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        until(lambda: self.has_ended)

    def freeze(self) -> None:
        """Let it stand still."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        os.kill(self.pid, signal.SIGCONT)

    # --- What it costs

    @property
    def seconds(self) -> float:
        """The processor seconds of its process so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        """The memory that it holds."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


# --- In the process that is forked


def load() -> None:
    """Import everything, and load the compiled rules."""
    import random

    from tests.support import EVERY_SETTING, random_match

    import_module(RUNNER)
    del sys.modules[RUNNER]  # it is run anew in every server; what it has imported stays
    for game, seats, options in EVERY_SETTING:
        random_match(game, seats, options, random.Random(1), 30)
    gc.collect()
    gc.freeze()


def serve(order: dict[str, Any]) -> None:
    """Be a server, as the other tests start it."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for old, new in ((0, nothing), (1, log), (2, log)):
        os.dup2(new, old)
    os.environ.update(order["settings"])
    if "SMALTI_TEST_THOUGHTS" in os.environ:
        note_thoughts(Path(os.environ["SMALTI_TEST_THOUGHTS"]))
    sys.argv = [RUNNER, str(order["port"])]
    runpy.run_module(RUNNER, run_name="__main__", alter_sys=True)


def note_thoughts(file: Path) -> None:
    """Write a line for everything a bot thinks about by this process: table, seat and number."""
    from smalti.server.thinking.pool import Thinkers

    chosen = Thinkers.chosen

    async def noted(self: Thinkers, log: Log, seat: int, *more: Any, **named: Any) -> str:
        with file.open("a") as lines:
            print(log.facts.id, seat, log.asked[seat], file=lines)
        return await chosen(self, log, seat, *more, **named)

    Thinkers.chosen = noted  # type: ignore[method-assign]


def main() -> None:
    """Fork a server for every line."""
    load()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that the dead vanish by themselves
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    started: list[int] = []
    while line := sys.stdin.readline():
        child = os.fork()
        if child == 0:
            serve(json.loads(line))
            return
        started.append(child)
        print(child, flush=True)
    for child in started:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)


if __name__ == "__main__":
    main()
