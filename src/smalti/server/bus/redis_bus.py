"""The bus of several processes: publish–subscribe over Redis, and keys that expire by themselves.

What is lost while Redis is away costs nothing but time: changes of tables are looked up in the database, news of
presence are numbered and asked for again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from smalti.engine.errors import BadInput
from smalti.server.bus.bus import OnChange, OnLoss, OnPresence
from smalti.server.bus.circuit_breaker import CircuitBreaker
from smalti.server.keys import new_id
from smalti.server.tasks import run_for_ever

CHANGES = "smalti.tables"  # the channel of tables that have changed
PRESENCE = "smalti.presence"  # the channel of who is where
CLAIM = "smalti.claim."  # and what is claimed: by which process
ATTENDED = "smalti.attended."  # and the name of a table: its people are there
VISIBLE = "smalti.visible."  # and the names of a table and a browser: the pages that are visible, with their end

HEARTBEAT = 1.0  # seconds between two signs of life
MOST_QUEUED = 10_000  # news that wait for Redis; what does not fit is missed, and asked for
PAUSE = 1.0  # seconds before trying again to listen
LIMIT = 5.0  # seconds after which a Redis that does not answer is given up
HEALTH = 10  # seconds of silence after which a connection is tried
VISIBLE_SECONDS = 60  # for which a page counts as visible; those that are say so more often

logger = logging.getLogger(__name__)

Deliver = Callable[[bytes], Awaitable[None]]


class RedisBus:
    """The bus of a process that shares its database with others."""

    def __init__(self, url: str, wait: float = 0.0) -> None:
        from redis import asyncio as redis  # an extra

        limits = {"socket_connect_timeout": LIMIT, "socket_keepalive": True, "health_check_interval": HEALTH}
        self.redis: Any = redis.from_url(url, socket_timeout=LIMIT, **limits)
        self.listening: Any = redis.from_url(url, **limits)  # which may have to wait for ever
        self.name = new_id()  # of this process
        self.errors, self.wait = redis.RedisError, wait
        self.tasks: set[asyncio.Task[None]] = set()
        self.breaker = CircuitBreaker(self.answers, self.spawn)
        self.in_order = asyncio.Lock()  # what a page says last counts
        self.outbox: asyncio.Queue[bytes] = asyncio.Queue(MOST_QUEUED)

    # --- Starting and stopping

    async def start(self, on_change: OnChange, on_loss: OnLoss) -> None:
        """Subscribe to changes of tables; a Redis that is not up yet is waited for."""

        async def deliver(data: bytes) -> None:
            await on_change(data.decode())

        await self.wait_for_redis()
        await self.subscribe(CHANGES, deliver, on_loss)

    async def wait_for_redis(self) -> None:
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

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something beside everything else, and hold on to its task."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def stop(self) -> None:
        """Stop listening, when the last news are out."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.outbox.join(), PAUSE)
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.redis.aclose()
        await self.listening.aclose()

    # --- Listening

    async def subscribe(self, channel: str, deliver: Deliver, on_loss: OnLoss) -> None:
        """Listen to a channel from now on; returns when the subscription is confirmed."""
        ready = asyncio.Event()
        self.spawn(run_for_ever(f"listening to {channel}", lambda: self.listen(channel, deliver, on_loss, ready)))
        await ready.wait()

    async def listen(self, channel: str, deliver: Deliver, on_loss: OnLoss, ready: asyncio.Event) -> None:
        """Deliver what arrives; after a lost connection subscribe again."""
        while True:
            try:
                async with self.listening.pubsub() as subscription:
                    await subscription.subscribe(channel)
                    await self.receive(subscription, deliver, on_loss, ready)
            except (OSError, self.errors) as error:
                logger.warning("the connection to Redis was lost, trying again in a moment: %s", error)
                await asyncio.sleep(PAUSE)

    async def receive(self, subscription: Any, deliver: Deliver, on_loss: OnLoss, ready: asyncio.Event) -> None:
        """Deliver what arrives; whenever the subscription is confirmed again, something may have been lost before."""
        async for message in subscription.listen():
            if message["type"] == "message":
                await self.try_to_deliver(deliver, message["data"])
            elif message["type"] == "subscribe":
                if ready.is_set():
                    self.spawn(on_loss())
                ready.set()

    async def try_to_deliver(self, deliver: Deliver, data: bytes) -> None:
        """Deliver one message; whatever goes wrong with it must not end the listening."""
        try:
            await deliver(data)
        except Exception:
            logger.exception("a message from another process failed: %s", data.decode(errors="replace")[:200])

    # --- Changes of tables

    def publish_change(self, match: str) -> None:
        """Publish that a table has changed."""
        self.spawn(self.publish(match))

    async def publish(self, match: str) -> None:
        """Publish; who does not hear it finds it in the database within seconds."""
        try:
            await self.redis.publish(CHANGES, match)
        except (OSError, self.errors) as error:
            self.breaker.record_failure("telling the other processes", error)

    # --- Presence

    async def subscribe_presence(self, on_presence: OnPresence, heartbeat: Callable[[], bytes]) -> None:
        """Subscribe by a connection of its own: who is where does not wait for a table that catches up."""

        async def deliver(data: bytes) -> None:
            on_presence(data)

        async def ignore_loss() -> None:
            """Do nothing: news are numbered, and what is missing is asked for."""

        await self.subscribe(PRESENCE, deliver, ignore_loss)
        self.spawn(run_for_ever("presence", self.publish_queued))
        self.spawn(run_for_ever("heartbeat", lambda: self.announce_heartbeat(heartbeat)))

    def publish_presence(self, news: bytes) -> None:
        """Put news in line."""
        with contextlib.suppress(asyncio.QueueFull):
            self.outbox.put_nowait(news)

    async def publish_queued(self) -> None:
        """Publish news one after the other; what gets lost is missed by its number."""
        while True:
            news = await self.outbox.get()
            with contextlib.suppress(OSError, self.errors):
                await self.redis.publish(PRESENCE, news)
            self.outbox.task_done()

    async def announce_heartbeat(self, heartbeat: Callable[[], bytes]) -> None:
        """Announce again and again that this process is there."""
        while True:
            self.publish_presence(heartbeat())
            await asyncio.sleep(HEARTBEAT)

    async def has_peers(self) -> bool:
        """Count the subscribers of presence; when Redis does not answer there may be some."""
        try:
            found = dict(await self.redis.pubsub_numsub(PRESENCE))
        except (OSError, self.errors):
            return True
        return sum(found.values()) > 1

    # --- Keys

    async def mark_attended(self, matches: list[str], seconds: float) -> None:
        """Note where people are; it is forgotten by itself."""
        with contextlib.suppress(OSError, self.errors):
            for match in matches:
                await self.redis.set(ATTENDED + match, 1, px=round(1000 * seconds))

    async def attended(self, matches: list[str]) -> set[str]:
        """Return where people are; when Redis does not answer they might be anywhere."""
        try:
            found = await self.redis.mget([ATTENDED + match for match in matches]) if matches else []
        except (OSError, self.errors):
            return set(matches)
        return {match for match, here in zip(matches, found, strict=True) if here}

    def set_visible(self, match: str, holder: str, page: str, is_visible: bool) -> None:
        """Keep with Redis which pages are visible."""
        self.spawn(self.store_visible(visible_key(match, holder), page, is_visible))

    async def store_visible(self, key: str, page: str, is_visible: bool) -> None:
        """Note a page that is visible, for a while, or strike it out."""
        async with self.in_order:
            with contextlib.suppress(OSError, self.errors):
                if is_visible:
                    await self.redis.zadd(key, {page: time.time() + VISIBLE_SECONDS})
                    await self.redis.expire(key, VISIBLE_SECONDS)
                else:
                    await self.redis.zrem(key, page)

    async def has_visible_page(self, match: str, holder: str) -> bool:
        """Count the visible pages; without Redis there are none."""
        with contextlib.suppress(OSError, self.errors):
            return bool(await self.redis.zcount(visible_key(match, holder), time.time(), "+inf"))
        return False

    async def claim(self, what: str, seconds: float) -> bool:
        """Claim something with Redis; when it does not answer, doing it twice is better than not at all."""
        key, milliseconds = CLAIM + what, max(1, round(1000 * seconds))
        if self.breaker.is_open:
            return True
        try:
            if seconds and await self.redis.set(key, self.name, nx=True, px=milliseconds):
                return True
            is_ours = await self.redis.get(key) == self.name.encode()
            if is_ours:
                await self.redis.pexpire(key, milliseconds)
            return bool(is_ours)
        except (OSError, self.errors) as error:
            self.breaker.record_failure("claiming what to think about", error)
        return True


def visible_key(match: str, holder: str) -> str:
    """Return where Redis keeps which pages of a browser that show a table are visible."""
    return f"{VISIBLE}{match}.{holder}"
