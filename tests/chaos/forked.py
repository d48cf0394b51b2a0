"""Servers to be killed, stopped and started again, without limits but those a part sets itself."""

from __future__ import annotations

import asyncio
import os
import resource
import time
from pathlib import Path

from tests.server.site import PATIENCE, Server

# Nothing is limited but by what a part sets itself: a thousand people come from one address here.
WITHOUT_LIMITS = {
    "SMALTI_MESSAGES_A_SECOND": "1000000",
    "SMALTI_READS_A_SECOND": "1000000",
    "SMALTI_BESIDE_A_MINUTE": "1000000",
    "SMALTI_ASKS_A_MINUTE": "1000000",
    "SMALTI_TABLES_AN_HOUR": "100000000",
    "SMALTI_CONNECTIONS": "100000",
    "SMALTI_CONNECTIONS_AN_ADDRESS": "100000",
}


def allow_many_files() -> None:
    """Let this process, and those it starts, have as many connections as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Forked(Server):
    """A server that starts in a moment and can be killed, stopped and continued."""

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(folder, **{**WITHOUT_LIMITS, **settings})

    def launch(self) -> None:
        """Start without waiting until it answers; as many connections as the system allows are its."""
        allow_many_files()
        super().launch()

    async def start_beside(self) -> None:
        """Start, and wait until it answers, while others go on."""
        self.launch()
        end = time.monotonic() + PATIENCE
        while not self.answers:
            assert not self.has_ended, self.log
            assert time.monotonic() < end, "waited in vain for the server"
            await asyncio.sleep(0.01)

    # --- What it costs

    @property
    def seconds(self) -> float:
        """The processor seconds of its process so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        """The memory that it holds."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))
