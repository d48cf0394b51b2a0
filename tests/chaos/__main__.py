"""The chaos in long: python3 dev.py chaos --minutes N [--only NAME …] [--write]

Every part goes on for so many minutes and prints its figures. With `--write` they are kept in `bench/chaos.json`, each
with the command it came from, and laid out in `bench/results.md`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from bench.report import RESULTS, machine

from tests.chaos.budget import Budget, Figures

KEPT = RESULTS.parent / "chaos.json"
BEGIN, END = "<!-- figures of the chaos: begin -->", "<!-- figures of the chaos: end -->"
PACKAGES = ("uvicorn", "websockets", "uvloop", "fastapi", "sqlalchemy", "aiosqlite", "asyncpg", "redis")


def parts() -> list[str]:
    """List the parts: the modules of this folder that can be run."""
    files = sorted(Path(__file__).parent.glob("[a-z]*.py"))
    return [file.stem for file in files if "\ndef run(" in file.read_text(encoding="utf-8")]


def shown(value: float) -> str:
    """Show a figure."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3g}" if value < 100 else f"{value:,.1f}"


def measured(part: str, minutes: float) -> Figures:
    """Run a part, and tell what came of it."""
    print(f"\n{part}, {minutes:g} minutes", flush=True)
    begun = time.monotonic()
    figures: Figures = import_module(f"tests.chaos.{part}").run(Budget(minutes))
    figures["seconds it took"] = round(time.monotonic() - begun)
    for name, value in figures.items():
        print(f"  {name:60} {shown(value):>14}", flush=True)
    return figures


def keep(part: str, minutes: float, figures: Figures) -> None:
    """Keep the figures of a part in place of those it had."""
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    command = f"python3 dev.py chaos --minutes {minutes:g} --only {part} --write"
    day = datetime.now(UTC).date().isoformat()
    kept[part] = {"command": command, "date": day, "machine": machine(PACKAGES), "figures": figures}
    KEPT.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")
    before, _, rest = RESULTS.read_text(encoding="utf-8").partition(BEGIN)
    RESULTS.write_text(f"{before}{BEGIN}\n{laid_out(kept)}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


def laid_out(kept: dict[str, dict[str, Figures]]) -> str:
    """Lay all figures out as Markdown, with the command of each."""
    lines = []
    for part, found in sorted(kept.items()):
        facts = "; ".join(f"{name} {value}" for name, value in found["machine"].items())
        rows = [f"| {name} | {shown(value)} |" for name, value in found["figures"].items()]
        head = [f"### {part.capitalize()}", "", f"`{found['command']}`, {found['date']}; {facts}.", ""]
        lines += [*head, "| what |  |", "| --- | ---: |", *rows, ""]
    return "\n".join(lines).rstrip()


def main() -> None:
    """Run the parts that were asked for; those that fail are told at the end."""
    reader = argparse.ArgumentParser(prog="dev.py chaos", description=__doc__, allow_abbrev=False)
    reader.add_argument("--minutes", type=float, default=1.0, help="how long each part goes on")
    reader.add_argument("--only", choices=parts(), action="append", help="one part, or several")
    reader.add_argument("--write", action="store_true", help="keep the figures in bench/")
    given = reader.parse_args()
    failed = []
    for part in given.only or parts():
        try:
            figures = measured(part, given.minutes)
        except Exception as error:
            print(f"  does not hold: {error!r}", flush=True)
            failed.append(part)
            continue
        if given.write:
            keep(part, given.minutes, figures)
    sys.exit(f"does not hold: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
