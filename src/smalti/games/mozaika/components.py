"""Mozaika: what is in the box, for pages that draw it; `tools/components.py` writes it for them."""

from __future__ import annotations

from smalti.engine.drawing.glass import GLYPHS, page_colour
from smalti.games.mozaika.drawing import GLYPHS as SYMBOL_GLYPHS
from smalti.games.mozaika.tables import COLOUR_NAMES, COLOURS, HAND, ROUNDS, SIDE, SYMBOLS

COMPONENTS = {
    "side": SIDE,
    "rounds": ROUNDS,
    "hand": HAND,
    "colours": dict(zip(COLOURS, map(page_colour, COLOUR_NAMES), strict=True)),
    "symbols": {symbol: GLYPHS[glyph] for symbol, glyph in zip(SYMBOLS, SYMBOL_GLYPHS, strict=True)},
}
