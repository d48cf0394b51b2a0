"""Who may talk to us: the browser's secret, the site a request comes from, and how often."""

from __future__ import annotations

import time
from collections import OrderedDict
from urllib.parse import urlsplit

from fastapi import Request, Response, WebSocket
from starlette.requests import HTTPConnection

from smalti.server.keys import COOKIE, COOKIE_AGE, holder_of, new_token
from smalti.server.problems import Problem
from smalti.server.settings import Settings

LONGEST_TOKEN = 100


def token_of(connection: HTTPConnection) -> str | None:
    """Return the browser's secret, if it has one of ours."""
    token = connection.cookies.get(COOKIE)
    return token if token and len(token) <= LONGEST_TOKEN and token.isascii() else None


def holder_in(connection: HTTPConnection) -> str | None:
    """Return by what we know the browser, if it has been here before."""
    token = token_of(connection)
    return holder_of(token) if token else None


def give_cookie(request: Request, response: Response, settings: Settings) -> str:
    """Return by what we know the browser; a new one gets its secret with the response."""
    token = token_of(request) or new_token()
    response.set_cookie(
        COOKIE, token, max_age=COOKIE_AGE, httponly=True, samesite="lax", secure=settings.secure_cookie, path="/"
    )
    return holder_of(token)


def is_from_here(connection: Request | WebSocket, settings: Settings) -> bool:
    """Say whether a request comes from a page of ours, or from a program that is no browser."""
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    try:
        site = urlsplit(origin).netloc
    except ValueError:
        return False
    return origin in settings.origins or site == connection.headers.get("host")


class Allowance:
    """How often each address may do something."""

    def __init__(self, an_hour: int) -> None:
        self.an_hour = an_hour
        self.left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, address: str) -> None:
        """Take one, or say that it is too often."""
        now = time.monotonic()
        left, then = self.left.pop(address, (float(self.an_hour), now))
        left = min(self.an_hour, left + (now - then) * self.an_hour / 3600)
        self.left[address] = (left - 1 if left >= 1 else left, now)
        while len(self.left) > 10_000:
            self.left.popitem(last=False)
        if left < 1:
            raise Problem("many")
