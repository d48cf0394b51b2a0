"""Web push: where it may go, how it is sealed, and how it is sent.

A browser tells us the address of its push service, so anybody can name any address. We go to public ones alone, by
https, connect to the very address that was looked at, follow nothing, and wait for a few seconds only.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import ipaddress
import socket
import ssl
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from smalti.server.problems import Problem

LONGEST_ENDPOINT = 1024
PATIENCE = 10.0  # seconds for one notice, from the name of the push service to its answer
VALID = 12 * 3600  # seconds for which a signature is good
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")  # IPv4 behind a translator
# What belongs to nobody on the internet, whatever the Python at hand knows of it.
SPECIAL = [
    ipaddress.ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"),
        *("203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        *("::/16", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16"),
        *("fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"),
    )
]
GONE = (404, 410)  # what a push service says of a browser that does not listen any more

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Keys(msgspec.Struct, frozen=True):
    """What notices are signed with, raw and base64url: the private key, and the public one that browsers are given."""

    private: str
    public: str


class Place(NamedTuple):
    """Where a push service is."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """For whom a signature is good."""
        usual = self.port == {"https": 443, "http": 80}[self.scheme]
        return f"{self.scheme}://{self.host}" + ("" if usual else f":{self.port}")


# --- Where it may go


def place_of(endpoint: str, anywhere: bool) -> Place:
    """Return where an address leads: by https, on the usual port, unless any place will do."""
    try:
        parts = urlsplit(endpoint)
        port = parts.port or {"http": 80}.get(parts.scheme, 443)
    except ValueError:
        raise Problem("push") from None
    is_plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    is_usual = parts.scheme == "https" and port == 443
    host = parts.hostname or ""
    if not is_plain or len(endpoint) > LONGEST_ENDPOINT or not host or ":" in host or "@" in parts.netloc:
        raise Problem("push")
    if not (is_usual or (anywhere and parts.scheme in ("http", "https"))):
        raise Problem("push")
    return Place(parts.scheme, host, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def is_public(text: str) -> bool:
    """Say whether an address belongs to the internet, and does not lead back into a network by a detour."""
    found: Address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo or (None, None))[1]
        if found in TRANSLATED:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return found.is_global and not any(found in network for network in SPECIAL)


async def addresses(place: Place, anywhere: bool) -> list[str]:
    """Look up a push service; a name with any address that is not public is refused."""
    try:
        async with asyncio.timeout(PATIENCE):
            rows = await asyncio.get_running_loop().getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Problem("push") from None
    found = list(dict.fromkeys(str(row[4][0]) for row in rows))
    if not found or not (anywhere or all(map(is_public, found))):
        raise Problem("push")
    return found


# --- How it is sealed; what does it takes long to import and is needed by few


def new_keys() -> Keys:
    """Make keys from the system's randomness."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    private = ec.generate_private_key(ec.SECP256R1())
    encoding, form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    number = private.private_numbers().private_value.to_bytes(32, "big")
    return Keys(as_base64url(number), as_base64url(private.public_key().public_bytes(encoding, form)))


def check_secrets(key: str, auth: str) -> None:
    """Refuse what nothing can be sealed with."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(key, 65))
        from_base64url(auth, 16)
    except ValueError:
        raise Problem("push") from None


def as_base64url(value: bytes) -> str:
    """Write bytes as base64url without padding, as everybody does here."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def from_base64url(text: str, length: int) -> bytes:
    """Read so many bytes from base64url."""
    try:
        value = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise ValueError("this is not base64url") from error
    if len(value) != length or as_base64url(value) != text:
        raise ValueError("this has another length")
    return value


def sealed(key: str, auth: str, payload: bytes) -> bytes:
    """Seal a notice with a key of its own, so that only the browser itself can read it."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    once = ec.generate_private_key(ec.SECP256R1())
    body = http_ece.encrypt(payload, private_key=once, dh=from_base64url(key, 65), auth_secret=from_base64url(auth, 16))
    return bytes(body)


def signature(keys: Keys, place: Place, contact: str) -> dict[str, str]:
    """Sign that it comes from us, for this push service and some hours."""
    from py_vapid import Vapid02

    claims = {"aud": place.origin, "exp": int(time.time()) + VALID, "sub": contact}
    return dict(Vapid02.from_string(keys.private).sign(claims))


# --- How it is sent


@lru_cache(maxsize=1)
def trusted() -> ssl.SSLContext:
    """Return whom we trust."""
    return ssl.create_default_context()


def request(place: Place, headers: Mapping[str, str], body: bytes) -> bytes:
    """Write a request."""
    host = place.origin.partition("://")[2]
    lines = [f"POST {place.path} HTTP/1.1", f"host: {host}", "connection: close", f"content-length: {len(body)}"]
    lines += [f"{name.lower()}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


async def connected(place: Place, found: list[str]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first address that answers."""
    context = await asyncio.to_thread(trusted) if place.scheme == "https" else None
    name = place.host if context else None
    for address in found[:-1]:
        with contextlib.suppress(OSError):
            return await asyncio.open_connection(address, place.port, ssl=context, server_hostname=name)
    return await asyncio.open_connection(found[-1], place.port, ssl=context, server_hostname=name)


async def post(place: Place, anywhere: bool, headers: Mapping[str, str], body: bytes) -> int:
    """Send something to a push service and return the status of its answer; nothing else of it is read."""
    async with asyncio.timeout(PATIENCE):
        reader, writer = await connected(place, await addresses(place, anywhere))
        with contextlib.closing(writer):
            writer.write(request(place, headers, body))
            await writer.drain()
            words = (await reader.readline()).split()
    if len(words) < 2 or not words[1].isdigit():
        raise OSError("the push service gave no answer")
    return int(words[1])
