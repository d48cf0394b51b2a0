"""`smalti bench`: measure the engine, beside its peers where they are installed."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from smalti.engine.errors import BadInput

HELP = """Measure the engine: decisions a second, beside OpenSpiel and Pgx where they are installed.

The benchmark belongs to the source checkout; `python3 dev.py bench` installs the peers and runs it.

    smalti bench --rounds 5
"""


def bench(
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; the medians are shown.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write the figures into bench/results.md.")] = False,
) -> None:
    """Run the benchmark of the checkout."""
    root = Path(__file__).resolve().parents[3]
    if not (root / "bench" / "engine.py").exists():
        raise BadInput(
            "the benchmark comes with the source checkout, in bench/engine.py; it is not in this installation"
        )
    sys.path.insert(0, str(root))
    raise typer.Exit(importlib.import_module("bench.engine").main(rounds, as_json, write))
