"""What can be set from outside, by environment variables."""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
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


def number(name: str, default: int) -> int:
    """Return a whole number from the environment."""
    text = os.environ.get(name, str(default))
    if not text.isdecimal():
        raise BadInput(f"{name} must be a whole number, not {shown(text)}")
    return int(text)


@dataclass(frozen=True)
class Settings:
    """How this process runs."""

    database: str = field(default_factory=default_database)
    redis: str | None = None  # tells the other processes
    host: str = ""  # the name or address that `smalti serve` was told to listen on
    origins: frozenset[str] = frozenset()  # pages from elsewhere that may talk to us, such as https://example.org
    secure_cookie: bool = False  # behind https
    thinkers: int = 1  # processes that think for the bots
    bot_pause: float = 0.7  # seconds a bot takes at least, so that people can follow
    sweep: float = 2.0  # seconds between two looks for clocks that have run out where nobody is
    grace: float = 60.0  # seconds after which somebody who is not connected counts as absent
    messages_a_second: int = 40  # of one browser, on average
    reads_a_second: int = 40  # of one address, on average: answers that have to be worked out
    crowd: int = 50  # browsers that may share an address, such as a class behind one router
    beside_a_minute: int = 60  # things one person may do at a table beside the game: names, links, changed bids
    asks_a_minute: int = 6  # proposals of one person at a table
    tables_an_hour: int = 120  # that one browser may make; an address as many as its crowd
    connections: int = 10_000  # that are open at a time
    connections_an_address: int = 500  # of one address that is no trusted proxy
    request_seconds: float = 20.0  # that a request may take to arrive, headers and body each
    proxies: tuple[str, ...] = ()  # addresses or networks of proxies whose X-Forwarded-For is believed
    wait_seconds: float = 60.0  # for a database and a bus that are not up yet when we start
    database_seconds: float = 5.0  # after which a database that does not answer is given up
    keep_days: int = 0  # after which finished games are deleted; 0: never
    log_level: str = "info"
    log_json: bool = False  # a JSON object a line instead of text
    metrics_token: str | None = None  # that /metrics asks for; none: there are no metrics
    cached_rooms: int = 2000  # in memory, before those that nobody looks at are forgotten
    lobby_hides: float = 30.0  # seconds after which an open table is not shown while nobody of it is there
    lobby_closes: float = 600.0  # seconds after which it is not open any more
    contact: str = "mailto:nobody@example.org"  # told to push services
    notice_pause: float = 3.0  # seconds before somebody is told that it is their turn; they may be about to look
    push_anywhere: bool = False  # notices to private addresses and without https too: for tests


def from_environment() -> Settings:
    """Read the settings."""
    given = os.environ.get("SMALTI_DATABASE")
    return Settings(
        database=database_url(given) if given else default_database(),
        redis=redis_url(os.environ["SMALTI_REDIS"]) if os.environ.get("SMALTI_REDIS") else None,
        origins=frozenset(os.environ.get("SMALTI_ORIGINS", "").split()),
        secure_cookie=os.environ.get("SMALTI_SECURE_COOKIE", "") not in ("", "0"),
        thinkers=number("SMALTI_THINKERS", 1),
        messages_a_second=number("SMALTI_MESSAGES_A_SECOND", Settings.messages_a_second),
        reads_a_second=number("SMALTI_READS_A_SECOND", Settings.reads_a_second),
        crowd=number("SMALTI_CROWD", Settings.crowd),
        beside_a_minute=number("SMALTI_BESIDE_A_MINUTE", Settings.beside_a_minute),
        asks_a_minute=number("SMALTI_ASKS_A_MINUTE", Settings.asks_a_minute),
        tables_an_hour=number("SMALTI_TABLES_AN_HOUR", Settings.tables_an_hour),
        connections=number("SMALTI_CONNECTIONS", Settings.connections),
        connections_an_address=number("SMALTI_CONNECTIONS_AN_ADDRESS", Settings.connections_an_address),
        request_seconds=number("SMALTI_REQUEST_SECONDS", round(Settings.request_seconds)),
        proxies=proxies(os.environ.get("SMALTI_PROXIES", "")),
        wait_seconds=number("SMALTI_WAIT_SECONDS", round(Settings.wait_seconds)),
        database_seconds=number("SMALTI_DATABASE_SECONDS", round(Settings.database_seconds)),
        keep_days=number("SMALTI_KEEP_DAYS", Settings.keep_days),
        log_level=log_level(os.environ.get("SMALTI_LOG_LEVEL") or Settings.log_level),
        log_json=os.environ.get("SMALTI_LOG_JSON", "") not in ("", "0"),
        metrics_token=os.environ.get("SMALTI_METRICS_TOKEN") or None,
        cached_rooms=number("SMALTI_CACHED_ROOMS", Settings.cached_rooms),
        lobby_hides=number("SMALTI_LOBBY_HIDES", round(Settings.lobby_hides)),
        lobby_closes=number("SMALTI_LOBBY_CLOSES", round(Settings.lobby_closes)),
        grace=number("SMALTI_GRACE_SECONDS", round(Settings.grace)),
        bot_pause=number("SMALTI_BOT_PAUSE_MS", round(1000 * Settings.bot_pause)) / 1000,
        sweep=number("SMALTI_SWEEP_MS", round(1000 * Settings.sweep)) / 1000,
        contact=contact(os.environ.get("SMALTI_CONTACT") or Settings.contact),
        notice_pause=number("SMALTI_NOTICE_PAUSE_MS", round(1000 * Settings.notice_pause)) / 1000,
        push_anywhere=os.environ.get("SMALTI_PUSH_ANYWHERE", "") not in ("", "0"),
    )
