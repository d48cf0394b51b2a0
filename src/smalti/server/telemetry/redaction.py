"""Secrets that must not get into a log, known by their shape: whatever is written there passes through here."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any

HIDDEN = "…"
SECRET_FIELDS = frozenset(
    {"auth", "authorization", "cookie", "endpoint", "key", "nonce", "password", "secret", "token"}
)

SHAPES = [
    (re.compile(pattern), rf"\g<1>{HIDDEN}")
    for pattern in (
        r"(://[^\s:/@]*:)[^\s/@]+(?=@)",  # the password in the address of a database
        r"(\[parameters: ).*(?=\])",  # what a statement of SQL was given
        r"(https?://(?!sqlalche\.me/)[^\s/\"'<>]+/)[^\s\"'<>)]+",  # a push service knows browsers by the path
        r"(/(?:join|watch)/[^\s/\"']+/)[^\s/\"'?]+",
        r"(?i)([?&](?:watch|key|token)=)[^\s&\"'#]+",
        r"(?i)(\bBearer )[^\s\"',]+",
        r"(?i)(\bcookie['\"]?\s*[:,=]\s*b?['\"]?)[^\r\n'\"]+",
        r"(\bsmalti=)[^\s;,\"']+",
        r"()(?<![0-9A-Za-z])[0-9A-Fa-f]{64}(?![0-9A-Za-z])",  # nonces, secrets, what browsers are known by
        r"()(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{43}(?![\w-])",  # 256 bits: the secret of a browser
    )
]


def redacted(text: str) -> str:
    """Return a text without the secrets in it."""
    for shape, instead in SHAPES:
        text = shape.sub(instead, text)
    return text


def redact(logger: object, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Take the secrets from all fields of something that is to be logged."""
    for name, value in event.items():
        if name in SECRET_FIELDS:
            event[name] = HIDDEN
        elif not isinstance(value, int | float | None):
            event[name] = redacted(str(value))
    return event
