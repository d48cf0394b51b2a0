"""One process that thinks, as the server sees it: started when it is first asked, and again after it has died."""

from __future__ import annotations

import asyncio
import contextlib

import msgspec

from smalti.engine.errors import SmaltiError
from smalti.server.child import start_child
from smalti.server.thinking.questions import Answer, Failed, Question, Think, Warm

decode = msgspec.json.Decoder(Answer).decode
encode = msgspec.json.Encoder().encode


class Died(SmaltiError):
    """The process has died over a thought."""


class NoThought(SmaltiError):
    """A bot could not choose."""


class Process:
    """A process that thinks about one thing at a time."""

    def __init__(self) -> None:
        self.child: asyncio.subprocess.Process | None = None
        self.starting = asyncio.Lock()

    async def ask(self, question: Think) -> str:
        """Let a bot choose a move."""
        child = await self.running()
        assert child.stdout
        try:
            await self.tell(question)
            answer: Answer = decode(await child.stdout.readuntil(b"\n"))
        except (OSError, asyncio.IncompleteReadError):
            await self.stop()
            raise Died("a thinking process died") from None
        if isinstance(answer, Failed):
            raise NoThought(answer.error)
        return answer.do

    async def warm(self, games: list[str]) -> None:
        """Let it load the bots of games beside; if it dies over that, it is started again when it is asked."""
        await self.running()
        with contextlib.suppress(OSError):
            await self.tell(Warm(games))

    async def tell(self, question: Question) -> None:
        """Send something to the process."""
        assert self.child
        assert self.child.stdin
        self.child.stdin.write(encode(question) + b"\n")
        await self.child.stdin.drain()

    async def running(self) -> asyncio.subprocess.Process:
        """Return the process, started if it is not there."""
        async with self.starting:
            if self.child is None or self.child.returncode is not None:
                self.child = await start_child("smalti.server.thinking.worker")
            return self.child

    async def stop(self) -> None:
        """End the process, whatever it is doing."""
        child, self.child = self.child, None
        if child:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
