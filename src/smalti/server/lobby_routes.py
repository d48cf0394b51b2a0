"""The HTTP interface of the lobby: what it shows, quick match, and bots for free seats."""

from __future__ import annotations

from hashlib import sha256

import msgspec
from fastapi import APIRouter, Request, Response

from smalti.server import archive, bodies, tables
from smalti.server.guard import holder_in
from smalti.server.line.limits import LIST
from smalti.server.lobby import fairly
from smalti.server.openapi import gives, takes
from smalti.server.quick import quick_match
from smalti.server.serving import body, costs, give_table, room_of, shared, with_seats

routes = APIRouter(prefix="/api")


@routes.get("/lobby", responses=gives(bodies.Lobby), tags=["lobby"], dependencies=[costs(LIST)])
async def show_lobby(request: Request, game: str | None = None) -> Response:
    """List the tables that seek players and the games to watch, of one game or of all.

    Who brings the `ETag` of the last answer as `If-None-Match` gets 304 while nothing has changed.
    """
    lobby, holder = shared(request).lobby, holder_in(request)
    found = await lobby.seeking(), await lobby.playing()
    chosen = [fairly([room for room in rooms if game in (None, room.log.facts.game)]) for rooms in found]
    seeking, playing = ([archive.line_of(room, holder) for room in rooms[: archive.PAGE]] for rooms in chosen)
    return told_if_new(request, bodies.Lobby(seeking, playing))


def told_if_new(request: Request, message: msgspec.Struct) -> Response:
    """Answer with a message, or that it is the one which is known already."""
    text = msgspec.json.encode(message)
    mark = f'"{sha256(text).hexdigest()[:24]}"'
    headers = {"cache-control": "no-store", "etag": mark}
    if request.headers.get("if-none-match") == mark:
        return Response(status_code=304, headers=headers)
    return Response(text, media_type="application/json", headers=headers)


@routes.post("/quick", responses=gives(bodies.Made), openapi_extra=takes(bodies.Quick), tags=["lobby"])
async def find_match(request: Request) -> Response:
    """Sit down at an open table as one wishes it, or at a new one; the browser gets its cookie with the answer."""
    wish = await body(request, bodies.Quick)
    response = Response(media_type="application/json")
    holder = give_table(request, response)
    room = await quick_match(shared(request).rooms, shared(request).lobby, wish, holder, shared(request).quick_key)
    return with_seats(response, room, holder)


@routes.post("/tables/{match}/bots", responses=gives(None, 204), openapi_extra=takes(bodies.Fill), tags=["tables"])
async def fill_seats(request: Request, match: str) -> Response:
    """Let bots sit down on free seats, as the host wishes."""
    wish = await body(request, bodies.Fill)
    await tables.fill(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)
