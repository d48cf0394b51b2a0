"""Who sits where: people come, go, lend their seat and take it again; who may look on, and who may find the table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from smalti.server.table.kinds import (
    Bot,
    Host,
    Leave,
    Lend,
    Link,
    List,
    Name,
    Nonce,
    PeopleKind,
    Resign,
    Return,
    SeatKind,
    Sit,
    Watch,
)
from smalti.server.table.terms import Onlookers


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


def seated(before: Sitting, what: SeatKind) -> Sitting:
    """Return who sits on a seat after something has happened to it."""
    match what:
        case Sit(holder=holder) if holder == before.owner:
            return returned(before)
        case Sit():
            return taken(before, kind="person", name=what.name, bot=None, holder=what.holder)
        case Bot():
            return taken(before, kind="bot", name=None, bot=what.bot, holder=None)
        case Name():
            return replace(before, name=what.name)
        case Link():
            return freed(before)
        case Lend():
            return lent(before, what.bot)
        case Return():
            return returned(before)
        case Leave():
            return Sitting("bot" if what.bot else "free", None, what.bot, None, before.links)
        case Resign():
            stays = what.bot is None  # the game is over
            return before if stays else Sitting("bot", before.owner_name or before.name, what.bot, None, before.links)


def taken(before: Sitting, **who: str | None) -> Sitting:
    """Return a seat on which somebody has sat down."""
    return replace(before, former=None, former_name=None, **who)  # type: ignore[arg-type]


def freed(before: Sitting) -> Sitting:
    """Return a seat that the host has freed, with a new link; whoever sat there may come back while it is free."""
    former, name = (before.holder, before.name) if before.holder else (before.former, before.former_name)
    free = replace(before, kind="free", name=None, bot=None, holder=None, links=before.links + 1)
    return replace(free, former=former, former_name=name)


def returned(before: Sitting) -> Sitting:
    """Return a seat that its person has taken again."""
    whose, name = (before.owner, before.owner_name) if before.owner else (before.former, before.former_name)
    return Sitting("person", name, None, whose, before.links)


def lent(before: Sitting, bot: str | None) -> Sitting:
    """Return a seat on which a bot plays for its person, or which waits for whoever comes with its new link."""
    owner, name = (before.owner, before.owner_name) if before.owner else (before.holder, before.name)
    if bot:
        found = Sitting("bot", name, bot, None, before.links, owner, name)
        return replace(found, is_handed_on=before.is_handed_on)
    return Sitting("free", None, None, None, before.links + 1, owner, name, is_handed_on=True)


class Seating(msgspec.Struct, frozen=True):
    """Who sits where, who is the host, and whom the table lets in."""

    seats: tuple[Sitting, ...]
    host: str
    nonces: tuple[str | None, ...]  # by seat: what people's browsers have added to the luck
    onlookers: Onlookers = "link"
    listed: bool = False
    lapsed: bool = False
    began_open: bool = False  # whether it stood among the open tables when the game began
    players: frozenset[str] = frozenset()  # holders who have had a seat when the game had begun
    guests: frozenset[str] = frozenset()  # holders who played here and do not any more

    @property
    def is_complete(self) -> bool:
        """Whether every seat is taken."""
        return all(sitting.kind != "free" for sitting in self.seats)

    def held_by(self, holder: str | None) -> list[int]:
        """List the seats of a browser."""
        return [seat for seat, sitting in enumerate(self.seats) if holder and sitting.holder == holder]

    def is_of(self, holder: str) -> bool:
        """Say whether a browser has a seat here, or may take one again."""
        return any(holder in sitting.people for sitting in self.seats)

    # --- What happens

    def after(self, what: PeopleKind, seat: int | None, is_gathering: bool) -> Seating:
        """Return who sits where after something has happened about people."""
        match what:
            case Watch():
                return msgspec.structs.replace(self, onlookers=what.mode)
            case List():
                return msgspec.structs.replace(self, listed=what.listed, lapsed=what.lapsed)
            case Host():
                return msgspec.structs.replace(self, host=what.holder)
            case Nonce():
                return self.with_nonce(seat, what.nonce)
            case _:
                assert seat is not None
                return self.with_sitting(seat, seated(self.seats[seat], what), what, is_gathering)

    def with_nonce(self, seat: int | None, nonce: str | None) -> Seating:
        """Note what a seat's browser adds to the luck."""
        nonces = tuple(nonce if place == seat else known for place, known in enumerate(self.nonces))
        return msgspec.structs.replace(self, nonces=nonces)

    def with_sitting(self, seat: int, sitting: Sitting, what: SeatKind, is_gathering: bool) -> Seating:
        """Let somebody else sit on a seat; before the game whoever sits there adds their own nonce."""
        before = self.seats[seat]
        found = msgspec.structs.replace(self, seats=(*self.seats[:seat], sitting, *self.seats[seat + 1 :]))
        if isinstance(what, Return | Resign | Leave):
            found = msgspec.structs.replace(found, guests=self.guests | (before.people - sitting.people))
        return found.with_nonce(seat, None) if is_gathering and sitting.holder != before.holder else found

    def begun(self) -> Seating:
        """Note, when the game begins, whether strangers could join to the last."""
        return msgspec.structs.replace(self, began_open=self.listed)

    def with_players(self) -> Seating:
        """Note who plays now."""
        holders = {sitting.holder for sitting in self.seats if sitting.holder}
        return self if holders <= self.players else msgspec.structs.replace(self, players=self.players | holders)

    def of_record(self, names: tuple[str | None, ...], bots: tuple[str | None, ...]) -> Seating:
        """Seat those who have played a record that was imported."""
        people = zip(names, bots, strict=True)
        seats = tuple(Sitting("bot" if bot else "person", name, bot) for name, bot in people)
        return msgspec.structs.replace(self, seats=seats)


def empty_seats(seats: int, host: str) -> Seating:
    """Return a table at which nobody sits yet."""
    return Seating((Sitting(),) * seats, host, (None,) * seats)
