"""Malformed messages, frames and requests: valid ones with something wrong in them, and such as never were valid."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.server.site import Message

DEEP = 2000  # brackets
LONGEST = 12_000  # characters of a message: below what is too large
ODD: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        0.5,
        -0.0,
        1e308,
        10**18,
        -(10**18),
        2**63,
        2**64,
        10**40,
        "",
        " ",
        "x",
        "0",
        "null",
    ),
    *("\u0000", "\u202e", "\ufeff", "\ud83c\udfb2", "\u0301" * 20, "'; DROP TABLE events; --", "<script>", "../../etc"),
    *("bid 3", "bid 99999999999", "give K", "place 1 3,5", "%00", "{}", [], {}, [[]], {"": 0}, [None] * 50, "é" * 500),
]
TAGS = ["look", "do", "why", "say", "eyes", "ask", "answer", "want", "ping", "LOOK", "", "state", "refused", "table"]
PATHS = [
    *("/api/tables", "/api/tables/{table}", "/api/tables/{table}/seats", "/api/tables/{table}/name", "/api/quick"),
    *("/api/tables/{table}/seats/0/link", "/api/tables/{table}/again", "/api/tables/{table}/nonces", "/api/import"),
    *("/api/tables/{table}/replay", "/api/tables/{table}/at/3", "/api/tables/{table}/record", "/api/tables/over"),
    *("/api/tables/{table}/fairness", "/api/tables/{table}/bots", "/api/lobby", "/api/games", "/api/notices"),
    *("/api/deals?game=mosaix&seats=2&code=x", "/api/tables/{table}/live", "/api/tables/mine", "/api/tables/open"),
    *("/g/{table}", "/g/{table}/3.png", "/", "/game/{table}", "/api/nothing", "/api/tables/over?before=1"),
]
METHODS = [*("GET", "POST", "PATCH", "DELETE"), *("HEAD", "PUT", "OPTIONS", "TRACE", "BREW", "get")]


# --- Messages


def valid(luck: random.Random, state: Message) -> Message:
    """Return a message that a page could send; nothing that ends the game or gives the seat away."""
    seat, n, id = state["seat"], state["n"], f"{luck.getrandbits(64):x}"
    legal = luck.choice(state["legal"] or ["bid 1"])
    return luck.choice(
        [
            {"t": "look", "seat": seat, "since": luck.randint(0, n), "heard": 0},
            {"t": "do", "id": id, "n": n, "seat": seat, "do": legal, "nonce": "0" * 64},
            {"t": "why", "id": id, "seat": seat, "do": legal, "after": [legal]},
            {"t": "say", "id": id, "seat": seat, "text": "hello", "phrase": None, "name": None},
            {"t": "eyes", "open": True},
            {"t": "ask", "id": id, "seat": seat, "what": "pause", "values": {"seat": 1, "bot": "level-1"}},
            {"t": "answer", "id": id, "seat": seat, "n": n, "yes": False},
            {"t": "want", "id": id, "seat": seat, "what": "back", "n": n, "bot": None},
        ]
    )


def anything(luck: random.Random, depth: int = 0) -> Any:
    """Return any JSON."""
    kind = luck.random()
    if depth > 4 or kind < 0.6:
        return luck.choice(ODD)
    if kind < 0.8:
        return [anything(luck, depth + 1) for _ in range(luck.randint(0, 4))]
    return {str(luck.choice(ODD)): anything(luck, depth + 1) for _ in range(luck.randint(0, 4))}


def with_odd_field(luck: random.Random, message: Message) -> Message:
    """Change a field to something odd, leave one out, or add one."""
    changed, field = dict(message), luck.choice(list(message))
    way = luck.random()
    if way < 0.6:
        changed[field] = anything(luck) if field != "t" else luck.choice(TAGS)
    elif way < 0.8:
        del changed[field]
    else:
        changed[str(luck.choice(ODD))] = anything(luck)
    return changed


def with_wrong_letters(luck: random.Random, text: str) -> bytes:
    """Cut a text, or change some of its bytes."""
    found = bytearray(text.encode())
    for _ in range(luck.randint(1, 4)):
        found[luck.randrange(len(found))] = luck.randrange(256)
    return bytes(found[: luck.randint(1, len(found))]) if luck.random() < 0.3 else bytes(found)


def mutated(luck: random.Random, message: Message) -> str | bytes:
    """Return a message with something wrong in it."""
    way = luck.random()
    if way < 0.6:
        return json.dumps(with_odd_field(luck, message))
    if way < 0.75:
        return as_text(with_wrong_letters(luck, json.dumps(message)))
    return luck.choice(SHAPES)(luck, message)


def as_text(found: bytes) -> str | bytes:
    """Return bytes as text where they are text; else they go as a binary message."""
    try:
        return found.decode()
    except UnicodeDecodeError:
        return found


SHAPES: list[Callable[[random.Random, Message], str | bytes]] = [
    lambda luck, message: json.dumps(anything(luck)),
    lambda luck, message: json.dumps([message] * luck.randint(1, 5)),
    lambda luck, message: "[" * DEEP + "]" * luck.choice([0, DEEP]),
    lambda luck, message: '{"t":' * DEEP + "1" + "}" * DEEP,
    lambda luck, message: json.dumps({**message, luck.choice(list(message)): "x" * luck.randint(1, LONGEST)}),
    lambda luck, message: json.dumps(message)[:-1] + ',"t":"ping"}',  # a key twice
    lambda luck, message: json.dumps(message).replace("0", "0" * 300).replace("1", "9" * 300),
    lambda luck, message: json.dumps(message).encode("utf-16"),
    lambda luck, message: luck.randbytes(luck.randint(0, 300)),
    lambda luck, message: "",
]


def message(luck: random.Random, state: Message) -> str | bytes:
    """Return a malformed message, for a page that has been told this state; too long ones would close it."""
    found = mutated(luck, valid(luck, state))
    return found if len(found) <= LONGEST else found[:LONGEST]


def frame(luck: random.Random) -> bytes:
    """Return bytes that are no frame, or a wrong one."""
    mask = os.urandom(4)
    return luck.choice(
        [
            luck.randbytes(luck.randint(2, 60)),
            b"\x81\x05hello",  # not masked
            b"\x83\x80" + mask,  # an unknown kind
            b"\xf1\x80" + mask,  # reserved bits
            b"\x80\x80" + mask,  # goes on from nothing
            b"\x09\x80" + mask,  # a ping in pieces
            b"\x89\xfe\x00\x7e" + mask + bytes(126),  # a ping that is too long
            b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff" + mask,  # longer than there is memory
            b"\x81\xfe\xff\xff" + mask + b"half",  # cut off
            b"\x88\x82" + bytes(4) + b"\x00\x01",  # a close that says nothing allowed
            b"\x81\x82" + bytes(4) + b"\xc3\x28",  # broken UTF-8
        ]
    )


# --- Requests


class Request(NamedTuple):
    """The bytes of a request, and whether an answer is to be waited for."""

    text: bytes
    is_whole: bool


def body(luck: random.Random) -> bytes:
    """Return the body of a request, with something wrong in it."""
    wanted: list[Message] = [
        {"game": "mosaix", "seats": [{"kind": "here", "name": "Ann"}], "options": {}, "terms": {}, "listed": True},
        {"name": "Ann", "key": "x"},
        {"game": "mosaix", "seats": 2, "name": "Ann", "options": {}},
        {"commitment": "0" * 64, "nonces": {"0": "0" * 64}},
        {"bot": "level-1", "seats": [0]},
        {"format": "smalti-record/1", "game": "patterns", "players": ["Ann", "Bob"], "events": []},
        {"endpoint": "https://example.org/x", "key": "x", "auth": "x", "language": "en"},
        {"onlookers": "all", "listed": True},
    ]
    found = mutated(luck, {"t": 0, **luck.choice(wanted)})
    return found.encode() if isinstance(found, str) else found


def headers(luck: random.Random, port: int, cookie: str, length: int) -> list[str]:
    """Return headers, some of them odd."""
    found = [f"host: 127.0.0.1:{port}", f"content-length: {length}", "connection: close"]
    found.append(luck.choice(["content-type: application/json"] * 5 + ["content-type: text/plain", "x: y"]))
    found.append(luck.choice([f"cookie: {cookie}"] * 3 + ["cookie: smalti=" + "x" * 200, "cookie: ;;;==", "cookie: "]))
    odd = ["origin: http://[", "origin: null", "if-none-match: *", "accept-language: " + "x," * 200, "range: bytes=9-1"]
    odd += ["x-forwarded-for: 1.2.3.4, x", "sec-fetch-site: cross-site", "expect: 100-continue", "upgrade: websocket"]
    return [*found, *luck.sample(odd, luck.randint(0, 2))]


def path(luck: random.Random, table: str) -> str:
    """Return the path of a request, right or wrong."""
    found = luck.choice(PATHS)
    name = table if luck.random() < 0.7 else luck.choice(["x", "%00", "%ff", "..", "a" * 300, "%F0%9F%8E%B2"])
    found = found.replace("{table}", name)
    return found + luck.choice(
        [""] * 6 + ["?x=%zz", "?before=nan", "?game=%00", "/999999999999999999999", "?" + "a=1&" * 99]
    )


def request(luck: random.Random, table: str, cookie: str, port: int) -> Request:
    """Return a malformed request; some of them are cut off."""
    method, content = luck.choice(METHODS[:4] * 3 + METHODS[4:]), body(luck)
    lines = [f"{method} {path(luck, table)} HTTP/1.1", *headers(luck, port, cookie, len(content)), "", ""]
    text = "\r\n".join(lines).encode("latin-1") + content
    way = luck.random()
    if way < 0.05:
        return Request(text[: luck.randint(1, len(text))], False)
    if way < 0.1:
        return Request(luck.randbytes(200) + b"\r\n\r\n", False)
    return Request(text, True)
