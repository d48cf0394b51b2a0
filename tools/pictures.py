"""Draw the pictures of the documentation with the boards of the pages, which have to be built (`dev.py pages`).

    python tools/pictures.py            writes docs/pictures/*.svg
    python tools/pictures.py FOLDER     writes them there

In order: the boards, one picture, the files.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from smalti import games
from smalti.server.archive.painter import Painter
from smalti.server.archive.pictures import BOARDS

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


def given(view: Any, score: Any = ()) -> str:
    """Return what a picture is given, as JSON; only its boards are shown."""
    return msgspec.json.encode({"view": view, "recent": [], "score": score, "winners": [], "isBare": True}).decode()


def mandala() -> str:
    """Show a mandala on which both players have opened all six groups."""
    game = games.find("patterns")
    return given(game.shown(game.read_board(MANDALA)[0], 0))


def grid() -> str:
    """Show a full grid whose centre was printed."""
    game = games.find("mosaix")
    table, _ = game.read_board(GRID)
    table.printed[0] = PRINTED
    view = game.shown(table, 0)
    return given(replace(view, grids=view.grids[:1]), [item for item in game.breakdown(table) if item.seat == 0])


def mosaic() -> str:
    """Show a board that is its own mirror image, with three flies."""
    game = games.find("mozaika")
    view = game.shown(game.read_board(MOSAIC)[0], 0)
    return given(replace(view, places=(replace(view.places[0], hand=()),)))


# --- One picture

SIZE, GAP, NAME = 360, 40, 60  # of a board, between boards, of the line with its name
SQUARE = "285 0 630 630"  # the middle of a picture, where the board lies
INK = "#81848f"  # of the names: readable on white and on black
LOOK = f'font-family="Palatino,\'Palatino Linotype\',Georgia,serif" font-size="24" letter-spacing="3" fill="{INK}"'


def panel(drawn: str, title: str, left: int) -> str:
    """Show a board with its name beneath."""
    frame = f'<svg x="{left}" y="12" width="{SIZE}" height="{SIZE}" viewBox="{SQUARE}">'
    name = f'<text x="{left + SIZE // 2}" y="{SIZE + 46}" text-anchor="middle" {LOOK}>{title}</text>'
    return f"{re.sub('^<svg[^>]*>', frame, drawn)}\n{name}"


def picture(drawn: dict[str, str]) -> str:
    """Show boards side by side; they are given by the names of their games."""
    width, names = GAP + len(drawn) * (SIZE + GAP) - GAP, ", ".join(drawn)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {SIZE + NAME}" role="img" aria-label="{names}">'
    )
    panels = [panel(board, title, GAP // 2 + n * (SIZE + GAP)) for n, (title, board) in enumerate(drawn.items())]
    return "\n".join([head, *panels, "</svg>"]) + "\n"


# --- The files


def main(folder: Path) -> None:
    """Write all pictures."""
    painter = Painter(BOARDS)
    drawn = {
        name.capitalize(): painter.draw(name, shown())
        for name, shown in (("patterns", mandala), ("mosaix", grid), ("mozaika", mosaic))
    }
    folder.mkdir(parents=True, exist_ok=True)
    for title, board in drawn.items():
        (folder / f"{title.lower()}.svg").write_text(picture({title: board}), "utf-8", newline="\n")
    (folder / "boards.svg").write_text(picture(drawn), "utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
