"""Everything that can happen at a table: a tagged union, one struct for each kind of entry.

The tag is the kind's name, which the store keeps in a column of its own; the fields are the body. Whatever was ever
stored must be read: new fields have defaults, and none goes away.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from smalti.server.table.terms import Late, Onlookers, Phrase

Value: TypeAlias = int | str | None
Event: TypeAlias = tuple[int | None, str]  # who, and what they did


class Kind(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """Something that can happen."""


# --- Who sits where


class Sit(Kind, tag="sit", frozen=True):
    """A person sits down; the holder is the hash of their browser's secret."""

    name: str | None  # None where it was erased
    holder: str


class Bot(Kind, tag="bot", frozen=True):
    """A bot sits down."""

    bot: str


class Name(Kind, tag="name", frozen=True):
    """A person changes their name."""

    name: str | None


class Link(Kind, tag="link", frozen=True):
    """The host makes a new link; the seat is free again."""


class Lend(Kind, tag="lend", frozen=True):
    """An absent person's seat goes to a bot, or with a new link to whoever comes; they may have it back."""

    bot: str | None


class Return(Kind, tag="return", frozen=True):
    """A person takes their own seat again, or the one they were sent away from before the game."""


class Resign(Kind, tag="resign", frozen=True):
    """A seat gives up; a bot plays on for it, or the game is over."""

    bot: str | None


class Leave(Kind, tag="leave", frozen=True):
    """A person goes for good; a bot plays on, or the seat is free."""

    bot: str | None


class Host(Kind, tag="host", frozen=True):
    """Another browser is the host."""

    holder: str


class Watch(Kind, tag="watch", frozen=True):
    """Who may look on."""

    mode: Onlookers


class List(Kind, tag="list", frozen=True):
    """The table is listed or not; lapsed where nobody of it was there any more."""

    listed: bool
    lapsed: bool = False


class Nonce(Kind, tag="nonce", frozen=True):
    """A person's browser adds to the luck of the table."""

    nonce: str


# --- The game


class Play(Kind, tag="play", frozen=True):
    """A seat or chance does something; a second time for the same decision changes a sealed one."""

    do: str


class Seal(Kind, tag="seal", frozen=True):
    """A seat's browser adds to the seal of what it decides next."""

    nonce: str


class Back(Kind, tag="back", frozen=True):
    """A seat takes back what it did, until so many events are left."""

    to: int


class Start(Kind, tag="start", frozen=True):
    """The game goes on from a point of another one."""

    table: str
    n: int
    events: tuple[Event, ...]
    open: bool = False  # everybody may find that game
    knowing: tuple[str, ...] | None = None  # marks of the browsers that played it; None from before that was noted


class Record(Kind, tag="record", frozen=True):
    """A record was imported; nobody will ever play here."""

    names: tuple[str | None, ...]
    bots: tuple[str | None, ...]
    events: tuple[Event, ...]


class End(Kind, tag="end", frozen=True):
    """The game is broken off."""

    how: Literal["resigned", "agreed", "left"]


# --- What was said


class Say(Kind, tag="say", frozen=True):
    """Somebody says something: a text or a phrase; an onlooker has no seat, but a name and a mark."""

    text: str | None = None
    phrase: Phrase | None = None
    name: str | None = None
    by: str | None = None
    cleared: bool = False  # erased from outside


class Silence(Kind, tag="silence", frozen=True):
    """The host silences an onlooker, or no more."""

    by: str
    silenced: bool


class Clear(Kind, tag="clear", frozen=True):
    """The host takes words away: one by its number, or everything said until then."""

    onlookers: bool
    n: int | None


# --- What is agreed


class Ask(Kind, tag="ask", frozen=True):
    """A seat asks the others for something."""

    what: str
    values: dict[str, Value]
    needed: tuple[int, ...] = msgspec.field(name="of")  # the seats that have to agree
    events: int | None  # about the game after so many events
    until: float | None = None  # when it lapses; None at those from before there was a limit


class Answer(Kind, tag="answer", frozen=True):
    """An answer to what is asked, for some seats; a no from the asker withdraws it."""

    yes: bool
    seats: tuple[int, ...] = msgspec.field(name="for")


class Lapse(Kind, tag="lapse", frozen=True):
    """The time for answers to what is asked is over; silence may have been agreement."""

    agreed: bool


class Next(Kind, tag="next", frozen=True):
    """There is a rematch."""

    table: str


# --- Time


class RunOut(Kind, tag="late", frozen=True):
    """A seat's time has run out; what was agreed for that follows."""

    did: Late


class Pause(Kind, tag="pause", frozen=True):
    """The clocks stop, nobody acts."""


class Resume(Kind, tag="resume", frozen=True):
    """The clocks go on."""


class Down(Kind, tag="down", frozen=True):
    """Nobody could act for a while: the time in between is given back."""

    since: float
    until: float


SeatKind: TypeAlias = Sit | Bot | Name | Link | Lend | Return | Resign | Leave
PeopleKind: TypeAlias = SeatKind | Host | Watch | List | Nonce
GameKind: TypeAlias = Play | Back | Seal | Start | Record | End
ChatKind: TypeAlias = Say | Silence | Clear
ConsentKind: TypeAlias = Ask | Answer | Lapse
TimeKind: TypeAlias = RunOut | Pause | Resume | Down
What: TypeAlias = PeopleKind | GameKind | ChatKind | ConsentKind | TimeKind | Next


def kind_of(what: What) -> str:
    """Return the name by which the store knows a kind."""
    return str(what.__struct_config__.tag)


def from_row(kind: str, body: str) -> What:
    """Return what a row of the store says; of a play the body is the event itself, else JSON."""
    if kind == "play":
        return Play(body)
    return msgspec.convert({**msgspec.json.decode(body), "kind": kind}, type=What)  # type: ignore[no-any-return]


def body_of(what: What) -> str:
    """Return the body of a row that says this."""
    if isinstance(what, Play):
        return what.do
    fields = msgspec.to_builtins(what)
    return msgspec.json.encode({name: value for name, value in fields.items() if name != "kind"}).decode()
