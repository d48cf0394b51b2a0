"""The two halves of a WebSocket: reading what a page says, and writing what is new to it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from fastapi import WebSocket, WebSocketDisconnect

from smalti.server.doors.live.commands import obey_text
from smalti.server.doors.live.page import Page

GONE, NOT_LET_IN, TOO_MANY, COMPILING, BROKEN, LATER = 4404, 4403, 4429, 4503, 1011, 1013  # why we close
MOST_ANSWERS = 64  # that wait in line; a page that asks more is shown the door

logger = logging.getLogger(__name__)


async def serve(socket: WebSocket, page: Page, is_allowed: Callable[[], bool]) -> None:
    """Read and write until one of them ends; `is_allowed` says whether the browser may ask one more thing."""
    page.room.enter(page)
    halves = [asyncio.create_task(read(socket, page, is_allowed)), asyncio.create_task(write(socket, page))]
    try:
        done, _ = await asyncio.wait(halves, return_when=asyncio.FIRST_COMPLETED)
        code = next((closing_code(page, task) for task in done), None)
    finally:
        page.room.leave(page)
        page.set_visible(False)
        for task in halves:
            task.cancel()
        await asyncio.gather(*halves, return_exceptions=True)
    if code:
        await close(socket, code)


async def read(socket: WebSocket, page: Page, is_allowed: Callable[[], bool]) -> int | None:
    """Do what the page says; returns the code to close with, if it has to be closed."""
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return None
            if not is_allowed() or len(page.answers) > MOST_ANSWERS:
                return TOO_MANY
            await obey_text(page, message.get("text") or message.get("bytes") or b"")
    return None


async def write(socket: WebSocket, page: Page) -> int:
    """Send what is new whenever woken; returns the code to close with."""
    while True:
        await page.woken.wait()
        page.woken.clear()
        while page.answers:
            await socket.send_text(page.answers.popleft())
        if page.is_gone:
            return GONE
        if page.since is None:
            continue
        if page.new_people and not page.may_stay:
            return NOT_LET_IN
        for message in page.news():
            await socket.send_text(message)


def closing_code(page: Page, half: asyncio.Task[int | None] | asyncio.Task[int]) -> int | None:
    """Return the code to close with; what broke one half of the connection is our fault and logged."""
    error = half.exception()
    if error is None:
        return half.result()
    if not isinstance(error, WebSocketDisconnect) and not is_closed(error):
        logger.error("%s: a connection broke", page.room.log.facts.id, exc_info=error)
    return BROKEN


def is_closed(error: BaseException) -> bool:
    """Say whether we were about to send what the line, closed meanwhile for nonsense, did not take any more."""
    return isinstance(error, RuntimeError) and "websocket.close" in str(error)


async def close(socket: WebSocket, code: int, reason: str = "") -> None:
    """Close a connection, unless the page was gone first."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, reason)
