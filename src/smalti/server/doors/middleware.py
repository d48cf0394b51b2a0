"""What surrounds every request and connection: its name in the log, the headers of its answer, what is counted.

An error that nobody has expected is logged here, once, with its traceback, and answered without it.
"""

from __future__ import annotations

import contextlib
import logging
import re
import secrets
import time
from collections.abc import Mapping

import msgspec
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from smalti.server.problems import Problem
from smalti.server.telemetry.logs import about
from smalti.server.telemetry.metrics import Metrics
from smalti.server.wire.http import problem_body

logger = logging.getLogger(__name__)
BROKEN = 1011  # why we close: an error of ours
TABLE = re.compile(r"/(?:api/tables|table|g|game|join|watch|continue)/([\w-]{1,32})(?:[/.]|$)")
LISTS = ("open", "mine", "over")

Headers = list[tuple[bytes, bytes]]


def new_request_id() -> str:
    """Return a name for a request, short enough to be read out."""
    return secrets.token_hex(5)


def subject(path: str, request: str) -> dict[str, str]:
    """Return what the log says about a request: its name, and the table it is about."""
    found = TABLE.match(path)
    return {"request": request} | ({"table": found[1]} if found and found[1] not in LISTS else {})


def route_of(scope: Scope) -> str:
    """Return the template of the address that was asked for; all that nobody answers count as one."""
    return str(getattr(scope.get("route"), "path", "")) or (
        "assets" if scope["path"].startswith("/assets/") else "none"
    )


class Middleware:
    """Surrounds the application."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str], metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics
        self.headers: Headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Give what comes a name, and surround it by its kind."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, failing_plainly(send))
            return
        request = new_request_id()
        with about(**subject(scope["path"], request)):
            surround = self.connect if scope["type"] == "websocket" else self.answer
            await surround(scope, receive, send, (b"x-request-id", request.encode()))

    async def answer(self, scope: Scope, receive: Receive, send: Send, name: tuple[bytes, bytes]) -> None:
        """Let a request be answered, in any case."""
        status, began = 0, time.perf_counter()

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = self.completed(message["headers"], name)
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except ClientDisconnect:
            logger.debug("%s was broken off by the client", scope["method"])
        except Exception:
            logger.exception("%s %s failed", scope["method"], scope["path"])
            if not status:
                await send_problem(send_with_headers)
        self.metrics.requests(route_of(scope), str(status)).inc()
        if logger.isEnabledFor(logging.DEBUG):
            spent = 1000 * (time.perf_counter() - began)
            logger.debug("%s %s: %d in %.1f ms", scope["method"], route_of(scope), status, spent)

    def completed(self, given: Headers, name: tuple[bytes, bytes]) -> Headers:
        """Return the headers of an answer with those that every answer has."""
        there = {key.lower() for key, _ in given}
        return [*given, *(header for header in self.headers if header[0] not in there), name]

    async def connect(self, scope: Scope, receive: Receive, send: Send, name: tuple[bytes, bytes]) -> None:
        """Let a page be connected; a connection that breaks by an error of ours is closed with words."""
        closed = False

        async def send_with_name(message: Message) -> None:
            nonlocal closed
            closed = closed or message["type"] == "websocket.close"
            if message["type"] == "websocket.accept":
                message["headers"] = [*message.get("headers", ()), name]
            await send(message)

        with self.metrics.connections.track_inprogress():
            try:
                await self.app(scope, receive, send_with_name)
            except (WebSocketDisconnect, ClientDisconnected):
                logger.debug("a page was gone before it was told")
            except Exception:
                logger.exception("a connection to %s failed", scope["path"])
                with contextlib.suppress(RuntimeError):  # the page was gone first
                    if not closed:
                        await send({"type": "websocket.close", "code": BROKEN})


def failing_plainly(send: Send) -> Send:
    """Say in one line why the server cannot start, if it is something that whoever runs it can mend."""

    async def sending(message: Message) -> None:
        lines = message.get("message", "").rstrip().splitlines()
        if message["type"] == "lifespan.startup.failed" and lines and lines[-1].startswith("smalti."):
            message = {**message, "message": lines[-1].partition(": ")[2]}
        await send(message)

    return sending


async def send_problem(send: Send) -> None:
    """Answer that something went wrong here."""
    problem = Problem("server")
    text = msgspec.json.encode(problem_body(problem))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
