"""Patterns: what is in the box, for pages that draw it; `tools/components.py` writes it for them."""

from __future__ import annotations

from smalti.engine.drawing.glass import kinds
from smalti.engine.geometry import cell_name
from smalti.games.patterns.drawing import GLYPHS
from smalti.games.patterns.tables import CELLS, COLOUR_NAMES, COLOURS, ROW_WIDTHS

COMPONENTS = {
    "side": len(ROW_WIDTHS),
    "rows": [[cell_name(cell % 8, row) for cell in CELLS if cell // 8 == row] for row in range(len(ROW_WIDTHS))],
    "tiles": kinds(COLOURS, COLOUR_NAMES, GLYPHS),
}
