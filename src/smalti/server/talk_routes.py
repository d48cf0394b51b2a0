"""The HTTP interface of what a host does about words at the table; the words themselves go over the WebSocket."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from smalti.server import bodies, talking
from smalti.server.guard import holder_in
from smalti.server.openapi import gives, takes
from smalti.server.serving import body, room_of

routes = APIRouter(prefix="/api")


@routes.post(
    "/tables/{match}/silence", responses=gives(None, 204), openapi_extra=takes(bodies.Silence), tags=["tables"]
)
async def silence_onlooker(request: Request, match: str) -> Response:
    """Let an onlooker say nothing any more, or again, as the host wishes."""
    wish = await body(request, bodies.Silence)
    await talking.silence(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)


@routes.post("/tables/{match}/clear", responses=gives(None, 204), openapi_extra=takes(bodies.Clear), tags=["tables"])
async def clear_words(request: Request, match: str) -> Response:
    """Take away what was said, all of it or one thing, as the host wishes."""
    wish = await body(request, bodies.Clear)
    await talking.clear(await room_of(request, match), wish, holder_in(request))
    return Response(status_code=204)
