"""Who comes: the browser's secret in its cookie, which must be one that we have given.

A cookie is a secret and our mark on it: `TOKEN.MARK`. The mark is for the cookie's name, too: behind https other hosts
of the domain can plant a plain `smalti` in a browser, and what we gave somebody as `__Host-smalti` is worth nothing
there. Marks from before they were for a name are believed under the name that we give, secrets from before there were
marks if somebody with them was known here by then; they get their mark with the next answer.
"""

from __future__ import annotations

import base64
import hmac
import re
from collections import OrderedDict
from collections.abc import Iterable

from smalti.server.keys import COOKIE, COOKIE_AGE, holder_of, is_same, new_token
from smalti.server.store.known_holders import was_known
from smalti.server.store.store import Store

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

    def mark(self, token: str, name: str) -> str:
        """Return what only we can write under a secret, in the cookie of this name."""
        return self.signature(f"{name} {token}")

    def signature(self, text: str) -> str:
        """Return our signature of a text (HMAC)."""
        digest = hmac.digest(self.key, text.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:MARK_BYTES]).rstrip(b"=").decode()

    def value(self, token: str) -> str:
        """Return the cookie of a secret."""
        return f"{token}.{self.mark(token, self.name)}"

    def header(self, token: str) -> str:
        """Return the header that gives a browser its cookie."""
        safe = "; Secure" if self.is_secure else ""
        return f"{self.name}={self.value(token)}; HttpOnly; Max-Age={COOKIE_AGE}; Path=/; SameSite=lax{safe}"

    def token_in(self, name: str, value: str) -> str | None:
        """Return the secret of a cookie that we have given by this name; a plain one is none behind https."""
        token, _, mark = value.partition(".")
        is_safe = name in (HOST_COOKIE, self.name) and TOKEN.fullmatch(token) is not None
        return token if is_safe and self.is_ours(name, token, mark) else None

    def is_ours(self, name: str, token: str, mark: str) -> bool:
        """Say whether a mark is ours, also as we wrote them before they were for a name."""
        return any(is_same(mark, one) for one in (self.mark(token, name), self.signature(token)))

    def is_newest(self, name: str, value: str) -> bool:
        """Say whether a cookie is as we would give it now."""
        return name == self.name and is_same(value, self.value(value.partition(".")[0]))

    def given(self, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[str, str]]:
        """List the cookies of a request that could be ours, with their names, the safest first."""
        lines = [value.decode("latin-1") for name, value in headers if name == b"cookie"]
        pairs = [pair.strip().partition("=") for line in lines for pair in line.split(";")]
        found = [(name, value) for name, _, value in pairs if name in (HOST_COOKIE, COOKIE)]
        return sorted(found[:MOST_COOKIES], key=lambda pair: pair[0] != HOST_COOKIE)


class Visitors:
    """Recognizes browsers."""

    def __init__(self, store: Store, cookies: Cookies, marked_since: float) -> None:
        self.store, self.cookies = store, cookies
        self.marked_since = marked_since  # every secret that was given later has a mark
        self.known: OrderedDict[str, bool] = OrderedDict()

    def recognized(self, given: list[tuple[str, str]]) -> Visitor | None:
        """Return who has one of these cookies, if it is marked as ours."""
        for name, value in given:
            token = self.cookies.token_in(name, value)
            if token:
                return Visitor(token, is_old=not self.cookies.is_newest(name, value))
        return None

    def unmarked(self, given: list[tuple[str, str]]) -> str | None:
        """Return a secret as we gave them before there were marks: by the plain name."""
        return next((value for name, value in given if name == COOKIE and TOKEN.fullmatch(value)), None)

    async def is_known(self, token: str) -> bool:
        """Say whether somebody with a secret from before is known; this does not change any more."""
        holder = holder_of(token)
        if holder not in self.known:
            self.known[holder] = await was_known(self.store, holder, self.marked_since)
            if len(self.known) > MOST_KNOWN:
                self.known.popitem(last=False)
        return self.known[holder]
