"""What all routes share: who is asked, how a body is read, what an answer costs and who may keep it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import msgspec
from fastapi import Depends, Request, Response, WebSocket

from smalti.server.actions.importing import Imports
from smalti.server.archive.answers import Answers
from smalti.server.doors.guard import address_of, give_cookie, holder_in, is_from_here
from smalti.server.doors.line.limits import Limits
from smalti.server.doors.visitors import Cookies, Visitors
from smalti.server.lobby.lobby import Lobby
from smalti.server.problems import Problem
from smalti.server.rooms.room import Room
from smalti.server.rooms.rooms import Rooms
from smalti.server.settings import Settings
from smalti.server.store.site_keys import SiteKeys
from smalti.server.table.access import finished
from smalti.server.table.log import Log
from smalti.server.wire import http

MOST_BYTES = 16 * 1024  # of a request's body
AT_ONCE = 2  # answers that are worked out
LONG_GAME = 200  # events; what is longer costs more
FOR_EVER = "public, max-age=31536000, immutable"

T = TypeVar("T")


class Shared:
    """The parts of the application that every route may need."""

    def __init__(self, rooms: Rooms, lobby: Lobby, settings: Settings, keys: SiteKeys) -> None:
        self.rooms, self.lobby, self.settings = rooms, lobby, settings
        self.limits, self.answers, self.imports = Limits(settings), Answers(), Imports()
        self.turns = asyncio.Semaphore(AT_ONCE)
        cookies = Cookies(keys.key("cookies"), settings.secure_cookie)
        self.visitors, self.quick_key = Visitors(rooms.store, cookies, keys.marked_since), keys.key("quick")


def shared(connection: Request | WebSocket) -> Shared:
    """Return the shared parts of the application that was asked."""
    return cast(Shared, connection.app.state.shared)


# --- Reading


async def body(request: Request, kind: type[T]) -> T:
    """Read the body of a request that changes something."""
    try:
        return msgspec.json.decode(await text_of(request, MOST_BYTES), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem("format", what=str(error)) from None


async def text_of(request: Request, most: int) -> bytes:
    """Return what a request brings as JSON, if it comes from a page of ours and is not too large."""
    if not is_from_here(request, shared(request).settings):
        raise Problem("origin")
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Problem("format", what="the body must be application/json")
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > most:
        raise Problem("large")
    try:
        async with asyncio.timeout(shared(request).settings.request_seconds):
            return await read_at_most(request, most)
    except TimeoutError:
        raise Problem("slow") from None


async def read_at_most(request: Request, most: int) -> bytes:
    """Read so many bytes at most."""
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > most:
            raise Problem("large")
    return bytes(found)


# --- Answering


def costs(reads: float) -> Any:
    """Let a route cost its caller something, counted by address."""

    async def spend(request: Request) -> None:
        shared(request).limits.count_work(address_of(request), reads)

    return Depends(spend)


async def in_turn(request: Request, work: Awaitable[T]) -> T:
    """Work something out after what others have asked for: a flood must not come between people and their moves."""
    async with shared(request).turns:
        return await work


async def cached_answer(request: Request, log: Log, what: str, make: Callable[[Log], bytes], cost: float) -> bytes:
    """Return an answer about a finished game: the one in the cache, or a new one, which costs something.

    Whether somebody may have it is for the caller to say, before it comes here.
    """
    answers = shared(request).answers
    found = answers.find(log, what)
    if found is not None:
        return found
    making = answers.making.get((log.facts.id, log.length, what))
    if making is None:  # whoever asks for the same meanwhile waits for it, and pays nothing
        shared(request).limits.count_work(address_of(request), cost * length_of(log))
        making = answers.make(log, what, worked_out(shared(request).turns, log, make))
    return await asyncio.shield(making)


async def worked_out(turns: asyncio.Semaphore, log: Log, make: Callable[[Log], bytes]) -> bytes:
    """Work an answer out in its turn, beside the event loop, on a copy of the log, which has buffers of its own."""
    async with turns:
        return await asyncio.to_thread(make, log.copy())


def length_of(log: Log) -> float:
    """Return how much longer a game is than usual ones: as much more is to be worked out."""
    return max(1.0, len(log.happened) / LONG_GAME)


def json_response(message: Any) -> Response:
    """Answer with a message."""
    return encoded_response(msgspec.json.encode(message))


def encoded_response(text: bytes, cache: str = "no-store") -> Response:
    """Answer with a message that is encoded already."""
    return Response(text, media_type="application/json", headers={"cache-control": cache})


def with_seats(response: Response, room: Room, holder: str) -> Response:
    """Tell a browser which seats it has now, in an answer that may bring its cookie."""
    response.body = msgspec.json.encode(http.Made(room.log.facts.id, room.log.held_by(holder)))
    response.headers["content-length"] = str(len(response.body))
    return response


def give_table(request: Request, response: Response) -> str:
    """Return by what we know the browser, which gets its cookie with the response, if it may make one more table."""
    is_new = holder_in(request) is None
    holder = give_cookie(request, response)
    shared(request).limits.make_table(holder, address_of(request), is_new)
    return holder


# --- Tables


async def room_of(request: Request | WebSocket, match: str) -> Room:
    """Return the room of a table."""
    return await shared(request).rooms.find(match)


async def settled_of(request: Request, match: str) -> Room:
    """Return the room of a table that may be over, in whichever process it ended."""
    return await shared(request).rooms.find_settled(match)


async def finished_of(request: Request, match: str) -> Log:
    """Return a game that is over and that this browser may find."""
    return finished((await settled_of(request, match)).log, holder_in(request))


def cache_control(log: Log) -> str:
    """Return who may cache an answer about a finished game: everybody, or the player's own browser alone."""
    return FOR_EVER if log.finders != "players" else FOR_EVER.replace("public", "private")
