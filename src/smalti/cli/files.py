"""Files that users name: records and drawings to read, in bounded memory, and files to write when long work is done."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from smalti.engine.errors import BadInput, BadRecord, SmaltiError, shown
from smalti.engine.records import MOST_BYTES, Record, parse

STANDARD_INPUT = "-"
MOST_TEXT = 2**16  # of a drawing
PATIENCE = 100  # lines in a row that are no records, before giving up


class Found(NamedTuple):
    """A record of a file, or what is wrong with it."""

    number: int
    record: Record | None
    error: SmaltiError | None


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input for `-`."""
    if name == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    path = Path(name)
    if path.is_dir():
        raise BadInput(f"{shown(name)} is a folder; expected a file or - for standard input")
    try:
        file = path.open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a file name"
        raise BadInput(f"cannot read {shown(name)}: {reason}") from None
    with file:
        yield file


def text_of(name: str) -> str:
    """Return the text of a small file, such as a drawing."""
    with opened(name) as file:
        data = file.read(MOST_TEXT + 1)
    if len(data) > MOST_TEXT:
        raise BadInput(f"{shown(name)} is too large for a drawing: more than {MOST_TEXT} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{shown(name)} is not a text in UTF-8") from None


def records_in(name: str) -> Iterator[Found]:
    """Read a file that is one record, or has one on each line; never more than one of them in memory."""
    with opened(name) as file:
        first = next_line(file)
        if not first:
            yield Found(1, None, BadRecord("the file is empty; expected a record"))
        elif is_json(first):
            yield from records_on_lines(file, first)
        else:
            yield from one_record(file, first)


def next_line(file: BinaryIO) -> bytes:
    """Return the next line that is not blank, or as much of it as a record may have and a byte more.

    Nothing at the end of the file, and where only blanks come for longer than a record.
    """
    blank = 0
    while blank <= MOST_BYTES:
        line = file.readline(MOST_BYTES + 1)
        if not line or line.strip() or len(line) > MOST_BYTES:
            return line
        blank += len(line)
    return b""


def is_json(line: bytes) -> bool:
    """Say whether a line is a whole JSON document."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return len(line) <= MOST_BYTES


def one_record(file: BinaryIO, first: bytes) -> Iterator[Found]:
    """Read the file as one document; if that fails but later lines are records, as records on lines."""
    whole = first + file.read(MOST_BYTES + 1 - len(first)) if len(first) <= MOST_BYTES else first
    if len(whole) > MOST_BYTES:
        yield Found(1, None, too_long())
        return
    lines = [line for line in whole.split(b"\n") if line.strip()]
    if not is_json(whole) and any(b'"format"' in line and is_json(line) for line in lines[1:]):
        yield from (read(number, line) for number, line in enumerate(lines, 1))
    else:
        yield read(1, whole)


def records_on_lines(file: BinaryIO, line: bytes) -> Iterator[Found]:
    """Read one record a line, skipping blank ones; give up when nothing is a record any more."""
    number, failures = 0, 0
    while line and failures < PATIENCE:
        number += 1
        found = Found(number, None, too_long()) if len(line) > MOST_BYTES else read(number, line)
        failures = failures + 1 if found.error else 0
        yield found
        while len(line) > MOST_BYTES and not line.endswith(b"\n"):
            line = file.readline(MOST_BYTES + 1)
        line = next_line(file)
    if line:
        yield Found(number + 1, None, BadRecord(f"{PATIENCE} lines in a row are not records; the rest is not read"))


def read(number: int, text: bytes) -> Found:
    """Read one record."""
    try:
        return Found(number, parse(text), None)
    except SmaltiError as error:
        return Found(number, None, error)


def too_long() -> BadRecord:
    """Say that something is longer than any record."""
    return BadRecord(f"more than {MOST_BYTES // 2**20} MiB; no record is that long")


def only_record(name: str) -> Record:
    """Return the first record of a file."""
    found = next(records_in(name))
    if found.record is None:
        raise found.error or BadRecord("no record")
    return found.record


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
