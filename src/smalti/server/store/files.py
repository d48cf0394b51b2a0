"""The database file is for its owner alone, and for one process: it holds the secrets of running games."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from smalti.engine.errors import SmaltiError

BESIDE = ("", "-wal", "-shm")  # SQLite gives the others the mode of the first, when it makes them
LOCK = ".lock"  # behind the name of the file that says that a process has it
LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class NotStored(SmaltiError):
    """The database could not take it: a full disk, a lock, a lost connection. Nothing of it is stored."""


def real(database: str | Path) -> Path:
    """Return where a file really lies, whatever links lead to it."""
    return Path(os.path.realpath(database))


def make_private(database: Path) -> None:
    """Make the folder and the file for its owner alone; what cannot be changed is told by whoever opens it."""
    with contextlib.suppress(OSError):
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for more in ("", LOCK):
            os.close(os.open(f"{real(database)}{more}", os.O_CREAT | os.O_RDONLY, 0o600))
    for more in (*BESIDE, LOCK):
        with contextlib.suppress(OSError):
            Path(f"{real(database)}{more}").chmod(0o600)


@contextlib.contextmanager
def exclusive(database: str | None) -> Iterator[None]:
    """Have a SQLite file for this process alone, by a lock beside it that ends with the process, however it ends."""
    with contextlib.ExitStack() as stack:
        try:
            name = f"{real(database)}{LOCK}" if database else ":memory:"
            lock = stack.enter_context(contextlib.closing(sqlite3.connect(name, timeout=0)))
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            raise NotStored(refusal(database, error)) from error
        yield


def refusal(database: str | None, error: sqlite3.Error) -> str:
    """Say why a file cannot be locked: another process has it, or the disk does not let us."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in LOCKED:
        return f"the database {database} is in use by another process; several processes need PostgreSQL and Redis"
    return f"the database {database} cannot be opened: {error}; its folder has to be there, writable and not full"
