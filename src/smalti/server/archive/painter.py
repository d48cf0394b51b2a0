"""A process of its own that draws pictures: the boards of the pages in a JavaScript engine, then pixels.

Started by `pictures` as a plain file, so that it loads nothing of ours and stays small. A line of JSON comes in (the
game, and what its picture is given, as JSON in a text), and the picture goes out behind its length in four bytes;
length 0 means that it could not be drawn. It ends when the server is gone.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import BinaryIO

SECONDS = 5.0  # that the engine may take for one picture
MOST_MEMORY = 128 * 2**20  # that it may use
MOST_LINE = 4 * 2**20


class Painter:
    """An engine with the boards in it."""

    def __init__(self, boards: Path) -> None:
        from quickjs import Context

        engine = Context()
        engine.set_memory_limit(MOST_MEMORY)
        engine.set_time_limit(SECONDS)
        engine.eval(boards.read_text(encoding="utf-8"))
        self.draw = engine.get("draw")

    def picture(self, game: str, given: str) -> bytes:
        """Return a picture as PNG. Fonts of the machine are not needed: figures are drawn as strokes."""
        from resvg_py import svg_to_bytes

        return bytes(svg_to_bytes(svg_string=self.draw(game, given), skip_system_fonts=True))


def one_line(error: Exception) -> str:
    """Say in one line what went wrong."""
    return f"{type(error).__name__}: {error}".splitlines()[0]


def paint(painter: Painter, asked: BinaryIO, answers: BinaryIO) -> None:
    """Draw whatever is asked for, until nobody asks any more."""
    while line := asked.readline(MOST_LINE):
        try:
            picture = painter.picture(*json.loads(line))
        except Exception as error:  # of the engine, of the boards, of the rasteriser: the next picture may succeed
            print(one_line(error), file=sys.stderr, flush=True)
            picture = b""
        answers.write(len(picture).to_bytes(4, "big") + picture)
        answers.flush()


def main() -> None:
    """Draw for the server that started this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server says when it is time to go
    try:
        painter = Painter(Path(sys.argv[1]))
    except Exception as error:  # no engine, no boards: one line is enough
        sys.exit(one_line(error))
    paint(painter, sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
