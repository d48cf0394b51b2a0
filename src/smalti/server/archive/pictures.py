"""Pictures of positions, for links: drawn by the boards of the pages in a process of its own, one at a time, and kept.

Nobody waits for a picture for long. If it cannot be drawn, or too many are asked for at once, there is none, and the
sign of the site stands in for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import sys
import time
from collections import OrderedDict
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from smalti.server.built_pages import BUILT
from smalti.server.rooms.render import happening
from smalti.server.table.log import Log
from smalti.server.wire.to_page import Happening

logger = logging.getLogger(__name__)
BOARDS = BUILT / "drawing" / "draw.js"
PAINTER = Path(__file__).with_name("painter.py")
SECONDS = 20.0  # that a picture may take in all, with the start of the process
MOST_WAITING = 12
MOST_KEPT = 48 * 2**20  # bytes of pictures in memory
REST = 60.0  # seconds without another attempt after the process could not be started
RECENT = 8  # events of each seat that a picture may mark


@cache
def version() -> str:
    """Return what changes with the boards: a part of the address of a picture, which is kept for ever."""
    return hashlib.sha256(BOARDS.read_bytes()).hexdigest()[:8] if BOARDS.exists() else "none"


def given_of(log: Log, number: int) -> tuple[str, bytes]:
    """Return the game and what the picture of a position is given."""
    match = log.match_at(number)
    standing = [event for event in log.happened if event.stands][:number]
    events = [happening(event, None) for event in standing[-RECENT * (log.facts.seats + 1) :]]
    given: dict[str, Any] = {
        "view": match.view(None),
        "recent": [Happening(event.n, event.by, event.do, 0.0) for event in events],
        "score": match.breakdown(),
        "winners": match.winners,
    }
    return log.facts.game, msgspec.json.encode(given)


class Pictures:
    """Draws pictures and keeps them."""

    def __init__(self, boards: Path = BOARDS) -> None:
        self.boards = boards
        self.kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self.size = 0
        self.drawing: dict[tuple[str, int], asyncio.Task[bytes | None]] = {}
        self.lock = asyncio.Lock()
        self.process: asyncio.subprocess.Process | None = None
        self.rests_until = 0.0
        self.has_complained = False

    def has(self, log: Log, number: int) -> bool:
        """Say whether nothing has to be drawn for a picture."""
        key = (log.facts.id, number)
        return key in self.kept or key in self.drawing

    async def of(self, log: Log, number: int) -> bytes | None:
        """Return the picture of a game after so many events, or nothing if there cannot be one now."""
        key = (log.facts.id, number)
        if key in self.kept:
            self.kept.move_to_end(key)
            return self.kept[key]
        if key not in self.drawing:
            game, given = given_of(log, number)
            if len(self.drawing) >= MOST_WAITING or time.monotonic() < self.rests_until:
                return None
            self.drawing[key] = asyncio.create_task(self.draw(key, game, given))
        return await asyncio.shield(self.drawing[key])

    async def draw(self, key: tuple[str, int], game: str, given: bytes) -> bytes | None:
        """Draw a picture, after those that were asked for before, and keep it."""
        try:
            async with self.lock:
                picture = await asyncio.wait_for(self.request(game, given), SECONDS)
        except (OSError, EOFError, TimeoutError) as error:
            await self.give_up(error)
            return None
        finally:
            del self.drawing[key]
        if not picture:
            await self.stop()  # an engine that has used up its memory draws nothing any more
            return None
        self.add(key, picture)
        return picture

    def add(self, key: tuple[str, int], picture: bytes) -> None:
        """Keep a picture, and forget those that were not asked for the longest."""
        self.kept[key] = picture
        self.size += len(picture)
        while self.size > MOST_KEPT:
            self.size -= len(self.kept.popitem(last=False)[1])

    # --- The process

    async def request(self, game: str, given: bytes) -> bytes:
        """Let the process draw."""
        process = await self.running()
        assert process.stdin
        assert process.stdout
        process.stdin.write(msgspec.json.encode([game, given.decode()]) + b"\n")
        await process.stdin.drain()
        length = int.from_bytes(await process.stdout.readexactly(4), "big")
        return await process.stdout.readexactly(length)

    async def running(self) -> asyncio.subprocess.Process:
        """Return the process, started if it is not there."""
        if self.process is None or self.process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            words = (sys.executable, "-P", str(PAINTER), str(self.boards))  # -P: our modules are not the library's
            self.process = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe)
        return self.process

    async def give_up(self, error: Exception) -> None:
        """End a process that does not answer, and leave it alone for a while."""
        self.rests_until = time.monotonic() + REST
        if not self.has_complained:
            self.has_complained = True
            logger.warning("pictures of games cannot be drawn: %s", error or type(error).__name__)
        await self.stop()

    async def stop(self) -> None:
        """End the process."""
        process, self.process = self.process, None
        if process and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
