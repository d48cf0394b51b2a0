"""Names of cells: a column letter from the left and a row number from the top."""

from __future__ import annotations

import re

COLUMNS = "abcdefgh"
CELL = re.compile(r"([a-h])([1-8])")


def cell_name(column: int, row: int) -> str:
    """Return the name of a cell; both numbers count from 0."""
    return f"{COLUMNS[column]}{row + 1}"


def cell_place(name: str) -> tuple[int, int] | None:
    """Return column and row of a cell's name, counted from 0; None if it is not one."""
    match = CELL.fullmatch(name)
    return (COLUMNS.index(match[1]), int(match[2]) - 1) if match else None
