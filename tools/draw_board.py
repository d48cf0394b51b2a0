"""Draw boards as SVG: glass tiles in a dark bed, each kind told by its shape as well as by its colour.

    python tools/draw_board.py            writes docs/pictures/*.svg
    python tools/draw_board.py FOLDER     writes them there

The same boards give the same bytes everywhere: nothing here depends on time, luck or the machine. In order: the
boards, one whole board, the pictures; single tiles are in `glass`.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import NamedTuple

from glass import GOLD, SILVER, area, drawn_tile, number, round_box

from smalti import games
from smalti.engine.drawing import Board, Tile
from smalti.engine.glass import BED, BED_LIGHT, METALS, PALETTE, RIM, Place, groups, mixed, setting, tiles_of
from smalti.games.mosaix.tables import AREA

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"

# --- The boards

MANDALA = """
        s   d   K1  K1
    O1  O1  K1  K1  K1* L1
O1  O1* L0  g   D1  G0  L1  L1
O1  L0* L0  g   D1* G0* G0  L1
G1  G1* S1* D0* G0  G0  O0  L1*
S1  S1  S1  D0  D0  O0  O0* L1
    K0  K0* D0  S0  k   O0
        K0  S0  S0* S0
river 0: L O S G D K
river 1: K D O L S G
"""
GRID = "ooottxx / oxottxx / oxxttox / txxxooo / tttxoot / toooxtt / ooxxxtt"
PRINTED = 8 * 3 + 3  # d4
MOSAIC = "B1 Y2 Y2 B1* / Y2 R4 R4 Y2 / R3* R4 R4 R3 / B1 R3 R3* B1"


def mandala() -> Board:
    """Return a mandala on which both players have opened all six groups."""
    table, _ = games.find("patterns").read_board(MANDALA)
    return games.find("patterns").boards(table)[0]


def grid() -> Board:
    """Return a full grid whose centre was printed."""
    table, _ = games.find("mosaix").read_board(GRID)
    table.printed[0] = PRINTED
    return games.find("mosaix").boards(table)[0]


def mosaic() -> Board:
    """Return a board that is its own mirror image, with three flies."""
    table, _ = games.find("mozaika").read_board(MOSAIC)
    return games.find("mozaika").boards(table)[0]


# --- A whole board


def held(group: list[Place], cell: float) -> str:
    """Write the outline of the metal that holds a group together."""
    line, rim, corner = "", cell * 0.015, cell * 0.15
    for x, y, wide, high in setting(group):
        line += round_box(x * cell + rim, y * cell + rim, wide * cell - 2 * rim, high * cell - 2 * rim, corner)
    return line


def metal(group: list[Place], tiles: dict[Place, Tile], large: int | None) -> str | None:
    """Return what a group is set in: its owner's metal, or a tint of its own if it is large enough to count."""
    tile = tiles[group[0]]
    if tile.owner is not None:
        return (GOLD, SILVER)[tile.owner]
    return mixed(PALETTE[tile.colour].body, "#ffffff", 0.55) if large and len(group) >= large else None


def drawn_board(board: Board, width: float, large: int | None) -> list[str]:
    """Draw the tiles of a board, the left upper corner of its cells at 0, 0."""
    tiles, columns = tiles_of(board), len(board.rows[0])
    cell = width / columns
    settings = [(group, metal(group, tiles, large)) for group in groups(tiles)]
    parts = [area(held(group, cell), fill=fill) for group, fill in settings if fill]
    size = cell * (0.78 if parts else 0.9)
    for (x, y), tile in tiles.items():
        luck = random.Random(f"{tile.token} {x} {y}")
        middle = f"translate({number((x + 0.5) * cell)} {number((y + 0.5) * cell)})"
        parts += [f'<g transform="{middle}">', *drawn_tile(tile, size, luck), "</g>"]
    return parts


# --- The pictures

SIZE = 360  # of one bed
INK = "#81848f"  # of the names: readable on white and on black


def metal_gradient(name: str) -> str:
    """Define how light runs over a metal."""
    near, middle, far = METALS[name]
    return (
        f'<linearGradient id="{name}" gradientUnits="userSpaceOnUse" x2="330" y2="330"><stop stop-color="{near}"/>'
        f'<stop offset=".5" stop-color="{middle}"/><stop offset="1" stop-color="{far}"/></linearGradient>'
    )


DEFINITIONS = (
    '<defs><linearGradient id="sheen" x2="1" y2="1"><stop stop-color="#fff" stop-opacity=".34"/>'
    '<stop offset=".45" stop-color="#fff" stop-opacity=".04"/><stop offset="1" stop-opacity=".22"/></linearGradient>'
    f"{metal_gradient('gold')}{metal_gradient('silver')}"
    f'<radialGradient id="bed"><stop stop-color="{BED_LIGHT}"/><stop offset="1" stop-color="{BED}"/></radialGradient>'
    "</defs>"
)


class Panel(NamedTuple):
    """One board in its bed, with its name."""

    name: str
    board: Board
    width: float  # of the cells inside the bed
    corner: float  # radius of the bed's corners
    large: int | None = None  # tiles from which on an area of nobody's counts


def drawn_panel(panel: Panel, left: float) -> list[str]:
    """Draw a bed with its board and the name beneath."""
    inset = (SIZE - panel.width) / 2
    bed = round_box(1, 1, SIZE - 2, SIZE - 2, panel.corner)
    line = round_box(6, 6, SIZE - 12, SIZE - 12, panel.corner - 5)
    return [
        f'<g transform="translate({number(left)} 12)">',
        area(bed, fill="url(#bed)", stroke=RIM, stroke_width=2),
        area(line, fill="none", stroke=GOLD, stroke_width=1, opacity=0.55),
        f'<g transform="translate({number(inset)} {number(inset)})">',
        *drawn_board(panel.board, panel.width, panel.large),
        "</g>",
        f'<text class="n" x="{SIZE // 2}" y="{SIZE + 34}">{panel.name}</text></g>',
    ]


def picture(panels: list[Panel]) -> str:
    """Draw panels side by side."""
    width, height = 40 + len(panels) * SIZE + (len(panels) - 1) * 40, SIZE + 60
    names = ", ".join(panel.name for panel in panels)
    style = (
        "<style>text{font-family:'Segoe UI','Helvetica Neue',Arial,sans-serif;text-anchor:middle}"
        f".n{{font-family:Palatino,'Palatino Linotype',Georgia,serif;font-size:24px;letter-spacing:3px;fill:{INK}}}"
        "</style>"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{names}">'
    drawn = [line for index, panel in enumerate(panels) for line in drawn_panel(panel, 20 + index * (SIZE + 40))]
    return "\n".join([head, style, DEFINITIONS, *drawn, "</svg>"]) + "\n"


def main(folder: Path) -> None:
    """Write all pictures."""
    panels = {
        "patterns": Panel("Patterns", mandala(), 308, SIZE / 2 - 1),
        "mosaix": Panel("Mosaix", grid(), 332, 20, AREA),
        "mozaika": Panel("Mozaika", mosaic(), 332, 20),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, panel in panels.items():
        (folder / f"{name}.svg").write_text(picture([panel]), "utf-8", newline="\n")
    (folder / "boards.svg").write_text(picture(list(panels.values())), "utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
