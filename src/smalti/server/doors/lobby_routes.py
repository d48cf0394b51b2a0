"""The HTTP interface of the lobby: what it shows, quick match, and bots for free seats."""

from __future__ import annotations

from hashlib import sha256

import msgspec
from fastapi import APIRouter, Request, Response

from smalti.server.actions import tables
from smalti.server.archive import replays
from smalti.server.doors.guard import holder_in
from smalti.server.doors.line.limits import LIST
from smalti.server.doors.requests import body, costs, give_table, room_of, shared, with_seats
from smalti.server.lobby.lobby import fairly
from smalti.server.lobby.quick_match import quick_match
from smalti.server.wire import http
from smalti.server.wire.openapi import gives, takes

routes = APIRouter(prefix="/api")


@routes.get("/lobby", responses=gives(http.Lobby), tags=["lobby"], dependencies=[costs(LIST)])
async def show_lobby(request: Request, game: str | None = None) -> Response:
    """List the tables that seek players and the games to watch, of one game or of all.

    Who brings the `ETag` of the last answer as `If-None-Match` gets 304 while nothing has changed.
    """
    lobby, holder = shared(request).lobby, holder_in(request)
    found = await lobby.seeking(), await lobby.playing()
    chosen = [fairly([room for room in rooms if game in (None, room.log.facts.game)]) for rooms in found]
    seeking, playing = ([replays.line_of(room, holder) for room in rooms[: replays.PAGE]] for rooms in chosen)
    return response_unless_known(request, http.Lobby(seeking, playing))


def response_unless_known(request: Request, message: msgspec.Struct) -> Response:
    """Answer with a message, or that it is the one which is known already."""
    text = msgspec.json.encode(message)
    mark = f'"{sha256(text).hexdigest()[:24]}"'
    headers = {"cache-control": "no-store", "etag": mark}
    if request.headers.get("if-none-match") == mark:
        return Response(status_code=304, headers=headers)
    return Response(text, media_type="application/json", headers=headers)


@routes.post("/quick", responses=gives(http.Made), openapi_extra=takes(http.Quick), tags=["lobby"])
async def find_match(request: Request) -> Response:
    """Sit down at an open table as one wishes it, or at a new one; the browser gets its cookie with the answer."""
    wish = await body(request, http.Quick)
    response = Response(media_type="application/json")
    holder = give_table(request, response)
    room = await quick_match(shared(request).rooms, shared(request).lobby, wish, holder, shared(request).quick_key)
    return with_seats(response, room, holder)


@routes.post("/tables/{match}/bots", responses=gives(None, 204), openapi_extra=takes(http.Fill), tags=["tables"])
async def fill_seats(request: Request, match: str) -> Response:
    """Let bots sit down on free seats, as the host wishes."""
    wish = await body(request, http.Fill)
    await tables.fill(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)
