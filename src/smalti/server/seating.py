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
    former: str | None = None  # of a free seat: whom the host has sent away before the game; they may come back
    former_name: str | None = None
    is_handed_on: bool = False  # its person has given it to whoever comes with its newest link

    @property
    def is_for_link(self) -> bool:
        """Whether whoever comes with the link may sit here: nobody does, or a bot until somebody comes.

        Of a seat that was not handed on the host may know the link, and an absent person's is not theirs to take.
        """
        return self.kind == "free" or (self.kind == "bot" and self.is_handed_on)

    @property
    def entitled(self) -> frozenset[str]:
        """Whose seat it is: whoever plays here, and whoever has lent it."""
        return frozenset(holder for holder in (self.holder, self.owner) if holder)

    @property
    def people(self) -> frozenset[str]:
        """Who plays here, and who may do so again."""
        return self.entitled | ({self.former} if self.former else set())

    def may_return(self, holder: str | None) -> bool:
        """Say whether a browser may take this seat again: its own that is lent, or one it was sent away from."""
        return holder is not None and (holder == self.owner or (self.kind == "free" and holder == self.former))

    @property
    def voter(self) -> str | None:
        """Whose consent counts for this seat: whoever plays it, or the person a bot stands in for."""
        return self.holder or self.owner


def seated(before: Sitting, kind: str, body: Any) -> Sitting:
    """Return who sits on a seat after an entry about it."""
    if kind == "sit" and body["holder"] == before.owner:
        return handed_on(before, "return", None)
    if kind == "sit":
        found = replace(before, kind="person", name=body["name"], bot=None, holder=body["holder"])
        return replace(found, former=None, former_name=None)
    if kind == "bot":
        found = replace(before, kind="bot", name=None, bot=body["bot"], holder=None)
        return replace(found, former=None, former_name=None)
    if kind == "link":
        return freed(before)
    if kind == "name":
        return replace(before, name=body["name"])
    if kind in ("lend", "return", "leave") or (kind == "resign" and body["bot"]):
        return handed_on(before, kind, body.get("bot"))
    return before


def freed(before: Sitting) -> Sitting:
    """Return a seat that the host has freed, with a new link; whoever sat there may come back while it is free."""
    former, name = (before.holder, before.name) if before.holder else (before.former, before.former_name)
    free = replace(before, kind="free", name=None, bot=None, holder=None, links=before.links + 1)
    return replace(free, former=former, former_name=name)


def handed_on(before: Sitting, kind: str, bot: str | None) -> Sitting:
    """Return who sits on a seat that its person has left, lent or taken again."""
    if kind == "return":
        whose, name = (before.owner, before.owner_name) if before.owner else (before.former, before.former_name)
        return Sitting("person", name, None, whose, before.links)
    if kind == "leave":
        return Sitting("bot" if bot else "free", None, bot, None, before.links)
    if kind == "resign":
        return Sitting("bot", before.owner_name or before.name, bot, None, before.links)
    return lent(before, bot)


def lent(before: Sitting, bot: str | None) -> Sitting:
    """Return a seat on which a bot plays for its person, or which waits for whoever comes with its new link."""
    owner, name = (before.owner, before.owner_name) if before.owner else (before.holder, before.name)
    if bot:
        found = Sitting("bot", name, bot, None, before.links, owner, name)
        return replace(found, is_handed_on=before.is_handed_on)
    return Sitting("free", None, None, None, before.links + 1, owner, name, is_handed_on=True)
