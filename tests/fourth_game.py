"""A fourth game as a stranger adds it: the sources copied, and in the copy the one folder of docs/adding-a-game.md.

The server of the copy runs without compiling, or it would compile all the games again for the sake of one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.browser.site import Site

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
FILES = dict(re.findall(r"### `src/smalti/games/heap/([\w/]+\.\w+)`\n.*?```\w+\n(.*?)```", PAGE, re.DOTALL))
COMMANDS = re.findall(r"These work now:\n\n```\n(.*?)```", PAGE, re.DOTALL)[0].splitlines()


class Copy:
    """The sources with Heap among the games, and nothing else changed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.source = folder, folder / "src"
        shutil.copytree(ROOT / "src", self.source, ignore=shutil.ignore_patterns("__pycache__"))
        heap = self.source / "smalti" / "games" / "heap"
        (heap / "texts").mkdir(parents=True)
        for name, code in FILES.items():
            (heap / name).write_text(code, encoding="utf-8")

    @property
    def settings(self) -> dict[str, str]:
        """The variables with which a program uses this copy, and keeps its code to itself."""
        return {"PYTHONPATH": str(self.source), "SMALTI_CACHE_DIR": str(self.folder / "cache")}

    def site(self) -> Site:
        """Return a server of this copy."""
        data = self.folder / "site"
        data.mkdir()
        return Site(data, **self.settings, NUMBA_DISABLE_JIT="1")

    def run(self, command: str, **more: str) -> str:
        """Run a line of a shell in which `smalti` and `python` are this copy's, and return what it prints."""
        program = re.sub(r"\bsmalti (?=[a-z])", f"{sys.executable} -m smalti ", command)
        program = re.sub(r"^python\b", sys.executable, program)
        settings = {**os.environ, **self.settings, "COLUMNS": "120", **more}
        words = ["bash", "-o", "pipefail", "-c", program]
        done = subprocess.run(words, cwd=self.folder, env=settings, stdin=subprocess.DEVNULL, capture_output=True)
        assert done.returncode == 0, f"{command}\n{done.stderr.decode()}"
        return done.stdout.decode()
