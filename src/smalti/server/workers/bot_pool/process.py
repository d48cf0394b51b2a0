"""One process that thinks, as the server sees it: started when it is first asked, and again after it has died."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import msgspec

from smalti.engine.errors import SmaltiError
from smalti.server.workers.bot_pool.questions import Answer, Chosen, Failed, Question, Think, Warm, Warmed
from smalti.server.workers.child import start_child

decode = msgspec.json.Decoder(Answer).decode
encode = msgspec.json.Encoder().encode


class Died(SmaltiError):
    """The process has died over a thought."""


class NoThought(SmaltiError):
    """A bot could not choose."""


class Process:
    """A process that thinks about one thing at a time."""

    def __init__(self, loaded: Callable[[str], None] = lambda game: None) -> None:
        self.loaded = loaded  # hears of every game whose bots are there
        self.child: asyncio.subprocess.Process | None = None
        self.starting = asyncio.Lock()
        self.reading: list[asyncio.Task[None]] = []  # one, while there is a process
        self.answer: asyncio.Future[Chosen | Failed] | None = None

    async def ask(self, question: Think) -> str:
        """Let a bot choose a move."""
        await self.running()
        self.answer = asyncio.get_running_loop().create_future()
        with contextlib.suppress(OSError):
            await self.send(question)
            ends: list[asyncio.Future[Any]] = [self.answer, *self.reading]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        if not self.answer.done():
            await self.stop()
            raise Died("a thinking process died")
        answer = self.answer.result()
        if isinstance(answer, Failed):
            raise NoThought(answer.error)
        return answer.do

    async def warm(self, games: list[str]) -> None:
        """Let it load the bots of games beside; returns when it has died."""
        child = await self.running()
        with contextlib.suppress(OSError):
            await self.send(Warm(games))
        await child.wait()

    async def send(self, question: Question) -> None:
        """Send something to the process."""
        assert self.child
        assert self.child.stdin
        self.child.stdin.write(encode(question) + b"\n")
        await self.child.stdin.drain()

    async def running(self) -> asyncio.subprocess.Process:
        """Return the process, started if it is not there."""
        async with self.starting:
            if self.child is None or self.child.returncode is not None:
                self.child = await start_child("smalti.server.workers.bot_pool.worker")
                self.reading = [asyncio.create_task(self.read_answers(self.child))]
            return self.child

    async def read_answers(self, child: asyncio.subprocess.Process) -> None:
        """Pass on what a process says, until it has died."""
        assert child.stdout
        async for line in child.stdout:
            answer: Answer = decode(line)
            if isinstance(answer, Warmed):
                self.loaded(answer.game)
            elif child is self.child and self.answer and not self.answer.done():
                self.answer.set_result(answer)

    async def stop(self) -> None:
        """End the process, whatever it is doing."""
        child, self.child = self.child, None
        if child:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
