"""Telling the other processes that a table has moved on, and who is there: Redis when there are more than one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from smalti.engine.errors import BadInput
from smalti.server.keys import new_id
from smalti.server.silence import Silence
from smalti.server.tasks import run_for_ever

Heard = Callable[[str], Awaitable[None]]
Hear = Callable[[bytes], None]
PassOn = Callable[[bytes], Awaitable[None]]
Missed = Callable[[], Coroutine[Any, Any, None]]
CHANNEL = "smalti.tables"
NEWS = "smalti.whereabouts"
BEAT = 1.0  # seconds between two signs of life
MOST_UNTOLD = 10_000  # news that wait for Redis; what does not fit is missed, and asked for
CLAIMS = "smalti.thinks."  # and the table, the seat and the number of a decision: somebody thinks about it
HERE = "smalti.here."  # and the name of a table: its people are there
PAUSE = 1.0  # seconds before trying again to listen
LIMIT = 5.0  # seconds after which a Redis that does not answer is given up
HEALTH = 10  # seconds of silence after which a connection is tried
SIGHT = 60  # seconds for which a page counts as in sight; those that are say so more often

logger = logging.getLogger(__name__)


class Herald(Protocol):
    """Carries names of tables that have changed from process to process."""

    async def start(self, heard: Heard, missed: Missed) -> None:
        """Begin to listen; `missed` is called when messages may have been lost."""

    def tell(self, match: str) -> None:
        """Tell everybody else, without waiting."""

    async def follow(self, hear: Hear, beat: Callable[[], bytes]) -> None:
        """Begin to hear what processes announce, this one included, and to say again and again that it is there."""

    def announce(self, news: bytes) -> None:
        """Tell everybody who is where, in order and without waiting."""

    async def has_company(self) -> bool:
        """Say whether other processes hear what is announced."""

    async def note(self, matches: list[str], seconds: float) -> None:
        """Let everybody else know for so long that people are at these tables."""

    async def noted(self, matches: list[str]) -> set[str]:
        """Return the tables that people are at, as others have noted."""

    def look(self, match: str, holder: str, page: str, is_looking: bool) -> None:
        """Tell everybody else that a page of a browser has a table in sight, or has not."""

    async def is_looked_at(self, match: str, holder: str) -> bool:
        """Say whether a browser has a table in sight by another process."""

    async def claim(self, what: str, seconds: float) -> bool:
        """Claim something for so long, or renew one's claim; false if another process has it. No seconds end it."""

    async def answers(self) -> bool:
        """Say whether the others can be told."""

    async def stop(self) -> None:
        """Stop listening."""


class Alone:
    """The herald of a single process: there is nobody to tell."""

    async def start(self, heard: Heard, missed: Missed) -> None:
        """Nobody will ever call."""

    def tell(self, match: str) -> None:
        """Nobody listens."""

    async def follow(self, hear: Hear, beat: Callable[[], bytes]) -> None:
        """Nobody announces anything."""

    def announce(self, news: bytes) -> None:
        """Nobody is elsewhere."""

    async def has_company(self) -> bool:
        """There is no other process."""
        return False

    async def note(self, matches: list[str], seconds: float) -> None:
        """Nobody wants to know."""

    async def noted(self, matches: list[str]) -> set[str]:
        """Nobody else has people."""
        return set()

    def look(self, match: str, holder: str, page: str, is_looking: bool) -> None:
        """Nobody asks."""

    async def is_looked_at(self, match: str, holder: str) -> bool:
        """There is no other process."""
        return False

    async def claim(self, what: str, seconds: float) -> bool:
        """Grant everything: there is no other process."""
        return True

    async def answers(self) -> bool:
        """There is nothing that could fail."""
        return True

    async def stop(self) -> None:
        """Nothing to stop."""


