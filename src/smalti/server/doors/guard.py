"""Who may talk to us: the browser's secret, the address, and the site that a request comes from."""

from __future__ import annotations

from fastapi import Request, Response, WebSocket
from starlette.requests import HTTPConnection

from smalti.server.doors.line.door import VISITOR, address_in
from smalti.server.doors.line.names import is_loopback, name_in
from smalti.server.doors.visitors import Visitor, Visitors
from smalti.server.keys import holder_of
from smalti.server.settings import Settings


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Return the browser that somebody comes from, as the door has recognized it."""
    found: Visitor = connection.scope[VISITOR]
    return found


def holder_in(connection: HTTPConnection) -> str | None:
    """Return by what we know the browser, if it has been here before; every page that connects has got a cookie."""
    return visitor_of(connection).holder


def address_of(connection: HTTPConnection) -> str:
    """Return what limits count the address by: IPv4 as it is, IPv6 by /64; nothing if it is not known."""
    return address_in(connection.scope)


def give_cookie(request: Request, response: Response) -> str:
    """Return by what we know the browser; a new one gets its secret with the response."""
    visitors: Visitors = request.app.state.shared.visitors
    token = visitor_of(request).named()
    response.headers["set-cookie"] = visitors.cookies.header(token)
    return holder_of(token)


def host_of(connection: HTTPConnection) -> str:
    """Return the name and port by which we were asked; the door has let only ours in."""
    server = connection.scope.get("server") or ("", None)
    return connection.headers.get("host") or ":".join(str(part) for part in server if part)


def seen_site(connection: HTTPConnection) -> str:
    """Return the address of the site as it was asked for, perhaps by a proxy."""
    scheme = "https" if connection.scope["scheme"] in ("https", "wss") else "http"
    return f"{scheme}://{host_of(connection)}"


def site_of(connection: HTTPConnection, settings: Settings) -> str:
    """Return the address of the site, as whoever asks knows it."""
    return f"https://{host_of(connection)}" if settings.secure_cookie else seen_site(connection)


def is_from_here(connection: Request | WebSocket, settings: Settings) -> bool:
    """Say whether a request comes from a page of ours, or from a program that is no browser."""
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    if origin in settings.origins or origin == site_of(connection, settings):
        return True
    return is_loopback(name_in(host_of(connection))) and origin == seen_site(connection)
