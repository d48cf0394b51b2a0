"""Mosaix: what is in the box, for pages that draw it; `tools/components.py` writes it for them."""

from __future__ import annotations

from smalti.engine.drawing.glass import kinds
from smalti.games.mosaix.drawing import COLOURS, GLYPHS
from smalti.games.mosaix.tables import AREA, BOXES, BRILLIANT, DICE, FORMATIONS, SIDE, SYMBOLS, WON, shape_cells

COMPONENTS = {
    "side": SIDE,
    "dice": DICE,
    "boxes": BOXES,
    "area": AREA,
    "goals": {"won": WON, "brilliant": BRILLIANT},
    "symbols": kinds(SYMBOLS, COLOURS, GLYPHS),
    # By formation and quarter turns: [column, row] of each die, in the order of `form`.
    "formations": {name: [shape_cells(name, turns) for turns in range(4)] for name in FORMATIONS},
}