class RedisHerald:
    """Tells by Redis' publish–subscribe; what was lost while it was away is looked up in the database."""

    def __init__(self, url: str, wait: float = 0.0) -> None:
        from redis import asyncio as redis  # an extra

        limits = {"socket_connect_timeout": LIMIT, "socket_keepalive": True, "health_check_interval": HEALTH}
        self.redis: Any = redis.from_url(url, socket_timeout=LIMIT, **limits)
        self.listening: Any = redis.from_url(url, **limits)  # which may have to wait for ever
        self.name = new_id()  # of this process
        self.errors, self.wait = redis.RedisError, wait
        self.tasks: set[asyncio.Task[None]] = set()
        self.silence = Silence(self.answers, self.keep)
        self.in_order = asyncio.Lock()  # what a page says last counts
        self.untold: asyncio.Queue[bytes] = asyncio.Queue(MOST_UNTOLD)

    async def start(self, heard: Heard, missed: Missed) -> None:
        """Listen from now on; a Redis that is not up yet is waited for."""

        async def pass_on(data: bytes) -> None:
            await heard(data.decode())

        await self.wait_for_it()
        await self.begin_to_listen(CHANNEL, pass_on, missed)

    async def wait_for_it(self) -> None:
        """Wait until Redis answers, for as long as was set."""
        end = time.monotonic() + self.wait
        while not await self.answers():
            if time.monotonic() >= end:
                await self.stop()
                raise BadInput("Redis does not answer; SMALTI_REDIS says where it is")
            logger.warning("waiting for Redis")
            await asyncio.sleep(PAUSE)

    async def answers(self) -> bool:
        """Say whether Redis answers."""
        try:
            async with asyncio.timeout(LIMIT):
                return bool(await self.redis.ping())
        except (OSError, TimeoutError, self.errors):
            return False

    async def follow(self, hear: Hear, beat: Callable[[], bytes]) -> None:
        """Hear what is announced, on a line of its own: who is where does not wait for a table that catches up."""

        async def pass_on(data: bytes) -> None:
            hear(data)

        async def nothing() -> None:
            """Do nothing: news are numbered, and what is missing is asked for."""

        await self.begin_to_listen(NEWS, pass_on, nothing)
        self.keep(run_for_ever("news", self.tell_news))
        self.keep(run_for_ever("beat", lambda: self.repeat(beat)))

    async def begin_to_listen(self, channel: str, pass_on: PassOn, missed: Missed) -> None:
        """Listen to a channel from now on."""
        ready = asyncio.Event()
        self.keep(run_for_ever(f"listening to {channel}", lambda: self.listen(channel, pass_on, missed, ready)))
        await ready.wait()

    def keep(self, work: Any) -> None:
        """Let something run, and hold on to it."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def listen(self, channel: str, pass_on: PassOn, missed: Missed, ready: asyncio.Event) -> None:
        """Pass on what is heard; after a lost connection listen again, and say that something may have been missed."""
        while True:
            try:
                async with self.listening.pubsub() as ears:
                    await ears.subscribe(channel)
                    await self.hear(ears, pass_on, missed, ready)
            except (OSError, self.errors) as error:
                logger.warning("listening to Redis again in a moment: %s", error)
                await asyncio.sleep(PAUSE)

    async def hear(self, ears: Any, pass_on: PassOn, missed: Missed, ready: asyncio.Event) -> None:
        """Pass on what comes; each time the subscription is confirmed but the first, something may have been missed."""
        async for message in ears.listen():
            if message["type"] == "message":
                await self.try_to(pass_on, message["data"])
            elif message["type"] == "subscribe":
                if ready.is_set():
                    self.keep(missed())
                ready.set()

    async def try_to(self, pass_on: PassOn, data: bytes) -> None:
        """Pass on one message; whatever goes wrong with it must not end the listening."""
        try:
            await pass_on(data)
        except Exception:
            logger.exception("hearing of %s", data.decode(errors="replace")[:200])

    def announce(self, news: bytes) -> None:
        """Put news in line."""
        with contextlib.suppress(asyncio.QueueFull):
            self.untold.put_nowait(news)

    async def has_company(self) -> bool:
        """Count who listens to announcements; when Redis does not answer there may be somebody."""
        try:
            found = dict(await self.redis.pubsub_numsub(NEWS))
        except (OSError, self.errors):
            return True
        return sum(found.values()) > 1

    async def tell_news(self) -> None:
        """Publish news one after the other; what gets lost is missed by its number."""
        while True:
            news = await self.untold.get()
            with contextlib.suppress(OSError, self.errors):
                await self.redis.publish(NEWS, news)
            self.untold.task_done()

    async def repeat(self, beat: Callable[[], bytes]) -> None:
        """Announce again and again that this process is there."""
        while True:
            self.announce(beat())
            await asyncio.sleep(BEAT)

    def tell(self, match: str) -> None:
        """Publish that a table has changed."""
        self.keep(self.publish(match))

    async def publish(self, match: str) -> None:
        """Publish; who does not hear it finds it in the database within seconds."""
        try:
            await self.redis.publish(CHANNEL, match)
        except (OSError, self.errors) as error:
            self.silence.notice("telling the other processes", error)

    async def note(self, matches: list[str], seconds: float) -> None:
        """Note where people are; it is forgotten by itself."""
        with contextlib.suppress(OSError, self.errors):
            for match in matches:
                await self.redis.set(HERE + match, 1, px=round(1000 * seconds))

    async def noted(self, matches: list[str]) -> set[str]:
        """Return where people are; when Redis does not answer they might be anywhere."""
        try:
            found = await self.redis.mget([HERE + match for match in matches]) if matches else []
        except (OSError, self.errors):
            return set(matches)
        return {match for match, here in zip(matches, found, strict=True) if here}

    def look(self, match: str, holder: str, page: str, is_looking: bool) -> None:
        """Keep with Redis which pages are in sight."""
        self.keep(self.note_look(eyes_on(match, holder), page, is_looking))

    async def note_look(self, eyes: str, page: str, is_looking: bool) -> None:
        """Note a page that is in sight, for a while, or strike it out."""
        async with self.in_order:
            with contextlib.suppress(OSError, self.errors):
                if is_looking:
                    await self.redis.zadd(eyes, {page: time.time() + SIGHT})
                    await self.redis.expire(eyes, SIGHT)
                else:
                    await self.redis.zrem(eyes, page)

    async def is_looked_at(self, match: str, holder: str) -> bool:
        """Count the pages in sight; without Redis there are none."""
        with contextlib.suppress(OSError, self.errors):
            return bool(await self.redis.zcount(eyes_on(match, holder), time.time(), "+inf"))
        return False

    async def claim(self, what: str, seconds: float) -> bool:
        """Claim something with Redis; when it does not answer, doing it twice is better than not at all."""
        key, milliseconds = CLAIMS + what, max(1, round(1000 * seconds))
        if self.silence.lasts:
            return True
        try:
            if seconds and await self.redis.set(key, self.name, nx=True, px=milliseconds):
                return True
            is_ours = await self.redis.get(key) == self.name.encode()
            if is_ours:
                await self.redis.pexpire(key, milliseconds)
            return bool(is_ours)
        except (OSError, self.errors) as error:
            self.silence.notice("claiming what to think about", error)
        return True

    async def stop(self) -> None:
        """Stop listening, when the last news are out."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.untold.join(), PAUSE)
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.redis.aclose()
        await self.listening.aclose()


def eyes_on(match: str, holder: str) -> str:
    """Return where Redis keeps which pages of a browser have a table in sight."""
    return f"smalti.eyes.{match}.{holder}"


def herald_for(redis: str | None, wait: float = 0.0) -> Herald:
    """Return the herald for a Redis address, or none."""
    return RedisHerald(redis, wait) if redis else Alone()
