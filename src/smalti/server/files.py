"""The database file is for its owner alone: it holds the secrets of running games and the keys of the site."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

BESIDE = ("", "-wal", "-shm")  # SQLite gives the others the mode of the first, when it makes them


def make_private(database: Path) -> None:
    """Make the folder and the file for its owner alone; what cannot be changed is told by whoever opens it."""
    with contextlib.suppress(OSError):
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(database, os.O_CREAT | os.O_RDONLY, 0o600))
    for more in BESIDE:
        with contextlib.suppress(OSError):
            Path(f"{database}{more}").chmod(0o600)
