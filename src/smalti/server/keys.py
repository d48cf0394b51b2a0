"""Secrets that people hold: the cookie of a browser, the keys in links."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

COOKIE = "smalti"
COOKIE_AGE = 400 * 24 * 3600  # browsers keep none longer


def new_token() -> str:
    """Return a new secret for a browser, 256 bits."""
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """Return a new name for a table, short enough for a link and not to be guessed."""
    return plain_id(secrets.token_urlsafe(9))


def plain_id(text: str) -> str:
    """Return base64url as letters and digits alone, which every program takes for one word."""
    return text.replace("-", "x").replace("_", "y")


def new_secret() -> bytes:
    """Return 256 bits from the system."""
    return secrets.token_bytes(32)


def holder_of(token: str) -> str:
    """Return what we keep of a browser's secret: its hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def link_key(secret: bytes, label: str) -> str:
    """Return the key of a link, derived from the table's secret for links; nothing has to be kept."""
    digest = hmac.digest(secret, label.encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:15]).decode()


def player_mark(secret: bytes, holder: str) -> str:
    """Return by what a table knows that a browser played elsewhere; it means nothing at any other table."""
    return link_key(secret, f"played {holder}")


def is_same(given: str, expected: str) -> bool:
    """Compare keys in a time that tells nothing."""
    return hmac.compare_digest(given.encode(), expected.encode())
