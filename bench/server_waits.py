"""How long people wait for a server: `python bench/server_waits.py start`, or `bots`.

`start`: seconds from `smalti serve` with an empty cache to the first page, to the rules of each game, and to a bot's
first move in each. `bots`: seconds that a level-1 bot takes while a hundred tables wait for level 8, and the memory of
the processes. Every line has the processor seconds and the load of the machine beside it: on a busy one it is the
processor time that counts.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import msgspec

from bench.server_process import OURS, UNLIMITED, folder, free_port, running
from bench.server_wire import HOST, Told, dial, request

PATIENCE = 900.0
SEATS = {"mosaix": 2, "patterns": 2, "mozaika": 3}
TABLES = 100


class Waits:
    """A server, and since when it is waited for."""

    def __init__(self, port: int, process: int) -> None:
        self.port, self.process, self.begun = port, process, time.perf_counter()

    def tell(self, what: str) -> None:
        """Print how long something took."""
        seconds, load = time.perf_counter() - self.begun, os.getloadavg()[0]
        used = sum(processor_seconds(one) for one in family(self.process))
        print(f"{seconds:6.1f} s, {used:6.1f} s of processor, load {load:4.1f}: {what}", flush=True)

    def until(self, question: Callable[[], bool]) -> None:
        """Ask until the answer is yes."""
        while time.perf_counter() < self.begun + PATIENCE:
            try:
                if question():
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise TimeoutError("waited in vain")


def family(process: int) -> list[int]:
    """List a process and all that it has started."""
    parents = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(file.parent.name)] = int(file.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def processor_seconds(process: int) -> float:
    """Return what a process has used, with its children that have ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> float:
    """Return the megabytes that a process holds."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


# --- The first start


def start() -> None:
    """Measure the first start on a machine."""
    with folder() as kept:
        port = free_port()
        words = [sys.executable, "-c", OURS, "serve", "--port", str(port)]
        more = {"SMALTI_CACHE_DIR": str(kept), "SMALTI_DATA_DIR": str(kept), **UNLIMITED}
        with subprocess.Popen(words, env=os.environ | more, stdout=subprocess.DEVNULL) as process:
            try:
                follow(Waits(port, process.pid))
            finally:
                process.send_signal(signal.SIGINT)


def has_page(port: int) -> bool:
    """Say whether the first page comes."""
    with urllib.request.urlopen(f"http://{HOST}:{port}/", timeout=60) as answer:
        return bool(answer.status == 200)


def follow(waits: Waits) -> None:
    """Tell what can be had when."""
    waits.until(lambda: has_page(waits.port))
    waits.tell("the first page")
    missing = set(SEATS)

    def all_ready() -> bool:
        for game in request(waits.port, "GET", "/api/games"):
            if game["ready"] == 100 and game["name"] in missing:
                missing.remove(game["name"])
                waits.tell(f"the rules of {game['title']}")
        return not missing

    waits.until(all_ready)
    for game in SEATS:
        asyncio.run(Table(waits.port, game, "level-1").moves(1))
        waits.tell(f"a bot's first move in {game}")


# --- Bots beside bots


class Table:
    """A table of bots that somebody looks at."""

    def __init__(self, port: int, game: str, bot: str) -> None:
        self.port, self.cookie, self.n = port, f"smalti={secrets.token_urlsafe(32)}", 0
        seats = [{"kind": "bot", "bot": bot}] * SEATS[game]
        self.id = request(port, "POST", "/api/tables", {"game": game, "seats": seats}, self.cookie)["id"]
        self.told: asyncio.Queue[Told] = asyncio.Queue()

    async def look(self) -> None:
        """Look at the table from now on."""
        decode = msgspec.json.Decoder(Told).decode
        line = await dial(self.port, f"/api/tables/{self.id}/live", self.cookie, lambda text: self.hear(decode(text)))
        line.say(b'{"t":"look","seat":null,"since":0}')

    def hear(self, told: Told) -> None:
        """Note how far the game is."""
        if told.t == "state" and told.n > self.n:
            self.n = told.n
            self.told.put_nowait(told)

    async def moves(self, count: int) -> list[float]:
        """Wait for so many moves, and return the seconds that each took."""
        await self.look()
        await asyncio.wait_for(self.told.get(), PATIENCE)
        found = []
        for _ in range(count):
            begun = time.perf_counter()
            await asyncio.wait_for(self.told.get(), PATIENCE)
            found.append(time.perf_counter() - begun)
        return found


@contextmanager
def ready_server() -> Iterator[Waits]:
    """Run a server in which everything is compiled."""
    with folder() as kept:
        port = free_port()
        words = ["serve", "--port", str(port), "--database", f"sqlite:///{kept / 'smalti.sqlite'}"]
        with running("smalti", port, [sys.executable, "-c", OURS, *words], UNLIMITED) as server:
            waits = Waits(port, server.process.pid)
            waits.until(lambda: all(game["ready"] == 100 for game in request(port, "GET", "/api/games")))
            yield waits


async def crowd(waits: Waits) -> None:
    """Let a hundred tables wait for level 8, and see how quickly level 1 answers elsewhere."""
    await Table(waits.port, "patterns", "level-1").moves(1)
    waits.tell("level 1 has answered once")
    show(await Table(waits.port, "patterns", "level-1").moves(12), "alone")
    strong = [Table(waits.port, "patterns", "level-8") for _ in range(TABLES)]
    for table in strong:
        await table.look()
    await strong[0].told.get()
    waits.tell(f"{TABLES} tables wait for level 8")
    before = sum(table.n for table in strong)
    show(await Table(waits.port, "patterns", "level-1").moves(12), f"beside {TABLES} tables of level 8")
    waits.tell(f"{sum(table.n for table in strong) - before} moves of level 8 meanwhile")
    sizes: list[Any] = [f"{memory(one):.0f} MB" for one in family(waits.process)]
    print("server, process of the quick bots, process of the strong ones:", *sizes, flush=True)


def show(seconds: list[float], what: str) -> None:
    """Print how long a bot took, with the pause that every bot makes."""
    print(f"level 1 {what}: median {median(seconds):.2f} s, longest {max(seconds):.2f} s", flush=True)


def bots() -> None:
    """Measure a weak bot beside many strong ones."""
    with ready_server() as waits:
        asyncio.run(crowd(waits))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure how long people wait for a server.")
    parser.add_argument("what", choices=["start", "bots"])
    {"start": start, "bots": bots}[parser.parse_args().what]()
