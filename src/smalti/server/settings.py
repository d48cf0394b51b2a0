"""What can be set from outside, by environment variables."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import platformdirs

from smalti.engine.errors import BadInput, shown

LOG_LEVELS = ("debug", "info", "warning", "error")


def default_database() -> str:
    """Return the address of the database in the user's data folder."""
    folder = Path(os.environ.get("SMALTI_DATA_DIR") or platformdirs.user_data_dir("smalti", appauthor=False))
    return f"sqlite+aiosqlite:///{(folder / 'smalti.sqlite').as_posix()}"


def database_url(given: str) -> str:
    """Return the address with the driver we use; plain `postgresql://` and `sqlite:///` are welcome."""
    for plain, ours in (("postgresql://", "postgresql+asyncpg://"), ("sqlite://", "sqlite+aiosqlite://")):
        if given.startswith(plain):
            given = ours + given.removeprefix(plain)
    if not given.startswith(("postgresql+asyncpg://", "sqlite+aiosqlite://")):
        raise BadInput(f"a database is given as sqlite:///FILE or postgresql://…, not as {without_password(given)}")
    return checked_address(given, "a database", "postgresql://USER@HOST:PORT/NAME")


def redis_url(given: str) -> str:
    """Return the address of Redis."""
    wanted = "redis://HOST:PORT"
    if not re.match(r"(rediss?://[^/]|unix://.)", given):
        raise BadInput(f"SMALTI_REDIS is given as {wanted}, not as {without_password(given)}")
    return checked_address(given, "SMALTI_REDIS", wanted)


def checked_address(given: str, name: str, wanted: str) -> str:
    """Return an address whose port is a number."""
    try:
        _ = urlsplit(given).port
    except ValueError:
        raise BadInput(f"{name} is given as {wanted}, not as {without_password(given)}") from None
    return given


def without_password(address: str) -> str:
    """Return an address quoted, for everybody to read."""
    return shown(re.sub(r"//.*@", "//…@", address))


def contact(given: str) -> str:
    """Return how push services reach whoever runs this: `mailto:…` or `https://…`."""
    if not re.fullmatch(r"(mailto:[^@\s]+@[^@\s]+\.[^@\s]+|https://[^\s/]+\S*)", given):
        raise BadInput(f"SMALTI_CONTACT is given as mailto:NAME@HOST or https://…, not as {shown(given)}")
    return given


def proxies(given: str) -> tuple[str, ...]:
    """Return the addresses and networks of the proxies that are trusted, separated by blanks."""
    found = tuple(given.split())
    for one in found:
        try:
            ipaddress.ip_network(one)
        except ValueError:
            raise BadInput(f"SMALTI_PROXIES has addresses such as 127.0.0.1 or 10.0.0.0/8, not {shown(one)}") from None
    return found


def log_level(given: str) -> str:
    """Return how much is written into the log."""
    if given.lower() not in LOG_LEVELS:
        raise BadInput(f"SMALTI_LOG_LEVEL is one of {', '.join(LOG_LEVELS)}, not {shown(given)}")
    return given.lower()


# --- Reading a variable: from its name and its text to the value; None where that leaves the default

Read = Callable[[str, str], Any]


def number(name: str, text: str) -> int:
    """Read a whole number."""
    if not text.isdecimal():
        raise BadInput(f"{name} must be a whole number, not {shown(text)}")
    return int(text)


def milliseconds(name: str, text: str) -> float:
    """Read a whole number of milliseconds, as seconds."""
    return number(name, text) / 1000


def flag(name: str, text: str) -> bool:
    """Read whether something is on."""
    return text not in ("", "0")


def unless_empty(read: Callable[[str], Any]) -> Read:
    """Read a text; an empty one is as good as none."""
    return lambda name, text: read(text) if text else None


def setting(name: str, default: Any, read: Read) -> Any:
    """Return a field of `Settings` that the variable of this name sets."""
    return field(default=default, metadata={"name": name, "read": read})


