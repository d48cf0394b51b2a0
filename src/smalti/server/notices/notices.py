"""Turn notices: whoever is not looking is told, once, that it is their turn.

The process that has stored what made it somebody's turn tells them, and no other. It waits for a moment, so that
quick answers ring nowhere, and looks again whether it is still their turn and they still look elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from typing import Any, NamedTuple

import msgspec

from smalti.engine.errors import SmaltiError
from smalti.server.keys import link_key
from smalti.server.notices.push import GONE, Keys, addresses, check_secrets, new_keys, place_of, post, sealed, signature
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.settings import Settings
from smalti.server.store.site_keys import site_value
from smalti.server.store.store import Store
from smalti.server.store.subscribers import Subscribers, Subscription
from smalti.server.table.entries import PLAYING, Entry
from smalti.server.table.kinds import Play
from smalti.server.table.log import Log
from smalti.server.tasks import ended
from smalti.server.token_bucket import an_hour
from smalti.server.wire.http import Subscribe

KEYS = "notices"  # the name by which the database keeps them
DAY = 24 * 3600  # seconds for which a push service keeps a notice for a browser that is off
MOST_WAITING = 2000  # notices on their way; more are dropped
AT_ONCE = 20  # connections to push services
SUBSCRIPTIONS_AN_HOUR = 60  # that one address may ask for

logger = logging.getLogger(__name__)


class Call(NamedTuple):
    """Somebody's turn: which decision of which seat, and whose it is."""

    match: str
    game: str
    seat: int
    asked: int
    holder: str


class Notice(msgspec.Struct):
    """What a browser is told: nothing that is not on the list of its tables."""

    table: str
    game: str
    n: int
    seat: int
    language: str


def calls(before: Log, after: Log, entries: Iterable[Entry]) -> list[Call]:
    """List whose turn it has become, each browser once; whoever has just acted knows."""
    if after.stage != PLAYING:
        return []
    present = {after.seats[one.seat].holder for one in entries if isinstance(one.what, Play) and one.seat is not None}
    found: dict[str, Call] = {}
    for seat in sorted(after.match.acting):
        holder = after.seats[seat].holder
        is_new = seat not in before.match.acting or before.asked[seat] != after.asked[seat]
        if holder is not None and holder not in present and is_new:
            found.setdefault(holder, Call(after.facts.id, after.facts.game, seat, after.asked[seat], holder))
    return list(found.values())


def is_open(log: Log, call: Call) -> bool:
    """Say whether this very decision still waits for this person."""
    seat = call.seat
    is_theirs = seat in log.held_by(call.holder)
    return log.stage == PLAYING and is_theirs and seat in log.match.acting and log.asked[seat] == call.asked


async def vapid_keys(store: Store) -> Keys:
    """Return the keys that the site signs its notices with (VAPID), made at the first start."""
    value = await site_value(store, KEYS, lambda: msgspec.json.encode(new_keys()))
    return msgspec.json.decode(value, type=Keys)


class Notices:
    """Tells people that it is their turn."""

    def __init__(self, rooms: Rooms, settings: Settings) -> None:
        self.rooms, self.settings = rooms, settings
        self.subscribers = Subscribers(rooms.store)
        self.allowance = an_hour(SUBSCRIPTIONS_AN_HOUR)
        self.keys = Keys("", "")
        self.ringing: set[asyncio.Task[None]] = set()
        self.lines = asyncio.Semaphore(AT_ONCE)

    async def start(self) -> None:
        """Read the keys, or make them, and hear from now on what is stored."""
        self.keys = await vapid_keys(self.rooms.store)
        self.rooms.on_stored = self.ring_for_turns

    async def stop(self) -> None:
        """Tell nobody any more."""
        await ended(*self.ringing)

    async def subscribe(self, holder: str, wish: Subscribe) -> None:
        """Tell a browser from now on, if its address is one that we may go to."""
        place = place_of(wish.endpoint, self.settings.push_anywhere)
        await asyncio.to_thread(check_secrets, wish.key, wish.auth)
        await addresses(place, self.settings.push_anywhere)
        await self.subscribers.add(holder, Subscription(wish.endpoint, wish.key, wish.auth, wish.language))

    # --- Whose turn it is

    def ring_for_turns(self, room: Room, before: Log, entries: list[Entry]) -> None:
        """Ring for those whose turn it has become by what this process has stored, and who look elsewhere."""
        for call in calls(before, room.log, entries):
            if not room.attendance.has_visible_page(call.holder) and len(self.ringing) < MOST_WAITING:
                self.spawn(self.ring(call))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something beside the game, and hold on to its task."""
        task = asyncio.create_task(work)
        self.ringing.add(task)
        task.add_done_callback(self.ringing.discard)

    async def ring(self, call: Call) -> None:
        """Tell somebody that it is their turn; what goes wrong with it is no matter of the game."""
        try:
            await asyncio.sleep(self.settings.notice_pause)
            wanted = await self.wanted(call)
            await asyncio.gather(*(self.send(call, subscription) for subscription in wanted))
        except (SmaltiError, OSError) as error:
            logger.warning("%s: a notice could not be sent: %s", call.match, error)
        except Exception:
            logger.exception("%s: a notice could not be sent", call.match)

    async def wanted(self, call: Call) -> list[Subscription]:
        """List where somebody is to be told, if there still is a reason; what costs least is asked first."""
        room = await self.rooms.find(call.match)
        if not is_open(room.log, call) or room.attendance.has_visible_page(call.holder):
            return []
        found = await self.subscribers.of(call.holder)
        if not found or await self.rooms.bus.has_visible_page(call.match, call.holder):
            return []
        async with room.lock:
            await room.catch_up()  # another process may have stored the answer
        return found if is_open(room.log, call) else []

    # --- Telling

    async def send(self, call: Call, subscription: Subscription) -> None:
        """Send one notice; a browser that listens no more is forgotten. Addresses are secrets and not logged."""
        place = place_of(subscription.endpoint, self.settings.push_anywhere)
        try:
            async with self.lines:
                headers, body = await asyncio.to_thread(self.packed, call, subscription)
                status = await post(place, self.settings.push_anywhere, headers, body)
        except (SmaltiError, OSError) as error:
            logger.warning("a notice could not be sent by %s: %s", place.host, str(error) or type(error).__name__)
            return
        if status in GONE:
            await self.subscribers.forget(subscription.endpoint)
        elif status >= 300:
            logger.warning("a notice was refused by %s: status %d", place.host, status)

    def packed(self, call: Call, to: Subscription) -> tuple[dict[str, str], bytes]:
        """Seal and sign a notice; it replaces an older one of the same table that was not delivered yet."""
        payload = msgspec.json.encode(Notice(call.match, call.game, call.asked, call.seat, to.language))
        place = place_of(to.endpoint, self.settings.push_anywhere)
        headers = {
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "ttl": str(DAY),
            "topic": link_key(self.keys.private.encode(), call.match),  # the name itself is the players' secret
            **signature(self.keys, place, self.settings.contact),
        }
        return headers, sealed(to.key, to.auth, payload)
