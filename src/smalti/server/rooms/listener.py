"""What a room knows of a connected page."""

from __future__ import annotations

from typing import Protocol


class Listener(Protocol):
    """A page that is connected: it is woken, and asks the room for what is new when it can send."""

    holder: str | None
    seat: int | None  # that it looks from
    is_visible: bool  # in sight, not behind other pages

    @property
    def is_seated(self) -> bool:
        """Whether this browser has a seat."""

    def wake(self, people: bool) -> None:
        """Something has changed; people too, or only the game."""

    def wake_presence(self) -> None:
        """Somebody came or went."""

    def wake_chat(self) -> None:
        """Somebody has said something."""

    def show_out(self) -> None:
        """The table is not there any more."""
