"""Refusals: every one that is known can come to pass, and is told with the values that its sentence needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from smalti import server
from smalti.engine.texts import parsed
from smalti.server.problems import PROBLEMS, TEXTS, Problem, not_before


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


def test_every_problem_has_a_sentence_and_every_sentence_a_problem() -> None:
    assert set(TEXTS.messages) == {f"reason.table.{key}" for key in PROBLEMS}


def test_every_refusal_has_the_values_of_its_sentence() -> None:
    for key, values in REFUSALS:
        needed = set(parsed(TEXTS.messages[f"reason.table.{key}"]).slots())
        assert needed <= (values | {"when"} if "seconds" in values else values), key


def test_a_problem_is_said_in_a_whole_sentence() -> None:
    assert str(Problem("many", seconds=90)) == "Too many requests. Try again in 2 minutes."
    assert str(Problem("name", most=30)) == "A name has 1 to 30 characters that can be seen."


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        *[(0, "in 1 second"), (1, "in 1 second"), (59, "in 59 seconds")],
        *[(60, "in 1 minute"), (61, "in 2 minutes"), (3540, "in 59 minutes")],
        *[(3541, "in 1 hour"), (7200, "in 2 hours"), (7201, "in 3 hours")],
    ],
)
def test_nobody_is_told_to_come_too_early(seconds: int, said: str) -> None:
    assert not_before(seconds) == said
