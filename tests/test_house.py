"""The house rules that a machine can see: short functions, short files, small folders, nothing left to do.

Whatever breaks one stands in `EXCEPTIONS` with the reason, or is mended.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LONGEST_FUNCTION = 25  # lines of body, without the head and the docstring
LONGEST_FILE = 300
MOST_MODULES = 13  # directly in a folder, `__init__` not counted

# What may break a rule, each with the reason: `path::function`, `path`, or `folder/`.
EXCEPTIONS = {
    "dev.py": "is run before anything is installed, so it has to be one file",
    "src/smalti/server/store/migrations/versions/0001_tables.py::upgrade": "a migration is never touched again",
    "src/smalti/server/store/migrations/versions/0002_among_friends.py::upgrade": "a migration is never touched again",
    "web/src/api/wire.ts": "is written by tools/wire_types.py",
}

PYTHON = [*sorted((ROOT / "src").rglob("*.py")), *sorted((ROOT / "tools").glob("*.py")), ROOT / "dev.py"]
PYTHON = [file for file in PYTHON if "pages" not in file.relative_to(ROOT).parts]
PAGES = [file for file in sorted((ROOT / "web" / "src").rglob("*")) if file.suffix in (".ts", ".svelte", ".css")]
FOLDERS = sorted({file.parent for file in (*PYTHON, *PAGES) if file.parent != ROOT})
OURS = [*PYTHON, *PAGES, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "bench").rglob("*.py"))]

Function = ast.FunctionDef | ast.AsyncFunctionDef


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions_of(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Give every function with its name, that of its class before it."""
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                yield f"{node.name}.{child.name}" if isinstance(node, ast.ClassDef) else child.name, child


def length_of(function: Function) -> int:
    """Count the lines of the body, from the first to the last, without the docstring."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def too_long(file: Path) -> list[str]:
    """List the functions of a file that are longer than they may be, with their lengths."""
    tree = ast.parse(file.read_text("utf-8"))
    found = {f"{named(file)}::{name}": length_of(function) for name, function in functions_of(tree)}
    return [
        f"{name}: {lines} lines" for name, lines in found.items() if lines > LONGEST_FUNCTION if name not in EXCEPTIONS
    ]


def modules_in(folder: Path) -> list[str]:
    """List the modules that lie directly in a folder; a page and what is written for it count as one."""
    files = [file for file in folder.iterdir() if file.is_file() and file.suffix in (".py", ".ts", ".svelte")]
    return sorted({file.name.partition(".")[0] for file in files} - {"__init__"})


def test_functions_are_short() -> None:
    assert not [found for file in PYTHON for found in too_long(file)]


def test_files_are_short() -> None:
    lengths = {named(file): len(file.read_text("utf-8").splitlines()) for file in (*PYTHON, *PAGES)}
    assert not {name: lines for name, lines in lengths.items() if lines >= LONGEST_FILE and name not in EXCEPTIONS}


def test_folders_are_small() -> None:
    modules = {f"{named(folder)}/": modules_in(folder) for folder in FOLDERS}
    assert not {name: found for name, found in modules.items() if len(found) > MOST_MODULES and name not in EXCEPTIONS}


def test_nothing_is_left_to_do() -> None:
    left = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
    assert not [named(file) for file in OURS if left.search(file.read_text("utf-8"))]


def test_what_tests_share_says_what_it_is_for() -> None:
    """Ruff looks for docstrings elsewhere; a test's name tells what is true, a module's does not."""
    texts = {named(file): file.read_text("utf-8") for file in OURS if named(file).startswith("tests/")}
    assert not [name for name, text in texts.items() if text.strip() and not ast.get_docstring(ast.parse(text))]


@pytest.mark.parametrize("exception", EXCEPTIONS)
def test_every_exception_is_still_needed(exception: str) -> None:
    path, _, function = exception.partition("::")
    file = ROOT / path
    assert EXCEPTIONS[exception]
    if function:
        lengths = dict(functions_of(ast.parse(file.read_text("utf-8"))))
        assert length_of(lengths[function]) > LONGEST_FUNCTION
    elif exception.endswith("/"):
        assert len(modules_in(file)) > MOST_MODULES
    else:
        assert len(file.read_text("utf-8").splitlines()) >= LONGEST_FILE
