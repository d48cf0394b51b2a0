"""The site as people get it: `smalti serve` in a process of its own, with the built pages."""

from __future__ import annotations

import os
import subprocess
import sys

import httpx

from tests.server.table import ROOT, Server, is_listening, until

WARM = 180.0  # seconds: a server that was never started here compiles, while it answers already


class Site(Server):
    """A running `smalti serve`, which can be killed and started again on the same files and port."""

    def launch(self) -> None:
        """Start without waiting until it answers."""
        words = [sys.executable, "-m", "smalti", "serve", "--port", str(self.port)]
        environment = {**os.environ, **self.settings}
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                words, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
            )

    def wait(self) -> None:
        """Wait until everything can be played."""
        until(lambda: is_listening(self.port) or self.has_ended, WARM)
        assert not self.has_ended, self.log
        until(lambda: all(game["ready"] == 100 for game in httpx.get(f"{self.url}/api/games").json()), WARM)
