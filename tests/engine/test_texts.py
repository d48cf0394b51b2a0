"""Texts: ICU messages as Python says them, the same as the pages do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from smalti import games
from smalti.engine.texts import BadMessage, Texts, parsed
from smalti.server.table.terms import Language

ROOT = Path(__file__).resolve().parents[2]
SPEAKING = [ROOT / "src/smalti/engine", ROOT / "src/smalti/server"]
SPEAKING += [ROOT / "src/smalti/games" / name for name in games.names() if (ROOT / "web/src/games" / name).is_dir()]

POINTS = "{points, plural, =0 {nothing} one {# point} other {# points}}"
TURNED = "L{turns, select, 0 {} 1 {, turned} other {, turned often}}"
BOTH = "{n, plural, one {# of {who}} other {{who} has # of {kind, select, big {# big ones} other {many}}}}"


@pytest.mark.parametrize(
    ("message", "values", "said"),
    [
        ("plain", {}, "plain"),
        ("{cell} is taken by {name}", {"cell": "d4", "name": "{x}"}, "d4 is taken by {x}"),
        (POINTS, {"points": 0}, "nothing"),
        (POINTS, {"points": 1}, "1 point"),
        (POINTS, {"points": 1234}, "1,234 points"),
        (TURNED, {"turns": "0"}, "L"),
        (TURNED, {"turns": "1"}, "L, turned"),
        (TURNED, {"turns": "3"}, "L, turned often"),
        (BOTH, {"n": 1, "who": "Ada", "kind": "big"}, "1 of Ada"),
        (BOTH, {"n": 2, "who": "Ada", "kind": "big"}, "Ada has 2 of 2 big ones"),
        ("number #1", {}, "number #1"),
    ],
)
def test_a_message_is_said_with_its_values(message: str, values: dict[str, Any], said: str) -> None:
    assert parsed(message).said(values) == said


def test_a_message_knows_what_it_needs() -> None:
    assert parsed(BOTH).slots() == {"n": {"one", "other"}, "who": set(), "kind": {"big", "other"}}


@pytest.mark.parametrize(
    "message",
    [
        *("{", "}", "{a", "a}", "{}", "{a b}", "{n, number}", "it's", "{n, plural, one {#}}", "{n, plural, other {#}"),
        *("{n, select, other {x} b}", "{n, plural, one {#} other {{a}}}}"),
    ],
)
def test_what_python_cannot_say_is_refused(message: str) -> None:
    with pytest.raises(BadMessage):
        parsed(message)


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        parsed("{cell} is taken").said({})


@pytest.mark.parametrize("folder", SPEAKING, ids=lambda folder: folder.name)
def test_every_language_has_its_file_and_no_other_has(folder: Path) -> None:
    assert {file.stem for file in (folder / "texts").glob("*.json")} == set(get_args(Language))


def test_the_pages_have_a_folder_for_every_language() -> None:
    folders = {folder.name for folder in (ROOT / "web" / "src" / "texts").iterdir() if folder.is_dir()}
    assert folders == set(get_args(Language))


def test_every_message_is_one_that_python_can_say() -> None:
    for name in games.names():
        for message in Texts(f"smalti.games.{name}").messages.values():
            parsed(message)


def test_what_the_pages_compare_with_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, "tools/sentences.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
