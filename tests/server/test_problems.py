"""Refusals: every one that is known can come to pass, and is told with the values that its sentence needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from smalti import server
from smalti.server.problems import PROBLEMS


def refusals() -> Iterator[tuple[str, set[str | None]]]:
    """Yield what the server refuses anywhere in its sources, by key, with the names of the values."""
    for file in sorted(Path(server.__file__).parent.glob("**/*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and is_refusal(node.func) and node.args:
                key = node.args[0]
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, {word.arg for word in node.keywords}


def is_refusal(called: ast.expr) -> bool:
    """Say whether this makes a `Problem`, or one of its kinds."""
    return ast.unparse(called) in ("Problem", "super().__init__")


REFUSALS = list(refusals())


@pytest.mark.parametrize("key", PROBLEMS)
def test_every_refusal_comes_to_pass_somewhere(key: str) -> None:
    assert key in {found for found, _ in REFUSALS}


def test_every_refusal_has_the_values_of_its_sentence() -> None:
    for key, values in REFUSALS:
        needed = {name for _, name, _, _ in Formatter().parse(PROBLEMS[key][1]) if name}
        assert needed <= values, key
