"""What can be set from outside, by environment variables."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from smalti.engine.errors import BadInput, shown


def default_database() -> str:
    """Return the address of the database in the user's data folder."""
    folder = Path(os.environ.get("SMALTI_DATA_DIR") or platformdirs.user_data_dir("smalti", appauthor=False))
    return f"sqlite+aiosqlite:///{(folder / 'smalti.sqlite').as_posix()}"


def database_url(given: str) -> str:
    """Return the address with the driver we use; plain `postgresql://` and `sqlite:///` are welcome."""
    for plain, ours in (("postgresql://", "postgresql+asyncpg://"), ("sqlite://", "sqlite+aiosqlite://")):
        if given.startswith(plain):
            return ours + given.removeprefix(plain)
    if not given.startswith(("postgresql+asyncpg://", "sqlite+aiosqlite://")):
        raise BadInput(f"a database is given as sqlite:///FILE or postgresql://…, not as {shown(given)}")
    return given


def contact(given: str) -> str:
    """Return how push services reach whoever runs this: `mailto:…` or `https://…`."""
    if not re.fullmatch(r"(mailto:[^@\s]+@[^@\s]+\.[^@\s]+|https://[^\s/]+\S*)", given):
        raise BadInput(f"SMALTI_CONTACT is given as mailto:NAME@HOST or https://…, not as {shown(given)}")
    return given


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
    origins: frozenset[str] = frozenset()  # pages from elsewhere that may talk to us, such as https://example.org
    secure_cookie: bool = False  # behind https
    thinkers: int = 1  # processes that think for the bots
    bot_pause: float = 0.7  # seconds a bot takes at least, so that people can follow
    sweep: float = 2.0  # seconds between two looks for clocks that have run out where nobody is
    grace: float = 60.0  # seconds after which somebody who is not connected counts as absent
    messages_a_second: int = 40  # of one connection, on average
    tables_an_hour: int = 120  # that one address may make
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
        redis=os.environ.get("SMALTI_REDIS") or None,
        origins=frozenset(os.environ.get("SMALTI_ORIGINS", "").split()),
        secure_cookie=os.environ.get("SMALTI_SECURE_COOKIE", "") not in ("", "0"),
        thinkers=number("SMALTI_THINKERS", 1),
        messages_a_second=number("SMALTI_MESSAGES_A_SECOND", Settings.messages_a_second),
        tables_an_hour=number("SMALTI_TABLES_AN_HOUR", Settings.tables_an_hour),
        lobby_hides=number("SMALTI_LOBBY_HIDES", round(Settings.lobby_hides)),
        lobby_closes=number("SMALTI_LOBBY_CLOSES", round(Settings.lobby_closes)),
        grace=number("SMALTI_GRACE_SECONDS", round(Settings.grace)),
        bot_pause=number("SMALTI_BOT_PAUSE_MS", round(1000 * Settings.bot_pause)) / 1000,
        sweep=number("SMALTI_SWEEP_MS", round(1000 * Settings.sweep)) / 1000,
        contact=contact(os.environ.get("SMALTI_CONTACT") or Settings.contact),
        notice_pause=number("SMALTI_NOTICE_PAUSE_MS", round(1000 * Settings.notice_pause)) / 1000,
        push_anywhere=os.environ.get("SMALTI_PUSH_ANYWHERE", "") not in ("", "0"),
    )
