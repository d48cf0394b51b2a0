"""Addresses: by what a limit counts them, and which of them are proxies that we trust."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

HOUSEHOLD = 64  # bits of an IPv6 address that its owner cannot choose
MAPPED = 96  # bits before an IPv4 address that is written as an IPv6 one

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def parsed(text: str) -> Address | None:
    """Read an address; IPv4 in the clothes of IPv6 is IPv4."""
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    inner = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return inner or found


@lru_cache(maxsize=4096)
def key_of(text: str) -> str:
    """Return what limits count an address by: IPv4 as it is, IPv6 by its /64; nothing if it is none."""
    found = parsed(text)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, HOUSEHOLD), strict=False))
    return str(found or "")


class Proxies:
    """The proxies whose word about addresses is believed."""

    def __init__(self, given: Iterable[str]) -> None:
        self.networks = [ipaddress.ip_network(one) for one in given]

    def __contains__(self, text: str) -> bool:
        found = parsed(text)
        return found is not None and any(found in network for network in self.networks)

    @property
    def names(self) -> list[str]:
        """The networks as uvicorn reads them; a socket for both kinds of addresses shows IPv4 ones as IPv6."""
        old = [network for network in self.networks if network.version == 4]
        mapped = [f"::ffff:{network.network_address}/{MAPPED + network.prefixlen}" for network in old]
        return [*map(str, self.networks), *mapped]
