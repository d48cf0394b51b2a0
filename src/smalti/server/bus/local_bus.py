"""The bus of a site that is a single process."""

from __future__ import annotations

from collections.abc import Callable

from smalti.server.bus.bus import OnChange, OnLoss, OnPresence


class LocalBus:
    """A null object: there is no other process, so nothing is sent and nothing arrives."""

    async def start(self, on_change: OnChange, on_loss: OnLoss) -> None:
        """Subscribe to nothing."""

    def publish_change(self, match: str) -> None:
        """Send nothing."""

    async def subscribe_presence(self, on_presence: OnPresence, heartbeat: Callable[[], bytes]) -> None:
        """Subscribe to nothing."""

    def publish_presence(self, news: bytes) -> None:
        """Send nothing."""

    async def has_peers(self) -> bool:
        """There are none."""
        return False

    async def mark_attended(self, matches: list[str], seconds: float) -> None:
        """Mark nothing: this process knows its own people."""

    async def attended(self, matches: list[str]) -> set[str]:
        """Return no table: nobody is connected to another process."""
        return set()

    def set_visible(self, match: str, holder: str, page: str, is_visible: bool) -> None:
        """Note nothing: this process knows its own pages."""

    async def has_visible_page(self, match: str, holder: str) -> bool:
        """There is none: nobody is connected to another process."""
        return False

    async def claim(self, what: str, seconds: float) -> bool:
        """Grant every claim: nobody else could have it."""
        return True

    async def answers(self) -> bool:
        """There is nothing that could fail."""
        return True

    async def stop(self) -> None:
        """There is nothing to stop."""
