"""What the pages draw with is written from the Python that plays, and nobody forgets to write it again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from smalti import games

ROOT = Path(__file__).resolve().parent.parent
CHECK = "import sys; sys.path.insert(0, 'tools'); import components; sys.argv = ['components', '--check'];"


def checked(change: str = "") -> subprocess.CompletedProcess[str]:
    """Compare the files, with something changed before."""
    program = f"{CHECK}{change}components.main()"
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)


def test_the_components_of_the_pages_are_up_to_date() -> None:
    done = checked()
    assert done.returncode == 0, done.stdout + done.stderr


def test_components_that_are_stale_are_noticed() -> None:
    done = checked("components.BED = '#000000';")
    assert done.returncode == 1
    assert "board/components.ts is not up to date" in done.stderr.replace("\\", "/")


@pytest.mark.parametrize("name", [game.name for game in games.everyone() if game.view])
def test_a_rule_that_changes_a_component_makes_its_file_stale(name: str) -> None:
    done = checked(f"import smalti.games.{name}.components as own; own.COMPONENTS['side'] = 99;")
    assert done.returncode == 1
    assert f"games/{name}/components.ts is not up to date" in done.stderr.replace("\\", "/")
