"""By which names this server goes: a browser that was led here by somebody else's name is turned away.

A site may let its own name point at an address of ours ("rebinding"); its pages would then count as ours.
"""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

from smalti.server.doors.line.addresses import parsed
from smalti.server.settings import Settings

HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)\.?(:[0-9]{1,5})?", re.IGNORECASE)
PROBES = ("/healthz", "/readyz", "/metrics")  # asked by machines that know an address alone


def name_in(host: str) -> str:
    """Return the name in the header `Host`, without its port; nothing if there is none."""
    found = HOST.fullmatch(host)
    return found[1].strip("[]").lower() if found else ""


def is_loopback(name: str) -> bool:
    """Say whether a name leads nowhere but to this machine itself."""
    address = parsed(name)
    return address.is_loopback if address else name == "localhost" or name.endswith(".localhost")


def names_of_machine() -> set[str]:
    """Return what this machine is called in its network."""
    name = socket.gethostname().lower()
    first = name.partition(".")[0]
    return {name, first, f"{first}.local"} - {"", ".local"}


class Names:
    """The names of this server: those of its origins, or, if none are set, whatever is no stranger's."""

    def __init__(self, settings: Settings) -> None:
        self.named = {urlsplit(origin).hostname or "" for origin in settings.origins}
        self.usual = names_of_machine() | {settings.host.lower()}

    def has(self, host: str, path: str) -> bool:
        """Say whether a request to this host is meant for us; programs that name none are no browsers."""
        name = name_in(host)
        if not host or name in self.named:
            return True
        if is_loopback(name) or parsed(name) is not None:
            return not self.named or path in PROBES
        return bool(name) and not self.named and name in self.usual
