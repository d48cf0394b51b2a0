"""The HTTP interface of what a host does about words at the table; the words themselves go over the WebSocket."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from smalti.server.actions import chat
from smalti.server.doors.guard import holder_in
from smalti.server.doors.requests import body, room_of
from smalti.server.wire import http
from smalti.server.wire.openapi import gives, takes

routes = APIRouter(prefix="/api")


@routes.post("/tables/{match}/silence", responses=gives(None, 204), openapi_extra=takes(http.Silence), tags=["tables"])
async def silence_onlooker(request: Request, match: str) -> Response:
    """Let an onlooker say nothing any more, or again, as the host wishes."""
    wish = await body(request, http.Silence)
    await chat.silence(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)


@routes.post("/tables/{match}/clear", responses=gives(None, 204), openapi_extra=takes(http.Clear), tags=["tables"])
async def clear_words(request: Request, match: str) -> Response:
    """Take away what was said, all of it or one thing, as the host wishes."""
    wish = await body(request, http.Clear)
    await chat.clear(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)
