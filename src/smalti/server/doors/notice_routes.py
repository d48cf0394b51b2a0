"""The HTTP interface of turn notices."""

from __future__ import annotations

from typing import cast

from fastapi import APIRouter, Request, Response

from smalti.server.doors.guard import address_of, give_cookie, holder_in
from smalti.server.doors.requests import body, json_response
from smalti.server.notices.notices import Notices
from smalti.server.wire import http
from smalti.server.wire.openapi import gives, takes

routes = APIRouter(prefix="/api/notices", tags=["notices"])


def notices_of(request: Request) -> Notices:
    """Return whoever tells people that it is their turn."""
    return cast(Notices, request.app.state.notices)


@routes.get("", responses=gives(http.Subscribed))
async def show_notices(request: Request) -> Response:
    """Tell the key that notices are signed with, and whether this browser is told."""
    notices, holder = notices_of(request), holder_in(request)
    is_told = holder is not None and bool(await notices.subscribers.of(holder))
    return json_response(http.Subscribed(notices.keys.public, is_told))


@routes.post("", responses=gives(None, 204), openapi_extra=takes(http.Subscribe))
async def subscribe(request: Request) -> Response:
    """Tell this browser from now on that it is its turn; it gets its cookie with the answer, if it has none."""
    wish = await body(request, http.Subscribe)
    notices_of(request).allowance.spend(address_of(request))
    response = Response(status_code=204)
    holder = give_cookie(request, response)
    await notices_of(request).subscribe(holder, wish)
    return response


@routes.delete("", responses=gives(None, 204), openapi_extra=takes(http.Unsubscribe))
async def unsubscribe(request: Request) -> Response:
    """Tell an address of this browser nothing any more."""
    wish = await body(request, http.Unsubscribe)
    holder = holder_in(request)
    if holder is not None:
        await notices_of(request).subscribers.forget(wish.endpoint, holder)
    return Response(status_code=204)
