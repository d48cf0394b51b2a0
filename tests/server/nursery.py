"""Servers that are there in a moment: forked from a process that has imported and loaded everything already.

`python -m tests.server.nursery` is that process. It reads a line of JSON for each server and answers with its number;
when nobody writes to it any more, it ends whatever it has started. A server of its own interpreter would spend a
second on imports; of the hundreds that the tests start, each has a fresh process, folder and database all the same.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
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

ROOT = Path(__file__).resolve().parent.parent.parent
RUNNER = "tests.server.runner"
LOG, OUT = "server.log", "server.out"  # what a server complains about, and what it says


class Nursery:
    """The process that servers are forked from."""

    def __init__(self) -> None:
        words = [sys.executable, "-m", "tests.server.nursery"]
        self.process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.close)

    def fork(self, port: int, environment: dict[str, str], folder: Path) -> Forked:
        """Start a server whose log is in this folder."""
        assert self.process.stdin
        assert self.process.stdout
        order = {"port": port, "environment": environment, "folder": str(folder)}
        print(json.dumps(order), file=self.process.stdin, flush=True)
        return Forked(int(self.process.stdout.readline()))

    def close(self) -> None:
        """End it, and all servers."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


@cache
def nursery() -> Nursery:
    """Return the process that the servers of these tests come from."""
    return Nursery()


def is_alive(process: int) -> bool:
    """Say whether there is such a process."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


class Forked:
    """A process that is not our child, with the verbs of one that is."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """Return something else than None when it has ended; with what code, nobody knows."""
        return None if is_alive(self.pid) else 0

    def terminate(self) -> None:
        """Ask it to end."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)

    def wait(self, timeout: float = 30.0) -> int:
        """Wait for its end."""
        end = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(0.005)
        return 0


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
    """Be a server, as if `python -m tests.server.runner` had been called."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing = os.open(os.devnull, os.O_RDONLY)
    out, log = (os.open(f"{order['folder']}/{name}", os.O_WRONLY | os.O_CREAT | os.O_APPEND) for name in (OUT, LOG))
    for old, new in ((0, nothing), (1, out), (2, log)):
        os.dup2(new, old)
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.argv = [RUNNER, str(order["port"])]
    runpy.run_module(RUNNER, run_name="__main__", alter_sys=True)


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