@dataclass(frozen=True)
class Settings:
    """How this process runs."""

    database: str = field(
        default_factory=default_database, metadata={"name": "SMALTI_DATABASE", "read": unless_empty(database_url)}
    )
    # Tells the other processes.
    redis: str | None = setting("SMALTI_REDIS", None, unless_empty(redis_url))
    # The name or address that `smalti serve` was told to listen on.
    host: str = ""
    # Pages from elsewhere that may talk to us, such as https://example.org, separated by blanks.
    origins: frozenset[str] = setting("SMALTI_ORIGINS", frozenset(), lambda name, text: frozenset(text.split()))
    # Behind https.
    secure_cookie: bool = setting("SMALTI_SECURE_COOKIE", False, flag)
    # Addresses or networks of proxies whose X-Forwarded-For is believed.
    proxies: tuple[str, ...] = setting("SMALTI_PROXIES", (), lambda name, text: proxies(text))

    # Processes that think for the bots, and seconds a bot takes at least, so that people can follow.
    thinkers: int = setting("SMALTI_THINKERS", 1, number)
    bot_pause: float = setting("SMALTI_BOT_PAUSE_MS", 0.7, milliseconds)
    # Seconds between two looks for clocks that have run out where nobody is.
    sweep: float = setting("SMALTI_SWEEP_MS", 2.0, milliseconds)
    # Seconds after which somebody who is not connected counts as absent.
    grace: float = setting("SMALTI_GRACE_SECONDS", 60.0, number)

    # Messages of one browser, on average.
    messages_a_second: int = setting("SMALTI_MESSAGES_A_SECOND", 40, number)
    # Answers that have to be worked out for one address, on average.
    reads_a_second: int = setting("SMALTI_READS_A_SECOND", 40, number)
    # Browsers that may share an address, such as a class behind one router.
    crowd: int = setting("SMALTI_CROWD", 50, number)
    # Things one person may do at a table beside the game: names, links, changed bids; proposals among them.
    beside_a_minute: int = setting("SMALTI_BESIDE_A_MINUTE", 60, number)
    asks_a_minute: int = setting("SMALTI_ASKS_A_MINUTE", 6, number)
    # Tables that one browser may make; an address as many as its crowd.
    tables_an_hour: int = setting("SMALTI_TABLES_AN_HOUR", 120, number)
    # Connections that are open at a time, in all and of one address that is no trusted proxy.
    connections: int = setting("SMALTI_CONNECTIONS", 10_000, number)
    connections_an_address: int = setting("SMALTI_CONNECTIONS_AN_ADDRESS", 500, number)
    # Seconds that a request may take to arrive, headers and body each.
    request_seconds: float = setting("SMALTI_REQUEST_SECONDS", 20.0, number)

    # Seconds for a database and a bus that are not up yet when we start, and after which a silent one is given up.
    wait_seconds: float = setting("SMALTI_WAIT_SECONDS", 60.0, number)
    database_seconds: float = setting("SMALTI_DATABASE_SECONDS", 5.0, number)
    # Days after which finished games are deleted; 0: never.
    keep_days: int = setting("SMALTI_KEEP_DAYS", 0, number)
    # Rooms in memory, before those that nobody looks at are forgotten.
    cached_rooms: int = setting("SMALTI_CACHED_ROOMS", 2000, number)

    # How much is logged; in JSON, one object a line, instead of text.
    log_level: str = setting("SMALTI_LOG_LEVEL", "info", unless_empty(log_level))
    log_json: bool = setting("SMALTI_LOG_JSON", False, flag)
    # What /metrics asks for; none: there are no metrics.
    metrics_token: str | None = setting("SMALTI_METRICS_TOKEN", None, unless_empty(str))

    # Seconds after which an open table is not shown while nobody of it is there, and after which it is not open.
    lobby_hides: float = setting("SMALTI_LOBBY_HIDES", 30.0, number)
    lobby_closes: float = setting("SMALTI_LOBBY_CLOSES", 600.0, number)

    # Told to push services.
    contact: str = setting("SMALTI_CONTACT", "mailto:nobody@example.org", unless_empty(contact))
    # Seconds before somebody is told that it is their turn; they may be about to look.
    notice_pause: float = setting("SMALTI_NOTICE_PAUSE_MS", 3.0, milliseconds)
    # Notices to private addresses and without https too: for tests.
    push_anywhere: bool = setting("SMALTI_PUSH_ANYWHERE", False, flag)


def from_environment() -> Settings:
    """Read the settings; what is not set keeps its default."""
    found: dict[str, Any] = {}
    for each in fields(Settings):
        name = each.metadata.get("name", "")
        if name in os.environ:
            value = each.metadata["read"](name, os.environ[name])
            found |= {} if value is None else {each.name: value}
    return Settings(**found)
