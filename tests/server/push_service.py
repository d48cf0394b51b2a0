"""A push service on this machine, and browsers that subscribe to it: what arrives is checked and read as they would."""

from __future__ import annotations

import base64
import json
import os
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from tests.server.site import until


def unpadded(value: bytes) -> str:
    """Write base64url as browsers do."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def padded(text: str) -> bytes:
    """Read base64url."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Arrived:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """Takes what is sent to it, and answers with the status it is told to."""

    def __init__(self) -> None:
        self.arrived: list[Arrived] = []
        self.statuses: dict[str, int] = {}  # by path; else 201
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def handler(self) -> type[BaseHTTPRequestHandler]:
        """Return what answers requests."""
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                service.arrived.append(Arrived(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(service.statuses.get(self.path, 201))
                self.send_header("location", f"{service.url}/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler

    @property
    def url(self) -> str:
        """The address of the service."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def stop(self) -> None:
        """Close the service."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def at(self, path: str) -> list[Arrived]:
        """List what has come for one browser."""
        return [arrived for arrived in self.arrived if arrived.path == path]


@dataclass
class Subscriber:
    """A browser's own half of a subscription, with which alone a notice can be read."""

    service: PushService
    name: str
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def path(self) -> str:
        """The browser's own part of the address."""
        return f"/push/{self.name}"

    @property
    def endpoint(self) -> str:
        """Where the browser is told."""
        return self.service.url + self.path

    @property
    def key(self) -> str:
        """The public key."""
        form = serialization.PublicFormat.UncompressedPoint
        return unpadded(self.private.public_key().public_bytes(serialization.Encoding.X962, form))

    @property
    def wish(self) -> dict[str, str]:
        """What is sent to our server."""
        return {"endpoint": self.endpoint, "key": self.key, "auth": unpadded(self.auth), "language": "en"}

    @property
    def notices(self) -> list[dict[str, Any]]:
        """Everything the browser was told, opened."""
        return [self.opened(arrived) for arrived in self.service.at(self.path)]

    def opened(self, arrived: Arrived) -> dict[str, Any]:
        """Open a notice."""
        plain = http_ece.decrypt(arrived.body, private_key=self.private, auth_secret=self.auth, version="aes128gcm")
        found: dict[str, Any] = json.loads(plain)
        return found

    def wait(self, count: int = 1) -> list[dict[str, Any]]:
        """Wait until the browser was told so many things."""
        until(lambda: len(self.service.at(self.path)) >= count)
        return self.notices


def claims(arrived: Arrived, public: str) -> dict[str, Any]:
    """Check that a request is signed with this key, as push services do, and return what is claimed."""
    scheme, _, rest = arrived.headers["authorization"].partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert parts["k"].rstrip("=") == public
    head, claimed, signed = parts["t"].split(".")
    raw = padded(signed)
    both = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), padded(public))
    key.verify(both, f"{head}.{claimed}".encode(), ec.ECDSA(hashes.SHA256()))
    assert json.loads(padded(head))["alg"] == "ES256"
    found: dict[str, Any] = json.loads(padded(claimed))
    assert time.time() < found["exp"] <= time.time() + 24 * 3600
    return found
