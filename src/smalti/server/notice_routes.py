"""The HTTP interface of turn notices."""

from __future__ import annotations

from typing import cast

from fastapi import APIRouter, Request, Response

from smalti.server import bodies
from smalti.server.guard import address_of, give_cookie, holder_in
from smalti.server.notices import Notices
from smalti.server.openapi import gives, takes
from smalti.server.serving import body, told

routes = APIRouter(prefix="/api/notices", tags=["notices"])


def notices_of(request: Request) -> Notices:
    """Return whoever tells people that it is their turn."""
    return cast(Notices, request.app.state.notices)


@routes.get("", responses=gives(bodies.Subscribed))
async def show_notices(request: Request) -> Response:
    """Tell the key that notices are signed with, and whether this browser is told."""
    notices, holder = notices_of(request), holder_in(request)
    is_told = holder is not None and bool(await notices.subscribers.of(holder))
    return told(bodies.Subscribed(notices.keys.public, is_told))


@routes.post("", responses=gives(None, 204), openapi_extra=takes(bodies.Subscribe))
async def subscribe(request: Request) -> Response:
    """Tell this browser from now on that it is its turn; it gets its cookie with the answer, if it has none."""
    wish = await body(request, bodies.Subscribe)
    notices_of(request).allowance.spend(address_of(request))
    response = Response(status_code=204)
    holder = give_cookie(request, response)
    await notices_of(request).subscribe(holder, wish)
    return response


@routes.delete("", responses=gives(None, 204), openapi_extra=takes(bodies.Unsubscribe))
async def unsubscribe(request: Request) -> Response:
    """Tell an address of this browser nothing any more."""
    wish = await body(request, bodies.Unsubscribe)
    holder = holder_in(request)
    if holder is not None:
        await notices_of(request).subscribers.forget(wish.endpoint, holder)
    return Response(status_code=204)
