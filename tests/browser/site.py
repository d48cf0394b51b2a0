"""The site as people get it: `smalti serve` in a process of its own, with the built pages."""

from __future__ import annotations

import sys

import httpx

from tests.server.site import Server, until

WARM = 180.0  # seconds: a server that was never started here compiles, while it answers already


class Site(Server):
    """A running `smalti serve`, which can be killed and started again on the same files and port."""

    @property
    def words(self) -> list[str]:
        """The command that people use."""
        return [sys.executable, "-m", "smalti", "serve", "--port", str(self.port)]

    def launch(self) -> None:
        """Start without waiting until it answers."""
        self.launch_alone()

    def wait(self, patience: float = WARM) -> None:
        """Wait until everything can be played."""
        super().wait(patience)
        until(lambda: all(game["ready"] == 100 for game in httpx.get(f"{self.url}/api/games").json()), patience)


class SpareSite(Site):
    """The same server and pages, forked from a process that has loaded the rules; bots load when one is asked.

    For tests that kill their server or need other settings: `smalti serve` itself, with everything prepared, is the one
    that all the others share.
    """

    def launch(self) -> None:
        """Start without waiting until it answers."""
        self.settings.setdefault("SMALTI_TEST_PAGES", "1")
        Server.launch(self)
