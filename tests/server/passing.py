"""Time that tests let pass: a file that the server adds to its clock."""

from __future__ import annotations

import os
from pathlib import Path

from smalti.server.game_time import SHIFT


class Passing:
    """Seconds that have passed on the server beyond the real ones; they stay passed when it is started again."""

    def __init__(self, folder: Path) -> None:
        self.file, self.seconds = folder / "shift", 0.0

    @property
    def settings(self) -> dict[str, str]:
        """What a server must be told to follow, and to look at the clocks often."""
        return {SHIFT: str(self.file), "SMALTI_SWEEP_MS": "50"}

    def let_pass(self, seconds: float) -> None:
        """Let time pass in a moment."""
        self.seconds += seconds
        new = self.file.with_suffix(".new")
        new.write_text(str(self.seconds))
        os.replace(new, self.file)  # nobody reads half a number
