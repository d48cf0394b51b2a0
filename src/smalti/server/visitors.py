"""Who comes: the browser's secret in its cookie, which must be one that we have given.

A cookie is a secret and our mark on it: `TOKEN.MARK`. Those from before there were marks are believed if somebody with
this secret is known here, and get their mark with the next answer.
"""

from __future__ import annotations

import base64
import hmac
import re
from collections import OrderedDict
from collections.abc import Iterable

import sqlalchemy as sa

from smalti.server.keys import COOKIE, COOKIE_AGE, holder_of, is_same, new_token
from smalti.server.schema import holders, matches, notices
from smalti.server.store import Store

HOST_COOKIE = f"__Host-{COOKIE}"  # browsers take it from this very host by https only
MOST_COOKIES = 8  # with our name in one request that are looked at
MARK_BYTES = 16
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
MOST_KNOWN = 10_000  # secrets from before that are remembered


class Visitor:
    """The browser that a request or a connection comes from, if it has been here before."""

    def __init__(self, token: str | None, is_old: bool = False) -> None:
        self.token, self.is_old = token, is_old
        self.holder = holder_of(token) if token else None

    def named(self) -> str:
        """Return its secret; a new browser gets one."""
        if self.token is None:
            self.token, self.is_old = new_token(), True
            self.holder = holder_of(self.token)
        return self.token


class Cookies:
    """Reads and writes cookies."""

    def __init__(self, key: bytes, is_secure: bool) -> None:
        self.key, self.is_secure = key, is_secure
        self.name = HOST_COOKIE if is_secure else COOKIE

    def mark(self, token: str) -> str:
        """Return what only we can write under a secret."""
        digest = hmac.digest(self.key, token.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:MARK_BYTES]).rstrip(b"=").decode()

    def value(self, token: str) -> str:
        """Return the cookie of a secret."""
        return f"{token}.{self.mark(token)}"

    def header(self, token: str) -> str:
        """Return the header that gives a browser its cookie."""
        safe = "; Secure" if self.is_secure else ""
        return f"{self.name}={self.value(token)}; HttpOnly; Max-Age={COOKIE_AGE}; Path=/; SameSite=lax{safe}"

    def token_in(self, value: str) -> str | None:
        """Return the secret of a cookie that we have given."""
        token, _, mark = value.partition(".")
        return token if TOKEN.fullmatch(token) and is_same(mark, self.mark(token)) else None

    def given(self, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[str, str]]:
        """List the cookies of a request that could be ours, with their names, the safest first."""
        lines = [value.decode("latin-1") for name, value in headers if name == b"cookie"]
        pairs = [pair.strip().partition("=") for line in lines for pair in line.split(";")]
        found = [(name, value) for name, _, value in pairs if name in (HOST_COOKIE, COOKIE)]
        return sorted(found[:MOST_COOKIES], key=lambda pair: pair[0] != HOST_COOKIE)


class Visitors:
    """Recognizes browsers."""

    def __init__(self, store: Store, cookies: Cookies) -> None:
        self.store, self.cookies = store, cookies
        self.known: OrderedDict[str, bool] = OrderedDict()

    def recognized(self, given: list[tuple[str, str]]) -> Visitor | None:
        """Return who has one of these cookies, if it is marked as ours."""
        for name, value in given:
            token = self.cookies.token_in(value)
            if token:
                return Visitor(token, is_old=name != self.cookies.name)
        return None

    def unmarked(self, given: list[tuple[str, str]]) -> str | None:
        """Return a secret as we gave them before there were marks."""
        return next((value for _, value in given if TOKEN.fullmatch(value)), None)

    async def is_known(self, token: str) -> bool:
        """Say whether somebody with a secret from before is known; this does not change any more."""
        holder = holder_of(token)
        if holder not in self.known:
            self.known[holder] = await self.look_up(holder)
            if len(self.known) > MOST_KNOWN:
                self.known.popitem(last=False)
        return self.known[holder]

    async def look_up(self, holder: str) -> bool:
        """Look for somebody at a table, as a host, or among those who want to be told."""
        columns = (holders.c.holder, matches.c.host, notices.c.holder)
        query = sa.select(sa.or_(*(sa.exists().where(column == holder) for column in columns)))
        async with self.store.reading() as connection:
            return bool((await connection.execute(query)).scalar())
