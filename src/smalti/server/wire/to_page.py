"""What a page is told over the WebSocket of a table: everything that happens comes down numbered.

`from_page` has what it says itself, `http` what goes over HTTP. `tools/wire_types.py` writes the TypeScript types;
docs/wire.md explains them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from smalti.engine.game import Item
from smalti.server.table.terms import Finders, Late, Onlookers, Phrase, Terms

encode = msgspec.json.Encoder().encode


def as_json(message: msgspec.Struct) -> str:
    """Return a message as it is sent."""
    return encode(message).decode()


class Seat(msgspec.Struct):
    """A place at the table and who sits there."""

    kind: str  # "person", "bot" or "free"
    name: str | None  # of a person, as typed; shown as text
    bot: str | None
    here: bool  # a page of this person is connected
    mine: bool  # held by this browser
    link: str | None  # for the host, while the seat is free: the address that claims it; if it is lent, for its person
    owner: str | None  # the name of the absent person who has lent it
    claim: bool  # this browser may take the seat again
    resigned: bool
    ready: bool = True  # false while the deal waits for what this person's browser adds to the luck


class Start(msgspec.Struct, forbid_unknown_fields=True):
    """A point of a game that is over, or was imported: the table after event `n`."""

    table: str
    n: int


class Proposed(msgspec.Struct):
    """What a seat asks the others for, or has asked for last."""

    n: int
    by: int
    what: str
    values: Mapping[str, int | str | None]
    needed: list[int]  # seats that have to agree
    agreed: list[int]  # those that have
    outcome: str  # "open", "agreed", "declined", "withdrawn", "lapsed" (what it was about is gone) or "late"
    closer: int | None  # the seat whose answer ended it
    until: float | None = None  # the server's time at which it lapses, if not all have answered by then


class Speaker(msgspec.Struct):
    """An onlooker who has said something, for the host, who may silence them."""

    id: str
    name: str
    silenced: bool


class Ended(msgspec.Struct):
    """How a game ended before its end."""

    how: str  # "resigned", "agreed" or "left"
    by: int | None


class Table(msgspec.Struct, tag="table", tag_field="t"):
    """The people at the table; sent when it changes."""

    n: int
    id: str
    game: str
    options: Mapping[str, str]
    terms: Terms
    rules: int  # version
    seats: list[Seat]
    host: bool  # this browser made the table, or has taken over
    listed: bool  # whether it stands among the open tables
    lapsed: bool  # whether it was taken from there because nobody of it was there any more
    onlookers: Onlookers
    watch_link: str | None  # for those who are seated, if onlookers are let in
    watching: int  # onlookers connected
    stage: str  # "gathering", "playing" or "over"
    next: str | None  # the rematch
    start: Start | None  # where the game goes on from, if it did not begin at the beginning
    proposal: Proposed | None  # what is being asked, or was asked last
    ended: Ended | None  # null: it goes on, or has come to its end
    commitment: str | None = None  # what binds the table to its secret; null where the deal is known beforehand
    finders: Finders = "link"  # who may find the game when it is over, as it is promised now; fixed when it begins
    speakers: list[Speaker] = []  # for the host: the onlookers who have said something


class Happening(msgspec.Struct):
    """One event of the game as this audience may know it."""

    n: int
    by: int | None  # null: chance
    do: str | None  # null: made in secret, until it is shown
    at: float  # seconds since 1970
    id: str | None = None  # of the message that asked for it, for its own seat only
    seal: str | None = None  # of a decision under seal: what binds the seat to it; of a bot at once, else with `do`
    back: bool = False  # no event of the game: this seat takes back what is `gone` with this number
    gone: int | None = None  # the number with which it was taken back
    late: bool = False  # played by a bot, because the seat's time had run out


class State(msgspec.Struct, tag="state", tag_field="t"):
    """The game as one seat (null: an onlooker) sees it after event `n`, and what happened since it was asked."""

    n: int
    seat: int | None
    since: int  # `events` holds what happened after this number, and what was shown since
    events: list[Happening]
    view: Any  # of the game; null while people gather
    acting: list[int]
    legal: list[str]  # what this seat can do now
    change: list[str]  # what this seat can do instead of what it has done, such as another bid
    asked: int  # `n` of the state this seat's decision belongs to
    secret: bool  # whether what is decided now must not be seen by others before the same screen
    score: list[Item]
    scores: list[int]
    winners: list[int]
    verdict: str  # key for translation, where nobody is there to compare with; else empty
    back: list[str]  # by seat: how it can take its last step back: "free", "ask" (by consent), or empty


class Refusal(msgspec.Struct, tag="refused", tag_field="t"):
    """No: nothing has changed. `reason` is a key for translation with its `values`."""

    id: str | None
    rule: str  # number of the rule, or empty
    reason: str
    values: Mapping[str, Any]
    sentence: str  # the same in English


class Because(msgspec.Struct, tag="because", tag_field="t"):
    """The answer to `why`; without a rule and a reason where it is legal."""

    id: str
    legal: bool
    rule: str
    reason: str
    values: Mapping[str, Any]
    sentence: str
    final: str = (
        ""  # legal, and not to be taken back freely: then comes "chance", something is "shown", or it is "over"
    )


class Words(msgspec.Struct):
    """Something that was said, by a seat or by an onlooker with a name."""

    n: int  # counts what was said here
    at: float  # seconds since 1970
    id: str | None
    seat: int | None
    name: str | None  # as typed; shown as text
    text: str | None  # as typed; shown as text
    phrase: Phrase | None
    cleared: bool = False  # the host has taken it away


class Talk(msgspec.Struct, tag="talk", tag_field="t"):
    """What was said after number `since`, among the players or, for an onlooker, among the onlookers.

    With `since` 0 it is everything, in place of what was told before: something has been cleared.
    """

    since: int
    words: list[Words]


class Clocks(msgspec.Struct, tag="clocks", tag_field="t"):
    """How much time everybody has at the moment this is sent; after each state of a table that has clocks."""

    n: int
    at: float  # the server's time: seconds since 1970
    left: list[float | None]  # seconds, by seat; null: no clock, as for bots
    running: list[int]  # the seats whose time runs
    paused: bool
    late: list[Late | None]  # by seat: what came of its time running out, until it acts


class Presence(msgspec.Struct, tag="presence", tag_field="t"):
    """Who is connected: the seats, and how many onlookers."""

    seats: list[bool]
    watching: int
    absent: list[float | None]  # by seat: in how many seconds its person counts as absent; null: is here
    host_absent: float | None  # the same of the host


class Done(msgspec.Struct, tag="done", tag_field="t"):
    """What the message with this id asked for is stored, or was already."""

    id: str


class Pong(msgspec.Struct, tag="pong", tag_field="t"):
    """Here I am."""


ToPage = Table | State | Refusal | Because | Talk | Clocks | Presence | Done | Pong
