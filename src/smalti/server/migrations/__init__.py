"""The history of the database's schema, and how a database is brought up to date."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def config() -> Config:
    """Return where the history stands."""
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).parent))
    return found


def upgrade(connection: Connection) -> None:
    """Bring a database up to date."""
    found = config()
    found.attributes["connection"] = connection
    command.upgrade(found, "head")
