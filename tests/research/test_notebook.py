"""The notebook runs from top to bottom, learns even in a short run, and shows what it showed its writer."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "notebook.py"))


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def text(notebook: Any) -> str:
    return "".join(output.text for output in outputs(notebook) if output.output_type == "stream")


def mean(notebook: Any, who: str) -> float:
    found = re.search(rf"^{who}\s+([\d.]+) ±", text(notebook), re.M)
    assert found, who
    return float(found[1])


def pictures(notebook: Any) -> int:
    return sum("image/png" in output.get("data", {}) for output in outputs(notebook))


@pytest.mark.filterwarnings("ignore")  # about the way to the kernel, which is Jupyter's own
def test_a_short_run_learns_to_beat_the_greedy_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALTI_NOTEBOOK_SHARE", "0.05")
    notebook = TOOL["executed"](TOOL["NOTEBOOK"])
    assert mean(notebook, "trained") > mean(notebook, "greedy") > mean(notebook, "random")
    assert pictures(notebook) == 3


def test_the_notebook_as_it_is_kept_shows_a_whole_run() -> None:
    notebook = TOOL["nbformat"].read(TOOL["NOTEBOOK"], as_version=4)
    assert [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"] == list(
        range(1, 1 + sum(cell.cell_type == "code" for cell in notebook.cells))
    )
    assert not [
        output for output in outputs(notebook) if output.output_type == "error" or output.get("name") == "stderr"
    ]
    assert mean(notebook, "trained") > 2 * mean(notebook, "greedy")
    assert pictures(notebook) == 3
    assert str(ROOT) not in TOOL["NOTEBOOK"].read_text("utf-8")
