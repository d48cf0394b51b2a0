"""Refusals as HTTP answers: small, in JSON, with the time to wait."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus

import msgspec

from smalti.server.problems import Problem
from smalti.server.wire.http import problem_body

Headers = Iterable[tuple[bytes, bytes]]


def wait_of(problem: Problem) -> dict[str, str]:
    """Return the header that says when to try again, if that is known."""
    seconds = problem.values.get("seconds")
    return {"retry-after": str(seconds)} if problem.status in (429, 503) and seconds is not None else {}


def headers_of(problem: Problem, text: bytes) -> list[tuple[bytes, bytes]]:
    """Return the headers of a refusal."""
    found = {"content-type": "application/json", "content-length": str(len(text)), "cache-control": "no-store"}
    return [(name.encode(), value.encode()) for name, value in (found | wait_of(problem)).items()]


def text_of(problem: Problem) -> bytes:
    """Return what a refusal says."""
    return msgspec.json.encode(problem_body(problem))


def whole(problem: Problem, more: Headers = ()) -> bytes:
    """Write a refusal as all the bytes of an answer, after which the connection is closed."""
    text, phrase = text_of(problem), HTTPStatus(problem.status).phrase
    lines = [f"HTTP/1.1 {problem.status} {phrase}".encode()]
    lines += [name + b": " + value for name, value in (*more, *headers_of(problem, text), (b"connection", b"close"))]
    return b"\r\n".join([*lines, b"", text])
