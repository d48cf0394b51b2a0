"""Files that are written when long work is done: what cannot be written is refused before it begins."""

from __future__ import annotations

from pathlib import Path

from smalti.engine.errors import BadInput, shown


def check_writable(path: Path, what: str) -> None:
    """Refuse a file that could not be written, by writing beside it."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise BadInput(f"there is no folder {shown(str(folder))} for the {what}")
    if path.is_dir():
        raise BadInput(f"{shown(str(path))} is a folder; the {what} must be a file")
    trial = path.with_name(f"{path.name}.part")
    try:
        trial.open("ab").close()
        trial.unlink()
    except OSError as error:
        raise BadInput(f"cannot write {shown(str(path))}: {error.strerror}") from None
