"""The door that every request and every connection comes through: by which name, from whom, how often."""

from __future__ import annotations

from typing import Protocol, cast

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smalti.server.doors.line.addresses import key_of
from smalti.server.doors.line.limits import LIST, TOUCH, Limits
from smalti.server.doors.line.names import Names
from smalti.server.doors.line.replies import headers_of, text_of
from smalti.server.doors.visitors import Visitor, Visitors
from smalti.server.problems import Problem
from smalti.server.settings import Settings

VISITOR = "smalti.visitor"
WORKED_OUT = ("/api/", "/g/", "/game/")  # everything else is a file


class Inside(Protocol):
    """What the door has to know of those inside."""

    limits: Limits
    visitors: Visitors


def address_in(scope: Scope) -> str:
    """Return what limits count an address by; behind a trusted proxy it is the one that the proxy names."""
    client = scope.get("client")
    return key_of(client[0]) if client else ""


class Door:
    """Checks the name, recognizes the browser, and gives new pages a cookie."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.names = app, Names(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let somebody in, or say why not."""
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        inside = cast(Inside, scope["app"].state.shared)
        try:
            self.check(scope, inside)
            visitor = scope[VISITOR] = await visitor_in(scope, inside)
        except Problem as problem:
            return await refuse(scope, send, problem)
        if scope["type"] == "websocket":
            visitor.named()
        return await self.app(scope, receive, giving(send, visitor, inside.visitors) if visitor.is_old else send)

    def check(self, scope: Scope, inside: Inside) -> None:
        """Refuse a name that is not ours, and whoever comes too often."""
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) > 1:
            raise Problem("format", what="Host")
        if not self.names.has(hosts[0] if hosts else "", scope["path"]):
            raise Problem("host", name=hosts[0][:100])
        if scope["path"].startswith(WORKED_OUT):
            inside.limits.count_work(address_in(scope), TOUCH)


async def visitor_in(scope: Scope, inside: Inside) -> Visitor:
    """Recognize the browser; to look for one from before costs as much as a list."""
    visitors = inside.visitors
    given = visitors.cookies.given(scope["headers"])
    found = visitors.recognized(given)
    token = None if found else visitors.unmarked(given)
    if token is None:
        return found or Visitor(None)
    inside.limits.count_work(address_in(scope), LIST)
    return Visitor(token, is_old=True) if await visitors.is_known(token) else Visitor(None)


def giving(send: Send, visitor: Visitor, visitors: Visitors) -> Send:
    """Add the cookie to the answer, unless it brings one already or anybody may keep it."""

    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.accept") and visitor.token:
            headers = list(message.get("headers") or [])
            if not any(is_settled(name.lower(), value) for name, value in headers):
                headers.append((b"set-cookie", visitors.cookies.header(visitor.token).encode()))
            message = {**message, "headers": headers}
        await send(message)

    return sending


def is_settled(name: bytes, value: bytes) -> bool:
    """Say whether a header means that no cookie is to be added."""
    return name == b"set-cookie" or (name == b"cache-control" and b"public" in value)


async def refuse(scope: Scope, send: Send, problem: Problem) -> None:
    """Answer with what is wrong; a connection is not accepted."""
    text, kind = text_of(problem), "http" if scope["type"] == "http" else "websocket.http"
    if kind == "websocket.http" and kind + ".response" not in scope.get("extensions", {}):
        return await send({"type": "websocket.close"})
    await send({"type": f"{kind}.response.start", "status": problem.status, "headers": headers_of(problem, text)})
    await send({"type": f"{kind}.response.body", "body": text})
    return None
