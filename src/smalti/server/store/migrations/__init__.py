"""The history of the database's schema, and how a database is brought up to date."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from smalti.engine.errors import SmaltiError

NEWER = "this database is of a newer version of Smalti than this program; install that version, or restore a backup"


class Newer(SmaltiError):
    """A database whose schema this program does not know."""


def config() -> Config:
    """Return where the history stands."""
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).parent))
    return found


def check_known(connection: Connection) -> None:
    """Refuse a database with a schema that is not in our history."""
    known = {step.revision for step in ScriptDirectory.from_config(config()).walk_revisions()}
    if not known.issuperset(MigrationContext.configure(connection).get_current_heads()):
        raise Newer(NEWER)


def upgrade(connection: Connection) -> None:
    """Bring a database up to date."""
    check_known(connection)
    found = config()
    found.attributes["connection"] = connection
    command.upgrade(found, "head")
