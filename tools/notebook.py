"""Run docs/notebooks/mosaix-solo.ipynb from top to bottom and keep what it shows: `python tools/notebook.py`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat as untyped
from nbclient import NotebookClient

nbformat: Any = untyped
NOTEBOOK = Path(__file__).resolve().parent.parent / "docs" / "notebooks" / "mosaix-solo.ipynb"


def executed(path: Path) -> Any:
    """Return a notebook after it has run in this environment's Python."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=1200, kernel_name="python3")
    manager: Any = client.create_kernel_manager()
    manager.kernel_spec.argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


if __name__ == "__main__":
    nbformat.write(executed(NOTEBOOK), NOTEBOOK)
