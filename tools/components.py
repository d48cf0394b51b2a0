"""Write what the pages draw with, the components of the games and the colours and shapes of glass.

python tools/components.py           writes web/src/board/components.ts and web/src/games/*/components.ts
python tools/components.py --check   says whether they are up to date, exit code 1 if not
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from smalti import games
from smalti.engine.drawing.glass import BED, METALS, PALETTE, ROUND_RADIUS, SHAPES, page_colour
from smalti.engine.geometry import COLUMNS

SOURCE = Path(__file__).resolve().parent.parent / "web" / "src"
WIDTH = 118  # of a line


def laid_out(value: Any, indent: str = "") -> str:
    """Write a value as JSON, in one line where there is room."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent + line) <= WIDTH or not isinstance(value, dict | list):
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        lines = [f"{inner}{json.dumps(name)}: {laid_out(part, inner)},\n" for name, part in value.items()]
        return f"{{\n{''.join(lines)}{indent}}}"
    lines = [f"{inner}{laid_out(part, inner)},\n" for part in value]
    return f"[\n{''.join(lines)}{indent}]"


def short(value: float) -> str:
    """Write a coordinate shortly."""
    return f"{round(value, 2) + 0:g}"


def outline(shape: str) -> str:
    """Write a shape as the path of an SVG."""
    if not SHAPES[shape]:
        half = f"A{ROUND_RADIUS} {ROUND_RADIUS} 0 1 1 0"
        return f"M0 {-ROUND_RADIUS}{half} {ROUND_RADIUS}{half} {-ROUND_RADIUS}Z"
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in SHAPES[shape]) + "Z"


def kit() -> dict[str, Any]:
    """Return what all games share: names of columns; colours, metals and shapes."""
    return {
        "columns": list(COLUMNS),
        "palette": {page_colour(name): colour._asdict() for name, colour in PALETTE.items()},
        "bed": BED,
        "metals": METALS,  # by seat: how light runs over what its groups are set in
        "shapes": {shape: outline(shape) for shape in SHAPES},
    }


def drawn_games() -> list[str]:
    """List the games for which the pages draw boards: those with a view of their own."""
    return [game.name for game in games.everyone() if game.view]


def texts() -> dict[Path, str]:
    """Return all files."""
    parts = {SOURCE / "board": ("smalti.engine", kit())}
    for name in drawn_games():
        module = f"smalti.games.{name}.components"
        parts[SOURCE / "games" / name] = (module, import_module(module).COMPONENTS)
    return {
        folder / "components.ts": f"// Written by tools/components.py from {module}. Do not edit.\n"
        f"export const components = {laid_out(value)} as const;\n"
        for folder, (module, value) in parts.items()
    }


def main() -> None:
    """Write the files, or compare."""
    for file, text in texts().items():
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8", newline="\n")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            sys.exit(f"{file.relative_to(SOURCE)} is not up to date: run `python tools/components.py`")


if __name__ == "__main__":
    main()
