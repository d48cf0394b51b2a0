"""The notebook runs from top to bottom, learns even in a short run, and shows what it showed its writer."""

from __future__ import annotations

import json
import re
import runpy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "notebooks" / "mosaix-solo.ipynb"


def code_of(notebook: Any) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in code_of(notebook) for output in cell["outputs"]]


def text(notebook: Any) -> str:
    return "".join("".join(output["text"]) for output in outputs(notebook) if output["output_type"] == "stream")


def mean(notebook: Any, who: str) -> float:
    found = re.search(rf"^{who}\s+([\d.]+) ±", text(notebook), re.M)
    assert found, who
    return float(found[1])


def pictures(notebook: Any) -> int:
    return sum("image/png" in output.get("data", {}) for output in outputs(notebook))


@pytest.mark.nightly
@pytest.mark.skipif(find_spec("nbclient") is None, reason="nbclient, of the dependency group `nightly`, is missing")
@pytest.mark.filterwarnings("ignore")  # about the way to the kernel, which is Jupyter's own
def test_a_short_run_learns_to_beat_the_greedy_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALTI_NOTEBOOK_SHARE", "0.05")
    notebook = runpy.run_path(str(ROOT / "tools" / "notebook.py"))["executed"](NOTEBOOK)
    assert mean(notebook, "trained") > mean(notebook, "greedy") > mean(notebook, "random")
    assert pictures(notebook) == 3


def test_the_notebook_as_it_is_kept_shows_a_whole_run() -> None:
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    cells = code_of(notebook)
    assert [cell["execution_count"] for cell in cells] == list(range(1, 1 + len(cells)))
    troubles = [one for one in outputs(notebook) if one["output_type"] == "error" or one.get("name") == "stderr"]
    assert not troubles
    assert mean(notebook, "trained") > 2 * mean(notebook, "greedy")
    assert pictures(notebook) == 3
    assert str(ROOT) not in NOTEBOOK.read_text("utf-8")
