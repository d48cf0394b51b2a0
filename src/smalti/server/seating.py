"""Who sits on a seat, and how that changes: people come, go, lend their seat and take it again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Sitting:
    """Who sits on a seat."""

    kind: str = "free"
    name: str | None = None
    bot: str | None = None
    holder: str | None = None
    links: int = 0  # made anew so many times
    owner: str | None = None  # the hash of an absent person's secret, who may take the seat again
    owner_name: str | None = None

    @property
    def people(self) -> frozenset[str]:
        """Who plays here, and who may do so again."""
        return frozenset(holder for holder in (self.holder, self.owner) if holder)


def seated(before: Sitting, kind: str, body: Any) -> Sitting:
    """Return who sits on a seat after an entry about it."""
    if kind == "sit" and body["holder"] == before.owner:
        return handed_on(before, "return", None)
    if kind == "sit":
        return replace(before, kind="person", name=body["name"], bot=None, holder=body["holder"])
    if kind == "bot":
        return replace(before, kind="bot", name=None, bot=body["bot"], holder=None)
    if kind == "link":
        return replace(before, kind="free", name=None, bot=None, holder=None, links=before.links + 1)
    if kind == "name":
        return replace(before, name=body["name"])
    if kind in ("lend", "return", "leave") or (kind == "resign" and body["bot"]):
        return handed_on(before, kind, body.get("bot"))
    return before


def handed_on(before: Sitting, kind: str, bot: str | None) -> Sitting:
    """Return who sits on a seat that its person has left, lent or taken again."""
    if kind == "return":
        return Sitting("person", before.owner_name, None, before.owner, before.links)
    if kind == "leave":
        return Sitting("bot" if bot else "free", None, bot, None, before.links)
    if kind == "resign":
        return Sitting("bot", before.owner_name or before.name, bot, None, before.links)
    owner, name = (before.owner, before.owner_name) if before.owner else (before.holder, before.name)
    return Sitting("bot" if bot else "free", name if bot else None, bot, None, before.links + (not bot), owner, name)
