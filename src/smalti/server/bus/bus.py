"""The bus: how processes that share a database tell each other that a table has changed, and who is where."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

OnChange = Callable[[str], Awaitable[None]]  # hears of a table that another process has changed
OnPresence = Callable[[bytes], None]  # hears what a process announces
OnLoss = Callable[[], Coroutine[Any, Any, None]]  # is called when messages may have been lost


class Bus(Protocol):
    """Publish–subscribe between the processes of a site, and the little they keep for each other."""

    async def start(self, on_change: OnChange, on_loss: OnLoss) -> None:
        """Subscribe to changes of tables."""

    def publish_change(self, match: str) -> None:
        """Tell the other processes that a table has changed, without waiting."""

    async def subscribe_presence(self, on_presence: OnPresence, heartbeat: Callable[[], bytes]) -> None:
        """Subscribe to what processes announce, this one included, and announce a heartbeat from now on."""

    def publish_presence(self, news: bytes) -> None:
        """Announce who is where, in order and without waiting."""

    async def has_peers(self) -> bool:
        """Say whether other processes hear what is announced."""

    async def mark_attended(self, matches: list[str], seconds: float) -> None:
        """Let the other processes know for so long that people are at these tables."""

    async def attended(self, matches: list[str]) -> set[str]:
        """Return those of these tables that people are at, as other processes have marked them."""

    def set_visible(self, match: str, holder: str, page: str, is_visible: bool) -> None:
        """Tell the other processes whether a page of a browser that shows a table is visible."""

    async def has_visible_page(self, match: str, holder: str) -> bool:
        """Say whether a browser has a visible page of a table by another process."""

    async def claim(self, what: str, seconds: float) -> bool:
        """Claim something for so long, or renew one's claim; false if another process has it. No seconds end it."""

    async def answers(self) -> bool:
        """Say whether the bus works."""

    async def stop(self) -> None:
        """Stop listening."""
